"""The naive reference engine itself: rule cases by hand, and random play over varied options.

Case names give the position in words; the seats are A, B, C = 0, 1, 2.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from reference.rummy500 import Reference, Turn
from reference.table import Play, count, named

THREE = {"num_players": 3, "jokers_per_deck": 0}


def cards(text: str) -> list[str]:
    return text.split()


def position(
    hands: list[str],
    table: list[tuple[str, int]] | None = None,
    pile: str = "",
    stock: str = "2C 3C 4D",
    options: dict[str, Any] | None = None,
    **kwargs: Any,
) -> Reference:
    game = Reference(**(THREE if options is None else options))
    melds = [(cards(meld), owner) for meld, owner in table or []]
    game.load([cards(h) for h in hands], melds, cards(pile), cards(stock), **kwargs)
    return game


def play(game: Reference, *actions: str) -> Reference:
    for action in actions:
        game.play(action)
    return game


def deal(game: Reference, rng: random.Random) -> tuple[list[list[str]], list[str], list[str]]:
    pack = game.full_pack()
    rng.shuffle(pack)
    size = game.rules["hand_size"]
    hands = [[pack.pop() for _ in range(size)] for _ in range(game.num_players)]
    pile = [pack.pop()]
    return hands, pack, pile


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


# --- random play ---

VARIED: dict[str, list[Any]] = {
    "num_players": [2, 3, 4, 6],
    "num_decks": ["auto", 2],
    "jokers_per_deck": [0, 1, 2],
    "scoring": ["face", "5_10_15"],
    "ace_in_runs": ["both", "low", "high"],
    "top_discard_must_meld": [False, True],
    "deep_pick_timing": ["first", "before_discard"],
    "deep_pick_uses_picked": [True, False],
    "rummy_persistent": [True, False],
    "going_out": ["discard_optional", "discard_required", "float"],
    "final_discard_unplayable": [False, True],
    "stock_out": ["until_declined", "immediate"],
    "num_ranks": [13, 13, 5, 3],
    "num_suits": [4, 4, 2],
    "target": [None, 40],
    "max_hands": [3],
}


@pytest.mark.parametrize("seed", range(120))
def test_random_play(seed: int) -> None:
    rng = random.Random(seed)
    game = Reference(**{name: rng.choice(values) for name, values in VARIED.items()})
    pack = Counter(game.full_pack())
    game.start(*deal(game, rng), dealer=rng.randrange(game.num_players))
    eager = rng.random()  # how often it plays a card when it can
    turns = 0
    while True:
        legal = game.legal()
        assert len(legal) == len(set(legal))
        assert bool(legal) == (game.over == "no")
        held = [card for hand in game.hands for card in hand]
        played = [c if "(" not in c else "JK" for meld in game.melds for c in meld.cards]
        assert Counter(held + played + game.pile + game.stock) == pack
        if game.over == "hand":
            assert turns <= game.rules["max_turns"]
            game.next_hand(*deal(game, rng))
            turns = 0
        elif game.over != "no":
            break
        else:
            plays = [a for a in legal if a.startswith(("meld", "lay", "take", "call"))]
            action = rng.choice(plays if plays and rng.random() < eager else legal)
            was = game.phase
            game.play(action)
            turns += was == "play" and game.phase != "play"  # one play phase a turn
    assert turns <= game.rules["max_turns"]


class BruteForce(Reference):
    """The reference without its short cuts: every question is answered by trying all plays."""

    def _plays(self, turn: Turn) -> Iterator[Play]:
        if turn.due is None or not turn.first:
            return super()._plays(turn)
        usable, ways = turn.usable(), []
        for play in (p for card in usable for p in turn.table.places.get(card, ())):
            end = (named(play.shown[0])[1:], play.end, play.low)
            if turn.bridge in (None, end) and (turn.due in play.cards or play.end != "set"):
                ways.append(play)  # perhaps a bridge that leads nowhere: the search finds out
        if not turn.bridge:
            ways += [play for play in turn.table.new_melds(usable) if turn.due in play.cards]
        return iter(ways)

    def _finishable(self, turn: Turn) -> bool:
        if self._discards(turn):
            return True
        if not turn.hand:
            return turn.due is None and self.rules["going_out"] != "discard_required"
        return any(self._finishable(turn.after(play)) for play in self._plays(turn))

    def _may_play(self, turn: Turn, play: Play, size: int) -> bool:
        return self._finishable(turn.after(play))

    def _public(self) -> set[int]:
        def can_play_due(turn: Turn) -> bool:
            after = (turn.after(play) for play in self._plays(turn))
            return any(t.due is None or can_play_due(t) for t in after)

        if not self.rules["calling_rummy"] or self.num_players == 2:
            return set()
        return {
            i
            for i, card in enumerate(self.pile)
            if can_play_due(Turn(0, count(self.pile[i:]), self._table, due=card))
        }


@pytest.mark.parametrize("seed", range(60))
def test_short_cuts_change_nothing(seed: int) -> None:
    rng = random.Random(seed)
    options = {name: rng.choice(values) for name, values in VARIED.items()}
    options |= {"num_players": rng.choice([2, 3, 4]), "num_suits": rng.choice([2, 4])}
    options |= {"num_ranks": rng.choice([4, 7, 13]), "hand_size": rng.randint(2, 5), "target": None}
    quick, brute = Reference(**options), BruteForce(**options)
    most = (len(quick.full_pack()) - 1) // quick.num_players
    quick.rules["hand_size"] = min(quick.rules["hand_size"], most)
    dealt = deal(quick, rng)
    for game in (quick, brute):
        game.start(*dealt, dealer=0)
    for _ in range(60):
        legal = quick.legal()
        assert sorted(legal) == sorted(brute.legal())
        if not legal:
            break
        cards_first = [a for a in legal if a.startswith(("meld", "lay", "take", "call"))]
        action = rng.choice(cards_first if cards_first and rng.random() < 0.3 else legal)
        quick.play(action)
        brute.play(action)
    assert (quick.hand_scores, quick.melded) == (brute.hand_scores, brute.melded)
