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
from rummyzoo.envs.cards import card_text
from rummyzoo.envs.deal import seed_word
from rummyzoo.envs.games import load_game
from rummyzoo.envs.rules import RulesError
from rummyzoo.envs.state import CALL, DRAW, HAND_OVER, MATCH_OVER, PLAY, TRUNCATED

PHASES = {DRAW: "draw", PLAY: "play", CALL: "call"}
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
        self.work = np.zeros(self.game.WORK, np.int64)
        self.mask = np.zeros(len(self.texts), np.int8)
        self.observation = np.zeros(int(self.kits[0].observation_size), np.int8)
        self.reference = Reference(**options)
        self.rng = random.Random(seed)
        self.log: list[str] = []
        self.game.new_match(self.states, 0, self.kits, np.uint64(seed_word(seed)))

    def deal(self, first: bool) -> None:
        """Give the reference the hand that the engine has dealt."""
        s = self.states[0]
        n = self.rules.num_players
        hands = [self.hand(seat) for seat in range(n)]
        stock = [card_text(c) for c in reversed(s.stock[: s.stock_size].tolist())]
        pile = [card_text(c) for c in s.pile[: s.pile_size].tolist()]
        if first:
            self.reference.start(hands, stock, pile, int(s.dealer), s.scores[:n].tolist())
        else:
            self.reference.next_hand(hands, stock, pile)
            assert self.reference.dealer == s.dealer

    def hand(self, seat: int) -> list[str]:
        s = self.states[0]
        cards = [f for f in range(52) for w in (s.one, s.two) if int(w[seat]) >> f & 1]
        return [card_text(c) for c in cards] + ["JK"] * int(s.jokers[seat])

    def play_hand(self) -> bool:
        """Play one hand at random; False when the match is over after it."""
        s = self.states[0]
        eager = self.rng.random() < 0.7
        n = self.rules.num_players
        while s.phase < HAND_OVER:
            seat = int(s.turn)
            self.game.look(self.states, 0, seat, self.kits, self.work, self.observation, self.mask)
            ours = {self.texts[a] for a in np.flatnonzero(self.mask)}
            theirs = self.reference.legal()
            assert len(theirs) == len(set(theirs)), self.story()
            assert ours == set(theirs), self.story((ours - set(theirs), set(theirs) - ours))
            assert (self.reference.turn, self.reference.phase) == (seat, PHASES[int(s.phase)])
            action = self.choose(sorted(ours), eager)
            self.log.append(f"{seat} {action}")
            self.game.step(self.states, 0, self.number[action], self.kits)
            self.reference.play(action)
            assert s.melded[:n].tolist() == self.reference.melded, self.story()
            assert s.hand_size[:n].tolist() == [len(h) for h in self.reference.hands]
            assert int(s.stock_size) == len(self.reference.stock), self.story()
        assert ENDS[int(s.phase)] == self.reference.over, self.story(self.reference.over)
        for seat in range(n):
            assert sorted(self.hand(seat)) == sorted(self.reference.hands[seat])
        pile = [card_text(c) for c in s.pile[: s.pile_size].tolist()]
        assert pile == self.reference.pile
        assert s.scores[:n].tolist() == self.reference.scores, self.story()
        if s.phase == MATCH_OVER:
            winner = None if s.winner == 255 else int(s.winner)
            assert winner == self.reference.winner, self.story()
        if s.phase != HAND_OVER:
            return False
        assert s.hand_scores[:n].tolist() == self.reference.hand_scores, self.story()
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
        s = self.states[0]
        hands = [self.hand(seat) for seat in range(self.rules.num_players)]
        pile = [card_text(c) for c in s.pile[: s.pile_size].tolist()]
        return (
            f"\n{self.options}\n{self.log[-40:]}\nturn {s.turn} hands {hands}\npile {pile}\n"
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
