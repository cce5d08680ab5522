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

from reference import gin_melds
from reference.gin_melds import POINTS, Hand, Meld
from reference.match import Match, Options
from reference.table import count

OPTIONS: Options = {
    "hand_size": ("auto", None),
    "knock_limit": (10, (*range(101), "upcard")),
    "oklahoma_ace": ("gin_only", ("gin_only", "one")),
    "spade_double": (False, (False, True)),
    "gin_bonus": (25, None),
    "undercut_bonus": (25, None),
    "undercut_on_tie": (True, (False, True)),
    "big_gin_bonus": (31, None),
    "box_bonus": (25, None),
    "game_bonus": (100, None),
    "shutout": ("bonus+100", ("bonus+100", "double", "none")),
    "undercut_boxes": (0, None),
    "gin_boxes": (0, None),
    "wall_rule": ("dead", ("dead", "opponent_may_knock")),
    "next_dealer": ("winner", ("winner", "loser", "alternate")),
    "layoff": ("auto", ("auto", "choose")),
    "num_ranks": (13, range(3, 14)),
    "num_suits": (4, range(1, 5)),
    "target": (100, None),
    "max_turns": ("auto", None),
    "max_hands": (100, None),
}

PRESETS: dict[str, dict[str, Any]] = {
    "GIN": {},
    "GIN_CLASSIC": {"gin_bonus": 20, "undercut_bonus": 10, "big_gin_bonus": None, "box_bonus": 20},
    "OKLAHOMA": {"knock_limit": "upcard", "spade_double": True, "target": 150},
    "STRAIGHT_GIN": {"knock_limit": 0},
}


def random_options(rng: random.Random) -> dict[str, Any]:
    """Options of Gin by lot; most are the default most of the time."""
    options: dict[str, Any] = {
        "undercut_on_tie": rng.random() < 0.7,
        "shutout": rng.choice(("bonus+100", "double", "none")),
        "undercut_boxes": rng.choice((0, 0, 1)),
        "gin_boxes": rng.choice((0, 0, 2)),
        "wall_rule": rng.choice(("dead", "opponent_may_knock")),
        "next_dealer": rng.choice(("winner", "loser", "alternate")),
        "layoff": rng.choice(("auto", "choose")),
        "target": rng.choice((None, 20, 40, 100, 150)),
        "max_hands": rng.choice((2, 4, 100)),
    }
    if rng.random() < 0.5:
        options["preset"] = rng.choice(list(PRESETS))
    else:
        options["knock_limit"] = rng.choice((10, 10, "upcard", "upcard", 0, 1, 30, 100))
        options["spade_double"] = rng.random() < 0.5
        options["big_gin_bonus"] = rng.choice((None, 31, 31, 50))
        options["gin_bonus"] = rng.choice((25, 20, 0))
        options["undercut_bonus"] = rng.choice((25, 10, 0))
        options["box_bonus"] = rng.choice((25, 20, 0))
        options["game_bonus"] = rng.choice((100, 0))
    options["oklahoma_ace"] = rng.choice(("gin_only", "one"))
    if rng.random() < 0.15:
        options["max_turns"] = rng.randint(1, 30)
    if rng.random() < 0.35:
        options["num_ranks"] = rng.randint(3, 13)
        options["num_suits"] = rng.randint(1, 4)
    if rng.random() < 0.3:
        options["hand_size"] = rng.randint(1, 12)
    return options


