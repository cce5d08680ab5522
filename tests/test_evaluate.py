"""Duels: fairness, intervals, counts, and the same result for the same seed."""

from typing import Any

import numpy as np
import pytest

from rummyzoo.agents import View, batch, load
from rummyzoo.agents.arena import RATES, Arena, Block, margins, settle, shares, word
from rummyzoo.agents.evaluate import average, duel, proportion, tabulate
from rummyzoo.agents.tournament import make_plan
from rummyzoo.envs import Table, kit
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.rules import RulesError
from rummyzoo.envs.setting import setting

games = pytest.mark.parametrize("game", GAMES)
SMALL: dict[str, Any] = {"num_ranks": 7, "hand_size": 5, "target": 60}


def first_legal(view: View, rng: np.random.Generator) -> int:
    return int(view.legal_actions()[0])


class OwnChance:
    """A player that draws from a generator of its own, so that no two tables go the same way."""

    def __init__(self, seed: int, game: str) -> None:
        self.name = f"own chance {seed}"
        self._rng = np.random.default_rng(seed)
        self._player: Any = load("random", game)

    def act(self, view: View, rng: np.random.Generator) -> int:
        return int(self._player.act(view, self._rng))

    def act_batch(self, states: Any, indices: Any, seats: Any, out: Any, rngs: Any) -> None:
        words = self._rng.integers(1, 1 << 64, len(states), np.uint64)
        self._player.act_batch(states, indices, seats, out, words)


@pytest.mark.parametrize("matches", [False, True])
@pytest.mark.parametrize("name", ["greedy", "random"])
@games
def test_a_player_is_as_strong_as_itself(game: str, name: str, matches: bool) -> None:
    """The chance of a deal is the same from both seats too, so that it is so to the hand."""
    result = duel(name, name, game, deals=30, matches=matches, target=60 if matches else None)
    assert result.wins.mean == 50
    assert result.wins.low < 50 < result.wins.high
    assert result.points == (0, 0, 0)
    assert result.went_out[0] == result.went_out[1]


@games
def test_equal_players_are_level_within_the_interval(game: str) -> None:
    result = duel(OwnChance(1, game), OwnChance(2, game), game, deals=300)
    assert result.wins.low <= 50 <= result.wins.high
    assert result.points.low <= 0 <= result.points.high
    assert result.points.low < result.points.high


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
    assert one.went_out[0] > 50 > one.went_out[1]
    assert min(one.seconds) > 0


@pytest.mark.parametrize("game", [game for game in GAMES if load_game(game).MAX_PLAYERS > 2])
def test_three_players(game: str) -> None:
    result = duel("random", "random", game, deals=50, num_players=3, **SMALL)
    assert result.tables == 150
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
        result = duel("random", "random", game, deals=30, seed=seed, **SMALL)
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
            raise AssertionError("in duels all tables are asked at once")

    stock = Table(game, 0).stock_count
    duel(Witness("a"), Witness("b"), game, deals=5)
    first = {name: set(hands[1:]) for name, hands in seen.items()}  # without the warm-up
    assert len(first["a"] & first["b"]) >= 5


@games
def test_any_player_can_be_measured(game: str) -> None:
    result = duel(first_legal, "random", game, deals=3, **SMALL)
    assert result.names == ("first_legal", "random")
    assert result.illegal == (0, 0)


def test_who_answers_illegally_has_lost() -> None:
    def wrong(view: View, rng: np.random.Generator) -> int:
        return 1_000_000

    with pytest.warns(UserWarning, match=r"wrong answered illegally \d+ times: .* count as lost"):
        result = duel(wrong, first_legal, deals=5, **SMALL)
    assert result.illegal == (result.decisions[0], 0)
    assert "illegal       " + str(result.decisions[0]) in str(result)
    assert "count as lost" in str(result)
    assert result.wins.mean == 0
    assert result.points.mean <= 0


def test_illegal_answers_cost_the_hands_where_they_were_given() -> None:
    class Slips:
        name = "slips"
        moves = 0

        def act_batch(self, states: Any, indices: Any, seats: Any, out: Any, rngs: Any) -> None:
            greedy.act_batch(states, indices, seats, out, rngs)
            if len(states) > 1:  # not when it is asked to warm up
                slip = (indices < 2) & (
                    states["turns"][indices] < 2
                )  # both seats of the first deal
                out[slip] = -1
                self.moves += slip.sum()

        def act(self, view: View, rng: np.random.Generator) -> int:
            raise AssertionError("in duels all tables are asked at once")

    greedy: Any = load("greedy", "rummy500")
    with pytest.warns(UserWarning, match="slips answered illegally"):
        result = duel(player := Slips(), "greedy", deals=10)
    assert result.illegal == (player.moves, 0)
    assert result.wins.mean == 45


def test_scores_and_places() -> None:
    scores = np.array([[[10, 30, 30], [50, 20, -5], [0, 0, 0], [40, 10, 20]]])
    fouls = np.zeros((1, 4, 3), bool)
    fouls[0, 1, 0] = fouls[0, 2, 1] = True
    fouls[0, 3] = [True, True, False]
    block = Block(scores, np.zeros((1, 4), bool), fouls, np.zeros((3, batch.NOTES)), 4)
    settled, ranks = settle(block)
    assert settled[0].tolist() == [[10, 30, 30], [-5, 20, -5], [0, 0, 0], [20, 10, 20]]
    assert ranks[0].tolist() == [[2, 0, 0], [2, 0, 1], [0, 2, 0], [1, 2, 0]]
    assert shares(ranks)[0].tolist() == [[0, 0.5, 0.5], [0, 1, 0], [0.5, 0, 0.5], [0, 0, 1]]
    assert margins(settled)[0, 0].tolist() == [-20, 10, 10]


