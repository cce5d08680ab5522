"""The networks of `rummyzoo.agents.values` in torch, to be trained; see ``train_values.py``."""

import numpy as np
import torch

from rummyzoo.agents.values.network import RANKS, SUITS


class Network(torch.nn.Module):
    """What `rummyzoo.agents.values.network` computes, to be trained.

    Args:
        planes, numbers: how many inputs of each kind there are.
        scale: mean and standard deviation of the numbers, float64 (2, numbers): they are learned
            from as deviations in such units.
    """

    mean: torch.Tensor
    unit: torch.Tensor

    def __init__(self, planes: int, numbers: int, units: int, scale: np.ndarray) -> None:
        super().__init__()
        linear = torch.nn.Linear
        self.width = planes * RANKS
        self.suit = linear(self.width, units, bias=False)
        self.sum = linear(self.width, units, bias=False)
        self.rest = linear(numbers, units)
        self.second = linear(units, units)
        self.last = linear(units, 1, bias=False)
        self.line = linear(numbers, 1)
        for layer in (self.last, self.line):
            torch.nn.init.zeros_(layer.weight)
        torch.nn.init.zeros_(self.line.bias)
        self.scale = scale
        self.register_buffer("mean", torch.tensor(scale[0], dtype=torch.float32))
        self.register_buffer("unit", torch.tensor(scale[1], dtype=torch.float32))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The network's values, shape (n,), for inputs of shape (n, all inputs)."""
        cards = x[:, : SUITS * self.width].view(-1, SUITS, self.width)
        numbers = (x[:, SUITS * self.width :] - self.mean) / self.unit
        common = self.sum(cards.sum(1)) + self.rest(numbers)
        first = torch.relu(self.suit(cards) + common[:, None]).sum(1)
        return (self.last(torch.relu(self.second(first))) + self.line(numbers))[:, 0]

    def pack(self) -> np.ndarray:
        """All its numbers as the kernel reads them, float32 (see `rows_for`)."""

        def of(parameter: torch.Tensor) -> np.ndarray:
            return parameter.detach().double().numpy()

        mean, unit = self.scale
        rest, line = of(self.rest.weight) / unit, of(self.line.weight)[0] / unit
        units, numbers = rest.shape
        rows = [
            of(self.suit.weight).T,
            of(self.sum.weight).T,
            rest.T,
            of(self.rest.bias)[None] - rest @ mean,
            of(self.second.weight).T,
            of(self.second.bias)[None],
            of(self.last.weight),
            np.pad(line, (0, -numbers % units)).reshape(-1, units),
            np.pad(of(self.line.bias) - line @ mean, (0, units - 1))[None],
        ]
        return np.concatenate(rows).astype(np.float32, order="C")

    @classmethod
    def unpack(cls, packed: np.ndarray, planes: int, numbers: int, scale: np.ndarray) -> "Network":
        """The network that `pack` made these numbers of, for numbers of some scale."""
        units = packed.shape[1]
        width, lines = planes * RANKS, -(-numbers // units)
        heights = (width, width, numbers, 1, units, 1, 1, lines, 1)
        parts = np.split(packed.astype(np.float64), np.cumsum(heights)[:-1])
        suit, summed, rest, bias, second, second_bias, last, line, line_bias = parts
        line = line.reshape(-1)[:numbers]
        mean, unit = scale
        found = cls(planes, numbers, units, scale)
        wanted = {
            found.suit.weight: suit.T,
            found.sum.weight: summed.T,
            found.rest.weight: (rest * unit[:, None]).T,
            found.rest.bias: bias[0] + mean @ rest,
            found.second.weight: second.T,
            found.second.bias: second_bias[0],
            found.last.weight: last,
            found.line.weight: (line * unit)[None],
            found.line.bias: line_bias[0, :1] + mean @ line,
        }
        with torch.no_grad():
            for parameter, values in wanted.items():
                parameter.copy_(torch.from_numpy(np.ascontiguousarray(values)))
        return found
