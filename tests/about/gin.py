"""Gin Rummy, for the tests."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from about import match
from rummyzoo.envs import Table
from rummyzoo.envs.cards import NOBODY, RANKS, card_text, parse_card

PLAYERS = (2,)

OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "knock_limit": st.one_of(st.sampled_from((10, "upcard")), st.integers(0, 100)),
    "oklahoma_ace": st.sampled_from(("gin_only", "one")),
    "spade_double": st.booleans(),
    "gin_bonus": st.integers(0, 50),
    "undercut_bonus": st.integers(0, 50),
    "undercut_on_tie": st.booleans(),
    "big_gin_bonus": st.sampled_from((None, 31, 50)),
    "box_bonus": st.integers(0, 30),
    "game_bonus": st.integers(0, 200),
    "shutout": st.sampled_from(("bonus+100", "double", "none")),
    "undercut_boxes": st.integers(0, 2),
    "gin_boxes": st.integers(0, 2),
    "wall_rule": st.sampled_from(("dead", "opponent_may_knock")),
    "next_dealer": st.sampled_from(("winner", "loser", "alternate")),
    "layoff": st.sampled_from(("auto", "choose")),
}
PLAIN: dict[str, Any] = {}
SHORT: dict[str, Any] = {
    "knock_limit": 40,
    "game_bonus": 0,
    "box_bonus": 0,
    "shutout": "none",
}
SMALL_PACKS: list[dict[str, Any]] = [
    {"num_ranks": 3, "num_suits": 1, "hand_size": 1},
    {"num_ranks": 3, "num_suits": 2, "layoff": "choose", "knock_limit": 3},
    {"num_ranks": 4, "num_suits": 1, "knock_limit": "upcard"},
    {"num_ranks": 3, "num_suits": 3, "wall_rule": "opponent_may_knock"},
    {"num_ranks": 6, "num_suits": 4, "knock_limit": 0},
    {"num_ranks": 13, "num_suits": 1, "big_gin_bonus": None},
]
WALKS: list[dict[str, Any]] = [
    {"knock_limit": 30},
    {"knock_limit": 40, "layoff": "choose"},
    {"knock_limit": "upcard", "spade_double": True, "num_ranks": 9, "hand_size": 8},
    {"wall_rule": "opponent_may_knock", "knock_limit": 15, "num_suits": 3},
    {"knock_limit": 0, "num_ranks": 5, "hand_size": 6, "next_dealer": "loser", "target": 40},
    {
        "num_ranks": 6,
        "hand_size": 7,
        "knock_limit": 6,
        "layoff": "choose",
        "wall_rule": "opponent_may_knock",
        "gin_boxes": 2,
        "undercut_on_tie": False,
    },
]
MORE_WALKS: list[dict[str, Any]] = [
    {"knock_limit": "upcard", "oklahoma_ace": "one", "layoff": "choose"},
    {"num_ranks": 5, "num_suits": 3, "knock_limit": 4, "target": 60, "next_dealer": "alternate"},
]
COMMON = ("discard", "draw", "pass", "take")
RULES: list[dict[str, Any]] = [
    {"target": None},
    {"knock_limit": 30, "layoff": "choose"},
    {
        "knock_limit": "upcard",
        "spade_double": True,
        "wall_rule": "opponent_may_knock",
        "max_hands": 3,
    },
    {"num_ranks": 6, "hand_size": 7, "knock_limit": 6, "layoff": "choose", "max_hands": 9},
    {"num_ranks": 5, "num_suits": 3, "knock_limit": 4, "target": 40, "max_turns": 20},
]
PLAYTHROUGHS: dict[str, tuple[int, int, dict[str, Any]]] = {
    "lay_offs_by_choice": (180, 3, {"knock_limit": 25, "layoff": "choose", "target": 60}),
    "oklahoma": (
        251,
        3,
        {
            "preset": "OKLAHOMA",
            "num_ranks": 6,
            "hand_size": 6,
            "wall_rule": "opponent_may_knock",
            "target": 60,
        },
    ),
}
AUTO: set[str] = {"layoff"}
MARKS = {"barred": NOBODY, "wall": 0, "knocker": NOBODY}
TIE: tuple[dict[str, Any], str] = (
    {
        "hands": {0: ["KC", "9D"], 1: ["QC"]},
        "stock": ["2C", "3C"],
        "stock_rest": False,
        "pile": ["4C"],
        "turn": 0,
        "phase": "play",
        "target": None,
    },
    "discard KC",
)
BOUND: tuple[dict[str, Any], list[str], str] = (
    {
        "hands": {0: ["7C", "7D", "2H", "9S", "QD"]},
        "pile": ["5H", "TC", "7S"],
    },
    ["take 7S"],
    "discard",  # a card other than the seven
)
KNOCKING: dict[str, Any] = {
    "hands": {
        0: ["7C", "7D", "7S", "AC", "2C", "3C", "9H", "TH", "JH", "2D", "KS"],
        1: ["4C", "5C", "7H", "KC", "KH", "2H", "4D", "6D", "8D", "9S"],
    },
    "pile": ["5S"],
    "phase": "play",
    "knock_limit": "upcard",
    "spade_double": True,
    "layoff": "choose",
    "scores": [12, 30],
}
TEXTS: list[tuple[dict[str, Any], list[str], int | str, list[str]]] = [
    (
        KNOCKING,
        [],
        0,
        [
            "Gin Rummy, hand 1, turn 1: seat 0 to play or discard; knock with 5 or less; "
            "upcard 5S, doubled",
            "stock 30; pile, the top last: 5S",
            "> seat 0 (score 12): AC 2C 3C 7C 2D 7D 9H TH JH 7S KS",
            "  seat 1 (score 30, dealer): ?? ?? ?? ?? ?? ?? ?? ?? ?? ??",
        ],
    ),
    (
        KNOCKING,
        ["knock with KS", "lay 4C on 3C"],
        "public",
        [
            "Gin Rummy, hand 1, turn 1: seat 1 may lay off; upcard 5S, doubled",
            "stock 30; pile, the top last: 5S KS",
            "  seat 0 (score 12): 2D",
            "> seat 1 (score 30, dealer): ?? ?? ?? ?? ?? ?? ?? ?? ??",
            "    7C 7D 7S by 0",
            "    AC 2C 3C by 0, 4C by 1",
            "    9H TH JH by 0",
        ],
    ),
    (  # 61 points less 2, doubled; 100 for the game and 25 for the box
        KNOCKING,
        ["knock with KS", "lay 4C on 3C", "pass"],
        "public",
        [
            "Gin Rummy, hand 1: won by seat 0",
            "stock 30; pile, the top last: 5S KS",
            "  seat 0 (score 255): 2D",
            "  seat 1 (score 30, dealer): 5C KC 4D 6D 8D 2H 7H KH 9S",
            "    7C 7D 7S by 0",
            "    AC 2C 3C by 0, 4C by 1",
            "    9H TH JH by 0",
        ],
    ),
]
DEALT: list[tuple[dict[str, Any], int, int]] = [({}, 10, 31), ({"hand_size": 7}, 7, 37)]
ACTION_COUNTS: list[tuple[dict[str, Any], int]] = [
    # pass, draw, 52 each to take, discard, knock and gin, big gin
    ({}, 2 + 4 * 52 + 1),
    ({"big_gin_bonus": None}, 2 + 4 * 52),
    ({"knock_limit": 0}, 2 + 3 * 52 + 1),
    # each card on a set; to a low end all but queens and kings, to a high end no aces and twos ...
    ({"layoff": "choose"}, 2 + 4 * 52 + 1 + 52 + 4 * 10 + 4 * 10),
]


def reached(rules: Any) -> set[str]:
    found = {"draw", "play", "upcard", "over", "barred"}
    if rules.layoff == "choose":
        found |= {"layoff", "knocker"}
    return found | {"wall"} if rules.wall_rule == "opponent_may_knock" else found


# --- what else is seen ---

PIECES = {
    "upcard": "card",
    "limit": "number",
    "doubled": "number",
    "refused": "by seat",
    "barred": "card",
    "wall": "number",
    "knocker": "seat",
    "boxes": "split by seat",
    "in_melds": "cards",
    "deadwood": "split",
}
SHOWN_AS: dict[str, str] = {}
NOT_SHOWN = {"hand_winner": "decides who deals next, which is seen then"}


def told(table: Table, seat: int) -> dict[str, Any]:
    s = table.state
    first = 1 - table.dealer
    left, _, melded = arrange(tuple(table.hand(seat)))
    return {
        "upcard": None if s.upcard == NOBODY else card_text(int(s.upcard)),
        "limit": int(s.limit),
        "doubled": int(s.doubled),
        "refused": [int(s.refused > (0 if q == first else 1)) for q in (0, 1)],
        "barred": None if s.barred == NOBODY else card_text(int(s.barred)),
        "wall": int(s.wall),
        "knocker": None if s.knocker == NOBODY else int(s.knocker),
        "boxes": s.boxes[:2].tolist(),
        "in_melds": Counter(melded),
        "deadwood": left,
    }


def possible(table: Table) -> bool:
    """Nobody is asked to lay off who holds nothing that fits."""
    return table.phase != "layoff" or len(table.legal()) > 1


# --- points and scores ---


def played_points(rules: Any, card: str, low: bool = False) -> int:
    return 0


def points(cards: list[str]) -> int:
    worth = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}
    return sum(worth.get(card[0]) or int(card[0]) for card in cards)


@cache
def arrange(cards: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]]:
    """The best way to meld a hand, by trying all: the points of what is left, a number for the
    cards in sets (of the best ways, that with the lowest), the cards in melds.
    """
    if not cards:
        return 0, 0, ()
    first, *rest = cards
    left, in_sets, melded = arrange(tuple(rest))
    ways = [(left + points([first]), in_sets, melded)]
    for meld in melds_with(first, cards):
        left, in_sets, melded = arrange(tuple(card for card in cards if card not in meld))
        if meld[0][0] == meld[1][0]:
            in_sets += sum(1 << parse_card(card) for card in meld)
        ways.append((left, in_sets, (*meld, *melded)))
    return min(ways, key=lambda way: way[:2])


def melds_with(first: str, cards: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The melds with the first of some cards, which stand by suit and rank."""
    same = [card for card in cards if card[0] == first[0]]
    for size in (3, 4):
        yield from (meld for meld in combinations(same, size) if first in meld)
    at = RANKS.index(first[0])
    run = [f"{rank}{first[1]}" for rank in RANKS[at:]]
    for size in range(3, len(run) + 1):
        if not set(run[:size]) <= set(cards):
            return
        yield tuple(run[:size])


