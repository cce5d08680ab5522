"""How strong the players are, in each game: strength.md.

    python benchmarks/strength.py                    # about three quarters of an hour on two cores
    python benchmarks/strength.py --only gin         # some of it; the page is made of all

Every round robin is one command, which the page names, and can be stopped and started again.
"""

import argparse
import os
import platform
from collections.abc import Iterable, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm  # type: ignore[import-untyped]

from rummyzoo.agents import load, report
from rummyzoo.agents.arena import Arena, margins, settle, shares, word
from rummyzoo.agents.batch import batch_kernels
from rummyzoo.agents.evaluate import average, setting_for
from rummyzoo.agents.standings import Standings
from rummyzoo.agents.tournament import tournament

HERE = Path(__file__).parent
SEED = 20261130
GIN = ("random", "greedy", "knock_early", "hold_for_gin")
RUMMY = ("random", "greedy", "lay_down", "hold_for_rummy")
STARTER_DEALS = 20_000
STARTERS = (("rummy500", 2), ("rummy500", 3), ("rummy500", 4), ("rummy", 2), ("gin", 2))
REMARKS = "## What the numbers say"


class Contest(NamedTuple):
    """A round robin: its name on the page, who plays, and what."""

    title: str
    key: str
    game: str
    players: tuple[str, ...]
    deals: int
    options: dict[str, Any] = {}  # noqa: RUF012
    matches: bool = False


CONTESTS = (
    Contest(
        "Rummy 500, two players, no jokers",
        "rummy500-2-no-jokers",
        "rummy500",
        ("greedy", "defensive", "far_sighted", "search:128"),
        80,
        {"jokers_per_deck": 0},
    ),
    Contest(
        "Rummy 500, two players",
        "rummy500-2",
        "rummy500",
        (
            "random",
            "greedy",
            "pile_hungry",
            "defensive",
            "hold_back",
            "far_sighted",
            "search:128",
        ),
        40,
    ),
    Contest(
        "Rummy 500, two players: search and the best two others",
        "rummy500-2-best",
        "rummy500",
        ("greedy", "far_sighted", "search:128"),
        400,
    ),
    Contest("Gin", "gin-2", "gin", (*GIN, "search:128"), 60),
    Contest(
        "Gin: search and the best two others",
        "gin-2-best",
        "gin",
        ("greedy", "knock_early", "search:128"),
        1500,
    ),
    Contest("Basic Rummy, two players", "rummy-2", "rummy", (*RUMMY, "search:128"), 60),
    Contest(
        "Basic Rummy, two players: search and the best two others",
        "rummy-2-best",
        "rummy",
        ("greedy", "hold_for_rummy", "search:128"),
        600,
    ),
    Contest(
        "Rummy 500, three players",
        "rummy500-3",
        "rummy500",
        ("random", "greedy", "pile_hungry", "defensive", "search:128"),
        40,
        {"num_players": 3},
    ),
    Contest(
        "Rummy 500, four players",
        "rummy500-4",
        "rummy500",
        ("random", "greedy", "pile_hungry", "defensive", "search:128"),
        40,
        {"num_players": 4},
    ),
    Contest("Gin, whole matches", "gin-matches", "gin", (*GIN[1:], "search:128"), 40, matches=True),
    Contest(
        "Basic Rummy, two players, matches to 100",
        "rummy-2-matches",
        "rummy",
        ("greedy", "hold_for_rummy", "search:128"),
        100,
        {"target": 100},
        matches=True,
    ),
    Contest(
        "Rummy 500, two players, whole matches",
        "rummy500-2-matches",
        "rummy500",
        ("greedy", "far_sighted", "search:128"),
        30,
        matches=True,
    ),
)


