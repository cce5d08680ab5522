"""Hands in plain Python: for texts and pictures, where nothing needs to be fast."""

from typing import Any

from .cards import card_text, parse_card


def cards_of(one: int, two: int, jokers: int) -> list[str]:
    """The cards of a hand's words as text, by suit and rank, jokers last."""
    faces = [face for face in range(52) for word in (one, two) if word >> face & 1]
    return [card_text(face) for face in faces] + ["JK"] * jokers


def points_held(k: Any, s: Any, seat: int) -> int:
    """The points of the cards in a seat's hand.

    Args:
        k: the kit's record.
        s: the state's record.
    """
    cards = cards_of(int(s.one[seat]), int(s.two[seat]), int(s.jokers[seat]))
    return sum(int(k.value[parse_card(card)]) for card in cards)
