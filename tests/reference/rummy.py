"""A naive basic Rummy, in plain Python, for the real engine to be checked against.

Where rule books are silent, this is what is played here:

* Only one card is taken from the pile; it need not be played, but may not be discarded this turn.
* A card laid off on somebody's meld counts as a card of one's own on the table.
* Cards of a turned pile are known to all, in the stock, in a hand, until they are played.
* Going rummy asks what lay on the table as the turn began; a position set up in the play phase
  stands at the beginning of its turn.
* Where the winner deals next and a blocked hand has none, the same dealer deals again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reference.match import Match, Options
from reference.table import ORDER, Cards, Play, Table, without

OPTIONS: Options = {
    "num_players": (2, range(2, 7)),
    "hand_size": ("auto", None),
    "ace_in_runs": ("low", ("low", "both")),
    "ace_value": (1, (1, 15)),
    "max_melds_per_turn": (None, None),
    "layoff_requires_own_meld": (False, (False, True)),
    "going_out": ("discard_optional", ("discard_optional", "discard_required")),
    "max_recycles": (None, None),
    "rummy_multiplier": (2, range(1, 11)),
    "rummy_needs_pure": (False, (False, True)),
    "next_dealer": ("auto", ("auto", "winner", "left")),
    "num_ranks": (13, range(3, 14)),
    "num_suits": (4, range(1, 5)),
    "target": (None, None),
    "max_turns": ("auto", None),
    "max_hands": (100, None),
}


def random_options(rng: random.Random) -> dict[str, Any]:
    """Options of basic Rummy by lot; most are the default most of the time."""
    options: dict[str, Any] = {
        "num_players": rng.choice((2, 2, 2, 3, 3, 4, 5, 6)),
        "ace_in_runs": rng.choice(("low", "low", "both")),
        "ace_value": rng.choice((1, 1, 15)),
        "max_melds_per_turn": rng.choice((None, None, None, 1, 2)),
        "layoff_requires_own_meld": rng.random() < 0.3,
        "going_out": rng.choice(("discard_optional", "discard_optional", "discard_required")),
        "max_recycles": rng.choice((None, None, 0, 1, 2)),
        "rummy_multiplier": rng.choice((2, 2, 1, 3, 10)),
        "rummy_needs_pure": rng.random() < 0.3,
        "next_dealer": rng.choice(("auto", "auto", "winner", "left")),
        "target": rng.choice((None, 20, 60, 200)),
        "max_hands": rng.choice((2, 3, 100)),
    }
    if rng.random() < 0.4:
        options["max_turns"] = rng.choice((rng.randint(1, 30), 60, 60))
    if rng.random() < 0.3:
        options["num_ranks"] = rng.randint(3, 13)
        options["num_suits"] = rng.randint(1, 4)
    if rng.random() < 0.4:
        options["hand_size"] = rng.choice((1, 2, 2, 3, 3, 4, 6, 8))
    return options


@dataclass
class Turn:
    """What the seat in turn holds, and what it has done since it drew."""

    seat: int
    hand: Cards
    table: Table
    fresh: bool  # it had nothing on the table as the turn began
    barred: str | None = None  # the card taken from the pile: not to be discarded this turn
    new_melds: int = 0
    pure: bool = True  # no card laid on a meld that holds somebody else's card

    def after(self, play: Play) -> Turn:
        """The turn with one more meld or lay-off."""
        new, pure = self.new_melds + (play.onto < 0), self.pure
        if play.onto >= 0:
            pure = pure and set(self.table.melds[play.onto].owners) == {self.seat}
        hand, table = without(self.hand, play.cards), self.table.after(play, self.seat)
        return Turn(self.seat, hand, table, self.fresh, self.barred, new, pure)


class Reference(Match):
    """One match of basic Rummy."""

    OPTIONS = OPTIONS

    def _settle(self) -> None:
        usual = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}
        self._auto_hand_size(usual[self.num_players])
        self._auto("max_turns", 4 * len(self.full_pack()))
        self._auto("next_dealer", "winner" if self.num_players == 2 else "left")

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
    ) -> None:
        """Set up any position; in the play phase the seat has drawn from the stock."""
        self._lay_out(hands, table, pile, stock, dealer, scores)
        self._turnings = 0  # how often the pile was turned over in this hand
        self._stock_is_known = False
        self._hand_winner: int | None = None
        self._seat = turn
        if phase == "draw":
            self._begin_turn(turn)
        elif phase == "play":
            self._go_on(None)
        else:
            raise ValueError(f"unknown phase {phase!r}")

    def next_dealer(self) -> int:
        if self.rules["next_dealer"] == "left":
            return (self.dealer + 1) % self.num_players
        return self.dealer if self._hand_winner is None else self._hand_winner

    # --- a turn ---

    def _begin_turn(self, seat: int) -> None:
        self._seat, self._phase = seat, "draw"
        if not self.stock and not self.pile:
            self._block()

    def _new_turn(self, hand: Cards, taken: str | None) -> Turn:
        """The turn of a seat that has drawn, or has taken a card from the pile."""
        return Turn(self._seat, hand, self._table, not self._lies_on(self._table), taken)

    def _go_on(self, taken: str | None) -> None:
        self._phase = "play"
        self._turn = self._new_turn(self._hands[self._seat], taken)

    def _lies_on(self, table: Table) -> bool:
        """Has the seat in turn a card on the table?"""
        return any(self._seat in meld.owners for meld in table.melds)

    def _may_turn(self) -> bool:
        most = self.rules["max_recycles"]
        left = most is None or self._turnings < most
        return left and not self.stock and bool(self.pile)

    def _plays(self, turn: Turn) -> Iterator[Play]:
        """All melds and lay-offs, whatever comes after them."""
        most = self.rules["max_melds_per_turn"]
        if most is None or turn.new_melds < most:
            yield from turn.table.new_melds(turn.hand)
        if self._lies_on(turn.table) or not self.rules["layoff_requires_own_meld"]:
            for card in turn.hand:
                yield from turn.table.places.get(card, ())

    def _can_end(self, turn: Turn) -> bool:
        """Can this turn be ended: is there a card to discard, or can all be played?"""
        if not turn.hand:
            return bool(self.rules["going_out"] == "discard_optional")
        if any(card != turn.barred for card in turn.hand):
            return True
        return any(self._can_end(turn.after(play)) for play in self._plays(turn))

    def _find_options(self) -> dict[str, Any]:
        if self._phase == "play":
            turn = self._turn
            plays = [play for play in self._plays(turn) if self._can_end(turn.after(play))]
            discards = [card for card in turn.hand if card != turn.barred]
            return {p.text: p for p in plays} | {f"discard {card}": card for card in discards}
        options: dict[str, Any] = {}
        if self.stock:
            options["draw stock"] = None
        if self.pile:
            card = self.pile[-1]
            hand = self._hands[self._seat] | {card: 1}
            if self._can_end(self._new_turn(hand, card)):  # it always can, but for an empty hand
                options[f"take {card}"] = None
        if self._may_turn():
            options["turn pile"] = None
        elif not self.stock:
            options["pass"] = None
        return options

    def _act(self, verb: str, what: Any) -> None:
        seat = self._seat
        if verb == "pass":
            self._block()
        elif verb == "take":
            card = self.pile.pop()
            self._give(seat, [card], seen=True)
            self._go_on(card)
        elif verb in ("draw", "turn"):
            if verb == "turn":  # the lowest card of the pile is now the top of the stock
                self.stock, self.pile = self.pile, []
                self._turnings += 1
                self._stock_is_known = True
            self._give(seat, [self.stock.pop(0)], seen=self._stock_is_known)
            self._go_on(None)
        elif verb == "discard":
            self._hands[seat] = without(self._hands[seat], [what])
            self._forget(seat, [what])
            self.pile.append(what)
            self._end_turn()
        else:
            self._turn = self._turn.after(what)
            self._hands[seat], self._table = self._turn.hand, self._turn.table
            self._forget(seat, what.cards)
            if not self._hands[seat]:
                self._end_turn()

    def _end_turn(self) -> None:
        if not self._hands[self._seat]:
            self._go_out()
            return
        self._turns += 1
        if self._turns >= self.rules["max_turns"]:
            self.over = "truncated"
        else:
            self._begin_turn((self._seat + 1) % self.num_players)

    # --- the end of a hand ---

    def _go_out(self) -> None:
        """Everybody pays the seat in turn the points held, more if it goes rummy."""
        turn, rules = self._turn, self.rules
        rummy = turn.fresh and (turn.pure or not rules["rummy_needs_pure"])
        times = rules["rummy_multiplier"] if rummy else 1
        self._pay(self._seat, [times * self._points(hand) for hand in self._hands])

    def _block(self) -> None:
        """Nobody goes out: whoever alone holds least wins what the others hold more."""
        points = [self._points(hand) for hand in self._hands]
        least = min(points)
        if points.count(least) == 1:
            self._pay(points.index(least), [held - least for held in points])
        else:
            self._count_hand([0] * self.num_players)

    def _pay(self, winner: int, dues: Sequence[int]) -> None:
        """Every other seat pays the winner its due."""
        self._hand_winner = winner
        scores = [-due for due in dues]
        scores[winner] = sum(due for seat, due in enumerate(dues) if seat != winner)
        self._count_hand(scores)

    def _points(self, hand: Cards) -> int:
        """Points of the cards held; there is one of each."""
        worth = {"A": self.rules["ace_value"], "T": 10, "J": 10, "Q": 10, "K": 10}
        return sum(worth.get(card[0]) or int(card[0]) for card in hand)

    def also(self) -> dict[str, Any]:
        stock = [ORDER[card] for card in reversed(self.stock)] if self._stock_is_known else []
        return super().also() | {
            "recycles": self._turnings,
            "turned": stock + [0] * (52 - len(stock)),
            "open_stock": sum(1 << card for card in stock),
        }
