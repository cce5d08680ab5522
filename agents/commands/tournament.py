"""Compare any number of players: lineups of as many as have a seat all play the same deals, each
from every seat. Ratings, wins, points, and who finishes ahead of whom.

rummyzoo tournament greedy random search:16 --deals 99 --folder runs/a
"""

import textwrap
import time
from pathlib import Path
from typing import Any

from .. import report
from ..schedule import MOST_LINEUPS
from ..standings import stand
from . import Parser
from .measure import measure, take_play


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.take(
        "players",
        metavar="PLAYER",
        nargs="+",
        help="names (greedy, search:64) or paths of policies; two or more",
    )
    take_play(parser, "for the results (a new one in runs/); then the same goes on")
    parser.take(
        "--lineups",
        metavar="N",
        type=int,
        default=MOST_LINEUPS,
        help="if more are possible, so many, chosen fairly (%(default)s)",
    )


def run(args: Any) -> None:
    """Play, print the table, and write everything down."""
    folder = args.folder
    if folder is None:
        folder = Path("runs") / time.strftime(f"tournament-{args.game}-%Y%m%d-%H%M%S")
    played = measure(args.players, args, folder, most_lineups=args.lineups)
    standings = stand(*played)
    report.write_results(folder, standings)
    wrap = textwrap.TextWrapper(80).fill
    print(f"{wrap(report.summary(standings))}\n\n{report.text(standings)}\n")
    for sentence in (report.notes(standings), *report.warnings_of(standings)):
        print(wrap(sentence))
    print(f"written to {folder}")
