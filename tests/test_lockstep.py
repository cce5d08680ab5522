"""The engine and the naive reference in lock step: the same legal actions, the same scores.

``python tests/test_lockstep.py --hands 100000 --seed 1`` plays as many hands as one likes.
"""

import argparse
import random
import sys
import time
from typing import Any

import numpy as np
import pytest
from reference.rummy500 import Reference

from rummyzoo.envs import kit
from rummyzoo.envs.cards import NOBODY, card_text
from rummyzoo.envs.deal import seed_word
from rummyzoo.envs.games import load_game
from rummyzoo.envs.rules import RulesError
from rummyzoo.envs.state import HAND_OVER, MATCH_OVER, TRUNCATED

ENDS = {HAND_OVER: "hand", MATCH_OVER: "match", TRUNCATED: "truncated"}


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


class Pair:
    """One match on both engines."""

    def __init__(self, options: dict[str, Any], seed: int) -> None:
        self.game = load_game("rummy500")
        self.options = options
        self.rules = self.game.make_rules(**options)
        self.kits = self.game.make_kit(self.rules)
        self.texts = kit.texts(self.kits[0])
        self.number = {text: n for n, text in enumerate(self.texts)}
        self.states = np.zeros(1, self.game.STATE)
        # Views of the fields: much quicker to read than the record's attributes.
        self.field = {name: self.states[name][0:1] for name in self.game.STATE.names}
        self.in_hand = [self.field[name][0] for name in ("one", "two", "jokers")]
        self.work = np.zeros(self.game.WORK, np.int64)
        self.mask = np.zeros(len(self.texts), np.int8)
        self.observation = np.zeros(int(self.kits[0].observation_size), np.int8)
        self.reference = Reference(**options)
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

    def deal(self, first: bool) -> None:
        """Give the reference the hand that the engine has dealt."""
        hands = [self.hand(seat) for seat in range(self.rules.num_players)]
        stock = self.field["stock"][0, : self.number_of("stock_size")].tolist()
        cards = [card_text(c) for c in reversed(stock)]
        if first:
            dealer = self.number_of("dealer")
            self.reference.start(hands, cards, self.pile(), dealer, self.seats("scores"))
        else:
            self.reference.next_hand(hands, cards, self.pile())
            assert self.reference.dealer == self.number_of("dealer")

    def hand(self, seat: int) -> list[str]:
        one, two, jokers = (int(words[seat]) for words in self.in_hand)
        cards = [f for f in range(52) for word in (one, two) if word >> f & 1]
        return [card_text(c) for c in cards] + ["JK"] * jokers

    def play_hand(self) -> bool:
        """Play one hand at random; False when the match is over after it."""
        eager = self.rng.random() < 0.7
        reference, phase = self.reference, self.field["phase"]
        while phase[0] < HAND_OVER:
            seat = self.number_of("turn")
            self.game.look(self.states, 0, seat, self.kits, self.work, self.observation, self.mask)
            ours = [self.texts[a] for a in self.mask.nonzero()[0].tolist()]
            theirs = reference.legal()
            assert len(ours) == len(theirs), self.story((ours, theirs))
            assert set(ours) == set(theirs), self.story((ours, theirs))
            assert (reference.turn, reference.phase) == (seat, self.game.PHASES[int(phase[0])])
            action = self.choose(ours, eager)
            self.log.append(f"{seat} {action}")
            self.game.step(self.states, 0, self.number[action], self.kits)
            reference.play(action)
            assert self.seats("melded") == reference.melded, self.story()
            assert self.number_of("stock_size") == len(reference.stock), self.story()
        assert ENDS[int(phase[0])] == reference.over, self.story(reference.over)
        for seat in range(self.rules.num_players):
            assert sorted(self.hand(seat)) == sorted(reference.hands[seat])
        assert self.pile() == reference.pile
        assert self.seats("scores") == reference.scores, self.story()
        if phase[0] == MATCH_OVER:
            winner = None if self.number_of("winner") == NOBODY else self.number_of("winner")
            assert winner == reference.winner, self.story()
        if phase[0] != HAND_OVER:
            return False
        assert self.seats("hand_scores") == reference.hand_scores, self.story()
        return True

    def choose(self, actions: list[str], eager: bool) -> str:
        """Mostly plays and deep picks where there are any, so that hands are not all discards."""
        if eager and self.rng.random() < 0.6:
            wanted = [a for a in actions if a.startswith(("meld", "lay", "call", "take"))]
            if wanted:
                return self.rng.choice(wanted)
        return self.rng.choice(actions)

    def story(self, difference: object = "") -> str:
        """What happened, for a failed assertion."""
        hands = [self.hand(seat) for seat in range(self.rules.num_players)]
        return (
            f"\n{self.options}\n{self.log[-40:]}\nturn {self.number_of('turn')} "
            f"hands {hands}\npile {self.pile()}\n"
            f"melds {[(m.cards, m.owners) for m in self.reference.melds]}\n"
            f"difference {difference}"
        )


def play_hands(count: int, seed: int, progress: bool = False) -> int:
    """Play `count` hands over options by lot; returns the number of decisions compared."""
    rng = random.Random(seed)
    hands = decisions = 0
    began = time.perf_counter()
    while hands < count:
        try:
            pair = Pair(random_options(rng), rng.getrandbits(32))
        except RulesError as refusal:
            if "more than" in str(refusal):  # a hand size that the pack cannot deal
                continue
            raise
        pair.deal(first=True)
        for hand in range(rng.randint(1, 4)):
            if hand:
                pair.game.next_hand(pair.states, 0, pair.kits)
                pair.deal(first=False)
            pair.log.append("--- deal")
            hands += 1
            if not pair.play_hand() or hands >= count:
                break
        decisions += len(pair.log)
        if progress and hands % 1000 < 4:
            rate = hands / (time.perf_counter() - began)
            sys.stderr.write(f"{hands} hands, {decisions} decisions, {rate:.0f} hands/s\n")
    return decisions


@pytest.mark.parametrize("seed", range(10))
def test_engine_and_reference_agree(seed: int) -> None:
    assert play_hands(320, seed) > 320


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    total = play_hands(arguments.hands, arguments.seed, progress=True)
    sys.stdout.write(f"{arguments.hands} hands, {total} decisions: no difference\n")
