"""Gin beyond its rule cases: what is seen, other deals, and what is refused."""

from typing import Any

import numpy as np
import pytest

from rummyzoo.envs import Table, observation_layout, split
from rummyzoo.envs.cards import RANKS, SUITS, parse_card
from rummyzoo.envs.games import load_game
from rummyzoo.envs.games.gin.arrange import arrange
from rummyzoo.envs.position import PositionError
from rummyzoo.envs.rules import RulesError

KNOCKER = ["4S", "5S", "6S", "KH", "KD", "KC", "9C", "9D", "9H", "5D", "QS"]
OPENING = ["AC", "5C", "2D", "6D", "9D", "JD", "3H", "7H", "TH", "8S"]
OTHER = ["4S", "5S", "6S", "9C", "9H", "9S", "TD", "QD", "AD", "KC"]


def seen(table: Table, seat: int, **rules: Any) -> dict[str, np.ndarray]:
    return split(table.observation(seat), observation_layout("gin", **rules))


def test_a_shown_hand_is_known() -> None:
    hands = {0: KNOCKER, 1: ["7S", "8S", "QH", "2D"]}
    table = Table.from_position("gin", layoff="choose", hands=hands, phase="play")
    table.play("knock with QS")
    assert table.phase == "layoff"
    assert table.known(0) == table.hand(0) == ["5D"]
    assert table.known(1) == []
    pieces = seen(table, 1, layoff="choose")
    assert pieces["known"][0].nonzero()[0].tolist() == [parse_card("5D")]
    assert pieces["knocker"].tolist() == [0, 1]
    table.play("pass")
    assert table.known(1) == table.hand(1) == ["2D", "QH", "7S", "8S"]


def test_a_position_in_which_cards_are_laid_off() -> None:
    melds = [(["4S", "5S", "6S"], 0), (["KC", "KD", "KH"], 0)]
    where: dict[str, Any] = {"table": melds, "phase": "layoff", "turn": 1, "layoff": "choose"}
    table = Table.from_position("gin", hands={0: ["5D"], 1: ["7S", "8S", "QH"]}, **where)
    assert table.legal() == ["pass", "lay 7S on 6S"]
    assert table.known(0) == ["5D"]
    table.play("lay 7S 8S on 6S")
    assert table.over == "hand"
    assert table.scores == [5, 0]
    # With nothing that fits it is over from the beginning.
    table = Table.from_position("gin", hands={0: ["5D"], 1: ["8S", "QH"]}, **where)
    assert table.over == "hand"


def test_other_deals_while_cards_are_laid_off() -> None:
    """Whoever is asked to lay off holds a card that fits."""
    hands = {0: KNOCKER, 1: ["7S", "8S", "QH", "2D"]}
    table = Table.from_position("gin", layoff="choose", hands=hands, phase="play")
    table.play("knock with QS")
    others = [table.resample(0, n) for n in range(50)]
    assert all(len(other.legal()) > 1 for other in others)
    assert len({tuple(other.hand(1)) for other in others}) > 25
    assert all(table.resample(1, n).hand(0) == ["5D"] for n in range(5))


def test_other_deals_at_the_end_of_the_stock() -> None:
    """Whoever has taken the last discard can end the hand with it."""
    stock = ["QS", "7S", "2S"]
    pack = [rank + suit for suit in SUITS for rank in RANKS]
    pile = [card for card in pack if card not in (*OPENING, *OTHER, *stock)]
    table = Table.from_position(
        "gin",
        wall_rule="opponent_may_knock",
        hands={0: OPENING, 1: OTHER},
        pile=pile,
        stock=stock,
    )
    table.play("draw stock")
    table.play("discard JD")
    table.play("take JD")
    for n in range(20):
        other = table.resample(0, n)
        assert "JD" in other.hand(1)
        assert other.legal()
        assert not any(action.startswith("discard") for action in other.legal())


