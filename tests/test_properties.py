"""What must hold in every position of every game, under options by lot."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from about import about
from about.match import Move
from hypothesis import given, settings
from hypothesis import strategies as st
from walks import (
    GAMES_AND_WALKS,
    cards_of,
    dealt_anew,
    facts,
    full_pack,
    located,
    marks,
    moves,
    observations,
    some_positions,
    spelled,
    tables,
    walk,
)

from rummyzoo.envs import IllegalAction, Table
from rummyzoo.envs.cards import JOKER, RANKS, SUITS, card_text, parse_card, parse_played
from rummyzoo.envs.games import GAMES

SEEDS = st.integers(0, 2**32)

games = pytest.mark.parametrize("game", GAMES)


# --- cards, turns and ends ---


@games
@settings(max_examples=40)
@given(st.data(), SEEDS)
def test_every_card_is_in_one_place(game: str, data: st.DataObject, seed: int) -> None:
    table = data.draw(tables(game))
    pack = full_pack(table)
    for position in walk(table, seed, hands=2):
        state = facts(position)
        found = Counter(state.stock[: state.stock_size])
        found += Counter(state.pile[: state.pile_size])
        for seat in range(table.num_players):
            hand, known = cards_of(state, "", seat), cards_of(state, "known_", seat)
            assert hand.total() == state.hand_size[seat]
            assert known <= hand, f"known {spelled(known)} of a hand {spelled(hand)}"
            found += hand + cards_of(state, "laid_", seat)
        assert found == pack
        assert not any(state.stock[state.stock_size :])
        assert not any(state.pile[state.pile_size :])


@games
@settings(max_examples=50)
@given(st.data(), SEEDS)
def test_somebody_can_act_until_the_hand_ends_in_time(
    game: str, data: st.DataObject, seed: int
) -> None:
    table = data.draw(tables(game))
    turns = hands = 0
    for position in walk(table, seed, hands=3):
        state, mask = facts(position), position.mask()
        assert mask.any() == (position.turn is not None)
        assert set(mask.tolist()) <= {0, 1}
        assert turns <= state.turns <= min(turns + 1, table.rules.max_turns)
        turns = int(state.turns)
        if position.turn is not None:
            assert state.hands == hands
            continue
        assert position.over in ("hand", "match", "truncated")
        if state.hands == hands:  # no hand has ended: this one was cut off
            assert position.over == "truncated"
            assert turns == table.rules.max_turns
        turns, hands = 0, int(state.hands)


@games
@settings(max_examples=30)
@given(st.data(), SEEDS)
def test_scores_are_what_a_pencil_would_write(game: str, data: st.DataObject, seed: int) -> None:
    keep_score(data.draw(tables(game)), seed, hands=3)


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_matches_are_what_a_pencil_would_write(game: str, options: dict[str, Any]) -> None:
    for seed in range(2):
        keep_score(Table(game, seed, **options), seed, hands=8)


def keep_score(table: Table, seed: int, hands: int) -> None:
    """Play, and write down who deals, what each hand is worth, who wins and when it is over."""
    match = about(table.game.NAME).Match(table.rules)
    hand: list[Move] = []
    dealer = table.dealer
    for move, after in moves(table, seed, hands):
        if not hand:
            assert move.before.dealer == dealer
            assert move.seat == (dealer + 1) % table.num_players
        hand.append(move)
        if after.state.hands > match.hands:
            assert after.hand_scores == match.count(hand, after)
            assert (after.over, after.winner) == (match.over, match.winner)
            hand, dealer = [], match.next_dealer(dealer)
        assert after.scores == match.scores


@games
@settings(max_examples=30)
@given(st.data(), SEEDS)
def test_an_action_moves_the_cards_that_it_names(game: str, data: st.DataObject, seed: int) -> None:
    table = data.draw(tables(game))
    for move, after in moves(table, seed):
        check_move(move, after)


def check_move(move: Move, after: Table) -> None:
    """The cards of a position follow from those before it and the action between."""
    before, seat = move.before, move.seat
    verb, *words = move.action.split()
    gained, lost = change_of(before.hand(seat), after.hand(seat))
    old, new = before.pile, after.pile
    if after.over == "no" or verb not in SHOWING:
        for other in range(before.num_players):
            if other != seat:
                assert after.hand(other) == before.hand(other)
                assert after.melded[other] == before.melded[other], "points for another player"
    if verb in ("draw", "turn"):
        stock = before.stock
        if verb == "turn":
            assert not stock
            stock, old = old, []
        assert [stock[0], *after.stock] == stock
        assert (gained, lost) == (Counter(stock[:1]), Counter())
        assert new == old
    elif verb in ("take", "call"):
        assert new == old[: len(new)], "the order of the pile has changed"
        assert old[len(new)] == words[0]
        assert (gained, lost) == (Counter(old[len(new) :]), Counter())
    else:
        assert not gained
    if verb not in ("draw", "turn"):
        assert after.stock == before.stock
    if verb == "discard":
        assert lost == Counter(words)
        assert new == [*old, *words]
        assert after.melds == before.melds
    elif verb == "meld" or (verb == "lay" and (after.over == "no" or before.phase == "play")):
        named = words if verb == "meld" else words[:1]
        assert new == old
        assert lost == Counter("JK" if card.startswith("JK") else card for card in named)
        assert Counter(on_table(after)) == Counter(on_table(before)) + lost
        shown = [Counter(c for m in t.melds for c in m.cards) for t in (before, after)]
        assert shown[0] <= shown[1], "a card on the table has changed"
        assert set(named) <= shown[1].keys()
        scored = after.melded[seat] - before.melded[seat]
        low = any(meld.kind == "run" and meld.cards[0] in named for meld in after.melds)
        points = about(before.game.NAME).played_points
        assert scored in {
            sum(points(before.rules, c, low_ace) for c in lost.elements())
            for low_ace in (False, low)
        }
    elif verb in SHOWING:
        thrown = words[1:] if verb in ENDING else []
        assert new == [*old, *thrown]
        laid = Counter(on_table(after)) - Counter(on_table(before))
        hands = sum((Counter(before.hand(q)) for q in range(before.num_players)), Counter[str]())
        kept = sum((Counter(after.hand(q)) for q in range(before.num_players)), Counter[str]())
        assert hands == kept + laid + Counter(thrown)


ENDING = ("knock", "gin", "big")
"""How actions begin that show a hand, to end it."""
SHOWING = (*ENDING, "lay", "pass")
"""How actions begin after which melds of both may come on the table."""


def change_of(before: list[str], after: list[str]) -> tuple[Counter[str], Counter[str]]:
    """The cards gained and lost."""
    return Counter(after) - Counter(before), Counter(before) - Counter(after)


def on_table(table: Table) -> list[str]:
    """The faces that lie in melds, jokers as such."""
    return ["JK" if c.startswith("JK") else c for meld in table.melds for c in meld.cards]


# --- the mask ---


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_the_mask_is_what_the_table_accepts(game: str, options: dict[str, Any]) -> None:
    for position in some_positions(Table(game, 5, **options), 40, seed=5, hands=3):
        mask, before = position.mask(), position.states.tobytes()
        for number, text in enumerate(position.texts):
            if mask[number]:
                after = position.copy()
                after.play(number)
                assert after.states.tobytes() != before
                assert after.turn is None or after.mask().any(), f"no way on after {text}"
            else:
                with pytest.raises(IllegalAction):
                    position.play(number)
                assert position.states.tobytes() == before
        for seat in range(position.num_players):
            if seat != position.turn:
                look(position, seat, expected=np.zeros_like(mask))


def look(table: Table, seat: int, expected: np.ndarray) -> None:
    """The mask that goes with a seat's observation."""
    observation, mask = np.empty_like(table.observation(seat)), np.ones_like(expected)
    work = np.zeros(table.game.WORK, np.int64)
    table.game.look(table.states, 0, seat, table.kits, work, observation, mask)
    np.testing.assert_array_equal(mask, expected)


