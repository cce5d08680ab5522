"""Watch players at a table: move by move, at a speed, or as a GIF. One player sits at all seats, or
each has its own.

rummyzoo watch greedy search:64 --game gin --speed 2
"""

from pathlib import Path
from typing import Any

from ..file_errors import make_folder
from . import Parser, WrongInput, game_options, need, refusing, take_game


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
        "--see",
        metavar="WHO",
        default="all",
        help="whose cards: all, public (nobody's), or a seat (all)",
    )
    parser.take("--hands", metavar="N", type=int, help="stop after so many hands (of a GIF: 1)")
    parser.take("--gif", metavar="FILE", type=Path, help="make pictures in a file instead")
    parser.take("--record", metavar="FILE", type=Path, help="keep the game, for rummyzoo replay")


def run(args: Any) -> None:
    """Show what the players do."""
    need("watching", "rich", "prompt_toolkit")
    if args.gif is not None and args.step:
        raise WrongInput("--step waits for somebody at the terminal: leave it out, or --gif")
    if args.gif is not None:
        need("a GIF", "pygame", "PIL", extra="render")
    from ..terminal.film import check_name
    from ..terminal.screen import FIRST_TIME, Screen
    from ..terminal.sitting import check_new, check_seed, make_plan
    from ..terminal.watch import Pace, who

    screen = Screen()
    with refusing():
        pace = Pace(args.speed, args.step, args.hands)
        check_name(args.gif)
        if args.gif is not None:
            make_folder(args.gif.parent)
        check_seed(args.seed)
        if args.record is not None:
            check_new(args.record)
        plan = make_plan(args.game, game_options(args), args.players)
        see = who(args.see, plan.rules.num_players)
    with screen.patience(FIRST_TIME):
        sitting = plan.sit(args.seed, see)
        sitting.warm_up()
    if args.record is not None:
        with refusing():
            sitting.keep(args.record)
    try:
        _show(args, screen, sitting, pace)
    finally:
        sitting.close()
        if args.record is not None:
            screen.offer("The game is kept; look at it with:", "replay", args.record)


def _show(args: Any, screen: Any, sitting: Any, pace: Any) -> None:
    from ..terminal.film import film
    from ..terminal.watch import Watch

    if args.gif is None:
        Watch(screen, sitting, pace).run()
        return
    with refusing(), screen.patience("the players play, and their hand is drawn"):
        made = film(sitting, args.gif, pace)
    screen.print(made)
