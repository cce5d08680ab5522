"""Hands to learn from in which ``search`` plays one seat, as many at once as there are cores.

See ``train_values.py``, which learns from them.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np
from played_hands import Hands

from rummyzoo.agents.search import SearchAgent
from rummyzoo.agents.values import networks
from rummyzoo.envs.setting import setting
from rummyzoo.envs.state import DRAW, HAND_OVER, TRUNCATED

GAMES = 16
"""How many games that search plays out of each action."""
TOGETHER = 100
"""Hands that one process plays at a time."""
TAKEN = 2
"""One choice in so many is learned from."""
MOST_ROWS = 400
"""Turns of a hand, and choices, that are learned from."""

Options = tuple[tuple[dict[str, Any], float], ...]


class Seen(NamedTuple):
    """What there is to learn from hands, as the seat has it that searches.

    Attributes:
        turns: float16 (turns, inputs), the beginnings of turns.
        ends: float32 (turns,), what the end of the hand was worth.
        choices: float16 (choices, inputs), what is before it: a true table, then one dealt afresh,
            in turn.
    """

    turns: np.ndarray
    ends: np.ndarray
    choices: np.ndarray


class SearchedHands(Hands):
    """Where hands of a game are played under some rules, one seat by search."""

    def __init__(self, name: str, options: dict[str, Any], kept: dict[str, np.ndarray]) -> None:
        super().__init__(name, options)
        where = setting(name, self.rules)
        self.game = where.game
        self.search = SearchAgent(
            f"search:{GAMES}", name, self.rules, GAMES, threads=1, nets=networks(where, kept)
        )
        self.x = np.zeros((2 * MOST_ROWS, self.inputs), np.float32)
        self.seen = np.zeros(int(self.kits[0].observation_size), np.int8)
        self.mask = np.zeros(int(self.kits[0].num_actions), np.int8)

    def play(self, rng: np.random.Generator) -> Seen | None:
        """Play a hand; None if there is nothing to learn from it.

        As in the hands of ``played_hands.py``, all styles play up to some turn, and now and then an
        action is drawn by lot. Then search has one seat, and one style each of the others: in half
        of the hands one that the rollouts of search think of, in the others any.
        """
        states, _ = self.tables
        rngs = rng.integers(1, 1 << 63, 1, dtype=np.uint64)
        loose = self.kernels["deal"](states, self.kits, rngs)
        seat = int(rng.integers(self.rules.num_players))
        style = rng.choice(self.others if rng.random() < 0.5 else len(self.styles))
        self.kernels["begin"](states, self.kits, self.work, self.styles, loose, rngs)
        turns, choices, turn = 0, MOST_ROWS, -1
        while states["phase"][0] < HAND_OVER:
            fresh = states["phase"][0] == DRAW and states["turns"][0] >= max(loose, turn + 1)
            if fresh and turns < MOST_ROWS:
                turn = int(states["turns"][0])
                self.kernels["describe"](states, 0, seat, self.kits, self.work, self.x, turns)
                turns += 1
            if states["turn"][0] == seat:
                choices += self.choose(seat, rng, choices)
            else:
                self.kernels["answer"](states, self.kits, self.work, self.styles[style], seat, rngs)
        if states["phase"][0] == TRUNCATED or not turns:
            return None
        end = self.kernels["worth"](self.kits, states, seat)
        x = self.x.astype(np.float16)
        return Seen(x[:turns], np.full(turns, end, np.float32), x[MOST_ROWS:choices])

    def choose(self, seat: int, rng: np.random.Generator, row: int) -> int:
        """Let search act; returns how many rows were filled, from `row` on."""
        states, spare = self.tables
        self.game.look(states, 0, seat, self.kits, self.work, self.seen, self.mask)
        seed, taken = int(rng.integers(1 << 31)), rng.integers(TAKEN) == 0
        filled = 0
        if taken and row + 2 <= len(self.x):
            room = self.kits, self.work, self.asked, np.ones(1, np.uint64)
            filled = self.kernels["compare"](
                states, spare, seat, *room, np.uint64(seed), self.x, row
            )
        words = np.array([seed + 1], np.uint64)
        action = np.zeros(1, np.int64)
        self.search.act_batch(states, np.zeros(1, np.int64), np.array([seat]), action, words)
        self.game.step(states, 0, int(action[0]), self.kits)
        return filled


@cache
def _hands(name: str, which: int) -> SearchedHands:
    """The hands of this process under one of its rules."""
    tables, kept = _GIVEN
    return SearchedHands(name, tables[which][0], kept)


_GIVEN: Any = ((), {})


def _begin(tables: Options, kept: dict[str, np.ndarray]) -> None:
    """Tell a process what is played."""
    global _GIVEN
    _GIVEN = tables, kept


def _some(name: str, which: int, seed: int) -> Seen:
    """Play some hands."""
    hands, rng = _hands(name, which), np.random.default_rng(seed)
    seen = [found for _ in range(TOGETHER) if (found := hands.play(rng))]
    return Seen(*map(np.concatenate, zip(*seen, strict=True)))


def searched(
    name: str, tables: Options, kept: dict[str, np.ndarray], hands: int, seed: int
) -> Iterator[Seen]:
    """Play about so many hands in all, by search with some networks; the same seed gives the same.

    Args:
        name: the game.
        tables: options of rules, and how much of each is played.
        kept: the networks, by name.
    """
    rng = np.random.default_rng(seed)
    shares = np.array([share for _, share in tables])
    tasks = [
        (name, int(rng.choice(len(tables), p=shares / shares.sum())), int(rng.integers(1 << 62)))
        for _ in range(max(1, round(hands / TOGETHER)))
    ]
    with ProcessPoolExecutor(
        os.cpu_count(), get_context("spawn"), initializer=_begin, initargs=(tables, kept)
    ) as pool:
        yield from pool.map(_some, *zip(*tasks, strict=True))