# --- what is hidden ---


@games
@settings(max_examples=30)
@given(st.data(), SEEDS)
def test_a_seat_sees_its_own_hand(game: str, data: st.DataObject, seed: int) -> None:
    table = data.draw(tables(game))
    cards = 53 if table.kits[0].layout_jokers else 52
    for position in walk(table, seed, hands=2):
        state = facts(position)
        seen = observations(position)[:, :cards].tolist()  # the first piece
        for seat, hand in enumerate(seen):
            wanted = cards_of(state, "", seat)
            assert Counter({f: n for f, n in enumerate(hand) if n}) == wanted


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_hidden_cards_change_nothing_that_is_seen(game: str, options: dict[str, Any]) -> None:
    met: set[str] = set()
    for seed in range(4):
        table = Table(game, seed, **options)
        for n, position in enumerate(walk(table, seed, hands=2)):
            met |= marks(position)
            seats = {n % position.num_players, position.turn or 0}
            for seat in seats if n % 3 == 0 or position.phase != "draw" else ():
                compare_worlds(position, dealt_anew(position, seat, n), seat)
    assert about(game).reached(table.rules) <= met, met


def compare_worlds(table: Table, other: Table, seat: int) -> None:
    """Two tables that differ in hidden cards only look the same from a seat."""
    np.testing.assert_array_equal(table.observation(seat), other.observation(seat))
    assert table.text(seat) == other.text(seat)
    if seat == table.turn:
        np.testing.assert_array_equal(table.mask(), other.mask())
    assert repr(table) == repr(other)


