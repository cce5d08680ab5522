"""The rules of Rummy 500 as the kernels read them."""

import numpy as np

from ... import kit
from ...observe import lay_out
from .observation import pieces
from .rules import Rules

KIT_FIELDS = (
    *kit.FIELDS,
    ("top_must_meld", "i8"),
    ("before_discard", "i8"),
    ("uses_picked", "i8"),
    ("calling", "i8"),
    ("persistent", "i8"),
    ("discard_required", "i8"),
    ("floating", "i8"),
    ("final_unplayable", "i8"),
    ("immediate", "i8"),
)


def make_kit(rules: Rules) -> np.ndarray:
    """The rules as the kernels read them (see `rummyzoo.envs.kit`)."""
    if rules.scoring == "face":
        by_rank = [15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    else:
        by_rank = [15] + [5] * 8 + [10] * 4
    calling = rules.calling_rummy and max(rules.num_players, rules.pad_players) > 2
    blocks = ["pass", "take", *(["call"] if calling else []), "set", "run", "lay", "discard"]
    values = [*by_rank * 4, 15, rules.ace_low_value]
    kits = kit.build(rules, KIT_FIELDS, blocks, values)  # type: ignore[arg-type]
    k = kits[0]
    k.top_must_meld = rules.top_discard_must_meld
    k.before_discard = rules.deep_pick_timing == "before_discard"
    k.uses_picked = rules.deep_pick_uses_picked
    k.calling = rules.calling_rummy and rules.num_players > 2
    k.persistent = rules.rummy_persistent
    k.discard_required = rules.going_out == "discard_required"
    k.floating = rules.going_out == "float"
    k.final_unplayable = rules.final_discard_unplayable
    k.immediate = rules.stock_out == "immediate"
    lay_out(k, pieces(rules, k))
    return kits
