"""Players that a network plays, and the files they are kept in.

A policy file is a ``.safetensors`` file: weights and a header of text, and nothing that could run
when it is opened. The header says what the weights are for: the game, its rules, how observations
and actions are laid out, and the network.

    agent = load("runs/a/policy.safetensors")
    agent.act(view, rng)

Networks look at the observation only, and are asked about legal actions only. `SuitNetwork` treats
the four suits alike: the same weights look at each suit's cards, beside what is common to all, and
score the actions with that suit's cards.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor, nn

from ..envs.chance import fractions, words_after
from ..envs.observe import bounds
from ..envs.rules import check_name
from ..envs.setting import Setting, scratch, setting
from .base import Opinion, View
from .batch import batch_kernels
from .policies import fit, make_header, read_header
from .suits import score_table

STARTS_AT_ZERO = ("scores", "hands", "boxes")
"""Pieces of the observation whose first weights begin at zero: where training never shows
anything but zero there (single hands), nothing that is seen there later has an effect."""

_WIDE = 2


class Inputs(nn.Module):
    """Observations as the first layer gets them: float32, shape (batch, size).

    Every entry is divided by its bound, so that no input dwarfs another. Counts and places that go
    beyond 2 are given once more as ``1 / x`` (0 for 0): so one card left in a hand is far from two,
    and the top of the pile far from the card below it.
    """

    scale: Tensor
    wide: Tensor

    def __init__(self, low: np.ndarray, high: np.ndarray) -> None:
        super().__init__()
        most = np.maximum(-low.astype(np.float32), high.astype(np.float32))
        wide = np.flatnonzero(most > _WIDE)
        self.register_buffer("scale", torch.from_numpy(1 / np.maximum(most, 1)), persistent=False)
        self.register_buffer("wide", torch.from_numpy(wide), persistent=False)
        self.again = {int(entry): len(low) + n for n, entry in enumerate(wide)}
        self.size = len(low) + len(wide)

    def places(self, entries: Sequence[int]) -> list[int]:
        """Where some entries of the observation are among the inputs."""
        return [*entries, *(self.again[e] for e in entries if e in self.again)]

    def forward(self, observations: Tensor) -> Tensor:
        x = observations.to(torch.float32)
        counts = x.index_select(1, self.wide)
        return torch.cat((x * self.scale, torch.where(counts == 0, counts, 1 / counts)), 1)


class Network(nn.Module, ABC):
    """What networks have in common: scores of the legal actions, and the value of a position.

    A network turns observations into a ``latent`` of its own kind, and this into numbers
    (batch, outputs), of which an action's score is the sum of those in its row of `table`.
    """

    table: Tensor
    school: Setting  # what `make_network` made it for,
    spec: dict[str, Any]  # and from

    @abstractmethod
    def latent(self, observations: Tensor) -> Any:
        """What the network makes of observations, int8 (batch, size)."""

    @abstractmethod
    def outputs(self, latent: Any) -> Tensor:
        """The numbers that scores are made of."""

    @abstractmethod
    def value(self, latent: Any) -> Tensor:
        """What is to be expected from here on, in the unit of the rewards: (batch,)."""

    def all_scores(self, latent: Any) -> Tensor:
        """The scores of all actions, (batch, actions)."""
        return self.outputs(latent)[:, self.table].sum(-1)

    def legal_scores(self, latent: Any, masks: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The scores of the legal actions in one list: rows, actions and scores, row by row.

        About 6 of some hundred actions are legal, so this is much less work than `all_scores`.
        """
        rows, actions = torch.nonzero(masks, as_tuple=True)
        numbers = self.outputs(latent)
        places = rows[:, None] * numbers.shape[1] + self.table[actions]
        scores = numbers.view(-1).index_select(0, places.view(-1)).view(places.shape).sum(1)
        return rows, actions, scores


