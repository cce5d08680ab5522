"""A naive Gin Rummy, in plain Python, for the real engine to be checked against.

Where rule books are silent, this is what is played here:

* The discard of a knock or of gin goes on top of the pile; big gin throws nothing.
* After a hand the knocker's melds, with what was laid off, and the defender's melds lie on the
  table; both hands hold their deadwood.
* Big gin counts as gin for extra boxes; a doubled hand counts its boxes once.
* A tie that is no undercut is a hand won with 0 points: a box, and the deal that goes with it.
* The loser has "0 points" if its hands have brought it none, whatever boxes it has.
* `hand_scores` are those of the hand that ended, 0 while one is played or when it is cut off.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from reference import gin_melds as melds
from reference.gin_melds import ORDER, POINTS, RANKS, SUITS, Meld
from reference.gin_options import OPTIONS, PRESETS, random_options

__all__ = ["Reference", "random_options"]


class Reference:
    """One match of Gin. `start` or `load`, then `play` one of `legal` until over."""

    num_players = 2
    hand_number: int  # of this match, from 1

    def __init__(self, preset: str | None = None, **options: Any) -> None:
        rules: dict[str, Any] = {name: default for name, (default, _) in OPTIONS.items()}
        if preset is not None:
            rules |= PRESETS[preset]
        for name, value in options.items():
            if name not in OPTIONS:
                raise ValueError(f"unknown option {name!r}")
            allowed = OPTIONS[name][1]
            if allowed is not None and value not in allowed:
                raise ValueError(f"{name}={value!r}: not one of {list(allowed)}")
            rules[name] = value
        size = rules["num_ranks"] * rules["num_suits"]
        if rules["hand_size"] in ("auto", None):
            third = -(-size // 3)
            rules["hand_size"] = 10 if size == 52 else max(1, min(10, (size - third) // 2))
        if rules["max_turns"] in ("auto", None):
            rules["max_turns"] = 4 * size
        self.rules = rules

    def full_pack(self) -> list[str]:
        """All cards of the game, unshuffled."""
        ranks, suits = RANKS[: self.rules["num_ranks"]], SUITS[: self.rules["num_suits"]]
        return [rank + suit for suit in suits for rank in ranks]

    # --- beginning a hand ---

    def start(
        self,
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        pile: Sequence[str],
        dealer: int,
        scores: Sequence[int] | None = None,
    ) -> None:
        """Begin a match with this deal: stock top first; the pile is the card turned up."""
        self.load(hands, pile, stock, 1 - dealer, "upcard", dealer, scores)

    def next_hand(
        self, hands: Sequence[Sequence[str]], stock: Sequence[str], pile: Sequence[str]
    ) -> None:
        """The next deal of the match."""
        if self.over != "hand":
            raise ValueError("the match has no next hand now")
        number, boxes, dealer = self.hand_number + 1, self.boxes, self._next_dealer()
        self.start(hands, stock, pile, dealer, self.scores)
        self.hand_number, self.boxes = number, boxes

    def _next_dealer(self) -> int:
        if self.hand_winner is None:  # a dead hand is dealt again
            return self.dealer
        loser = 1 - self.hand_winner
        who = {"winner": self.hand_winner, "loser": loser, "alternate": 1 - self.dealer}
        return who[self.rules["next_dealer"]]

    def load(
        self,
        hands: Sequence[Sequence[str]] | Mapping[int, Sequence[str]],
        pile: Sequence[str] = (),
        stock: Sequence[str] = (),
        turn: int = 0,
        phase: str = "draw",
        dealer: int = 1,
        scores: Sequence[int] | None = None,
        boxes: Sequence[int] | None = None,
        upcard: str | None = None,
    ) -> None:
        """Set up a position. In the play phase the seat has drawn from the stock; the card turned
        up at the deal is by default the lowest of the pile."""
        self.dealer = dealer
        self.scores = list(scores) if scores is not None else [0, 0]
        self.boxes = list(boxes) if boxes is not None else [0, 0]
        self.hand_scores = [0, 0]
        self.melded = [0, 0]  # melds count nothing in Gin
        self.over = "no"  # or "hand", "match", "truncated"
        self.winner: int | None = None  # of the match
        self.hand_winner: int | None = None
        self.hand_number = 1
        self._hands = [frozenset(hands[seat]) for seat in (0, 1)]
        self._seen: list[set[str]] = [set(), set()]  # cards from the pile, still in the hand
        self.pile, self.stock = list(pile), list(stock)
        self.table: tuple[Meld, ...] = ()
        self.upcard = upcard or (self.pile[0] if self.pile else None)
        self._seat, self._phase = turn, phase
        self._passes = 0  # of the upcard
        self._must_draw = False  # both have passed the upcard: it cannot be taken any more
        self._at_wall = False  # the stock is used up: the opponent may take the discard and knock
        self._barred: str | None = None  # the card taken from the pile this turn
        self._turns = 0
        self._knocker = 0
        self._legal: list[str] | None = None  # as long as nothing is played

    # --- looking at it ---

    @property
    def turn(self) -> int | None:
        return self._seat if self.over == "no" else None

    @property
    def phase(self) -> str:
        return self._phase if self.over == "no" else "over"

    @property
    def hands(self) -> list[list[str]]:
        return [sorted(hand, key=ORDER.__getitem__) for hand in self._hands]

    @property
    def known(self) -> list[list[str]]:
        """The cards in each hand that everybody has seen."""
        return [sorted(cards, key=ORDER.__getitem__) for cards in self._seen]

    @property
    def melds(self) -> list[Meld]:
        return list(self.table)

    def also(self) -> dict[str, Any]:
        return {"turns": self._turns, "boxes": self.boxes}

    @property
    def limit(self) -> int:
        """The most deadwood with which one may knock in this hand."""
        if self.rules["knock_limit"] != "upcard":
            return int(self.rules["knock_limit"])
        assert self.upcard is not None
        if self.upcard[0] == "A":
            return 1 if self.rules["oklahoma_ace"] == "one" else 0
        return POINTS[self.upcard]

    @property
    def doubled(self) -> bool:
        return bool(self.rules["spade_double"] and self.upcard and self.upcard[1] == "S")

    # --- what is legal ---

    def legal(self) -> list[str]:
        if self._legal is None:
            self._legal = self._find_legal()
        return list(self._legal)

    def _find_legal(self) -> list[str]:
        if self.phase == "upcard":
            return ["pass", f"take {self.pile[-1]}"]
        if self.phase == "draw":
            return self._draws()
        if self.phase == "play":
            ends = self._ends(self._hands[self._seat], self._barred)
            return ends if self._at_wall else ends + self._discards()
        if self.phase == "layoff":
            return ["pass", *(lay.text for lay in self._lay_offs())]
        return []

    def _draws(self) -> list[str]:
        top = self.pile[-1] if self.pile else ""
        if self._at_wall:
            ends = self._ends(self._hands[self._seat] | {top}, top)
            return ["pass", f"take {top}"] if ends else ["pass"]
        stock = ["draw stock"] if self.stock else []
        return stock if self._must_draw or not top else [*stock, f"take {top}"]

    def _ends(self, hand: frozenset[str], barred: str | None) -> list[str]:
        """The ways to end the hand from these cards, of which one is too many."""
        found = []
        for card, left in melds.deadwood_without(hand).items():
            if card != barred:
                if left == 0:
                    found.append(f"gin with {card}")
                elif left <= self.limit:
                    found.append(f"knock with {card}")
        if self.rules["big_gin_bonus"] is not None and melds.deadwood(hand) == 0:
            found.append("big gin")
        return found

    def _discards(self) -> list[str]:
        return [f"discard {card}" for card in self._hands[self._seat] if card != self._barred]

    def _lay_offs(self) -> list[melds.LayOff]:
        return list(melds.lay_offs(self._hands[self._seat], self.table, self._seat))

    # --- playing ---

    def play(self, action: str) -> None:
        """Play one of the legal actions; ValueError (and nothing changed) for any other."""
        if action not in self.legal():
            raise ValueError(f"not legal here: {action}")
        self._legal = None
        seat, words = self._seat, action.split()
        if words[0] == "pass":
            self._pass()
        elif words[0] == "draw":
            self._pick_up(self.stock.pop(0), None)
        elif words[0] == "take":
            card = self.pile.pop()
            self._pick_up(card, card)
            self._seen[seat] |= {card}
        elif words[0] == "discard":
            self._throw(words[1])
            self._end_turn()
        elif words[0] == "knock":
            self._throw(words[2])
            self._knock(words[2])
        elif words[0] == "gin":
            self._throw(words[2])
            self._gin(words[2], self.rules["gin_bonus"])
        elif action == "big gin":
            self._gin("", self.rules["big_gin_bonus"])
        else:
            (lay,) = (lay for lay in self._lay_offs() if lay.text == action)
            self._hands[seat] -= {lay.card}
            self.table = lay.table
            if not self._lay_offs():
                self._settle()

    def _pass(self) -> None:
        if self._phase == "layoff":
            self._settle()
        elif self._phase == "draw":
            self._end_hand(None)
        elif self._passes == 0:
            self._passes, self._seat = 1, 1 - self._seat
        else:
            self._seat, self._phase, self._must_draw = 1 - self.dealer, "draw", True
            if not self.stock:
                self._end_hand(None)

    def _pick_up(self, card: str, barred: str | None) -> None:
        self._hands[self._seat] |= {card}
        self._phase, self._barred, self._must_draw = "play", barred, False

    def _throw(self, card: str) -> None:
        self._hands[self._seat] -= {card}
        self._seen[self._seat] &= self._hands[self._seat]
        self.pile.append(card)

    def _end_turn(self) -> None:
        self._turns += 1
        if len(self.stock) <= 2 and self.rules["wall_rule"] == "dead":
            self._end_hand(None)
        elif len(self.stock) <= 2:
            self._seat, self._phase, self._at_wall = 1 - self._seat, "draw", True
        elif self._turns >= self.rules["max_turns"]:
            self.over = "truncated"
        else:
            self._seat, self._phase = 1 - self._seat, "draw"

    def _lay_down(self, seat: int, shown: tuple[Meld, ...]) -> None:
        """A seat puts its melds on the table and keeps the deadwood."""
        for meld in shown:
            self._hands[seat] -= set(meld.cards)
            self.table += (Meld(meld.kind, meld.cards, (seat,) * len(meld.cards)),)

    def _show(self, thrown: str) -> None:
        """Whoever ends the hand puts down its melds."""
        hand = self._hands[self._seat]
        self._lay_down(self._seat, melds.arrange_knocker(hand, thrown, self.full_pack()))

    def _gin(self, thrown: str, bonus: int) -> None:
        self._show(thrown)
        other = 1 - self._seat
        self._lay_down(other, melds.arrange(self._hands[other]))
        held = melds.points(self._hands[other])
        self._end_hand(self._seat, bonus + held, self.rules["gin_boxes"])

    def _knock(self, thrown: str) -> None:
        self._show(thrown)
        self._knocker, self._seat = self._seat, 1 - self._seat
        if self.rules["layoff"] == "choose" and self._lay_offs():
            self._phase = "layoff"
            return
        if self.rules["layoff"] == "auto":
            best = melds.lay_off_best(self._hands[self._seat], self.table, self._seat)
            self._hands[self._seat], self.table = best
        self._settle()

    def _settle(self) -> None:
        """The lay-offs are done: the defender melds the rest, and the two are compared."""
        knocker, defender = self._knocker, 1 - self._knocker
        self._lay_down(defender, melds.arrange(self._hands[defender]))
        more = melds.points(self._hands[defender]) - melds.points(self._hands[knocker])
        if more > 0 or (more == 0 and not self.rules["undercut_on_tie"]):
            self._end_hand(knocker, more)
        else:
            score = self.rules["undercut_bonus"] - more
            self._end_hand(defender, score, self.rules["undercut_boxes"])

    def _end_hand(self, winner: int | None, score: int = 0, more_boxes: int = 0) -> None:
        """The hand is over; `winner` is None when it is dead."""
        self.hand_winner, target = winner, self.rules["target"]
        if winner is not None:
            self.hand_scores[winner] = 2 * score if self.doubled else score
            self.scores[winner] += self.hand_scores[winner]
            if target is not None:
                self.boxes[winner] += 1 + more_boxes
        if target is None:
            self.over, self.winner = "match", winner
        elif winner is not None and self.scores[winner] >= target:
            self._end_match(winner)
        elif self.hand_number >= self.rules["max_hands"]:
            self.over = "truncated"
        else:
            self.over = "hand"

    def _end_match(self, winner: int) -> None:
        self.over, self.winner = "match", winner
        if self.scores[1 - winner] == 0:
            if self.rules["shutout"] == "bonus+100":
                self.scores[winner] += 100
            elif self.rules["shutout"] == "double":
                self.scores[winner] *= 2
        self.scores[winner] += self.rules["game_bonus"]
        for seat in (0, 1):
            self.scores[seat] += self.rules["box_bonus"] * self.boxes[seat]

    # --- for tests ---

    def lively(self, rng: random.Random, careful: bool) -> str:
        """A legal action by lot that brings a hand to its end: who can end the hand often does,
        and a careful player takes and keeps what melds."""
        actions = self.legal()
        ends = [a for a in actions if a.startswith(("knock", "gin", "big"))]
        if ends and rng.random() < 0.4:
            return rng.choice(ends)
        if self.phase == "layoff" and rng.random() < 0.8:
            return rng.choice(actions[1:])
        hand, barred = self._hands[self._seat], self._barred
        if careful and self.phase == "play" and not self._at_wall:
            left = melds.deadwood_without(hand)
            least = min(left[card] for card in hand if card != barred)
            return f"discard {rng.choice([c for c in left if left[c] == least and c != barred])}"
        if careful and self.phase in ("draw", "upcard") and len(actions) > 1:
            top = self.pile[-1]
            left = melds.deadwood_without(hand | {top})
            helps = min(left[card] for card in hand) < melds.deadwood(hand) - 3
            return actions[1] if helps or rng.random() < 0.1 else actions[0]
        return rng.choice(actions)
