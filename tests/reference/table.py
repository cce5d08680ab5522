"""Cards, melds and the table, for the naive reference engines.

Cards are texts: rank ``A23456789TJQK`` and suit ``CDHS``; a joker is ``JK`` in the hand, and on the
table ``JK(5C)`` in a run or ``JK(5)`` in a set. Hands are dicts from card to how many copies.
In a run a card lies at a *position*: 0 is the low ace, 1 the two, ..., `num_ranks` the high ace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

RANKS, SUITS, JOKER = "A23456789TJQK", "CDHS", "JK"
ORDER = {card: i for i, card in enumerate([r + s for s in SUITS for r in RANKS] + [JOKER])}
JOKER_PATTERNS = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]  # which cards of a run of three

Cards = dict[str, int]


class Meld(NamedTuple):
    """A set or run on the table, each card with the seat that played it."""

    kind: str  # "set" or "run"
    cards: tuple[str, ...]  # a set: naturals by suit, then jokers; a run: ascending
    owners: tuple[int, ...]
    low: int  # a run: position of its first card; a set: -1

    @property
    def rank(self) -> str:
        """The rank of a set."""
        return self.cards[0][0]  # at least one card is natural, and naturals come first

    @property
    def suit(self) -> str:
        """The suit of a run."""
        return named(self.cards[0])[1]

    @property
    def naturals(self) -> int:
        return sum(not card.startswith(JOKER) for card in self.cards)


class Play(NamedTuple):
    """A new meld of three, or one card laid off."""

    text: str
    cards: tuple[str, ...]  # as they leave the hand: a joker is "JK"
    shown: tuple[str, ...]  # as they lie on the table: a joker is "JK(5C)"
    end: str  # a new meld: "new set" or "new run"; a lay-off: "set", "low" or "high"
    low: int  # in a run: position of the (first) card; in a set: -1
    onto: int = -1  # a lay-off: which meld


def named(shown: str) -> str:
    """The card that a card on the table stands for: ``JK(5C)`` -> ``5C``, ``JK(5)`` -> ``5``."""
    return shown[3:-1] if shown.startswith(JOKER) else shown


def count(cards: Iterable[str]) -> Cards:
    held: Cards = {}
    for card in cards:
        held[card] = held.get(card, 0) + 1
    return held


def without(held: Cards, cards: Iterable[str]) -> Cards:
    left = dict(held)
    for card in cards:
        left[card] -= 1
        if not left[card]:
            del left[card]
    return left


def listed(held: Cards) -> list[str]:
    return sorted((card for card, n in held.items() for _ in range(n)), key=ORDER.__getitem__)


class Pack:
    """Which runs there are, with the ranks, suits and aces of the rules."""

    def __init__(self, num_ranks: int, num_suits: int, ace_in_runs: str) -> None:
        self.ranks, self.suits = RANKS[:num_ranks], SUITS[:num_suits]
        first = 1 if ace_in_runs == "high" else 0
        self.positions = range(first, num_ranks if ace_in_runs == "low" else num_ranks + 1)
        self.cards = [rank + suit for suit in self.suits for rank in self.ranks]
        self.faces = {  # suit -> the card at each position
            suit: [self.ranks[p % num_ranks] + suit for p in range(num_ranks + 1)]
            for suit in self.suits
        }
        # card -> the runs of three it can be in, each as (low, cards)
        self.runs: dict[str, list[tuple[int, tuple[str, ...]]]] = {c: [] for c in self.cards}
        for faces in self.faces.values():
            for low in self.positions[:-2]:
                run = tuple(faces[low : low + 3])
                for card in run:
                    self.runs[card].append((low, run))
        self.same_rank = {c: [c[0] + s for s in self.suits if s != c[1]] for c in self.cards}
        # card -> cards that make a meld with it and a joker
        self.partners = {
            card: set(self.same_rank[card])
            | {c for _, run in self.runs[card] for c in run} - {card}
            for card in self.cards
        }


class Table:
    """The melds on the table; a play gives a new table."""

    def __init__(self, pack: Pack, melds: tuple[Meld, ...] = ()) -> None:
        self.pack, self.melds = pack, melds

    @cached_property
    def places(self) -> dict[str, list[Play]]:
        """Card -> the lay-offs it has on this table; cards that have none are left out."""
        found: dict[str, Play] = {}  # by text: equal texts mean the same play
        # Of several sets of a rank, the one with the most naturals; then the one melded first.
        for onto, meld in sorted(enumerate(self.melds), key=lambda pair: -pair[1].naturals):
            if meld.kind == "set" and len(meld.cards) < 4:
                on = meld.rank
                for card in [on + suit for suit in self.pack.suits]:
                    if card not in meld.cards:
                        text = f"lay {card} on {on}"
                        found.setdefault(text, Play(text, (card,), (card,), "set", -1, onto))
                text, shown = f"lay JK({on}) on {on}", f"JK({on})"
                found.setdefault(text, Play(text, (JOKER,), (shown,), "set", -1, onto))
        for onto, meld in enumerate(self.melds):
            if meld.kind == "run":
                faces, high = self.pack.faces[meld.suit], meld.low + len(meld.cards) - 1
                for end, at, to in (("low", meld.low, meld.low - 1), ("high", high, high + 1)):
                    if to in self.pack.positions:
                        for card, shown in ((faces[to],) * 2, (JOKER, f"JK({faces[to]})")):
                            text = f"lay {shown} on {faces[at]}"
                            found.setdefault(text, Play(text, (card,), (shown,), end, to, onto))
        places: dict[str, list[Play]] = {}
        for play in found.values():
            places.setdefault(play.cards[0], []).append(play)
        return places

    def after(self, play: Play, seat: int) -> Table:
        melds, owners = list(self.melds), (seat,) * len(play.cards)
        if play.onto < 0:
            melds.append(Meld(play.end.removeprefix("new "), play.shown, owners, play.low))
        else:
            old = melds[play.onto]
            if play.end == "low":
                new = Meld("run", play.shown + old.cards, owners + old.owners, play.low)
            else:
                new = Meld(old.kind, old.cards + play.shown, old.owners + owners, old.low)
            if play.end == "set":
                order = sorted(
                    zip(new.cards, new.owners, strict=True), key=lambda x: ORDER.get(x[0], 99)
                )
                new = Meld("set", tuple(c for c, _ in order), tuple(o for _, o in order), -1)
            melds[play.onto] = new
        return Table(self.pack, tuple(melds))

    def new_melds(self, cards: Cards, must: str | None = None) -> Iterator[Play]:
        """All melds of three from these cards (with the card `must` among them)."""
        jokers = cards.get(JOKER, 0)
        seeds = [c for c in cards if c != JOKER] if must in (None, JOKER) else [must]
        for rank in dict.fromkeys(card[0] for card in seeds):
            held = [rank + suit for suit in self.pack.suits if rank + suit in cards]
            for wild in range(min(jokers, 2) + 1):
                for naturals in combinations(held, 3 - wild):
                    used = naturals + (JOKER,) * wild
                    if must is None or must in used:
                        shown = naturals + (f"JK({rank})",) * wild
                        yield Play("meld " + " ".join(shown), used, shown, "new set", -1)
        for low, run in dict.fromkeys(run for card in seeds for run in self.pack.runs[card]):
            if sum(card not in cards for card in run) > jokers:
                continue
            for wild_at in JOKER_PATTERNS:
                used = tuple(JOKER if i in wild_at else card for i, card in enumerate(run))
                if len(wild_at) > jokers or not all(card in cards for card in used):
                    continue
                if must is None or must in used:
                    shown = tuple(f"JK({c})" if i in wild_at else c for i, c in enumerate(run))
                    yield Play("meld " + " ".join(shown), used, shown, "new run", low)

    def reaches(self, due: str, cards: Cards, suit: str, at: int, step: int) -> bool:
        """Can the card `due` be laid further out on a run that now ends at position `at`, every
        place before it being filled by one of `cards`?"""
        jokers = cards.get(JOKER, 0)
        while (at := at + step) in self.pack.positions:
            face = self.pack.faces[suit][at]
            if due in (face, JOKER):
                return True
            if face not in cards:
                jokers -= 1
                if jokers < 0:
                    return False
        return False

    def playable(self, card: str, cards: Cards) -> bool:
        """Can `card`, itself one of `cards`, be played with them on this table in some way: laid
        off, laid off behind bridging cards, or in a meld of three?"""
        if card in self.places:
            return True
        jokers = cards.get(JOKER, 0)
        if card == JOKER:
            naturals = cards.keys() - {JOKER}
            if jokers >= 2 and naturals:
                return True
            return any(not self.pack.partners[c].isdisjoint(naturals) for c in naturals)
        if sum(other in cards for other in self.pack.same_rank[card]) + jokers >= 2:
            return True
        if any(sum(c in cards for c in run) + jokers >= 3 for _, run in self.pack.runs[card]):
            return True
        return any(
            self.reaches(card, cards, card[1], meld.low, -1)
            or self.reaches(card, cards, card[1], meld.low + len(meld.cards) - 1, 1)
            for meld in self.melds
            if meld.kind == "run" and meld.suit == card[1]
        )
