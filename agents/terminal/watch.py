"""Players play, and a person looks on."""

import time
from collections.abc import Iterator

from rich.text import Text

from ...envs.render import Who
from .draw import draw_events, draw_table, latest
from .lines import Lines
from .screen import Screen
from .sheet import draw_sheet, how_it_ended
from .sitting import Sitting


class Pace:
    """How fast a game is shown, and how much of it.

    Args:
        speed: moves a second.
        step: whether each move waits for the Enter key instead.
        hands: after so many it is over; None: when the match is.

    Raises:
        ValueError: a number that is not possible.
    """

    def __init__(self, speed: float = 1.0, step: bool = False, hands: int | None = None) -> None:
        if not 0 < speed <= 1000:
            raise ValueError(f"--speed {speed:g} is not possible; more than 0, at most 1000")
        if hands is not None and hands < 1:
            raise ValueError(f"--hands {hands} is not possible; at least 1")
        self.speed, self.step, self.hands = speed, step, hands


def who(text: str, seats: int) -> Who:
    """Whose view is meant: ``all``, ``public`` or a seat.

    Raises:
        ValueError: none of these.
    """
    if text in ("all", "public"):
        return text
    if not (text.isascii() and text.isdigit() and int(text) < seats):
        raise ValueError(
            f"--see {text} is not possible; see all, public, or a seat: 0 to {seats - 1}"
        )
    return int(text)


def moves(sitting: Sitting, hands: int | None) -> Iterator[None]:
    """Play on, with a stop after each move, until the match is over or so many hands are."""
    table = sitting.table
    while table.over in ("no", "hand"):
        if table.turn is None:
            if len(sitting.results) == hands:
                return
            table.next_hand()
        assert table.turn is not None
        sitting.play(*sitting.ask(table.turn))
        yield


class Watch:
    """A game that is looked at.

    On a terminal the table is drawn anew for each move; elsewhere there are lines that tell what is
    done, and the table where a hand is over.
    """

    def __init__(self, screen: Screen, sitting: Sitting, pace: Pace) -> None:
        self.screen, self.sitting, self.pace = screen, sitting, pace
        self._lines = Lines(screen, lambda: ())
        self._drawn = pace.step or screen.redraws

    def run(self) -> None:
        """Show it to its end, or until the person leaves."""
        table = self.sitting.table
        self._page()
        try:
            for _ in moves(self.sitting, self.pace.hands):
                self._wait()
                if table.over != "no":
                    self._page()
                    self.screen.say(how_it_ended(self.sitting))
                    draw_sheet(self.screen, self.sitting)
                elif self._drawn:
                    self._page()
                else:
                    self._tell()
        except EOFError:
            return

    def _wait(self) -> None:
        if self.pace.step:
            if self._lines.read("Enter goes on, q stops> ").lower() in ("q", "quit"):
                raise EOFError
        elif self.screen.redraws:
            time.sleep(1 / self.pace.speed)

    def _page(self) -> None:
        self.screen.clear()
        draw_table(self.screen, self.sitting, "suit")
        self.screen.print(Text())

    def _tell(self) -> None:
        """Tell a turn when it is over."""
        events = self.sitting.events
        if self.sitting.table.turn != events[-1].seat:
            self.screen.print(*draw_events(self.screen, self.sitting, latest(self.sitting)))
