"""What a person at the terminal may type as a move, and what is taken back."""

from pathlib import Path

import numpy as np
import pytest
from at_the_terminal import at, games, in_play, place, sit, typed  # noqa: F401

from rummyzoo.agents.terminal.moves import read_move
from rummyzoo.agents.terminal.sitting import Sitting, in_sight
from rummyzoo.envs import IllegalAction
from rummyzoo.envs.record import read_record

READS = [
    ("1", ["draw stock"]),
    ("d", ["draw stock"]),
    ("dr", ["draw stock"]),
    ("take", ["take 2D"]),
    ("t 2d", ["take 2D"]),
    ("t 7♠", ["take 7S"]),
    ("take 3", ["take 7S"]),
]
IN_PLAY = [
    ("d kc", ["discard KC"]),
    ("disc 10h", ["discard TH"]),
    ("discard joker", ["discard JK"]),
    ("m 4h,5h,6h", ["meld 4H 5H 6H"]),
    ("4h 5h 6h 7h 8h", ["meld 4H 5H 6H", "lay 7H on 6H", "lay 8H on 7H"]),
    ("meld 4h jk 6h", ["meld 4H JK(5H) 6H"]),
    ("meld jk 5h 6h", ["meld JK(4H) 5H 6H"]),
    ("meld 5h 6h jk", ["meld 5H 6H JK(7H)"]),
    ("meld kc kd jk", ["meld KC KD JK(K)"]),
    ("l 9s", ["lay 9S on 8S"]),
    ("lay 9s 10s", ["lay 9S on 8S", "lay TS on 9S"]),
    ("lay 9s on 8s", ["lay 9S on 8S"]),
    ("lay jk on 8s", ["lay JK(9S) on 8S"]),
]
REFUSED = [
    ("99", "there is no move 99; moves are 1 to"),
    ("0", "there is no move 0"),
    ("kc", "say what to do with KC, like discard or lay"),
    ("meld kc jk jk", r"say what the jokers stand for: JK\(K\) twice in a set"),
    ("meld jk jk 2h ah", "the cards are not in sequence as they are written"),
    ("lay kc", "no meld on the table takes KC"),
    ("lay jk", r"say where: lay JK\(5S\) on 6S or lay JK\(9S\) on 8S"),
    ("lay jk kc on 8s", "lay a joker off by itself"),
    ("lay pair", "a lay-off is written like"),
    ("draw", "you have drawn already"),
    ("take 1", "1 is another move: meld"),
    ("foo bar", "'foo bar' is neither a move nor a command; help lists both"),
    ("knock kc", "'knock kc' is neither a move nor a command"),
    ("discard", "'discard' is not an action"),
    ("discard qs", "you do not hold QS"),
]


@pytest.mark.parametrize(("line", "actions"), READS)
def test_what_a_line_means(line: str, actions: list[str]) -> None:
    sitting = at(hands={0: ["7C", "7D", "KS"]}, pile=["7S", "TH", "2D"], turn=0, dealer=1)
    check(sitting, line, actions)


@pytest.mark.parametrize(("line", "actions"), IN_PLAY)
def test_what_a_line_means_after_the_draw(line: str, actions: list[str]) -> None:
    check(in_play(), line, actions)


def check(sitting: Sitting, line: str, actions: list[str]) -> None:
    before = sitting.table.copy()
    found = read_move(line, sitting.table)
    assert [sitting.table.texts[action] for action in found] == actions
    assert sitting.table == before
    sitting.decide(found)


@pytest.mark.parametrize(("line", "says"), REFUSED)
def test_what_no_line_means(line: str, says: str) -> None:
    sitting = in_play()
    before = sitting.table.copy()
    with pytest.raises(IllegalAction, match=says):
        read_move(line, sitting.table)
    assert sitting.table == before


