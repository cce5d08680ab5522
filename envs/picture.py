"""A table as a picture.

Pygame is imported when something is drawn: a picture needs neither a display nor sound, and only a
window opens a display.
"""

from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from types import ModuleType
from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled

from .render import Seat, Shown, Who, show

SIZE = (1200, 900)
"""Width and height of the picture, in pixels."""

_FELT, _DARK, _LIGHT, _GOLD = (22, 92, 60), (14, 66, 43), (235, 240, 235), (250, 210, 90)
_SUIT_COLOURS = {"C": (20, 110, 40), "D": (25, 75, 190), "H": (200, 25, 35), "S": (15, 15, 20)}
_SEAT_COLOURS = [
    (66, 135, 245), (240, 130, 40), (170, 90, 220), (220, 60, 90),
    (40, 170, 170), (190, 150, 30), (120, 120, 130), (240, 120, 190),
]  # fmt: skip


Area = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""
BAR = 19
"""What the bars that name the owners take below the cards of melds."""


def card_width(height: int) -> int:
    """How wide a card is."""
    return int(0.68 * height)


def fit_cards(count: int, area: Area, step: float) -> tuple[int, list[tuple[int, int]]]:
    """How high to draw some cards, and where: in more than one row if that shows more of them.

    Args:
        count: how many cards.
        area: where they go; their height at most is its height.
        step: how far apart they lie where there is room, in widths of a card.
    """
    left, top, width, room = area
    for rows in (1, 2, 3):
        height = (room - 3 * (rows - 1)) // rows
        in_row = -(-count // rows)
        apart = int((step if rows == 1 else 1.04) * card_width(height))
        if in_row > 1:
            apart = min(apart, (width - card_width(height)) // (in_row - 1))
        if apart >= 0.36 * card_width(height):
            break
    spots = [divmod(n, max(in_row, 1)) for n in range(count)]
    return height, [(left + n * apart, top + row * (height + 3)) for row, n in spots]


def fit_melds(
    lengths: Sequence[int], area: Area, height: int = 110
) -> tuple[int, list[list[tuple[int, int]]]]:
    """How high to draw melds of these lengths, and where each card: as large as they fit.

    Args:
        lengths: how many cards each meld has.
        area: where they go.
        height: how high the cards are at most.
    """
    left, top, width, room = area
    while True:
        apart, places, x, y = int(0.42 * height), [], 0, 0
        for length in lengths:
            if x and x + (length - 1) * apart + card_width(height) > width:
                x, y = 0, y + height + BAR + 3
            places.append([(left + x + n * apart, top + y) for n in range(length)])
            x += (length - 1) * apart + card_width(height) + 12
        if height <= 36 or y + height + BAR <= room:
            return height, places
        height -= 4


class Painter:
    """Draws tables with pygame, into arrays or into a window.

    Args:
        window: whether `draw` shows the picture in a window, and returns None.
        fps: pictures a second in the window, at most.

    Raises:
        DependencyNotInstalled: pygame is missing.
    """

    def __init__(self, window: bool, fps: float) -> None:
        try:
            import pygame
        except ImportError:
            raise DependencyNotInstalled(
                "drawing needs pygame-ce: pip install 'rummyzoo[render]'; "
                "render_mode='ansi' does without"
            ) from None
        self._pygame: Any = pygame
        pygame.font.init()
        self._cards: dict[tuple[str, int], Any] = {}
        self._canvas = pygame.Surface(SIZE)
        self._fps = fps
        self._window: Any = None
        if window:
            pygame.display.init()
            self._window = pygame.display.set_mode(SIZE)
            self._clock = pygame.time.Clock()

    def draw(
        self, game: ModuleType, states: np.ndarray, i: int, kits: np.ndarray, rules: Any, who: Who
    ) -> np.ndarray | None:
        """Draw table `i`: uint8 of shape (height, width, 3), None if it goes to the window."""
        self._paint(show(game, states, i, kits, rules, who))
        if self._window is None:
            return self._pygame.surfarray.array3d(self._canvas).transpose(1, 0, 2).copy()
        self._pygame.display.set_caption(game.TITLE)
        self._window.blit(self._canvas, (0, 0))
        self._pygame.event.pump()
        self._pygame.display.flip()
        self._clock.tick(self._fps)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._pygame.display.quit()
            self._window = None

    def _paint(self, shown: Shown) -> None:
        self._canvas.fill(_FELT)
        self._write(shown.headline, 30, (14, 10))
        columns = 2 if len(shown.seats) > 4 else 1
        width = SIZE[0] // columns
        for p, seat in enumerate(shown.seats):
            self._seat(p, seat, p % columns * width, 44 + p // columns * 92, width)
        top = 44 + -(-len(shown.seats) // columns) * 92
        self._write("stock", 22, (14, top + 4))
        back = self._card("??", 84)
        if shown.stock:
            self._canvas.blit(back, (14, top + 24))
        self._write(str(shown.stock), 34, (14 + back.get_width() // 2, top + 66), middle=True)
        self._write("pile, the top on the right", 22, (100, top + 4))
        self._row(shown.pile, (100, top + 24, SIZE[0] - 114, 84), 0.45)
        self._write("table; below each card, the seat that laid it", 22, (14, top + 118))
        self._melds(shown.melds, (14, top + 138, SIZE[0] - 28, SIZE[1] - top - 144))

    def _seat(self, p: int, seat: Seat, x: int, y: int, width: int) -> None:
        pygame = self._pygame
        count = len(seat.cards) + seat.hidden
        if seat.acts:
            pygame.draw.rect(self._canvas, _DARK, (x + 4, y, width - 8, 90), border_radius=8)
            pygame.draw.rect(self._canvas, _GOLD, (x + 4, y, width - 8, 90), 3, border_radius=8)
        pygame.draw.circle(self._canvas, _SEAT_COLOURS[p], (x + 32, y + 28), 17)
        self._write(str(p), 30, (x + 32, y + 28), middle=True)
        self._write("dealer" if seat.dealer else "", 20, (x + 56, y + 10), _GOLD)
        self._write(f"{count} card{(count != 1) * 's'}", 20, (x + 56, y + 26))
        self._write(f"score {seat.score}", 24, (x + 14, y + 50))
        if seat.played is not None:
            self._write(f"played {seat.played}", 20, (x + 14, y + 70))
        self._row([*seat.cards, *["??"] * seat.hidden], (x + 120, y + 5, width - 132, 80), 1.04)

    def _row(self, cards: Sequence[str], area: Area, step: float) -> None:
        """Single cards, from left to right."""
        height, places = fit_cards(len(cards), area, step)
        for card, place in zip(cards, places, strict=True):
            self._canvas.blit(self._card(card, height), place)

    def _melds(self, melds: Sequence[Sequence[tuple[str, int]]], area: Area) -> None:
        """Melds with a bar below each card for the seat that laid it."""
        height, places = fit_melds([len(meld) for meld in melds], area)
        for meld, spots in zip(melds, places, strict=True):
            for (card, owner), (x, y) in zip(meld, spots, strict=True):
                self._canvas.blit(self._card(card, height), (x, y))
                bar = self._pygame.Rect(x + 1, y + height + 2, int(0.42 * height) - 2, BAR - 4)
                self._pygame.draw.rect(self._canvas, _SEAT_COLOURS[owner], bar, border_radius=3)
                self._write(str(owner), 20, bar.center, middle=True)

    def _card(self, text: str, height: int) -> Any:
        """The picture of a card: ``7S``, ``JK``, ``JK(5C)``, or ``??`` for a back."""
        if (text, height) not in self._cards:
            pygame = self._pygame
            h, w = 4 * height, 4 * card_width(height)  # drawn large, then shrunk smoothly
            card = pygame.Surface((w, h), pygame.SRCALPHA)
            edge = h // 12
            pygame.draw.rect(card, (60, 60, 60), (0, 0, w, h), border_radius=edge)
            inside = (4, 4, w - 8, h - 8)
            back = text == "??"
            pygame.draw.rect(
                card, (40, 60, 120) if back else (252, 252, 248), inside, border_radius=edge
            )
            if back:
                frame = (edge, edge, w - 2 * edge, h - 2 * edge)
                pygame.draw.rect(card, (150, 165, 215), frame, edge // 3)
            elif text.startswith("JK"):
                self._symbol(card, "JK", (110, 30, 130), (0.06, 0.06), 0.36)
                if len(text) > 2:
                    self._symbol(card, "=" + text[3:-1], (110, 30, 130), (0.05, 0.6), 0.25)
            else:
                colour = _SUIT_COLOURS[text[1]]
                ten = text[0] == "T"
                rank, size = ("10", 0.36) if ten else (text[0], 0.42)
                self._symbol(card, rank, colour, (0.04 if ten else 0.06, 0.05), size)
                self._suit(card, text[1], colour, (0.24 * w, 0.5 * h), 0.11 * h)
                self._suit(card, text[1], colour, (0.66 * w, 0.74 * h), 0.2 * h)
            self._cards[text, height] = pygame.transform.smoothscale(card, (w // 4, h // 4))
        return self._cards[text, height]

    def _symbol(
        self, card: Any, text: str, colour: Any, at: tuple[float, float], size: float
    ) -> None:
        drawn = self._pygame.font.Font(None, int(size * card.get_height())).render(
            text, True, colour
        )
        card.blit(drawn, (at[0] * card.get_width(), at[1] * card.get_height()))

    def _suit(
        self, card: Any, suit: str, colour: Any, at: tuple[float, float], size: float
    ) -> None:
        """Draw a suit's sign, `size` being half its height (the default font has none)."""
        x, y = at

        def fill(points: Iterable[tuple[float, float]]) -> None:
            places = [(x + size * a, y + size * b) for a, b in points]
            self._pygame.draw.polygon(card, colour, places)

        stem = [(0, 0.1), (0.35, 1), (-0.35, 1)]
        if suit == "D":
            fill([(0, -1), (0.75, 0), (0, 1), (-0.75, 0)])
        elif suit == "C":
            for a, b in ((0, -0.5), (-0.5, 0.2), (0.5, 0.2)):
                place = (x + size * a, y + size * b)
                self._pygame.draw.circle(card, colour, place, 0.45 * size)
            fill(stem)
        else:
            turn = 1 if suit == "H" else -1
            angles = [2 * pi * n / 60 for n in range(60)]
            heart = [
                (sin(t) ** 3, -(13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)) / 15)
                for t in angles
            ]
            fill((0.95 * a, turn * b) for a, b in heart)
            if suit == "S":
                fill(stem)

    def _write(
        self,
        text: str,
        size: int,
        at: tuple[int, int],
        colour: Any = _LIGHT,
        middle: bool = False,
    ) -> None:
        drawn = self._pygame.font.Font(None, size).render(text, True, colour)
        place = drawn.get_rect(center=at) if middle else drawn.get_rect(topleft=at)
        self._canvas.blit(drawn, place)
