"""What a table is worth when all cards are seen, and how likely a world is: learned networks.

`search` deals the cards that a seat cannot see afresh and looks at the table that results, a world.
There every card is known (it was dealt so), and two networks read it:

* the *value*: what the seat may expect of the hand when it is over (see `worth`), over all orders
  of the stock, if the others are heuristic players, and the seat plays as they do or, where that
  was learned in a second round, as `search` does;
* the *odds*: the logarithm of how much more likely the world is than one dealt by the cards alone.
  People take, keep and discard for reasons: who passed a king by is unlikely to hold two, and who
  lays down nothing is not without melds.

A game that has them has a module here with its name: the kernel
``describe(states, i, seat, kits, work, x, row)``, which writes what a table is to a seat into
``x[row]`` (first the planes of cards of `planes`, then numbers, of which the first are left to
`recall`); ``NUMBERS``, how many of these there are; the kernel ``recall``, which adds to the inputs
of the odds, and ``ASKED``, the names of the players that it asks; and ``advice(rules)`` (see
`Advice`). Beside it lies a file of what the networks learned, made by
``benchmarks/train_values.py``, which lists the rules to learn from. Where there are none, as for
smaller packs, rollouts go on to the end of the hand, and all deals are equally likely.
"""

import hashlib
import zipfile
import zlib
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np

from ...envs.games import load_game
from ...envs.machine import LANES
from ...envs.setting import Setting
from ..heuristics import weights_of
from . import nothing
from .network import MOST_UNITS, RANKS, SUITS, rows_for
from .planes import PLANES
from .recall import ASKED


class Networks(NamedTuple):
    """The networks for a game under some rules, and how to use them.

    Attributes:
        value, odds: float32, as `network.estimate` reads them; with no rows: there are none.
        planes, numbers: how many inputs of each kind there are (see `network`).
        turns: after how many turns of a rollout the value is asked.
        deals: how many deals are weighed by the odds for each game that is played out of an action.
        asked: the weights of the players that `recall` asks, float64 (players, weights).
    """

    value: np.ndarray
    odds: np.ndarray
    planes: int = 0
    numbers: int = 0
    turns: int = 1 << 30
    deals: int = 1
    asked: np.ndarray = np.zeros((ASKED, 1))

    @property
    def inputs(self) -> int:
        """How many inputs there are."""
        return SUITS * RANKS * self.planes + self.numbers


NOTHING = Networks(*np.zeros((2, 0, LANES), np.float32))


def module_for(game: str) -> ModuleType:
    """The module that describes a game's tables; `nothing` if the game has none."""
    name = f"{__name__}.{load_game(game).__name__.rpartition('.')[2]}"
    return import_module(name) if find_spec(name) else nothing


def file_of(game: str) -> Path:
    """Where the numbers of a game's networks are."""
    return Path(__file__).with_name(f"{game}.npz")


def networks(where: Setting, kept: dict[str, np.ndarray] | None = None) -> Networks:
    """The networks for a game under some rules; without rows where there are none.

    Args:
        where: the game and its rules.
        kept: the networks to take them from, by name; None: those of the game's file.

    Raises:
        ValueError: the file of the networks is missing, damaged, or made for other inputs.
    """
    game = where.game.NAME
    found = module_for(game)
    if found is nothing or where.rules.num_ranks * where.rules.num_suits < SUITS * RANKS:
        return NOTHING
    numbers, advice = found.NUMBERS, found.advice(where.rules)
    kept = read(file_of(game)) if kept is None else kept
    value, odds = kept.get(advice.value), kept.get(advice.odds)
    if value is None or odds is None:
        return NOTHING
    for network in (value, odds):
        rows, units = network.shape
        if units not in (LANES, MOST_UNITS) or rows != rows_for(PLANES, numbers, units):
            raise ValueError(
                f"{file_of(game)} was made for other inputs: make it anew with "
                f"benchmarks/train_values.py {game}"
            )
    return Networks(
        value, odds, PLANES, numbers, advice.turns, advice.deals, weights_of(game, found.ASKED)
    )


def write(path: Path, found: dict[str, np.ndarray]) -> None:
    """Write networks into a file that `read` reads; half precision is enough for them."""
    halves = {name: network.astype(np.float16) for name, network in sorted(found.items())}
    np.savez_compressed(path, digest=_digest(halves), **halves)  # type: ignore[arg-type]


@lru_cache
def read(path: Path) -> dict[str, np.ndarray]:
    """The networks in a file, by name, as float32.

    Raises:
        ValueError: it is not such a file, or is damaged.
    """
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
            kept = {name: file[name] for name in file.files}
        digest = kept.pop("digest")
        good = np.array_equal(digest, _digest(kept))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as why:
        raise ValueError(f"{path} holds no networks that can be read: {why}") from None
    if not good or not all(np.isfinite(network).all() for network in kept.values()):
        raise ValueError(f"{path} is damaged: its numbers are not those that were written")
    return {name: network.astype(np.float32, order="C") for name, network in kept.items()}


def _digest(found: dict[str, np.ndarray]) -> np.ndarray:
    """A digest of networks, uint8 (32,)."""
    digest = hashlib.sha256()
    for name, network in sorted(found.items()):
        digest.update(repr((name, network.shape, network.dtype.str)).encode() + network.tobytes())
    return np.frombuffer(digest.digest(), np.uint8)
