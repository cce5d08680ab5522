"""What was done, in words: the log of a hand."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from ...envs import kit
from ...envs.table import Table

_SETS = {
    "A": "aces",
    "2": "twos",
    "3": "threes",
    "4": "fours",
    "5": "fives",
    "6": "sixes",
    "7": "sevens",
    "8": "eights",
    "9": "nines",
    "T": "tens",
    "J": "jacks",
    "Q": "queens",
    "K": "kings",
}
"""Sets by rank, in words: 4s could be read as the four of spades."""
_LISTED = 7
"""So many cards taken along from the pile are named; of more, the number."""


class Event(NamedTuple):
    """Something that was done.

    Attributes:
        seat: who did it.
        hand: in which hand of the match, from 1.
        verb: as it follows "you".
        rest: the words after it.
    """

    seat: int
    hand: int
    verb: str
    rest: str

    def text(self, me: bool) -> str:
        """In words: ``draw 7C`` of oneself, ``draws`` of others."""
        verb = self.verb if me else self.verb + ("es" if self.verb in ("pass", "go") else "s")
        return f"{verb} {self.rest}".rstrip()


def tell(before: Table, action: int, after: Table, sees: bool) -> Event:
    """What an action did.

    Args:
        before, after: the table as it was and as it is.
        action: its number.
        sees: whether it may be told which card was drawn from the stock.
    """
    seat = before.turn
    assert seat is not None
    kind = int(before.kits[0].act[action, 0])
    verb, rest = _words(before, kind, before.texts[action])
    if verb == "draw" and sees:
        rest = " ".join((Counter(after.hand(seat)) - Counter(before.hand(seat))).elements())
    points = after.melded[seat] - before.melded[seat]
    rest += f" ({points})" if points else ""
    if after.over != "no" and not after.state.hand_size[seat] and kind < kit.A_KNOCK:
        rest += ", going out"
    return Event(seat, int(before.state.hands) + 1, verb, rest)


def _words(table: Table, kind: int, text: str) -> tuple[str, str]:
    """The verb and the rest for an action that is called so."""
    cards = text.partition(" ")[2]
    if kind in (kit.A_TAKE, kit.A_CALL):
        return text.split()[0], _taken(table, cards.split())
    if kind in (kit.A_LAY_SET, kit.A_LAY_LOW, kit.A_LAY_HIGH):
        card, _, where = cards.partition(" on ")
        return "lay", f"{card} on {f'the {_SETS[where]}' if where in _SETS else where}"
    others = {
        kit.A_DRAW: ("draw", ""),
        kit.A_TURN: ("turn", "the pile over"),
        kit.A_GIN: ("go", text),
        kit.A_BIG_GIN: ("declare", text),
    }
    return others.get(kind, (text.split()[0], cards))


def _taken(table: Table, words: list[str]) -> str:
    """A card taken from the pile, with those above it."""
    card, copy = words[0], len(words)
    pile = table.pile
    at = [n for n, other in enumerate(pile) if other == card][-copy]
    above = pile[at + 1 :]
    if len(above) > _LISTED:
        return f"{card} and {len(above)} cards above it"
    return f"{card} and {' '.join(above)}" if above else card


def by_turns(events: Iterable[Event]) -> list[tuple[int, list[Event]]]:
    """Events by who did them one after another: each seat with what it did."""
    return [(seat, list(done)) for seat, done in groupby(events, key=lambda event: event.seat)]
