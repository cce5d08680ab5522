"""``search:N``: look into N worlds that might be the true one, and play each action out in all.

A *world* is the table with all cards that the seat cannot see dealt afresh (`resample` of the
game): any deal that agrees with what it has seen is as likely as any other, and the true one is not
looked at. In every world each action in question is played, and then the hand goes on to its end
with the game's greedy player at all seats. All actions meet the same worlds with the same cards to
come, so that they differ by what they do and not by luck. Actions that fare worst are dropped on
the way: all are tried in an eighth of the worlds, the better half in as many again, and so on, so
that only the last few get all N.

An action counts by the points that the seat comes out ahead of the mean of the others, and a little
by whether it has most.

``cheating_oracle:N`` does the same in copies of the true world: it knows every hidden card and the
stock's order. It is there to show what cannot be reached by honest means, and its name says what it
is in every table.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..envs.deal import seed_word
from ..envs.games import load_game
from ..envs.jit import bind, helper
from ..envs.setting import Setting, scratch, setting
from ..envs.state import HAND_OVER, points_of
from .base import View, generator_words
from .heuristics import module_for
from .random import draw_below

DEFAULT_WORLDS = 128
MOST_WORLDS = 1 << 16
ROLLOUTS = "greedy"
"""The player that plays the worlds out."""
MOST = 0.25
"""What having most points at the end of a hand counts, in hundreds of points."""
FADE = 1.0
FIRST = 8
"""All actions are tried in this part of the worlds."""
WORTH_A_THREAD = 64
"""So many rollouts are shared out among threads; fewer are done sooner by one."""

legal: Any = None  # names that `bind` fills in
step: Any = None
resample: Any = None
choose: Any = None
try_action: Any = None


class Kernels(NamedTuple):
    """The kernels of a game that search; see the functions of this module."""

    draw_worlds: Any
    try_actions: Any


@lru_cache
def search_kernels(game: str) -> Kernels:
    """The kernels for a game."""
    g, rules = load_game(game), module_for(game)
    play_out = bind(_try_action, legal=g.legal, step=g.step, choose=rules.choose)
    return Kernels(bind(_draw_worlds, resample=g.resample), bind(_try_actions, try_action=play_out))


def _draw_worlds(states, i, seat, kits, work, words, worlds):
    """Fill ``worlds`` with tables that look to a seat as table `i` does.

    Args:
        words: uint64 (worlds,): where the chance of each world begins; none: copies of the table.
    """
    for w in range(len(worlds)):
        worlds[w] = states[i]
        if len(words) and not resample(worlds, w, seat, kits, work, words[w]):
            return False
    return True


def _try_action(worlds, w, action, seat, kits, work, weights, rngs, most, table, fade):
    """What a seat gains, in hundreds of points, if it plays an action in a world.

    Args:
        most: what it counts to have most points.
        table: one state, scratch.
    """
    table[0] = worlds[w]
    s = table[0]
    k = kits[0]
    n = kits[0].num_players
    hands = np.int64(s.hands)
    turns = np.int64(s.turns)
    gain = 0.0
    left = 1.0
    step(table, 0, action, kits)
    while s.phase < HAND_OVER and s.hands == hands:
        if fade < 1.0 and s.turns != turns:
            turns = np.int64(s.turns)
            gain += left * (1.0 - fade) * value(k, s, seat)
            left *= fade
        legal(table, 0, kits, work)
        step(table, 0, choose(table, 0, kits, work, weights, rngs, 0), kits)
    if s.hands == hands:  # cut off: nobody has scored
        return 0.0
    own = np.int64(s.hand_scores[seat])
    others = np.int64(0)
    best = np.int64(-1) << 40
    for q in range(n):
        if q != seat:
            score = np.int64(s.hand_scores[q])
            others += score
            best = max(best, score)
    return gain + left * (own - others / (n - 1)) / 100


@helper
def value(k, s, seat):
    total = 0.0
    for q in range(k.num_players):
        held = points_of(k, s.one[q], s.two[q], np.int64(s.jokers[q]))
        v = np.int64(s.melded[q]) - 0.7 * held
        if q == seat:
            total += v
        else:
            total -= v / (k.num_players - 1)
    return total / 100


def _try_actions(
    worlds, first, last, actions, seat, kits, work, weights, rngs, most, table, gains, fade
):
    """Try actions in the worlds from `first` to before `last`, each in its row of `gains`."""
    for n in range(len(actions)):
        for w in range(first, last):
            gains[n, w] = try_action(
                worlds, w, actions[n], seat, kits, work, weights, rngs, most, table, fade
            )


class _Room:
    """What one thread needs to play worlds out in."""

    def __init__(self, where: Setting) -> None:
        self.work = scratch(where.game)
        self.table = np.zeros(1, where.game.STATE)
        self.rngs = np.ones(1, np.uint64)  # the player of the rollouts draws no lots


class SearchAgent:
    """A player that searches (see the top of this module).

    Args:
        name: what it is called.
        game, rules: what it plays.
        worlds: how many worlds it looks into for a decision.
        cheats: whether all worlds are the true one.
        threads: how many are used; None: one for each core. They do not change what is chosen.

    Attributes:
        seconds, decisions: the time that the decisions with a choice have taken, and their number.
    """

    def __init__(
        self,
        name: str,
        game: str,
        rules: Any,
        worlds: int,
        *,
        cheats: bool = False,
        threads: int | None = None,
    ) -> None:
        self.name = name
        self.setting = setting(game, rules)
        self.worlds, self.cheats = worlds, cheats
        self.threads = threads or len(os.sched_getaffinity(0))
        self.seconds, self.decisions = 0.0, 0
        self._rng = np.random.default_rng(0)
        self._attach()

    def _attach(self) -> None:
        where = self.setting
        self._weights = np.array(module_for(where.game.NAME).STYLES[ROLLOUTS], np.float64)
        self._kernels = search_kernels(where.game.NAME)
        self._worlds = np.zeros(self.worlds, where.game.STATE)
        self._rooms = [_Room(where) for _ in range(self.threads)]
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_kernels", "_worlds", "_rooms", "_pool", "_weights")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._attach()

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Choose an action.

        Raises:
            ValueError: the seat is not to act; or the player cheats, and a view hides from it what
                it wants to see.
        """
        if self.cheats:
            raise ValueError(f"{self.name} has to see the whole table: it plays in duels only")
        actions = view.legal_actions()
        if not len(actions):
            raise ValueError(f"seat {view.seat} is not to act")
        seed = int(generator_words(rng, 1)[0])
        return self._decide(view.setting.kits, view.states, 0, view.seat, actions, seed)

    def act_batch(
        self,
        states: np.ndarray,
        indices: np.ndarray,
        seats: np.ndarray,
        out: np.ndarray,
        rngs: np.ndarray | None = None,
    ) -> None:
        """Choose for many tables; see `rummyzoo.agents.Agent`."""
        where = self.setting
        kits, room = where.kits, self._rooms[0]
        seen = np.zeros(int(kits[0].observation_size), np.int8)
        mask = np.zeros(int(kits[0].num_actions), np.int8)
        rngs = generator_words(self._rng, len(states)) if rngs is None else rngs
        for n, (i, seat) in enumerate(zip(indices.tolist(), seats.tolist(), strict=True)):
            where.game.look(states, i, seat, kits, room.work, seen, mask)
            seed = int(draw_below(rngs, i, 1 << 31))
            out[n] = self._decide(kits, states, i, seat, np.flatnonzero(mask), seed)

    def _decide(
        self,
        kits: np.ndarray,
        states: np.ndarray,
        i: int,
        seat: int,
        actions: np.ndarray,
        seed: int,
    ) -> int:
        """The best of some actions, each tried in the same worlds; the worst drop out on the way."""
        if len(actions) == 1:
            return int(actions[0])
        start = time.perf_counter()
        words = np.zeros(0, np.uint64)
        if not self.cheats:
            words = np.array([seed_word(seed + w) for w in range(self.worlds)], np.uint64)
        work = self._rooms[0].work
        if not self._kernels.draw_worlds(states, i, seat, kits, work, words, self._worlds):
            raise RuntimeError(f"no deal was found that agrees with what seat {seat} knows")
        gains = np.zeros((len(actions), self.worlds))
        done = 0
        while done < self.worlds and len(actions) > 1:
            ahead = min(self.worlds, max(2 * done, self.worlds // FIRST, 1))
            self._try(kits, seat, actions, done, ahead, gains)
            done = ahead
            keep = len(actions) - len(actions) // 2 if done < self.worlds else 1
            best = np.sort(np.argsort(-gains[:, :done].sum(axis=1), kind="stable")[:keep])
            actions, gains = actions[best], np.ascontiguousarray(gains[best])
        self.seconds += time.perf_counter() - start
        self.decisions += 1
        return int(actions[0])

    def _try(
        self,
        kits: np.ndarray,
        seat: int,
        actions: np.ndarray,
        first: int,
        last: int,
        gains: np.ndarray,
    ) -> None:
        """Try actions in some worlds, shared out among the threads."""

        def share(n: int, count: int) -> None:
            room = self._rooms[n]
            self._kernels.try_actions(
                self._worlds,
                first + (last - first) * n // count,
                first + (last - first) * (n + 1) // count,
                actions,
                seat,
                kits,
                room.work,
                self._weights,
                room.rngs,
                MOST,
                room.table,
                gains,
                FADE,
            )

        rollouts = len(actions) * (last - first)
        if self._pool is None or rollouts < WORTH_A_THREAD:
            share(0, 1)
            return
        list(self._pool.map(lambda n: share(n, self.threads), range(self.threads)))


def make(game: str, rules: Any, argument: str = "", cheats: bool = False) -> SearchAgent:
    """The player that searches; `argument` is the number of worlds."""
    name = "cheating_oracle" if cheats else "search"
    worlds = DEFAULT_WORLDS
    if argument:
        if (
            not argument.isascii()
            or not argument.isdigit()
            or not 1 <= int(argument) <= MOST_WORLDS
        ):
            raise ValueError(
                f"{name}:{argument} is not possible; {name}:N looks into N worlds, "
                f"1 to {MOST_WORLDS}"
            )
        worlds = int(argument)
    return SearchAgent(f"{name}:{worlds}", game, rules, worlds, cheats=cheats)
