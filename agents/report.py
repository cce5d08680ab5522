"""Standings for people and programs: as text, a Markdown page, JSON, and two pictures."""

import io
import json
import shlex
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from ..envs.games import load_game
from .evaluate import Estimate, warning
from .runs import write
from .schedule import MOST_LINEUPS
from .standings import Standings

FILES = ("results.json", "results.md", "ratings.png", "wins.png")
"""What does not differ from run to run."""


def write_results(folder: Path, standings: Standings) -> None:
    """Write `FILES`, and ``times.json`` with the mean time for a decision of each player."""
    times = {name: round(1e6 * value, 1) for name, value in standings.seconds.items()}
    write(folder / "results.json", json.dumps(as_json(standings), indent=1) + "\n")
    write(folder / "results.md", markdown(standings))
    write(folder / "ratings.png", draw_ratings(standings))
    write(folder / "wins.png", draw_wins(standings))
    write(folder / "times.json", json.dumps({"microseconds a decision": times}, indent=1) + "\n")


def warnings_of(standings: Standings) -> list[str]:
    """Sentences about players that broke the rules."""
    return [warning(p.name, p.illegal) for p in standings.players if p.illegal]


def as_json(standings: Standings) -> dict[str, Any]:
    """The standings as JSON has them; a bound that is not finite is null."""

    def plain(value: Any) -> Any:
        if isinstance(value, Estimate):
            return {k: v if isfinite(v) else None for k, v in value._asdict().items()}
        return list(value) if isinstance(value, tuple) else value

    return {
        "plan": standings.plan,
        "players": [{k: plain(v) for k, v in p._asdict().items()} for p in standings.players],
        "pairs": [{k: plain(v) for k, v in p._asdict().items()} for p in standings.pairs],
        "tables": standings.tables,
        "truncated": standings.truncated,
    }


def command(plan: dict[str, Any]) -> str:
    """The command that makes these standings."""
    words = ["rummyzoo", plan["kind"], *(p["player"] or p["name"] for p in plan["players"])]
    words += ["--game", plan["game"], "--deals", str(plan["deals"]), "--seed", str(plan["seed"])]
    if plan["matches"]:
        words.append("--matches")
    if plan["preset"] is not None:
        words += ["--preset", plan["preset"]]
    if plan["kind"] == "tournament" and plan["most_lineups"] != MOST_LINEUPS:
        words += ["--lineups", str(plan["most_lineups"])]
    if plan["options"]:
        words += ["--rules", *(f"{name}={value}" for name, value in plan["options"].items())]
    return shlex.join(words)


def summary(standings: Standings) -> str:
    """What was played, in a sentence or two."""
    plan = standings.plan
    what = "matches" if plan["matches"] else "hands"
    seats = plan["rules"]["num_players"]
    text = (
        f"{load_game(plan['game']).TITLE}, {standings.tables:,} {what}: {plan['deals']:,} deals, "
        f"each played from all {seats} seats"
    )
    count = len(plan["lineups"])
    text += f" by each of {count} lineups." if count > 1 else "."
    if standings.truncated:
        text += f" {standings.truncated:,} were cut off and count as ties."
    return text


def notes(standings: Standings) -> str:
    """How to read the table."""
    share = 100 / standings.plan["rules"]["num_players"]
    return (
        "Ratings: 400 points are odds of ten to one to finish ahead; all players average 0. Won: "
        f"a tie counts as a share; equal players win {share:.1f} %. Points: own score less the "
        "mean of the others'. Intervals hold 95 % and treat the deal as the unit."
    )


def text(standings: Standings) -> str:
    """The standings for a screen of 80 columns."""
    rows = [["", "rating", "95 %", "won", "95 %", "points", "95 %", "decision"]]
    for p in standings.players:
        seconds = standings.seconds.get(p.name, 0.0)
        rows.append(
            [
                shorten(p.name, 22),
                f"{p.rating.mean:+.0f}",
                f"±{p.rating.high - p.rating.mean:.0f}",
                f"{p.wins.mean:.1f}",
                f"{p.wins.low:.1f}-{p.wins.high:.1f}",
                f"{p.points.mean:+.1f}",
                f"±{p.points.high - p.points.mean:.1f}",
                duration(seconds),
            ]
        )
    return "\n".join("  ".join(row) for row in align(rows))


def shorten(name: str, most: int) -> str:
    """A name of at most so many characters."""
    return name if len(name) <= most else name[: most - 1] + "…"


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds * 1e6:.1f} us"


