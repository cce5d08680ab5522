"""The naive reference engine itself: random play over varied options, and its short cuts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from reference.rummy500 import Reference, Turn
from reference.table import Play, count, named
from reference_positions import deal

VARIED: dict[str, list[Any]] = {
    "num_players": [2, 3, 4, 6],
    "num_decks": ["auto", 2],
    "jokers_per_deck": [0, 1, 2],
    "scoring": ["face", "5_10_15"],
    "ace_in_runs": ["both", "low", "high"],
    "top_discard_must_meld": [False, True],
    "deep_pick_timing": ["first", "before_discard"],
    "deep_pick_uses_picked": [True, False],
    "rummy_persistent": [True, False],
    "going_out": ["discard_optional", "discard_required", "float"],
    "final_discard_unplayable": [False, True],
    "stock_out": ["until_declined", "immediate"],
    "num_ranks": [13, 13, 5, 3],
    "num_suits": [4, 4, 2],
    "target": [None, 40],
    "max_hands": [3],
}


@pytest.mark.parametrize("seed", range(120))
def test_random_play(seed: int) -> None:
    rng = random.Random(seed)
    game = Reference(**{name: rng.choice(values) for name, values in VARIED.items()})
    pack = Counter(game.full_pack())
    game.start(*deal(game, rng), dealer=rng.randrange(game.num_players))
    eager = rng.random()  # how often it plays a card when it can
    turns = 0
    while True:
        legal = game.legal()
        assert len(legal) == len(set(legal))
        assert bool(legal) == (game.over == "no")
        held = [card for hand in game.hands for card in hand]
        played = [c if "(" not in c else "JK" for meld in game.melds for c in meld.cards]
        assert Counter(held + played + game.pile + game.stock) == pack
        if game.over == "hand":
            assert turns <= game.rules["max_turns"]
            game.next_hand(*deal(game, rng))
            turns = 0
        elif game.over != "no":
            break
        else:
            plays = [a for a in legal if a.startswith(("meld", "lay", "take", "call"))]
            action = rng.choice(plays if plays and rng.random() < eager else legal)
            was = game.phase
            game.play(action)
            turns += was == "play" and game.phase != "play"  # one play phase a turn
    assert turns <= game.rules["max_turns"]


class BruteForce(Reference):
    """The reference without its short cuts: every question is answered by trying all plays."""

    def _plays(self, turn: Turn) -> Iterator[Play]:
        if turn.due is None or not turn.first:
            return super()._plays(turn)
        usable, ways = turn.usable(), []
        for play in (p for card in usable for p in turn.table.places.get(card, ())):
            end = (named(play.shown[0])[1:], play.end, play.low)
            if turn.bridge in (None, end) and (turn.due in play.cards or play.end != "set"):
                ways.append(play)  # perhaps a bridge that leads nowhere: the search finds out
        if not turn.bridge:
            ways += [play for play in turn.table.new_melds(usable) if turn.due in play.cards]
        return iter(ways)

    def _finishable(self, turn: Turn) -> bool:
        if self._discards(turn):
            return True
        if not turn.hand:
            return turn.due is None and self.rules["going_out"] != "discard_required"
        return any(self._finishable(turn.after(play)) for play in self._plays(turn))

    def _may_play(self, turn: Turn, play: Play, size: int) -> bool:
        return self._finishable(turn.after(play))

    def _public(self) -> set[int]:
        def can_play_due(turn: Turn) -> bool:
            after = (turn.after(play) for play in self._plays(turn))
            return any(t.due is None or can_play_due(t) for t in after)

        if not self.rules["calling_rummy"] or self.num_players == 2:
            return set()
        return {
            i
            for i, card in enumerate(self.pile)
            if can_play_due(Turn(0, count(self.pile[i:]), self._table, due=card))
        }


@pytest.mark.parametrize("seed", range(60))
def test_short_cuts_change_nothing(seed: int) -> None:
    rng = random.Random(seed)
    options = {name: rng.choice(values) for name, values in VARIED.items()}
    options |= {"num_players": rng.choice([2, 3, 4]), "num_suits": rng.choice([2, 4])}
    options |= {"num_ranks": rng.choice([4, 7, 13]), "hand_size": rng.randint(2, 5), "target": None}
    quick, brute = Reference(**options), BruteForce(**options)
    most = (len(quick.full_pack()) - 1) // quick.num_players
    quick.rules["hand_size"] = min(quick.rules["hand_size"], most)
    dealt = deal(quick, rng)
    for game in (quick, brute):
        game.start(*dealt, dealer=0)
    for _ in range(60):
        legal = quick.legal()
        assert sorted(legal) == sorted(brute.legal())
        if not legal:
            break
        cards_first = [a for a in legal if a.startswith(("meld", "lay", "take", "call"))]
        action = rng.choice(cards_first if cards_first and rng.random() < 0.3 else legal)
        quick.play(action)
        brute.play(action)
    assert (quick.hand_scores, quick.melded) == (brute.hand_scores, brute.melded)
