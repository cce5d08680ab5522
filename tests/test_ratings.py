"""Ratings: the same as another package finds, whatever the order of play, with honest intervals."""

from itertools import combinations, permutations
from math import log10

import choix
import numpy as np
import pytest

from rummyzoo.agents.ratings import SCALE, Finishes, fit, rate_players

TRUE = np.array([0.9, 0.4, 0.0, -0.3, -1.0])


def play(
    rng: np.random.Generator,
    lineup: tuple[int, ...],
    deals: int,
    tables: int = 2,
    alike: float = 0.0,
    ties: bool = False,
) -> Finishes:
    """Finishing orders by the model; with `alike`, some deals go the same way at all tables."""
    luck = rng.gumbel(size=(deals, tables, len(lineup)))
    luck = np.where(rng.random((deals, 1, 1)) < alike, luck[:, :1], luck)
    results = TRUE[list(lineup)] + luck
    if ties:
        results = np.round(results)
    return Finishes(lineup, (results[..., None, :] > results[..., None]).sum(axis=3))


def orders(played: list[Finishes]) -> list[tuple[int, ...]]:
    """All finishing orders as choix has them; level players in each of their orders, equally."""
    found = []
    for lineup, ranks in played:
        places = range(len(lineup))
        for row in ranks.reshape(-1, len(lineup)):
            fits = [o for o in permutations(places) if (np.diff(row[list(o)]) >= 0).all()]
            share = len(list(permutations(places))) // len(fits)
            found += [tuple(lineup[p] for p in o) for o in fits] * share
    return found


@pytest.mark.parametrize(("seats", "ties"), [(2, False), (3, True), (4, False)])
def test_same_as_choix(seats: int, ties: bool) -> None:
    rng = np.random.default_rng(seats)
    played = [
        play(rng, lineup, 24 // 2**seats + 1, ties=ties) for lineup in combinations(range(5), seats)
    ]
    ours, _ = fit(5, played, prior=0)
    theirs = choix.ilsr_rankings(5, orders(played), tol=1e-9)
    np.testing.assert_allclose(ours, theirs - theirs.mean(), atol=1e-6)


def test_two_players_are_rated_by_their_wins() -> None:
    ranks = np.zeros((100, 1, 2), int)
    ranks[:75, :, 1] = 1
    ranks[75:, :, 0] = 1
    best, other = rate_players(2, [Finishes((0, 1), ranks)], prior=0)
    assert best.mean - other.mean == pytest.approx(400 * log10(3))
    assert best.mean == pytest.approx(-other.mean)
    # The error of the logarithm of odds is about sqrt(1 / wins + 1 / losses).
    width = SCALE * 1.96 * (1 / 75 + 1 / 25) ** 0.5
    assert 2 * (best.high - best.mean) == pytest.approx(width, rel=0.03)


def test_the_order_of_play_makes_no_difference() -> None:
    rng = np.random.default_rng(1)
    played = [play(rng, lineup, 30, ties=True) for lineup in combinations(range(5), 3)]
    before = rate_players(5, played)
    mixed = rng.permutation(30)
    later = [Finishes(lineup, ranks[mixed][:, ::-1]) for lineup, ranks in reversed(played)]
    np.testing.assert_allclose(rate_players(5, later), before, atol=1e-6)


def test_the_order_of_players_makes_no_difference() -> None:
    played = play(np.random.default_rng(2), (0, 1, 2, 3), 50, ties=True)
    before = rate_players(4, [played])
    place = [2, 0, 3, 1]
    after = rate_players(4, [Finishes(tuple(place), played.ranks[:, :, place])])
    np.testing.assert_allclose(after, before, atol=1e-6)


def test_a_player_may_sit_at_a_table_twice() -> None:
    """One of strength 2 against two of strength 1 comes first in half of the games."""
    first = Finishes((0, 1, 1), np.array([[[0, 1, 2]], [[0, 2, 1]], [[1, 0, 2]], [[2, 1, 0]]] * 50))
    strengths, _ = fit(2, [first], prior=0)
    # Found by trying out: the chances are s / (s + 2), then s / (s + 1) where it is not first.
    s = np.linspace(1, 4, 300_001)
    likelihood = 2 * np.log(s / (s + 2)) + 2 * np.log(2 / (s + 2))
    likelihood += np.log(s / (s + 1)) + np.log(1 / (s + 1))
    best = s[likelihood.argmax()]
    assert np.exp(strengths[0] - strengths[1]) == pytest.approx(best, rel=1e-4)


@pytest.mark.parametrize("alike", [0.0, 0.8])
def test_95_of_100_intervals_hold_the_truth(alike: float) -> None:
    rng = np.random.default_rng(7)
    held = np.zeros(5)
    rounds = 200
    for _ in range(rounds):
        lines = [(0, 1, 2), (2, 3, 4), (0, 3, 4), (1, 2, 4), (0, 1, 3)]
        found = rate_players(5, [play(rng, line, 60, 4, alike) for line in lines])
        truth = SCALE * (TRUE - TRUE.mean())
        held += [e.low <= t <= e.high for e, t in zip(found, truth, strict=True)]
    assert 0.925 < held.mean() / rounds < 0.975


def test_who_always_wins_has_a_rating_and_an_interval() -> None:
    short, long = (np.tile([0, 1], (deals, 2, 1)) for deals in (10, 1000))
    few, many = (rate_players(2, [Finishes((0, 1), ranks)]) for ranks in (short, long))
    assert 0 < few[0].mean < many[0].mean < 2000
    assert few[0].low > 0
    for best in (few[0], many[0]):
        assert best.high - best.low > 200
    level = rate_players(2, [Finishes((0, 1), np.zeros((100, 2, 2), int))])
    assert level[0].mean == pytest.approx(0)
    single = rate_players(2, [Finishes((0, 1), np.zeros((1, 2, 2), int))])
    assert single[0].high == np.inf


def test_eight_at_a_table() -> None:
    rng = np.random.default_rng(3)
    strengths = np.linspace(-1, 1, 8)
    results = strengths + rng.gumbel(size=(400, 8, 8))
    ranks = (results[..., None, :] > results[..., None]).sum(axis=3)
    found = rate_players(8, [Finishes(tuple(range(8)), ranks)])
    for estimate, strength in zip(found, strengths, strict=True):
        assert estimate.mean == pytest.approx(SCALE * strength, abs=25)
