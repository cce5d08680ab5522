"""The same hands of Gin in this engine and in OpenSpiel's gin_rummy: writes openspiel_gin.md.

Run it with the environment that `make rivals` makes:
.venv-rivals/bin/python benchmarks/openspiel_gin.py

Both engines get the same deal and the same decisions, made at random by players who knock often.
Compared are, before every decision, seat, phase, hands, stock and pile, deadwood and legal actions;
after a knock the knocker's melds, every lay-off, and the best defence, for which all of OpenSpiel's
moves are tried; then the score. Where an option can do as OpenSpiel does, it is set so; what still
differs is counted by reason. The exit status is 1 if anything is not explained.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyspiel
from openspiel_words import BOTH, CHAIN, ELEVEN, FIFTY, KNOCK_THROW, REFUSED, THROW, report

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "src"))

from rummyzoo.envs import Table  # noqa: E402
from rummyzoo.envs.cards import parse_card  # noqa: E402
from rummyzoo.envs.games.gin.arrange import arrange  # noqa: E402

TAKE, DRAW, PASS, KNOCK, MELDS = 52, 53, 54, 55, range(56, 241)  # OpenSpiel's actions
POINTS = {rank: min(at + 1, 10) for at, rank in enumerate("A23456789TJQK")}

LIKE_OPENSPIEL: dict[str, Any] = {
    "target": None,
    "undercut_on_tie": False,
    "big_gin_bonus": None,
    "wall_rule": "opponent_may_knock",
}
OLD_BONUSES = {"gin_bonus": 20, "undercut_bonus": 10}
SETTINGS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {  # name -> OpenSpiel's, ours
    "defaults": ({}, {}),
    "bonuses of 20 and 10": (OLD_BONUSES, OLD_BONUSES),
    "Oklahoma": ({"oklahoma": True}, {"knock_limit": "upcard"}),
    "straight gin": ({"knock_card": 0}, {"knock_limit": 0}),
    "seven cards, knock with 5": (
        {"knock_card": 5, "hand_size": 7},
        {"knock_limit": 5, "hand_size": 7},
    ),
}


class Unexplained(Exception):
    """The engines disagree, and no rule says why."""


def points(cards: Iterable[str]) -> int:
    return sum(POINTS[card[0]] for card in cards)


def deadwood(cards: Collection[str]) -> int:
    return int(arrange(sum(1 << parse_card(card) for card in cards), 0)[0])


def left_without(cards: Collection[str]) -> dict[str, int]:
    """Card -> the deadwood of the hand after throwing it."""
    return {card: deadwood([c for c in cards if c != card]) for card in cards}


def counts_of_eleven(left: dict[str, int]) -> set[int]:
    """What OpenSpiel may count of eleven cards: all melded in a best way, less a card of the rest.
    `left` says what remains without each card.
    """
    least = deadwood(left)
    return {n for card, n in left.items() if n == least - POINTS[card[0]]} or {least}


def pieces(run: list[str]) -> Iterator[list[str]]:
    """A long run as OpenSpiel knows it: at most five cards to a meld."""
    while len(run) > 5:
        size = 3 if len(run) < 8 else 5
        yield run[:size]
        run = run[size:]
    yield run


class Hand:
    """One hand on both engines."""

    def __init__(
        self,
        game: Any,
        melds: dict[frozenset[str], int],
        options: dict[str, Any],
        seed: int,
        count: Counter[str],
    ) -> None:
        self.meld_number = melds
        self.table = Table("gin", seed=seed, **LIKE_OPENSPIEL, **options)
        self.state, self.count, self.rng = game.new_initial_state(), count, random.Random(seed)
        self.careful = self.rng.random() < 0.8
        self.first = 1 - self.table.dealer  # is OpenSpiel's player 0
        self.cards = [rank + suit for suit in "SCDH" for rank in POINTS]
        self.number = {card: n for n, card in enumerate(self.cards)}
        dealt = self.table.hand(self.first) + self.table.hand(1 - self.first)
        for card in [*dealt, *self.table.pile]:
            self.state.apply_action(self.number[card])
        self.taken = ""  # this turn, from the pile
        self.limit = self.state.knock_card()
        self.knocker = -1

    def player(self, seat: int) -> int:
        return 0 if seat == self.first else 1

    def texts(self, numbers: Iterable[int]) -> set[str]:
        return {self.cards[n] for n in numbers if n < len(self.cards)}

    def check(self, what: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            raise Unexplained(
                f"{what}: here {ours}, OpenSpiel {theirs}\n{self.table}\n{self.state}"
            )

    def allow(self, reason: str, ours: set[str], theirs: set[str]) -> None:
        """OpenSpiel's actions are the same, and perhaps the card taken."""
        self.check(reason, ours, theirs - {self.taken})
        self.count[reason] += self.taken in theirs

    # --- before a decision ---

    def compare(self, legal: list[str]) -> list[str]:
        """Compare the positions; returns the actions that both engines allow."""
        table, state = self.table, self.state
        assert table.turn is not None
        self.count["decisions"] += 1
        self.check("player", self.player(table.turn), state.current_player())
        self.check("stock", table.stock_count, state.stock_size())
        for seat in (0, 1):
            theirs = self.texts(state.hands()[self.player(seat)])
            self.check("hand", set(table.hand(seat)), theirs)
            if table.phase in ("upcard", "draw"):
                theirs = state.deadwood()[self.player(seat)]
                self.check("deadwood", deadwood(table.hand(seat)), theirs)
        numbers = set(state.legal_actions())
        phase = str(state.current_phase()).split(".")[-1]
        if table.phase == "layoff":
            self.check("phase", "LAYOFF", phase)
            return self.compare_lay_offs(legal, numbers)
        if table.phase == "play" and phase == "KNOCK":  # taken from the pile for that
            return self.compare_ends(legal, numbers)
        if table.phase == "play":
            self.check("phase", "DISCARD", phase)
            return self.compare_play(legal, numbers)
        self.check("card turned up", self.number[table.pile[-1]], state.upcard())
        if phase == "WALL":
            return self.compare_wall(legal, numbers)
        names = {TAKE: f"take {table.pile[-1]}", DRAW: "draw stock", PASS: "pass"}
        self.check("legal actions", set(legal), {names[n] for n in numbers})
        return legal

    def ends(self, legal: list[str]) -> dict[str, str]:
        """The cards that may be thrown to end the hand, with the action."""
        return {text.split()[-1]: text for text in legal if text.startswith(("knock", "gin"))}

    def hand(self) -> list[str]:
        """The cards of whoever is to act."""
        return self.table.hand(int(self.table.state.turn))

    def compare_ends(self, legal: list[str], numbers: set[int]) -> list[str]:
        ends = self.ends(legal)
        self.allow(KNOCK_THROW, set(ends), self.texts(numbers))
        return list(ends.values())

    def compare_play(self, legal: list[str], numbers: set[int]) -> list[str]:
        state = self.state
        discards = {text.split()[1] for text in legal if text.startswith("discard")}
        self.allow(THROW, discards, self.texts(numbers))
        left = left_without(self.hand())
        theirs = state.deadwood()[state.current_player()]
        self.check("deadwood of eleven", True, theirs in counts_of_eleven(left))
        self.count[ELEVEN] += theirs > min(left.values())
        within = {card for card in left if left[card] <= self.limit and card != self.taken}
        self.check("knocks by the count of ten", set(self.ends(legal)), within)
        common = [f"discard {card}" for card in sorted(discards)]
        if KNOCK in numbers:
            knocked = state.clone()
            knocked.apply_action(KNOCK)
            return common + self.compare_ends(legal, set(knocked.legal_actions()))
        if within:
            self.check("knock refused", True, theirs > self.limit)
            self.count[REFUSED] += 1
        return common

    def compare_wall(self, legal: list[str], numbers: set[int]) -> list[str]:
        """With two cards left in the stock: take the discard and knock, or pass."""
        top = self.table.pile[-1]
        left = left_without([*self.hand(), top])
        able = any(left[card] <= self.limit for card in left if card != top)
        self.check(
            "taking at the wall", ["pass", f"take {top}"] if able else ["pass"], sorted(legal)
        )
        if KNOCK in numbers and not able:
            self.check("knock at the wall", True, left[top] <= self.limit)
            self.count[KNOCK_THROW] += 1
        if able and KNOCK not in numbers:
            self.check("knock refused at the wall", True, max(counts_of_eleven(left)) > self.limit)
            self.count[ELEVEN] += 1
            self.count[REFUSED] += 1
        return legal if KNOCK in numbers else ["pass"]

    def compare_lay_offs(self, legal: list[str], numbers: set[int]) -> list[str]:
        ours = {text.split()[1] for text in legal if text != "pass"}
        theirs = self.texts(numbers)
        for card in ours - theirs:
            self.check("lay-off refused", True, self.ends_chain(card))
            self.count[CHAIN] += 1
        for card in theirs - ours:
            self.check("lay-off allowed", True, self.follows_set_card(card))
            self.count[BOTH] += 1
        return [text for text in legal if text == "pass" or text.split()[1] in theirs]

    def laid(self) -> list[list[str]]:
        """Of each of the knocker's melds on the table, the cards that the defender laid."""
        melds = [m for m in self.table.melds if self.knocker in m.owners]
        pairs = [zip(m.cards, m.owners, strict=True) for m in melds]
        return [[card for card, owner in pair if owner != self.knocker] for pair in pairs]

    def ends_chain(self, card: str) -> bool:
        """Whether two cards between this one and the knocker's own run were laid off."""
        laid = [c for meld in self.laid() for c in meld if c[1] == card[1]]
        near = [abs("A23456789TJQK".index(c[0]) - "A23456789TJQK".index(card[0])) for c in laid]
        return {1, 2} <= set(near)

    def follows_set_card(self, card: str) -> bool:
        """Whether the card next to this one was laid off on a set."""
        sets = [m for m in self.table.melds if m.kind == "set"]
        laid = [
            c for m in sets for c, o in zip(m.cards, m.owners, strict=True) if o != self.knocker
        ]
        return any(abs(parse_card(c) - parse_card(card)) == 1 and c[1] == card[1] for c in laid)

    # --- playing ---

    def choose(self, actions: list[str]) -> str:
        """An action by lot; who can end the hand often does, and a careful player keeps melds."""
        rng, hand = self.rng, self.hand()
        ends = list(self.ends(actions).values())
        if ends and (rng.random() < 0.5 or len(ends) == len(actions)):
            return rng.choice(ends)
        others = [a for a in actions if a not in ends]
        if self.table.phase == "play":
            left = left_without(hand)
            least = min(left[a.split()[1]] for a in others)
            best = [a for a in others if left[a.split()[1]] == least]
            return rng.choice(best if self.careful else others)
        takes = [a for a in others if a.startswith(("take", "lay"))]
        chance = 0.6 if self.table.phase == "layoff" else 0.4
        if self.careful and self.table.phase in ("upcard", "draw"):
            left = left_without([*hand, self.table.pile[-1]])
            chance = 0.9 if min(left.values()) < deadwood(hand) - 3 else 0.1
        if takes and rng.random() < chance:
            return rng.choice(takes)
        return rng.choice([a for a in others if a not in takes] or takes)

    def step(self, action: str) -> None:
        table, state = self.table, self.state
        verb, card = action.split()[0], action.split()[-1]
        phase = str(state.current_phase()).split(".")[-1]
        if verb == "draw":
            state.apply_action(DRAW)
            state.apply_action(self.number[table.stock[0]])
        elif verb == "take":
            state.apply_action(KNOCK if phase == "WALL" else TAKE)
        elif verb in ("knock", "gin"):
            if phase == "DISCARD":
                state.apply_action(KNOCK)
            state.apply_action(self.number[card])
            assert table.turn is not None
            self.knocker = table.turn
        elif verb == "lay":
            state.apply_action(self.number[action.split()[1]])
        elif verb == "discard":
            state.apply_action(self.number[card])
        elif phase != "LAYOFF":
            state.apply_action(PASS)
        self.taken = card if verb == "take" else ""
        table.play(action)
        if verb in ("knock", "gin"):
            self.lay_down(self.knocker)
            state.apply_action(PASS)

    def melds(self, seat: int) -> list[list[str]]:
        """The melds that a seat laid at the end, without what the other laid off on them."""
        found = []
        for meld in self.table.melds:
            if seat == (self.knocker if self.knocker in meld.owners else 1 - self.knocker):
                pairs = zip(meld.cards, meld.owners, strict=True)
                found.append([card for card, owner in pairs if owner == seat])
        return found

    def lay_down(self, seat: int) -> None:
        """The melds of a seat, as they lie on the table here, in OpenSpiel."""
        for meld in self.melds(seat):
            for piece in pieces(meld):
                number = self.meld_number[frozenset(piece)]
                self.check(f"meld {piece}", True, number in self.state.legal_actions())
                self.state.apply_action(number)

    def play(self) -> None:
        """Play the hand to its end, or until OpenSpiel ends it."""
        action = ""
        while self.table.over == "no":
            action = self.choose(self.compare(self.table.legal()))
            self.step(action)
            if self.state.is_terminal() and self.table.over == "no":
                self.count[FIFTY] += 1
                return
        if self.knocker < 0:
            self.count["dead hands"] += 1
        else:
            self.settle(action)
        self.check("end", True, self.state.is_terminal())
        ours, theirs = self.table.hand_scores, self.state.returns()
        player = self.player(0)
        self.check("score", ours[0] - ours[1], theirs[player])
        self.check("score", ours[1] - ours[0], theirs[1 - player])
        self.count["hands scored alike"] += 1

    def settle(self, action: str) -> None:
        """The lay-offs, the defender's melds and both deadwoods."""
        table, state, defender = self.table, self.state, 1 - self.knocker
        rest = [points(table.hand(seat)) for seat in (self.knocker, defender)]
        if not rest[0]:
            self.count["gin"] += 1
        else:
            self.count["knocks"] += 1
            self.count["undercuts"] += rest[1] < rest[0]
            self.count["ties"] += rest[1] == rest[0]
            if table.rules.layoff == "auto":
                self.check("best defence", rest[1], self.best_defence(state, {}))
                self.count["best defences alike"] += 1
                self.lay_off()
            elif action != "pass":  # nothing more fitted
                self.compare_lay_offs([], set(state.legal_actions()))
            state.apply_action(PASS)
        self.lay_down(defender)
        state.apply_action(PASS)
        theirs = [state.deadwood()[self.player(seat)] for seat in (self.knocker, defender)]
        self.check("deadwood at the end", rest, theirs)

    def lay_off(self) -> None:
        """What was laid off here, in OpenSpiel, in an order that it allows."""
        to_lay = {card for meld in self.laid() for card in meld}
        self.count["cards laid off"] += len(to_lay)
        while to_lay:
            fits = to_lay & self.texts(self.state.legal_actions())
            self.check("a lay-off", True, bool(fits))
            card = min(fits)
            self.state.apply_action(self.number[card])
            to_lay.remove(card)

    def best_defence(self, state: Any, known: dict[Any, int]) -> int:
        """The least deadwood that any of the defender's moves lead to."""
        if state.is_terminal():
            return int(state.deadwood()[self.player(1 - self.knocker)])
        place = state.finished_layoffs(), frozenset(state.hands()[state.current_player()])
        if place not in known:
            after = [state.child(action) for action in state.legal_actions()]
            known[place] = min(self.best_defence(child, known) for child in after)
        return known[place]


