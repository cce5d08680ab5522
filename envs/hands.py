"""Hands in plain Python: for texts, pictures and checks, where nothing needs to be fast."""

from typing import Any

from .cards import JOKER, NUM_FACES, card_text


def faces_of(s: Any, seat: int, prefix: str = "") -> list[int]:
    """The faces of some cards of a seat, by suit and rank, jokers last.

    Args:
        s: the state's record.
        seat: whose.
        prefix: of the fields that hold them: the hand has none; ``"known_"``, ``"laid_"``.
    """
    one, two, jokers = (int(s[f"{prefix}{field}"][seat]) for field in ("one", "two", "jokers"))
    faces = [face for face in range(NUM_FACES) for word in (one, two) if word >> face & 1]
    return faces + [JOKER] * jokers


def cards_of(s: Any, seat: int, prefix: str = "") -> list[str]:
    """The same as text."""
    return [card_text(face) for face in faces_of(s, seat, prefix)]


def points_held(k: Any, s: Any, seat: int) -> int:
    """The points of the cards in a seat's hand.

    Args:
        k: the kit's record.
        s: the state's record.
        seat: whose.
    """
    return sum(int(k.value[face]) for face in faces_of(s, seat))
