"""Options: presets, what is filled in, what is refused and how, small packs."""

from typing import Any

import pytest
from walks import facts, full_pack, walk

from rummyzoo.envs import Table, actions
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.rules import RulesError


def make(game: str = "rummy500", preset: str | None = None, **options: Any) -> Any:
    return load_game(game).make_rules(preset, **options)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_left_to_be_filled_in(game: str) -> None:
    rules = make(game)
    assert "auto" not in rules
    assert make(game, **rules._asdict()) == rules
    assert type(rules).__doc__


@pytest.mark.parametrize(
    ("game", "preset"), [(game, name) for game in GAMES for name in load_game(game).PRESETS]
)
def test_presets(game: str, preset: str) -> None:
    rules = make(game, preset)
    for players in (2, 3):
        rules_for_so_many = make(game, preset, num_players=players)
        assert rules_for_so_many.num_players == players
        for name, value in load_game(game).PRESETS[preset].items():
            assert getattr(rules_for_so_many, name) == value
    table = Table(game, 1, preset=preset)
    assert table.rules == rules
    assert [position.over for position in walk(table, 1)][-1] != "no"


def test_an_option_goes_before_the_preset() -> None:
    assert make(preset="RUMMY_500_NO_JOKERS").jokers_per_deck == 0
    assert make(preset="RUMMY_500_NO_JOKERS", jokers_per_deck=1).jokers_per_deck == 1