class MLP(Network):
    """A plain network with two hidden layers."""

    def __init__(self, where: Setting, hidden: int) -> None:
        super().__init__()
        pieces, k = where.game.pieces(where.rules, where.kits[0]), where.kits[0]
        self.inputs = Inputs(*bounds(pieces))
        self.first = nn.Linear(self.inputs.size, hidden)
        self.second = nn.Linear(hidden, hidden)
        self.scores = nn.Linear(hidden, int(k.num_actions))
        self.worth = nn.Linear(hidden, 1)
        self.register_buffer("table", torch.arange(int(k.num_actions))[:, None], persistent=False)
        for layer, gain in ((self.first, 2**0.5), (self.second, 2**0.5), (self.scores, 0.01)):
            _start(layer, gain)
        _start(self.worth, 1.0)
        with torch.no_grad():
            self.first.weight[:, self.inputs.places(_entries(pieces, STARTS_AT_ZERO))] = 0

    def latent(self, observations: Tensor) -> Tensor:
        return torch.relu(self.second(torch.relu(self.first(self.inputs(observations)))))

    def outputs(self, latent: Tensor) -> Tensor:
        return self.scores(latent)

    def value(self, latent: Tensor) -> Tensor:
        return self.worth(latent)[:, 0]


class SuitNetwork(Network):
    """A network that treats all suits alike.

    Each suit has a vector, made from its own 13 ranks in every piece of cards, and there is one
    vector for all: both see the mean of the suits beside what belongs to no suit. An action is
    scored from the vectors of its suits, a set from three of them.
    """

    own: Tensor
    rest: Tensor

    def __init__(self, where: Setting, hidden: int) -> None:
        super().__init__()
        pieces, k = where.game.pieces(where.rules, where.kits[0]), where.kits[0]
        self.inputs = Inputs(*bounds(pieces))
        own, rest = self._split(pieces)
        self.register_buffer("own", torch.tensor(own).flatten(), persistent=False)
        self.register_buffer("rest", torch.tensor(rest), persistent=False)
        self.width = len(own[0])
        self.own_first = nn.Linear(self.width, hidden, bias=False)
        self.all_first = nn.Linear(self.width + len(rest), 2 * hidden)
        self.own_second = nn.Linear(hidden, hidden, bias=False)
        self.all_second = nn.Linear(2 * hidden, 2 * hidden)
        table, by_suit, by_none = score_table(k)
        self.register_buffer("table", torch.tensor(table), persistent=False)
        self.suit_scores = nn.Linear(hidden, by_suit)
        self.other_scores = nn.Linear(hidden, by_none)
        self.worth = nn.Linear(2 * hidden, 1)
        for layer in (self.own_first, self.all_first, self.all_second):
            _start(layer, 2**0.5)
        for layer, gain in ((self.own_second, 1.0), (self.suit_scores, 0.01), (self.worth, 1.0)):
            _start(layer, gain)
        _start(self.other_scores, 0.01)
        still = set(self.inputs.places(_entries(pieces, STARTS_AT_ZERO)))
        columns = [self.width + n for n, entry in enumerate(rest) if entry in still]
        with torch.no_grad():
            self.all_first.weight[:, columns] = 0

    def _split(self, pieces: Sequence[Any]) -> tuple[list[list[int]], list[int]]:
        """The inputs that belong to each suit, in the same order for all, and the others."""
        own: list[list[int]] = [[], [], [], []]
        rest: list[int] = []
        at = 0
        for piece in pieces:
            width = piece.shape[-1]
            for start in range(at, at + int(np.prod(piece.shape)), max(width, 1)):
                beyond = 0
                if width in (52, 53):
                    beyond = 52
                    for suit in range(4):
                        first = start + 13 * suit
                        own[suit] += self.inputs.places(range(first, first + 13))
                rest += self.inputs.places(range(start + beyond, start + width))
            at += int(np.prod(piece.shape))
        return own, rest

    def latent(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        x = self.inputs(observations)
        own = x.index_select(1, self.own).view(len(x), 4, self.width)
        rest = x.index_select(1, self.rest)
        common = self.all_first(torch.cat((own.mean(1), rest), 1)).view(len(x), 2, -1)
        suits = torch.relu(self.own_first(own) + common[:, :1])
        others = torch.relu(common[:, 1])
        common = self.all_second(torch.cat((suits.mean(1), others), 1)).view(len(x), 2, -1)
        return torch.relu(self.own_second(suits) + common[:, :1]), torch.relu(common[:, 1])

    def outputs(self, latent: tuple[Tensor, Tensor]) -> Tensor:
        suits, others = latent
        nothing = torch.zeros(len(others), 1)
        return torch.cat(
            (self.suit_scores(suits).flatten(1), self.other_scores(others), nothing), 1
        )

    def value(self, latent: tuple[Tensor, Tensor]) -> Tensor:
        suits, others = latent
        return self.worth(torch.cat((suits.mean(1), others), 1))[:, 0]


NETWORKS = {"mlp": MLP, "suits": SuitNetwork}


def make_network(where: Setting, kind: str = "suits", hidden: int = 128) -> Network:
    """A network with fresh weights for a game under its rules.

    Raises:
        ValueError: there is no such network.
    """
    check_name("network", kind, NETWORKS)
    network = NETWORKS[kind](where, hidden)
    network.school, network.spec = where, {"kind": kind, "hidden": hidden}
    return network


def _start(layer: nn.Linear, gain: float) -> None:
    nn.init.orthogonal_(layer.weight, gain)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)