def test_gin_and_knocks_need_no_card_where_there_is_one() -> None:
    def read(hand: str, line: str) -> list[str]:
        table = at("gin", hands={0: hand.split()}, pile=["8S"], turn=0, phase="play").table
        return [table.texts[action] for action in read_move(line, table)]

    gin = "AC 2C 3C 4C 5D 6D 7D 9H 9S 9D KH"
    assert read(gin, "gin") == ["gin with KH"]
    with pytest.raises(IllegalAction, match="knock with KH: nothing would be left outside melds"):
        read(gin, "knock kh")
    assert read("AC 2C 3C 4C 5D 6D 7D 8D 5S 4H KH", "knock") == ["knock with KH"]
    two = "AC 2C 3C 5D 6D 7D 9H 9S 9D 4S KH"
    assert read(two, "k with 4s") == ["knock with 4S"]
    with pytest.raises(IllegalAction, match="say with which discard: knock with KH or knock with"):
        read(two, "knock")
    with pytest.raises(IllegalAction, match="points outside melds; one knocks with 10 or less"):
        read("KC QD JH 9S 8C 7D 5H 3S 2D AC TC", "knock")


# --- taking back ---


def test_plays_are_taken_back_as_they_were_typed() -> None:
    sitting = in_play()
    before = sitting.table.copy()
    sitting.keep(Path("undo.jsonl"))
    said = typed(sitting, "4h 5h 6h 7h 8h", "m kc kd jk", "undo", "undo", "undo")
    assert "Taken back: meld K♣ K♦ JK(K)" in said
    assert "Taken back: meld 4♥ 5♥ 6♥ (15), lay 7♥ on 6♥ (7), lay 8♥ on 7♥ (8)." in said
    assert "That cannot be taken back: you have done nothing in this hand yet." in said
    assert sitting.table == before
    assert sitting.actions == sitting.events == []


def test_what_was_taken_back_is_not_in_the_record() -> None:
    sitting = in_play()
    sitting.keep(Path("undo.jsonl"))
    typed(sitting, "lay 9s", "undo", "discard kc")
    mine = [step.action for step in read_record("undo.jsonl").steps if step.seat == 0]
    assert mine[0] == "discard KC"


def test_taking_from_the_pile_is_taken_back() -> None:
    sitting = at(hands={0: ["7C", "7D", "KS"]}, pile=["7S", "TH", "2D"], turn=0, dealer=1)
    before = sitting.table.copy()
    assert "Taken back: take 7♠ and 10♥ 2♦." in typed(sitting, "take 7s", "undo")
    assert sitting.table == before


def test_a_card_that_was_seen_is_not_taken_back() -> None:
    sitting = at(hands={0: ["7C", "KS"]}, pile=["2D"], stock=["QH"], turn=0, dealer=1)
    said = typed(sitting, "draw", "undo")
    assert "you have seen Q♥ since, which was hidden" in said
    assert len(sitting.actions) == 1


def test_what_the_others_have_seen_is_not_taken_back() -> None:
    said = typed(at(hands={0: ["7C", "KS"]}, pile=["2D"], turn=0, dealer=1), "draw", "d ks", "undo")
    assert "the others have gone on since" in said
    sitting = at(hands={0: ["7C"]}, pile=["2D"], turn=0, phase="play", target=500)
    said = typed(sitting, "d 7c", "undo")
    assert sitting.table.over == "hand"
    assert "the hand is over, and all have seen how it ended" in said


@games
def test_undo_never_shows_anything_new(game: str) -> None:
    """Whatever is typed: after a taking back the person has never seen a card that was hidden."""
    rng = np.random.default_rng(0)
    allowed = 0
    for seed in range(6):
        sitting = sit(game, seed)
        for _ in range(60):
            table = sitting.table
            if table.turn is None:
                break
            if table.turn != 0:
                sitting.play(*sitting.ask(table.turn))
                continue
            sitting.decide([int(rng.choice(table.legal_actions()))])
            seen, now = in_sight(sitting.table, 0), sitting.table
            try:
                taken = sitting.undo()
            except IllegalAction:
                assert sitting.table is now
                continue
            allowed += 1
            assert in_sight(sitting.table, 0) == seen
            assert {event.seat for event in taken} == {0}
            sitting.decide([int(rng.choice(sitting.table.legal_actions()))])
    assert allowed > 5
