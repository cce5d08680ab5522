"""``search:N``: look into worlds that might be the true one, and play the actions out in them.

As a card player would put it: imagine how the cards might lie, try each play against that, see how
the table stands a few turns later, and do it again with the cards lying otherwise.

A *world* is the table with all cards that the seat cannot see dealt afresh (`resample` of the
game); the true one is not looked at. Deals that agree with what the seat has seen are equally
likely by the cards, but not by what the others did: one who holds three kings has kept them. Many
deals are made, and worlds are drawn from them by odds that a network learned from hands of the
heuristic players; what the seat may not know, these odds do not know either. Among what they go by
is whether these players, with such a hand, would have drawn and thrown as the others did in their
last turn (see `rummyzoo.agents.values.recall`).

In a world each action is played, and the hand goes on with a heuristic player at all seats for a
few turns: `greedy`, or what its game finds stronger (``far_sighted`` where two play Rummy 500,
``knock_early`` in a single hand of Gin; in a match of Gin the other is in a hurry in half of the
worlds). Then a second network, which sees all cards of the world but not the order of the stock,
says what the seat may expect in the end: in a single hand whether it will finish ahead of the
others; in a match, by how many points. To play on to the end instead is right in the mean, but the
luck of a whole hand then hides what one discard is worth: in Rummy 500, two actions differ by a few
points, and two ends of the same hand by more than a hundred. (Rollouts cut short by a learned
value: Tesauro and Galperin, 1996; worlds for hidden cards: Ginsberg, 2001.)
`rummyzoo.agents.values` says where there are such networks, and how a game gets them; elsewhere all
deals count alike, and rollouts go on to the end.

All actions meet the same worlds with the same cards to come. N rollouts are made for each legal
action: that is the N of ``search:N``. They are shared out by *sequential halving* (Karnin, Koren
and Somekh, 2013): in each round all actions that are left are tried in new worlds, and the better
half stays, so that the last two are compared in several times N worlds. What is surely behind goes
sooner, and where only one action is left the rest is not played (racing: Maron and Moore, 1994). In
the end an action is preferred to that player's own by how much better it was, less a part of the
standard error of that difference: chance alone makes nobody leave the beaten track.

``cheating_oracle:N`` plays the actions out to the end in copies of the true world, with the greedy
player at all seats: it knows every hidden card and the stock's order, and against ``greedy`` what
will be played. It is there to show what cannot be reached by honest means, and its name says what
it is in every table.
"""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import ceil, log2
from typing import Any, NamedTuple

import numpy as np

from ..envs.chance import draw_below
from ..envs.setting import setting
from .base import Opinion, View, generator_words
from .heuristics import rollout_styles, weights_of
from .rollouts import Room, search_kernels
from .values import NOTHING, Networks, networks

DEFAULT_GAMES = 128
MOST_GAMES = 1 << 14
CAUTION = 0.3
"""By how many standard errors an action must be better than that one."""
SURE = 2.5
"""By how many standard errors an action that is given up is behind the best ..."""
ENOUGH = 16
"""... after so many worlds."""
WORTH_A_THREAD = 64
"""So many games, or deals, are shared out among threads; fewer are done sooner by one."""


def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Found(NamedTuple):
    """What a search has found.

    Attributes:
        choice: the action that it prefers.
        better: action -> how much more it gains than what the heuristic player would do (see
            `rummyzoo.agents.values.worth`); those that were left out early were looked at less.
        expected: what the choice gains.
    """

    choice: int
    better: dict[int, float]
    expected: float


