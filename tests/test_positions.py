"""Positions set up by hand: what comes of them, and which are refused."""

from typing import Any

import pytest

from rummyzoo.envs import Table
from rummyzoo.envs.cards import CardError
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.position import PositionError
from rummyzoo.envs.rules import RulesError

THREE: dict[str, Any] = {"num_players": 3, "jokers_per_deck": 0}


def test_everything_that_is_named_is_there() -> None:
    table = Table.from_position(
        "rummy500",
        hands={0: ["7S", "10D"], 2: ["KC"]},
        table=[(["4H", "5H", "6H"], 1), (["QC", "QD", "QS"], 2)],
        pile=["2C", "3D"],
        stock=["9C", "8C"],
        dealer=1,
        scores=[10, -20, 30],
        turn=0,
        phase="play",
        **THREE,
    )
    assert table.hand(0) == ["TD", "7S"]
    assert table.hand(2) == ["KC"]
    assert len(table.hand(1)) == 7
    assert [(m.kind, m.cards, set(m.owners)) for m in table.melds] == [
        ("run", ("4H", "5H", "6H"), {1}),
        ("set", ("QC", "QD", "QS"), {2}),
    ]
    assert table.pile == ["2C", "3D"]
    assert table.stock[:2] == ["9C", "8C"]
    assert table.stock_count == 52 - 3 - 7 - 6 - 2
    assert (table.dealer, table.turn, table.phase) == (1, 0, "play")
    assert table.scores == [10, -20, 30]
    assert table.melded == [0, 15, 30]


def test_the_usual_place_to_begin() -> None:
    table = Table.from_position("rummy500", **THREE)
    assert (table.dealer, table.turn, table.phase) == (2, 0, "draw")
    assert table.pile == []
    assert [len(table.hand(seat)) for seat in range(3)] == [7, 7, 7]
    assert table == Table.from_position("rummy500", **THREE)
    assert table != Table.from_position("rummy500", seed=1, **THREE)


def test_points_may_be_given() -> None:
    meld = [(["4H", "5H", "6H"], 1)]
    assert Table.from_position("rummy500", table=meld, **THREE).melded == [0, 15, 0]
    given = Table.from_position("rummy500", table=meld, melded=[1, 2, 3], **THREE)
    assert given.melded == [1, 2, 3]


def test_the_stock_may_hold_no_more_than_is_named() -> None:
    table = Table.from_position("rummy500", stock=["9C", "8C"], stock_rest=False, **THREE)
    assert table.stock == ["9C", "8C"]


def test_with_neither_stock_nor_pile_the_hand_is_over() -> None:
    table = Table.from_position("rummy500", hands={0: ["7S"]}, stock_rest=False, **THREE)
    assert table.over == "hand"
    assert table.hand_scores[0] == -7


def test_jokers_on_the_table() -> None:
    table = Table.from_position(
        "rummy500",
        table=[(["4C", "JK(5C)", "6C"], 0), (["8H", "JK(8)", "8D"], 1)],
        hands={0: ["2C"]},
    )
    assert table.melds[0].cards == ("4C", "JK(5C)", "6C")
    assert set(table.melds[1].cards) == {"8H", "8D", "JK(8)"}
    assert table.melded == [25, 31]


