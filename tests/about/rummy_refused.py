"""What basic Rummy refuses, and why."""

from typing import Any

OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"preset": "RUMMY_BLOK"}, "no preset 'RUMMY_BLOK'; did you mean 'RUMMY_BLOCK'?"),
    ({"ace_in_run": "low"}, "no option 'ace_in_run'; did you mean 'ace_in_runs'?"),
    ({"num_decks": 2}, "no option 'num_decks'"),
    ({"jokers_per_deck": 2}, "no option 'jokers_per_deck'"),
    ({"ace_in_runs": "high"}, "ace_in_runs='high' is not possible; ace_in_runs is one of 'low',"),
    ({"ace_value": 11}, "ace_value=11 is not possible; ace_value is one of 1, 15"),
    ({"ace_value": True}, "ace_value=True is not possible"),
    (
        {"max_melds_per_turn": 0},
        "max_melds_per_turn=0 is not possible; max_melds_per_turn is a",
    ),
    ({"layoff_requires_own_meld": 1}, "layoff_requires_own_meld=1 is not possible"),
    ({"going_out": "float"}, "going_out='float' is not possible; going_out is one of"),
    ({"max_recycles": -1}, "max_recycles=-1 is not possible"),
    (
        {"rummy_multiplier": 0},
        "rummy_multiplier=0 is not possible; rummy_multiplier is a",
    ),
    ({"rummy_multiplier": 11}, "rummy_multiplier=11 is not possible"),
    ({"rummy_needs_pure": "yes"}, "rummy_needs_pure='yes' is not possible"),
    ({"next_dealer": "right"}, "next_dealer='right' is not possible; next_dealer is one of"),
    ({"hand_size": 0}, "hand_size=0 is not possible"),
    ({"hand_size": "many"}, "hand_size='many' is not possible"),
    (
        {"hand_size": 26},
        "hand_size=26 for 2 players needs more than the 52 cards of the pack; at",
    ),
    ({"num_players": 6, "hand_size": 9}, "hand_size=9 for 6 players needs more than the 52 cards"),
    ({"num_players": 7}, "num_players=7 is not possible"),
    ({"max_hands": 0}, "max_hands=0 is not possible; max_hands is a whole number from 1 to 10000"),
    ({"max_turns": "many"}, "max_turns='many' is not possible"),
    ({"pad_players": 7}, "pad_players=7 is not possible"),
    ({"num_players": 4, "pad_players": 3}, "pad_players=3 is too few for 4 players"),
]

HAND: dict[str, Any] = {"hand": "7C 7D 2H 9S QD", "pile": "5H TC 7S", "phase": "draw"}
NO_STOCK: dict[str, Any] = {**HAND, "stock_rest": False}
PLAYS: list[tuple[dict[str, Any], list[str], str, str]] = [
    (HAND, [], "discard 2H", "draw first"),
    (HAND, [], "meld 7C 7D 7S", "draw first"),
    (HAND, [], "pass", "no action in this game is called 'pass'"),
    (HAND, [], "turn pile", "the stock is not empty"),
    (HAND, [], "take TC", "TC is not the top of the pile; only that may be taken"),
    (HAND, [], "take 9C", "9C is not the top of the pile"),
    (HAND, [], "take 7S 2", "no action in this game is called 'take 7S 2'"),
    (HAND, ["take 7S"], "discard 7S", "you took 7S from the pile; it may not go back this turn"),
    (HAND, ["take 7S"], "draw stock", "you have drawn already"),
    (HAND, ["draw stock"], "take 7S", "you have drawn already"),
    (HAND, ["draw stock"], "turn pile", "you have drawn already"),
    (HAND, ["draw stock"], "discard 8C", "you do not hold 8C"),
    (HAND, ["draw stock"], "meld 7C 7D 7H", "you do not hold 7H"),
    (HAND, ["draw stock"], "lay 9S on TS", "no meld that holds TS can take 9S"),
    (HAND, ["draw stock"], "discard JK", "no action in this game is called 'discard JK'"),
    (NO_STOCK, [], "draw stock", "the stock is empty; take the top of the pile, or turn it over"),
    (
        {**NO_STOCK, "options": {"max_recycles": 0}},
        [],
        "draw stock",
        "the stock is empty; take the top of the pile, or pass",
    ),
    (
        {**NO_STOCK, "options": {"max_recycles": 2}},
        [],
        "pass",
        "take the top of the pile, or turn it over",
    ),
    (
        {**HAND, "stock": "2C", "stock_rest": False, "options": {"max_recycles": 2}},
        ["draw stock"],
        "pass",
        "a turn ends with a discard",
    ),
    (
        {
            "hand": "7C",
            "table": ["4H 5H 6H by 0"],
            "pile": "7H",
            "phase": "draw",
            "options": {"layoff_requires_own_meld": True},
        },
        ["take 7H"],
        "discard 7H",
        "may not go back this turn",
    ),
    (
        {
            "hand": "7H 2C",
            "table": ["4H 5H 6H by 1"],
            "options": {"layoff_requires_own_meld": True},
        },
        [],
        "lay 7H on 6H",
        "you may lay off only once you have a meld of your own on the table",
    ),
    (
        {"hand": "7C 7D 7S KC KD KS 2H 3D", "options": {"max_melds_per_turn": 1}},
        ["meld 7C 7D 7S"],
        "meld KC KD KS",
        "no more than 1 meld may be laid in a turn",
    ),
    (
        {"hand": "7C 7D 7H", "options": {"going_out": "discard_required"}},
        [],
        "meld 7C 7D 7H",
        "you must keep a card to discard",
    ),
    (
        {"hand": "7C 7D 7H", "pile": "QS", "phase": "draw"},
        ["take QS"],
        "meld 7C 7D 7H",
        "after this you could not end your turn: QS may not be discarded",
    ),
]

POSITIONS: list[tuple[dict[str, Any], str]] = [
    ({"phase": "call"}, "phase 'call' is not one of draw, play"),
    ({"table": [(["QC", "KC", "AC"], 0)], "ace_in_runs": "low"}, "is not a meld"),
    ({"upcard": "7S"}, "no upcard is noted in Rummy"),
    ({"melded": [1, 2, 3]}, "cards do not score as they are played in Rummy"),
    ({"boxes": [0, 0, 0]}, "no boxes are counted in Rummy"),
    ({"hands": {1: []}}, "seat 1 has no cards, but the hand is over when a player has none left"),
    ({"hands": {1: []}, "phase": "play"}, "seat 1 has no cards, but the hand is over"),
    ({"scores": [10, -5, 0], "target": 100}, "the scores of a match sum to 0"),
]
