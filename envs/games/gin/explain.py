"""Why an action is illegal, or a position impossible, in one sentence."""

from typing import Any

import numpy as np

from ... import kit, melds
from ...cards import NOBODY, card_text
from ...hands import points_held
from ...state import DRAW
from .arrange import arrange
from .state import LAYOFF, UPCARD


def why_not(states: np.ndarray, kits: np.ndarray, action: int) -> str:
    """One sentence on why an action is illegal for the seat to act at table 0; of hidden cards it
    tells only that seat's.
    """
    s, k = states[0], kits[0]
    p = int(s.turn)
    kind, a, b, c = (int(x) for x in k.act[action])
    if s.phase == UPCARD:
        return _why_not_upcard(s, kind, a)
    if s.phase == LAYOFF:
        return _why_no_lay_off(s, k, p, kind, a, b, c)
    if kind in (kit.A_LAY_SET, kit.A_LAY_LOW, kit.A_LAY_HIGH):
        return "cards are laid off only after the other player has knocked"
    if s.phase == DRAW:
        return _why_no_draw(s, p, kind, a)
    return _why_no_end(s, p, kind, a)


def _top(s: Any) -> str:
    return card_text(int(s.pile[int(s.pile_size) - 1])) if s.pile_size else "nothing"


def _why_not_upcard(s: Any, kind: int, a: int) -> str:
    if kind == kit.A_TAKE and s.pile_size and a != s.pile[int(s.pile_size) - 1]:
        return f"{card_text(a)} is not the card turned up; that is {_top(s)}"
    return f"the upcard comes first: take {_top(s)}, or pass"


def _why_no_draw(s: Any, p: int, kind: int, a: int) -> str:
    if s.wall:
        if kind == kit.A_TAKE and card_text(a) == _top(s):
            return f"with {card_text(a)} you could not end the hand, and only for that it is left"
        return f"the stock is used up: take {_top(s)} to end the hand, or pass"
    if kind == kit.A_DRAW:
        return "the stock is empty"
    if kind == kit.A_PASS:
        return "you may not pass; draw from the stock, or take the top of the pile"
    if kind != kit.A_TAKE:
        return "draw first: from the stock, or the top of the pile"
    if card_text(a) != _top(s):
        return f"{card_text(a)} is not the top of the pile; only that may be taken"
    if s.refused == 2 and s.turns == 0:
        return f"both players have passed {card_text(a)}; draw from the stock"
    return "you have no other card to discard"


def _why_no_end(s: Any, p: int, kind: int, a: int) -> str:
    """Why a turn cannot end in this way."""
    if kind in (kit.A_DRAW, kit.A_TAKE):
        return "you have drawn already; discard, or end the hand"
    if kind == kit.A_PASS:
        return "a turn ends with a discard"
    hand, limit = int(s.one[p]), int(s.limit)
    if kind == kit.A_BIG_GIN:
        return f"your best arrangement leaves {arrange(hand, 0)[0]} points outside melds"
    if not hand >> a & 1:
        return f"you do not hold {card_text(a)}"
    if a == s.barred:
        return f"you took {card_text(a)} from the pile; it may not go back this turn"
    if kind == kit.A_DISCARD:
        return "the stock is used up: you took the last discard to end the hand"
    left, _ = arrange(hand & ~(1 << a), 0)
    if kind == kit.A_KNOCK and left == 0:
        return "nothing would be left outside melds: that is gin"
    leaves = f"that leaves {left} points outside melds"
    if kind == kit.A_GIN:
        return f"{leaves}; gin leaves none"
    if limit == 0:
        return f"{leaves}; in this hand nobody may knock, only gin ends it"
    return f"{leaves}; one knocks with {limit} or less"


def _why_no_lay_off(s: Any, k: Any, p: int, kind: int, a: int, b: int, c: int) -> str:
    if kind not in (kit.A_LAY_SET, kit.A_LAY_LOW, kit.A_LAY_HIGH):
        return f"player {int(s.knocker)} has knocked; lay off cards that fit, or pass"
    if not int(s.one[p]) >> a & 1:
        return f"you do not hold {card_text(a)}"
    assert melds.meld_for(k, s, kind, a, b, c) < 0
    return f"no meld on the table takes {card_text(a)} there"


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
            return f"seat {seat} has no cards, but in Gin every player holds some"
    if (s.scores[:n] < 0).any():
        return "nobody loses points in Gin: scores are 0 or more"
    if s.boxes.any() and not k.target:
        return "with target=None there is one hand, and no boxes are counted"
    if s.phase == UPCARD and (s.pile_size != 1 or s.pile[0] != s.upcard):
        return "while the upcard is offered, the pile is the upcard and nothing else"
    if s.phase == DRAW and s.stock_size <= 2:
        if not k.last_chance:
            return "a hand is dead when two cards are left in the stock; a draw needs three or more"
        if not s.pile_size:
            return "the last discard, which the other player may take to knock, is in the pile"
    if s.phase == LAYOFF:
        return _why_no_knock(s, k, int(settled.limit))
    if s.num_melds:
        return "melds lie on the table only after a knock, in the phase 'layoff'"
    return None


def _why_no_knock(s: Any, k: Any, limit: int) -> str | None:
    """Why the player who is not to lay off cannot have knocked."""
    knocker = 1 - int(s.turn)
    if s.laid_one[1 - knocker]:
        return f"seat {knocker} has knocked, so the melds on the table are those of seat {knocker}"
    hand, melded = int(s.one[knocker]), int(s.laid_one[knocker])
    held = points_held(k, s, knocker)
    if not 1 <= held <= limit:
        return (
            f"seat {knocker} has knocked, but holds {held} points beside its melds; "
            f"one knocks with 1 to {limit}"
        )
    least, _ = arrange(hand | melded, 0)
    if least < held:
        return (
            f"seat {knocker} has knocked, but holds {held} points beside its melds, and could be "
            f"left with {least}: the best melds are laid down"
        )
    return None


def turn_notes(s: Any) -> str:
    """What else everybody knows of the turn, to follow "seat 0 to play"."""
    words = ""
    if s.barred != NOBODY:
        words += f", may not discard {card_text(int(s.barred))}"
    if s.wall:
        words += ", only to end the hand"
    if s.phase != LAYOFF:
        words += f"; knock with {int(s.limit)} or less" if s.limit else "; gin only"
    if s.upcard != NOBODY:
        words += f"; upcard {card_text(int(s.upcard))}"
    if s.doubled:
        words += ", doubled"
    return words


def hand_note(s: Any, k: Any, seat: int) -> str:
    """What whoever holds a hand likes to know of it."""
    points, _ = arrange(int(s.one[seat]), 0)
    return f"{points} points outside melds"
