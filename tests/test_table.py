"""`Table`: playing by number and text, what is refused and why, undo, copies."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from about import about, refused
from walks import GAMES_AND_WALKS, dealt_anew, located, position, some_positions, walk

from rummyzoo.envs import IllegalAction, Table, actions
from rummyzoo.envs.cards import CardError, card_text, parse_played
from rummyzoo.envs.games import GAMES, load_game

games = pytest.mark.parametrize("game", GAMES)
MELDING = [game for game in GAMES if any(text.startswith("meld") for text in actions(game))]
"""The games in which melds are laid down in the course of a hand."""
WITH_JOKERS = [game for game in GAMES if "jokers_per_deck" in load_game(game).Rules._fields]
WITH_TWO_PACKS = [game for game in GAMES if "num_decks" in load_game(game).Rules._fields]

# --- text ---

RUN = "4S 5S 6S by 1"
SET = "9C 9D 9H by 1"

WRITTEN = [
    # what is written, the canonical actions that it means, the position
    ("meld 7C 7D 7S", ["meld 7C 7D 7S"], ("7S 7C 7D KD",)),
    ("meld 7s 7c 7d", ["meld 7C 7D 7S"], ("7S 7C 7D KD",)),
    ("  MELD   7S 7D 7C ", ["meld 7C 7D 7S"], ("7S 7C 7D KD",)),
    ("meld 10c 10d 10s", ["meld TC TD TS"], ("TS TC TD KD",)),
    ("meld 7C 7D 7H 7S", ["meld 7C 7D 7H", "lay 7S on 7"], ("7S 7C 7D 7H KD",)),
    (
        "meld 7H 8H 9H TH JH",
        ["meld 7H 8H 9H", "lay TH on 9H", "lay JH on TH"],
        ("7H 8H 9H TH JH 2C",),
    ),
    ("meld JH TH 9H 8H", ["meld 8H 9H TH", "lay JH on TH"], ("8H 9H TH JH 2C",)),
    ("meld AS 2S 3S", ["meld AS 2S 3S"], ("AS 2S 3S KD",)),
    ("meld QS KS AS", ["meld QS KS AS"], ("AS QS KS 2D",)),
    ("lay 7S on 6S", ["lay 7S on 6S"], ("7S KD", RUN)),
    ("lay 7S on 4S", ["lay 7S on 6S"], ("7S KD", RUN)),
    ("lay 7S on 5S high", ["lay 7S on 6S"], ("7S KD", RUN)),
    ("lay 3S on 6S low", ["lay 3S on 4S"], ("3S KD", RUN)),
    ("lay 7S 8S on 6S", ["lay 7S on 6S", "lay 8S on 7S"], ("8S 7S KD", RUN)),
    ("lay 8S 7S on 6S", ["lay 7S on 6S", "lay 8S on 7S"], ("8S 7S KD", RUN)),
    ("lay 3S 7S on 5S", ["lay 3S on 4S", "lay 7S on 6S"], ("3S 7S KD", RUN)),
    ("lay 9S on 9", ["lay 9S on 9"], ("9S KD", SET)),
    ("lay 9S on 9H", ["lay 9S on 9"], ("9S KD", SET)),
    ("lay AS on 2S", ["lay AS on 2S"], ("AS KD", "2S 3S 4S by 1")),
    (
        "lay KS AS on QS",
        ["lay KS on QS", "lay AS on KS"],
        ("AS KS 4D", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS by 1"),
    ),
    (
        "lay AS KS on QS",
        ["lay KS on QS", "lay AS on KS"],
        ("AS KS 4D", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS by 1"),
    ),
    (
        "lay KS AS on 5S",
        ["lay KS on QS", "lay AS on KS"],
        ("AS KS 4D", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS by 1"),
    ),
    (
        "lay AS KS QS JS TS 9S 8S 7S 6S 5S on 4S",
        [f"lay {b}S on {a}S" for a, b in pairwise("456789TJQKA")],
        ("5S 6S 7S 8S 9S TS JS QS KS AS 4D", "2S 3S 4S by 1"),
    ),
    ("discard 10D", ["discard TD"], ("TD 4C 2H",)),
]


@pytest.mark.parametrize("game", MELDING)
@pytest.mark.parametrize(("written", "meant", "where"), WRITTEN, ids=[w for w, *_ in WRITTEN])
def test_text_may_be_written_in_many_ways(
    game: str, written: str, meant: list[str], where: Any
) -> None:
    table, other = position(game, *where), position(game, *where)
    table.play(written)
    for action in meant:
        assert action in other.legal()
        other.play(action)
    assert table == other
    table.undo()
    assert table == position(game, *where), "one text is one play to take back"


@pytest.mark.parametrize("game", MELDING)
def test_an_ace_goes_to_the_end_that_is_named(game: str) -> None:
    run = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS by 1"
    ends = {}
    for written in ("lay AS on 2S", "lay AS on KS", "lay AS on 7S low", "lay AS on 7S high"):
        table = position(game, "AS KD", run)
        table.play(written)
        ends[written] = table.melds[0].cards.index("AS")
    assert list(ends.values()) == [0, 12, 0, 12]
    table = position(game, "AS KD", run)
    with pytest.raises(IllegalAction, match="AS fits both ends of the run; add low or high"):
        table.play("lay AS on 7S")


@pytest.mark.parametrize("game", WITH_JOKERS)
def test_jokers_say_what_they_stand_for(game: str) -> None:
    jokers = {"jokers_per_deck": 2}
    table = position(game, "JK JK 5H 7H 7C 7D KS", options=jokers)
    table.play("meld 5H JK(6H) 7H")
    table.play("lay JK(8H) on 7H")
    assert table.melds[0].cards == ("5H", "JK(6H)", "7H", "JK(8H)")
    assert table.melded[0] == 5 + 15 + 7 + 15
    four = position(game, "JK 7H 7C 7D KS", options=jokers)
    four.play("meld 7C 7D 7H JK(7)")
    assert four.melds[0].cards == ("7C", "7D", "7H", "JK(7)")


@pytest.mark.parametrize("game", WITH_TWO_PACKS)
def test_the_second_copy_in_the_pile_is_named_by_its_number(game: str) -> None:
    make: Callable[[], Table] = lambda: position(  # noqa: E731
        game, "7C 7D KS 2H", pile="7S 5H 7S", options={"num_decks": 2}, phase="draw"
    )
    top, deep, plain = make(), make(), make()
    top.play("take 7S")
    deep.play("take 7S 2")
    plain.play("take 7S 1")
    assert (top.pile, deep.pile) == (["7S", "5H"], [])
    assert plain == top


# --- what is refused, and why ---

PLAYS = [(game, *play) for game in GAMES for play in refused(game).PLAYS]


@pytest.mark.parametrize(
    ("game", "where", "before", "text", "why"),
    PLAYS,
    ids=[f"{game}-{text}-{n}" for n, (game, _, _, text, _) in enumerate(PLAYS)],
)
def test_a_refusal_says_why(game: str, where: Any, before: list[str], text: str, why: str) -> None:
    where = dict(where)
    table = position(game, where.pop("hand"), *where.pop("table", ()), **where)
    for action in before:
        table.play(action)
    with pytest.raises(IllegalAction) as refusal:
        table.play(text)
    assert why in str(refusal.value)
    assert "\n" not in str(refusal.value)


NOT_READ = [
    ("fold", "'fold' is not an action; actions read like: "),
    ("", "an empty line is not an action"),
    ("discard 1S", "'1S' is not a card"),
    ("meld 7C 7D", "is not an action"),
    ("meld 7C 7D 8S", "neither of one rank nor of one suit"),
    ("meld 7C 8C TC", "not in sequence"),
    ("meld 7C 7D 7C", "this"),
    ("lay 7C on", "a lay-off is written like: lay 7S on 8S"),
    ("lay 7C on 8C left", "not an end of a run"),
    ("take 7S x", "cannot be read"),
    ("knock", "'knock' is not an action"),
    (100_000, "there is no action 100000; actions are 0 to"),
    (-1, "there is no action -1"),
]


@games
@pytest.mark.parametrize(("text", "why"), NOT_READ, ids=[str(text) for text, _ in NOT_READ])
def test_what_is_no_action_is_refused_too(game: str, text: Any, why: str) -> None:
    table = Table(game, seed=1)
    before = table.save()
    with pytest.raises(IllegalAction) as refusal:
        table.play(text)
    assert why in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert table.save() == before


@games
def test_a_hand_that_is_over_takes_no_action(game: str) -> None:
    table = Table(game, 1, target=10_000, **about(game).SHORT)
    for _ in walk(table, 1):
        pass
    assert (table.turn, table.phase, table.over, table.legal()) == (None, "over", "hand", [])
    with pytest.raises(IllegalAction, match=r"the hand is over; deal with next_hand\(\)"):
        table.play("draw stock")
    with pytest.raises(IllegalAction, match="the hand is over"):
        table.play(0)


@pytest.mark.parametrize("game", MELDING)
@pytest.mark.parametrize(
    "text",
    [
        "meld 7C 7D 7S 7H",  # the fourth is not there
        "meld 5S 6S 7S 8S",
        "lay 9H TH on 8H",
        "lay 9H 5H on 7H",
        "meld 7C 7D 7S KD",
        "meld 5S 6S 7S 9S",
    ],
)
def test_nothing_happens_when_a_part_is_illegal(game: str, text: str) -> None:
    table = position(game, "5S 6S 7S 7C 7D 9H KD", "6H 7H 8H by 1")
    before = table.save()
    with pytest.raises(IllegalAction):
        table.play(text)
    assert table.save() == before
    with pytest.raises(IllegalAction, match="nothing to undo"):
        table.undo()


@games
def test_a_number_is_a_whole_number(game: str) -> None:
    table = Table(game, seed=1)
    before = table.states.tobytes()
    number = table.legal_actions()[0]
    for odd in (float(number), None, True):
        with pytest.raises(IllegalAction, match=f"^there is no action {odd}; actions are 0 to "):
            table.play(odd)  # type: ignore[arg-type]
    assert table.states.tobytes() == before
    table.play(number)
    assert table.states.tobytes() != before


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_refusals_tell_nothing_that_is_hidden(game: str, options: dict[str, Any]) -> None:
    for table in some_positions(Table(game, 3, **options), 12, seed=3, hands=2):
        if table.turn is None:
            continue
        other = dealt_anew(table, table.turn, seed=1)
        legal = set(table.legal_actions().tolist())
        hand = table.hand(table.turn)
        seen = {"JK", *map(card_text, located(table, table.turn))}
        seen |= {card for meld in table.melds for card in meld.cards}
        for number, text in enumerate(table.texts):
            if number in legal:
                continue
            why = table.why_not(number)
            assert why == other.why_not(number), "other hidden cards, another sentence"
            assert why.startswith(f"{text}: ")
            assert cards_in(why) <= cards_in(text) | seen
            if table.phase == "play" and text.startswith("discard"):
                assert ("do not hold" in why) == (text.split()[1] not in hand)


def cards_in(sentence: str) -> set[str]:
    """The cards that are named in a sentence."""
    found = set()
    for word in sentence.replace(":", " ").replace(",", " ").replace(";", " ").split():
        if word.isupper():
            try:
                parse_played(word)
            except CardError:
                continue
            found.add(word)
    return found


# --- undo and copies ---


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_a_whole_match_can_be_taken_back(game: str, options: dict[str, Any]) -> None:
    table = Table(game, 2, **{**options, "max_hands": 3})
    before = [position.save() for position in walk(table, 2, hands=3)]
    for saved in reversed(before[:-1]):
        table.undo()
        while table.over == "hand" and table.save() != saved:
            table.undo()  # a deal is taken back like a play
        assert table.save() == saved
    with pytest.raises(IllegalAction, match="nothing to undo"):
        table.undo()


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_copies_are_independent(game: str, options: dict[str, Any]) -> None:
    for table in some_positions(Table(game, 4, **options), 6, seed=4):
        before = table.save()
        seen = [table.observation(seat) for seat in range(table.num_players)]
        copy = table.copy()
        assert copy == table
        twin = [position.save() for position in walk(copy, 9, hands=2)]
        assert table.save() == before
        assert [position.save() for position in walk(table.copy(), 9, hands=2)] == twin
        for seat in range(table.num_players):
            np.testing.assert_array_equal(table.observation(seat), seen[seat])
        while True:
            try:
                copy.undo()
            except IllegalAction:
                break
        assert table.save() == before


@pytest.mark.parametrize("game", GAMES)
def test_a_table_and_its_copy_take_back_their_own_plays(game: str) -> None:
    table = Table(game, 3)
    before = table.save()
    table.play(int(table.legal_actions()[0]))
    after = table.save()
    copy = table.copy()
    copy.play(int(copy.legal_actions()[0]))
    copy.play(int(copy.legal_actions()[0]))
    table.undo()
    assert table.save() == before
    copy.undo()
    copy.undo()
    assert copy.save() == after
    copy.undo()
    assert copy.save() == before


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_a_copy_with_a_seed_draws_other_cards(game: str, options: dict[str, Any]) -> None:
    """But from a stock that all have seen it draws the same."""
    positions = [Table(game, 6, **options), *some_positions(Table(game, 6, **options), 8, seed=6)]
    for table in positions:
        before = table.save()
        copies = [table.copy(seed) for seed in range(8)]
        assert table.save() == before
        if table.state.open_stock or table.stock_count > 4:
            differ = len({tuple(copy.stock) for copy in copies}) > 1
            assert differ == (table.state.open_stock == 0)
        assert copies[0] == table.copy(0)
        for copy in copies:
            assert sorted(copy.stock) == sorted(table.stock)
            assert copy.pile == table.pile
            for seat in range(table.num_players):
                assert copy.hand(seat) == table.hand(seat)
                np.testing.assert_array_equal(copy.observation(seat), table.observation(seat))
        # Nor does the next hand depend on the same generator word.
        assert len({int(copy.state.rng) for copy in [table, *copies]}) == 9


@games
@pytest.mark.parametrize("seat", [-1, 2, 10**9, "x", None, 1.0, True])
def test_there_are_only_the_seats_there_are(game: str, seat: Any) -> None:
    table = Table(game, seed=1, num_players=2)
    for method in (table.observation, table.hand, table.known, lambda s: table.resample(s, 0)):
        with pytest.raises(ValueError, match=r"there is no seat .*; seats are 0 to 1"):
            method(seat)


@games
def test_why_not_of_what_is_legal(game: str) -> None:
    table = Table(game, seed=1)
    for number in table.legal_actions().tolist():
        assert table.why_not(number) == f"{table.texts[number]}: this is legal"
    last = len(table.texts) - 1
    with pytest.raises(IndexError, match=f"there is no action 1000000; actions are 0 to {last}"):
        table.why_not(10**6)


@pytest.mark.parametrize(
    ("game", "text", "why"),
    [
        (
            "gin",
            "draw",
            "no action in this game is called 'draw'; actions read like: pass, draw stock",
        ),
        (
            "rummy",
            "turn",
            "no action in this game is called 'turn'; actions read like: draw stock, take",
        ),
        ("gin", "lay 6S on 5S", "no meld that holds 5S can take 6S"),
        ("rummy500", "take AS two", "'two' is not a copy of a card: the second from the top is 2"),
    ],
)
def test_text_that_is_almost_right(game: str, text: str, why: str) -> None:
    with pytest.raises(IllegalAction, match=why) as refusal:
        Table(game, 1).play(text)
    assert ("cannot be read" in str(refusal.value)) == ("two" in text)
