"""The rules of Gin as the kernels read them."""

import numpy as np

from ... import kit
from ...observe import lay_out
from .observation import pieces
from .rules import Rules
from .state import BY_UPCARD

DEALERS = ("winner", "loser", "alternate")

KIT_FIELDS = (
    *kit.FIELDS,
    ("knock_limit", "i8"),  # or BY_UPCARD
    ("ace_limit", "i8"),  # when an ace is turned up
    ("spade_double", "i8"),
    ("gin_bonus", "i8"),
    ("undercut_bonus", "i8"),
    ("undercut_on_tie", "i8"),
    ("big_gin", "i8"),  # whether there is any
    ("big_gin_bonus", "i8"),
    ("box_bonus", "i8"),
    ("game_bonus", "i8"),
    ("shutout_bonus", "i8"),
    ("shutout_doubles", "i8"),
    ("undercut_boxes", "i8"),
    ("gin_boxes", "i8"),
    ("last_chance", "i8"),  # whether the last discard may be taken to knock
    ("next_dealer", "i8"),  # a place in DEALERS
    ("by_choice", "i8"),  # whether the defender chooses what to lay off
)


def make_kit(rules: Rules) -> np.ndarray:
    """The rules as the kernels read them (see `rummyzoo.envs.kit`)."""
    by_rank = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    blocks = ["pass", "take", "lay", "discard", "knock", "gin", "big gin"]
    if rules.layoff == "auto":
        blocks.remove("lay")
    if rules.knock_limit == 0:
        blocks.remove("knock")
    if rules.big_gin_bonus is None:
        blocks.remove("big gin")
    kits = kit.build(rules, KIT_FIELDS, blocks, [*by_rank * 4, 0, 1])
    k = kits[0]
    k.knock_limit = BY_UPCARD if rules.knock_limit == "upcard" else rules.knock_limit
    k.ace_limit = 1 if rules.oklahoma_ace == "one" else 0
    k.big_gin = rules.big_gin_bonus is not None
    k.big_gin_bonus = rules.big_gin_bonus or 0
    for name in (
        "spade_double",
        "gin_bonus",
        "undercut_bonus",
        "undercut_on_tie",
        "box_bonus",
        "game_bonus",
        "undercut_boxes",
        "gin_boxes",
    ):
        k[name] = getattr(rules, name)
    k.shutout_bonus = 100 if rules.shutout == "bonus+100" else 0
    k.shutout_doubles = rules.shutout == "double"
    k.last_chance = rules.wall_rule == "opponent_may_knock"
    k.next_dealer = DEALERS.index(rules.next_dealer)
    k.by_choice = rules.layoff == "choose"
    lay_out(k, pieces(rules, k))
    return kits
