"""The rules of basic Rummy as the kernels read them."""

import numpy as np

from ... import kit
from ...observe import lay_out
from .observation import pieces
from .rules import Rules

NO_LIMIT = 1 << 30

KIT_FIELDS = (
    *kit.FIELDS,
    ("max_melds", "i8"),
    ("requires_own_meld", "i8"),
    ("discard_required", "i8"),
    ("max_recycles", "i8"),
    ("multiplier", "i8"),
    ("needs_pure", "i8"),
    ("winner_deals", "i8"),
)


def make_kit(rules: Rules) -> np.ndarray:
    """The rules as the kernels read them (see `rummyzoo.envs.kit`)."""
    by_rank = [rules.ace_value, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    first = {None: "turn", 0: "pass"}.get(rules.max_recycles, "pass, turn")
    blocks = [first, "take", "set", "run", "lay", "discard"]
    kits = kit.build(rules, KIT_FIELDS, blocks, [*by_rank * 4, 0, rules.ace_value])
    k = kits[0]
    most, turns = rules.max_melds_per_turn, rules.max_recycles
    k.max_melds = NO_LIMIT if most is None else most
    k.requires_own_meld = rules.layoff_requires_own_meld
    k.discard_required = rules.going_out == "discard_required"
    k.max_recycles = NO_LIMIT if turns is None else turns
    k.multiplier = rules.rummy_multiplier
    k.needs_pure = rules.rummy_needs_pure
    k.winner_deals = rules.next_dealer == "winner"
    lay_out(k, pieces(rules, k))
    return kits
