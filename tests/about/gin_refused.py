"""What Gin refuses, and why."""

from typing import Any

OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"preset": "OKLAHOME"}, "no preset 'OKLAHOME'; did you mean 'OKLAHOMA'?"),
    ({"knock_limits": 5}, "no option 'knock_limits'; did you mean 'knock_limit'?"),
    ({"num_decks": 2}, "no option 'num_decks'"),
    ({"pad_players": 2}, "no option 'pad_players'"),
    (
        {"num_players": 3},
        "num_players=3 is not possible; num_players is 2",
    ),
    ({"hand_size": 26}, "hand_size=26 for 2 players needs more than the 52 cards of the pack; at"),
    ({"knock_limit": 101}, "knock_limit=101 is not possible; knock_limit is a whole number from 0"),
    ({"knock_limit": "any"}, "knock_limit='any' is not possible; knock_limit is a whole number f"),
    ({"knock_limit": None}, "knock_limit=None is not possible"),
    ({"knock_limit": True}, "knock_limit=True is not possible"),
    ({"oklahoma_ace": "two"}, "oklahoma_ace='two' is not possible; oklahoma_ace is one of 'gin_on"),
    ({"spade_double": 1}, "spade_double=1 is not possible; spade_double is one of False, True"),
    ({"gin_bonus": -1}, "gin_bonus=-1 is not possible; gin_bonus is a whole number from 0 to 1000"),
    ({"undercut_bonus": None}, "undercut_bonus=None is not possible"),
    ({"undercut_on_tie": 0}, "undercut_on_tie=0 is not possible"),
    ({"big_gin_bonus": "31"}, "big_gin_bonus='31' is not possible; big_gin_bonus is a whole numbe"),
    ({"box_bonus": 2000}, "box_bonus=2000 is not possible"),
    ({"game_bonus": 1.5}, "game_bonus=1.5 is not possible"),
    ({"shutout": "triple"}, "shutout='triple' is not possible; shutout is one of 'bonus+100',"),
    ({"undercut_boxes": -1}, "undercut_boxes=-1 is not possible"),
    ({"gin_boxes": "two"}, "gin_boxes='two' is not possible"),
    ({"wall_rule": "alive"}, "wall_rule='alive' is not possible; wall_rule is one of 'dead',"),
    ({"next_dealer": "left"}, "next_dealer='left' is not possible; next_dealer is one of 'winner'"),
    ({"layoff": "never"}, "layoff='never' is not possible; layoff is one of 'auto', 'choose'"),
]

HAND: dict[str, Any] = {
    "hand": "7C 7D 2H 9S QD 3C 4C 5C 8H KS",
    "pile": "5H TC 7S",
    "phase": "draw",
}
FULL: dict[str, Any] = {"hand": "7C 7D 7S 3C 4C 5C 9C 9D 9H 9S KS"}
UPCARD: dict[str, Any] = {**HAND, "pile": "7S", "phase": "upcard"}
WALL: dict[str, Any] = {
    "hand": "QS KS",
    "hands": {1: "2H KD"},
    "pile": "5H",
    "stock": "2C 3C",
    "stock_rest": False,
    "options": {"wall_rule": "opponent_may_knock"},
}
KNOCKED: dict[str, Any] = {
    "hand": "7H KC 2D",
    "hands": {1: "5C 3H"},
    "table": ["7C 7D 7S by 1"],
    "phase": "layoff",
    "options": {"layoff": "choose"},
}
PLAYS: list[tuple[dict[str, Any], list[str], str, str]] = [
    (HAND, [], "discard 2H", "draw first"),
    (HAND, [], "knock with 2H", "draw first"),
    (HAND, [], "pass", "you may not pass; draw from the stock, or take the top of the pile"),
    (HAND, [], "take TC", "TC is not the top of the pile; only that may be taken"),
    (HAND, [], "lay 7C on 7", "no meld that holds 7 can take 7C"),
    (HAND, [], "meld 7C 7D 7S", "no action in this game is called 'meld 7C 7D 7S'"),
    (HAND, ["take 7S"], "discard 7S", "you took 7S from the pile; it may not go back this turn"),
    (HAND, ["take 7S"], "knock with 7S", "you took 7S from the pile; it may not go back"),
    (HAND, ["take 7S"], "draw stock", "you have drawn already"),
    (HAND, ["take 7S"], "pass", "a turn ends with a discard"),
    (HAND, ["take 7S"], "knock with KS", "that leaves 29 points outside melds; one knocks with 10"),
    (HAND, ["take 7S"], "gin with KS", "that leaves 29 points outside melds; gin leaves none"),
    (HAND, ["take 7S"], "big gin", "your best arrangement leaves 39 points outside melds"),
    (HAND, ["take 7S"], "discard 8C", "you do not hold 8C"),
    (FULL, [], "knock with KS", "nothing would be left outside melds: that is gin"),
    (
        {**HAND, "options": {"knock_limit": 0}},
        ["take 7S"],
        "knock with KS",
        "no action in this game is called 'knock with KS'",
    ),
    (
        {**HAND, "pile": "AH TC 7S", "options": {"knock_limit": "upcard"}},
        ["take 7S"],
        "knock with KS",
        "in this hand nobody may knock, only gin ends it",
    ),
    (
        {**HAND, "pile": "6H TC 7S", "options": {"knock_limit": "upcard"}},
        ["take 7S"],
        "knock with KS",
        "one knocks with 6 or less",
    ),
    (
        {**HAND, "options": {"big_gin_bonus": None}},
        ["take 7S"],
        "big gin",
        "no action in this game is called 'big gin'",
    ),
    (UPCARD, [], "take 7C", "7C is not the card turned up; that is 7S"),
    (UPCARD, [], "draw stock", "the upcard comes first: take 7S, or pass"),
    (UPCARD, ["pass", "pass"], "take 7S", "both players have passed 7S; draw from the stock"),
    (UPCARD, ["pass", "pass"], "pass", "you may not pass"),
    (WALL, ["discard QS"], "draw stock", "the stock is used up: take QS to end the hand, or pass"),
    (WALL, ["discard QS"], "take 5H", "the stock is used up: take QS"),
    (
        {**WALL, "options": {**WALL["options"], "knock_limit": 1}},
        ["discard QS"],
        "take QS",
        "with QS you could not end the hand, and only for that it is left",
    ),
    (
        {**WALL, "options": {**WALL["options"], "knock_limit": 12}},
        ["discard QS", "take QS"],
        "discard KD",
        "the stock is used up: you took the last discard to end the hand",
    ),
    (KNOCKED, [], "discard KC", "player 1 has knocked; lay off cards that fit, or pass"),
    (KNOCKED, [], "lay KC on 7", "no meld that holds 7 can take KC"),
    (KNOCKED, [], "draw stock", "player 1 has knocked"),
]

