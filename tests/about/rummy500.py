"""Rummy 500, for the tests."""

from collections import Counter
from typing import Any

from hypothesis import strategies as st

from about import match
from rummyzoo.envs import Table
from rummyzoo.envs.cards import NOBODY, card_text

PLAYERS = (2, 3, 5, 8)

OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "num_decks": st.sampled_from((1, 2)),
    "jokers_per_deck": st.integers(0, 2),
    "scoring": st.sampled_from(("face", "5_10_15")),
    "ace_in_runs": st.sampled_from(("both", "low", "high")),
    "ace_low_value": st.sampled_from((1, 5, 15)),
    "top_discard_must_meld": st.booleans(),
    "deep_pick_timing": st.sampled_from(("first", "before_discard")),
    "deep_pick_uses_picked": st.booleans(),
    "calling_rummy": st.booleans(),
    "rummy_persistent": st.booleans(),
    "going_out": st.sampled_from(("discard_optional", "discard_required", "float")),
    "final_discard_unplayable": st.booleans(),
    "stock_out": st.sampled_from(("until_declined", "immediate")),
}
PLAIN: dict[str, Any] = {"jokers_per_deck": 0}
SHORT: dict[str, Any] = {}
SMALL_PACKS: list[dict[str, Any]] = [
    {"num_ranks": 3, "num_suits": 1, "jokers_per_deck": 0, "hand_size": 1},
    {"num_ranks": 3, "num_suits": 2},
    {"num_ranks": 4, "num_suits": 1, "num_decks": 2},
    {"num_ranks": 3, "num_suits": 3, "jokers_per_deck": 1, "ace_in_runs": "low"},
    {"num_ranks": 3, "num_suits": 4, "ace_in_runs": "high", "jokers_per_deck": 0},
    {"num_ranks": 6, "num_suits": 4, "num_players": 4},
    {"num_ranks": 13, "num_suits": 1, "num_players": 3, "going_out": "float"},
]
WALKS: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": 3, "jokers_per_deck": 0, "rummy_persistent": False, "target": 150},
    {"num_players": 4, "deep_pick_timing": "before_discard", "deep_pick_uses_picked": False},
    {"num_players": 5, "going_out": "float", "target": 60},
    {"num_players": 8, "jokers_per_deck": 1, "deep_pick_uses_picked": False},
    {"num_players": 3, "pad_players": 8, "going_out": "discard_required", "target": None},
    {"num_players": 3, "num_ranks": 5, "num_suits": 3, "target": 60, "hand_size": 3},
]
MORE_WALKS: list[dict[str, Any]] = [
    {"num_players": 5, "rummy_persistent": False, "deep_pick_uses_picked": False},
    {"num_players": 2, "pad_players": 8, "jokers_per_deck": 1},
    {"num_players": 5, "pad_players": 8, "target": 40},
    {"num_players": 2, "ace_in_runs": "low", "deep_pick_timing": "before_discard"},
    {"num_players": 2, "ace_in_runs": "high", "num_ranks": 6, "max_hands": 2},
]
COMMON = ("discard", "draw", "pass")
RULES: list[dict[str, Any]] = [
    {"target": None},
    {"num_players": 3, "target": 60, "jokers_per_deck": 0},
    {"num_players": 5, "target": 100},
    {"num_players": 4, "target": None, "pad_players": 6, "max_turns": 40},
    {"num_players": 3, "num_ranks": 5, "num_suits": 3, "jokers_per_deck": 1, "target": 40},
]
PLAYTHROUGHS: dict[str, tuple[int, int, dict[str, Any]]] = {
    "two_players": (4, 1, {"jokers_per_deck": 0}),
    "three_players_who_call": (
        56,
        2,
        {"num_players": 3, "hand_size": 5, "rummy_persistent": False},
    ),
    "six_players_float": (22, 1, {"num_players": 6, "going_out": "float"}),
    "bicycle": (8, 1, {"preset": "RUMMY_500_BICYCLE", "num_players": 4}),
    "small_pack": (
        24,
        3,
        {
            "num_ranks": 5,
            "num_suits": 3,
            "hand_size": 4,
            "jokers_per_deck": 1,
            "going_out": "discard_required",
            "deep_pick_timing": "before_discard",
            "deep_pick_uses_picked": False,
            "target": 30,
        },
    ),
}
AUTO: set[str] = set()
MARKS = {"due": NOBODY, "barred": NOBODY}
TIE: tuple[dict[str, Any], str] = (
    {
        "hands": {0: ["7C"], 1: ["4S", "TC"]},
        "table": [(["7D", "7H", "7S"], 1)],
        "turn": 0,
        "phase": "play",
        "target": None,
        **PLAIN,
    },
    "lay 7C on 7",
)
BOUND: tuple[dict[str, Any], list[str], str] = (
    {
        "hands": {0: ["7C", "7D", "2H", "9S", "QD"]},
        "pile": ["5H", "7S", "TC"],
        **PLAIN,
    },
    ["take 7S"],
    "7S",  # it must hold what it takes to play the seven
)
MIDDLE: dict[str, Any] = {
    "num_players": 3,
    "hands": {0: ["7C", "KD"], 1: ["AS"], 2: ["2C", "3C", "4D"]},
    "table": [(["4H", "5H", "JK(6H)"], 1)],
    "pile": ["9S", "TD"],
    "stock": ["QD"],
    "stock_rest": False,
    "dealer": 2,
    "scores": [100, -5, 0],
    "turn": 0,
}
TEXTS: list[tuple[dict[str, Any], list[str], int | str, list[str]]] = [
    (
        MIDDLE,
        [],
        0,
        [
            "Rummy 500, hand 1, turn 1: seat 0 to draw",
            "stock 1; pile, the top last: 9S TD",
            "> seat 0 (score 100, played 0): 7C KD",
            "  seat 1 (score -5, played 24): ??",
            "  seat 2 (score 0, played 0, dealer): ?? ?? ??",
            "    4H 5H JK(6H) by 1",
        ],
    ),
    (
        MIDDLE,
        ["take TD"],
        1,
        [
            "Rummy 500, hand 1, turn 1: seat 0 to play or discard, may not discard TD",
            "stock 1; pile, the top last: 9S",
            "> seat 0 (score 100, played 0): TD ?? ??",
            "  seat 1 (score -5, played 24): AS",
            "  seat 2 (score 0, played 0, dealer): ?? ?? ??",
            "    4H 5H JK(6H) by 1",
        ],
    ),
]
DEALT: list[tuple[dict[str, Any], int, int]] = [
    *(
        ({"num_players": n, "jokers_per_deck": 2}, 13 if n == 2 else 7, stock)
        for n, stock in enumerate((27, 32, 25, 72, 65, 58, 51), 2)
    ),
    *(
        ({"num_players": n, "jokers_per_deck": 0}, 13 if n == 2 else 7, stock)
        for n, stock in enumerate((25, 30, 23, 68), 2)
    ),
]
ACTION_COUNTS: list[tuple[dict[str, Any], int]] = [
    ({"jokers_per_deck": 0}, 346),
    ({"jokers_per_deck": 2}, 868),
]


