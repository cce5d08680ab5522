"""A person at the terminal, for tests: where they sit, what they type, what they are shown."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rummyzoo.agents import cli
from rummyzoo.agents.terminal.draw import draw_moves, draw_table
from rummyzoo.agents.terminal.play import Game
from rummyzoo.agents.terminal.screen import Screen
from rummyzoo.agents.terminal.sitting import Sitting, at_seats, load_players, make_plan
from rummyzoo.envs import GAMES, Table

games = pytest.mark.parametrize("game", GAMES)

Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty folder, and a terminal of 80 columns that is none."""
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")
    # the command is found where Python is
    monkeypatch.setenv(
        "PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    )
    monkeypatch.chdir(tmp_path)


class Typed:
    """An input that asks somebody for each line; nothing more comes after None."""

    encoding = "utf-8"

    def __init__(self, say: Callable[[], str | None]) -> None:
        self._say = say

    def readline(self) -> str:
        line = self._say()
        return "" if line is None else line + "\n"

    def isatty(self) -> bool:
        return False


def type_lines(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    rest = iter(lines)
    monkeypatch.setattr(sys, "stdin", Typed(lambda: next(rest, None)))


def run(command: str, out: Out) -> tuple[int, str, str]:
    """The exit status of a command, and what it wrote."""
    status = cli.main(command.split())
    said = out.readouterr()
    return status, said.out, said.err


def sit(
    game: str = "rummy500", seed: int = 7, players: int = 2, me: int = 0, **options: Any
) -> Sitting:
    return make_plan(game, options, ["greedy"], me, players).sit(seed)


def at(game: str = "rummy500", **where: Any) -> Sitting:
    """A person at seat 0 in some position."""
    return sit_at(Table.from_position(game, **where), 0)


def sit_at(table: Table, me: int) -> Sitting:
    names = at_seats(["random"], table.num_players, me)
    return Sitting(table, names, load_players(names, table.game.NAME, table.rules), chance=1)


def shown(draw: Callable[..., None], *args: Any, encoding: str = "utf-8", width: int = 80) -> str:
    """What is drawn, as text."""
    data = io.BytesIO()
    file = io.TextIOWrapper(data, encoding=encoding, write_through=True)
    draw(Screen(file, width), *args)
    return data.getvalue().decode(encoding)


def page(sitting: Sitting, **how: Any) -> str:
    def draw(screen: Screen) -> None:
        draw_table(screen, sitting, "suit")
        if sitting.table.turn == sitting.me:
            draw_moves(screen, sitting)

    return shown(draw, **how)


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


def in_play() -> Sitting:
    hand = ["4H", "5H", "6H", "7H", "8H", "KC", "KD", "TH", "9S", "TS", "JK", "JK"]
    return at(hands={0: hand}, table=[(["6S", "7S", "8S"], 1)], pile=["2D"], turn=0, phase="play")


def typed(sitting: Sitting, *lines: str) -> str:
    """What a person sees who types some lines, and leaves."""
    rest = iter(lines)
    before = sys.stdin
    sys.stdin = Typed(lambda: next(rest, None))
    out = io.StringIO()
    try:
        Game(Screen(out), sitting, lambda: sit(seed=8)).run()
    finally:
        sys.stdin = before
    assert widest(out.getvalue()) <= 80
    return out.getvalue()
