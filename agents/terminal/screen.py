"""The terminal: its width, colours and symbols, and waiting without silence.

Rich decides about colours: they follow ``NO_COLOR``, ``FORCE_COLOR`` and ``TERM=dumb``, and there
are none where the output is no terminal. The suits have four colours, so that they can be told
apart at a glance, and without colours their signs, or letters where the encoding has no signs.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

FIRST_TIME = "getting ready; the first time, rules are compiled for half a minute"
MOST_COLUMNS = 100
PATIENCE = 1.0
"""After so many seconds of silence it is said what takes its time."""

_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_COLOURS = {"C": "green", "D": "bright_blue", "H": "red", "S": "bold"}
_JOKER = "magenta"
_CARD = re.compile(r"\b(?:JK(?:\((?:10|[A2-9TJQK])[CDHS]?\))?|(?:10|[A2-9TJQK])[CDHS]\b)")


class Screen:
    """Where a table is drawn.

    Args:
        file: where to; None: the standard output.
        width: columns; None: those of the terminal, but no more than 100, or 80.
    """

    def __init__(self, file: TextIO | None = None, width: int | None = None) -> None:
        self.console = Console(file=file, width=width, highlight=False, emoji=False, markup=False)
        if width is None and self.console.width > MOST_COLUMNS:
            self.console.width = MOST_COLUMNS
        self.signs = self._can_show("♣♦♥♠")
        self.redraws = self.console.is_terminal and not self.console.is_dumb_terminal

    def _can_show(self, text: str) -> bool:
        try:
            text.encode(getattr(self.console.file, "encoding", None) or "utf-8")
        except UnicodeEncodeError:
            return False
        return True

    @property
    def width(self) -> int:
        """How many columns there are."""
        return self.console.width

    def card(self, text: str, more: str = "") -> Text:
        """A card as it is drawn; `more`: Rich's words for how it looks beside its colour."""
        colour = _JOKER if text.startswith("JK") else _COLOURS.get(text[-1], "")
        shown = text.replace("T", "10") if "10" not in text else text
        if self.signs:
            shown = re.sub(r"(?<=\d|[AJQK])[CDHS]", lambda found: _SIGNS[found[0]], shown)
        return Text(shown, f"{colour} {more}".strip())

    def cards(self, texts: Iterable[str], more: str = "") -> Text:
        """Cards with spaces between them."""
        return Text(" ").join(self.card(text, more) for text in texts)

    def words(self, text: str, style: str = "") -> Text:
        """Words in which all cards are drawn as cards."""
        found, at = Text(style=style), 0
        for match in _CARD.finditer(text):
            found.append(text[at : match.start()])
            found.append_text(self.card(match[0]))
            at = match.end()
        found.append(text[at:])
        return found

    def print(self, *lines: Text | str) -> None:
        """Write lines; those that are too long are broken between words."""
        for line in lines:
            self.console.print(line, overflow="fold")

    def say(self, text: str, style: str = "") -> None:
        """Write a sentence in which cards are drawn as cards."""
        self.print(self.words(text, style))

    def offer(self, what: str, command: str, path: Path) -> None:
        """Name a command with a file, on a line of its own, from which it can be copied."""
        self.print(what, f"  {_program()} {command} {shlex.quote(str(path))}")

    def refuse(self, text: str) -> None:
        """Write a refusal; how something is typed (like 7S) stays as it is typed."""
        told, like, typed = text.partition(" like")
        self.print(self.words(told).append(like + typed))

    def clear(self) -> None:
        """Begin a new page, where the terminal can."""
        if self.redraws:
            self.console.clear()

    def rule(self, title: Text | str = "") -> None:
        """Draw a line across, with a title on its left."""
        self.console.rule(title, align="left", style="dim", characters="─" if self.signs else "-")

    @contextmanager
    def patience(self, what: str) -> Iterator[None]:
        """Say in a line what takes its time, if it takes more than a moment."""
        status: Any = self.console.status(Text(what)) if self.redraws else None
        begin = status.start if status else lambda: self.say(f"{what} ...", "dim")
        timer = Timer(PATIENCE, begin)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            if status:
                status.stop()


def _program() -> str:
    """How the command is called from here: by its name where the shell finds it."""
    beside = shutil.which("rummyzoo", path=str(Path(sys.executable).parent))
    if beside is None or shutil.which("rummyzoo") is not None:
        return "rummyzoo"
    near = os.path.relpath(beside)
    if near.startswith(os.pardir):
        return shlex.quote(beside)
    return shlex.quote(near if os.sep in near else os.path.join(os.curdir, near))


def flow(cells: Iterable[Text], width: int, gap: int = 2) -> list[Text]:
    """Put cells one after another in as few lines as they need; none is broken."""
    lines: list[Text] = []
    for cell in cells:
        if lines and lines[-1].cell_len + gap + cell.cell_len <= width:
            lines[-1].append(" " * gap).append_text(cell)
        else:
            lines.append(cell.copy())
    return lines


def labelled(label: Text | str, lines: Iterable[Text], indent: int) -> list[Text]:
    """Lines below each other, the first behind a label, and all as far from the left."""
    label = Text().append(label)  # whose style is not to be that of the line
    found = []
    for n, line in enumerate(lines):
        head = label.copy() if n == 0 else Text()
        head.append(" " * max(indent - head.cell_len, 0))
        found.append(head.append_text(line))
    return found or [label]


def short(name: str, most: int) -> str:
    """A name in no more than so many columns."""
    return name if cell_len(name) <= most else name[: max(most - 2, 1)] + ".."


def is_terminal(stream: Any) -> bool:
    """Whether somebody sits at the other end, with more than a teleprinter."""
    try:
        return bool(stream.isatty()) and os.environ.get("TERM", "") not in ("dumb", "unknown")
    except (AttributeError, ValueError):
        return False
