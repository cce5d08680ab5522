"""Duels: fairness, intervals, counts, and the same result for the same seed."""

from typing import Any

import numpy as np
import pytest
from about import about

from rummyzoo.agents import View, load
from rummyzoo.agents.evaluate import average, duel, rate, tabulate
from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.rules import RulesError

games = pytest.mark.parametrize("game", GAMES)
SMALL: dict[str, Any] = {"num_ranks": 7, "hand_size": 5, "target": 60}


def first_legal(view: View, rng: np.random.Generator) -> int:
    return int(view.legal_actions()[0])


@games
@pytest.mark.parametrize("matches", [False, True])
def test_a_player_is_as_strong_as_itself(game: str, matches: bool) -> None:
    # The greedy player draws no lots, so that a deal goes the same way from both seats.
    target = {"target": 100} if matches else {}
    result = duel("greedy", "greedy", game, deals=40, matches=matches, **target)
    assert result.wins.mean == 50
    assert result.wins.low < 50 < result.wins.high
    assert result.points == (0, 0, 0)
    assert result.went_out[0] == result.went_out[1]
    options = {**SMALL, **about(game).SHORT}
    by_lot = duel("random", "random", game, deals=300, matches=matches, seed=1, **options)
    assert by_lot.wins.low <= 50 <= by_lot.wins.high
    assert by_lot.points.low <= 0 <= by_lot.points.high
    assert by_lot.points.low < by_lot.points.high


@games
def test_the_better_player_wins_from_either_side(game: str) -> None:
    one = duel("greedy", "random", game, deals=50)
    other = duel("random", "greedy", game, deals=50)
    assert one.wins.low > 80
    assert one.points.low > 0
    assert other.wins.high < 20
    assert other.points.high < 0
    assert one.illegal == other.illegal == (0, 0)
    assert one.tables == 100
    assert one.went_out[0] >= one.went_out[1]
    assert min(one.seconds) > 0


@pytest.mark.parametrize("game", [g for g in GAMES if load_game(g).MAX_PLAYERS > 2])
def test_three_players(game: str) -> None:
    three: dict[str, Any] = {"num_players": 3, **SMALL, **about(game).SHORT}
    result = duel("random", "random", game, deals=150, **three)
    assert result.tables == 450
    assert result.wins.low <= 100 / 3 <= result.wins.high
    alike = duel("greedy", "greedy", game, deals=10, num_players=3)
    assert alike.wins.mean == pytest.approx(100 / 3)


@games
def test_matches(game: str) -> None:
    result = duel("greedy", "random", game, deals=20, matches=True, target=100)
    assert result.wins.low > 80
    assert result.points.mean > 50
    with pytest.raises(ValueError, match="matches have a target"):
        duel("greedy", "random", game, matches=True, target=None)
    assert duel("greedy", "random", game, deals=3, target=None).tables == 6


@games
def test_the_seed_decides(game: str) -> None:
    def outcome(seed: int) -> Any:
        options = {**SMALL, **about(game).SHORT}
        result = duel("random", "random", game, deals=30, seed=seed, **options)
        return result._replace(seconds=(0.0, 0.0))

    assert outcome(3) == outcome(3)
    assert outcome(3) != outcome(4)


@games
def test_deals_are_the_same_from_every_seat_and_for_all_players(game: str) -> None:
    """A player that notes the first hand it sees at each table sees all hands of each deal."""
    seen: dict[str, list[bytes]] = {"a": [], "b": []}

    class Witness:
        def __init__(self, name: str) -> None:
            self.name = name
            self.player: Any = load("random", game)

        def act_batch(
            self, states: Any, indices: Any, seats: Any, out: Any, rngs: Any = None
        ) -> None:
            new = [int(i) for i in indices if states["stock_size"][i] == stock]
            seen[self.name] += [states["one"][i][:2].tobytes() for i in new]
            self.player.act_batch(states, indices, seats, out, rngs)

        def act(self, view: View, rng: np.random.Generator) -> int:
            raise NotImplementedError

    stock = Table(game, 0).stock_count
    duel(Witness("a"), Witness("b"), game, deals=5)
    first = {name: set(hands[1:]) for name, hands in seen.items()}  # without the warm-up
    assert len(first["a"] & first["b"]) >= 5


@games
def test_any_player_can_be_measured(game: str) -> None:
    result = duel(first_legal, "random", game, deals=3, **SMALL)
    assert result.names == ("first_legal", "random")
    assert result.illegal == (0, 0)


@games
def test_illegal_actions_are_counted(game: str) -> None:
    def wrong(view: View, rng: np.random.Generator) -> int:
        return 1_000_000

    result = duel(wrong, first_legal, game, deals=1, **SMALL)
    assert result.illegal == (result.decisions[0], 0)
    assert "illegal       " + str(result.decisions[0]) in str(result)


def test_numbers_that_are_not_possible() -> None:
    with pytest.raises(ValueError, match="deals=0"):
        duel("random", "random", deals=0)
    with pytest.raises(RulesError, match="did you mean"):
        duel("randm", "random")


def test_the_table_shows_every_duel() -> None:
    text = tabulate([duel("random", "greedy", deals=2), duel("random", "random", deals=2)])
    assert text.count("4 hands") == 2
    assert len({len(line) for line in text.splitlines()}) == 1


# Intervals


def simulate(
    rng: np.random.Generator, deals: int, chance: float, alike: float
) -> tuple[np.ndarray, np.ndarray]:
    """Wins and points at two tables for each deal, which have luck in common."""
    luck = alike * rng.standard_normal((deals, 1))
    points = luck + np.sqrt(1 - alike**2) * rng.standard_normal((deals, 2))
    threshold = {0.5: 0.0, 0.9: -1.281552}[chance]
    return (points > threshold).astype(float), points


@pytest.mark.parametrize("chance", [0.5, 0.9])
@pytest.mark.parametrize("alike", [0.0, 0.9])
def test_95_of_100_intervals_hold_the_truth(chance: float, alike: float) -> None:
    rng = np.random.default_rng(5)
    held = np.zeros(2)
    for deals in [20, 200] * 500:
        wins, points = simulate(rng, deals, chance, alike)
        a, b = rate(wins), average(points)
        held += a.low <= chance <= a.high, b.low <= 0 <= b.high
    assert (held > 930).all()
    assert (held < 970).all()


def test_deals_played_from_both_seats_tell_more() -> None:
    rng = np.random.default_rng(6)
    luck = rng.standard_normal((500, 1))
    wins = (np.hstack([luck, -luck]) + 0.3 * rng.standard_normal((500, 2)) > 0).astype(float)
    paired, apart = rate(wins), rate(rng.permuted(wins, axis=0))
    assert paired.mean == apart.mean
    assert paired.high - paired.low < 0.6 * (apart.high - apart.low)
    assert rate(np.hstack([luck > 0, luck <= 0]).astype(float)).mean == 0.5


def test_an_interval_has_a_width_where_all_went_the_same_way() -> None:
    always, never = rate(np.ones((100, 2))), rate(np.zeros((100, 2)))
    assert always.high == 1
    assert 0.95 < always.low < 0.99
    assert never == (0, 0, pytest.approx(1 - always.low))
    assert rate(np.ones((1, 2))) == (1, 0, 1)
    assert average(np.ones((1, 2))) == (1, -np.inf, np.inf)
