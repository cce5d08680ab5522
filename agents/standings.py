"""What a tournament showed: ratings, shares of wins, points, rates, and who finishes ahead of whom.

It follows from the units that were played and from nothing else, in whatever order they were done.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .arena import Block, margins, rates, settle, shares
from .batch import DEEP, ILLEGAL, NOTES
from .evaluate import Estimate, average, proportion
from .ratings import Finishes, rate_players

_DIGITS = 4  # that are kept: beyond, machines may differ


class Standing(NamedTuple):
    """One player.

    Attributes:
        name: what it is called.
        rating: on a scale on which 400 points are ten to one, and the mean of all players is 0.
        wins: per cent of its hands or matches won; a tie counts as a share.
        points: its score less the mean of the others'.
        tables: hands or matches, counted once for each seat that it had there.
        rates: how often it did what `rummyzoo.agents.arena.RATES` lists, in 100 hands.
        decisions: how many it made.
        illegal: how many of these were illegal; the hands or matches with them count as lost.
    """

    name: str
    rating: Estimate
    wins: Estimate
    points: Estimate
    tables: int
    rates: dict[str, float]
    decisions: int
    illegal: int


class Pair(NamedTuple):
    """Two players where they met.

    Attributes:
        names: of the two.
        ahead: how often the first finished ahead of the second, per cent; level counts as half.
        points: the score of the first less that of the second.
    """

    names: tuple[str, str]
    ahead: Estimate
    points: Estimate


class Standings(NamedTuple):
    """All players.

    Attributes:
        plan: what was played (see `rummyzoo.agents.tournament.make_plan`).
        players: the best rated first.
        pairs: every two players, in the order of `players`; only those who met.
        tables: hands or matches played.
        truncated: how many of them were cut off; they count as ties.
        seconds: the mean time for a decision of each player, by name. It differs from run to run.
    """

    plan: dict[str, Any]
    players: list[Standing]
    pairs: list[Pair]
    tables: int
    truncated: int
    seconds: dict[str, float]


def stand(
    plan: dict[str, Any], blocks: Mapping[tuple[int, int], Block], seconds: Mapping[str, float]
) -> Standings:
    """The standings when all is played.

    Args:
        plan: what was played.
        blocks: by lineup and block of deals.
        seconds: the mean time for a decision of each player, by name.
    """
    lineups = [tuple(lineup) for lineup in plan["lineups"]]
    played = [_joined(blocks, n) for n in range(len(lineups))]
    settled = [settle(block) for block in played]
    names = [player["name"] for player in plan["players"]]
    ratings = rate_players(
        len(names), [Finishes(line, r) for line, (_, r) in zip(lineups, settled, strict=True)]
    )
    found = [
        _standing(name, player, ratings[player], lineups, played, settled)
        for player, name in enumerate(names)
    ]
    order = sorted(range(len(names)), key=lambda n: (-found[n].rating.mean, n))
    pairs = [
        pair
        for at, first in enumerate(order)
        for second in order[at + 1 :]
        if (pair := _pair((first, second), names, lineups, settled)) is not None
    ]
    return Standings(
        plan,
        [found[n] for n in order],
        pairs,
        sum(block.cut.size for block in played),
        int(sum(block.cut.sum() for block in played)),
        {names[n]: seconds[names[n]] for n in order if names[n] in seconds},
    )


def _joined(blocks: Mapping[tuple[int, int], Block], lineup: int) -> Block:
    """All that a lineup played, in the order of the deals."""
    parts = [blocks[key] for key in sorted(blocks) if key[0] == lineup]
    return Block(
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.cut for part in parts]),
        np.concatenate([part.fouls for part in parts]),
        np.sum([part.notes for part in parts], axis=0),
        sum(part.hands for part in parts),
    )


def _standing(
    name: str,
    player: int,
    rating: Estimate,
    lineups: Sequence[Sequence[int]],
    played: Sequence[Block],
    settled: Sequence[tuple[np.ndarray, np.ndarray]],
) -> Standing:
    wins, points, hands, notes = [], [], 0, np.zeros(NOTES, np.int64)
    for lineup, block, (scores, ranks) in zip(lineups, played, settled, strict=True):
        for place in (p for p, who in enumerate(lineup) if who == player):
            wins.append(shares(ranks)[:, :, place])
            points.append(margins(scores)[:, :, place])
            hands += block.hands
            notes += block.notes[place]
    won = np.concatenate(wins, axis=1)
    return Standing(
        name,
        _rounded(rating),
        _rounded(Estimate(*(100 * x for x in proportion(won)))),
        _rounded(average(np.concatenate(points, axis=1))),
        won.size,
        {what: round(value, _DIGITS) for what, value in rates(notes, hands).items()},
        int(notes[:DEEP].sum()),
        int(notes[ILLEGAL]),
    )


def _pair(
    both: tuple[int, int],
    names: Sequence[str],
    lineups: Sequence[Sequence[int]],
    settled: Sequence[tuple[np.ndarray, np.ndarray]],
) -> Pair | None:
    ahead, points = [], []
    for lineup, (scores, ranks) in zip(lineups, settled, strict=True):
        firsts, seconds = ([p for p, who in enumerate(lineup) if who == one] for one in both)
        for a in firsts:
            for b in seconds:
                order = np.sign(ranks[:, :, b] - ranks[:, :, a])
                ahead.append((1 + order) / 2)
                points.append(scores[:, :, a] - scores[:, :, b])
    if not ahead:
        return None
    share = proportion(np.concatenate(ahead, axis=1))
    return Pair(
        (names[both[0]], names[both[1]]),
        _rounded(Estimate(*(100 * x for x in share))),
        _rounded(average(np.concatenate(points, axis=1))),
    )


def _rounded(estimate: Estimate) -> Estimate:
    return Estimate(*(round(x, _DIGITS) + 0.0 for x in estimate))