def reached(rules: Any) -> set[str]:
    found = {"draw", "play", "over", "due", "barred"}
    return found | {"call"} if rules.calling_rummy and rules.num_players > 2 else found


# --- what else is seen ---

PIECES = {
    "due": "card",
    "due_first": "number",
    "bridge": "numbers",
    "barred": "card",
    "frozen": "cards",
    "from_pile": "number",
    "played": "number",
    "idle": "number",
    "discarder": "seat",
    "callable": "places",
    "callable_jokers": "with callable",
    "chances": "places",
    "chances_jokers": "with chances",
}
SHOWN_AS = {
    "bridge_step": "bridge",
    "bridge_suit": "bridge",
    "bridge_place": "bridge",
    "frozen_one": "frozen",
    "frozen_two": "frozen",
    "frozen_jokers": "frozen",
}
NOT_SHOWN: dict[str, str] = {}


def told(table: Table, seat: int) -> dict[str, Any]:
    s, size = table.state, len(table.pile)
    bridge = [int(s.bridge_step), int(s.bridge_suit) + 1, int(s.bridge_place)]
    return {
        "due": None if s.due == NOBODY else card_text(int(s.due)),
        "due_first": int(s.due_first),
        "bridge": bridge if s.bridge_step else [0, 0, 0],
        "barred": None if s.barred == NOBODY else card_text(int(s.barred)),
        "frozen": frozen_cards(s),
        "from_pile": int(s.from_pile),
        "played": int(s.played),
        "idle": int(s.idle),
        "discarder": table.discarder if table.phase == "call" else None,
        "callable": places_of(s.callable.tolist(), size),
        "chances": places_of(s.chances.tolist(), size),
    }


def frozen_cards(s: Any) -> Counter[str]:
    words = (int(s.frozen_one), int(s.frozen_two))
    cards = Counter(card_text(f) for f in range(52) for word in words if word >> f & 1)
    cards["JK"] += int(s.frozen_jokers)
    return +cards


def places_of(flags: list[int], size: int) -> set[int]:
    """Places in the pile from the top, 1 the top."""
    return {size - at for at in range(size) if flags[at // 54] >> (at % 54) & 1}


def possible(table: Table) -> bool:
    return True


# --- points and scores ---


def played_points(rules: Any, card: str, low: bool = False) -> int:
    """The points of a card as text; `low`: an ace at the low end of a run."""
    rank = card[0]
    if card.startswith("JK"):
        return 15
    if rank == "A":
        return int(rules.ace_low_value) if low else 15
    if rules.scoring == "5_10_15":
        return 10 if rank in "TJQK" else 5
    return 10 if rank in "TJQK" else int(rank)


def potential(table: Table, seat: int) -> float:
    """Played less held, less what the others have played on average, in hundreds."""
    held = sum(played_points(table.rules, card) for card in table.hand(seat))
    others = sum(table.melded) - table.melded[seat]
    return (table.melded[seat] - held - others / (table.num_players - 1)) / 100


class Match(match.Match):
    """Cards played less cards held."""

    def hand(self, moves: list[match.Move], end: Table) -> list[int]:
        held = [
            sum(played_points(self.rules, card) for card in end.hand(seat))
            for seat in range(end.num_players)
        ]
        return [melded - lost for melded, lost in zip(end.melded, held, strict=True)]
