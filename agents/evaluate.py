"""How strong a player is: duels on duplicate deals.

    print(duel("runs/a/policy.safetensors", "greedy", deals=1000))

Every deal is played once for each seat that the first player may have, the other player having the
other seats, so that the luck of the deal falls on both alike. The tables of one deal are not
independent of one another: all intervals treat the deal as the unit that was drawn.
"""

import inspect
import time
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from ..envs.deal import seed_word
from ..envs.games import load_game
from ..envs.setting import Setting, scratch, setting
from ..envs.state import HAND_OVER, MATCH_OVER, TRUNCATED
from . import load
from .base import View
from .batch import batch_kernels

Z = 1.959964
"""Standard deviations on either side of the mean that hold 95 % of a normal distribution."""

_TABLES = 4096  # at once


class Estimate(NamedTuple):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.1f} [{self.low:.1f}, {self.high:.1f}]"


class Duel(NamedTuple):
    """What a duel showed, from the first player's side.

    Attributes:
        names: of the two players.
        matches: whether whole matches were played, or single hands.
        deals: how many deals.
        tables: hands or matches played: deals times seats.
        wins: per cent of them won, a tie counting as a share of one.
        points: mean of the score less the mean of the others' scores (of the hand or the match).
        went_out: per cent of all hands in which the first player played its last card; the others.
        seconds: mean time for a decision of each player.
        decisions: how many each has made.
        illegal: how many of them were illegal.
        truncated: hands or matches cut off; they count as ties.
    """

    names: tuple[str, str]
    matches: bool
    deals: int
    tables: int
    wins: Estimate
    points: Estimate
    went_out: tuple[float, float]
    seconds: tuple[float, float]
    decisions: tuple[int, int]
    illegal: tuple[int, int]
    truncated: int

    def __str__(self) -> str:
        a, b = self.names
        what = "matches" if self.matches else "hands"
        lines = [
            f"{a} against {b}, {self.tables} {what} ({self.deals} deals, each from every seat)",
            f"  {what} won      {self.wins} %",
            f"  points ahead  {self.points.mean:+.1f} [{self.points.low:+.1f}, "
            f"{self.points.high:+.1f}]",
            f"  went out      {self.went_out[0]:.1f} % of hands; {b} {self.went_out[1]:.1f} %",
            f"  a decision    {self.seconds[0] * 1e6:.0f} us; {b} {self.seconds[1] * 1e6:.0f} us",
            f"  illegal       {self.illegal[0]}; {b} {self.illegal[1]}",
        ]
        return "\n".join(lines)