@games
@settings(max_examples=30)
@given(st.data(), SEEDS)
def test_cards_seen_are_known_until_they_are_played(
    game: str, data: st.DataObject, seed: int
) -> None:
    """Cards taken from the pile, those of a stock that everybody has seen turned over, and what is
    left of a hand that was shown.
    """
    table = data.draw(tables(game))
    known = [Counter[str]() for _ in range(table.num_players)]
    stock: list[str] = []  # as far as everybody knows it
    shown: set[int] = set()
    for move, after in moves(table, seed):
        verb = move.action.split()[0]
        if verb == "turn":
            stock = list(move.before.pile)
        if verb in ENDING:
            shown = {move.seat}
        if shown and after.over != "no":
            shown = set(range(table.num_players))
        for seat, cards in enumerate(known):
            gained, lost = change_of(move.before.hand(seat), after.hand(seat))
            if verb not in ("draw", "turn"):
                cards += gained
            elif seat == move.seat and stock:
                assert gained == Counter([stock[0]])
                cards[stock.pop(0)] += 1
            cards -= lost
            if seat in shown:
                cards |= Counter(after.hand(seat))
            assert Counter(after.known(seat)) == cards
        assert after.state.open_stock == sum(1 << parse_card(card) for card in stock)
        if stock:
            assert stock == after.stock


@games
@settings(max_examples=20)
@given(st.data(), SEEDS)
def test_cards_not_located_are_what_is_left_of_the_pack(
    game: str, data: st.DataObject, seed: int
) -> None:
    table = data.draw(tables(game))
    for position in some_positions(table, 8, seed):
        state = facts(position)
        for seat in range(position.num_players):
            unseen = full_pack(position) - located(position, seat)
            hidden = sum(state.hand_size) - state.hand_size[seat]
            hidden += 0 if state.open_stock else state.stock_size
            known = [cards_of(state, "known_", q).total() for q in range(8) if q != seat]
            assert unseen.total() == hidden - sum(known)


# --- text ---


@games
@settings(max_examples=40)
@given(st.data(), SEEDS)
def test_text_names_one_action(game: str, data: st.DataObject, seed: int) -> None:
    table = data.draw(tables(game))
    assert len(set(table.texts)) == len(table.texts) == table.kits[0].num_actions
    for position in some_positions(table, 6, seed):
        for number in position.legal_actions().tolist():
            by_text, by_number = position.copy(), position.copy()
            by_text.play(position.texts[number])
            by_number.play(number)
            assert by_text == by_number, position.texts[number]


