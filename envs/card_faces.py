"""Cards and words as pictures, with pygame: drawn large, shrunk smoothly, and kept."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import cos, pi, sin
from typing import Any

Colour = tuple[int, int, int]
Place = tuple[float, float]

LIGHT: Colour = (238, 243, 238)
ON_CARDS: dict[str, Colour] = {
    "C": (20, 110, 40),
    "D": (25, 75, 190),
    "H": (200, 25, 35),
    "S": (15, 15, 20),
}
ON_FELT: dict[str, Colour] = {
    "C": (120, 220, 140),
    "D": (130, 185, 255),
    "H": (255, 125, 125),
    "S": LIGHT,
}
_PAPER, _EDGE, _JOKER = (253, 253, 250), (70, 70, 70), (110, 30, 130)
_BACK, _BACK_FRAME, _BACK_SIGNS = (38, 58, 122), (160, 175, 222), (66, 88, 158)
_FINER = 4
"""So many times larger everything is drawn than it is shown."""
_SIGNED = re.compile(r"\b(10|[A2-9TJQK])([CDHS])\b")


def card_width(height: int) -> int:
    """How wide a card is."""
    return int(0.68 * height)


@lru_cache
def outline(suit: str) -> tuple[tuple[Place, ...], ...]:
    """The sign of a suit as polygons from -1 to 1, for the fonts have none."""
    stem = ((0.0, 0.1), (0.35, 1.0), (-0.35, 1.0))
    if suit == "D":
        return (((0.0, -1.0), (0.75, 0.0), (0.0, 1.0), (-0.75, 0.0)),)
    angles = [2 * pi * n / 60 for n in range(60)]
    if suit == "C":
        middles = ((0.0, -0.5), (-0.5, 0.2), (0.5, 0.2))
        leaves = [tuple((x + 0.45 * cos(t), y + 0.45 * sin(t)) for t in angles) for x, y in middles]
        leaves.append(((0.0, -0.3), (0.3, 0.2), (-0.3, 0.2)))
        return (*leaves, stem)
    turn = 1 if suit == "H" else -1
    heart = tuple(
        (
            0.95 * sin(t) ** 3,
            -turn * (13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)) / 15,
        )
        for t in angles
    )
    return (heart,) if suit == "H" else (heart, stem)


def star() -> tuple[Place, ...]:
    """A star with five points, which jokers wear."""
    radii = (1.0, 0.42) * 5
    return tuple((r * sin(n * pi / 5), -r * cos(n * pi / 5)) for n, r in enumerate(radii))


class Faces:
    """Pictures of cards, suits and words.

    Args:
        pygame: the module, with its fonts initialised.
    """

    def __init__(self, pygame: Any) -> None:
        self._pygame = pygame
        self._cards: dict[tuple[str, int], Any] = {}
        self._words = lru_cache(maxsize=512)(self._draw_words)

    def words(self, text: str, size: int, colour: Colour = LIGHT) -> Any:
        """A text, with the signs of the suits for cards in it, as a picture on nothing."""
        return self._words(text, size, colour)

    def card(self, text: str, height: int) -> Any:
        """A card: ``7S``, ``JK``, ``JK(5C)``, or ``??`` for a back."""
        if (text, height) not in self._cards:
            self._cards[text, height] = self._draw_card(text, height)
        return self._cards[text, height]

    def _draw_words(self, text: str, size: int, colour: Colour) -> Any:
        pieces = list(self._pieces(text, _FINER * size, colour))
        width, height = sum(p.get_width() for p in pieces), max(p.get_height() for p in pieces)
        whole = self._pygame.Surface((max(width, 1), height), self._pygame.SRCALPHA)
        x = 0
        for piece in pieces:
            whole.blit(piece, (x, (height - piece.get_height()) // 2))
            x += piece.get_width()
        small = (max(width // _FINER, 1), max(height // _FINER, 1))
        return self._pygame.transform.smoothscale(whole, small)

    def _pieces(self, text: str, size: int, colour: Colour) -> Iterator[Any]:
        """A text in pieces of one colour, and signs of suits."""
        font = self._pygame.font.Font(None, size)
        at = 0
        for found in _SIGNED.finditer(text):
            yield font.render(text[at : found.start()], True, colour)
            rank, suit = found[1].replace("T", "10"), found[2]
            yield font.render(rank, True, ON_FELT[suit])
            sign = self._pygame.Surface((int(0.62 * size), int(0.7 * size)), self._pygame.SRCALPHA)
            middle = (0.3 * size, 0.33 * size)
            self._fill(sign, outline(suit), ON_FELT[suit], middle, 0.25 * size)
            yield sign
            at = found.end()
        yield font.render(text[at:], True, colour)

    def _draw_card(self, text: str, height: int) -> Any:
        pygame = self._pygame
        h, w = _FINER * height, _FINER * card_width(height)
        card = pygame.Surface((w, h), pygame.SRCALPHA)
        round_ = h // 11
        back = text == "??"
        pygame.draw.rect(card, _EDGE, (0, 0, w, h), border_radius=round_)
        inside = (3, 3, w - 6, h - 6)
        pygame.draw.rect(card, _BACK if back else _PAPER, inside, border_radius=round_)
        if back:
            self._draw_back(card)
        elif text.startswith("JK"):
            self._draw_joker(card, text[3:-1])
        else:
            self._draw_face(card, text[0], text[1])
        return pygame.transform.smoothscale(card, (w // _FINER, h // _FINER))

    def _draw_face(self, card: Any, rank: str, suit: str) -> None:
        w, h = card.get_size()
        colour = ON_CARDS[suit]
        ten = rank == "T"
        name, size = ("10", 0.36) if ten else (rank, 0.42)
        self._print(card, name, colour, (0.04 if ten else 0.07, 0.05), size)
        self._fill(card, outline(suit), colour, (0.22 * w, 0.47 * h), 0.1 * h)
        self._fill(card, outline(suit), colour, (0.66 * w, 0.73 * h), 0.2 * h)

    def _draw_joker(self, card: Any, stands_for: str) -> None:
        w, h = card.get_size()
        self._print(card, "JK", _JOKER, (0.06, 0.06), 0.34)
        if not stands_for:
            self._fill(card, (star(),), _JOKER, (0.6 * w, 0.66 * h), 0.25 * h)
            return
        self._fill(card, (star(),), _JOKER, (0.74 * w, 0.8 * h), 0.13 * h)
        rank, suit = stands_for[0].replace("T", "10"), stands_for[1:]
        colour = ON_CARDS[suit] if suit else _JOKER
        self._print(card, rank, colour, (0.06, 0.36), 0.34)
        if suit:
            self._fill(card, outline(suit), colour, (0.21 * w, 0.74 * h), 0.1 * h)

    def _draw_back(self, card: Any) -> None:
        w, h = card.get_size()
        edge = h // 14
        frame = (edge, edge, w - 2 * edge, h - 2 * edge)
        for row in range(5):
            for column in range(3 + row % 2):
                place = (w * (0.5 + 0.22 * (column - 1 - row % 2 / 2)), h * (0.2 + 0.15 * row))
                self._fill(card, outline("D"), _BACK_SIGNS, place, 0.07 * h)
        self._pygame.draw.rect(card, _BACK_FRAME, frame, edge // 3, border_radius=edge)

    def _print(self, card: Any, text: str, colour: Colour, at: Place, size: float) -> None:
        w, h = card.get_size()
        drawn = self._pygame.font.Font(None, int(size * h)).render(text, True, colour)
        card.blit(drawn, (at[0] * w, at[1] * h))

    def _fill(
        self,
        surface: Any,
        polygons: Iterable[Iterable[Place]],
        colour: Colour,
        middle: Place,
        size: float,
    ) -> None:
        """Fill polygons about a place; `size`: what is 1 in them, in pixels."""
        for points in polygons:
            places = [(middle[0] + size * x, middle[1] + size * y) for x, y in points]
            self._pygame.draw.polygon(surface, colour, places)
