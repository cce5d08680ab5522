"""A naive Rummy 500, in plain Python, for the real engine to be checked against.

Where rule books are silent, this is what is played here:

* The copies of a card in the pile are numbered from the top: ``take JK``, ``take JK 2``, ...
* The barred face (of a single card taken) stays barred for the turn, also once it was played.
* A set holds at most four cards, even in a pack of fewer than four suits.
* A last card that *could* be laid off may not be the final discard under
  `final_discard_unplayable`, even where `discard_required` forbids to lay it off; such a position
  is never reached, because no play may lead to it.
* A joker due may be any joker; a natural card due must be that face itself, not a joker for it.
* `hand_scores` are those of the hand that ended, 0 while one is played or when it is cut off.
* With `target` None the winner has the highest score alone; equal best scores: no winner.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reference.match import Match, Options
from reference.table import (
    JOKER,
    Cards,
    Play,
    Table,
    count,
    listed,
    named,
    without,
)

STEP = {"low": -1, "high": 1}

OPTIONS: Options = {
    "num_players": (2, range(2, 9)),
    "num_decks": ("auto", ("auto", None, 1, 2)),
    "jokers_per_deck": (2, (0, 1, 2)),
    "hand_size": ("auto", None),
    "scoring": ("face", ("face", "5_10_15")),
    "ace_in_runs": ("both", ("both", "low", "high")),
    "ace_low_value": ("auto", ("auto", None, 1, 5, 15)),
    "top_discard_must_meld": (False, (False, True)),
    "deep_pick_timing": ("first", ("first", "before_discard")),
    "deep_pick_uses_picked": (True, (False, True)),
    "calling_rummy": (True, (False, True)),
    "rummy_persistent": (True, (False, True)),
    "going_out": ("discard_optional", ("discard_optional", "discard_required", "float")),
    "final_discard_unplayable": (False, (False, True)),
    "stock_out": ("until_declined", ("until_declined", "immediate")),
    "num_ranks": (13, range(3, 14)),
    "num_suits": (4, range(1, 5)),
    "target": (500, None),
    "max_turns": ("auto", None),
    "max_hands": (100, None),
}


def random_options(rng: random.Random) -> dict[str, Any]:
    """Options of Rummy 500 by lot; most are the default most of the time."""
    players = rng.choice((2, 2, 2, 3, 3, 4, 5, 6, 7, 8))
    options: dict[str, Any] = {
        "num_players": players,
        "jokers_per_deck": rng.choice((0, 0, 1, 2, 2)),
        "scoring": rng.choice(("face", "face", "5_10_15")),
        "ace_in_runs": rng.choice(("both", "both", "low", "high")),
        "ace_low_value": rng.choice(("auto", "auto", 1, 5, 15)),
        "top_discard_must_meld": rng.random() < 0.25,
        "deep_pick_timing": rng.choice(("first", "first", "before_discard")),
        "deep_pick_uses_picked": rng.random() < 0.75,
        "calling_rummy": rng.random() < 0.85,
        "rummy_persistent": rng.random() < 0.7,
        "going_out": rng.choice(("discard_optional", "discard_required", "float")),
        "final_discard_unplayable": rng.random() < 0.3,
        "stock_out": rng.choice(("until_declined", "until_declined", "immediate")),
        "target": rng.choice((None, 20, 60, 500)),
        "max_hands": rng.choice((2, 3, 100)),
    }
    if rng.random() < 0.15:
        options["max_turns"] = rng.randint(1, 30)
    if rng.random() < 0.2:
        options["num_decks"] = rng.choice((1, 2))
    if rng.random() < 0.25:
        options["num_ranks"] = rng.randint(4, 13)
        options["num_suits"] = rng.randint(2, 4)
        if players * 3 + 1 > options["num_ranks"] * options["num_suits"]:
            options["num_decks"] = 2
    if rng.random() < 0.35:
        options["hand_size"] = rng.randint(2, 6)
    return options


@dataclass
class Turn:
    """What the seat in turn holds and owes, after it has drawn, taken or called."""

    seat: int
    hand: Cards
    table: Table
    barred: str | None = None  # face that may not be discarded this turn
    due: str | None = None  # face that must still be played
    first: bool = True  # ... before anything else (but for the cards that bridge to it)
    frozen: Cards = field(default_factory=dict)  # cards not usable before the due one is played
    bridge: tuple[str, str, int] | None = None  # (suit, end, next position): only go on there

    def usable(self) -> Cards:
        if not self.frozen:
            return self.hand
        left = {card: n - self.frozen.get(card, 0) for card, n in self.hand.items()}
        return {card: n for card, n in left.items() if n > 0}

    def after(self, play: Play) -> Turn:
        hand, table = without(self.hand, play.cards), self.table.after(play, self.seat)
        if self.due is None or self.due in play.cards:
            return Turn(self.seat, hand, table, self.barred)
        bridge = None
        if self.first:  # then this can only be a bridging card
            suit = named(play.shown[0])[1]
            bridge = (suit, play.end, play.low + STEP[play.end])
        return Turn(self.seat, hand, table, self.barred, self.due, self.first, self.frozen, bridge)


class Reference(Match):
    """One match of Rummy 500."""

    OPTIONS = OPTIONS

    def _settle(self) -> None:
        two = self.num_players == 2
        self._auto("num_decks", 1 if self.num_players <= 4 else 2)
        self._auto("ace_low_value", 5 if self.rules["scoring"] == "5_10_15" else 1)
        self._auto_hand_size(13 if two else 7)
        self._auto("max_turns", 4 * len(self.full_pack()))

    def next_dealer(self) -> int:
        return (self.dealer + 1) % self.num_players

    # --- beginning a hand ---

    def load(
        self,
        hands: Sequence[Sequence[str]] | Mapping[int, Sequence[str]],
        table: Sequence[tuple[Sequence[str], int]] = (),
        pile: Sequence[str] = (),
        stock: Sequence[str] = (),
        turn: int = 0,
        phase: str = "draw",
        dealer: int | None = None,
        scores: Sequence[int] | None = None,
        melded: Sequence[int] | None = None,
        discarder: int | None = None,
    ) -> None:
        """Set up any position. In the play phase the seat has drawn from the stock; in the call
        phase `discarder` (default: the seat before `turn`) has just discarded."""
        self._lay_out(hands, table, pile, stock, dealer, scores)
        for meld in self.melds:
            faces = [JOKER if card.startswith(JOKER) else card for card in meld.cards]
            self.melded[meld.owners[0]] += self._points(faces, meld.low)
        if melded is not None:
            self.melded = list(melded)
        self._idle = 0  # idle turns in a row
        self._seat, self._phase = turn, phase
        self._known = self._public()  # pile cards that were callable at the last discard
        self._started_dry = self._took_pile = self._played = False
        if phase == "draw":
            self._begin_turn(turn)
        elif phase == "play":
            self._turn = Turn(turn, self._hands[turn], self._table)
        elif phase == "call":
            self._discarder = (turn - 1) % self.num_players if discarder is None else discarder
            self._callable = self._known
        else:
            raise ValueError(f"unknown phase {phase!r}")

    # --- which plays there are ---

    def _plays(self, turn: Turn) -> Iterator[Play]:
        """All plays that the rules of the due card allow, whatever comes after them."""
        cards, due, places = turn.usable(), turn.due, turn.table.places
        lays = [play for card in cards for play in places.get(card, ())]
        if due is None:
            yield from lays
            yield from turn.table.new_melds(cards)
            return
        if turn.bridge:
            lays = [p for p in lays if (named(p.shown[0])[1:], p.end, p.low) == turn.bridge]
        yield from (play for play in lays if due in play.cards)
        if not turn.bridge:
            yield from turn.table.new_melds(cards, must=due)
        lays = [play for play in lays if due not in play.cards]
        if not turn.first:
            yield from lays
            yield from (play for play in turn.table.new_melds(cards) if due not in play.cards)
            return
        for play in lays:
            if play.end != "set":
                rest, suit = without(cards, play.cards), named(play.shown[0])[1]
                if turn.table.reaches(due, rest, suit, play.low, STEP[play.end]):
                    yield play

    def _discards(self, turn: Turn) -> list[str]:
        if turn.due is not None:
            return []
        if self.rules["final_discard_unplayable"] and sum(turn.hand.values()) == 1:
            return [c for c in turn.hand if c != turn.barred and c not in turn.table.places]
        return [card for card in turn.hand if card != turn.barred]

    def _finishable(self, turn: Turn) -> bool:
        """Is there a way to end this turn legally? Searched by trying the plays."""
        if turn.due is None:
            if not turn.hand:
                return self.rules["going_out"] != "discard_required"
            if self._discards(turn):
                return True
        # The hand only gets smaller, so what cannot be played with all of it never can be. (Nor
        # on a meld still to be made: the due card makes one itself with two of those cards.)
        elif not turn.table.playable(turn.due, turn.usable()):
            return False
        size = sum(turn.hand.values())
        return any(self._may_play(turn, play, size) for play in self._plays(turn))

    def _may_play(self, turn: Turn, play: Play, size: int) -> bool:
        """Does a play from this hand of `size` cards leave a way to end the turn?"""
        if turn.due is None or turn.due in play.cards:  # short cut: two left, one not barred
            left = size - len(play.cards)
            barred = turn.barred or ""
            stuck = turn.hand.get(barred, 0) - play.cards.count(barred)
            if left >= 2 and left > stuck:
                return True
        return self._finishable(turn.after(play))

    def _public(self) -> set[int]:
        """The pile cards that can be played with the table and the cards above them alone."""
        found: set[int] = set()
        if self.rules["calling_rummy"] and self.num_players >= 3:
            above: Cards = {}
            for i in reversed(range(len(self.pile))):
                above[self.pile[i]] = above.get(self.pile[i], 0) + 1
                if self._table.playable(self.pile[i], above):
                    found.add(i)
        return found

    def _turn_after_taking(self, hand: Cards, i: int, called: bool) -> Turn:
        """The turn of a seat that took pile[i:]; `hand` has these cards already."""
        single, rules = i == len(self.pile) - 1, self.rules
        turn = Turn(self._seat, hand, self._table)
        turn.first = called or rules["deep_pick_timing"] == "first"
        if single:
            turn.barred = self.pile[i]
        if called or not single or rules["top_discard_must_meld"]:
            turn.due = self.pile[i]
            if not called and not rules["deep_pick_uses_picked"]:
                turn.frozen = count(self.pile[i + 1 :])
        return turn

    def _pile_options(self, verb: str, allowed: Iterable[int]) -> dict[str, Any]:
        """The cards that the seat may take or call: those after which its turn can be ended."""
        hand, options = dict(self._hands[self._seat]), {}
        copies: Cards = {}
        for i in reversed(range(len(self.pile))):
            card = self.pile[i]
            hand[card] = hand.get(card, 0) + 1
            copies[card] = copies.get(card, 0) + 1
            if i in allowed:
                turn = self._turn_after_taking(hand, i, verb == "call")
                if self._finishable(turn):
                    nth = f" {copies[card]}" if copies[card] > 1 else ""
                    options[f"{verb} {card}{nth}"] = i
        return options

    def _find_options(self) -> dict[str, Any]:
        """Text -> what it takes (pile index), plays (Play) or discards (card)."""
        if self._phase == "draw":
            options: dict[str, Any] = {"draw stock": None} if self.stock else {"pass": None}
            return options | self._pile_options("take", range(len(self.pile)))
        if self._phase == "call":
            return {"pass": None, **self._pile_options("call", self._callable)}
        turn, size = self._turn, sum(self._turn.hand.values())
        plays = (play for play in self._plays(turn) if self._may_play(turn, play, size))
        options = {play.text: play for play in plays}
        return options | {f"discard {card}": card for card in self._discards(turn)}

    # --- playing ---

    def _act(self, verb: str, what: Any) -> None:
        seat = self._seat
        if verb == "draw":
            self._give(seat, [self.stock.pop(0)], seen=False)
            self._phase, self._turn = "play", Turn(seat, self._hands[seat], self._table)
        elif verb in ("take", "call"):
            if verb == "call":
                self._begin_turn(seat)
            self._give(seat, self.pile[what:], seen=True)
            self._turn = self._turn_after_taking(self._hands[seat], what, verb == "call")
            self._phase, self._took_pile = "play", True
            del self.pile[what:]
            self._known = {i for i in self._known if i < what}
        elif verb in ("meld", "lay"):
            self.melded[seat] += self._points(what.cards, what.low)
            self._forget(seat, what.cards)
            self._turn, self._played = self._turn.after(what), True
            self._hands[seat], self._table = self._turn.hand, self._turn.table
            if not self._turn.hand and self.rules["going_out"] == "float":
                self._end_turn(discarded=False)
            elif not self._turn.hand:
                self._end_hand()
        elif verb == "discard":
            self._hands[seat] = without(self._hands[seat], [what])
            self._forget(seat, [what])
            self.pile.append(what)
            if self._hands[seat]:
                self._end_turn(discarded=True)
            else:
                self._end_hand()
        elif self._phase == "draw":  # declines the pile when the stock is empty
            self._end_hand()
        else:  # declines to call
            self._ask((seat + 1) % self.num_players)

    def _begin_turn(self, seat: int) -> None:
        self._seat, self._phase = seat, "draw"
        self._started_dry, self._took_pile, self._played = not self.stock, False, False
        if not self.stock and not self.pile:
            self._end_hand()

    def _ask(self, seat: int) -> None:
        """Ask the seat whether it calls; once round to the discarder, the next turn begins."""
        if seat == self._discarder:
            self._begin_turn((seat + 1) % self.num_players)
        else:
            self._seat, self._phase = seat, "call"

    def _end_turn(self, discarded: bool) -> None:
        self._turns += 1
        idle = self._started_dry and self._took_pile and not self._played
        self._idle = self._idle + 1 if idle else 0
        left = (self._seat + 1) % self.num_players
        dry = not self.stock and self.rules["stock_out"] == "immediate"
        if dry or self._idle >= self.num_players:
            self._end_hand()
        elif self._turns >= self.rules["max_turns"]:
            self.over = "truncated"
        elif not discarded:
            self._begin_turn(left)
        else:
            now = self._public()
            self._callable = now if self.rules["rummy_persistent"] else now - self._known
            self._known, self._discarder = now, self._seat
            if self._callable:
                self._ask(left)
            else:
                self._begin_turn(left)

    def _end_hand(self) -> None:
        held = [self._points(listed(hand), -1) for hand in self._hands]
        self._count_hand([m - h for m, h in zip(self.melded, held, strict=True)])

    def _points(self, cards: Sequence[str], low: int) -> int:
        """Points of cards, which lie in a run from position `low` on (or else: low is -1)."""
        total = 0
        for i, card in enumerate(cards):
            if card == JOKER:
                total += 15
            elif card[0] == "A":
                total += self.rules["ace_low_value"] if low == i == 0 else 15
            elif card[0] in "TJQK":
                total += 10
            else:
                total += 5 if self.rules["scoring"] == "5_10_15" else int(card[0])
        return total
