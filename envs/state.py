"""The state of a table as one flat record, who may see each field of it, and how cards move.

An array of N records is N tables; copying the array copies the games. A hand is two words (see
`rummyzoo.envs.bits`): the faces held once or twice, and the faces held twice (two packs), with the
jokers counted beside them. Cards that a player took from the discard pile are known to all until
they are played: the ``known_...`` fields, a part of the hand.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .bits import lowest
from .cards import JOKER
from .jit import helper, kernel
from .kit import MAX_PACK, MAX_PLAYERS

PUBLIC = "public"
OWNER = "owner"
NOBODY_SEES = "nobody"

MAX_MELDS = 36
"""Two packs of 54 cards in threes."""

# The phases of a table. Those in which somebody is to act are below HAND_OVER; a game numbers its
# own from 2 on, and names all of them in ``PHASES``.
DRAW, PLAY = 0, 1
HAND_OVER, MATCH_OVER, TRUNCATED = 101, 102, 103


class Field(NamedTuple):
    """A field of the state: its name, type and shape, who may see it, and what it holds."""

    name: str
    type: str
    shape: tuple[int, ...]
    visibility: str
    meaning: str


CORE = (
    Field("rng", "u8", (), NOBODY_SEES, "the word of the generator"),
    Field("one", "i8", (MAX_PLAYERS,), OWNER, "faces in hand, by seat"),
    Field("two", "i8", (MAX_PLAYERS,), OWNER, "faces in hand twice"),
    Field("jokers", "u1", (MAX_PLAYERS,), OWNER, "jokers in hand"),
    Field("known_one", "i8", (MAX_PLAYERS,), PUBLIC, "faces in hand that were taken from the pile"),
    Field("known_two", "i8", (MAX_PLAYERS,), PUBLIC, "... twice"),
    Field("known_jokers", "u1", (MAX_PLAYERS,), PUBLIC, "... jokers"),
    Field("hand_size", "u1", (MAX_PLAYERS,), PUBLIC, "cards in hand"),
    Field("stock", "u1", (MAX_PACK,), NOBODY_SEES, "the stock, its top last"),
    Field("stock_size", "u1", (), PUBLIC, "cards in the stock"),
    Field("open_stock", "i8", (), PUBLIC, "faces in the stock, where all have seen it (one pack)"),
    Field("pile", "u1", (MAX_PACK,), PUBLIC, "the discard pile, its top last"),
    Field("pile_size", "u1", (), PUBLIC, "cards in the pile"),
    Field("num_melds", "u1", (), PUBLIC, "melds on the table"),
    Field("meld_key", "u1", (MAX_MELDS,), PUBLIC, "the rank of a set; 16 + suit of a run"),
    Field(
        "meld_cards",
        "i2",
        (MAX_MELDS,),
        PUBLIC,
        "places filled: by suit, jokers from place 4; by position",
    ),
    Field("meld_jokers", "i2", (MAX_MELDS,), PUBLIC, "places filled by jokers"),
    Field(
        "meld_owner",
        "i8",
        (MAX_MELDS,),
        PUBLIC,
        "who laid the card in each place, four bits a place",
    ),
    Field("open_set", "i8", (), PUBLIC, "faces that fit a set on the table"),
    Field("open_low", "i8", (), PUBLIC, "places below runs, 13 * suit + position"),
    Field("open_high", "i8", (), PUBLIC, "places above runs, 13 * suit + position - 1"),
    Field("open_joker", "i8", (), PUBLIC, "ranks of sets that have room for a joker"),
    Field("laid_one", "i8", (MAX_PLAYERS,), PUBLIC, "faces that a seat has on the table"),
    Field("laid_two", "i8", (MAX_PLAYERS,), PUBLIC, "... twice"),
    Field("laid_jokers", "u1", (MAX_PLAYERS,), PUBLIC, "... jokers"),
    Field("in_runs", "i8", (), PUBLIC, "faces that lie in a run"),
    Field("in_runs_two", "i8", (), PUBLIC, "... twice"),
    Field("melded", "i2", (MAX_PLAYERS,), PUBLIC, "points played this hand"),
    Field("hand_scores", "i2", (MAX_PLAYERS,), PUBLIC, "scores of the last hand that ended"),
    Field("scores", "i4", (MAX_PLAYERS,), PUBLIC, "scores of the match"),
    Field("hands", "u2", (), PUBLIC, "hands that have ended"),
    Field("turns", "u2", (), PUBLIC, "turns of this hand that have ended"),
    Field("dealer", "u1", (), PUBLIC, "the seat that dealt"),
    Field("turn", "u1", (), PUBLIC, "the seat to act"),
    Field("phase", "u1", (), PUBLIC, "what is to be done"),
    Field("winner", "u1", (), PUBLIC, "the seat that won the match, or 255"),
)


def state_dtype(fields: Sequence[Field]) -> np.dtype[Any]:
    """The record that a list of fields makes, with every field aligned.

    The bytes between fields are fields too (``gap_...``): what is not a field, NumPy neither copies
    nor clears, and two equal states would differ in their bytes.
    """
    found: list[tuple[str, str, tuple[int, ...]]] = []
    aligned = np.dtype([(f.name, f.type, f.shape) for f in fields], align=True)
    end = 0
    for f in (*fields, None):
        start = aligned.itemsize if f is None else int(aligned.fields[f.name][1])  # type: ignore[index]
        if start > end:
            found.append((f"gap_{end}", "u1", (start - end,)))
        if f is not None:
            found.append((f.name, f.type, f.shape))
            end = start + np.dtype((f.type, f.shape)).itemsize
    made = np.dtype(found, align=True)
    assert made.itemsize == aligned.itemsize
    assert not any(hasattr(np.record, f.name) for f in fields), "taken by NumPy"
    return np.dtype((np.record, made))


@helper
def clear_table(s):
    """Empty a table: no cards, no melds, no points of this hand."""
    s.one[:] = 0
    s.two[:] = 0
    s.jokers[:] = 0
    s.known_one[:] = 0
    s.known_two[:] = 0
    s.known_jokers[:] = 0
    s.hand_size[:] = 0
    s.stock[:] = 0
    s.stock_size = 0
    s.open_stock = 0
    s.pile[:] = 0
    s.pile_size = 0
    s.num_melds = 0
    s.meld_key[:] = 0
    s.meld_cards[:] = 0
    s.meld_jokers[:] = 0
    s.meld_owner[:] = 0
    s.open_set = 0
    s.open_low = 0
    s.open_high = 0
    s.open_joker = 0
    s.laid_one[:] = 0
    s.laid_two[:] = 0
    s.laid_jokers[:] = 0
    s.in_runs = 0
    s.in_runs_two = 0
    s.melded[:] = 0
    s.turns = 0


@helper
def left_of(p, num_players):
    """The next seat clockwise."""
    return p + 1 if p + 1 < num_players else 0


@kernel
def add_card(s, p, card):
    """Put a card into a hand."""
    s.hand_size[p] += 1
    if card == JOKER:
        s.jokers[p] += 1
        return
    bit = 1 << card
    s.two[p] |= s.one[p] & bit
    s.one[p] |= bit


@helper
def add_known(s, p, card):
    """Put a card that all have seen into a hand."""
    add_card(s, p, card)
    if card == JOKER:
        s.known_jokers[p] += 1
        return
    bit = 1 << card
    s.known_two[p] |= s.known_one[p] & bit
    s.known_one[p] |= bit


@helper
def drop_card(s, p, card):
    """Take a card out of a hand; what the others know of the hand is left to `forget_card`."""
    s.hand_size[p] -= 1
    if card == JOKER:
        s.jokers[p] -= 1
        return
    bit = 1 << card
    if s.two[p] & bit:
        s.two[p] &= ~bit
    else:
        s.one[p] &= ~bit


@helper
def forget_card(s, p, card):
    """A card of this face has left a hand: if it was known to be there, one copy fewer is."""
    if card == JOKER:
        if s.known_jokers[p] > 0:
            s.known_jokers[p] -= 1
        return
    bit = 1 << card
    if s.known_two[p] & bit:
        s.known_two[p] &= ~bit
    else:
        s.known_one[p] &= ~bit


@kernel
def copies_in_hand(s, p, card):
    """How many cards of a face a hand holds."""
    if card == JOKER:
        return np.int64(s.jokers[p])
    return ((s.one[p] >> card) & 1) + ((s.two[p] >> card) & 1)


@helper
def draw_card(s):
    """Take the top card off the stock; returns it."""
    s.stock_size -= 1
    top = np.int64(s.stock_size)
    card = np.int64(s.stock[top])
    s.stock[top] = 0
    return card


@helper
def take_top(s, p):
    """Take the top card of the pile into a hand, for all to see; returns it."""
    s.pile_size -= 1
    top = np.int64(s.pile_size)
    card = np.int64(s.pile[top])
    s.pile[top] = 0
    add_known(s, p, card)
    return card


@helper
def discard_card(s, p, card):
    """Put a card of a hand on the pile."""
    drop_card(s, p, card)
    forget_card(s, p, card)
    s.pile[s.pile_size] = card
    s.pile_size += 1


@helper
def points_of(k, one, two, jokers):
    """The points of some cards held (a hand, say)."""
    total = jokers * k.value[JOKER]
    while one:
        card = lowest(one)
        total += k.value[card] * (1 + ((two >> card) & 1))
        one &= one - 1
    return total


@helper
def held_points(k, s, p):
    """The points in a hand."""
    return points_of(k, s.one[p], s.two[p], np.int64(s.jokers[p]))
