"""The options of Rummy 500 and its presets."""

from typing import Any, NamedTuple

from ...rules import RulesError, merge, one_of, settle_hand_size, settle_pack, whole

MAX_PLAYERS = 8


class Rules(NamedTuple):
    """The options of Rummy 500; ``"auto"`` is filled in by `make_rules`."""

    num_players: int = 2
    num_decks: int | str = "auto"  # 1 for two to four players, else 2
    jokers_per_deck: int = 2
    hand_size: int | str = "auto"  # 13 for two players, else 7
    scoring: str = "face"  # "5_10_15"
    ace_in_runs: str = "both"  # "low", "high"
    ace_low_value: int | str = "auto"  # 1; 5 with scoring="5_10_15"
    top_discard_must_meld: bool = False
    deep_pick_timing: str = "first"  # "before_discard"
    deep_pick_uses_picked: bool = True
    calling_rummy: bool = True
    rummy_persistent: bool = True
    going_out: str = "discard_optional"  # "discard_required", "float"
    final_discard_unplayable: bool = False
    stock_out: str = "until_declined"  # "immediate"
    num_ranks: int = 13
    num_suits: int = 4
    target: int | None = 500
    max_turns: int | str = "auto"  # four turns for each card of the pack
    max_hands: int = 100  # in a match
    pad_players: int = 0  # spaces as large as for so many players; 0: for num_players


PRESETS: dict[str, dict[str, Any]] = {
    "RUMMY_500": {},
    "RUMMY_500_NO_JOKERS": {"jokers_per_deck": 0},
    "RUMMY_500_BICYCLE": {
        "jokers_per_deck": 0,
        "top_discard_must_meld": True,
        "calling_rummy": False,
    },
    "RUMMY_500_FLOATING": {"going_out": "float"},
    "RUMMY_500_5_10_15": {"scoring": "5_10_15"},
    "RUMMY_500_BOATHOUSE": {"going_out": "discard_required"},
}


def make_rules(preset: str | None = None, **options: Any) -> Rules:
    """The rules with these options on top of a preset, every ``"auto"`` filled in.

    >>> make_rules(num_players=5).num_decks
    2

    Raises:
        RulesError: an unknown preset or option, or a value that is not possible; the sentence says
            what is.
    """
    o = merge(Rules, PRESETS, preset, options)
    pack = settle_pack(o, MAX_PLAYERS)
    settle_hand_size(o, pack, 13 if o["num_players"] == 2 else 7)
    one_of(o, "scoring", ("face", "5_10_15"))
    one_of(o, "ace_in_runs", ("both", "low", "high"))
    if o["ace_low_value"] == "auto":
        o["ace_low_value"] = 5 if o["scoring"] == "5_10_15" else 1
    one_of(o, "ace_low_value", (1, 5, 15))
    one_of(o, "deep_pick_timing", ("first", "before_discard"))
    one_of(o, "going_out", ("discard_optional", "discard_required", "float"))
    one_of(o, "stock_out", ("until_declined", "immediate"))
    for name in (
        "top_discard_must_meld",
        "deep_pick_uses_picked",
        "calling_rummy",
        "rummy_persistent",
        "final_discard_unplayable",
    ):
        one_of(o, name, (False, True))
    whole(o, "target", 1, 10_000, none=True)
    if o["max_turns"] == "auto":
        o["max_turns"] = 4 * pack
    whole(o, "max_turns", 1, 10_000)
    whole(o, "max_hands", 1, 10_000)
    if o["num_decks"] == 2 and 0 < o["pad_players"] < 5:
        raise RulesError(
            "pad_players below 5 pads for one pack; set num_decks=1 or pad_players to 5 or more"
        )
    return Rules(**o)
