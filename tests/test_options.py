"""Options: presets, what is filled in, what is refused and how, small packs."""

from typing import Any

import pytest
from about import about, refused
from walks import facts, full_pack, walk

from rummyzoo.envs import Table, actions
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.rules import RulesError

games = pytest.mark.parametrize("game", GAMES)


def make(game: str, preset: str | None = None, **options: Any) -> Any:
    return load_game(game).make_rules(preset, **options)


@games
def test_nothing_is_left_to_be_filled_in(game: str) -> None:
    rules = make(game)
    assert {name for name in rules._fields if getattr(rules, name) == "auto"} == about(game).AUTO
    assert make(game, **rules._asdict()) == rules
    assert type(rules).__doc__


@pytest.mark.parametrize(
    ("game", "preset"), [(game, name) for game in GAMES for name in load_game(game).PRESETS]
)
def test_presets(game: str, preset: str) -> None:
    rules = make(game, preset)
    for players in range(2, min(3, load_game(game).MAX_PLAYERS) + 1):
        rules_for_so_many = make(game, preset, num_players=players)
        assert rules_for_so_many.num_players == players
        for name, value in load_game(game).PRESETS[preset].items():
            assert getattr(rules_for_so_many, name) == value
    table = Table(game, 1, preset=preset)
    assert table.rules == rules
    assert [position.over for position in walk(table, 1)][-1] != "no"


@games
def test_an_option_goes_before_the_preset(game: str) -> None:
    for preset, values in load_game(game).PRESETS.items():
        for name in values:
            usual = getattr(make(game), name)
            assert getattr(make(game, preset), name) != usual
            assert getattr(make(game, preset, **{name: usual}), name) == usual


@games
@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"preset": "NO_SUCH"}, "there is no preset 'NO_SUCH'; "),
        ({"num_playres": 3}, "there is no option 'num_playres'; did you mean 'num_players'?"),
        ({"xyz": 3}, "there is no option 'xyz'; there are: num_players, "),
        ({"num_players": 1}, "num_players=1 is not possible; num_players is a whole number from 2"),
        ({"num_players": 9}, "num_players=9 is not possible"),
        ({"num_players": "3"}, "num_players='3' is not possible"),
        ({"num_players": 3.0}, "num_players=3.0 is not possible"),
        ({"num_players": True}, "num_players=True is not possible"),
        ({"num_players": None}, "num_players=None is not possible"),
        ({"num_ranks": 2}, "num_ranks=2 is not possible; num_ranks is a whole number from 3 to 13"),
        ({"num_ranks": 14}, "num_ranks=14 is not possible"),
        ({"num_suits": 0}, "num_suits=0 is not possible"),
        ({"num_suits": 5}, "num_suits=5 is not possible"),
        ({"target": 0}, "target=0 is not possible; target is a whole number from 1 to 10000 or No"),
        ({"target": -5}, "target=-5 is not possible"),
        ({"max_turns": 0}, "max_turns=0 is not possible"),
        ({"max_turns": "many"}, "max_turns='many' is not possible"),
        ({"max_hands": 0}, "max_hands=0 is not possible; max_hands is a whole number from 1 to"),
        ({"hand_size": 0}, "hand_size=0 is not possible"),
        ({"hand_size": "many"}, "hand_size='many' is not possible"),
    ],
)
def test_options_of_all_games(game: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(RulesError) as refusal:
        make(game, **given)
    assert str(refusal.value).startswith(why)


OWN = [(game, *case) for game in GAMES for case in refused(game).OPTIONS]


@pytest.mark.parametrize(("game", "given", "why"), OWN, ids=[f"{g}-{o}" for g, o, _ in OWN])
def test_options_of_a_game(game: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(RulesError) as refusal:
        make(game, **given)
    assert why in str(refusal.value)
    assert "\n" not in str(refusal.value)
    with pytest.raises(RulesError):
        Table(game, 1, **given)


@games
def test_every_option_is_tried_with_a_value_it_cannot_take(game: str) -> None:
    tried = {name for given, _ in refused(game).OPTIONS for name in given}
    tried |= {"num_players", "num_ranks", "num_suits", "target", "max_turns", "max_hands"}
    assert set(make(game)._fields) <= tried | {"hand_size"}


DEALT = [(game, *case) for game in GAMES for case in about(game).DEALT]


@pytest.mark.parametrize(("game", "options", "hand", "stock"), DEALT)
def test_what_is_dealt(game: str, options: dict[str, Any], hand: int, stock: int) -> None:
    table = Table(game, 1, **options)
    assert {len(table.hand(seat)) for seat in range(table.num_players)} == {hand}
    assert (table.stock_count, len(table.pile)) == (stock, 1)


SMALL = [(game, options) for game in GAMES for options in about(game).SMALL_PACKS]


@pytest.mark.parametrize(("game", "options"), SMALL)
def test_small_packs(game: str, options: dict[str, Any]) -> None:
    texts = actions(game, **options)
    assert len(set(texts)) == len(texts)
    for seed in range(20):
        table = Table(game, seed, **{"target": None, **options})
        pack = full_pack(table).total()
        rules = table.rules
        assert rules.hand_size * rules.num_players <= pack - pack // 3 or "hand_size" in options
        *_, last = walk(table, seed)
        assert last.over in ("match", "truncated")
        assert facts(last).stock_size <= pack


@games
def test_a_pack_has_no_actions_with_cards_that_it_does_not_hold(game: str) -> None:
    texts = actions(game, num_ranks=5, num_suits=2, **about(game).PLAIN)
    words = {word for text in texts for word in text.split()}
    cards = {f"{rank}{suit}" for rank in "A2345" for suit in "CD"}
    assert {word for word in words if len(word) == 2 and word != "on"} == cards
    melds = {text for text in texts if text.startswith("meld")}
    runs = {f"meld {a}{s} {b}{s} {c}{s}" for a, b, c in ("A23", "234", "345", "45A") for s in "CD"}
    assert melds in (set(), runs), "two suits make no set"


COUNTS = [(game, *case) for game in GAMES for case in about(game).ACTION_COUNTS]


@pytest.mark.parametrize(("game", "options", "count"), COUNTS)
def test_how_many_actions_there_are(game: str, options: dict[str, Any], count: int) -> None:
    assert len(actions(game, **options)) == count


@games
def test_a_game_by_another_name(game: str) -> None:
    with pytest.raises(RulesError, match=f"no game '{game}x'; did you mean '{game}'"):
        Table(game + "x")
