"""A game under its rules, made ready for play: everything that tables of one kind share."""

from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from .games import load_game
from .kit import texts
from .state import NOBODY_SEES, OWNER


class Setting(NamedTuple):
    """A game under a rule set, and what is made from them once (see `setting`).

    Attributes:
        game: the module of the game.
        rules: its ``Rules`` tuple.
        kits: the rules as the kernels read them, shape (1,).
        actions: all actions as text, by number.
        owners: the fields of the state that only a card's owner sees.
        hidden: the fields of the state that nobody sees.
    """

    game: ModuleType
    rules: Any
    kits: np.ndarray
    actions: tuple[str, ...]
    owners: tuple[str, ...]
    hidden: tuple[str, ...]

    def __reduce__(self) -> Any:
        return setting, (self.game.NAME, self.rules)


@lru_cache(maxsize=64)
def setting(game: str, rules: Any) -> Setting:
    """A game under some rules, with its kit, the texts of its actions, and its hidden fields.

    Args:
        game: its name.
        rules: a resolved ``Rules`` tuple; None for the game's usual rules.
    """
    module = load_game(game)
    rules = module.make_rules() if rules is None else rules
    kits = module.make_kit(rules)
    fields = module.STATE_FIELDS
    return Setting(
        module,
        rules,
        kits,
        tuple(texts(kits[0])),
        tuple(f.name for f in fields if f.visibility == OWNER),
        tuple(f.name for f in fields if f.visibility == NOBODY_SEES),
    )


def scratch(game: ModuleType) -> np.ndarray:
    """Scratch space for a game's kernels."""
    return np.zeros(game.WORK, np.int64)
