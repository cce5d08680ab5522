"""A table as a picture.

Pygame is imported when something is drawn: a picture needs neither a display nor sound, and only a
window opens a display.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled

from .card_faces import LIGHT, Colour, Faces, card_width
from .render import Seat, Shown, Who, show

SIZE = (1200, 900)
"""Width and height of the picture, in pixels."""

HEAD = 46
"""How high the headline is, and what is told below."""
SEAT_HEIGHTS = {1: 150, 2: 150, 3: 120, 4: 94}
"""How high a seat is, by how many lie one below another."""
_FELT, _DARK, _RAIL, _GOLD = (24, 98, 64), (19, 84, 54), (13, 56, 37), (250, 210, 90)
_SEAT_COLOURS = [
    (66, 135, 245), (240, 130, 40), (170, 90, 220), (220, 60, 90),
    (40, 170, 170), (190, 150, 30), (120, 120, 130), (240, 120, 190),
]  # fmt: skip


Area = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""
BAR = 19
"""What the bars that name the owners take below the cards of melds."""


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
    lengths: Sequence[int], area: Area, height: int = 124
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
        self._faces = Faces(pygame)
        self._canvas = pygame.Surface(SIZE)
        self._fps = fps
        self._window: Any = None
        if window:
            pygame.display.init()
            self._window = pygame.display.set_mode(SIZE)
            self._clock = pygame.time.Clock()

    def draw(
        self,
        game: ModuleType,
        states: np.ndarray,
        i: int,
        kits: np.ndarray,
        rules: Any,
        who: Who,
        names: Sequence[str] = (),
        caption: str = "",
    ) -> np.ndarray | None:
        """Draw table `i`: uint8 of shape (height, width, 3), None if it goes to the window.

        Args:
            names: of the players, by seat.
            caption: words to stand below, in which cards are drawn with the signs of their suits.
        """
        self._paint(show(game, states, i, kits, rules, who), names, caption)
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

    def _paint(self, shown: Shown, names: Sequence[str] = (), caption: str = "") -> None:
        self._canvas.fill(_FELT)
        self._box((0, 0, SIZE[0], HEAD), _RAIL)
        self._write(shown.headline, 28, (18, HEAD // 2), across=False)
        columns = 2 if len(shown.seats) > 4 else 1
        rows = -(-len(shown.seats) // columns)
        width, height = SIZE[0] // columns, SEAT_HEIGHTS[rows]
        for p, seat in enumerate(shown.seats):
            place = (p % columns * width, HEAD + 4 + p // columns * height, width, height)
            self._seat(p, seat, place, names[p] if names else "")
        top = HEAD + 10 + rows * height
        self._stock_and_pile(shown, top)
        bottom = SIZE[1] - (HEAD if caption else 8)
        self._melds(shown.melds, (18, top + 132, SIZE[0] - 36, bottom - top - 132))
        if caption:
            self._box((0, bottom, SIZE[0], HEAD), _RAIL)
            self._write(caption, 32, (SIZE[0] // 2, bottom + HEAD // 2))

    def _seat(self, p: int, seat: Seat, place: Area, name: str) -> None:
        x, y, width, height = place
        count = len(seat.cards) + seat.hidden
        self._box((x + 6, y + 2, width - 12, height - 5), _DARK, 10)
        if seat.acts:
            self._box((x + 6, y + 2, width - 12, height - 5), _GOLD, 10, 3)
        text, small = x + 18, 20
        lines = [f"{count} card{'s' * (count != 1)}", f"score {seat.score}"]
        if seat.played is not None:
            lines.append(f"played {seat.played}")
        top = y + (height - 88) // 2
        self._pygame.draw.aacircle(self._canvas, _SEAT_COLOURS[p], (text + 13, top + 15), 14)
        self._write(str(p), 26, (text + 13, top + 15))
        place_of_name = (text + 33, top + 10 if seat.dealer else top + 15)
        self._write(name, self._fitting(name, small, 68), place_of_name, across=False)
        if seat.dealer:
            self._write("dealer", small, (text + 33, top + 24 if name else top + 15), _GOLD, False)
        for n, line in enumerate(lines):
            self._write(line, small, (text, top + 43 + 17 * n), across=False)
        room = (x + 124, y + 8, width - 140, height - 16)
        self._row([*seat.cards, *["??"] * seat.hidden], room, 1.05)

    def _stock_and_pile(self, shown: Shown, top: int) -> None:
        back = self._faces.card("??", 96)
        count = len(shown.pile)
        if shown.stock:
            self._canvas.blit(back, (18, top + 24))
        self._write("stock", 20, (18, top + 11), across=False)
        self._write(str(shown.stock), 40, (18 + back.get_width() // 2, top + 72))
        words = "pile is empty" if not count else "pile" if count == 1 else "pile, top on the right"
        self._write(words, 20, (124, top + 11), across=False)
        self._row(shown.pile, (124, top + 24, SIZE[0] - 142, 96), 0.45)

    def _row(self, cards: Sequence[str], area: Area, step: float) -> None:
        """Single cards, from left to right."""
        height, places = fit_cards(len(cards), area, step)
        for card, place in zip(cards, places, strict=True):
            self._canvas.blit(self._faces.card(card, height), place)

    def _melds(self, melds: Sequence[Sequence[tuple[str, int]]], area: Area) -> None:
        """Melds with a bar below each card for the seat that laid it."""
        height, places = fit_melds([len(meld) for meld in melds], area)
        for meld, spots in zip(melds, places, strict=True):
            for (card, owner), (x, y) in zip(meld, spots, strict=True):
                self._canvas.blit(self._faces.card(card, height), (x, y))
                bar = (x + 1, y + height + 2, int(0.42 * height) - 2, BAR - 3)
                self._box(bar, _SEAT_COLOURS[owner], 3)
                self._write(str(owner), 20, (x + bar[2] // 2 + 1, y + height + 2 + bar[3] // 2))

    def _fitting(self, text: str, size: int, width: int) -> int:
        """The size in which a text fits, or nearly."""
        while size > 12 and self._faces.words(text, size).get_width() > width:
            size -= 1
        return size

    def _box(self, area: Area, colour: Colour, rounded: int = 0, line: int = 0) -> None:
        self._pygame.draw.rect(self._canvas, colour, area, line, border_radius=rounded)

    def _write(
        self,
        text: str,
        size: int,
        at: tuple[int, int],
        colour: Colour = LIGHT,
        across: bool = True,
    ) -> None:
        """Write words in the middle of a place; not `across`: from there to the right."""
        drawn = self._faces.words(text, size, colour)
        place = drawn.get_rect(center=at) if across else drawn.get_rect(midleft=at)
        self._canvas.blit(drawn, place)
