"""Positions set up by hand: what comes of them, and which are refused."""

from typing import Any

import pytest
from about import about, refused

from rummyzoo.envs import Table, actions
from rummyzoo.envs.cards import CardError
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.position import PositionError
from rummyzoo.envs.rules import RulesError

games = pytest.mark.parametrize("game", GAMES)
MELDING = [game for game in GAMES if any(text.startswith("meld") for text in actions(game))]
WITH_POINTS = [
    game for game in MELDING if about(game).played_points(load_game(game).make_rules(), "5H")
]
WITH_JOKERS = [game for game in GAMES if "jokers_per_deck" in load_game(game).Rules._fields]
WITH_CALLS = [game for game in GAMES if "call" in load_game(game).PHASES]


def set_up(game: str, **given: Any) -> Table:
    """A table of three, where there may be three, without jokers."""
    players = min(3, load_game(game).MAX_PLAYERS)
    return Table.from_position(game, **{"num_players": players, **about(game).PLAIN, **given})


@pytest.mark.parametrize("game", MELDING)
def test_everything_that_is_named_is_there(game: str) -> None:
    table = set_up(
        game,
        hands={0: ["7S", "10D"], 2: ["KC"]},
        table=[(["4H", "5H", "6H"], 1), (["QC", "QD", "QS"], 2)],
        pile=["2C", "3D"],
        stock=["9C", "8C"],
        dealer=1,
        scores=[10, -20, 30],
        turn=0,
        phase="play",
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
    points = [sum(about(game).played_points(table.rules, c) for c in m.cards) for m in table.melds]
    assert table.melded == [0, *points]


@games
def test_the_usual_place_to_begin(game: str) -> None:
    table = set_up(game)
    last = table.num_players - 1
    assert (table.dealer, table.turn, table.phase) == (last, 0, "draw")
    assert table.pile == []
    assert {len(table.hand(seat)) for seat in range(last + 1)} == {table.rules.hand_size}
    assert table == set_up(game)
    assert table != set_up(game, seed=1)


@pytest.mark.parametrize("game", WITH_POINTS)
def test_points_may_be_given(game: str) -> None:
    meld = [(["4H", "5H", "6H"], 1)]
    assert set_up(game, table=meld).melded == [0, 15, 0]
    assert set_up(game, table=meld, melded=[1, 2, 3]).melded == [1, 2, 3]


@games
def test_the_stock_may_hold_no_more_than_is_named(game: str) -> None:
    stock = ["9C", "8C", "7D", "2S"]
    assert set_up(game, stock=stock, stock_rest=False).stock == stock


@pytest.mark.parametrize("game", MELDING)
def test_with_neither_stock_nor_pile_the_hand_is_over(game: str) -> None:
    table = set_up(game, hands={0: ["7S"]}, stock_rest=False)
    assert table.over in ("hand", "match")
    assert any(table.hand_scores)


@pytest.mark.parametrize("game", WITH_JOKERS)
def test_jokers_on_the_table(game: str) -> None:
    table = set_up(
        game,
        table=[(["4C", "JK(5C)", "6C"], 0), (["8H", "JK(8)", "8D"], 1)],
        hands={0: ["2C"]},
        jokers_per_deck=2,
    )
    assert table.melds[0].cards == ("4C", "JK(5C)", "6C")
    assert set(table.melds[1].cards) == {"8H", "8D", "JK(8)"}
    assert table.melded == [25, 31, 0]


@pytest.mark.parametrize("game", WITH_CALLS)
def test_a_call_can_be_set_up(game: str) -> None:
    table = set_up(game, table=[(["4H", "5H", "6H"], 1)], pile=["9C", "7H"], turn=0, phase="call")
    assert (table.turn, table.discarder) == (0, 2)
    assert table.legal() == ["pass", "call 7H"]


ALL_CARDS = [f"{r}{s}" for r in "A23456789TJQK" for s in "CDHS"]
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"hands": {0: ["7S", "7S"]}}, "7S is named more often than the pack holds it"),
    ({"hands": {0: ["7S"]}, "pile": ["7S"]}, "7S is named more often"),
    ({"hands": {0: ["7S"]}, "stock": ["7S"]}, "7S is named more often"),
    ({"hands": {0: ["JK"]}}, "JK is not in the pack"),
    ({"hands": {8: ["7S"]}}, "there are seats 0 to . only"),
    ({"turn": 8}, "there are seats 0 to . only"),
    ({"dealer": -1}, "there are seats 0 to . only"),
    ({"phase": "deal"}, "phase 'deal' is not one of draw, play"),
    ({"phase": "play", "hands": {0: []}}, "seat 0 has no cards left to play"),
    ({"scores": [1]}, "scores needs . numbers, one for each seat"),
    ({"melded": [1]}, "melded needs . numbers"),
    ({"hands": {0: ALL_CARDS[4:]}}, "not enough cards are left to deal seat 1 a hand"),
    ({"hands": {0: ["4S"]}, "num_suits": 3}, "4S is not in the pack"),
    ({"pile": ["TC"], "num_ranks": 9}, "TC is not in the pack"),
]


