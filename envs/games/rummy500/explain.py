"""Why an action is illegal, or a position impossible, in one sentence."""

from typing import Any

import numpy as np

from ... import kit, melds
from ...cards import JOKER, NOBODY, card_text
from ...hands import points_held
from ...state import DRAW, PLAY, copies_in_hand
from .obligation import usable
from .state import CALL


def why_not(states: np.ndarray, kits: np.ndarray, action: int) -> str:
    """One sentence on why an action is illegal for the seat to act at table 0; of hidden cards it
    tells only that seat's.
    """
    s, k = states[0], kits[0]
    p = int(s.turn)
    kind, a, b, c = (int(x) for x in k.act[action])
    if s.phase == DRAW:
        return _why_no_draw(s, k, p, kind, a, b)
    if s.phase == CALL:
        return _why_no_call(s, k, p, kind, a, b)
    if kind in (kit.A_DRAW, kit.A_TAKE, kit.A_CALL):
        return "you have drawn already; play or discard"
    if kind == kit.A_PASS:
        return "a turn ends with a discard"
    if kind == kit.A_DISCARD:
        return _why_no_discard(s, k, p, a)
    return _why_no_play(s, k, p, kind, a, b, c)


def _in_pile(s: Any, card: int, copy: int) -> int:
    """The place of a copy of a card in the pile, -1 if there is none."""
    places = [n for n in reversed(range(int(s.pile_size))) if s.pile[n] == card]
    return places[copy] if copy < len(places) else -1


def _why_no_draw(s: Any, k: Any, p: int, kind: int, a: int, b: int) -> str:
    if kind == kit.A_DRAW:
        return "the stock is empty; take from the pile, or pass"
    if kind == kit.A_PASS:
        return (
            "you may pass only once the stock is empty; draw from the stock or take from the pile"
        )
    if kind == kit.A_CALL:
        return "nobody is asked to call now; take from the pile, or draw from the stock"
    if kind != kit.A_TAKE:
        return "draw first: from the stock, or from the pile"
    at = _in_pile(s, a, b)
    if at < 0:
        return f"the pile does not hold {'a second ' if b else ''}{card_text(a)}"
    if at == int(s.pile_size) - 1 and not k.top_must_meld:
        return (
            f"you could neither play {card_text(a)} nor discard it this turn, and have nothing else"
        )
    return f"you could not play {card_text(a)} at once, as whoever takes it must, and end your turn"


def _why_no_call(s: Any, k: Any, p: int, kind: int, a: int, b: int) -> str:
    if kind != kit.A_CALL:
        return f"player {int(s.discarder)} has discarded; you are asked to call or to pass"
    at = _in_pile(s, a, b)
    if at < 0:
        return f"the pile does not hold {'a second ' if b else ''}{card_text(a)}"
    if not int(s.callable[at // 54]) >> (at % 54) & 1:
        if int(s.chances[at // 54]) >> (at % 54) & 1:
            return f"the last turn did not make {card_text(a)} playable, it was so before"
        return f"{card_text(a)} cannot be played with the cards above it and the table alone"
    return f"with {card_text(a)} taken you could not end your turn"


def _why_no_discard(s: Any, k: Any, p: int, a: int) -> str:
    if not copies_in_hand(s, p, a):
        return f"you do not hold {card_text(a)}"
    if s.due != NOBODY:
        return f"you took {card_text(int(s.due))} from the pile and must play it first"
    if a == s.barred:
        return f"you took {card_text(a)} alone from the pile; it may not go back this turn"
    return f"the discard that ends the hand may not fit the table, and {card_text(a)} does"


def _why_no_play(s: Any, k: Any, p: int, kind: int, a: int, b: int, c: int) -> str:
    cards = [int(melds.card_of(k, kind, a, b, c, n)) for n in range(melds.num_cards(kind))]
    for card in cards:
        if copies_in_hand(s, p, card) < cards.count(card):
            jokers = cards.count(card)
            return f"you do not hold {card_text(card) if jokers < 2 else f'{jokers} jokers'}"
    if len(cards) == 1 and melds.meld_for(k, s, kind, a, b, c) < 0:
        return f"no meld on the table takes {card_text(a)} there"
    if s.due != NOBODY:
        due = card_text(int(s.due))
        hand, jokers = int(usable(s, p)), int(s.jokers[p]) - int(s.frozen_jokers)
        frozen = [card for card in cards if card != JOKER and not hand >> card & 1]
        if frozen or cards.count(JOKER) > jokers:
            return f"cards taken along with {due} may not be played before it"
        if s.bridge_step != 0:
            return f"go on at the same end of the run until {due} is laid"
        if s.due_first and not melds.contains(k, kind, a, b, c, int(s.due)):
            return f"you took {due} from the pile and must play it first"
        if not melds.contains(k, kind, a, b, c, int(s.due)):
            return f"after this {due}, which you must play this turn, could not be played"
    if s.barred != NOBODY:
        barred = card_text(int(s.barred))
        return f"after this you could not end your turn: {barred} may not be discarded"
    return "after this you would have no card left that you may discard"


def why_impossible(s: Any, settled: Any, k: Any) -> str | None:
    """One sentence on why the rules cannot lead to a position, if they cannot.

    Args:
        s: its state as it was set up.
        settled: with what follows from it (see `settle_position`).
        k: the kit's record.
    """
    for seat in range(int(k.num_players)):
        floats = k.floating and not (s.phase == CALL and seat == s.discarder)
        if not s.hand_size[seat] and not floats:
            return f"seat {seat} has no cards, but the hand is over when a player has none left"
    if s.stock_size == 0 and k.immediate and s.phase != PLAY:
        return "with stock_out='immediate' the hand is over once the stock is empty"
    if s.phase == CALL:
        if not k.calling:
            return "nobody is asked to call under these rules"
        if not settled.callable.any():
            return "no card of the pile could be played, so nobody is asked to call"
    return None


def turn_notes(s: Any) -> str:
    """What else everybody knows of the turn, to follow "seat 0 to play"."""
    words = ""
    if s.due != NOBODY:
        words += f", must play {card_text(int(s.due))}" + (" first" if s.due_first else "")
    if s.barred != NOBODY:
        words += f", may not discard {card_text(int(s.barred))}"
    return words


def hand_note(s: Any, k: Any, seat: int) -> str:
    """What whoever holds a hand likes to know of it."""
    return f"{points_held(k, s, seat)} points"
