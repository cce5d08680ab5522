"""The networks of search in torch, as ``benchmarks/train_values.py`` trains them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rummyzoo.agents import values
from rummyzoo.agents.values.network import RANKS, SUITS, estimate, notes_for
from rummyzoo.agents.values.planes import PLANES
from rummyzoo.envs.jit import kernel


@kernel
def evaluate(net: Any, planes: int, numbers: int, x: Any, notes: Any, out: Any) -> None:
    for row in range(len(x)):
        out[row] = estimate(net, planes, numbers, x, row, notes)


torch = pytest.importorskip("torch")


def test_what_is_learned_further_begins_as_the_network_in_force(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "benchmarks")
    from values_network import Network

    packed = values.read(values.file_of("gin"))["odds"]
    cards, numbers = SUITS * RANKS * PLANES, values.module_for("gin").NUMBERS
    rng = np.random.default_rng(1)
    x = np.zeros((50, cards + numbers), np.float32)
    x[:, :cards] = rng.random((50, cards)) < 0.1
    x[:, cards:] = rng.normal(size=(50, numbers))
    scale = np.array([rng.normal(size=numbers), rng.random(numbers) + 0.5])
    network = Network.unpack(packed, PLANES, numbers, scale)
    np.testing.assert_allclose(network.pack(), packed, atol=1e-4)
    wanted = np.zeros(len(x), np.float32)
    evaluate(packed, PLANES, numbers, x, notes_for(x.shape[1]), wanted)
    again = np.zeros(len(x), np.float32)
    evaluate(network.pack(), PLANES, numbers, x, notes_for(x.shape[1]), again)
    np.testing.assert_allclose(again, wanted, atol=1e-3)
    with torch.no_grad():
        found = network(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(found, wanted, atol=1e-3)
