"""Play yourself, in the terminal, against players of your choice. At the table, help lists what can
be typed.

rummyzoo play rummy500 --players 3 --opponents greedy,search:64
"""

from pathlib import Path
from typing import Any

from ...envs.games import GAMES
from ..file_errors import in_words
from . import Parser, WrongInput, game_options, need, refusing, take_rules

_OF_NEW = ("game", "opponents", "players", "seat", "seed", "preset", "rules")


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.take("game", metavar="GAME", nargs="?", help=f"{', '.join(GAMES)} (rummy500)")
    parser.take(
        "--opponents",
        metavar="A,B",
        help="names (search:64) or paths of policies: one for all other seats, or each (greedy)",
    )
    parser.take("--players", metavar="N", type=int, help="at the table, you among them")
    parser.take("--seat", metavar="N", type=int, help="yours (0)")
    parser.take("--seed", metavar="N", type=int, help="the same gives the same cards")
    take_rules(parser)
    parser.take("--resume", metavar="FILE", type=Path, help="go on with a match that was kept")


def run(args: Any) -> None:
    """Play, until the person leaves."""
    need("playing", "rich", "prompt_toolkit")
    from ..terminal.play import Game, new_file
    from ..terminal.screen import FIRST_TIME, Screen
    from ..terminal.sitting import Plan, Sitting, check_seed, make_plan

    screen = Screen()

    def begin(plan: Plan, seed: int | None) -> Sitting:
        with screen.patience(FIRST_TIME):
            sitting = plan.sit(seed)
            sitting.warm_up()
        with refusing():
            sitting.keep(new_file(plan.game))
        return sitting

    if args.resume is not None:
        sitting, plan = _resumed(args, screen)
    else:
        with refusing():
            opponents = (args.opponents or "greedy").split(",")
            game, options = args.game or "rummy500", game_options(args)
            plan = make_plan(game, options, opponents, args.seat or 0, args.players)
            check_seed(args.seed)
        sitting = begin(plan, args.seed)
    try:
        Game(screen, sitting, lambda: begin(plan, None)).run()
    except OSError as error:
        raise WrongInput(f"the game cannot go on: {in_words(error)}") from None


def _resumed(args: Any, screen: Any) -> tuple[Any, Any]:
    """A match that was kept, and the plan for another like it."""
    given = [name for name in _OF_NEW if getattr(args, name) not in (None, [])]
    given = ["GAME" if name == "game" else f"--{name}" for name in given]
    if given:
        raise WrongInput(
            f"--resume goes on with the match as it was: leave {' and '.join(given)} away"
        )
    from ..terminal.screen import FIRST_TIME
    from ..terminal.sitting import Plan, Sitting

    with refusing(), screen.patience(FIRST_TIME):
        sitting = Sitting.resume(args.resume)
        sitting.warm_up()
    table = sitting.table
    return sitting, Plan(table.game.NAME, table.rules, sitting.names, sitting.players)