def meld_numbers(game: Any) -> dict[frozenset[str], int]:
    """The cards of a meld -> OpenSpiel's action that lays it."""
    state, found = game.new_initial_state(), {}
    for action in MELDS:
        text = state.action_to_string(0, action).split()[-1].upper()
        found[frozenset(text[at : at + 2] for at in range(0, len(text), 2))] = action
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=HERE / "openspiel_gin.md")
    args = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    began, hands, rng = time.perf_counter(), 0, random.Random(args.seed)
    for name, (theirs, ours) in SETTINGS.items():
        game = pyspiel.load_game("gin_rummy", theirs)
        melds, count = meld_numbers(game), counts.setdefault(name, Counter())
        for number in range(-(-args.hands // len(SETTINGS))):
            seed = rng.getrandbits(32)
            options = {**ours, "layoff": ("auto", "choose")[number % 2]}
            try:
                Hand(game, melds, options, seed, count).play()
            except Unexplained as difference:
                print(f"{name}, {options}, seed {seed}: {difference}", file=sys.stderr)
                return 1
            count["hands"] += 1
            hands += 1
        print(f"{name}: {hands} hands, {time.perf_counter() - began:.0f} s", file=sys.stderr)
    command = f"benchmarks/openspiel_gin.py --hands {args.hands} --seed {args.seed}"
    text = report(counts, sum(counts.values(), Counter()), hands, command)
    args.output.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
