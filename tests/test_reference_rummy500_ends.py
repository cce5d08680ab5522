"""The naive reference engine itself: rule cases by hand, of the end of a hand, calls and matches.

The seats are A, B, C = 0, 1, 2.
"""

from __future__ import annotations

from typing import Any

import pytest
from reference.rummy500 import Reference
from reference_positions import THREE, play, position

# --- the end of a hand ---


def test_cards_left_in_hand() -> None:
    game = position(["AD 2D 3D", "KS", "JK 4S"], turn=1, phase="play", options={"num_players": 3})
    assert play(game, "discard KS").hand_scores == [-20, 0, -19]


def test_out_without_a_discard() -> None:
    hands = ["4C 5C 6C", "3S", "4S"]
    game = play(position(hands, phase="play"), "meld 4C 5C 6C")
    assert game.over == "hand"
    game = position(hands, phase="play", options={**THREE, "going_out": "discard_required"})
    assert set(game.legal()) == {"discard 4C", "discard 5C", "discard 6C"}


def test_no_call_on_the_last_discard() -> None:
    table = [("4H 5H 6H", 1)]
    game = play(position(["7H", "3S 2D", "4S"], table, phase="play"), "discard 7H")
    assert game.over == "hand"
    options = {**THREE, "final_discard_unplayable": True}
    game = position(["7H", "3S 2D", "4S"], table, phase="play", options=options)
    assert game.legal() == ["lay 7H on 6H"]


def test_no_play_into_a_dead_end() -> None:
    options = {**THREE, "final_discard_unplayable": True, "going_out": "discard_required"}
    game = position(["7H 7S 9C", "3S", "4S"], [("4H 5H 6H", 1), ("4S 5S 6S", 1)], phase="play",
                    options=options)  # fmt: skip
    assert {a for a in game.legal() if a.startswith("lay")} == {"lay 7H on 6H", "lay 7S on 6S"}
    game.play("lay 7H on 6H")
    assert "lay 7S on 6S" in game.legal()  # 9C is left and fits nowhere
    game = position(["7H 7S", "3S", "4S"], [("4H 5H 6H", 1), ("4S 5S 6S", 1)], phase="play",
                    options=options)  # fmt: skip
    assert set(game.legal()) == {"discard 7H", "discard 7S"}


def test_melds_that_leave_only_the_barred_card() -> None:
    game = play(position(["4C 5C 6C", "3S", "4S"], pile="2D QH"), "take QH")
    assert not [a for a in game.legal() if a.startswith("meld")]


def test_floating() -> None:
    options = {**THREE, "going_out": "float"}
    game = position(["4C 5C 6C", "3S KD", "4S 2D"], pile="TD", stock="9H 9D", phase="play",
                    options=options)  # fmt: skip
    play(game, "meld 4C 5C 6C")
    assert (game.over, game.turn, game.phase, game.pile) == ("no", 1, "draw", ["TD"])
    play(game, "draw stock", "discard KD", "take KD", "discard 2D")
    assert set(game.legal()) == {"draw stock"}  # a single 2D could not be discarded
    play(game, "draw stock", "discard 9D")
    assert game.over == "hand"
    game = position(["", "3S KD", "4S 2D"], [("TH JH QH", 1)], stock="9H", options=options)
    play(game, "draw stock", "lay 9H on TH")
    assert (game.over, game.turn) == ("hand", None)  # neither a stock nor a pile for B


def test_floating_with_a_deep_pick() -> None:
    game = position(["", "3S", "4S"], pile="7S 7C 7D 2H", options={**THREE, "going_out": "float"})
    play(game, "take 7S", "meld 7C 7D 7S", "discard 2H")
    assert (game.over, game.hand_scores) == ("hand", [21, -3, -4])


def test_other_points() -> None:
    options = {**THREE, "scoring": "5_10_15"}
    hand = "7S 8S 9S TH JH QH AD AH AS AC 2C 3C 4D"
    game = position([hand, "JK", "4S"], phase="play", options=options)
    totals = []
    for meld in ("7S 8S 9S", "TH JH QH", "AD AH AS", "AC 2C 3C"):
        game.play("meld " + meld)
        totals.append(game.melded[0])
    assert totals == [15, 45, 90, 105]
    assert play(game, "discard 4D").hand_scores == [105, -15, -5]


def test_top_discard_must_meld() -> None:
    options = {**THREE, "top_discard_must_meld": True}
    assert position(["2S 5D", "3S", "4S"], pile="4D KH", options=options).legal() == ["draw stock"]
    game = position(["KS KD 2S 5D", "3S", "4S"], pile="4D KH", options=options)
    assert play(game, "take KH").legal() == ["meld KD KH KS"]


# --- calling ---


def call_position(**options: Any) -> Reference:
    game = position(
        ["7H 9D", "3S KC", "4S 2D"],
        [("4H 5H 6H", 1)],
        pile="TD",
        phase="play",
        options={**THREE, **options},
    )
    return play(game, "discard 7H")