def test_what_the_upcard_says_can_be_read() -> None:
    layout = observation_layout("gin", preset="OKLAHOMA")
    rng = np.random.default_rng(2)
    for seed in range(30):
        table = Table("gin", seed, preset="OKLAHOMA")
        up = parse_card(table.pile[0])
        limit = 0 if up % 13 == 0 else min(up % 13 + 1, 10)
        while table.turn is not None:
            pieces = split(table.observation(table.turn), layout)
            assert pieces["upcard"].argmax() == up
            assert pieces["limit"].tolist() == [limit]
            assert pieces["doubled"].tolist() == [up // 13 == 3]
            hand = sum(1 << parse_card(card) for card in table.hand(table.turn))
            assert pieces["deadwood"] @ [100, 1] == arrange(hand, 0)[0]
            table.play(int(rng.choice(table.legal_actions())))


def test_who_has_passed_the_upcard() -> None:
    table = Table("gin", 3)
    first = table.turn
    assert first is not None
    assert seen(table, first)["refused"].tolist() == [0, 0]
    table.play("pass")
    assert seen(table, first)["refused"].tolist() == [1, 0]
    assert seen(table, 1 - first)["refused"].tolist() == [0, 1]
    table.play("pass")
    assert seen(table, first)["refused"].tolist() == [1, 1]
    assert table.legal() == ["draw stock"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"knock_limit": "upcrad"}, "knock_limit='upcrad' is not possible; .* or 'upcard'"),
        ({"knock_limit": True}, "knock_limit=True is not possible"),
        ({"knock_limit": 101}, "knock_limit is a whole number from 0 to 100"),
        ({"spade_double": 1}, "spade_double=1 is not possible"),
        ({"undercut_on_tie": "yes"}, "undercut_on_tie='yes' is not possible"),
        ({"big_gin_bonus": -1}, "big_gin_bonus=-1 is not possible; .* or None"),
        ({"shutout": None}, "shutout=None is not possible; shutout is one of 'bonus.100', "),
        ({"hand_size": 26}, "hand_size=26 for 2 players needs more than the 52 cards"),
        ({"num_players": 3}, "num_players=3 is not possible"),
        ({"num_decks": 1}, "there is no option 'num_decks'"),
    ],
)
def test_refused_options(options: dict[str, Any], why: str) -> None:
    with pytest.raises(RulesError, match=why):
        load_game("gin").make_rules(**options)


@pytest.mark.parametrize(("upcard", "ranks"), [("JK", 13), ("KS", 6)])
def test_an_upcard_that_cannot_be(upcard: str, ranks: int) -> None:
    with pytest.raises(PositionError, match=f"{upcard} cannot be the upcard"):
        Table.from_position("gin", upcard=upcard, num_ranks=ranks)


def test_actions_that_the_rules_leave_out() -> None:
    def kinds(**options: Any) -> set[str]:
        return {text.split()[0] for text in Table("gin", **options).texts}

    assert kinds() == {"pass", "draw", "take", "discard", "knock", "gin", "big"}
    assert kinds(preset="STRAIGHT_GIN") == kinds() - {"knock"}
    assert kinds(preset="GIN_CLASSIC") == kinds() - {"big"}
    assert kinds(layoff="choose") == kinds() | {"lay"}


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({"phase": "layoff"}, "the phase 'layoff' does not come up under these rules"),
        ({"table": [(["2S", "3S", "4S"], 1)]}, "no melds lie on the table during a hand"),
    ],
)
def test_positions_that_cannot_be(position: dict[str, Any], why: str) -> None:
    with pytest.raises(PositionError, match=why):
        Table.from_position("gin", **position)


@pytest.mark.parametrize("name", ["gin_rummy", "gin_rummy_v0", "gin_rummy_v4"])
def test_the_name_that_others_call_it_by(name: str) -> None:
    with pytest.raises(RulesError, match="did you mean 'gin'"):
        Table(name)