def potential(table: Table, seat: int) -> float:
    """What would be paid more, in hundreds, if the other went out now: what is left outside melds;
    of a hand with a card too many, without the dearest of it.
    """
    hand = table.hand(seat)
    left, _, melded = arrange(tuple(hand))
    if table.phase == "play" and table.turn == seat:
        left -= max((points([card]) for card in hand if card not in melded), default=0)
    return -left / 100


class Match(match.Match):
    """Who ends the hand is paid the difference of what is left in the hands, unless it is undercut;
    hands won are boxes.
    """

    hand_winner: int | None = None

    def __init__(self, rules: Any) -> None:
        super().__init__(rules)
        self.boxes = [0, 0]

    def next_dealer(self, dealer: int) -> int:
        if self.hand_winner is None:
            return dealer
        loser = 1 - self.hand_winner
        ways = {"winner": self.hand_winner, "loser": loser, "alternate": 1 - dealer}
        return ways[self.rules.next_dealer]

    def hand(self, moves: list[match.Move], end: Table) -> list[int]:
        rules, scores = self.rules, [0, 0]
        self.hand_winner = None
        ends = [move for move in moves if move.action.startswith(("knock", "gin", "big"))]
        if not ends:
            return scores
        winner, boxes = ends[0].seat, 1
        held = [points(end.hand(winner)), points(end.hand(1 - winner))]
        score = held[1] - held[0]
        if not ends[0].action.startswith("knock"):
            assert held[0] == 0
            score += rules.big_gin_bonus if ends[0].action == "big gin" else rules.gin_bonus
            boxes += rules.gin_boxes
        elif score < 0 or (score == 0 and rules.undercut_on_tie):
            winner, score = 1 - winner, rules.undercut_bonus - score
            boxes += rules.undercut_boxes
        (upcard,) = moves[0].before.pile
        scores[winner] = 2 * score if rules.spade_double and upcard[1] == "S" else score
        self.hand_winner = winner
        self.boxes[winner] += boxes
        return scores

    def won_by(self) -> int | None:
        return self.hand_winner if self.rules.target is None else super().won_by()

    def bonuses(self) -> list[int]:
        rules, winner = self.rules, super().won_by()
        assert winner is not None
        added = [rules.box_bonus * boxes for boxes in self.boxes]
        added[winner] += rules.game_bonus
        if self.scores[1 - winner] == 0:
            more = {"bonus+100": 100, "double": self.scores[winner], "none": 0}
            added[winner] += more[rules.shutout]
        return added