class Reference(Match):
    """One match of Gin."""

    OPTIONS = OPTIONS
    first_phase = "upcard"
    boxes: list[int]  # hands won, by seat

    def __init__(self, preset: str | None = None, **options: Any) -> None:
        super().__init__(**{**PRESETS[preset or "GIN"], **options})

    def _settle(self) -> None:
        self._auto_hand_size(10)
        self._auto("max_turns", 4 * len(self.full_pack()))

    # --- beginning a hand ---

    def next_dealer(self) -> int:
        if self.hand_winner is None:  # a dead hand is dealt again
            return self.dealer
        loser = 1 - self.hand_winner
        who = {"winner": self.hand_winner, "loser": loser, "alternate": 1 - self.dealer}
        return who[self.rules["next_dealer"]]

    def next_hand(
        self, hands: Sequence[Sequence[str]], stock: Sequence[str], pile: Sequence[str]
    ) -> None:
        """The next deal of the match."""
        boxes = self.boxes
        super().next_hand(hands, stock, pile)
        self.boxes = boxes

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
        boxes: Sequence[int] | None = None,
        upcard: str | None = None,
    ) -> None:
        """Set up a position. In the play phase the seat has drawn from the stock; in the lay-off
        phase the other seat has knocked, with the melds of the table. The card turned up at the
        deal is by default the lowest of the pile."""
        self._lay_out(hands, (), pile, stock, dealer, scores)
        self.table = tuple(
            gin_melds.named_meld(cards, owner) for cards, owner in table
        )  # instead of the `_table` of other games
        self.boxes = list(boxes) if boxes is not None else [0, 0]
        self.hand_winner: int | None = None
        self.upcard = upcard or (self.pile[0] if self.pile else None)
        self._seat, self._phase = turn, phase
        self._passed = phase == "upcard" and turn == self.dealer  # the upcard, by the non-dealer
        self._must_draw = False  # both have passed the upcard: it cannot be taken any more
        # The stock is used up: the opponent may take the discard and knock.
        self._at_wall = phase == "draw" and len(self.stock) <= 2
        self._barred: str | None = None  # the card taken from the pile this turn
        for held, seen in zip(self._hands, self._seen, strict=True):
            if self.upcard in held:  # taken for all to see
                seen[self.upcard] = held[self.upcard]
        if phase == "layoff":  # the knocker has shown its deadwood
            self._seen[1 - turn] = dict(self._hands[1 - turn])

    # --- looking at it ---

    @property
    def melds(self) -> list[Any]:
        return list(self.table)

    @property
    def hand(self) -> Hand:
        """Of the seat in turn."""
        return frozenset(self._hands[self._seat])

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

    def also(self) -> dict[str, Any]:
        now = {"boxes": self.boxes, "limit": self.limit, "doubled": int(self.doubled)}
        return super().also() | now

    # --- what is legal: action -> the card that it is about, or the lay-off ---

    def _find_options(self) -> dict[str, Any]:
        if self.phase == "upcard":
            return {"pass": None, f"take {self.pile[-1]}": self.pile[-1]}
        if self.phase == "draw":
            return self._draws()
        if self.phase == "layoff":
            return {"pass": None, **{lay.text: lay for lay in self._lay_offs()}}
        ends = self._ends(self.hand, self._barred)
        if self._at_wall:
            return ends
        return ends | {f"discard {card}": card for card in self.hand if card != self._barred}

    def _draws(self) -> dict[str, Any]:
        top = self.pile[-1] if self.pile else ""
        take = {f"take {top}": top} if top else {}
        if self._at_wall:
            return {"pass": None, **(take if self._ends(self.hand | {top}, top) else {})}
        stock = {"draw stock": None} if self.stock else {}
        return stock if self._must_draw else stock | take

    def _ends(self, hand: Hand, barred: str | None) -> dict[str, Any]:
        """The ways to end the hand from these cards, of which one is too many."""
        found: dict[str, Any] = {}
        for card, left in gin_melds.deadwood_without(hand).items():
            if card != barred:
                if left == 0:
                    found[f"gin with {card}"] = card
                elif left <= self.limit:
                    found[f"knock with {card}"] = card
        if self.rules["big_gin_bonus"] is not None and gin_melds.deadwood(hand) == 0:
            found["big gin"] = None
        return found

    def _lay_offs(self) -> list[gin_melds.LayOff]:
        return list(gin_melds.lay_offs(self.hand, self.table, self._seat))

    # --- playing ---

    def _act(self, verb: str, what: Any) -> None:
        if verb == "pass":
            self._pass()
        elif verb == "draw":
            self._pick_up(self.stock.pop(0), None)
        elif verb == "take":
            self._pick_up(self.pile.pop(), what)
        elif verb == "discard":
            self._throw(what)
            self._end_turn()
        elif verb == "knock":
            self._throw(what)
            self._knock(what)
        elif verb == "gin":
            self._throw(what)
            self._gin(what, self.rules["gin_bonus"])
        elif verb == "big":
            self._gin("", self.rules["big_gin_bonus"])
        else:
            self._keep(self._seat, self.hand - {what.card})
            self.table = what.table
            if not self._lay_offs():
                self._settle_knock()

    def _pass(self) -> None:
        if self._phase == "layoff":
            self._settle_knock()
        elif self._phase == "draw":  # at the wall
            self._end_hand(None)
        elif not self._passed:
            self._passed, self._seat = True, 1 - self._seat
        else:
            self._seat, self._phase, self._must_draw = 1 - self.dealer, "draw", True
            if not self.stock:
                self._end_hand(None)

    def _pick_up(self, card: str, taken: str | None) -> None:
        self._give(self._seat, [card], seen=taken is not None)
        self._phase, self._barred, self._must_draw = "play", taken, False

    def _keep(self, seat: int, cards: Hand) -> None:
        """A seat has only these of its cards left."""
        self._forget(seat, self._hands[seat].keys() - cards)
        self._hands[seat] = count(cards)

    def _throw(self, card: str) -> None:
        self._keep(self._seat, self.hand - {card})
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

    # --- the end of a hand ---

    def _lay_down(self, seat: int, shown: tuple[Meld, ...]) -> int:
        """A seat puts its melds on the table; all see what it has left, and that is counted."""
        for meld in shown:
            self._keep(seat, frozenset(self._hands[seat]) - set(meld.cards))
            self.table += (Meld(meld.kind, meld.cards, (seat,) * len(meld.cards)),)
        self._seen[seat] = dict(self._hands[seat])
        return gin_melds.points(self._hands[seat])

    def _show(self, thrown: str) -> None:
        """Whoever ends the hand puts its melds down."""
        shown = gin_melds.arrange_knocker(self.hand, thrown, self.pack.cards)
        self._lay_down(self._seat, shown)

    def _gin(self, thrown: str, bonus: int) -> None:
        self._show(thrown)
        other = 1 - self._seat
        held = self._lay_down(other, gin_melds.arrange(frozenset(self._hands[other])))
        self._end_hand(self._seat, bonus + held, self.rules["gin_boxes"])

    def _knock(self, thrown: str) -> None:
        self._show(thrown)
        self._seat = 1 - self._seat
        if self.rules["layoff"] == "choose" and self._lay_offs():
            self._phase = "layoff"
            return
        if self.rules["layoff"] == "auto":
            left, self.table = gin_melds.lay_off_best(self.hand, self.table, self._seat)
            self._keep(self._seat, left)
        self._settle_knock()

    def _settle_knock(self) -> None:
        """The lay-offs are done: the defender melds the rest, and the two are compared."""
        defender, knocker = self._seat, 1 - self._seat
        held = self._lay_down(defender, gin_melds.arrange(self.hand))
        more = held - gin_melds.points(self._hands[knocker])
        if more > 0 or (more == 0 and not self.rules["undercut_on_tie"]):
            self._end_hand(knocker, more)
        else:
            self._end_hand(
                defender, self.rules["undercut_bonus"] - more, self.rules["undercut_boxes"]
            )

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
        """A legal action by lot that brings the hand to its end: who can end it often does, and a
        careful player takes and keeps what melds."""
        actions, hand = self.legal(), self.hand
        if "big gin" in actions and rng.random() < 0.5:
            return "big gin"
        ends = [a for a in actions if a.startswith(("knock", "gin"))]
        if ends and rng.random() < 0.4:
            return rng.choice(ends)
        if self.phase in ("draw", "upcard", "layoff") and len(actions) > 1:
            if self.phase == "layoff" or self._at_wall:
                chance = 0.8
            elif careful and self._helps(self.pile[-1]):
                chance = 0.95
            else:
                chance = 0.1 if careful else 0.5
            return rng.choice(actions[1:]) if rng.random() < chance else actions[0]
        if careful and self.phase == "play" and not self._at_wall:
            left = gin_melds.deadwood_without(hand)
            least = min(left[card] for card in hand if card != self._barred)
            best = [card for card in left if left[card] == least and card != self._barred]
            return f"discard {rng.choice(best)}"
        return rng.choice(actions)

    def _helps(self, card: str) -> bool:
        """Whether a card is of use in the hand."""
        left = gin_melds.deadwood_without(self.hand | {card})
        return min(left[c] for c in self.hand) < gin_melds.deadwood(self.hand) - 3
