"""The options of Gin and its presets."""

from typing import Any, NamedTuple

from ...rules import RulesError, merge, one_of, settle_hand_size, settle_pack, whole

MAX_PLAYERS = 2


class Rules(NamedTuple):
    """The options of Gin; ``"auto"`` is filled in by `make_rules`."""

    num_players: int = 2
    hand_size: int | str = "auto"  # 10
    knock_limit: int | str = 10  # 0: gin only; "upcard": Oklahoma
    oklahoma_ace: str = "gin_only"  # "one"; only with knock_limit="upcard"
    spade_double: bool = False
    gin_bonus: int = 25
    undercut_bonus: int = 25
    undercut_on_tie: bool = True
    big_gin_bonus: int | None = 31  # None: no big gin
    box_bonus: int = 25
    game_bonus: int = 100
    shutout: str = "bonus+100"  # "double", "none"
    undercut_boxes: int = 0  # boxes more for an undercut,
    gin_boxes: int = 0  # for gin or big gin
    wall_rule: str = "dead"  # "opponent_may_knock"
    next_dealer: str = "winner"  # "loser", "alternate"
    layoff: str = "auto"  # "choose"
    num_ranks: int = 13
    num_suits: int = 4
    target: int | None = 100
    max_turns: int | str = "auto"  # four turns for each card of the pack
    max_hands: int = 100  # in a match


PRESETS: dict[str, dict[str, Any]] = {
    "GIN": {},
    "GIN_CLASSIC": {"gin_bonus": 20, "undercut_bonus": 10, "big_gin_bonus": None, "box_bonus": 20},
    "OKLAHOMA": {"knock_limit": "upcard", "spade_double": True, "target": 150},
    "STRAIGHT_GIN": {"knock_limit": 0},
}


def make_rules(preset: str | None = None, **options: Any) -> Rules:
    """The rules with these options on top of a preset, every ``"auto"`` filled in.

    >>> make_rules("OKLAHOMA").target
    150

    Raises:
        RulesError: an unknown preset or option, or a value that is not possible; the sentence says
            what is.
    """
    o = merge(Rules, PRESETS, preset, options)
    pack = settle_pack(o, MAX_PLAYERS)
    settle_hand_size(o, pack, 10)
    limit = o["knock_limit"]
    if isinstance(limit, str):
        if limit != "upcard":
            raise RulesError(
                f"knock_limit={limit!r} is not possible; knock_limit is a whole number from 0 to "
                "100, or 'upcard'"
            )
    else:
        whole(o, "knock_limit", 0, 100)
    one_of(o, "oklahoma_ace", ("gin_only", "one"))
    for name in ("gin_bonus", "undercut_bonus", "box_bonus", "game_bonus"):
        whole(o, name, 0, 1000)
    whole(o, "big_gin_bonus", 0, 1000, none=True)
    for name in ("undercut_boxes", "gin_boxes"):
        whole(o, name, 0, 10)
    for name in ("spade_double", "undercut_on_tie"):
        one_of(o, name, (False, True))
    one_of(o, "shutout", ("bonus+100", "double", "none"))
    one_of(o, "wall_rule", ("dead", "opponent_may_knock"))
    one_of(o, "next_dealer", ("winner", "loser", "alternate"))
    one_of(o, "layoff", ("auto", "choose"))
    whole(o, "target", 1, 10_000, none=True)
    if o["max_turns"] == "auto":
        o["max_turns"] = 4 * pack
    whole(o, "max_turns", 1, 10_000)
    whole(o, "max_hands", 1, 10_000)
    return Rules(**o)
