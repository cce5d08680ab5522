"""Cards as numbers and as text.

A *face* is a small integer: ``suit * 13 + rank`` with the suits in the order clubs, diamonds,
hearts, spades and the ranks ace, 2, ... king; the joker is 52. Cards of two packs are told apart by
nothing but their face, as at a table. A *word* is an ``int64`` whose bit ``face`` is set for each
face in it: 52 bits, so that no shift ever meets the sign.
"""

import re

RANKS = "A23456789TJQK"
SUITS = "CDHS"
NUM_FACES = 52
JOKER = 52
NOBODY = 255
"""In the places of a state that name a card or a seat: none."""

_CARD = re.compile(r"(10|[A2-9TJQK])([CDHS])", re.IGNORECASE)
_JOKER = re.compile(r"JK(?:\((10|[A2-9TJQK])([CDHS])?\))?", re.IGNORECASE)


class CardError(ValueError):
    """A text that does not name a card."""


def face(rank: int, suit: int) -> int:
    """The face of a rank (0 ace .. 12 king) and a suit (0 clubs .. 3 spades).

    >>> face(6, 3), card_text(face(6, 3))
    (45, '7S')
    """
    return suit * 13 + rank


def card_text(card: int) -> str:
    """A face as text: ``7S``, ``TD``, ``JK``."""
    if card == JOKER:
        return "JK"
    return RANKS[card % 13] + SUITS[card // 13]


def parse_card(text: str) -> int:
    """The face that a text such as ``7S``, ``10D`` or ``JK`` names.

    >>> parse_card("10d"), parse_card("JK")
    (22, 52)

    Raises:
        CardError: the text names no card.
    """
    card, stands_for = parse_played(text)
    if stands_for is not None:
        raise CardError(f"{text!r} names a joker on the table; in the hand it is plain JK")
    return card


def parse_played(text: str) -> tuple[int, str | None]:
    """A card as it lies on the table: its face, and for a declared joker what it stands for.

    >>> parse_played("JK(10d)"), parse_played("JK(7)"), parse_played("7S")
    ((52, 'TD'), (52, '7'), (45, None))

    Raises:
        CardError: the text names no card.
    """
    if not isinstance(text, str):
        raise CardError(f"{text!r} is not a card; cards are text like '7S'")
    text = text.strip()
    if match := _CARD.fullmatch(text):
        rank = RANKS.index(match[1].upper().replace("10", "T"))
        return face(rank, SUITS.index(match[2].upper())), None
    if match := _JOKER.fullmatch(text):
        if match[1] is None:
            return JOKER, None
        return JOKER, match[1].upper().replace("10", "T") + (match[2] or "").upper()
    raise CardError(f"{text!r} is not a card; cards are written like 7S, TD (or 10D), AC and JK")


def in_rank_order(card: int) -> tuple[int, int]:
    """A sort key: by rank, then suit, jokers last."""
    return (card % 13, card // 13) if card != JOKER else (13, 0)
