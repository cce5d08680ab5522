"""The naive reference engine of Gin itself: matches with boxes, melds, and random play."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from reference import gin_melds
from reference.gin import PRESETS, Reference, random_options

from rummyzoo.envs import Table
from rummyzoo.envs.rules import RulesError

# A hand that lacks nothing, one with 8 points, and one with 2.
GIN, KNOCK, TWO = "4S 5S 6S KH KD KC 9C 9D 9H 9S QS", "4S 5S 6S KH KD KC 9C 9D 9H 8C QS", "2D"


def deal(game: Reference, rng: random.Random) -> tuple[list[list[str]], list[str], list[str]]:
    pack, size = game.full_pack(), game.rules["hand_size"]
    rng.shuffle(pack)
    return [pack[:size], pack[size : 2 * size]], pack[2 * size + 1 :], pack[2 * size : 2 * size + 1]


# --- matches with boxes on both sides, which rule cases cannot show ---


@pytest.mark.parametrize(
    ("options", "scores", "boxes", "final"),
    [
        ({}, [71, 40], [4, 2], [330, 90]),
        ({"preset": "GIN_CLASSIC"}, [76, 40], [4, 2], [305, 80]),
        ({}, [68, 0], [3, 0], [402, 0]),
        ({"box_bonus": 20}, [68, 0], [3, 0], [382, 0]),
        ({"shutout": "double"}, [68, 0], [3, 0], [404, 0]),
        ({"shutout": "none"}, [68, 0], [3, 0], [302, 0]),
        ({"shutout": "double"}, [68, 0], [3, 1], [404, 25]),  # hands won with nothing
        ({"gin_boxes": 2}, [71, 40], [4, 2], [380, 90]),
        ({"target": 200}, [71, 40], [4, 2], [105, 40]),
    ],
)
def test_final_scores(
    options: dict[str, Any], scores: list[int], boxes: list[int], final: list[int]
) -> None:
    game = Reference(**options)
    held = ["7H", "2D"]  # 9 points
    game.load([GIN.split(), held], turn=0, phase="play", scores=scores, boxes=boxes)
    game.play("gin with QS")
    assert game.scores == final


def test_boxes_are_kept_from_hand_to_hand() -> None:
    game = Reference(undercut_boxes=1)
    game.load([KNOCK.split(), TWO.split()], turn=0, phase="play", boxes=[1, 0])
    game.play("knock with QS")
    assert (game.boxes, game.scores) == ([1, 2], [0, 31])
    game.next_hand(*deal(game, random.Random(1)))
    assert (game.boxes, game.scores, game.dealer) == ([1, 2], [0, 31], 1)


# --- melds ---


def test_all_melds_of_the_pack() -> None:
    kinds = Counter(meld.kind for _, meld in gin_melds.ALL_MELDS)
    assert kinds == {"set": 13 * 5, "run": 4 * sum(14 - size for size in range(3, 14))}


def test_ways_share_no_card() -> None:
    hand = frozenset(["3S", "4S", "5S", "6S", "7S", "6H", "6D", "6C", "7C", "8C", "5C"])
    for used, melds in gin_melds.ways(hand):
        cards = [card for meld in melds for card in meld.cards]
        assert len(set(cards)) == len(cards)
        assert used == set(cards) <= hand


def test_the_best_lay_offs_leave_no_more_than_any_other() -> None:
    rng = random.Random(5)
    pack = [card for card in gin_melds.ORDER if card[0] in "345678"]
    for _ in range(200):
        rng.shuffle(pack)
        shown = gin_melds.arrange(frozenset(pack[:10]))
        table = tuple(meld._replace(owners=(0,) * len(meld.cards)) for meld in shown)
        hand = frozenset(pack[10:18])
        left, after = gin_melds.lay_off_best(hand, table, 1)
        assert gin_melds.deadwood(left) <= gin_melds.deadwood(hand)
        laid = {c for m in after for c, owner in zip(m.cards, m.owners, strict=True) if owner}
        assert laid == hand - left


# --- random play ---


def test_random_play() -> None:
    """Every hand comes to an end, no card is lost, and all kinds of endings happen."""
    rng, seen = random.Random(7), Counter[str]()
    kinds = ("knock", "gin", "big gin", "dead", "undercut", "hand", "match", "truncated")
    # Some are rare, and how long it takes to see them is not the same in every run of Python.
    while seen["hands"] < 250 or (seen["hands"] < 5000 and not all(seen[kind] for kind in kinds)):
        game = Reference(**random_options(rng))
        if 2 * game.rules["hand_size"] + 1 > len(game.full_pack()):
            continue
        game.start(*deal(game, rng), dealer=rng.randrange(2))
        while True:
            careful = rng.random() < 0.8
            while game.over == "no":
                step = game.lively(rng, careful)
                game.play(step)
                seen[step.split(" with ")[0]] += 1
            cards = [*game.pile, *game.stock, *game.hands[0], *game.hands[1]]
            cards += [card for meld in game.melds for card in meld.cards]
            assert sorted(cards) == sorted(game.full_pack())
            assert game.hand_scores.count(0) >= 1
            seen["hands"] += 1
            seen["dead"] += game.over != "truncated" and game.hand_winner is None
            seen["undercut"] += step.startswith("knock") and game.hand_winner == game._seat
            seen[game.over] += 1
            if game.over != "hand":
                break
            game.next_hand(*deal(game, rng))
    for kind in kinds:
        assert seen[kind], kind


def test_the_table_shows_the_same_melds() -> None:
    """Beside what test_lockstep.py compares: which cards lie together, and who laid each."""
    rng, melds = random.Random(8), 0
    while melds < 500:
        options = random_options(rng)
        try:
            table = Table("gin", seed=rng.getrandbits(32), **options)
        except RulesError:  # a hand size that the pack cannot deal
            continue
        game = Reference(**options)
        game.start([table.hand(0), table.hand(1)], table.stock, table.pile, table.dealer)
        while game.over == "no":
            step = game.lively(rng, careful=True)
            game.play(step)
            table.play(step)
            shown = [(meld.kind, meld.cards, meld.owners) for meld in table.melds]
            assert sorted(shown) == sorted(game.melds)
        melds += len(game.melds)


@pytest.mark.parametrize(
    ("knocker", "defender", "laid"),
    [  # the knocker throws 2D
        # One run gives its nine to the nines, and lays the rest off: hearts rather than spades.
        ("4S 5S 6S 4H 5H 6H AC AD", "7S 8S 9S 7H 8H 9H 9C 9D", "7H 8H"),
        # Laid off or melded comes to the same: melded.
        ("4S 5S 6S AC AD", "7S 8S 9S", ""),
        # On a run rather than a set, and on the lower of two runs.
        ("4S 5S 6S 7C 7D 7H 8S 9S TS AC", "7S", "7S"),
    ],
)
def test_equally_good_lay_offs(knocker: str, defender: str, laid: str) -> None:
    hands = {0: [*knocker.split(), "2D"], 1: defender.split()}
    table = Table.from_position("gin", hands=hands, phase="play", knock_limit=100)
    game = Reference(knock_limit=100)
    game.load(hands, phase="play", dealer=1)
    action = next(a for a in table.legal() if a in ("knock with 2D", "gin with 2D"))
    for engine in (table, game):
        engine.play(action)
    shown = [(meld.kind, meld.cards, meld.owners) for meld in table.melds]
    assert sorted(shown) == sorted(game.melds)
    lent = [zip(m.cards, m.owners, strict=True) for m in table.melds if 0 in m.owners]
    assert [card for pairs in lent for card, owner in pairs if owner == 1] == laid.split()


def test_options_that_are_not() -> None:
    with pytest.raises(ValueError, match="unknown option"):
        Reference(num_players=2)
    with pytest.raises(ValueError, match="not one of"):
        Reference(knock_limit="ace")
    for preset in PRESETS:
        assert Reference(preset=preset).rules["hand_size"] == 10
