"""What Rummy 500 refuses, and why."""

from typing import Any

OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"preset": "RUMMY_500_FLOATIN"}, "no preset 'RUMMY_500_FLOATIN'; did you mean 'RUMMY_500_FLO"),
    ({"ace_in_run": "low"}, "no option 'ace_in_run'; did you mean 'ace_in_runs'?"),
    ({"num_decks": 3}, "num_decks=3 is not possible; num_decks is one of 1, 2"),
    ({"num_decks": True}, "num_decks=True is not possible"),
    (
        {"jokers_per_deck": 3},
        "jokers_per_deck=3 is not possible; jokers_per_deck is one of 0, 1, 2",
    ),
    ({"jokers_per_deck": True}, "jokers_per_deck=True is not possible"),
    ({"scoring": "10"}, "scoring='10' is not possible; scoring is one of 'face', '5_10_15'"),
    ({"ace_in_runs": "none"}, "ace_in_runs='none' is not possible"),
    ({"ace_low_value": 11}, "ace_low_value=11 is not possible; ace_low_value is one of 1, 5, 15"),
    ({"top_discard_must_meld": 1}, "top_discard_must_meld=1 is not possible"),
    ({"deep_pick_timing": "last"}, "deep_pick_timing='last' is not possible"),
    ({"deep_pick_uses_picked": "yes"}, "deep_pick_uses_picked='yes' is not possible"),
    ({"calling_rummy": None}, "calling_rummy=None is not possible"),
    ({"rummy_persistent": 0}, "rummy_persistent=0 is not possible"),
    (
        {"going_out": True},
        "going_out=True is not possible; going_out is one of 'discard_optional',",
    ),
    ({"final_discard_unplayable": 2}, "final_discard_unplayable=2 is not possible"),
    ({"stock_out": "now"}, "stock_out='now' is not possible"),
    ({"hand_size": 0}, "hand_size=0 is not possible"),
    ({"hand_size": "many"}, "hand_size='many' is not possible"),
    (
        {"hand_size": 27},
        "hand_size=27 for 2 players needs more than the 54 cards of the pack; at m",
    ),
    ({"num_players": 8, "num_decks": 1}, "hand_size=7 for 8 players needs more than the 54 cards"),
    ({"max_hands": 0}, "max_hands=0 is not possible; max_hands is a whole number from 1 to 10000"),
    ({"max_turns": "many"}, "max_turns='many' is not possible"),
    ({"pad_players": 9}, "pad_players=9 is not possible"),
    ({"num_players": 4, "pad_players": 3}, "pad_players=3 is too few for 4 players"),
    ({"num_players": 2, "num_decks": 2, "pad_players": 4}, "pad_players below 5 pads for one pack"),
]