# --- fields that are kept up to date as cards move ---


@games
@settings(max_examples=40)
@given(st.data(), SEEDS)
def test_what_is_kept_up_to_date_is_right(game: str, data: st.DataObject, seed: int) -> None:
    table = data.draw(tables(game))
    for position in walk(table, seed, hands=2):
        validate(position)


def validate(table: Table) -> None:
    """Work out from the melds everything in the state that follows from them."""
    state, rules = facts(table), table.rules
    score = about(table.game.NAME).played_points
    laid = [Counter[int]() for _ in range(8)]
    in_runs = Counter[int]()
    points = [0] * table.num_players
    sets: list[tuple[int, set[int], int]] = []
    ends: list[tuple[int, int, int]] = []
    for meld in table.melds:
        played = [parse_played(c) for c in meld.cards]
        assert any(card != JOKER for card, _ in played), "a meld of jokers"
        assert len(played) >= 3
        for n, ((card, _), owner) in enumerate(zip(played, meld.owners, strict=True)):
            laid[owner][card] += 1
            low = meld.kind == "run" and n == 0
            points[owner] += score(rules, card_text(card), low)
            if meld.kind == "run" and card != JOKER:
                in_runs[card] += 1
        naturals = [card for card, _ in played if card != JOKER]
        if meld.kind == "set":
            suits = {card // 13 for card in naturals}
            assert len({card % 13 for card in naturals}) == 1
            assert len(suits) == len(naturals)
            assert len(played) <= 4
            sets.append((naturals[0] % 13, suits, len(played)))
        else:
            ends.append(check_run(rules, state, [name or card_text(card) for card, name in played]))
    for seat in range(8):
        assert cards_of(state, "laid_", seat) == laid[seat]
    assert words(in_runs) == (state.in_runs, state.in_runs_two)
    assert table.melded == points
    room = [(rank, suits) for rank, suits, size in sets if size < 4]
    assert state.open_joker == sum(1 << rank for rank in {rank for rank, _ in room})
    fits = {13 * s + rank for rank, suits in room for s in range(rules.num_suits) if s not in suits}
    assert state.open_set == sum(1 << face for face in fits)
    lowest, highest = position_bounds(rules)
    below = {13 * suit + low - 1 for suit, low, _ in ends if low > lowest}
    above = {13 * suit + high for suit, _, high in ends if high < highest}
    assert state.open_low == sum(1 << spot for spot in below)
    assert state.open_high == sum(1 << spot for spot in above)


def words(counts: Counter[int]) -> tuple[int, int]:
    """Faces that are there, and those that are there twice."""
    assert max(counts.values(), default=0) <= 2
    return sum(1 << f for f in counts), sum(1 << f for f, n in counts.items() if n == 2)


def position_bounds(rules: Any) -> tuple[int, int]:
    """The lowest and the highest place of a run: 0 the low ace, 1 the two, ..."""
    aces = getattr(rules, "ace_in_runs", "low")
    return int(aces == "high"), rules.num_ranks - (aces == "low")


def check_run(rules: Any, state: Any, names: list[str]) -> tuple[int, int, int]:
    """Suit, first and last place of a run; its cards must follow each other."""
    lowest, highest = position_bounds(rules)
    ranks = RANKS[: rules.num_ranks] + "A"
    text = "".join(name[0] for name in names)
    starts = [p for p in range(lowest, highest + 1) if ranks[p : p + len(text)] == text]
    assert starts, f"{names} is no run"
    assert len({name[1] for name in names}) == 1
    suit = SUITS.index(names[0][1])
    keys = list(zip(state.meld_key, state.meld_cards, strict=True))
    # A pack of three ranks has A 2 3 and 2 3 A, not the same places but the same text length.
    fitting = [p for p in starts if (16 + suit, (2 ** len(text) - 1) << p) in keys]
    assert fitting, f"{names} does not lie where it should"
    return suit, fitting[0], fitting[0] + len(text) - 1