def tabulate(duels: Sequence[Duel]) -> str:
    """Duels of one player as a table for people."""
    rows = [("against", "played", "won", "95 % interval", "points ahead", "95 % interval")]
    for d in duels:
        rows.append(
            (
                d.names[1],
                f"{d.tables} {'matches' if d.matches else 'hands'}",
                f"{d.wins.mean:.1f} %",
                f"{d.wins.low:.1f} to {d.wins.high:.1f}",
                f"{d.points.mean:+.1f}",
                f"{d.points.low:+.1f} to {d.points.high:+.1f}",
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(f"{x:>{w}}" for x, w in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def duel(
    a: Any,
    b: Any = "greedy",
    game: str = "rummy500",
    deals: int = 1000,
    *,
    matches: bool = False,
    seed: int = 0,
    preset: str | None = None,
    **rules: Any,
) -> Duel:
    """Play two players against each other.

    Args:
        a, b: players, as `rummyzoo.agents.load` takes them. `a` has one seat, `b` all others.
        game: the name of the game.
        deals: how many different deals; each is played once for each seat.
        matches: play whole matches to the rules' target, instead of one hand for each deal.
        seed: of the deals and of all chance in players that play in batches: the same seed gives
            the same result. Deals do not depend on the players.
        preset: a named set of options of the game.
        rules: the game's options.

    Raises:
        ValueError: a player, an option or a number that is not possible.
    """
    where = setting(game, load_game(game).make_rules(preset, **rules))
    if deals < 1:
        raise ValueError(f"deals={deals} is not possible; at least 1")
    if matches and where.rules.target is None:
        raise ValueError("matches have a target; with target=None there are only hands")
    players = [load(player, game, where.rules) for player in (a, b)]
    seats = int(where.rules.num_players)
    arena = _Arena(where, players, matches)
    per_round = max(1, _TABLES // seats)
    for first in range(0, deals, per_round):
        arena.play(range(first, min(deals, first + per_round)), seed)
    return arena.result(deals)


class _Arena:
    """The tables of a duel and what has come of them."""

    def __init__(self, where: Setting, players: list[Any], matches: bool) -> None:
        self.where, self.players, self.matches = where, players, matches
        self.n = int(where.rules.num_players)
        self.kernels = batch_kernels(where.game.NAME)
        self.work = scratch(where.game)
        self.mask = np.zeros(int(where.kits[0].num_actions), np.int8)
        self.askers = [asker(player, where) for player in players]
        self._warm_up()
        self.wins: list[np.ndarray] = []  # (deals, seats)
        self.points: list[np.ndarray] = []
        self.went_out = np.zeros(2)
        self.hands = 0
        self.seconds = np.zeros(2)
        self.decisions = np.zeros(2, np.int64)
        self.illegal = np.zeros(2, np.int64)
        self.truncated = 0

    def _warm_up(self) -> None:
        """Ask everybody once, so that no compiling is counted as thinking."""
        for ask in self.askers:
            states = np.zeros(1, self.where.game.STATE)
            table = np.zeros(1, np.int64)
            self.kernels.deal_all(states, table, self.where.kits, np.ones(1, np.uint64))
            seat = states["turn"].astype(np.int64)
            ask(states, table, seat, np.ones(1, np.uint64), np.zeros(1, np.int64))

    def play(self, deals: range, seed: int) -> None:
        """Play some deals from every seat."""
        n, kits = self.n, self.where.kits
        count = len(deals) * n
        states = np.zeros(count, self.where.game.STATE)
        own = np.tile(np.arange(n), len(deals))  # the first player's seat
        words = np.array([_word(seed, deal) for deal in deals for _ in range(n)], np.uint64)
        rngs = np.array(
            [_word(seed, deal, 1 + seat) for deal in deals for seat in range(n)], np.uint64
        )
        self.kernels.deal_all(states, np.arange(count), kits, words)
        live = np.arange(count)
        while len(live):
            turn = states["turn"][live].astype(np.int64)
            first = turn == own[live]
            for who, here in enumerate((live[first], live[~first])):
                if len(here):
                    self._move(who, states, here, rngs)
            ended = live[states["phase"][live] >= HAND_OVER]
            if len(ended):
                live = live[~self._end(states, ended, own, live)]
        self._score(states, own)

    def _move(self, who: int, states: np.ndarray, here: np.ndarray, rngs: np.ndarray) -> None:
        seats = states["turn"][here].astype(np.int64)
        out = np.full(len(here), -1, np.int64)
        start = time.perf_counter()
        self.askers[who](states, here, seats, rngs, out)
        self.seconds[who] += time.perf_counter() - start
        self.decisions[who] += len(here)
        kits = self.where.kits
        self.illegal[who] += self.kernels.play_all(states, here, out, kits, self.work, self.mask)

    def _end(
        self, states: np.ndarray, ended: np.ndarray, own: np.ndarray, live: np.ndarray
    ) -> np.ndarray:
        """Note the hands that ended, deal the next ones; returns which live tables are done."""
        played = ended[states["phase"][ended] != TRUNCATED]
        out = states["hand_size"][played][:, : self.n] == 0
        mine = out[np.arange(len(played)), own[played]]
        self.went_out += mine.sum(), out.sum() - mine.sum()
        self.hands += len(played)
        if not self.matches:
            return np.isin(live, ended)
        more = ended[states["phase"][ended] == HAND_OVER]
        self.kernels.deal_all(states, more, self.where.kits, np.zeros(0, np.uint64))
        return np.isin(live, np.setdiff1d(ended, more))

    def _score(self, states: np.ndarray, own: np.ndarray) -> None:
        """Who has won, when all is over."""
        n = self.n
        kept = states["scores"] if self.matches else states["hand_scores"]
        scores = kept[:, :n].astype(np.float64)
        cut = states["phase"] == TRUNCATED
        if self.matches:
            cut = states["phase"] != MATCH_OVER
        scores[cut] = 0.0
        self.truncated += int(cut.sum())
        rows = np.arange(len(scores))
        mine = scores[rows, own]
        best = scores == scores.max(axis=1, keepdims=True)
        self.wins.append((best[rows, own] / best.sum(axis=1)).reshape(-1, n))
        self.points.append((mine - (scores.sum(axis=1) - mine) / (n - 1)).reshape(-1, n))

    def result(self, deals: int) -> Duel:
        """The duel so far."""
        wins, points = np.concatenate(self.wins), np.concatenate(self.points)
        a, b = self.players
        seconds = self.seconds / np.maximum(self.decisions, 1)
        out = 100 * self.went_out / max(self.hands, 1)
        return Duel(
            (a.name, b.name),
            self.matches,
            deals,
            wins.size,
            Estimate(*(100 * x for x in rate(wins))),
            average(points),
            (float(out[0]), float(out[1])),
            (float(seconds[0]), float(seconds[1])),
            (int(self.decisions[0]), int(self.decisions[1])),
            (int(self.illegal[0]), int(self.illegal[1])),
            self.truncated,
        )


def _word(*numbers: int) -> int:
    """A generator word for some numbers."""
    word = 0
    for number in numbers:
        word = seed_word(word + number)
    return word


def asker(player: Any, where: Setting) -> Callable[..., None]:
    """A function ``ask(states, indices, seats, rngs, out)`` that has a player choose at tables."""
    batch = getattr(player, "act_batch", None)
    if batch is not None:
        if "rngs" in inspect.signature(batch).parameters:
            return lambda states, indices, seats, rngs, out: batch(
                states, indices, seats, out, rngs
            )
        return lambda states, indices, seats, rngs, out: batch(states, indices, seats, out)

    def one_by_one(
        states: np.ndarray,
        indices: np.ndarray,
        seats: np.ndarray,
        rngs: np.ndarray,
        out: np.ndarray,
    ) -> None:
        for n, (i, seat) in enumerate(zip(indices.tolist(), seats.tolist(), strict=True)):
            rng = np.random.default_rng(int(rngs[i]))
            rngs[i] = rng.integers(1, 1 << 63, dtype=np.uint64)
            out[n] = player.act(View(where, states, i, seat), rng)

    return one_by_one


def average(values: np.ndarray) -> Estimate:
    """The mean of values (deals, tables) with its interval; the deals are independent."""
    mean, error = float(values.mean()), _standard_error(values)
    half = _deviations(len(values)) * error if len(values) > 1 else float("inf")
    return Estimate(mean, mean - half, mean + half)


def rate(values: np.ndarray) -> Estimate:
    """The mean of values from 0 to 1, of shape (deals, tables), with its interval.

    It is Wilson's interval for as many independent values as would vary as much as deals were seen
    to; where all deals went the same way, for as many as there are deals. So it stays within 0 and
    1, and always has a width.
    """
    p = float(values.mean())
    deals = len(values)
    if deals < 2:
        return Estimate(p, 0.0, 1.0)
    spread = _standard_error(values) ** 2
    count = p * (1 - p) / spread if spread > 0 else float(deals)
    z = _deviations(deals)
    middle = (p + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(p * (1 - p) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return Estimate(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)))


def _standard_error(values: np.ndarray) -> float:
    """Of the mean of values (deals, tables), from how far deals differ."""
    return float(values.mean(axis=1).std(ddof=1) / sqrt(len(values))) if len(values) > 1 else 0.0


def _deviations(deals: int) -> float:
    """Standard errors on either side of a mean of so many deals that hold 95 %: about Student's."""
    return Z + (Z**3 + Z) / (4 * (deals - 1))
