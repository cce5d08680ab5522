"""The naive reference engine itself: rule cases by hand, of drawing, taking, melds and lay-offs.

Case names give the position in words; the seats are A, B, C = 0, 1, 2.
"""

from __future__ import annotations

import random

import pytest
from reference.rummy500 import Reference
from reference_positions import THREE, deal, play, position

# --- deal, draw and take ---


@pytest.mark.parametrize(
    ("players", "jokers", "stock"),
    [
        *[(2, 2, 27), (3, 2, 32), (4, 2, 25), (5, 2, 72), (6, 2, 65), (7, 2, 58), (8, 2, 51)],
        *[(2, 0, 25), (3, 0, 30), (4, 0, 23), (5, 0, 68)],
    ],
)
def test_stock_sizes(players: int, jokers: int, stock: int) -> None:
    game = Reference(num_players=players, jokers_per_deck=jokers)
    assert len(deal(game, random.Random(1))[1]) == stock


def test_left_of_the_dealer_draws_once() -> None:
    game = Reference(**THREE)
    game.start(*deal(game, random.Random(2)), dealer=2)
    assert (game.turn, game.phase) == (0, "draw")
    game.play("draw stock")
    assert not [a for a in game.legal() if a.startswith(("draw", "take"))]


def test_single_card_may_not_go_back() -> None:
    game = position(["2S 5D", "3S", "4S"], pile="9C 4D KH")
    assert set(game.legal()) == {"draw stock", "take KH"}
    game.play("take KH")
    assert set(game.legal()) == {"discard 2S", "discard 5D"}


def test_a_pile_of_one_card() -> None:
    game = position(["2S 5D", "3S", "4S"], pile="7S")
    assert "discard 7S" not in play(game, "take 7S").legal()


def test_deep_pick() -> None:
    game = position(["7C 7D 2H 9S QD", "3S", "4S"], pile="5H 7S TC")
    assert set(game.legal()) == {"draw stock", "take 7S", "take TC"}
    game.play("take 7S")
    assert game.pile == ["5H"]
    assert game.legal() == ["meld 7C 7D 7S"]
    game.play("meld 7C 7D 7S")
    assert game.melded == [21, 0, 0]
    game.play("discard TC")
    assert game.turn == 1


def test_lay_off_of_the_deep_card() -> None:
    game = position(["2H KH", "3S", "4S"], [("8S 9S TS", 1)], pile="7S 2D QC")
    play(game, "take 7S", "lay 7S on 8S")
    assert game.melded == [7, 27, 0]
    assert game.hands[0] == ["QC", "2D", "2H", "KH"]
    assert game.melds[0].owners == (0, 1, 1, 1)


def test_the_pile_alone_makes_the_meld() -> None:
    game = position(["2H KH", "3S", "4S"], pile="9C 9D 9H")
    assert play(game, "take 9C", "meld 9C 9D 9H").melded[0] == 27


def test_first_or_before_discard() -> None:
    hands = ["6C 6D QS QH QD 2S", "3S", "4S"]
    game = play(position(hands, pile="6H 2C"), "take 6H")
    assert game.legal() == ["meld 6C 6D 6H"]
    options = {**THREE, "deep_pick_timing": "before_discard"}
    game = play(position(hands, pile="6H 2C", options=options), "take 6H")
    assert set(game.legal()) == {"meld 6C 6D 6H", "meld QD QH QS"}
    game.play("meld QD QH QS")
    assert game.legal() == ["meld 6C 6D 6H"]


@pytest.mark.parametrize("timing", ["first", "before_discard"])
def test_plays_that_strand_the_due_card(timing: str) -> None:
    game = position(
        ["7H 7C 7D 4S", "3S", "4S"],
        pile="6H 2C 8H",
        options={**THREE, "deep_pick_timing": timing},
    )
    assert play(game, "take 6H").legal() == ["meld 6H 7H 8H"]


def test_out_with_a_discard_from_the_pile() -> None:
    game = play(position(["7C 7D", "3S", "4S"], pile="7S KC"), "take 7S", "meld 7C 7D 7S")
    play(game, "discard KC")
    assert (game.over, game.hand_scores) == ("hand", [21, -3, -4])


def test_then_any_discard() -> None:
    game = position(["TH JH 3C", "3S", "4S"], pile="QH 5D 2S")
    play(game, "take QH", "meld TH JH QH")
    assert set(game.legal()) == {"discard 3C", "discard 5D", "discard 2S"}


def test_deep_pick_that_only_the_picked_cards_help() -> None:
    hands = ["2H KH 9S", "3S", "4S"]
    options = {**THREE, "deep_pick_uses_picked": False}
    assert "take 9C" in position(hands, pile="9C 9D 4C").legal()
    assert "take 9C" not in position(hands, pile="9C 9D 4C", options=options).legal()
    game = position(["9H KH 9S", "3S", "4S"], pile="9C 9D 4C", options=options)
    assert play(game, "take 9C").legal() == ["meld 9C 9H 9S"]
    assert "lay 9D on 9" in play(game, "meld 9C 9H 9S").legal()