def test_answers_must_be_whole_numbers() -> None:
    def half(view: View, rng: np.random.Generator) -> Any:
        return 0.5

    with pytest.raises(TypeError, match="float"):
        duel(half, "random", deals=1)


def test_numbers_that_are_not_possible() -> None:
    for wrong in ({"deals": 0}, {"deals": True}, {"deals": 1.5}, {"seed": -1}, {"seed": False}):
        name, value = next(iter(wrong.items()))
        with pytest.raises(ValueError, match=f"{name}={value}"):
            duel("random", "random", **{"deals": 1} | wrong)
    with pytest.raises(ValueError, match="matches is True or False"):
        duel("random", "random", deals=1, matches=1)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="did you mean"):
        duel("randm", "random")


# What is counted


@pytest.mark.parametrize("name", ["greedy", "random"])
@games
def test_notes_are_what_a_slow_count_says(game: str, name: str) -> None:
    """The same deals played one by one at tables, where everything is counted in words."""
    players = min(3, load_game(game).MAX_PLAYERS)
    where = setting(game, load_game(game).make_rules(num_players=players))
    shown_at_the_end = not any(text.startswith("meld") for text in where.actions)
    n = int(where.rules.num_players)
    player: Any = load(name, game, where.rules)
    counted = Arena(where, [player], False).play([0] * n, range(12), 3)
    words: dict[str, int] = dict.fromkeys(RATES, 0)
    decisions = hands = 0
    for deal in range(12):
        states = np.zeros(1, where.game.STATE)
        where.game.new_match(states, 0, where.kits, np.uint64(word(3, deal)))
        rngs = np.array([word(3, deal, 1)], np.uint64)
        table = Table(game, **where.rules._asdict())
        table.states[:] = states
        while table.over == "no":
            seat = table.turn
            assert seat is not None
            cards, out = len(table.hand(seat)), np.zeros(1, np.int64)
            player.act_batch(table.states, np.zeros(1, np.int64), np.array([seat]), out, rngs)
            text = table.texts[int(out[0])]
            table.play(text)
            decisions += 1
            words["deep picks"] += text.startswith("take") and len(table.hand(seat)) > cards + 1
            words["calls"] += text.startswith("call")
            words["knocks"] += text.startswith("knock")
            words["gins"] += "gin" in text
            knocked = text.startswith("knock") or "gin" in text
            emptied = table.over != "no" and not table.hand(seat)
            words["went out"] += knocked or (emptied and not shown_at_the_end)
        hands += table.over != "truncated"
        assert sorted(counted.scores[deal, 0].tolist()) == sorted(table.hand_scores)
    notes = counted.notes.sum(axis=0)
    for rate_name, columns in RATES.items():
        assert notes[list(columns)].sum() == n * words[rate_name], rate_name
    assert notes[: batch.DEEP].sum() == n * decisions
    assert counted.hands == n * hands
    assert hands == 12 or name == "random"


def test_notes_have_room_for_all_kinds_of_action() -> None:
    kinds = [value for name, value in vars(kit).items() if name.startswith("A_")]
    assert max(kinds) < batch.DEEP


def test_floating_is_not_going_out() -> None:
    result = duel("greedy", "greedy", deals=40, preset="RUMMY_500_FLOATING")
    assert 0 < sum(result.went_out) <= 100


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
        a, b = proportion(wins), average(points)
        held += a.low <= chance <= a.high, b.low <= 0 <= b.high
    assert (held > 930).all()
    assert (held < 970).all()


def test_deals_played_from_both_seats_tell_more() -> None:
    rng = np.random.default_rng(6)
    luck = rng.standard_normal((500, 1))
    wins = (np.hstack([luck, -luck]) + 0.3 * rng.standard_normal((500, 2)) > 0).astype(float)
    paired, apart = proportion(wins), proportion(rng.permuted(wins, axis=0))
    assert paired.mean == apart.mean
    assert paired.high - paired.low < 0.6 * (apart.high - apart.low)
    assert proportion(np.hstack([luck > 0, luck <= 0]).astype(float)).mean == 0.5


def test_an_interval_has_a_width_where_all_went_the_same_way() -> None:
    always, never = proportion(np.ones((100, 2))), proportion(np.zeros((100, 2)))
    assert always.high == 1
    assert 0.95 < always.low < 0.99
    assert never == (0, 0, pytest.approx(1 - always.low))
    assert proportion(np.ones((1, 2))) == (1, 0, 1)
    assert average(np.ones((1, 2))) == (1, -np.inf, np.inf)


@games
def test_single_hands_have_no_target_unless_one_is_named(game: str) -> None:
    """Else a player that searches would play for the points of a match that does not follow."""
    seen = []

    def looks(view: View, rng: np.random.Generator) -> int:
        seen.append(view.setting.rules.target)
        return int(view.legal_actions()[0])

    cases: list[tuple[dict[str, Any], int | None]] = [({}, None), ({"target": 60}, 60)]
    for options, target in cases:
        seen.clear()
        duel(looks, "random", game, deals=1, **options)
        assert set(seen) == {target}
    match = {"target": 60}
    plans = [
        make_plan(["random", "greedy"], game, 1, options, matches=matches)[0]
        for options, matches in ((dict[str, Any](), False), (match, True))
    ]
    assert [plan["rules"]["target"] for plan in plans] == [None, 60]