@pytest.mark.parametrize("game", GAMES)
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
    ],
)
def test_options_of_all_games(game: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(RulesError) as refusal:
        make(game, **given)
    assert str(refusal.value).startswith(why)


RUMMY_500: list[tuple[dict[str, Any], str]] = [
    ({"preset": "RUMMY_500_FLOATIN"}, "no preset 'RUMMY_500_FLOATIN'; did you mean 'RUMMY_500_FLO"),
    ({"ace_in_run": "low"}, "no option 'ace_in_run'; did you mean 'ace_in_runs'?"),
    ({"num_decks": 3}, "num_decks=3 is not possible; num_decks is one of 1, 2"),
    ({"num_decks": True}, "num_decks=True is not possible"),
    (
        {"jokers_per_deck": 3},
        "jokers_per_deck=3 is not possible; jokers_per_deck is one of 0, 1, 2",
    ),
    ({"jokers_per_deck": True}, "jokers_per_deck=True is not possible"),
    ({"scoring": "10"}, "scoring='10' is not possible; scoring is one of 'face', '5_10_15'"),
    ({"ace_in_runs": "none"}, "ace_in_runs='none' is not possible"),
    ({"ace_low_value": 11}, "ace_low_value=11 is not possible; ace_low_value is one of 1, 5, 15"),
    ({"top_discard_must_meld": 1}, "top_discard_must_meld=1 is not possible"),
    ({"deep_pick_timing": "last"}, "deep_pick_timing='last' is not possible"),
    ({"deep_pick_uses_picked": "yes"}, "deep_pick_uses_picked='yes' is not possible"),
    ({"calling_rummy": None}, "calling_rummy=None is not possible"),
    ({"rummy_persistent": 0}, "rummy_persistent=0 is not possible"),
    (
        {"going_out": True},
        "going_out=True is not possible; going_out is one of 'discard_optional',",
    ),
    ({"final_discard_unplayable": 2}, "final_discard_unplayable=2 is not possible"),
    ({"stock_out": "now"}, "stock_out='now' is not possible"),
    ({"hand_size": 0}, "hand_size=0 is not possible"),
    ({"hand_size": "many"}, "hand_size='many' is not possible"),
    (
        {"hand_size": 27},
        "hand_size=27 for 2 players needs more than the 54 cards of the pack; at m",
    ),
    ({"num_players": 8, "num_decks": 1}, "hand_size=7 for 8 players needs more than the 54 cards"),
    ({"max_hands": 0}, "max_hands=0 is not possible; max_hands is a whole number from 1 to 10000"),
    ({"max_turns": "many"}, "max_turns='many' is not possible"),
    ({"pad_players": 9}, "pad_players=9 is not possible"),
    ({"num_players": 4, "pad_players": 3}, "pad_players=3 is too few for 4 players"),
    ({"num_players": 2, "num_decks": 2, "pad_players": 4}, "pad_players below 5 pads for one pack"),
]


@pytest.mark.parametrize(("given", "why"), RUMMY_500, ids=[str(given) for given, _ in RUMMY_500])
def test_options_of_rummy_500(given: dict[str, Any], why: str) -> None:
    with pytest.raises(RulesError) as refusal:
        make(**given)
    assert why in str(refusal.value)
    assert "\n" not in str(refusal.value)
    with pytest.raises(RulesError):
        Table("rummy500", 1, **given)


def test_every_option_is_tried_with_a_value_it_cannot_take() -> None:
    tried = {name for given, _ in RUMMY_500 for name in given}
    tried |= {"num_players", "num_ranks", "num_suits", "target", "max_turns"}
    assert set(make()._fields) <= tried


@pytest.mark.parametrize(
    ("players", "jokers", "stock"),
    [
        *[(2, 2, 27), (3, 2, 32), (4, 2, 25), (5, 2, 72), (6, 2, 65), (7, 2, 58), (8, 2, 51)],
        *[(2, 0, 25), (3, 0, 30), (4, 0, 23), (5, 0, 68)],
    ],
)
def test_what_is_dealt(players: int, jokers: int, stock: int) -> None:
    table = Table("rummy500", 1, num_players=players, jokers_per_deck=jokers)
    assert {len(table.hand(seat)) for seat in range(players)} == {13 if players == 2 else 7}
    assert (table.stock_count, len(table.pile)) == (stock, 1)


SMALL = [
    {"num_ranks": 3, "num_suits": 1, "jokers_per_deck": 0, "hand_size": 1},
    {"num_ranks": 3, "num_suits": 2},
    {"num_ranks": 4, "num_suits": 1, "num_decks": 2},
    {"num_ranks": 3, "num_suits": 3, "jokers_per_deck": 1, "ace_in_runs": "low"},
    {"num_ranks": 3, "num_suits": 4, "ace_in_runs": "high", "jokers_per_deck": 0},
    {"num_ranks": 6, "num_suits": 4, "num_players": 4},
    {"num_ranks": 13, "num_suits": 1, "num_players": 3, "going_out": "float"},
]


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_small_packs(options: dict[str, Any]) -> None:
    texts = actions("rummy500", **options)
    assert len(set(texts)) == len(texts)
    for seed in range(20):
        table = Table("rummy500", seed, target=None, **options)
        pack = full_pack(table).total()
        rules = table.rules
        assert rules.hand_size * rules.num_players <= pack - pack // 3 or "hand_size" in options
        *_, last = walk(table, seed)
        assert last.over in ("match", "truncated")
        assert facts(last).stock_size <= pack


def test_a_pack_has_no_actions_with_cards_that_it_does_not_hold() -> None:
    texts = actions("rummy500", num_ranks=5, num_suits=2, jokers_per_deck=0)
    words = {word for text in texts for word in text.split()}
    cards = {f"{rank}{suit}" for rank in "A2345" for suit in "CD"}
    assert {word for word in words if len(word) == 2} - {"on"} == cards
    assert "meld 4C 5C AC" in texts
    assert "meld AC 2C 3C" in texts
    assert not any(text.startswith("meld AC AD") for text in texts), "two suits make no set"


@pytest.mark.parametrize(("jokers", "count"), [(0, 346), (2, 868)])
def test_how_many_actions_there_are(jokers: int, count: int) -> None:
    assert len(actions("rummy500", jokers_per_deck=jokers)) == count


@pytest.mark.parametrize("game", GAMES)
def test_a_game_by_another_name(game: str) -> None:
    with pytest.raises(RulesError, match=f"no game '{game}x'; did you mean '{game}'"):
        Table(game + "x")