def align(rows: Sequence[Sequence[str]], least: int = 0) -> list[list[str]]:
    """Rows with straight columns: the first to the left, the others to the right."""
    widths = [max(least, *map(len, column)) for column in zip(*rows, strict=True)]
    return [
        [f"{row[0]:<{widths[0]}}", *(f"{x:>{w}}" for x, w in zip(row[1:], widths[1:], strict=True))]
        for row in rows
    ]


def markdown(standings: Standings) -> str:
    """The standings as a page."""
    kinds = [k for k in standings.players[0].rates if any(p.rates[k] for p in standings.players)]
    rows = [["player", "rating", "95 %", "won, %", "95 %", "points ahead", "95 %"]]
    rows[0] += [f"{kind}*" for kind in kinds] + ["decisions", "illegal"]
    for p in standings.players:
        row = [p.name.replace("|", "\\|")]
        for estimate, form in ((p.rating, "+.0f"), (p.wins, ".1f"), (p.points, "+.1f")):
            row += [format(estimate.mean, form), _interval(estimate, form)]
        row += [f"{p.rates[kind]:.1f}" for kind in kinds]
        rows.append([*row, f"{p.decisions:,}", f"{p.illegal:,}"])
    parts = [
        f"# {load_game(standings.plan['game']).TITLE}: {standings.plan['kind']}",
        f"    {command(standings.plan)}",
        summary(standings),
        _table(rows),
        f"{notes(standings)} Columns with *: times in 100 hands.",
        *(f"**{sentence}.**" for sentence in warnings_of(standings)),
        "How often the player of the row finished ahead of the player of the column, per cent "
        "(level counts as half), and its lead in points:",
        _table(_pair_rows(standings)),
        "![ratings](ratings.png) ![who finishes ahead of whom](wins.png)",
    ]
    return "\n\n".join(parts) + "\n"


def _interval(estimate: Estimate, form: str) -> str:
    return f"{estimate.low:{form}} to {estimate.high:{form}}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table that can be read as it is."""
    head, *body = align(rows, 3)
    rule = ["-" * len(head[0]), *("-" * (len(cell) - 1) + ":" for cell in head[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *body))


def _pair_rows(standings: Standings) -> list[list[str]]:
    names = [p.name for p in standings.players]
    cell = {}
    for pair in standings.pairs:
        a, b = pair.names
        cell[a, b] = f"{pair.ahead.mean:.1f} ({pair.points.mean:+.1f})"
        cell[b, a] = f"{100 - pair.ahead.mean:.1f} ({-pair.points.mean:+.1f})"
    safe = [name.replace("|", "\\|") for name in names]
    return [["", *safe]] + [
        [label, *(cell.get((name, other), "") for other in names)]
        for label, name in zip(safe, names, strict=True)
    ]


def draw_ratings(standings: Standings) -> bytes:
    """A picture of the ratings with their intervals, PNG."""
    players = standings.players[::-1]
    figure, axes = _figure(7, 1.4 + 0.4 * len(players))
    means = [p.rating.mean for p in players]
    halves = [h if isfinite(h) else 0.0 for h in (p.rating.high - p.rating.mean for p in players)]
    axes.errorbar(means, range(len(players)), xerr=halves, fmt="o", capsize=4)
    axes.set_yticks(range(len(players)), [shorten(p.name, 30) for p in players])
    axes.set_ylim(-0.6, len(players) - 0.4)
    axes.axvline(0, color="0.8", zorder=0)
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("rating with its 95 % interval (400 points: ten to one)")
    return _png(figure)


def draw_wins(standings: Standings) -> bytes:
    """A picture of who finishes ahead of whom, PNG."""
    names = [p.name for p in standings.players]
    count = len(names)
    grid = [[float("nan")] * count for _ in names]
    for pair in standings.pairs:
        a, b = (names.index(name) for name in pair.names)
        grid[a][b], grid[b][a] = pair.ahead.mean, 100 - pair.ahead.mean
    figure, axes = _figure(3.5 + 0.6 * count, 2 + 0.5 * count)
    axes.imshow(grid, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    for row, values in enumerate(grid):
        for column, value in enumerate(values):
            if isfinite(value):
                ink = "black" if 20 < value < 80 else "white"
                axes.text(column, row, f"{value:.0f}", ha="center", va="center", color=ink)
    labels = [shorten(name, 20) for name in names]
    axes.set_xticks(range(count), labels, rotation=35, ha="right")
    axes.set_yticks(range(count), labels)
    axes.set_title("row ahead of column, %", fontsize="medium")
    return _png(figure)


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure  # without a screen, and without state of its own

    figure = Figure(figsize=(width, height), dpi=120, layout="constrained")
    return figure, figure.subplots()


def _png(figure: Any) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    image = io.BytesIO()
    FigureCanvasAgg(figure).print_png(image, metadata={"Software": None})
    return image.getvalue()
