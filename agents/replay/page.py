"""The page of a replay: a file with everything in it, put together from those beside this module.

The steps are in it as deflated JSON (see `rummyzoo.agents.replay.frames`), which keeps the longest
matches small. Nothing that comes from the record is put into the page as markup.
"""

import base64
import json
import re
import zlib
from html import escape
from importlib.resources import files
from typing import Any

from ...envs.record import Record
from ...envs.table import Table
from .frames import frames

_PARTS = ("page.css", "parts.js", "table.js", "curve.js", "page.js")


def page(record: Record) -> str:
    """The page of a game that was recorded, as HTML."""
    title = f"{_title(record)}: {', '.join(record.players)}"
    parts = {name: _part(name) for name in _PARTS}
    parts |= {"title": escape(title), "game": _packed(record)}
    return re.sub(r"\{\{([\w.]+)\}\}", lambda found: parts[found[1]], _part("page.html"))


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _title(record: Record) -> str:
    title: str = record.table().game.TITLE
    return title


def _packed(record: Record) -> str:
    text = json.dumps(page_data(record), separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def page_data(record: Record) -> dict[str, Any]:
    """All that the page shows, as JSON has it."""
    *_, (_, end) = record.moments()
    return {
        "title": _title(record),
        "players": list(record.players),
        "rules": _options(record),
        "about": {n: str(x) for n, x in record.about.items() if isinstance(x, str | int | float)},
        "versions": record.versions,
        "winner": record.winner,
        "frames": frames(record),
        "end": _end(end),
    }


def _options(record: Record) -> dict[str, str]:
    """The options that are not the usual ones of the game for so many players."""
    usual = record.table().game.make_rules(num_players=record.rules.num_players)._asdict()
    given = record.rules._asdict()
    return {name: str(x) for name, x in given.items() if x != usual[name]}


def _end(table: Table) -> dict[str, Any]:
    """How the game ends, as the engine has it: the page checks that it comes to the same."""
    seats = range(table.num_players)
    return {
        "hands": ["".join(table.hand(seat)) for seat in seats],
        "pile": "".join(table.pile),
        "scores": table.scores,
        "stock": table.stock_count,
    }
