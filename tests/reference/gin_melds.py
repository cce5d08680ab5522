"""Melds, deadwood and lay-offs of Gin, found by trying everything.

Cards are texts like ``7S``. One pack, no jokers, aces low only, so every card is there once and a
hand is a set of cards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

RANKS, SUITS = "A23456789TJQK", "CDHS"
ORDER = {card: i for i, card in enumerate(rank + suit for suit in SUITS for rank in RANKS)}
POINTS = {card: min(RANKS.index(card[0]) + 1, 10) for card in ORDER}

Hand = frozenset[str]


class Meld(NamedTuple):
    """A set by suit or a run upwards; `owners` says who laid each card, once it is on the table."""

    kind: str  # "set" or "run"
    cards: tuple[str, ...]
    owners: tuple[int, ...] = ()


def named_meld(cards: Sequence[str], owner: int) -> Meld:
    """A meld as it is written: a run upwards."""
    return Meld("set" if cards[0][0] == cards[1][0] else "run", tuple(cards), (owner,) * len(cards))


def points(cards: Iterable[str]) -> int:
    return sum(POINTS[card] for card in cards)


def number(cards: Iterable[str]) -> int:
    """A set of cards as a number, to decide between ways that are equally good."""
    return sum(1 << ORDER[card] for card in cards)


def _all_melds() -> list[tuple[Hand, Meld]]:
    """Every set of three or four and every run of three or more that there is."""
    found = []
    for rank in RANKS:
        for size in (3, 4):
            found += [Meld("set", c) for c in combinations([rank + suit for suit in SUITS], size)]
    for suit in SUITS:
        for low, high in combinations(range(14), 2):
            if high - low >= 3:
                found.append(Meld("run", tuple(rank + suit for rank in RANKS[low:high])))
    return [(frozenset(meld.cards), meld) for meld in found]


ALL_MELDS = _all_melds()
# By the first card, to look only among those of which a hand has that card.
MELDS_FROM = {card: [pair for pair in ALL_MELDS if pair[1].cards[0] == card] for card in ORDER}


@lru_cache(maxsize=20_000)
def ways(hand: Hand) -> list[tuple[Hand, tuple[Meld, ...]]]:
    """Every choice of melds that share no card, with the cards that they use; also no meld."""
    found: list[tuple[Hand, tuple[Meld, ...]]] = [(frozenset(), ())]
    for cards, meld in (pair for card in hand for pair in MELDS_FROM[card]):
        if cards <= hand:
            found += [(used | cards, (*m, meld)) for used, m in found if used.isdisjoint(cards)]
    return found


@lru_cache(maxsize=50_000)
def deadwood(hand: Hand) -> int:
    """The points that are left over when the hand is melded in the best way."""
    return points(hand) - max(points(used) for used, _ in ways(hand))


@lru_cache(maxsize=50_000)
def deadwood_without(hand: Hand) -> dict[str, int]:
    """Card -> the deadwood of the hand after throwing it: by the ways that do not use the card."""
    total, tried = points(hand), [(used, points(used)) for used, _ in ways(hand)]
    return {
        card: total - POINTS[card] - max(worth for used, worth in tried if card not in used)
        for card in hand
    }


def joined(melds: Iterable[Meld]) -> tuple[Meld, ...]:
    """The melds with runs that touch made into one."""
    runs: list[tuple[str, ...]] = []
    for cards in sorted((m.cards for m in melds if m.kind == "run"), key=lambda c: ORDER[c[0]]):
        if runs and runs[-1][-1][1] == cards[0][1] and ORDER[runs[-1][-1]] + 1 == ORDER[cards[0]]:
            runs[-1] += cards
        else:
            runs.append(cards)
    return (*(m for m in melds if m.kind == "set"), *(Meld("run", cards) for cards in runs))


def best_ways(hand: Hand) -> set[tuple[Meld, ...]]:
    """The ways to meld the hand that leave the least deadwood, touching runs joined."""
    least = deadwood(hand)
    total = points(hand)
    return {joined(melds) for used, melds in ways(hand) if total - points(used) == least}


def in_sets(melds: Iterable[Meld]) -> int:
    return number(card for meld in melds if meld.kind == "set" for card in meld.cards)


def arrange(hand: Hand) -> tuple[Meld, ...]:
    """The defender's melds: of the best ways that with the lowest cards in sets."""
    return min(best_ways(hand), key=in_sets)


