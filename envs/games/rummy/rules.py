"""The options of basic Rummy and its presets."""

from typing import Any, NamedTuple

from ...rules import merge, one_of, settle_hand_size, settle_pack, whole

MAX_PLAYERS = 6


class Rules(NamedTuple):
    """The options of basic Rummy; ``"auto"`` is filled in by `make_rules`."""

    num_players: int = 2
    hand_size: int | str = "auto"  # 10 for two players, 7 for three or four, else 6
    ace_in_runs: str = "low"  # "both"
    ace_value: int = 1  # 15
    max_melds_per_turn: int | None = None
    layoff_requires_own_meld: bool = False
    going_out: str = "discard_optional"  # "discard_required"
    max_recycles: int | None = None  # how often the pile is turned over in a hand
    rummy_multiplier: int = 2
    rummy_needs_pure: bool = False
    next_dealer: str = "auto"  # "winner" for two players, else "left"
    num_ranks: int = 13
    num_suits: int = 4
    target: int | None = None
    max_turns: int | str = "auto"  # four turns for each card of the pack
    max_hands: int = 100  # in a match
    pad_players: int = 0  # spaces as large as for so many players; 0: for num_players


PRESETS: dict[str, dict[str, Any]] = {
    "RUMMY": {},
    "RUMMY_BLOCK": {"max_recycles": 0},
    "RUMMY_ONE_MELD": {"max_melds_per_turn": 1},
}


def make_rules(preset: str | None = None, **options: Any) -> Rules:
    """The rules with these options on top of a preset, every ``"auto"`` filled in.

    >>> make_rules(num_players=4).hand_size
    7

    Raises:
        RulesError: an unknown preset or option, or a value that is not possible; the sentence says
            what is.
    """
    o = merge(Rules, PRESETS, preset, options)
    pack = settle_pack(o, MAX_PLAYERS)
    players = o["num_players"]
    settle_hand_size(o, pack, 10 if players == 2 else 7 if players < 5 else 6)
    one_of(o, "ace_in_runs", ("low", "both"))
    one_of(o, "ace_value", (1, 15))
    whole(o, "max_melds_per_turn", 1, 99, none=True)
    whole(o, "max_recycles", 0, 10_000, none=True)
    one_of(o, "layoff_requires_own_meld", (False, True))
    one_of(o, "going_out", ("discard_optional", "discard_required"))
    whole(o, "rummy_multiplier", 1, 10)
    one_of(o, "rummy_needs_pure", (False, True))
    if o["next_dealer"] == "auto":
        o["next_dealer"] = "winner" if players == 2 else "left"
    one_of(o, "next_dealer", ("winner", "left"))
    whole(o, "target", 1, 10_000, none=True)
    if o["max_turns"] == "auto":
        o["max_turns"] = 4 * pack
    whole(o, "max_turns", 1, 10_000)
    whole(o, "max_hands", 1, 10_000)
    return Rules(**o)
