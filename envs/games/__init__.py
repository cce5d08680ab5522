"""The games, one module each, found by name.

A game module has: ``NAME``, ``ENVIRONMENT`` (what its environments are called), ``TITLE``,
``VERSION``, ``MAX_PLAYERS``; ``Rules``, ``PRESETS`` and ``make_rules``; ``make_kit`` and ``pieces``
(see `rummyzoo.envs.kit` and `rummyzoo.envs.observe`); ``STATE_FIELDS``, ``STATE`` and ``PHASES``
(see `rummyzoo.envs.state`); ``WORK``, the shape of the scratch space; the kernels ``new_match``,
``next_hand``, ``legal``, ``step``, ``observe`` and ``potential`` (how a seat stands in a hand, for
shaped rewards), and what `rummyzoo.envs.fused` makes of them: ``look``, ``advance``,
``advance_all`` and ``resample``; for positions set up by hand the kernels ``clear_hand`` and
``settle_position``; and in words ``why_not`` and ``turn_notes``.
"""

from importlib import import_module
from types import ModuleType

from ..rules import choose

GAMES = ("rummy500", "rummy", "gin")


def load_game(name: str) -> ModuleType:
    """The module of a game.

    Raises:
        RulesError: there is no such game; the sentence suggests one.
    """
    choose("game", name, GAMES)
    return import_module(f"{__name__}.{name}")