def arrange_knocker(hand: Hand, thrown: str, pack: Iterable[str]) -> tuple[Meld, ...]:
    """The knocker's melds: of the best ways one on which the fewest cards could be laid off."""
    others = [card for card in pack if card not in hand and card != thrown]

    def exposed(melds: tuple[Meld, ...]) -> int:
        return sum(any(fits(card, meld) for meld in melds) for card in others)

    return min(best_ways(hand), key=lambda melds: (exposed(melds), in_sets(melds)))


def fits(card: str, meld: Meld) -> str:
    """Where a card can be laid off on a meld: ``"set"``, ``"low"``, ``"high"``, or nowhere: ``""``.

    >>> fits("7S", Meld("run", ("8S", "9S", "TS"))), fits("KS", Meld("run", ("AS", "2S", "3S")))
    ('low', '')
    """
    if meld.kind == "set":
        return "set" if card[0] == meld.cards[0][0] else ""
    at, low, high = (RANKS.index(c[0]) for c in (card, meld.cards[0], meld.cards[-1]))
    if card[1] != meld.cards[0][1]:
        return ""
    return "low" if at == low - 1 else "high" if at == high + 1 else ""


def with_card(card: str, meld: Meld, owner: int) -> Meld:
    """The meld after a card that fits was laid off on it."""
    if fits(card, meld) == "high":
        return Meld("run", (*meld.cards, card), (*meld.owners, owner))
    if fits(card, meld) == "low":
        return Meld("run", (card, *meld.cards), (owner, *meld.owners))
    cards, owners = (*meld.cards, card), (*meld.owners, owner)
    order = sorted(range(len(cards)), key=lambda i: ORDER[cards[i]])
    return Meld("set", tuple(cards[i] for i in order), tuple(owners[i] for i in order))


def lay_offs(hand: Collection[str], table: tuple[Meld, ...], owner: int) -> Iterator[LayOff]:
    """The lay-offs of one card that there are."""
    for i, meld in enumerate(table):
        for card in hand:
            where = fits(card, meld)
            if where:
                on = {"set": meld.cards[0][0], "low": meld.cards[0], "high": meld.cards[-1]}[where]
                after = (*table[:i], with_card(card, meld, owner), *table[i + 1 :])
                yield LayOff(f"lay {card} on {on}", card, after)


class LayOff(NamedTuple):
    text: str
    card: str
    table: tuple[Meld, ...]  # after it


def after_lay_offs(
    hand: Hand, table: tuple[Meld, ...], owner: int
) -> set[tuple[Hand, tuple[Meld, ...]]]:
    """Every hand and table that can come of laying off any number of cards, one after the other."""
    found = {(hand, table)}
    ahead = [(hand, table)]
    while ahead:
        held, melds = ahead.pop()
        for lay in lay_offs(held, melds, owner):
            then = (held - {lay.card}, lay.table)
            if then not in found:
                found.add(then)
                ahead.append(then)
    return found


def lay_off_best(hand: Hand, table: tuple[Meld, ...], owner: int) -> tuple[Hand, tuple[Meld, ...]]:
    """What is left and how the table looks after the best lay-offs: least deadwood; then the
    fewest cards laid off, then the lowest ones. A card that fits a run and a set goes on the run,
    one that fits two runs on the lower of them."""

    def worth(then: tuple[Hand, tuple[Meld, ...]]) -> tuple[int, ...]:
        left, after = then
        laid, runs = hand - left, [meld for meld in after if meld.kind == "run"]
        on_runs = sum(len(run.cards) for run in runs)
        below = sum(run.owners.index(1 - owner) for run in runs)
        return deadwood(left), len(laid), number(laid), -on_runs, below

    return min(after_lay_offs(hand, table, owner), key=worth)
