"""What openspiel_gin.py reports: where OpenSpiel's rules differ, and a page about a comparison."""

import platform
from collections import Counter
from datetime import date
from importlib.metadata import version

THROW = "lets the card taken be thrown"
KNOCK_THROW = "lets it be thrown to knock"
ELEVEN = "counts eleven cards too high"
REFUSED = "refuses a knock for that count"
CHAIN = "refuses the third card of a chain"
BOTH = "lets a laid-off card count on two melds"
FIFTY = "ends the hand at the fiftieth card taken"
REASONS = {
    THROW: "The card just taken from the pile may be thrown again; done twice in a row it ends the "
    "hand without score. Rule books forbid it, and so does this engine.",
    KNOCK_THROW: "The same for a knock, at the end of the stock as well.",
    ELEVEN: "OpenSpiel melds the eleven cards in the best way and leaves out the highest card of "
    "the rest. Another way to meld, with a higher card to throw, may leave less; and of equally "
    "good ways it takes any. Its counts of ten cards agree.",
    REFUSED: "The consequence: no knock, although the ten cards that stay are within the limit.",
    CHAIN: "Of cards laid off one after the other at the same end of a run the third never becomes "
    "legal. Played well that costs nothing: three such cards are a run of their own.",
    BOTH: "Its lay-offs name no meld: a card that fits a set and a run lengthens the run in any "
    "case, so the next card may follow. Here the card lies where it was laid.",
    FIFTY: "A guard against endless hands; here it is `max_turns`, and a truncation.",
}
BY_OPTION = """\
* Ties: OpenSpiel pays nobody. Set: `undercut_on_tie=False`; the default is an undercut.
* The end of the stock: with two cards left OpenSpiel's next player may still take the discard to
  knock. Set: `wall_rule="opponent_may_knock"`; by default the hand is dead at once.
* Big gin: OpenSpiel has none. Set: `big_gin_bonus=None`.
* Single hands, no boxes or game bonus. Set: `target=None`.
* Oklahoma: an ace means gin only, spades do not double. Set: `knock_limit="upcard"`; the other two
  are the defaults.
* Melds: OpenSpiel's players lay theirs by hand and may do it badly, the knocker within its limit.
  Here both hands are melded in the best way; OpenSpiel accepted these melds every time.
* Gin: in OpenSpiel a knock without deadwood, here an action of its own. The same discards.
"""


def report(counts: dict[str, Counter[str]], total: Counter[str], hands: int, command: str) -> str:
    versions = ", ".join(f"{name} {version(name)}" for name in ("open-spiel", "numpy", "numba"))
    lines = [
        "# Gin beside OpenSpiel",
        "",
        f"Made by `{command}` on {date.today()}; Python {platform.python_version()}, {versions}.",
        "",
        f"**{hands:,} hands, {total['decisions']:,} decisions: no unexplained difference.** The "
        "same deals and the same decisions, by players who knock often, in this engine and in "
        "OpenSpiel's `gin_rummy`. Before every decision seat, phase, hands, stock, deadwood and "
        "legal actions were compared; after a knock the melds, the lay-offs and the deadwood of "
        "both; for half of the hands the best defence, found in OpenSpiel by trying all of the "
        "defender's moves; then the score.",
        "",
        "| | " + " | ".join(counts) + " | all |",
        "|---|" + "---|" * (len(counts) + 1),
    ]
    shown = ["hands", "decisions", "hands scored alike", "dead hands", "gin", "knocks", "undercuts"]
    shown += ["ties", "best defences alike", "cards laid off"]
    for name in shown:
        row = [f"{count[name]:,}" for count in (*counts.values(), total)]
        lines.append(f"| {name} | " + " | ".join(row) + " |")
    lines += ["", "## Where OpenSpiel has other rules", ""]
    lines += ["How often it mattered in these hands, and why:", ""]
    lines += [f"* OpenSpiel {name} ({total[name]:,}). {why}" for name, why in REASONS.items()]
    lines += [
        "",
        "Other differences, which options take away or which do not change what can be reached:",
        "",
        BY_OPTION,
    ]
    return "\n".join(lines)
