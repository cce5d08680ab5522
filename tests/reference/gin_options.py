"""The options of Gin, and options by lot."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

# Option -> (default, allowed values). None as allowed values: any whole number (or "auto"/None).
OPTIONS: dict[str, tuple[Any, Sequence[Any] | None]] = {
    "hand_size": ("auto", None),
    "knock_limit": (10, (*range(101), "upcard")),
    "oklahoma_ace": ("gin_only", ("gin_only", "one")),
    "spade_double": (False, (False, True)),
    "gin_bonus": (25, None),
    "undercut_bonus": (25, None),
    "undercut_on_tie": (True, (False, True)),
    "big_gin_bonus": (31, None),
    "box_bonus": (25, None),
    "game_bonus": (100, None),
    "shutout": ("bonus+100", ("bonus+100", "double", "none")),
    "undercut_boxes": (0, None),
    "gin_boxes": (0, None),
    "wall_rule": ("dead", ("dead", "opponent_may_knock")),
    "next_dealer": ("winner", ("winner", "loser", "alternate")),
    "layoff": ("auto", ("auto", "choose")),
    "num_ranks": (13, range(3, 14)),
    "num_suits": (4, range(1, 5)),
    "target": (100, None),
    "max_turns": ("auto", None),
    "max_hands": (100, None),
}

PRESETS: dict[str, dict[str, Any]] = {
    "GIN": {},
    "GIN_CLASSIC": {"gin_bonus": 20, "undercut_bonus": 10, "big_gin_bonus": None, "box_bonus": 20},
    "OKLAHOMA": {"knock_limit": "upcard", "spade_double": True, "target": 150},
    "STRAIGHT_GIN": {"knock_limit": 0},
}


def random_options(rng: random.Random) -> dict[str, Any]:
    """Options of Gin by lot; most are the default most of the time."""
    options: dict[str, Any] = {
        "undercut_on_tie": rng.random() < 0.7,
        "shutout": rng.choice(("bonus+100", "double", "none")),
        "undercut_boxes": rng.choice((0, 0, 1)),
        "gin_boxes": rng.choice((0, 0, 2)),
        "wall_rule": rng.choice(("dead", "opponent_may_knock")),
        "next_dealer": rng.choice(("winner", "loser", "alternate")),
        "layoff": rng.choice(("auto", "choose")),
        "target": rng.choice((None, 20, 60, 100, 150)),
        "max_hands": rng.choice((2, 4, 100)),
    }
    if rng.random() < 0.5:
        options["preset"] = rng.choice(list(PRESETS))
    else:
        options["knock_limit"] = rng.choice((10, 10, "upcard", "upcard", 0, 1, 30, 100))
        options["spade_double"] = rng.random() < 0.5
        options["big_gin_bonus"] = rng.choice((None, 31, 31, 50))
        options["gin_bonus"] = rng.choice((25, 20, 0))
        options["undercut_bonus"] = rng.choice((25, 10, 0))
        options["box_bonus"] = rng.choice((25, 20, 0))
        options["game_bonus"] = rng.choice((100, 0))
    options["oklahoma_ace"] = rng.choice(("gin_only", "one"))
    if rng.random() < 0.15:
        options["max_turns"] = rng.randint(1, 30)
    if rng.random() < 0.35:
        options["num_ranks"] = rng.randint(3, 13)
        options["num_suits"] = rng.randint(1, 4)
    if rng.random() < 0.3:
        options["hand_size"] = rng.randint(1, 12)
    return options
