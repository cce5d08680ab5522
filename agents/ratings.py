"""Ratings from finishing orders at tables of any size: the model of Plackett and Luce.

Each player has a strength; of those who have not finished yet, each finishes next with a chance in
proportion to its strength. With two at a table this is the model of Bradley and Terry, and that of
Elo. All orders are weighed at once, so when a game was played makes no difference.

Players that are level count as every order of them would, in equal parts: for two players, half a
win each. A player may sit at a table more than once.

The intervals take the *deal* as the unit that was drawn (see `rummyzoo.agents.evaluate`): the
tables of one deal may depend on one another in any way.

R. L. Plackett, The analysis of permutations, 1975; D. R. Hunter, MM algorithms for generalized
Bradley-Terry models, 2004, for what makes the strengths estimable; H. White, 1982, for intervals
that hold when the observations of a cluster depend on one another.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb, log, sqrt
from typing import NamedTuple

import numpy as np

from .evaluate import Estimate, deviations

SCALE = 400 / log(10)
"""Points of the scale for one unit of the logarithm of strength: 400 points are ten to one."""

_STEPS = 200
_ROWS = 4096  # of tables at once, for the memory's sake


class Finishes(NamedTuple):
    """The finishing orders of one lineup.

    Attributes:
        lineup: the number of the player in each place of the lineup.
        ranks: int, shape (deals, tables, places): 0 for the first of a table; level players have
            the same rank. Row ``d`` of all lineups is of the same deal.
    """

    lineup: Sequence[int]
    ranks: np.ndarray


def rate_players(players: int, played: Sequence[Finishes], prior: float = 0.5) -> list[Estimate]:
    """The ratings of some players with their 95 % intervals; on average they are 0.

    Args:
        players: how many there are.
        played: what was played; all lineups with the same number of deals.
        prior: games that each player is taken to have won, and as many that it has lost, against
            one of average strength. It keeps the rating of who always wins finite.
    """
    strengths, spread = fit(players, played, prior)
    deals = len(played[0].ranks)
    width = deviations(deals) if deals > 1 else float("inf")
    halves = [SCALE * width * sqrt(max(0.0, v)) for v in np.diag(spread)]
    return [
        Estimate(SCALE * float(x), SCALE * float(x) - half, SCALE * float(x) + half)
        for x, half in zip(strengths, halves, strict=True)
    ]


def fit(
    players: int, played: Sequence[Finishes], prior: float = 0.5
) -> tuple[np.ndarray, np.ndarray]:
    """The logarithms of the players' strengths and their covariance.

    Returns:
        The strengths, float64 (players,), 0 on average; and the covariance (players, players).
    """
    seats = [_incidence(players, p.lineup) for p in played]
    chosen = np.full(players, prior)
    for p in played:
        chosen += np.bincount(p.lineup, minlength=players) * p.ranks.shape[0] * p.ranks.shape[1]
    totals = [_stages(p.ranks).sum(axis=0) for p in played]

    level = np.eye(players) - 1 / players  # takes the mean away
    x = np.zeros(players)
    value, gradient, information = _likelihood(x, chosen, totals, seats, prior)
    for _ in range(_STEPS):
        step = np.linalg.pinv(level @ information @ level, hermitian=True) @ (level @ gradient)
        scale = 1.0
        while True:  # Newton's step, halved until it leads up
            after = _likelihood(x + scale * step, chosen, totals, seats, prior)
            if after[0] >= value or scale < 1e-6:
                break
            scale /= 2
        x = x + scale * step
        gain = after[0] - value
        value, gradient, information = after
        if gain <= 1e-12 * abs(value) and np.abs(scale * step).max() < 1e-9:
            break
    inverse = np.linalg.pinv(level @ information @ level, hermitian=True)
    return x, inverse @ _variance(x, played, seats, prior) @ inverse


def _stages(ranks: np.ndarray) -> np.ndarray:
    """How often each set of places was left, for each deal: float64 (deals, 2 ** places).

    A set is a number with a bit for each place. Where players are level, the sets of all their
    orders count in equal parts.
    """
    deals, tables, places = ranks.shape
    weights = np.zeros((deals, 1 << places))
    deal = np.repeat(np.arange(deals), tables)
    flat = ranks.reshape(-1, places)
    order = np.argsort(flat, axis=1, kind="stable")
    tied = (np.diff(np.take_along_axis(flat, order, 1), axis=1) == 0).any(axis=1)
    left = np.cumsum((1 << order)[~tied, ::-1], axis=1)  # from the last one up
    np.add.at(weights, (deal[~tied, None], left), 1.0)
    codes = flat[tied] @ (places ** np.arange(places))
    _, first, kind = np.unique(codes, return_index=True, return_inverse=True)
    shares = np.zeros((len(first), 1 << places))
    for n, row in enumerate(flat[tied][first]):
        for left_over, share in _stages_of_ties(row):
            shares[n, left_over] = share
    for block in range(0, len(kind), _ROWS):
        some = slice(block, block + _ROWS)
        np.add.at(weights, deal[tied][some], shares[kind[some]])
    return weights


def _stages_of_ties(ranks: np.ndarray) -> list[tuple[int, float]]:
    """The sets that are left in the orders that agree with these ranks, and their shares."""
    found = []
    behind = 0
    for rank in np.unique(ranks)[::-1]:
        level = [1 << int(place) for place in np.flatnonzero(ranks == rank)]
        for size in range(1, len(level) + 1):
            share = 1 / comb(len(level), size)
            found += [(behind + sum(part), share) for part in combinations(level, size)]
        behind += sum(level)
    return found


def _incidence(players: int, lineup: Sequence[int]) -> np.ndarray:
    """How often each player is in each set of places: float64 (2 ** places, players)."""
    sets = np.arange(1 << len(lineup))
    found = np.zeros((len(sets), players))
    for place, player in enumerate(lineup):
        found[:, player] += sets >> place & 1
    return found


def _likelihood(
    x: np.ndarray,
    chosen: np.ndarray,
    totals: Sequence[np.ndarray],
    seats: Sequence[np.ndarray],
    prior: float,
) -> tuple[float, np.ndarray, np.ndarray]:
    """The logarithm of the likelihood, its gradient, and its second derivatives with sign changed.

    The rival in the games of the prior has strength 1 (the average, as `fit` holds it there).
    """
    strength = np.exp(x)
    against = strength / (1 + strength)  # the chance to beat the average player
    value = float(chosen @ x - 2 * prior * np.log1p(strength).sum())
    gradient = chosen - 2 * prior * against
    information = np.diag(2 * prior * against * (1 - against))
    for weights, members in zip(totals, seats, strict=True):
        some = np.flatnonzero(weights)
        shares = members[some] * strength
        whole = shares.sum(axis=1)
        shares /= whole[:, None]
        w = weights[some]
        value -= float(w @ np.log(whole))
        taken = w @ shares
        gradient = gradient - taken
        information = information + np.diag(taken) - (shares * w[:, None]).T @ shares
    return value, gradient, information


def _variance(
    x: np.ndarray,
    played: Sequence[Finishes],
    seats: Sequence[np.ndarray],
    prior: float,
) -> np.ndarray:
    """The covariance of the gradient, from how far the deals differ in theirs.

    The games of the prior count as observations too: so a player of whom nothing else is known
    than that it always wins has an interval of some width.
    """
    strength = np.exp(x)
    deals = len(played[0].ranks)
    pull = np.zeros((deals, len(x)))
    for p, members in zip(played, seats, strict=True):
        shares = members[1:] * strength
        shares /= shares.sum(axis=1, keepdims=True)
        pull += np.bincount(p.lineup, minlength=len(x)) * p.ranks.shape[1]
        pull -= _stages(p.ranks)[:, 1:] @ shares
    against = strength / (1 + strength)
    games = prior * ((1 - against) ** 2 + against**2)
    return deals / max(1, deals - 1) * pull.T @ pull + np.diag(games)