def _entries(pieces: Sequence[Any], names: Sequence[str]) -> list[int]:
    """The entries of the observation that belong to some pieces."""
    found: list[int] = []
    at = 0
    for piece in pieces:
        size = int(np.prod(piece.shape))
        found += range(at, at + size) if piece.name in names else ()
        at += size
    return found


# Lists of the legal actions of many tables: `rows` ascending, every row from 0 to `count` - 1.


def log_shares(scores: Tensor, rows: Tensor, count: int) -> Tensor:
    """The logarithms of the probabilities that scores stand for, row by row."""
    top = torch.full((count,), -torch.inf).scatter_reduce(0, rows, scores.detach(), "amax")
    less = scores - top[rows]
    return less - torch.zeros(count).index_add(0, rows, less.exp()).log()[rows]


def pick_best(scores: Tensor, rows: Tensor, count: int) -> Tensor:
    """The place in the list of each row's highest score, the first of equals."""
    top = torch.full((count,), -torch.inf).scatter_reduce(0, rows, scores, "amax")
    hits = torch.nonzero(scores == top[rows])[:, 0]
    return hits[torch.searchsorted(rows[hits], torch.arange(count))]


def pick_by_lot(logs: Tensor, rows: Tensor, lots: Tensor) -> Tensor:
    """The place in the list of an action for each row by the row's lot, float64 in [0, 1)."""
    sums = logs.detach().double().exp().cumsum(0)
    ends = torch.searchsorted(rows, torch.arange(len(lots)), right=True)
    upper = sums[ends - 1]
    lower = torch.cat((torch.zeros(1, dtype=torch.float64), upper[:-1]))
    found = torch.searchsorted(sums, lower + lots * (upper - lower), right=True)
    return torch.minimum(found, ends - 1)


