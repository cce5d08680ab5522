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
from math import ceil, log2
from typing import Any

import numpy as np

from ..envs.chance import draw_below
from ..envs.setting import setting
from .base import View, generator_words
from .heuristics import module_for
from .rollouts import Room, search_kernels
from .values import NOTHING, networks

DEFAULT_GAMES = 128
MOST_GAMES = 1 << 14
ROLLOUT_PLAYER = "greedy"
"""The player that plays the worlds out, and whose action is preferred where it may be as good."""
CAUTION = 1.0
"""By how many standard errors an action must be better than that one."""
WORTH_A_THREAD = 64
"""So many games are shared out among threads; fewer are done sooner by one."""


def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
        self._networks = NOTHING if self.cheats else networks(where)
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
        """The best of some actions; see the top of this module."""
        if len(actions) == 1:
            return int(actions[0])
        start = time.perf_counter()
        actions, merit, error = self._compare(kits, states, i, seat, actions, seed)
        self.seconds += time.perf_counter() - start
        self.decisions += 1
        return int(actions[np.argmax(merit - CAUTION * error)])

    def _compare(
        self,
        kits: np.ndarray,
        states: np.ndarray,
        i: int,
        seat: int,
        actions: np.ndarray,
        seed: int,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Try actions by sequential halving.

        Returns:
            The actions that were left in the end, how much more each of them gains than the greedy
            player's own, and the standard error of that.
        """
        room = self._rooms[0]
        usual = int(self._kernels.advise(states, i, kits, room.work, self._weights, room.rngs))
        rounds = ceil(log2(len(actions)))
        budget = len(actions) * self.games / rounds  # for each round
        done, gains, shares = 0, np.zeros((len(actions), 0)), np.zeros(0)
        while True:
            new = max(1, int(budget / len(actions)))
            gains = np.pad(gains, ((0, 0), (0, new)))
            shares = np.pad(shares, (0, new))
            self._try(kits, states, i, seat, seed, actions, done, gains, shares)
            done += new
            ahead = gains - gains[actions == usual]
            merit = ahead @ shares / shares.sum()
            if len(actions) <= 2:
                break
            # The usual action stays to be compared with.
            order = np.argsort(-merit - 1e9 * (actions == usual), kind="stable")
            keep = np.sort(order[: (len(actions) + 1) // 2])
            actions, gains = actions[keep], np.ascontiguousarray(gains[keep])
        error = np.sqrt(((ahead - merit[:, None]) ** 2) @ shares**2) / shares.sum()
        return actions, merit, error

    def _try(
        self,
        kits: np.ndarray,
        states: np.ndarray,
        i: int,
        seat: int,
        seed: int,
        actions: np.ndarray,
        first: int,
        gains: np.ndarray,
        shares: np.ndarray,
    ) -> None:
        """Try actions in the worlds from number `first` on, shared out among the threads."""
        nets, count = self._networks, len(shares) - first

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
                room.hidden,
                nets.value,
                nets.odds,
                nets.planes,
                nets.numbers,
                nets.turns,
                nets.deals,
                self.cheats,
                gains,
                shares,
            )

        if self._pool is None or len(actions) * count < WORTH_A_THREAD:
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
