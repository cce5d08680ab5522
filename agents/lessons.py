"""What a teacher does, to learn from: positions of its games, its choices, how they ended.

The teacher has all seats. Some moves are made by lot instead, so that there are lessons about
positions that the teacher itself would never get into.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..envs.chance import seed_word
from ..envs.setting import Setting, scratch
from ..envs.state import HAND_OVER, TRUNCATED
from .base import generator_words
from .batch import NOTES, batch_kernels


class Lessons(NamedTuple):
    """Decisions of a teacher, where more than one action was legal.

    Attributes:
        observations: int8 (n, size).
        masks: int8 (n, actions).
        actions: int64 (n,): the teacher's.
        returns: float32 (n,): what the seat got from there to the end of the hand: the reward
            ``"points"`` less the potential, as with shaped rewards (`rummyzoo.envs.learner`).
    """

    observations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    returns: np.ndarray


def lessons(
    teacher: Any, where: Setting, count: int, seed: int = 0, tables: int = 256, slips: float = 0.1
) -> Iterator[Lessons]:
    """Blocks of about `count` decisions, without end.

    Args:
        teacher: a player with ``act_batch``.
        where: the game and its rules; hands are played, not matches.
        tables: how many are played at once.
        slips: the share of moves made by lot.
    """
    rng = np.random.default_rng(seed)
    kernels = batch_kernels(where.game.NAME)
    kits, n, everyone = where.kits, int(where.rules.num_players), np.arange(tables)
    size, actions = int(kits[0].observation_size), int(kits[0].num_actions)
    work, spare = scratch(where.game), np.zeros(actions, np.int8)
    states = np.zeros(tables, where.game.STATE)
    words = np.array([seed_word(seed * tables + i) for i in range(tables)], np.uint64)
    kernels.deal_all(states, everyone, kits, words)
    rngs = generator_words(rng, tables)
    room = count + tables
    observations, masks = np.empty((room, size), np.int8), np.empty((room, actions), np.int8)
    choice, seat, hand = (np.empty(room, np.int64) for _ in range(3))
    before, results = np.empty(room), np.empty((room + tables, n))
    seen, legal = np.empty((tables, size), np.int8), np.empty((tables, actions), np.int8)
    notes = np.zeros((tables, n, NOTES), np.int64)
    chosen, stand = np.empty(tables, np.int64), np.empty(tables)
    while True:
        number, hands, filled = everyone.copy(), tables, 0  # the hand at each table, all hands
        results[:] = np.nan
        while filled < count and hands < room:
            turn = states["turn"].astype(np.int64)
            kernels.look_all(states, everyone, turn, kits, work, seen, legal)
            kernels.stand_all(states, everyone, turn, kits, stand)
            teacher.act_batch(states, everyone, turn, chosen, rngs)
            options = legal.sum(axis=1, dtype=np.int64)
            rows = np.flatnonzero(options > 1)
            new = slice(filled, filled + len(rows))
            observations[new], masks[new], choice[new] = seen[rows], legal[rows], chosen[rows]
            seat[new], hand[new], before[new] = turn[rows], number[rows], stand[rows]
            filled += len(rows)
            lots = rng.random((2, tables))
            nth = (lots[1] * options).astype(np.int64)[:, None]
            by_lot = (legal.cumsum(axis=1, dtype=np.int16) > nth).argmax(axis=1)
            played = np.where(lots[0] < slips, by_lot, chosen)
            kernels.play_all(states, everyone, played, kits, work, spare, notes)
            over = np.flatnonzero(states["phase"] >= HAND_OVER)
            scored = over[states["phase"][over] != TRUNCATED]
            scores = states["hand_scores"][scored, :n] / 100
            results[number[scored]] = scores - (scores.sum(1, keepdims=True) - scores) / (n - 1)
            kernels.deal_all(states, over, kits, generator_words(rng, len(over)))
            number[over] = hands + np.arange(len(over))
            hands += len(over)
        returns = results[hand[:filled], seat[:filled]] - before[:filled]
        done = np.flatnonzero(~np.isnan(returns))
        yield Lessons(
            observations[done], masks[done], choice[done], returns[done].astype(np.float32)
        )