def test_a_call_can_be_set_up() -> None:
    table = Table.from_position(
        "rummy500",
        table=[(["4H", "5H", "6H"], 1)],
        pile=["9C", "7H"],
        turn=0,
        phase="call",
        **THREE,
    )
    assert (table.turn, table.discarder) == (0, 2)
    assert table.legal() == ["pass", "call 7H"]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"hands": {0: ["7S", "7S"]}}, "7S is named more often than the pack holds it"),
    ({"hands": {0: ["7S"]}, "pile": ["7S"]}, "7S is named more often"),
    ({"hands": {0: ["7S"]}, "stock": ["7S"]}, "7S is named more often"),
    ({"hands": {0: ["JK"]}}, "JK is not in the pack"),
    ({"hands": {3: ["7S"]}}, "seats 0 to 2 only"),
    ({"turn": 3}, "seats 0 to 2 only"),
    ({"dealer": -1}, "seats 0 to 2 only"),
    ({"phase": "call", "discarder": 5}, "seats 0 to 2 only"),
    ({"table": [(["4H", "5H", "6H"], 4)]}, "seats 0 to 2 only"),
    ({"table": [(["4H", "5H"], 0)]}, "4H 5H is no meld"),
    ({"table": [(["4H", "5H", "7H"], 0)]}, "4H 5H 7H is no meld"),
    ({"table": [(["6H", "5H", "4H"], 0)]}, "a run is written upwards"),
    ({"table": [(["4H", "5H", "6D"], 0)]}, "4H 5H 6D is no meld"),
    ({"table": [(["KH", "AH", "2H"], 0)]}, "KH AH 2H is no meld"),
    ({"table": [(["4H", "4D", "5C"], 0)]}, "4H 4D 5C is no meld"),
    ({"num_decks": 2, "table": [(["4H", "4D", "4H"], 0)]}, "no set: three or four cards"),
    ({"phase": "deal"}, "phase 'deal' is not one of draw, play, call"),
    ({"phase": "call", "discarder": 0}, "seat 0 may not call what it has discarded itself"),
    ({"phase": "play", "hands": {0: []}}, "seat 0 has no cards left to play"),
    ({"scores": [1, 2]}, "scores needs 3 numbers, one for each seat"),
    ({"melded": [1, 2]}, "melded needs 3 numbers"),
    ({"hands": {0: [f"{r}{s}" for r in "A23456789TJQK" for s in "CDH"]}}, "not enough cards"),
]


@pytest.mark.parametrize(("given", "why"), REFUSED, ids=[w for _, w in REFUSED])
def test_positions_that_cannot_be(given: dict[str, Any], why: str) -> None:
    with pytest.raises(PositionError, match=why):
        Table.from_position("rummy500", **{**THREE, **given})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"hands": {0: ["1S"]}}, "'1S' is no card"),
        ({"hands": {0: ["JK(5C)"]}}, "names a joker on the table"),
        ({"pile": ["7X"]}, "'7X' is no card"),
        ({"table": [(["7S", "8S", "9Z"], 0)]}, "'9Z' is no card"),
    ],
)
def test_cards_that_are_none(given: dict[str, Any], why: str) -> None:
    with pytest.raises(CardError, match=why):
        Table.from_position("rummy500", **{**THREE, **given})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"table": [(["JK", "JK", "4C"], 0)]}, "says what it stands for"),
        ({"table": [(["JK(5)", "4C", "4D"], 0)]}, "JK\\(5\\) 4C 4D is no meld"),
        ({"table": [(["JK(5C)", "JK(6C)", "JK(7C)"], 0)], "num_decks": 2}, "is no meld"),
        ({"table": [(["4C", "JK(5D)", "6C"], 0)]}, "is no meld"),
        ({"table": [(["AC", "2C", "3C"], 0)], "ace_in_runs": "high"}, "is no meld"),
        ({"table": [(["QC", "KC", "AC"], 0)], "ace_in_runs": "low"}, "is no meld"),
        ({"table": [(["9C", "TC", "JC"], 0)], "num_ranks": 9}, "TC is not in the pack"),
        ({"hands": {0: ["4S"]}, "num_suits": 3}, "4S is not in the pack"),
    ],
)
def test_melds_and_cards_that_the_rules_do_not_have(given: dict[str, Any], why: str) -> None:
    with pytest.raises(PositionError, match=why):
        Table.from_position("rummy500", num_players=3, **given)


@pytest.mark.parametrize("game", GAMES)
def test_options_are_checked(game: str) -> None:
    with pytest.raises(RulesError, match="no option 'num_player'; did you mean 'num_players'"):
        Table.from_position(game, num_player=3)
    with pytest.raises(RulesError, match="no game"):
        Table.from_position("bridge")
