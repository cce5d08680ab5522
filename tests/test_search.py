"""The players that search: blind to hidden cards, reproducible, and strong."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from rummyzoo.agents import View, load, opinion_of
from rummyzoo.agents.evaluate import duel
from rummyzoo.agents.heuristics import rollout_styles
from rummyzoo.agents.search import ENOUGH, SearchAgent, in_question
from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES


def positions(game: str, count: int) -> list[Table]:
    """Positions with a choice, on the way through hands that the greedy player plays."""
    rng = np.random.default_rng(5)
    greedy = load("greedy", game)
    found: list[Table] = []
    seed = 0
    while len(found) < count:
        seed += 1
        table = Table(game, seed, target=None)
        while table.turn is not None and len(found) < count:
            view = View.of(table, table.turn)
            if len(view.legal_actions()) > 1 and rng.random() < 0.15:
                found.append(table.copy())
            table.play(int(greedy.act(view, rng)))
    return found


def choice(player: Any, table: Table, seed: int) -> int:
    assert table.turn is not None
    return int(player.act(View.of(table, table.turn), np.random.default_rng(seed)))


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_make_no_difference(game: str) -> None:
    player = load("search:4", game)
    for n, table in enumerate(positions(game, 6)):
        assert table.turn is not None
        other = table.resample(table.turn, n)
        assert other != table
        seats, here = np.array([table.turn]), np.zeros(1, np.int64)
        chosen = []
        for one in (table, other):
            out, rngs = np.zeros(1, np.int64), np.full(1, 77 + n, np.uint64)
            player.act_batch(one.states, here, seats, out, rngs)  # type: ignore[attr-defined]
            chosen.append((int(out[0]), choice(player, one, n)))
        assert chosen[0] == chosen[1]


@pytest.mark.parametrize("game", GAMES)
def test_threads_copies_and_pickles_choose_alike(game: str) -> None:
    tables = positions(game, 4)
    rules = tables[0].rules
    # With fewer games than this nearly all rounds are too short to be shared out among threads.
    one, two = (SearchAgent("search:64", game, rules, 64, threads=n) for n in (1, 2))
    for n, table in enumerate(tables):
        chosen = {choice(p, table, n) for p in (one, two, copy.deepcopy(one))}
        chosen.add(choice(pickle.loads(pickle.dumps(two)), table, n))
        assert len(chosen) == 1
    assert one.decisions == 4
    assert one.seconds > 0


@pytest.mark.slow
def test_search_beats_greedy() -> None:
    found = duel("search:32", "greedy", "rummy500", deals=150, seed=3, target=None)
    assert found.wins.mean > 55
    assert found.wins.low > 50
    assert found.points.low > 0
    assert found.illegal == (0, 0)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_duel(game: str) -> None:
    first, again = (duel("search:4", "greedy", game, deals=2, seed=3, target=None) for _ in "12")
    assert first._replace(seconds=(0, 0)) == again._replace(seconds=(0, 0))


@pytest.mark.parametrize("game", GAMES)
def test_it_says_what_it_thinks(game: str) -> None:
    player = load("search:8", game)
    for n, table in enumerate(positions(game, 4)):
        assert table.turn is not None
        view = View.of(table, table.turn)
        opinion = opinion_of(player, view, np.random.default_rng(n))
        assert opinion.probabilities == {choice(player, table, n): 1.0}
        assert set(opinion.values) == set(view.legal_actions().tolist())
        usual = load(rollout_styles(game, table.rules)[0], game)
        assert opinion.values[int(usual.act(view, np.random.default_rng(0)))] == 0
        assert opinion.value is not None
        assert abs(opinion.value) < 1000


def test_the_better_half_goes_on_but_for_what_is_surely_behind() -> None:
    spread = np.random.default_rng(1).normal(0, 1, (6, 200))
    usual = np.arange(6) == 4

    def goes_on(means: list[float], worlds: int) -> list[int]:
        gains = spread[:, :worlds] + np.array(means)[:, None]
        return np.flatnonzero(in_question(gains, usual)).tolist()

    # Few worlds say little: half goes on, and the usual action is of it, however it fares.
    assert goes_on([5, 9, 7, 6, 0, 8], ENOUGH - 1) == [1, 4, 5]
    # In many, 9 is surely more than 8, and all else still further behind.
    assert goes_on([5, 9, 7, 6, 0, 8], 200) == [1]
    # What is about as good stays; the usual action too, where it is.
    assert goes_on([5, 9, 7, 6, 9, 9], 200) == [1, 4, 5]
    assert goes_on([5, 6, 7, 6, 9, 8], 200) == [4]
    # Gains that are the same in all worlds leave no doubt; ties are no lead.
    gains = np.zeros((3, 50)) + np.array([1.0, 2.0, 2.0])[:, None]
    assert in_question(gains, np.arange(3) == 2).tolist() == [False, True, True]


def test_clear_decisions_are_made_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = positions("rummy500", 12)
    player = SearchAgent("search:64", "rummy500", tables[0].rules, 64, threads=1)
    tried = SearchAgent._try
    games = 0

    def count(self: Any, *args: Any) -> None:
        nonlocal games
        first, gains = args[-3], args[-1]
        games += gains.size - first * len(gains)
        tried(self, *args)

    monkeypatch.setattr(SearchAgent, "_try", count)
    soon = [choice(player, table, n) for n, table in enumerate(tables)]
    played, games = games, 0
    monkeypatch.setattr("rummyzoo.agents.search.SURE", 1e9)
    late = [choice(player, table, n) for n, table in enumerate(tables)]
    assert played < 0.95 * games
    assert np.mean(np.equal(soon, late)) > 0.7


def test_smaller_packs_are_searched_without_networks() -> None:
    table = Table("rummy500", 1, num_ranks=8, jokers_per_deck=0, target=None)
    player = load("search:4", "rummy500", table.rules)
    assert choice(player, table, 1) in View.of(table, table.turn or 0).legal_actions()


@pytest.mark.parametrize("game", GAMES)
def test_the_cheat_says_so(game: str) -> None:
    cheat = load("cheating_oracle", game)
    assert "cheating" in cheat.name
    with pytest.raises(ValueError, match="has to see the whole table"):
        choice(cheat, Table(game, 1), 0)
    assert duel(cheat, "greedy", game, deals=10, seed=1, target=None).wins.mean > 80


@pytest.mark.parametrize("number", ["0", "-3", "1.5", "many", "99999999"])
def test_numbers_that_are_not_possible(number: str) -> None:
    with pytest.raises(ValueError, match=f"search:{number} is not possible"):
        load(f"search:{number}", "rummy500")
