"""How strong a player is: duels on duplicate deals.

    print(duel("runs/a/policy.safetensors", "greedy", deals=1000))

Every deal is played once for each seat that the first player may have, the other player having the
other seats, so that the luck of the deal falls on both alike (see `rummyzoo.agents.arena`). The
tables of one deal are not independent of one another: all intervals treat the deal as the unit that
was drawn. More than two players are compared by `rummyzoo.agents.tournament`.
"""

import warnings
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from ..envs.games import load_game
from ..envs.numbers import as_whole, check_seed
from ..envs.setting import Setting, setting
from . import load
from .arena import Arena, Block, margins, rates, settle, shares
from .batch import DEEP, ILLEGAL
from .match_records import Records

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
        went_out: per cent of the hands dealt to a player that it ended by going out or knocking.
        rates: how often each player did that and other things in 100 hands (see
            `rummyzoo.agents.arena.RATES`).
        seconds: mean time for a decision of each player.
        decisions: how many each has made.
        illegal: how many of them were illegal. A hand or match with such an answer counts as lost.
        truncated: hands or matches cut off; they count as ties.
    """

    names: tuple[str, str]
    matches: bool
    deals: int
    tables: int
    wins: Estimate
    points: Estimate
    went_out: tuple[float, float]
    rates: tuple[dict[str, float], dict[str, float]]
    seconds: tuple[float, float]
    decisions: tuple[int, int]
    illegal: tuple[int, int]
    truncated: int

    def __str__(self) -> str:
        a, b = self.names
        what = "matches" if self.matches else "hands"
        points = self.points
        lines = [
            f"{a} against {b}, {self.tables} {what} ({self.deals} deals, each from every seat)",
            f"  {what} won      {self.wins} %",
            f"  points ahead  {points.mean:+.1f} [{points.low:+.1f}, {points.high:+.1f}]",
            f"  went out      {self.went_out[0]:.1f} % of hands; {b} {self.went_out[1]:.1f} %",
        ]
        for name, mine in self.rates[0].items():
            theirs = self.rates[1][name]
            if name != "went out" and (mine or theirs):
                lines.append(f"  {name:<13} {mine:.1f} in 100 hands; {b} {theirs:.1f}")
        lines += [
            f"  a decision    {self.seconds[0] * 1e6:.0f} us; {b} {self.seconds[1] * 1e6:.0f} us",
            f"  illegal       {self.illegal[0]}; {b} {self.illegal[1]}",
        ]
        warned = [warning(*both) for both in zip(self.names, self.illegal, strict=True) if both[1]]
        return "\n".join(lines + warned)


def warning(name: str, illegal: int) -> str:
    """The sentence that says that a player broke the rules."""
    times = "once" if illegal == 1 else f"{illegal} times"
    return f"{name} answered illegally {times}: the hands or matches where it did count as lost"


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
    records: Records | None = None,
    preset: str | None = None,
    **rules: Any,
) -> Duel:
    """Play two players against each other.

    Args:
        a, b: players, as `rummyzoo.agents.load` takes them. `a` has one seat, `b` all others.
        game: the name of the game.
        deals: how many different deals; each is played once for each seat.
        matches: play whole matches to the rules' target, instead of one hand for each deal;
            hands have no target unless one is named.
        seed: of the deals and of all chance in players that play in batches: the same seed gives
            the same result. Deals do not depend on the players.
        records: where some of the games are recorded; None: nowhere.
        preset: a named set of options of the game.
        rules: the game's options.

    Raises:
        ValueError: a player, an option or a number that is not possible.
    """
    where = setting_for(game, preset, rules, matches)
    check_plan(where, deals, seed, matches)
    players = [load(player, game, where.rules) for player in (a, b)]
    seats = int(where.rules.num_players)
    arena = Arena(where, players, matches, records)
    lineup = (0,) + (1,) * (seats - 1)
    step = max(1, _TABLES // seats)
    parts = [range(first, min(deals, first + step)) for first in range(0, deals, step)]
    blocks = [arena.play(lineup, part, seed) for part in parts]
    seconds = arena.seconds / np.maximum(arena.decisions, 1)
    found = summarize((players[0].name, players[1].name), matches, blocks, seconds.tolist())
    for name, illegal in zip(found.names, found.illegal, strict=True):
        if illegal:
            warnings.warn(warning(name, illegal), stacklevel=2)
    return found


def setting_for(
    game: str, preset: str | None, options: Mapping[str, Any], matches: bool = False
) -> Setting:
    """A game under a preset with options on top.

    Unless matches are played it is without a target, if none is named: a player of a single hand
    has to know that nothing follows, and that it is there to be won.
    """
    target = {} if matches else {"target": None}
    return setting(game, load_game(game).make_rules(preset, **(target | dict(options))))


def check_plan(where: Setting, deals: int, seed: int, matches: bool) -> None:
    """Refuse what cannot be played, or is of another type than it should be."""
    whole("deals", deals, 1)
    check_seed(seed)
    if not isinstance(matches, bool):
        raise ValueError(f"matches={matches!r} is not possible; matches is True or False")
    if matches and where.rules.target is None:
        raise ValueError(
            "matches have a target, the points that end them, and target=None names none: "
            "give one, such as target=100"
        )


def whole(name: str, value: int, low: int) -> None:
    """Refuse what is not a whole number (True is not), or is too small."""
    number = as_whole(value)
    if number is None or number < low:
        raise ValueError(f"{name}={value!r} is not possible; a whole number, at least {low}")


def summarize(
    names: tuple[str, str], matches: bool, blocks: Sequence[Block], seconds: Sequence[float]
) -> Duel:
    """What a duel showed.

    Args:
        names: of the two players.
        matches: whether whole matches were played.
        blocks: what was played, with the first player in the first place of the lineup and the
            second in all others.
        seconds: the mean time for a decision of each player.
    """
    settled = [settle(block) for block in blocks]
    wins = np.concatenate([shares(ranks)[..., 0] for _, ranks in settled])
    points = np.concatenate([margins(scores)[..., 0] for scores, _ in settled])
    notes = np.sum([block.notes for block in blocks], axis=0)
    both = notes[0], notes[1:].sum(axis=0)
    hands = sum(block.hands for block in blocks)
    rated = rates(both[0], hands), rates(both[1], hands * (len(notes) - 1))
    return Duel(
        names,
        matches,
        len(wins),
        wins.size,
        Estimate(*(100 * x for x in proportion(wins))),
        average(points),
        (rated[0]["went out"], rated[1]["went out"]),
        rated,
        (float(seconds[0]), float(seconds[1])),
        tuple(int(side[:DEEP].sum()) for side in both),  # type: ignore[arg-type]
        tuple(int(side[ILLEGAL]) for side in both),  # type: ignore[arg-type]
        int(sum(block.cut.sum() for block in blocks)),
    )


def average(values: np.ndarray) -> Estimate:
    """The mean of values (deals, tables) with its interval; the deals are independent."""
    mean, error = float(values.mean()), _standard_error(values)
    half = deviations(len(values)) * error if len(values) > 1 else float("inf")
    return Estimate(mean, mean - half, mean + half)


def proportion(values: np.ndarray) -> Estimate:
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
    count = p * (1 - p) / spread if spread > 1e-20 else float(deals)
    z = deviations(deals)
    middle = (p + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(p * (1 - p) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return Estimate(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)))


def _standard_error(values: np.ndarray) -> float:
    """Of the mean of values (deals, tables), from how far deals differ."""
    return float(values.mean(axis=1).std(ddof=1) / sqrt(len(values))) if len(values) > 1 else 0.0


def deviations(deals: int) -> float:
    """Standard errors on either side of a mean of so many deals that hold 95 %: about Student's."""
    return Z + (Z**3 + Z) / (4 * (deals - 1))