def in_question(gains: np.ndarray, usual: np.ndarray) -> np.ndarray:
    """Which of three actions or more may yet be the best: the better half, and the usual one, less
    those that are surely behind.

    Args:
        gains: float64 (actions, worlds), what they gained.
        usual: bool (actions,), true for what the heuristic player would do.

    Returns:
        bool (actions,), true for the best so far at least.
    """
    merit, worlds = gains.mean(axis=1), gains.shape[1]
    order = np.argsort(-merit - 1e9 * usual, kind="stable")
    half = np.zeros(len(gains), bool)
    half[order[: (len(gains) + 1) // 2]] = True
    if worlds < ENOUGH:
        return half
    behind = gains[np.argmax(merit)] - gains
    return half & (behind.mean(axis=1) <= SURE * behind.std(axis=1) / np.sqrt(worlds))


class SearchAgent:
    """A player that searches (see the top of this module).

    Args:
        name: what it is called.
        game, rules: what it plays.
        games: how many games it plays out for each legal action.
        cheats: whether all worlds are the true one.
        threads: how many are used; None: one for each core. They do not change what is chosen.
        nets: the networks to go by; None: those of the game.

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
        nets: Networks | None = None,
    ) -> None:
        self.name = name
        self.setting = setting(game, rules)
        self.games, self.cheats, self.nets = games, cheats, nets
        self.threads = threads or _cores()
        self.seconds, self.decisions = 0.0, 0
        self._rng = np.random.default_rng(0)
        self._attach()

    def _attach(self) -> None:
        where = self.setting
        # What is to come is foretold for greedy players: the cheat is measured against them.
        styles = (
            ("greedy", "greedy") if self.cheats else rollout_styles(where.game.NAME, where.rules)
        )
        self._weights = weights_of(where.game.NAME, styles)
        self._kernels = search_kernels(where.game.NAME)
        self._networks = NOTHING if self.cheats else self.nets or networks(where)
        self._rooms = [Room(where, self._networks) for _ in range(self.threads)]
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_kernels", "_networks", "_rooms", "_pool", "_weights")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._attach()

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Choose an action.

        Raises:
            ValueError: the seat is not to act; or the player cheats, which a view does not allow.
        """
        actions, seed = self._asked(view, rng)
        return self._decide(view.setting.kits, view.states, 0, view.seat, actions, seed)

    def explain(self, view: View, rng: np.random.Generator) -> Opinion:
        """What it thinks of a position: what each action gains beside the heuristic player's own.
        One that cheats says nothing.

        Raises:
            ValueError: the seat is not to act.
        """
        if self.cheats:
            return Opinion()
        actions, seed = self._asked(view, rng)
        if len(actions) == 1:
            return Opinion({int(actions[0]): 1.0})
        found = self._compare(view.setting.kits, view.states, 0, view.seat, actions, seed)
        values = {action: 100 * gain for action, gain in found.better.items()}
        return Opinion({found.choice: 1.0}, values, 100 * found.expected)

    def _asked(self, view: View, rng: np.random.Generator) -> tuple[np.ndarray, int]:
        """The legal actions, and the seed of the worlds."""
        if self.cheats:
            raise ValueError(
                f"{self.name} has to see the whole table, and a view hides it: it plays only where "
                "players are asked in batches, as in duels"
            )
        actions = view.legal_actions()
        if not len(actions):
            raise ValueError(f"seat {view.seat} is not to act")
        return actions, int(generator_words(rng, 1)[0])

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
        """The best of some actions; see the top of this module."""
        if len(actions) == 1:
            return int(actions[0])
        start = time.perf_counter()
        found = self._compare(kits, states, i, seat, actions, seed)
        self.seconds += time.perf_counter() - start
        self.decisions += 1
        return found.choice

    def _compare(
        self,
        kits: np.ndarray,
        states: np.ndarray,
        i: int,
        seat: int,
        actions: np.ndarray,
        seed: int,
    ) -> Found:
        """Compare actions; see the top of this module."""
        room = self._rooms[0]
        usual = int(self._kernels.advise(states, i, kits, room.work, self._weights[0], room.rngs))
        deals = self._weigh_deals(kits, states, i, seat, seed)
        rounds = ceil(log2(len(actions)))
        budget = len(actions) * self.games / rounds  # for each round
        done, gains = 0, np.zeros((len(actions), 0))
        better = dict.fromkeys(actions.tolist(), 0.0)
        while True:
            new = max(1, int(budget / len(actions)))
            gains = np.pad(gains, ((0, 0), (0, new)))
            self._try(kits, states, i, seat, seed, actions, done, deals, gains)
            done += new
            ahead = gains - gains[actions == usual]
            merit = ahead.mean(axis=1)
            better.update(zip(actions.tolist(), merit.tolist(), strict=True))
            if len(actions) <= 2:
                break
            keep = in_question(gains, actions == usual)
            if keep.sum() == 1:
                break
            keep |= actions == usual  # it stays to be compared with
            actions, gains = actions[keep], gains[keep]
        choice = int(actions[np.argmax(merit - CAUTION * ahead.std(axis=1) / np.sqrt(done))])
        return Found(choice, better, float(gains[actions == choice].mean()))

    def _weigh_deals(
        self, kits: np.ndarray, states: np.ndarray, i: int, seat: int, seed: int
    ) -> np.ndarray:
        """The sums of the odds of deals, from which worlds are drawn; empty without a network."""
        nets = self._networks
        if not len(nets.odds):
            return np.zeros(0)
        count = nets.deals * self.games
        odds = np.zeros(count)

        def share(n: int, parts: int) -> bool:
            room = self._rooms[n]
            return self._kernels.weigh_deals(
                states,
                i,
                seat,
                np.uint64(seed),
                count * n // parts,
                count * (n + 1) // parts,
                kits,
                room.work,
                room.tables,
                room.rngs,
                room.x,
                room.notes,
                nets.odds,
                nets.planes,
                nets.numbers,
                nets.asked,
                odds,
            )

        self._share_out(share, count, seat)
        # No deal may drown the others (truncated importance sampling: Ionides, 2008).
        return np.cumsum(np.minimum(odds, odds.mean() * np.sqrt(count)))

    def _try(
        self,
        kits: np.ndarray,
        states: np.ndarray,
        i: int,
        seat: int,
        seed: int,
        actions: np.ndarray,
        first: int,
        deals: np.ndarray,
        gains: np.ndarray,
    ) -> None:
        """Try actions in the worlds from number `first` on."""
        nets, count = self._networks, gains.shape[1] - first

        def share(n: int, parts: int) -> bool:
            room = self._rooms[n]
            return self._kernels.try_actions(
                states,
                i,
                seat,
                actions,
                np.uint64(seed),
                first + count * n // parts,
                first + count * (n + 1) // parts,
                kits,
                self._weights,
                room.work,
                room.tables,
                room.rngs,
                room.x,
                room.notes,
                deals,
                nets.value,
                nets.planes,
                nets.numbers,
                nets.turns,
                self.cheats,
                gains,
            )

        self._share_out(share, len(actions) * count, seat)

    def _share_out(self, share: Callable[[int, int], bool], work: int, seat: int) -> None:
        """Do all parts of some work, ``share(part, parts)``, in as many threads as are worth it."""
        if self._pool is None or work < WORTH_A_THREAD:
            found = share(0, 1)
        else:
            found = all(self._pool.map(lambda n: share(n, self.threads), range(self.threads)))
        if not found:
            raise RuntimeError(f"no deal was found that agrees with what seat {seat} knows")


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
