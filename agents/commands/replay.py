"""Show the record of a game: as text, or with --html as a page for the browser, with a timeline and
seen from any seat.

rummyzoo replay game.jsonl --html game.html --open
"""

import sys
import webbrowser
from pathlib import Path
from typing import Any

from ...envs.record import Record, read_record
from ..runs import write
from . import Parser, WrongInput, refusing


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.take("file", metavar="FILE", help="the record of a game (.jsonl)")
    parser.take("--html", metavar="PAGE", type=Path, help="write a page for the browser")
    parser.take("--open", action="store_true", help="and open it")
    parser.take("--summary", action="store_true", help="only who played, and the scores")


def run(args: Any) -> None:
    """Show the record."""
    if args.open and args.html is None:
        raise WrongInput("--open opens the page that --html writes: give --html PAGE, too")
    if args.html is not None and args.summary:
        raise WrongInput("--summary is for text: leave it out, or --html")
    with refusing():
        if not Path(args.file).is_file():
            raise WrongInput(f"there is no record {args.file}")
        record = read_record(args.file)
    if args.html is None:
        sys.stdout.write(summary(record) if args.summary else _text(record))
        return
    from ..replay import page

    with refusing():
        write(args.html, page(record))
    print(f"written to {args.html}")
    if args.open and not webbrowser.open(args.html.resolve().as_uri()):
        raise WrongInput(f"no browser was found to open {args.html}")


def _text(record: Record) -> str:
    from ..replay import game_text

    return game_text(record)


def summary(record: Record) -> str:
    """Who played, how far, and the scores."""
    from ..replay import shown_names

    hands = len({step.hand for step in record.steps})
    over = {"no": "not over", "hand": "stopped", "truncated": "cut off", "match": "over"}
    played = f"{len(record)} action{'s' * (len(record) != 1)} in {hands} hand{'s' * (hands != 1)}"
    lines = [f"{record.table().game.TITLE}, {played}; {over[record.over]}"]
    for seat, (name, score) in enumerate(zip(shown_names(record), record.scores, strict=True)):
        won = ", won" if seat == record.winner else ""
        lines.append(f"  seat {seat}, {name}: {score}{won}")
    return "\n".join(lines) + "\n"
