"""The score sheet: every hand that has ended, and the match."""

from rich.text import Text

from .screen import Screen, short
from .sitting import Sitting

_LATEST = 12
"""So many hands are listed one by one; those before them are added up."""


def draw_sheet(screen: Screen, sitting: Sitting) -> None:
    """Draw the score sheet, the last hand with what was played and held in it."""
    table, titles, results = sitting.table, sitting.titles, sitting.results
    if not results:
        screen.print("No hand has ended yet.")
        return
    first = 16
    column = min(14, (screen.width - first) // len(titles))

    def line(head: str, numbers: list[str], style: str = "") -> Text:
        cells = "".join(f"{number:>{column}}" for number in numbers)
        return Text(f" {head:<{first - 1}}{cells}", style)

    def points(numbers: list[int]) -> list[str]:
        return [str(number) for number in numbers]

    lines = [line("seat", points(list(range(len(titles)))), "dim")]
    lines.append(line("", [short(title, column - 1) for title in titles], "bold"))
    shown = results[-_LATEST:]
    earlier = len(results) - len(shown)
    if earlier:
        head = f"hands 1-{earlier}" if earlier > 1 else "hand 1"
        lines.append(line(head, points(results[earlier - 1].total)))
    for n, result in enumerate(shown, earlier + 1):
        lines.append(line(f"hand {n}", points(result.scores)))
    last = results[-1]
    if any(last.played):
        held = [played - score for played, score in zip(last.played, last.scores, strict=True)]
        lines.append(line("  played", points(last.played), "dim"))
        lines.append(line("  held", [f"-{x}" if x else "0" for x in held], "dim"))
    summed = [sum(result.scores[p] for result in results) for p in range(len(titles))]
    if summed != last.total:
        bonuses = [total - points for total, points in zip(last.total, summed, strict=True)]
        lines.append(line("bonuses", points(bonuses)))
    target = f", to {table.rules.target}" if table.rules.target else ""
    lines.append(line(f"total{target}", points(last.total), "bold"))
    screen.rule(Text("score sheet", "bold"))
    screen.print(*lines)


def how_it_ended(sitting: Sitting) -> str:
    """A sentence about the end of the hand, and of the match."""
    table = sitting.table
    if table.over == "truncated":
        return "The match is cut off here: it may not take longer (max_turns, max_hands)."
    scores = sitting.results[-1].scores
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if len(best) == len(scores):
        words = "The hand is over, and nobody comes out ahead."
    else:
        words = f"The hand is over; best: {_names(sitting, best)}, with {max(scores)} points."
    if table.over == "match":
        what = "match" if table.rules.target else "game"
        if table.winner is None:
            return f"{words} The {what} is a tie."
        has = "have" if table.winner == sitting.me else "has"
        winner = _names(sitting, [table.winner]).replace("you", "You")
        words += f" {winner} {has} won the {what}."
    return words


def _names(sitting: Sitting, seats: list[int]) -> str:
    return " and ".join(sitting.labels[seat] for seat in seats)