def test_a_call_skips_the_seat_between() -> None:
    game = call_position()
    assert (game.phase, game.turn) == ("call", 1)
    assert set(game.legal()) == {"pass", "call 7H"}
    game.play("pass")
    assert (game.phase, game.turn) == ("call", 2)
    game.play("call 7H")
    assert game.legal() == ["lay 7H on 6H"]
    play(game, "lay 7H on 6H", "discard 2D")
    assert (game.turn, game.phase, game.melded[2]) == (0, "draw", 7)


def test_the_next_seat_draws_when_all_pass() -> None:
    game = play(call_position(), "pass", "pass")
    assert (game.phase, game.turn) == ("draw", 1)


def test_what_can_be_called() -> None:
    game = position(["9H 2S", "3S", "4S"], pile="9C 9D", phase="play")
    play(game, "discard 9H")
    assert set(game.legal()) == {"pass", "call 9C"}
    game = position(["KH 2S", "3S", "9H 9S"], pile="9C 9D", phase="play")
    assert play(game, "discard KH").phase == "draw"


@pytest.mark.parametrize(("persistent", "phase"), [(True, "call"), (False, "draw")])
def test_old_chances(persistent: bool, phase: str) -> None:
    game = play(call_position(rummy_persistent=persistent), "pass", "pass")
    play(game, "draw stock", "discard KC")
    assert game.phase == phase
    assert game.turn == 2


def test_a_caller_goes_out() -> None:
    game = position(["7H 9D", "3S KC", "2D"], [("4H 5H 6H", 1)], phase="play")
    play(game, "discard 7H", "pass", "call 7H", "lay 7H on 6H", "discard 2D")
    assert game.over == "hand"


def test_two_players_are_never_asked_and_a_joker_can_be_called() -> None:
    game = position(["7H 9D", "3S"], [("4H 5H 6H", 1)], phase="play", options={"num_players": 2})
    assert play(game, "discard 7H").phase == "draw"
    game = position(["JK 9D", "3S", "4S"], [("4H 5H 6H", 1)], phase="play")
    assert "call JK" in play(game, "discard JK").legal()


# --- an empty stock, and matches ---


def test_an_empty_stock() -> None:
    hands = ["8D 9S 2C", "3S KD 4C", "4S 5S QC"]
    game = position(hands, pile="KD 3C", stock="6D")
    play(game, "draw stock")
    assert game.over == "no"
    game = position(hands, pile="KD 3C", stock="")
    assert set(game.legal()) == {"pass", "take 3C"}
    play(game, "take 3C", "discard 8D")
    assert (game.over, game.turn) == ("no", 1)
    assert play(game, "pass").over == "hand"
    assert position(hands, stock="").over == "hand"


def test_a_round_of_idle_takes_and_the_immediate_end() -> None:
    hands = ["8D 9S 2C", "3S KD 4C", "4S 5S QC"]
    game = position(hands, pile="KD 3C", stock="")
    play(game, "take 3C", "discard 8D", "take 8D", "discard 3S", "take 3S")
    assert play(game, "discard QC").over == "hand"
    options = {**THREE, "stock_out": "immediate"}
    game = position(hands, pile="KD 3C", stock="6D", options=options)
    assert play(game, "draw stock", "discard 8D").over == "hand"


@pytest.mark.parametrize(
    ("before", "over", "winner", "after"),
    [
        ([480, 470, 300], "match", 0, [505, 510, 280]),  # with B's points
        ([480, 465, 300], "hand", None, [505, 505, 280]),
        ([0, 0, 0], "hand", None, [25, 40, -20]),
    ],
)
def test_match(before: list[int], over: str, winner: int | None, after: list[int]) -> None:
    game = position(["9D", "TH", "QH KH"], phase="play", scores=before, melded=[25, 50, 0])
    play(game, "discard 9D")
    assert (game.scores, game.over) == (after, over)
    assert game.winner == (1 if winner is not None else None)


def test_max_turns_truncates_and_max_hands_too() -> None:
    game = position(["8D 9S", "3S KD", "4S"], pile="3C", options={**THREE, "max_turns": 1},
                    melded=[9, 0, 0])  # fmt: skip
    play(game, "draw stock", "discard 8D")
    assert (game.over, game.phase, game.turn, game.scores) == ("truncated", "over", None, [0] * 3)
    assert game.legal() == []
    game = position(["8D", "3S", "4S"], phase="play", options={**THREE, "max_hands": 1})
    play(game, "discard 8D")
    assert (game.over, game.scores) == ("truncated", [0, -3, -4])


def test_illegal_actions_change_nothing() -> None:
    game = position(["2S 5D", "3S", "4S"], pile="KH")
    with pytest.raises(ValueError, match="not legal"):
        game.play("discard 2S")
    assert (game.phase, game.hands[0]) == ("draw", ["5D", "2S"])
    with pytest.raises(ValueError, match="unknown option"):
        Reference(jokers=2)
