"""Positions set up by hand: what comes of them, and which are refused."""

from typing import Any

import numpy as np
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
BY_SEAT = ("scores", "melded", "boxes")
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
        scores=[10, -40, 30],
        turn=0,
        phase="play",
        target=200,
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
    assert table.scores == [10, -40, 30]
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
    ({"hands": {8: ["7S"]}}, "but there are seats 0 to . only"),
    ({"turn": 8}, "but there are seats 0 to . only"),
    ({"dealer": -1}, "but there are seats 0 to . only"),
    ({"phase": "deal"}, "phase 'deal' is not one of draw, play"),
    ({"phase": "play", "hands": {0: []}}, "seat 0 has no cards left to play"),
    ({"scores": [1]}, "scores needs . numbers, one for each seat"),
    ({"hands": {0: ALL_CARDS[4:]}}, "not enough cards are left to deal seat 1 a hand"),
    ({"hands": {0: ["4S"]}, "num_suits": 3}, "4S is not in the pack"),
    ({"discarder": 1}, "a discarder is named in the phase 'call', not in 'draw'"),
    ({"pile": ["TC"], "num_ranks": 9}, "TC is not in the pack"),
]


@games
@pytest.mark.parametrize(("given", "why"), REFUSED, ids=[w for _, w in REFUSED])
def test_positions_that_cannot_be(game: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(PositionError, match=why):
        set_up(game, **given)


@games
@pytest.mark.parametrize(
    ("scores", "target", "why"),
    [
        ([1, -1], None, "with target=None there is one hand, and no scores before it"),
        ([60, -60], 50, "the match is over: seat 0 has 60 points, and the target is 50"),
        ([-50, 50], 50, "the match is over: seat 1 has 50 points, and the target is 50"),
    ],
)
def test_scores_that_cannot_be(game: str, scores: list[int], target: int | None, why: str) -> None:
    with pytest.raises(PositionError, match=why):
        set_up(game, num_players=2, scores=scores, target=target)


UNREADABLE: list[tuple[dict[str, Any], str]] = [
    ({"hands": [["7S"]]}, r"hands is a dictionary of seats and their cards like .*, not \[\['7S'"),
    ({"hands": {"0": ["7S"]}}, "hands names seat '0', but there are seats 0 to . only"),
    ({"hands": {0: "7S KD"}}, r"the hand of seat 0 is a list of cards like .*, not '7S KD'"),
    ({"hands": {0: None}}, "the hand of seat 0 is a list of cards like .*, not None"),
    ({"pile": "7S"}, r"pile is a list of cards like \['7S', 'KD'\], not '7S'"),
    ({"pile": None}, "pile is a list of cards like .*, not None"),
    ({"stock": {"7S"}}, "stock is a list of cards like .*, not {'7S'}"),
    ({"stock_rest": 1}, "stock_rest=1 is not possible; stock_rest is True or False"),
    ({"dealer": 1.5}, "dealer names seat 1.5, but there are seats 0 to . only"),
    ({"dealer": True}, "dealer names seat True, but there are seats"),
    ({"turn": "0"}, "turn names seat '0', but there are seats"),
    ({"phase": 1}, "phase 1 is not one of draw, play"),
    ({"phase": ["draw"]}, r"phase \['draw'\] is not one of draw, play"),
    ({"scores": 5}, "scores is a list of . numbers, not 5"),
    ({"scores": "123"}, "scores is a list of . numbers, not '123'"),
    ({"scores": [0.5, 0, 0]}, "scores holds 0.5; it takes whole numbers from -1000000 to 1000000"),
    ({"scores": [1 << 40, 0, 0]}, "scores holds 1099511627776; it takes whole numbers from"),
    ({"table": "4H 5H 6H"}, "table is a list of melds, not '4H 5H 6H'; a meld is its cards and"),
    ({"table": [["4H", "5H", "6H"]]}, r"\['4H', '5H', '6H'\], 0\), not \['4H', '5H', '6H'\]"),
    ({"table": [(["4H", "5H", "6H"],)]}, "a meld is its cards and the seat that laid it, like"),
    ({"table": [("4H 5H 6H", 0)]}, "a meld is a list of cards like .*, not '4H 5H 6H'"),
    ({"table": [(["4H", "5H", "6H"], None)]}, "table names seat None, but there are seats"),
    ({"melded": [-5, 0, 0]}, "melded holds -5; it takes whole numbers from 0 to 10000"),
    ({"boxes": [0, "1", 0]}, "boxes holds '1'; it takes whole numbers from 0 to 1000000"),
]


@games
@pytest.mark.parametrize(("given", "why"), UNREADABLE, ids=[w for _, w in UNREADABLE])
def test_positions_that_cannot_be_read(game: str, given: dict[str, Any], why: str) -> None:
    players = min(3, load_game(game).MAX_PLAYERS)
    by_seat = {n: v[:players] for n, v in given.items() if n in BY_SEAT and isinstance(v, list)}
    with pytest.raises(PositionError, match=why):
        set_up(game, **{**given, **by_seat})


@games
def test_numbers_of_numpy_will_do(game: str) -> None:
    where: dict[str, Any] = {"dealer": np.int64(1), "scores": np.zeros(2, np.int16)}
    where["turn"] = np.uint8(0)
    hands = {np.int64(0): ["7S", "KD"], 1: ("2C", "3D")}
    table = set_up(game, num_players=2, hands=hands, seed=np.int64(3), **where)
    plain = {"dealer": 1, "turn": 0, "scores": [0, 0], "hands": {0: ["7S", "KD"], 1: ["2C", "3D"]}}
    assert table == set_up(game, num_players=2, seed=3, **plain)


NO_MELDS: list[tuple[dict[str, Any], str]] = [
    ({"table": [(["4H", "5H", "6H"], 8)]}, "but there are seats 0 to . only"),
    ({"table": [(["4H", "5H"], 0)]}, "4H 5H is not a meld"),
    ({"table": [(["4H", "5H", "7H"], 0)]}, "4H 5H 7H is not a meld"),
    ({"table": [(["6H", "5H", "4H"], 0)]}, "a run is written upwards"),
    ({"table": [(["4H", "5H", "6D"], 0)]}, "4H 5H 6D is not a meld"),
    ({"table": [(["KH", "AH", "2H"], 0)]}, "KH AH 2H is not a meld"),
    ({"table": [(["4H", "4D", "5C"], 0)]}, "4H 4D 5C is not a meld"),
    ({"table": [(["9C", "TC", "JC"], 0)], "num_ranks": 9}, "TC is not in the pack"),
]


@pytest.mark.parametrize("game", MELDING)
@pytest.mark.parametrize(("given", "why"), NO_MELDS, ids=[w for _, w in NO_MELDS])
def test_melds_that_are_none(game: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(PositionError, match=why):
        set_up(game, **given)


@pytest.mark.parametrize("game", MELDING)
def test_a_card_that_is_none_in_a_meld(game: str) -> None:
    with pytest.raises(CardError, match="'9Z' is not a card"):
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
        ({"hands": {0: ["1S"]}}, "'1S' is not a card"),
        ({"hands": {0: ["JK(5C)"]}}, "names a joker on the table"),
        ({"hands": {0: [7]}}, "7 is not a card; cards are text like '7S'"),
        ({"stock": [None]}, "None is not a card; cards are text like '7S'"),
        ({"upcard": 7}, "7 is not a card; cards are text like '7S'"),
        ({"pile": ["7X"]}, "'7X' is not a card"),
        ({"stock": ["9Z"]}, "'9Z' is not a card"),
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
