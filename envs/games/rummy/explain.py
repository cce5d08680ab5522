"""Why an action is illegal, or a position impossible, in one sentence."""

from typing import Any

import numpy as np

from ... import kit, melds
from ...cards import NOBODY, card_text
from ...hands import points_held
from ...state import DRAW


def why_not(states: np.ndarray, kits: np.ndarray, action: int) -> str:
    """One sentence on why an action is illegal for the seat to act at table 0; of hidden cards it
    tells only that seat's.
    """
    s, k = states[0], kits[0]
    p = int(s.turn)
    kind, a, b, c = (int(x) for x in k.act[action])
    if s.phase == DRAW:
        return _why_no_draw(s, k, p, kind, a)
    if kind in (kit.A_DRAW, kit.A_TAKE, kit.A_TURN):
        return "you have drawn already; play or discard"
    if kind == kit.A_PASS:
        return "a turn ends with a discard"
    hand = int(s.one[p])
    if kind == kit.A_DISCARD:
        if not hand >> a & 1:
            return f"you do not hold {card_text(a)}"
        return f"you took {card_text(a)} from the pile; it may not go back this turn"
    return _why_no_play(s, k, p, kind, a, b, c)


def _why_no_draw(s: Any, k: Any, p: int, kind: int, a: int) -> str:
    if kind == kit.A_DRAW:
        also = ", or turn it over" if s.recycles < k.max_recycles else ", or pass"
        return f"the stock is empty; take the top of the pile{also}"
    if kind in (kit.A_TURN, kit.A_PASS):
        if s.stock_size:
            return "the stock is not empty; draw from it, or take the top of the pile"
        if kind == kit.A_PASS:
            return "take the top of the pile, or turn it over"
        most = int(k.max_recycles)
        return f"the pile is turned over no more than {most} time{'s' * (most != 1)} in a hand"
    if kind != kit.A_TAKE:
        return "draw first: from the stock, or the top of the pile"
    size = int(s.pile_size)
    if not size or a != s.pile[size - 1]:
        return f"{card_text(a)} is not the top of the pile; only that may be taken"
    return f"you could neither play {card_text(a)} nor discard it this turn, and have nothing else"


def _why_no_play(s: Any, k: Any, p: int, kind: int, a: int, b: int, c: int) -> str:
    count = int(melds.num_cards(kind))
    cards = [int(melds.card_of(k, kind, a, b, c, n)) for n in range(count)]
    for card in cards:
        if not int(s.one[p]) >> card & 1:
            return f"you do not hold {card_text(card)}"
    if count == 1:
        if k.requires_own_meld and not s.laid_one[p]:
            return "you may lay off only once you have a meld of your own on the table"
        if melds.meld_for(k, s, kind, a, b, c) < 0:
            return f"no meld on the table takes {card_text(a)} there"
    elif s.new_melds >= k.max_melds:
        most = int(k.max_melds)
        return f"no more than {most} meld{'s' * (most > 1)} may be laid in a turn"
    if int(s.hand_size[p]) == count:
        return "you must keep a card to discard"
    return (
        f"after this you could not end your turn: {card_text(int(s.barred))} may not be discarded"
    )


def why_impossible(s: Any, settled: Any, k: Any) -> str | None:
    """One sentence on why the rules cannot lead to a position, if they cannot.

    Args:
        s: its state as it was set up.
        settled: with what follows from it (see `settle_position`).
        k: the kit's record.
    """
    n = int(k.num_players)
    for seat in range(n):
        if not s.hand_size[seat]:
            return f"seat {seat} has no cards, but the hand is over when a player has none left"
    if s.scores[:n].sum():
        return "what one player wins the others pay: the scores of a match sum to 0"
    return None


def turn_notes(s: Any) -> str:
    """What else everybody knows of the turn, to follow "seat 0 to play"."""
    words = ""
    if s.barred != NOBODY:
        words += f", may not discard {card_text(int(s.barred))}"
    if s.open_stock:
        cards = " ".join(card_text(c) for c in reversed(s.turned[: s.stock_size].tolist()))
        words += f"; the stock was turned over, the top first: {cards}"
    return words


def hand_note(s: Any, k: Any, seat: int) -> str:
    """What whoever holds a hand likes to know of it."""
    return f"{points_held(k, s, seat)} points"
