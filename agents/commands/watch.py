"""Watch players at a table: move by move, at a speed, or as a GIF. One player sits at all seats, or
each has its own.

rummyzoo watch greedy search:64 --game gin --speed 2
"""

from pathlib import Path
from typing import Any

from . import Parser, game_options, need, refusing, take_game


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.take(
        "players", metavar="PLAYER", nargs="+", help="names (search:64) or paths of policies"
    )
    take_game(parser)
    parser.take("--seed", metavar="N", type=int, help="the same gives the same game")
    parser.take("--speed", metavar="X", type=float, default=1.0, help="moves a second (1)")
    parser.take("--step", action="store_true", help="a move whenever Enter is pressed")
    parser.take(
        "--see", metavar="WHO", default="all", help="all hands; public: none; or one seat's (all)"
    )
    parser.take("--hands", metavar="N", type=int, help="stop after so many hands (of a GIF: 1)")
    parser.take("--gif", metavar="FILE", type=Path, help="make pictures in a file instead")


def run(args: Any) -> None:
    """Show what the players do."""
    need("watching", "rich", "prompt_toolkit")
    if args.gif is not None:
        need("a GIF", "pygame", "PIL", extra="render")
    from ..terminal.screen import FIRST_TIME, Screen
    from ..terminal.sitting import Sitting, at_seats, open_table
    from ..terminal.watch import Pace, Watch, who

    screen = Screen()
    with refusing(), screen.patience(FIRST_TIME):
        pace = Pace(args.speed, args.step, args.hands)
        options = game_options(args)
        several = len(args.players) if len(args.players) > 1 else None
        seats = None if "num_players" in options else several
        table = open_table(args.game, args.seed, options, seats)
        see = who(args.see, table.num_players)
        sitting = Sitting(table, at_seats(args.players, table.num_players), see)
        sitting.warm_up()
    if args.gif is None:
        Watch(screen, sitting, pace).run()
        return
    from ..terminal.film import film

    with refusing(), screen.patience("the players play, and their hand is drawn"):
        made = film(sitting, args.gif, pace)
    screen.print(made)
