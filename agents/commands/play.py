"""Play yourself, in the terminal, against players of your choice. At the table, help lists what can
be typed.

rummyzoo play rummy500 --players 3 --opponents greedy,search:64
"""

from pathlib import Path
from typing import Any

from ...envs.games import GAMES
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
    from ..terminal.sitting import Sitting, at_seats, open_table

    screen, seeds = Screen(), [args.seed]
    opponents = (args.opponents or "greedy").split(",")
    several = len(opponents) + 1 if len(opponents) > 1 else None

    def begin() -> Sitting:
        with refusing(), screen.patience(FIRST_TIME):
            game, options = args.game or "rummy500", game_options(args)
            seats = args.players or (None if "num_players" in options else several)
            table = open_table(game, seeds.pop() if seeds else None, options, seats)
            sitting = Sitting(table, at_seats(opponents, table.num_players, args.seat or 0))
            sitting.warm_up()
            sitting.keep(new_file(game))
            return sitting

    def resume() -> Sitting:
        given = [f"--{name}" for name in _OF_NEW if getattr(args, name) not in (None, [])]
        if given:
            raise WrongInput(
                f"--resume goes on with the match as it was: leave {' and '.join(given)} away"
            )
        with refusing(), screen.patience(FIRST_TIME):
            sitting = Sitting.resume(args.resume)
            sitting.warm_up()
            return sitting

    game = Game(screen, begin, begin() if args.resume is None else resume())
    try:
        game.run()
    except OSError as error:
        raise WrongInput(f"the match cannot be kept: {error}") from None
