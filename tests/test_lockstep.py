"""Each engine and its naive reference in lock step: the same legal actions, the same scores.

``python tests/test_lockstep.py --game rummy500 --hands 100000 --seed 1`` plays as many hands as one
likes. `reference/__init__.py` says what a reference must have.
"""

import argparse
import random
import sys
import time
from functools import cache
from typing import Any

import numpy as np
import pytest
from reference import reference_of
from reference.table import ORDER

from rummyzoo.envs import kit
from rummyzoo.envs.cards import NOBODY, RANKS, card_text
from rummyzoo.envs.chance import seed_word
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.rules import RulesError
from rummyzoo.envs.state import HAND_OVER, MATCH_OVER, TRUNCATED

ENDS = {HAND_OVER: "hand", MATCH_OVER: "match", TRUNCATED: "truncated"}


@cache
def cards_of(one: int, two: int, jokers: int) -> list[str]:
    """The cards of a hand kept as words: by suit and rank, jokers last."""
    faces = [f for f in range(52) for word in (one, two) if word >> f & 1]
    return [card_text(f) for f in faces] + ["JK"] * jokers


class Pair:
    """One match on both engines."""

    def __init__(self, name: str, options: dict[str, Any], seed: int) -> None:
        self.game = load_game(name)
        self.options = options
        self.rules = self.game.make_rules(**options)
        self.kits = self.game.make_kit(self.rules)
        self.texts = kit.texts(self.kits[0])
        self.number = {text: n for n, text in enumerate(self.texts)}
        self.states = np.zeros(1, self.game.STATE)
        # Views of the fields: much quicker to read than the record's attributes.
        self.field = {name: self.states[name][0:1] for name in self.game.STATE.names}
        self.work = np.zeros(self.game.WORK, np.int64)
        self.mask = np.zeros(len(self.texts), np.int8)
        self.observation = np.zeros(int(self.kits[0].observation_size), np.int8)
        self.reference = reference_of(name).Reference(**options)
        settled = {name: getattr(self.rules, name) for name in self.reference.rules}
        assert settled == self.reference.rules, f"{options}: {settled} != {self.reference.rules}"
        self.rng = random.Random(seed)
        self.log: list[str] = []
        self.game.new_match(self.states, 0, self.kits, np.uint64(seed_word(seed)))

    def number_of(self, name: str) -> int:
        return int(self.field[name][0])

    def seats(self, name: str) -> list[int]:
        numbers: list[int] = self.field[name][0, : self.rules.num_players].tolist()
        return numbers

    def pile(self) -> list[str]:
        return [card_text(c) for c in self.field["pile"][0, : self.number_of("pile_size")].tolist()]

    def hands(self, prefix: str = "") -> list[list[str]]:
        """All hands; with the prefix ``known_``, what everybody knows of them."""
        words = [self.seats(prefix + name) for name in ("one", "two", "jokers")]
        return [cards_of(*hand) for hand in zip(*words, strict=True)]

    def deal(self, first: bool) -> None:
        """Give the reference the hand that the engine has dealt."""
        stock = self.field["stock"][0, : self.number_of("stock_size")].tolist()
        cards = [card_text(c) for c in reversed(stock)]
        if first:
            dealer, scores = self.number_of("dealer"), self.seats("scores")
            self.reference.start(self.hands(), cards, self.pile(), dealer, scores)
        else:
            self.reference.next_hand(self.hands(), cards, self.pile())
            assert self.reference.dealer == self.number_of("dealer"), self.story()
        self.log.append("--- deal")

    def play_hand(self) -> bool:
        """Play one hand at random; False when the match is over after it."""
        eager, careful = self.rng.choice((0.2, 0.6, 0.6, 0.9)), self.rng.random() < 0.8
        phase = self.field["phase"]
        while phase[0] < HAND_OVER:
            seat = self.number_of("turn")
            self.game.look(self.states, 0, seat, self.kits, self.work, self.observation, self.mask)
            ours = [self.texts[a] for a in self.mask.nonzero()[0].tolist()]
            theirs = self.reference.legal()
            assert len(ours) == len(theirs), self.story((ours, theirs))
            assert set(ours) == set(theirs), self.story((ours, theirs))
            now = (seat, self.game.PHASES[int(phase[0])])
            assert (self.reference.turn, self.reference.phase) == now, self.story()
            action = self.choose(seat, ours, eager, careful)
            self.log.append(f"{seat} {action}")
            self.game.step(self.states, 0, self.number[action], self.kits)
            self.reference.play(action)
            self.compare(turn_over=self.reference.turn != seat)
        assert ENDS[int(phase[0])] == self.reference.over, self.story(self.reference.over)
        assert self.hands("laid_") == self.laid(), self.story(self.laid())
        if phase[0] != TRUNCATED:
            theirs = self.reference.hand_scores
            assert self.seats("hand_scores") == theirs, self.story(theirs)
        if phase[0] == MATCH_OVER:
            winner = None if self.number_of("winner") == NOBODY else self.number_of("winner")
            assert winner == self.reference.winner, self.story()
        return bool(phase[0] == HAND_OVER)

    def compare(self, turn_over: bool) -> None:
        """Whether both engines are in the same position; a turn over, all of it is compared."""
        reference = self.reference
        assert self.number_of("stock_size") == len(reference.stock), self.story()
        assert self.number_of("pile_size") == len(reference.pile), self.story(reference.pile)
        if turn_over:
            assert self.hands() == reference.hands, self.story(reference.hands)
            assert self.hands("known_") == reference.known, self.story(reference.known)
            assert self.pile() == reference.pile, self.story(reference.pile)
            for name in ("melded", "scores"):
                assert self.seats(name) == getattr(reference, name), self.story(name)
            for name, value in reference.also().items():
                ours = self.field[name][0].tolist()
                ours = ours[: len(value)] if isinstance(value, list) else ours
                assert ours == value, self.story((name, ours, value))

    def laid(self) -> list[list[str]]:
        """The cards that each seat has on the reference's table."""
        found: list[list[str]] = [[] for _ in range(self.rules.num_players)]
        for meld in self.reference.melds:
            for card, owner in zip(meld.cards, meld.owners, strict=True):
                found[owner].append("JK" if card.startswith("JK") else card)
        return [sorted(cards, key=ORDER.__getitem__) for cards in found]

    def choose(self, seat: int, actions: list[str], eager: float, careful: bool) -> str:
        """An eager player plays and takes what it can, a careful one keeps and takes the cards that
        go together: so that not all hands are mere drawing and discarding.
        """
        if hasattr(self.reference, "lively"):
            return str(self.reference.lively(self.rng, careful))
        hand = self.hands()[seat] if careful else []
        if self.rng.random() < eager:
            rare = [a for a in actions if not a.startswith(("pass", "draw", "discard"))]
            if careful:
                rare = [a for a in rare if a[:4] != "take" or friends(a.split()[1], hand) > 1]
            if rare:
                return self.rng.choice(rare)
        discards = [action for action in actions if action.startswith("discard")]
        if careful and discards and self.rng.random() < 0.9:
            return min(discards, key=lambda action: friends(action.split()[1], hand))
        return self.rng.choice(actions)

    def story(self, difference: object = "") -> str:
        """What happened, for a failed assertion."""
        return (
            f"\n{self.options}\n{self.log[-40:]}\nturn {self.number_of('turn')} "
            f"hands {self.hands()}\npile {self.pile()}\n"
            f"melds {[(m.cards, m.owners) for m in self.reference.melds]}\n"
            f"difference {difference}"
        )


