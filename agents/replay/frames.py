"""What a replay shows, step by step: each step as what has changed since the one before.

What is shown to whom is decided by `rummyzoo.envs.render.show` alone. A seat sees its own cards
(``open``) and of the others what all see (``shut``); everybody sees all hands open, and the public
all of them shut.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...envs.record import Record, Step
from ...envs.render import Shown, show
from ...envs.table import Table


class Moment(NamedTuple):
    """A moment of a game.

    Attributes:
        step: the action that led here; None at the deal of a hand, and at the beginning.
        drawn: the card that it drew from the stock, if it did.
        table: how things are now; the same object at all moments.
    """

    step: Step | None
    drawn: str | None
    table: Table


def moments(record: Record) -> Iterator[Moment]:
    """The moments of a game that was recorded."""
    top: str | None = None
    for step, table in record.moments():
        drew = step is not None and step.action.split()[0] == "draw"
        yield Moment(step, top if drew else None, table)
        top = table.stock[0] if table.stock_count else None


def frames(record: Record) -> list[dict[str, Any]]:
    """The moments of a game as JSON has them; what is missing is as it was before.

    Each has some of these:

    * ``who``, ``act``: the seat and the action that led here (neither: a deal), with ``drew``, the
      card it drew, and what the player thought: ``chances``, ``values``, ``value``, ``seconds``;
    * ``hand``: the number of the hand; ``line``: the headline; ``stock``: its cards;
    * ``pile``: how many of its cards stay, and those that come on top;
    * ``melds``: how many there are, and those that are new or longer, by number: cards, each with
      its owner behind it;
    * ``seats``: by number: the hand open, the hand shut and how many cards more it has, the score,
      and the points played (null where cards do not score as they are played);
    * ``turn``: the seat to act, -1 for none; ``dealer``; ``gained``: by seat, when a hand is over.
    """
    made = []
    before: dict[str, Any] = {}
    for moment in moments(record):
        now = _picture(moment.table)
        made.append(_action(moment) | _changes(before, now))
        before = now
    return made


def _picture(table: Table) -> dict[str, Any]:
    """All that is shown of a table."""
    where = (table.game, table.states, 0, table.kits, table.rules)
    seen, public = show(*where, "all"), show(*where, "public")
    rows = [
        ["".join(own.cards), "".join(known.cards), known.hidden, own.score, own.played]
        for own, known in zip(seen.seats, public.seats, strict=True)
    ]
    return {
        "hand": int(table.state.hands) + (table.turn is not None),
        "line": seen.headline,
        "stock": seen.stock,
        "pile": seen.pile,
        "melds": [" ".join(f"{card}{owner}" for card, owner in meld) for meld in seen.melds],
        "seats": rows,
        "turn": _seat(seen, "acts"),
        "dealer": _seat(seen, "dealer"),
        "gained": None if table.over == "no" else table.hand_scores,
    }


def _seat(shown: Shown, what: str) -> int:
    return next((p for p, seat in enumerate(shown.seats) if getattr(seat, what)), -1)


def _action(moment: Moment) -> dict[str, Any]:
    """What led to a moment."""
    step = moment.step
    if step is None:
        return {}
    thought = {
        "drew": moment.drawn,
        "chances": dict(step.probabilities) or None,
        "values": dict(step.values) or None,
        "value": step.value,
        "seconds": step.seconds,
    }
    told = {name: x for name, x in thought.items() if x is not None}
    return {"who": step.seat, "act": step.action, **told}


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """What is otherwise than before."""
    found = {name: x for name, x in now.items() if before.get(name, ...) != x}
    if "pile" in found:
        kept = _alike(before.get("pile", []), now["pile"])
        found["pile"] = [kept, "".join(now["pile"][kept:])]
    if "melds" in found:
        old = before.get("melds", [])
        new = {n: meld for n, meld in enumerate(now["melds"]) if old[n : n + 1] != [meld]}
        found["melds"] = [len(now["melds"]), new]
    if "seats" in found:
        rows = before.get("seats", [None] * len(now["seats"]))
        found["seats"] = {p: row for p, row in enumerate(now["seats"]) if row != rows[p]}
    return found


def _alike(one: list[str], two: list[str]) -> int:
    """How many cards two piles have in common from the bottom."""
    for n, (a, b) in enumerate(zip(one, two, strict=False)):
        if a != b:
            return n
    return min(len(one), len(two))
