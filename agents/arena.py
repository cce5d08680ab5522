"""Playing to measure: every deal from every rotation of the seats, and what was done there.

The players of a table are its *lineup*. A deal is played once for each seat: place `p` of the
lineup has seat ``(rotation + p) % n``, so that the luck of the deal falls on all alike, and each
has the same neighbours every time. The cards of a deal and the chance of the players depend on
nothing but the seed and the number of the deal: not on who plays, nor on the rotation, nor on what
was played before. A player among copies of itself therefore scores the same from every seat.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..envs.chance import seed_word
from ..envs.kit import A_BIG_GIN, A_CALL, A_GIN, A_KNOCK
from ..envs.setting import Setting, scratch
from ..envs.state import HAND_OVER, MATCH_OVER, TRUNCATED
from .base import Agent, ask
from .batch import DEEP, ILLEGAL, NOTES, OUT, batch_kernels
from .match_records import Records

RATES = {
    "went out": (OUT,),
    "deep picks": (DEEP,),
    "calls": (A_CALL,),
    "knocks": (A_KNOCK,),
    "gins": (A_GIN, A_BIG_GIN),
}
"""What is counted of a player, and the columns of its notes that it is the sum of."""


class Block(NamedTuple):
    """What some deals led to for a lineup; nothing in it depends on the speed of the machine.

    Attributes:
        scores: of each place of the lineup, in the hand or the match: int64 (deals, rotations,
            places).
        cut: where a hand or match was cut off, and has no result: bool (deals, rotations).
        fouls: where a place answered illegally: bool (deals, rotations, places).
        notes: what each place did, by the columns of `rummyzoo.agents.batch`: int64 (places,
            NOTES).
        hands: how many hands were played to their end.
    """

    scores: np.ndarray
    cut: np.ndarray
    fouls: np.ndarray
    notes: np.ndarray
    hands: int


class Arena:
    """Tables of a game for some players.

    Args:
        where: the game and its rules.
        players: those who may sit there. What a player does should depend on what it is shown and
            on the chance that it is given, or the results cannot be had again.
        matches: whether a deal begins a match, which is played to its end, or is a hand.
        records: where some of the games are recorded; None: nowhere.

    Attributes:
        seconds: the time that each player took for all of its answers so far, float64 (players,).
        decisions: how many those were, int64 (players,).
    """

    def __init__(
        self,
        where: Setting,
        players: Sequence[Agent],
        matches: bool,
        records: Records | None = None,
    ) -> None:
        self.where, self.players, self.matches = where, list(players), matches
        self.records = records
        self.n = int(where.rules.num_players)
        self.seconds = np.zeros(len(self.players))
        self.decisions = np.zeros(len(self.players), np.int64)
        self._kernels = batch_kernels(where.game.NAME)
        self._work = scratch(where.game)
        self._mask = np.zeros(int(where.kits[0].num_actions), np.int8)
        self._warm: set[int] = set()

    def play(self, lineup: Sequence[int], deals: range, seed: int) -> Block:
        """Play some deals, each from every rotation.

        Args:
            lineup: the number of the player in each place; a player may have several.
            deals: the numbers of the deals.
            seed: of all chance.
        """
        n, count = self.n, len(deals) * self.n
        for player in sorted(set(lineup) - self._warm):
            self._warm_up(player)
        states = np.zeros(count, self.where.game.STATE)
        rotation = np.tile(np.arange(n), len(deals))
        words, rngs = (
            np.repeat(np.array([word(seed, deal, *more) for deal in deals], np.uint64), n)
            for more in ((), (1,))
        )
        notes = np.zeros((count, n, NOTES), np.int64)
        self._kernels.deal_all(states, np.arange(count), self.where.kits, words)
        if self.records is not None:
            names = [self.players[p].name for p in lineup]
            self.records.begin(self.where, names, deals, word(seed))
        live, who = np.arange(count), np.array(lineup)
        while len(live):
            turn = states["turn"][live].astype(np.int64)
            to_act = who[(turn - rotation[live]) % n]
            for player in sorted(set(lineup)):
                here = live[to_act == player]
                if len(here):
                    self._move(player, states, here, rngs, notes)
            live = self._go_on(states, live)
        if self.records is not None:
            self.records.close()
        return self._block(states, notes, rotation, len(deals))

    def _warm_up(self, player: int) -> None:
        """Ask a player once, so that no compiling is counted as thinking."""
        states, table = np.zeros(1, self.where.game.STATE), np.zeros(1, np.int64)
        words = np.ones(1, np.uint64)
        self._kernels.deal_all(states, table, self.where.kits, words)
        ask(self.players[player], self.where, states, table, states["turn"].astype(np.int64), words)
        self._warm.add(player)

    def _move(
        self,
        player: int,
        states: np.ndarray,
        here: np.ndarray,
        rngs: np.ndarray,
        notes: np.ndarray,
    ) -> None:
        """Ask a player at the tables where it is to act, and play what it says."""
        seats = states["turn"][here].astype(np.int64)
        start = time.perf_counter()
        actions = ask(self.players[player], self.where, states, here, seats, rngs)
        self.seconds[player] += time.perf_counter() - start
        self.decisions[player] += len(here)
        if self.records is not None:
            self.records.play(self.players[player], here, actions)
        kits, work, mask = self.where.kits, self._work, self._mask
        self._kernels.play_all(states, here, actions, kits, work, mask, notes)

    def _go_on(self, states: np.ndarray, live: np.ndarray) -> np.ndarray:
        """Deal the next hands of matches; returns the tables that go on."""
        phase = states["phase"][live]
        if not self.matches:
            return live[phase < HAND_OVER]
        more = live[phase == HAND_OVER]
        if len(more):
            self._kernels.deal_all(states, more, self.where.kits, np.zeros(0, np.uint64))
        return live[(phase != MATCH_OVER) & (phase != TRUNCATED)]

    def _block(
        self, states: np.ndarray, notes: np.ndarray, rotation: np.ndarray, deals: int
    ) -> Block:
        """What it all came to, by place instead of seat."""
        n = self.n
        kept = states["scores" if self.matches else "hand_scores"][:, :n].astype(np.int64)
        seats = (rotation[:, None] + np.arange(n)) % n
        scores = np.take_along_axis(kept, seats, 1)
        cut = states["phase"] == TRUNCATED
        if not self.matches:
            cut = states["hands"] == 0
        scores[cut] = 0
        by_place = np.take_along_axis(notes, seats[:, :, None], 1)
        return Block(
            scores.reshape(deals, n, n),
            cut.reshape(deals, n),
            (by_place[:, :, ILLEGAL] > 0).reshape(deals, n, n),
            by_place.sum(axis=0),
            int(states["hands"].sum()),
        )


def word(*numbers: int) -> int:
    """A generator word for some numbers."""
    found = 0
    for number in numbers:
        found = seed_word(found + number)
    return found


def settle(block: Block) -> tuple[np.ndarray, np.ndarray]:
    """The scores that count, and the order in which a table finished.

    Who answered illegally has lost: it comes last, with no more points than the worst of the
    others. A table that was cut off is level.

    Returns:
        scores, int64 (deals, rotations, places), and ranks alike: 0 for the first, and the same
        rank for players that are level.
    """
    worst = np.where(block.fouls, np.iinfo(np.int64).max, block.scores).min(axis=2, keepdims=True)
    scores = np.where(block.fouls, np.minimum(block.scores, worst), block.scores)
    behind = block.fouls[..., None] & ~block.fouls[..., None, :]
    ahead = scores[..., None, :] > scores[..., None]
    level = block.fouls[..., None] == block.fouls[..., None, :]
    return scores, (behind | level & ahead).sum(axis=3)


def shares(ranks: np.ndarray) -> np.ndarray:
    """What each place has of the win at its table, from 0 to 1: a tie is shared."""
    best = ranks == 0
    return best / best.sum(axis=-1, keepdims=True)


def margins(scores: np.ndarray) -> np.ndarray:
    """How far each place is ahead of the mean of the others at its table, in points."""
    others = scores.sum(axis=-1, keepdims=True) - scores
    return scores - others / (scores.shape[-1] - 1)


def rates(notes: np.ndarray, hands: int) -> dict[str, float]:
    """How often a player did what `RATES` lists, in 100 hands.

    Args:
        notes: int64 (NOTES,).
        hands: as often as it was dealt in.
    """
    return {
        name: float(100 * notes[list(columns)].sum() / max(hands, 1))
        for name, columns in RATES.items()
    }
