"""Play two players against each other, on the same deals from every seat, so that luck evens out.
A has one seat, B all others.

rummyzoo duel greedy random --game gin --deals 500
"""

from typing import Any

from ..evaluate import summarize
from ..report import write_results
from ..standings import stand
from . import Parser
from .measure import measure, take_play


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.take("a", metavar="A", help="a player's name (greedy, search:64) or a policy's path")
    parser.take("b", metavar="B", help="another, or the same")
    take_play(parser, "keep results here; the same command goes on where it stopped")


def run(args: Any) -> None:
    """Play, print what it showed, and write it down if there is a folder."""
    plan, blocks, seconds = measure([args.a, args.b], args, args.folder, duel=True)
    a, b = (player["name"] for player in plan["players"])
    parts = [blocks[key] for key in sorted(blocks)]
    print(summarize((a, b), plan["matches"], parts, (seconds[a], seconds[b])))
    if args.folder is not None:
        write_results(args.folder, stand(plan, blocks, seconds))
        print(f"written to {args.folder}")
