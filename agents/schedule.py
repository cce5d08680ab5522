"""Who plays whom: the lineups of a tournament, their seating, and the units of work.

Everything here follows from the numbers given, on every machine and with every version of NumPy.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

from .arena import word

MOST_LINEUPS = 100
"""Of so many lineups at most a tournament consists unless more are asked for."""


class Unit(NamedTuple):
    """A piece of work that can be done by itself.

    Attributes:
        lineup: the number of the lineup.
        block: the number of the block of deals.
        order: the places of the lineup in the order in which they sit.
        deals: the numbers of the deals.
    """

    lineup: int
    block: int
    order: tuple[int, ...]
    deals: range

    @property
    def key(self) -> tuple[int, int]:
        """What it is known by: the numbers of its lineup and of its block."""
        return self.lineup, self.block


def lineups(players: int, seats: int, most: int, seed: int) -> list[tuple[int, ...]]:
    """The lineups of a tournament, as numbers of players in ascending order.

    All that there are, if they are no more than `most`; else `most` different ones, chosen so
    that the numbers of lineups that players are in differ by two at most, and that all meet about
    equally often. With fewer players than seats everybody is in every lineup, and some sit there
    more than once.
    """
    if players < seats:
        extra = combinations_with_replacement(range(players), seats - players)
        return [tuple(sorted((*range(players), *more))) for more in extra]
    if comb(players, seats) <= most:
        return list(combinations(range(players), seats))
    found: list[tuple[int, ...]] = []
    seen: set[tuple[int, ...]] = set()
    games = [0] * players
    met = [[0] * players for _ in range(players)]
    for n in range(most):
        chosen: list[int] = []
        while len(chosen) < seats:
            free = [p for p in range(players) if p not in chosen]
            chosen.append(
                min(
                    free,
                    key=lambda p: (
                        tuple(sorted((*chosen, p))) in seen,
                        games[p],
                        sum(met[p][q] for q in chosen),
                        word(seed, n, p),
                    ),
                )
            )
        lineup = tuple(sorted(chosen))
        found.append(lineup)
        seen.add(lineup)
        for p in lineup:
            games[p] += 1
            for q in lineup:
                met[p][q] += 1
    return found


def units(lineups: Sequence[Sequence[int]], deals: int, block: int, seed: int) -> Iterator[Unit]:
    """The units of work, in the order in which they are best done: all lineups play the first
    `block` deals, then all play the next.
    """
    for number, first in enumerate(range(0, deals, block)):
        part = range(first, min(deals, first + block))
        for n, lineup in enumerate(lineups):
            yield Unit(n, number, seating(len(lineup), n, number, seed), part)


def seating(places: int, lineup: int, block: int, seed: int) -> tuple[int, ...]:
    """The order in which the places of a lineup sit for a block of deals, by lot.

    Blocks come in pairs, the second the other way round: whoever had a rival on the left then has
    it on the right.
    """
    others = sorted(range(1, places), key=lambda place: word(seed, lineup, block // 2, place))
    return (0, *(others[::-1] if block % 2 else others))
