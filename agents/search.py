"""``search:N``: look into worlds that might be the true one, and play the actions out in them.

A *world* is the table with all cards that the seat cannot see dealt afresh (`resample` of the
game): any deal that agrees with what it has seen is as likely as any other, and the true one is not
looked at. In a world an action is played, and then the hand goes on to its end with the game's
greedy player at all seats; the action counts by the points that the seat comes out ahead of the
mean of the others.

All actions meet the same worlds with the same cards to come, so that they differ by what they do,
not by luck. There are N such games for each legal action. They are shared out by *sequential
halving* (Karnin, Koren and Somekh, 2013): in each round all actions that are left are tried in new
worlds, and the better half stays, so that the last two are compared in several times N worlds. In
the end an action is preferred to the greedy player's own by how much better it was less the
standard error of that difference: chance alone makes nobody leave the beaten track.

``cheating_oracle:N`` does the same in copies of the true world: it knows every hidden card and the
stock's order. It is there to show what cannot be reached by honest means, and its name says what it
is in every table.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from math import ceil, log2
from typing import Any, NamedTuple

import numpy as np

from ..envs.chance import draw_below, seed_word
from ..envs.games import load_game
from ..envs.jit import bind, helper
from ..envs.kit import A_CALL, A_TAKE
from ..envs.setting import Setting, scratch, setting
from ..envs.state import HAND_OVER
from .base import View, generator_words
from .heuristics import module_for

DEFAULT_GAMES = 128
MOST_GAMES = 1 << 14
ROLLOUT_PLAYER = "greedy"
"""The player that plays the worlds out, and whose action is preferred where it may be as good."""
CAUTION = 1.0
"""By how many standard errors an action must be better than that one."""
WORTH_A_THREAD = 64
"""So many games are shared out among threads; fewer are done sooner by one."""

legal: Any = None  # names that `bind` fills in
step: Any = None
resample: Any = None
choose: Any = None
play_out: Any = None


class Kernels(NamedTuple):
    """The kernels of a game that search; see the functions of this module."""

    draw_worlds: Any
    try_actions: Any
    advise: Any


@lru_cache
def search_kernels(game: str) -> Kernels:
    """The kernels for a game."""
    g, heuristics = load_game(game), module_for(game)
    run = bind(_play_out, legal=g.legal, step=g.step, choose=heuristics.choose)
    return Kernels(
        bind(_draw_worlds, resample=g.resample),
        bind(_try_actions, play_out=run),
        bind(_advise, legal=g.legal, choose=heuristics.choose),
    )


def _draw_worlds(states, i, seat, kits, work, words, worlds):
    """Fill `worlds` with tables that look to a seat as table `i` does; False if none was found.

    Args:
        words: uint64 (worlds,): where the chance of each world begins; empty: true copies.
    """
    for w in range(len(worlds)):
        worlds[w] = states[i]
        if len(words) and not resample(worlds, w, seat, kits, work, words[w]):
            return False
    return True


def _advise(states, i, kits, work, weights, rngs):
    """What the player of the rollouts would do at table `i`."""
    legal(states, i, kits, work)
    return choose(states, i, kits, work, weights, rngs, 0)


def _play_out(worlds, w, action, seat, kits, work, weights, rngs, table, drawn):
    """What a seat gains, in hundreds of points, if it plays an action in a world.

    `table` is one state, scratch; `drawn` says whether the stock was dealt afresh. A hand that is
    cut off gains nothing.
    """
    table[0] = worlds[w]
    s = table[0]
    hands = np.int64(s.hands)
    while True:
        step(table, 0, action, kits)
        if s.phase >= HAND_OVER or s.hands != hands:
            break
        kind = kits[0].act[action, 0]
        if drawn and (kind == A_TAKE or kind == A_CALL) and s.open_stock == 0:
            pass_over(s)
        legal(table, 0, kits, work)
        action = choose(table, 0, kits, work, weights, rngs, 0)
    if s.hands == hands:
        return 0.0
    n = kits[0].num_players
    others = np.int64(0)
    for q in range(n):
        if q != seat:
            others += np.int64(s.hand_scores[q])
    return (np.int64(s.hand_scores[seat]) - others / (n - 1)) / 100


@helper
def pass_over(s):
    """Put the top of the stock at its bottom: whoever took from the pile instead leaves the others
    the cards that they would have drawn otherwise, so that what follows stays comparable. In a
    stock that nobody has seen any card may as well lie anywhere.
    """
    top = np.int64(s.stock_size) - 1
    if top > 0:
        card = s.stock[top]
        for at in range(top, 0, -1):
            s.stock[at] = s.stock[at - 1]
        s.stock[0] = card


def _try_actions(
    worlds, first, last, actions, seat, kits, work, weights, rngs, table, drawn, gains
):
    """Try actions in the worlds from `first` to before `last`; each has its row of `gains`."""
    for n in range(len(actions)):
        for w in range(first, last):
            gains[n, w] = play_out(
                worlds, w, actions[n], seat, kits, work, weights, rngs, table, drawn
            )


def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
        games: how many games it plays out for each legal action.
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
        games: int,
        *,
        cheats: bool = False,
        threads: int | None = None,
    ) -> None:
        self.name = name
        self.setting = setting(game, rules)
        self.games, self.cheats = games, cheats
        self.threads = threads or _cores()
        self.seconds, self.decisions = 0.0, 0
        self._rng = np.random.default_rng(0)
        self._attach()

    def _attach(self) -> None:
        where = self.setting
        self._weights = np.array(module_for(where.game.NAME).STYLES[ROLLOUT_PLAYER], np.float64)
        self._kernels = search_kernels(where.game.NAME)
        self._worlds = np.zeros(0, where.game.STATE)
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
            ValueError: the seat is not to act; or the player cheats, which a view does not allow.
        """
        if self.cheats:
            raise ValueError(
                f"{self.name} has to see the whole table, and a view hides it: it plays only where "
                "players are asked in batches, as in duels"
            )
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
        """The best of some actions, by sequential halving; see the top of this module."""
        if len(actions) == 1:
            return int(actions[0])
        start = time.perf_counter()
        room = self._rooms[0]
        usual = int(self._kernels.advise(states, i, kits, room.work, self._weights, room.rngs))
        rounds = ceil(log2(len(actions)))
        budget = len(actions) * self.games / rounds  # for each round
        done, gains = 0, np.zeros((len(actions), 0))
        while True:
            new = max(1, int(budget / len(actions)))
            self._draw(kits, states, i, seat, seed, done, done + new)
            gains = np.pad(gains, ((0, 0), (0, new)))
            self._try(kits, seat, actions, done, done + new, gains)
            done += new
            ahead = gains - gains[actions == usual]
            merit = ahead.mean(axis=1)
            if len(actions) <= 2:
                break
            # The usual action stays to be compared with.
            order = np.argsort(-merit - 1e9 * (actions == usual), kind="stable")
            keep = np.sort(order[: (len(actions) + 1) // 2])
            actions, gains = actions[keep], np.ascontiguousarray(gains[keep])
        merit -= CAUTION * ahead.std(axis=1) / np.sqrt(done)
        self.seconds += time.perf_counter() - start
        self.decisions += 1
        return int(actions[np.argmax(merit)])

    def _draw(
        self,
        kits: np.ndarray,
        states: np.ndarray,
        i: int,
        seat: int,
        seed: int,
        first: int,
        last: int,
    ) -> None:
        """Draw the worlds from number `first` to before `last`."""
        if last > len(self._worlds):
            more = np.zeros(2 * last, self.setting.game.STATE)
            more[:first] = self._worlds[:first]
            self._worlds = more
        words = np.zeros(0, np.uint64)
        if not self.cheats:
            words = np.array([seed_word(seed + w) for w in range(first, last)], np.uint64)
        here, work = self._worlds[first:last], self._rooms[0].work
        if not self._kernels.draw_worlds(states, i, seat, kits, work, words, here):
            raise RuntimeError(f"no deal was found that agrees with what seat {seat} knows")

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
                room.table,
                not self.cheats,
                gains,
            )

        if self._pool is None or len(actions) * (last - first) < WORTH_A_THREAD:
            share(0, 1)
            return
        list(self._pool.map(lambda n: share(n, self.threads), range(self.threads)))


def make(game: str, rules: Any, argument: str = "", cheats: bool = False) -> SearchAgent:
    """The player that searches; `argument` is the number of games for each action."""
    name = "cheating_oracle" if cheats else "search"
    games = DEFAULT_GAMES
    if argument:
        number = int(argument) if argument.isascii() and argument.isdigit() else 0
        if not 1 <= number <= MOST_GAMES:
            raise ValueError(
                f"{name}:{argument} is not possible; {name}:N plays N games out for each action, "
                f"1 to {MOST_GAMES}"
            )
        games = number
    return SearchAgent(f"{name}:{games}", game, rules, games, cheats=cheats)
