"""Basic Rummy, for the tests."""

from typing import Any

from hypothesis import strategies as st

from about import match
from rummyzoo.envs import Table
from rummyzoo.envs.cards import NOBODY, card_text

PLAYERS = (2, 3, 6)

OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "ace_in_runs": st.sampled_from(("low", "both")),
    "ace_value": st.sampled_from((1, 15)),
    "max_melds_per_turn": st.sampled_from((None, 1, 2)),
    "layoff_requires_own_meld": st.booleans(),
    "going_out": st.sampled_from(("discard_optional", "discard_required")),
    "max_recycles": st.sampled_from((None, 0, 1, 3)),
    "rummy_multiplier": st.integers(1, 10),
    "rummy_needs_pure": st.booleans(),
    "next_dealer": st.sampled_from(("winner", "left")),
}
PLAIN: dict[str, Any] = {"ace_in_runs": "both"}
SHORT: dict[str, Any] = {"max_recycles": 0, "hand_size": 5}
SMALL_PACKS: list[dict[str, Any]] = [
    {"num_ranks": 3, "num_suits": 1, "hand_size": 1},
    {"num_ranks": 3, "num_suits": 2, "going_out": "discard_required"},
    {"num_ranks": 4, "num_suits": 1, "max_recycles": 0},
    {"num_ranks": 3, "num_suits": 3, "ace_in_runs": "both"},
    {"num_ranks": 6, "num_suits": 4, "num_players": 6},
    {"num_ranks": 13, "num_suits": 1, "num_players": 3, "layoff_requires_own_meld": True},
]
WALKS: list[dict[str, Any]] = [
    {"num_players": 2, "max_turns": 70},
    {"num_players": 3, "max_recycles": 1, "target": 100, "layoff_requires_own_meld": True},
    {"num_players": 4, "max_recycles": 2, "ace_in_runs": "both", "hand_size": 9, "max_turns": 50},
    {"num_players": 6, "num_ranks": 8, "rummy_needs_pure": True, "max_turns": 60, "target": 60},
    {
        "num_players": 2,
        "max_melds_per_turn": 1,
        "going_out": "discard_required",
        "max_recycles": 1,
        "target": 150,
    },
    {"num_players": 3, "pad_players": 6, "hand_size": 13, "max_turns": 60},
    {"num_players": 3, "num_ranks": 5, "num_suits": 3, "target": 60, "hand_size": 3},
]
MORE_WALKS: list[dict[str, Any]] = [
    {"num_players": 2, "pad_players": 6, "num_ranks": 6, "max_recycles": 0},
    {"num_players": 5, "max_recycles": 0, "ace_in_runs": "both"},
]
COMMON = ("discard", "draw", "pass", "take")
RULES: list[dict[str, Any]] = [
    {"max_recycles": 0},
    {"num_players": 3, "max_recycles": 0, "hand_size": 5, "target": 60},
    {"num_players": 6, "num_ranks": 8, "target": 40, "max_turns": 80, "max_hands": 4},
    {"num_players": 4, "pad_players": 6, "max_turns": 40},
    {"num_players": 3, "num_ranks": 5, "num_suits": 3, "target": 40, "ace_in_runs": "both"},
]
PLAYTHROUGHS: dict[str, tuple[int, int, dict[str, Any]]] = {
    "turned_pile": (227, 1, {"num_ranks": 9, "hand_size": 6, "max_melds_per_turn": 1}),
    "blocked_hand": (
        25,
        2,
        {
            "num_players": 4,
            "num_ranks": 8,
            "hand_size": 5,
            "max_recycles": 0,
            "layoff_requires_own_meld": True,
            "ace_in_runs": "both",
            "target": 60,
        },
    ),
}
AUTO: set[str] = set()
MARKS = {"barred": NOBODY, "open_stock": 0}
TIE: tuple[dict[str, Any], str] = (
    {
        "hands": {0: ["4S", "TC"], 1: ["4D", "KC"]},
        "pile": ["7H"],
        "stock_rest": False,
        "turn": 0,
        "max_recycles": 0,
    },
    "pass",
)
BOUND: tuple[dict[str, Any], list[str], str] = (
    {
        "hands": {0: ["7C", "7D", "2H", "9S", "QD"]},
        "pile": ["5H", "TC", "7S"],
    },
    ["take 7S"],
    "discard",  # a card other than the seven
)
TEXTS: list[tuple[dict[str, Any], list[str], int | str, list[str]]] = [
    (
        {
            "num_players": 3,
            "hands": {0: ["7C", "KD"], 1: ["AS"], 2: ["2C", "3C", "4D"]},
            "table": [(["4H", "5H", "6H"], 1)],
            "pile": ["9S", "TD", "3S"],
            "stock_rest": False,
            "dealer": 2,
            "scores": [100, -60, -40],
            "target": 200,
            "turn": 0,
        },
        ["turn pile", "discard KD"],
        1,
        [
            "Rummy, hand 1, turn 2: seat 1 to draw; the stock was turned over, the top first: "
            "TD 3S",
            "stock 2; pile, the top last: KD",
            "  seat 0 (score 100): 9S ??",
            "> seat 1 (score -60): AS",
            "  seat 2 (score -40, dealer): ?? ?? ??",
            "    4H 5H 6H by 1",
        ],
    ),
]
DEALT: list[tuple[dict[str, Any], int, int]] = [
    ({"num_players": 2}, 10, 31),
    ({"num_players": 3}, 7, 30),
    ({"num_players": 4}, 7, 23),
    ({"num_players": 5}, 6, 21),
    ({"num_players": 6}, 6, 15),
]
ACTION_COUNTS: list[tuple[dict[str, Any], int]] = []


