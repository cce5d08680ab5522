"""Records of games for people: as text, and as a page to look at in a browser.

    record = read_record("game.jsonl")
    print(game_text(record))
    Path("game.html").write_text(page(record), encoding="utf-8")

The page is one file that needs no network. It shows the table after every action, as everybody, the
public or one seat saw it, with a timeline, the moves as a list, and what players thought where the
record tells. From the command line it is ``rummyzoo replay game.jsonl --html game.html``.
"""

from .frames import frames
from .page import page
from .text import game_text, shown_names, told_apart

__all__ = ["frames", "game_text", "page", "shown_names", "told_apart"]