KNOCK: dict[str, Any] = {
    "layoff": "choose",
    "phase": "layoff",
    "hands": {0: ["7H", "KC"], 1: ["5C", "3H"]},
    "table": [(["7C", "7D", "7S"], 1)],
}
OFFER: dict[str, Any] = {"phase": "upcard", "pile": ["7S"]}
POSITIONS: list[tuple[dict[str, Any], str]] = [
    ({"hands": {1: []}}, "seat 1 has no cards, but in Gin every player holds some"),
    ({"scores": [10, -5]}, "nobody loses points in Gin: scores are 0 or more"),
    ({"melded": [1, 2]}, "cards do not score as they are played in Gin Rummy"),
    ({"boxes": [1, 0], "target": None}, "with target=None there is one hand, and no boxes are cou"),
    ({"phase": "upcard"}, "while the upcard is offered, the pile is the upcard and nothing else"),
    ({**OFFER, "pile": ["7S", "8S"]}, "while the upcard is offered, the pile is the upcard and"),
    ({**OFFER, "hands": {0: ["2C"]}, "upcard": "2C"}, "while the upcard is offered, the pile is"),
    ({**OFFER, "hands": {0: ["7S"]}}, "7S is named more often than the pack holds it"),
    ({"upcard": "7S"}, "7S was turned up, so it is not in the stock: put it in the pile, or in"),
    ({"upcard": "7S", "stock": ["7S"]}, "7S was turned up, so it is not in the stock"),
    ({"stock": ["2C", "3C"], "stock_rest": False}, "a hand is dead when two cards are left in the"),
    (
        {"stock": ["2C"], "stock_rest": False, "wall_rule": "opponent_may_knock"},
        "the last discard, which the other player may take to knock, is in the pile",
    ),
    (
        {"layoff": "choose", "table": [(["7C", "7D", "7S"], 1)]},
        "melds lie on the table only after a knock, in the phase 'layoff'",
    ),
    (
        {**KNOCK, "table": [(["7C", "7D", "7S"], 0)]},
        "seat 1 has knocked, so the melds on the table are those of seat 1",
    ),
    (
        {**KNOCK, "hands": {1: ["5C", "6H"]}},
        "seat 1 has knocked, but holds 11 points beside its melds; one knocks with 1 to 10",
    ),
    (
        {**KNOCK, "knock_limit": "upcard", "pile": ["4S", "KD"]},
        "seat 1 has knocked, but holds 8 points beside its melds; one knocks with 1 to 4",
    ),
    (
        {**KNOCK, "hands": {1: ["AC", "2C", "3C"]}},
        "seat 1 has knocked, but holds 6 points beside its melds, and could be left with 0: the",
    ),
    ({"phase": "call"}, "phase 'call' is not one of draw, play, upcard, layoff"),
    (
        {"phase": "layoff", "layoff": "choose", "table": [(["QC", "KC", "AC"], 1)]},
        "is not a meld",
    ),
]