def main() -> None:
    """Play what is left to play, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="NAME", nargs="*", help="contests whose name has this")
    parser.add_argument("--folder", type=Path, default=Path("runs/strength"), help="what is kept")
    args = parser.parse_args()

    def wanted(contest: Contest) -> bool:
        return not args.only or any(part in contest.key for part in args.only)

    played = [
        (contest, play(contest, args.folder))
        for contest in CONTESTS
        if wanted(contest) or (args.folder / contest.key / "results.json").exists()
    ]
    page = HERE / "strength.md"
    said = page.read_text(encoding="utf-8") if page.exists() else ""
    page.write_text(write_page(played, remarks_of(said)), encoding="utf-8")


def play(contest: Contest, folder: Path) -> Standings:
    """Play a contest, or what is left of it."""
    with tqdm(desc=contest.title, unit="match" if contest.matches else "hand") as bar:

        def watch(finished: int, total: int) -> None:
            bar.total = total
            bar.update(finished - bar.n)

        return tournament(
            contest.players,
            contest.game,
            contest.deals,
            matches=contest.matches,
            seed=SEED,
            processes=os.cpu_count() or 1,
            folder=folder / contest.key,
            watch=watch,
            **contest.options,
        )


def starters() -> Iterable[str]:
    """Who begins a hand, among greedy players: the rows of a table."""
    for game, players in STARTERS:
        where = setting_for(game, None, {"num_players": players})
        arena = Arena(where, [load("greedy", game, where.rules)], matches=False)
        # Among copies of one player all rotations are the same: one is enough.
        scores, ranks = settle(arena.play([0] * players, range(STARTER_DEALS), SEED))
        scores, won_by = scores[:, 0], shares(ranks[:, 0])
        states = np.zeros(len(scores), where.game.STATE)
        words = np.array([word(SEED, deal) for deal in range(len(scores))], np.uint64)
        batch_kernels(game).deal_all(states, np.arange(len(scores)), where.kits, words)
        rows, first = np.arange(len(scores)), states["turn"].astype(np.int64)
        won = average(100 * won_by[rows, first][:, None])
        lead = average(margins(scores)[rows, first][:, None])
        yield (
            f"| {where.game.TITLE}, {players} players | {won.mean:.1f} ± "
            f"{won.high - won.mean:.1f} | {100 / players:.1f} | {lead.mean:+.1f} ± "
            f"{lead.high - lead.mean:.1f} |"
        )


def remarks_of(page: str) -> str:
    """The section of a page that is written by hand, and kept."""
    _, _, rest = page.partition(f"{REMARKS}\n")
    return rest.partition("\n## ")[0].strip()


def write_page(played: Sequence[tuple[Contest, Standings]], remarks: str) -> str:
    """The page."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("rummyzoo", "numpy", "numba"))
    parts = [
        "# Strength",
        f"Made by `python benchmarks/strength.py` on {date.today()}; {platform.machine()}, "
        f"Python {platform.python_version()}, {libraries}; seed {SEED}. Every deal is played from "
        "all seats by the same players. Times for a decision are wall time, with two processes at "
        "once on two cores.",
        REMARKS,
        remarks,
        "## Who begins",
        f"Greedy players at all seats, about {STARTER_DEALS:,} hands; how often the seat that acts "
        "first wins, and its points ahead of the mean of the others.",
        "\n".join(
            [
                "| | won, % | if all were equal | points ahead |",
                "|---|---:|---:|---:|",
                *starters(),
            ]
        ),
    ]
    for contest, standings in played:
        parts += [f"## {contest.title}", *sections(standings)]
    return "\n\n".join(part for part in parts if part) + "\n"


def sections(standings: Standings) -> Iterable[str]:
    """What the page says of a contest: the page of the tournament, without its pictures."""
    for part in report.markdown(standings).strip().split("\n\n")[1:]:
        if not part.startswith("!["):
            yield part
    best = standings.players[0].name
    ahead = [
        f"{pair.names[1]} {pair.ahead.mean:.1f} ({pair.ahead.low:.1f} to {pair.ahead.high:.1f})"
        for pair in standings.pairs
        if pair.names[0] == best
    ]
    yield f"{best} finished ahead, per cent and 95 %: {'; '.join(ahead)}."
    times = ", ".join(
        f"{name} {report.duration(seconds)}" for name, seconds in standings.seconds.items()
    )
    yield f"A decision took: {times}."


if __name__ == "__main__":
    main()
