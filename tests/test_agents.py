"""What players are, what they know, and how they are found."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from about import about
from slow_play import GAMES_AND_RULES, wayward

from rummyzoo import agents
from rummyzoo.agents import FunctionAgent, KernelAgent, Opinion, View, load, opinion_of
from rummyzoo.agents.base import generator_words
from rummyzoo.envs import RulesError, Table, observation_layout, split
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.setting import setting
from rummyzoo.envs.state import NOBODY_SEES, OWNER, PUBLIC

games = pytest.mark.parametrize("game", GAMES)
KERNEL_PLAYERS = [
    (game, name)
    for game in GAMES
    for name in agents.players(game)
    if isinstance(load(name, game), KernelAgent)
]


def positions(game: str, rules: dict[str, Any], count: int, seed: int = 0) -> list[Table]:
    """Tables at some moments of matches played by lot."""
    rng = np.random.default_rng(seed)
    found: list[Table] = []
    table = Table(game, seed, **rules)
    while len(found) < count:
        if table.over == "hand":
            table.next_hand()
        elif table.over != "no":
            table = Table(game, int(rng.integers(1 << 30)), **rules)
        if rng.random() < 0.1:
            found.append(table.copy())
        table.play(int(rng.choice(table.legal_actions())))
    return found


@games
def test_load(game: str, tmp_path: Path) -> None:
    for name in agents.players(game):
        agent = load(name, game)
        assert agent.name.partition(":")[0] == name
        assert isinstance(agent, agents.Agent)
        assert load(agent, game) is agent
        if (game, name) in KERNEL_PLAYERS:
            with pytest.raises(ValueError, match="takes no argument"):
                load(name + ":5", game)
    function = load(wayward, game)
    assert isinstance(function, FunctionAgent)
    assert function.name == "wayward"
    assert function == load(wayward, game)
    with pytest.raises(RulesError, match="there is no player 'randon'; did you mean 'random'"):
        load("randon", game)
    with pytest.raises(TypeError, match="a player is a name, a path"):
        load(3, game)


@pytest.mark.parametrize(("game", "rules"), GAMES_AND_RULES)
def test_random_player_is_even(game: str, rules: dict[str, Any]) -> None:
    where = setting(game, Table(game, **rules).rules)
    player = load("random", game, where.rules)
    assert isinstance(player, KernelAgent)
    repeats = 4000
    for table in positions(game, rules, 12):
        states = np.repeat(table.states, repeats)
        out = np.zeros(repeats, np.int64)
        rngs = generator_words(np.random.default_rng(1), repeats)
        player.act_batch(states, np.arange(repeats), states["turn"], out, rngs)
        legal = table.legal_actions()
        counts = np.bincount(out, minlength=len(where.actions))
        assert counts[legal].sum() == repeats
        expected = repeats / len(legal)
        assert abs(counts[legal] - expected).max() < 5 * np.sqrt(expected)


@pytest.mark.parametrize(("game", "rules"), GAMES_AND_RULES)
def test_view_shows_what_the_seat_may_see(game: str, rules: dict[str, Any]) -> None:
    for table in positions(game, rules, 20):
        where = setting(game, table.rules)
        for seat in range(table.num_players):
            view = View(where, table.states, 0, seat)
            np.testing.assert_array_equal(view.observation, table.observation(seat))
            pieces = split(view.observation, observation_layout(game, **table.rules._asdict()))
            assert view.pieces.keys() == pieces.keys()
            for name, piece in pieces.items():
                np.testing.assert_array_equal(view.pieces[name], piece)
            mine = table.turn == seat
            np.testing.assert_array_equal(view.mask, table.mask() * mine)
            assert view.legal() == (table.legal() if mine else [])
            assert (view.game, view.rules, view.seat) == (game, table.rules, seat)
            for field in where.game.STATE_FIELDS:
                shown, true = view.states[0][field.name], table.state[field.name]
                if field.visibility == PUBLIC:
                    np.testing.assert_array_equal(shown, true)
                elif field.visibility == NOBODY_SEES:
                    assert not np.any(shown)
                else:
                    assert field.visibility == OWNER
                    assert shown[seat] == true[seat]
                    assert not np.delete(shown, seat, 0).any()


@pytest.mark.parametrize(("game", "rules"), GAMES_AND_RULES)
def test_resampled_tables_look_the_same(game: str, rules: dict[str, Any]) -> None:
    differ = 0
    for table in positions(game, rules, 15):
        where = setting(game, table.rules)
        seat = (table.turn or 0) if len(table.hand(0)) % 2 else 0
        view = View(where, table.states, 0, seat)
        other = view.resample(np.random.default_rng(0))
        np.testing.assert_array_equal(other.observation(seat), view.observation)
        assert other.hand(seat) == table.hand(seat)
        assert other.turn == table.turn
        hands = [[t.hand(q) for q in range(t.num_players)] for t in (table, other)]
        differ += other.stock != table.stock or hands[0] != hands[1]
        again = view.resample(np.random.default_rng(0))
        assert again.stock == other.stock
    assert differ > 2


@pytest.mark.parametrize(
    ("game", "name", "rules"),
    [(game, name, rules) for game, name in KERNEL_PLAYERS for rules in about(game).RULES],
)
def test_players_use_only_what_they_see(game: str, name: str, rules: dict[str, Any]) -> None:
    """From a view, from the whole table, and with hidden cards dealt anew: the same choice."""
    player = load(name, game, Table(game, **rules).rules)
    assert isinstance(player, KernelAgent)

    def choice(table: Table, word: int) -> int:
        out, rngs = np.zeros(1, np.int64), np.array([word], np.uint64)
        seats = table.states["turn"].astype(np.int64)
        player.act_batch(table.states, np.zeros(1, np.int64), seats, out, rngs)
        return int(out[0])

    for n, table in enumerate(positions(game, rules, 60)):
        seat = table.turn
        assert seat is not None
        before = table.states.copy()
        chosen = choice(table, 77)
        assert table.mask()[chosen]
        assert (table.states == before).all()
        assert choice(table.resample(seat, n), 77) == chosen
        view = View(setting(game, table.rules), table.states, 0, seat)
        rng = np.random.default_rng(5)
        word = int(generator_words(np.random.default_rng(5), 1)[0])
        assert player.act(view, rng) == choice(table, word)


@games
def test_players_that_cannot_tell_what_they_think_say_nothing(game: str) -> None:
    table = Table(game, 1)
    view = View.of(table, int(table.state.turn))
    for player in (load("random", game), load(lambda view, rng: 0, game)):
        assert opinion_of(player, view, np.random.default_rng(1)) == Opinion({}, {}, None)


@pytest.mark.parametrize(("game", "name"), KERNEL_PLAYERS)
def test_kernel_players(game: str, name: str) -> None:
    player = load(name, game)
    assert isinstance(player, KernelAgent)
    table = Table(game, 3)
    assert table.turn is not None
    other = View(setting(game, None), table.states, 0, (table.turn + 1) % table.num_players)
    with pytest.raises(ValueError, match="not to act"):
        player.act(other, np.random.default_rng(0))
    copied = pickle.loads(pickle.dumps(player))
    assert copied.choose is player.choose
    assert copied.name == player.name
    np.testing.assert_array_equal(copied.weights, player.weights)
    out = np.full((2, 50), -1, np.int64)
    states = np.repeat(table.states, 60)
    some = np.arange(5, 55)
    for n in range(2):  # with chance of their own
        player.act_batch(states, some, states["turn"][some], out[n])
        assert table.mask()[out[n]].all()
    assert (len(np.unique(out)) > 1) == (name == "random" and len(table.legal()) > 1)


@games
def test_a_player_made_for_other_rules_is_refused(game: str) -> None:
    module = load_game(game)
    small = module.make_rules(num_ranks=9)
    usual = load("random", game)
    with pytest.raises(ValueError, match=r"random was made for other rules \(.*num_ranks=13 and"):
        load(usual, game, small)
    one_hand = module.make_rules(target=None, max_hands=7)
    assert load(usual, game, one_hand) is usual  # the same actions and cards
    with pytest.raises(TypeError, match="a player is an object"):
        load(type(usual), game)
    other = next(name for name in (*GAMES, "") if name != game)
    if other:
        with pytest.raises(ValueError, match=f"random plays {game}, not {other}"):
            load(usual, other)