@games
@pytest.mark.parametrize(("given", "why"), REFUSED, ids=[w for _, w in REFUSED])
def test_positions_that_cannot_be(game: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(PositionError, match=why):
        set_up(game, **given)


NO_MELDS: list[tuple[dict[str, Any], str]] = [
    ({"table": [(["4H", "5H", "6H"], 8)]}, "there are seats 0 to . only"),
    ({"table": [(["4H", "5H"], 0)]}, "4H 5H is no meld"),
    ({"table": [(["4H", "5H", "7H"], 0)]}, "4H 5H 7H is no meld"),
    ({"table": [(["6H", "5H", "4H"], 0)]}, "a run is written upwards"),
    ({"table": [(["4H", "5H", "6D"], 0)]}, "4H 5H 6D is no meld"),
    ({"table": [(["KH", "AH", "2H"], 0)]}, "KH AH 2H is no meld"),
    ({"table": [(["4H", "4D", "5C"], 0)]}, "4H 4D 5C is no meld"),
    ({"table": [(["9C", "TC", "JC"], 0)], "num_ranks": 9}, "TC is not in the pack"),
]


@pytest.mark.parametrize("game", MELDING)
@pytest.mark.parametrize(("given", "why"), NO_MELDS, ids=[w for _, w in NO_MELDS])
def test_melds_that_are_none(game: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(PositionError, match=why):
        set_up(game, **given)


@pytest.mark.parametrize("game", MELDING)
def test_a_card_that_is_none_in_a_meld(game: str) -> None:
    with pytest.raises(CardError, match="'9Z' is no card"):
        set_up(game, table=[(["7S", "8S", "9Z"], 0)])


OWN = [(game, *case) for game in GAMES for case in refused(game).POSITIONS]


@pytest.mark.parametrize(("game", "given", "why"), OWN, ids=[f"{g}-{w}" for g, _, w in OWN])
def test_positions_that_cannot_be_in_this_game(game: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(PositionError, match=why):
        set_up(game, **given)


@games
@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"hands": {0: ["1S"]}}, "'1S' is no card"),
        ({"hands": {0: ["JK(5C)"]}}, "names a joker on the table"),
        ({"pile": ["7X"]}, "'7X' is no card"),
        ({"stock": ["9Z"]}, "'9Z' is no card"),
    ],
)
def test_cards_that_are_none(game: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(CardError, match=why):
        set_up(game, **given)


@games
def test_options_are_checked(game: str) -> None:
    with pytest.raises(RulesError, match="no option 'num_player'; did you mean 'num_players'"):
        Table.from_position(game, num_player=3)
    with pytest.raises(RulesError, match="no game"):
        Table.from_position("bridge")