DEEP: dict[str, Any] = {"hand": "7C 7D 2H 9S QD", "pile": "5H 7S TC", "phase": "draw"}
CALL: dict[str, Any] = {
    "hand": "2C 9D",
    "table": ["4H 5H 6H by 1"],
    "pile": "KS 7H",
    "phase": "call",
    "options": {"num_players": 3},
}
PLAYS: list[tuple[dict[str, Any], list[str], str, str]] = [
    (DEEP, [], "discard 2H", "draw first"),
    (DEEP, [], "meld 7C 7D 7S", "draw first"),
    (DEEP, [], "pass", "only once the stock is empty"),
    (DEEP, [], "take 5H", "you could not play 5H at once"),
    (DEEP, [], "take 9C", "the pile does not hold 9C"),
    ({**DEEP, "options": {"num_decks": 2}}, [], "take 7S 2", "not hold a second 7S"),
    (DEEP, ["take 7S"], "discard TC", "you took 7S from the pile and must play it first"),
    (DEEP, ["take 7S"], "draw stock", "you have drawn already"),
    (DEEP, ["take 7S"], "take 5H", "you have drawn already"),
    (DEEP, ["take TC"], "discard TC", "you took TC alone from the pile; it may not go back"),
    (DEEP, ["draw stock"], "discard 8C", "you do not hold 8C"),
    (DEEP, ["draw stock"], "meld 7C 7D 7H", "you do not hold 7H"),
    (DEEP, ["draw stock"], "lay 9S on TS", "no meld that holds TS can take 9S"),
    (DEEP, ["draw stock"], "pass", "a turn ends with a discard"),
    (DEEP, ["draw stock"], "discard JK", "no action in this game is called 'discard JK'"),
    (
        {"hand": "6C 6D QS QH QD", "pile": "6H 2C", "phase": "draw"},
        ["take 6H"],
        "meld QD QH QS",
        "you took 6H from the pile and must play it first",
    ),
    (
        {
            "hand": "7H 7C 7D 4S 6S",
            "pile": "6H 8H 2C",
            "phase": "draw",
            "options": {"deep_pick_timing": "before_discard"},
        },
        ["take 6H"],
        "meld 7C 7D 7H",
        "after this 6H, which you must play this turn",
    ),
    (
        {
            "hand": "7C 7D 8S 9S",
            "pile": "7S TS",
            "phase": "draw",
            "options": {"deep_pick_uses_picked": False, "deep_pick_timing": "before_discard"},
        },
        ["take 7S"],
        "meld 8S 9S TS",
        "cards taken along with 7S may not be played before it",
    ),
    (
        {"hand": "5S 4S 2S 3H 3D 9C", "table": ["6S 7S 8S by 1"], "pile": "3S KD", "phase": "draw"},
        ["take 3S", "lay 5S on 6S"],
        "meld 3D 3H 3S",
        "go on at the same end of the run until 3S",
    ),
    (
        {"hand": "7C 7D 7H", "options": {"going_out": "discard_required"}},
        [],
        "meld 7C 7D 7H",
        "no card left that you may discard",
    ),
    (
        {"hand": "7H", "table": ["4H 5H 6H by 1"], "options": {"final_discard_unplayable": True}},
        [],
        "discard 7H",
        "may not fit the table, and 7H does",
    ),
    (CALL, [], "draw stock", "player 2 has discarded; you are asked to call or to"),
    (CALL, [], "call KS", "KS cannot be played with the cards above it"),
    (CALL, [], "call 2S", "the pile does not hold 2S"),
    (
        {"hand": "2C 9D KC", "pile": "KD", "stock_rest": False, "phase": "draw"},
        [],
        "draw stock",
        "the stock is empty; take from the pile, or pass",
    ),
]

NO_CALLS: dict[str, Any] = {"calling_rummy": False}
POSITIONS: list[tuple[dict[str, Any], str]] = [
    ({"phase": "call", "discarder": 5, "num_players": 3}, "seats 0 to 2 only"),
    ({"phase": "call", "discarder": 0}, "seat 0 may not call what it has discarded itself"),
    ({"phase": "call"}, "no card of the pile could be played, so nobody is asked to call"),
    (
        {"phase": "call", "pile": ["7H", "2C"], "table": [(["4H", "5H", "6H"], 1)], **NO_CALLS},
        "nobody is asked to call under these rules",
    ),
    (
        {"phase": "call", "pile": ["7H"], "table": [(["4H", "5H", "6H"], 1)], "num_players": 2},
        "nobody is asked to call under these rules",
    ),
    (
        {
            "phase": "call",
            "pile": ["7H"],
            "table": [(["4H", "5H", "6H"], 1)],
            "hands": {2: []},
            "going_out": "float",
        },
        "seat 2 has no cards, but the hand is over",
    ),
    ({"hands": {1: []}}, "seat 1 has no cards, but the hand is over when a player has none left"),
    ({"hands": {1: []}, "phase": "play"}, "seat 1 has no cards, but the hand is over"),
    (
        {"stock_rest": False, "pile": ["7S"], "stock_out": "immediate"},
        "with stock_out='immediate' the hand is over once the stock is empty",
    ),
    ({"upcard": "7S"}, "no upcard is noted in Rummy 500"),
    ({"boxes": [0, 0, 0]}, "no boxes are counted in Rummy 500"),
    ({"num_decks": 2, "table": [(["4H", "4D", "4H"], 0)]}, "not a set: three or four cards"),
    ({"jokers_per_deck": 2, "table": [(["JK", "JK", "4C"], 0)]}, "says what it stands for"),
    (
        {"jokers_per_deck": 2, "table": [(["JK(5)", "4C", "4D"], 0)]},
        "JK\\(5\\) 4C 4D is not a meld",
    ),
    (
        {"table": [(["JK(5C)", "JK(6C)", "JK(7C)"], 0)], "num_decks": 2, "jokers_per_deck": 2},
        "is not a meld",
    ),
    ({"jokers_per_deck": 2, "table": [(["4C", "JK(5D)", "6C"], 0)]}, "is not a meld"),
    ({"table": [(["AC", "2C", "3C"], 0)], "ace_in_runs": "high"}, "is not a meld"),
]