def reached(rules: Any) -> set[str]:
    found = {"draw", "play", "over", "barred"}
    return found if rules.max_recycles == 0 else found | {"open_stock"}


# --- what else is seen ---

PIECES = {
    "barred": "card",
    "turned": "order",
    "recycles": "split",
    "new_melds": "number",
    "shown": "number",
    "mixed": "number",
}
SHOWN_AS: dict[str, str] = {}
NOT_SHOWN = {"hand_winner": "decides who deals next, which is seen then"}


def told(table: Table, seat: int) -> dict[str, Any]:
    s = table.state
    return {
        "barred": None if s.barred == NOBODY else card_text(int(s.barred)),
        "turned": table.stock if s.open_stock else [],
        "recycles": int(s.recycles),
        "new_melds": int(s.new_melds),
        "shown": int(s.shown),
        "mixed": int(s.mixed),
    }


def possible(table: Table) -> bool:
    return True


# --- points and scores ---


def played_points(rules: Any, card: str, low: bool = False) -> int:
    return 0


def held_points(rules: Any, cards: list[str]) -> int:
    worth = {"A": int(rules.ace_value), "T": 10, "J": 10, "Q": 10, "K": 10}
    return sum(worth.get(card[0]) or int(card[0]) for card in cards)


def potential(table: Table, seat: int) -> float:
    """What it would cost, in hundreds, if another went out: the points held, and what the winner
    gets of them.
    """
    n = table.num_players
    return -held_points(table.rules, table.hand(seat)) * n / (n - 1) / 100


class Match(match.Match):
    """Who goes out is paid what the others hold; else who holds least, the differences."""

    hand_winner: int | None = None

    def next_dealer(self, dealer: int) -> int:
        if self.rules.next_dealer == "winner":
            return dealer if self.hand_winner is None else self.hand_winner
        return super().next_dealer(dealer)

    def hand(self, moves: list[match.Move], end: Table) -> list[int]:
        self.hand_winner = None
        held = [held_points(self.rules, end.hand(seat)) for seat in range(end.num_players)]
        seat = moves[-1].seat
        if end.hand(seat):
            least = min(held)
            if held.count(least) > 1:
                return [0] * len(held)
            winner, dues = held.index(least), [points - least for points in held]
        else:
            times = self.rules.rummy_multiplier if self.went_rummy(moves, end) else 1
            winner, dues = seat, [times * points for points in held]
        self.hand_winner = winner
        scores = [-due for due in dues]
        scores[winner] = sum(dues)
        return scores

    def went_rummy(self, moves: list[match.Move], end: Table) -> bool:
        """Whether the hand was won in one turn, by who had nothing on the table before."""
        seat = moves[-1].seat
        turn = [move for move in moves if move.before.state.turns == moves[-1].before.state.turns]
        before = turn[0].before.melds
        if any(seat in meld.owners for meld in before):
            return False
        on_others = any(seat in after.owners for after in end.melds[: len(before)])
        return not (on_others and self.rules.rummy_needs_pure)