class LearnedAgent:
    """A network as a player.

    Args:
        where: the game and its rules.
        network: made for them.
        sample: choose by the network's probabilities instead of its best action.
    """

    def __init__(
        self, where: Setting, network: Network, name: str = "learned", sample: bool = False
    ) -> None:
        self.setting, self.network, self.name, self.sample = where, network, name, sample
        self._lots = np.random.default_rng(0)
        network.eval()

    def __reduce__(self) -> Any:
        tensors = {name: tensor.numpy() for name, tensor in self.network.state_dict().items()}
        game, rules = self.setting.game.NAME, (self.setting.rules, self.network.school.rules)
        return _remake, (game, rules, self.network.spec, tensors, self.name, self.sample)

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Choose an action; raises ValueError when the seat is not to act."""
        if not view.mask.any():
            raise ValueError(f"seat {view.seat} is not to act")
        lots = rng.random(1) if self.sample else None
        return int(self.choose(view.observation[None], view.mask[None], lots)[0])

    def act_batch(
        self,
        states: np.ndarray,
        indices: np.ndarray,
        seats: np.ndarray,
        out: np.ndarray,
        rngs: np.ndarray | None = None,
    ) -> None:
        """Choose for many tables; see `rummyzoo.agents.base.Agent`."""
        game, kits = self.setting.game, self.setting.kits
        observations = np.empty((len(indices), int(kits[0].observation_size)), np.int8)
        masks = np.empty((len(indices), int(kits[0].num_actions)), np.int8)
        look_all = batch_kernels(game.NAME).look_all
        look_all(states, indices, seats, kits, scratch(game), observations, masks)
        lots = None
        if self.sample:
            lots = self._lots.random(len(indices)) if rngs is None else draw_lots(rngs, indices)
        out[:] = self.choose(observations, masks, lots)

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, lots: np.ndarray | None = None
    ) -> np.ndarray:
        """Actions for observations and masks: the best, or by lots from 0 to 1; int64 (batch,)."""
        open_rows = np.flatnonzero(masks.sum(axis=1, dtype=np.int64) > 1)
        chosen = masks.argmax(axis=1)  # right where only one is legal
        if len(open_rows) == 0:
            return chosen
        with torch.inference_mode():
            latent = self.network.latent(torch.from_numpy(observations[open_rows]))
            legal = torch.from_numpy(masks[open_rows])
            rows, actions, scores = self.network.legal_scores(latent, legal)
            if lots is None:
                places = pick_best(scores, rows, len(open_rows))
            else:
                logs = log_shares(scores, rows, len(open_rows))
                places = pick_by_lot(logs, rows, torch.from_numpy(lots[open_rows]))
            chosen[open_rows] = actions[places].numpy()
        return chosen

    def explain(self, view: View, rng: np.random.Generator) -> Opinion:
        """What the network makes of a position: its probabilities, also where its best action is
        played, and its value (see `rummyzoo.agents.base.Opinion`).

        The value is right for networks that learned from shaped rewards, as ``train.py`` has it.
        """
        with torch.inference_mode():
            latent = self.network.latent(torch.from_numpy(view.observation[None]))
            rows, actions, scores = self.network.legal_scores(
                latent, torch.from_numpy(view.mask[None])
            )
            shares = log_shares(scores, rows, 1).exp().tolist()
            gain = float(self.network.value(latent)[0])
        seat, standing = np.array([view.seat]), np.zeros(1)
        kernels = batch_kernels(view.game)
        kernels.stand_all(view.states, np.zeros(1, np.int64), seat, view.setting.kits, standing)
        value = 100 * (gain + float(standing[0]))
        return Opinion(dict(zip(actions.tolist(), shares, strict=True)), value=value)


def draw_lots(rngs: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """A number in [0, 1) from each of some generator words, which move on."""
    words = rngs[indices] = words_after(rngs[indices])
    return fractions(words)


# --- files ---


def policy_bytes(agent: LearnedAgent, **about: Any) -> bytes:
    """A player as the content of a policy file; `about`: more to say in the header."""
    header = make_header(agent.network.school, agent.network.spec, **about)
    tensors = {name: tensor.contiguous() for name, tensor in agent.network.state_dict().items()}
    return save_tensors(tensors, header)


def load(
    path: str | Path, game: str | None = None, rules: Any = None, sample: bool = False
) -> LearnedAgent:
    """The player that a policy file holds.

    Args:
        path: the file, or the folder of a training run.
        game, rules: what it is to play; by default what it was trained for.

    Raises:
        ValueError: there is no such file, it is none of ours or damaged, or it does not fit the
            game or the rules; the sentence says which.
    """
    path = Path(path)
    if path.is_dir():
        path = path / "policy.safetensors"
    if path.suffix == ".zip":
        raise ValueError(
            f"{path} is a model of Stable-Baselines3, which could run anything when opened; "
            "players are kept as .safetensors"
        )
    if not path.is_file():
        raise ValueError(f"there is no policy {path}")
    data = path.read_bytes()
    try:
        tensors = load_tensors(data)
    except SafetensorError as error:
        raise ValueError(f"{path} is not a .safetensors file, or is cut off or damaged") from error
    header = read_header(path, data)
    where, school = fit(path, header, game, rules)
    try:
        network = make_network(school, **header["network"])
        network.load_state_dict(tensors)
    except (RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: the weights do not fit the network in its header") from error
    if not all(torch.isfinite(tensor).all() for tensor in tensors.values()):
        raise ValueError(f"{path}: some weights are not finite numbers")
    name = path.parent.name if path.name == "policy.safetensors" else path.stem
    return LearnedAgent(where, network, name or "learned", sample)


def make(game: str, rules: Any, argument: str = "") -> LearnedAgent:
    """The player in a file, for `rummyzoo.agents.load`."""
    return load(argument, game, rules)


def _remake(
    game: str,
    rules: tuple[Any, Any],
    spec: dict[str, Any],
    tensors: Any,
    name: str,
    sample: bool,
) -> LearnedAgent:
    where, school = (setting(game, r) for r in rules)
    network = make_network(school, **spec)
    network.load_state_dict({key: torch.from_numpy(array) for key, array in tensors.items()})
    return LearnedAgent(where, network, name, sample)
