"""What the commands that measure players share: playing with a progress bar, and stopping."""

import sys
from pathlib import Path
from typing import Any

from ..arena import Block
from ..file_errors import make_folder
from ..journal import Key
from ..match_records import Records
from ..tournament import make_plan, open_journal, play
from . import Parser, Stopped, game_options, need, refusing, take_game


def take_play(parser: Parser, folder: str) -> None:
    """Declare how much is to be played, and where results go."""
    take_game(parser)
    parser.take(
        "--deals",
        metavar="N",
        type=int,
        default=1000,
        help="deals, each played once from every seat (%(default)s)",
    )
    parser.take("--matches", action="store_true", help="whole matches instead of single hands")
    parser.take(
        "--seed", metavar="N", type=int, default=0, help="the same gives the same results (0)"
    )
    parser.take("--processes", metavar="N", type=int, default=1, help="that play at once (1)")
    parser.take("--folder", metavar="DIR", type=Path, help=folder)
    parser.take("--records", metavar="DIR", type=Path, help="record games, for rummyzoo replay")
    parser.take(
        "--games",
        metavar="N",
        type=int,
        default=10,
        help="how many to record, the first ones (%(default)s)",
    )


def measure(
    players: list[str], args: Any, folder: Path | None, **more: Any
) -> tuple[dict[str, Any], dict[Key, Block], dict[str, float]]:
    """Play what was asked for, or what is left of it.

    Returns:
        The plan, what came of it, and the mean seconds for a decision of each player.
    """
    need("the progress bar", "tqdm")
    if folder is not None:
        need("drawing the results", "matplotlib")
    with refusing():
        plan, where, agents = make_plan(
            players,
            args.game,
            args.deals,
            game_options(args),
            matches=args.matches,
            seed=args.seed,
            **more,
        )
        if args.processes < 1:
            raise ValueError(f"--processes {args.processes} is not possible; 1 or more")
        if args.games < 1:
            raise ValueError(f"--games {args.games} is not possible; 1 or more")
        journal = None if folder is None else open_journal(folder, plan)
        records = None
        if args.records is not None:
            make_folder(args.records)
            records = Records(args.records, args.games, len(plan["lineups"]))
    for sentence in journal.notices if journal else ():
        print(sentence, file=sys.stderr)
    from tqdm import tqdm  # type: ignore[import-untyped]

    unit = "match" if args.matches else "hand"
    with tqdm(unit=unit, unit_scale=True, disable=None, dynamic_ncols=True, smoothing=0.1) as bar:

        def watch(finished: int, total: int) -> None:
            if bar.total is None:
                bar.reset(total)
                bar.initial = finished
            bar.update(finished - bar.n)

        try:
            return plan, *play(plan, where, agents, args.processes, journal, watch, records)
        except KeyboardInterrupt:
            bar.close()
            again = f"; the same command with --folder {folder} goes on" if folder else ""
            raise Stopped(f"stopped{again}") from None