def friends(card: str, hand: list[str]) -> int:
    """How many cards of the hand may meet a card in a meld."""
    if card == "JK":
        return len(hand)
    near = [c for c in hand if c[1] == card[1] and abs(place(c) - place(card)) <= 2]
    return len(near) + sum(c[0] == card[0] for c in hand)


def place(card: str) -> int:
    return RANKS.find(card[0])


def play_hands(game: str, count: int, seed: int, progress: bool = False) -> int:
    """Play `count` hands over options by lot; returns the number of decisions compared."""
    rng = random.Random(seed)
    hands = decisions = 0
    began = time.perf_counter()
    while hands < count:
        try:
            options = reference_of(game).random_options(rng)
            pair = Pair(game, options, rng.getrandbits(32))
        except RulesError as refusal:
            if "more than" in str(refusal):  # a hand size that the pack cannot deal
                continue
            raise
        for hand in range(rng.randint(1, 4)):
            if hand:
                pair.game.next_hand(pair.states, 0, pair.kits)
            pair.deal(first=not hand)
            hands += 1
            if not pair.play_hand() or hands >= count:
                break
        decisions += sum(line[0] != "-" for line in pair.log)
        if progress and hands % 1000 < 4:
            rate = hands / (time.perf_counter() - began)
            sys.stderr.write(f"{hands} hands, {decisions} decisions, {rate:.0f} hands/s\n")
    return decisions


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("game", GAMES)
def test_engine_and_reference_agree(game: str, seed: int) -> None:
    assert play_hands(game, 210, seed) > 210


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=GAMES, default="rummy500")
    parser.add_argument("--hands", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    total = play_hands(arguments.game, arguments.hands, arguments.seed, progress=True)
    sys.stdout.write(f"{arguments.hands} hands, {total} decisions: no difference\n")