def test_bridging_cards_come_before_the_due_card_only() -> None:
    game = position(["6H KH 9S QH", "3S", "4S"], [("7H 8H 9H", 1)], pile="5H 4C")
    game.play("take 5H")
    assert game.legal() == ["lay 6H on 7H"]
    game.play("lay 6H on 7H")
    assert game.legal() == ["lay 5H on 6H"]
    assert "discard 4C" in play(game, "lay 5H on 6H").legal()


def test_bridging_with_a_joker() -> None:
    game = position(["KH 9S JK", "3S", "4S"], [("7H 8H 9H", 1)], pile="5H", options={
        "num_players": 3, "top_discard_must_meld": True})  # fmt: skip
    game.play("take 5H")
    assert game.legal() == ["lay JK(6H) on 7H"]
    game.play("lay JK(6H) on 7H")
    assert game.legal() == ["lay 5H on 6H"]


# --- melds and lay-offs ---


@pytest.mark.parametrize(
    ("hand", "meld", "points"),
    [
        ("KH KS KD", "meld KD KH KS", 30),
        ("5D 5D 5H", "", 0),
        ("3S 4S 5S", "meld 3S 4S 5S", 12),
        ("3S 4S 5H", "", 0),
        ("AH 2H 3H", "meld AH 2H 3H", 6),
        ("QC KC AC", "meld QC KC AC", 35),
        ("KD AD 2D", "", 0),
        ("AH AS AD", "meld AD AH AS", 45),
        ("KH KD JK", "meld KD KH JK(K)", 35),
        ("4C JK 6C", "meld 4C JK(5C) 6C", 25),
        ("7D 8D JK", "meld JK(6D) 7D 8D", 30),
        ("7D 8D JK", "meld 7D 8D JK(9D)", 30),
        ("JK 2D 3D", "meld JK(AD) 2D 3D", 20),
        ("JK JK 8H", "meld 8H JK(8) JK(8)", 38),
        ("JK JK JK", "", 0),
    ],
)
def test_melds(hand: str, meld: str, points: int) -> None:
    game = position(
        [hand + " 9S" * bool(meld), "3S", "4S"],
        phase="play",
        options={"num_players": 3, "num_decks": 2},
    )
    if meld:
        assert play(game, meld).melded[0] == points
    else:
        assert not [a for a in game.legal() if a.startswith("meld")]


@pytest.mark.parametrize(
    ("table", "card", "lays"),
    [
        ("5D 5H 5C", "5D", []),
        ("5D 5H 5C", "5S", ["lay 5S on 5"]),
        ("5D 5H 5C 5S", "JK", []),
        ("2H 3H 4H", "AH", ["lay AH on 2H"]),
        ("JC QC KC", "AC", ["lay AC on KC"]),
        ("AS 2S 3S", "KS", []),
        ("QC KC AC", "2C", []),
        ("4C JK(5C) 6C", "5C", []),
        ("9H TH JH", "JK", ["lay JK(8H) on 9H", "lay JK(QH) on JH"]),
        ("8S JK(8) 8D", "JK", ["lay JK(8) on 8"]),
        ("8S JK(8) 8D", "8H", ["lay 8H on 8"]),  # a joker leaves all suits open
    ],
)
def test_lay_offs(table: str, card: str, lays: list[str]) -> None:
    game = position(
        [card + " 9S KD", "3S", "4S"], [(table, 1)], phase="play", options={"num_players": 3}
    )
    assert [a for a in game.legal() if a.startswith("lay")] == lays


def test_a_lay_off_behind_a_joker() -> None:
    game = position(["JK KH 2S", "3S", "4S"], [("9H TH JH", 1)], phase="play")
    assert play(game, "lay JK(QH) on JH", "lay KH on QH").melded[0] == 25


def test_no_meld_of_ones_own_needed_and_a_choice() -> None:
    table = [("8S 8H 8D", 1), ("5C 6C 7C", 2)]
    game = position(["8C 2S", "3S", "4S"], table, phase="play")
    assert game.legal()[:2] == ["lay 8C on 8", "lay 8C on 7C"]
    assert play(game, "lay 8C on 8").melded == [8, 24, 18]


def test_several_sets_of_a_rank_take_the_one_with_most_naturals() -> None:
    table = [("7C JK(7) JK(7)", 1), ("7C 7D JK(7)", 2)]
    game = position(
        ["7H 7D 2S", "3S", "4S"], table, phase="play", options={"num_players": 3, "num_decks": 2}
    )
    play(game, "lay 7H on 7", "lay 7D on 7")
    assert [meld.cards for meld in game.melds] == [
        ("7C", "7D", "JK(7)", "JK(7)"),
        ("7C", "7D", "7H", "JK(7)"),
    ]


def test_ace_to_ace() -> None:
    run = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    game = position(
        ["AS AS 4H", "3S", "4S"],
        [(run, 1)],
        phase="play",
        options={"num_players": 3, "num_decks": 2},
    )
    assert play(game, "lay AS on 2S", "lay AS on KS").melded[0] == 16
