"""The games, one folder each, found by name.

A game module has: ``NAME``, ``ENVIRONMENT`` (what its environments are called), ``TITLE``,
``VERSION``, ``MAX_PLAYERS``; ``Rules``, ``PRESETS`` and ``make_rules``; ``make_kit`` and ``pieces``
(see `rummyzoo.envs.kit` and `rummyzoo.envs.observe`); ``STATE_FIELDS``, ``STATE`` and ``PHASES``
(see `rummyzoo.envs.state`); ``WORK``, the shape of the scratch space; the kernels ``new_match``,
``next_hand``, ``legal``, ``step``, ``observe`` and ``potential`` (how a seat stands in a hand, for
shaped rewards), and what `rummyzoo.envs.fused` makes of them: ``look``, ``advance``,
``advance_all`` and ``resample``; for positions set up by hand the kernels ``clear_hand`` and
``settle_position``, and in words ``why_impossible``; and in words ``why_not``, ``turn_notes``,
``hand_note`` and ``in_short`` (the rules for whoever sits down to play).
"""

from importlib import import_module
from types import ModuleType

from ..rules import RulesError, check_name

GAMES = ("rummy500", "rummy", "gin")
_ELSEWHERE = {
    "gin_rummy": "gin",
    "gin-rummy": "gin",
    "gin_rummy_v0": "gin",
    "gin_rummy_v4": "gin",
    "rummy_500": "rummy500",
}
"""What games are called elsewhere, where the nearest name would be another game's."""


def load_game(name: str) -> ModuleType:
    """The module of a game.

    Raises:
        RulesError: there is no such game; the sentence suggests one.
    """
    if isinstance(name, str) and name in _ELSEWHERE:
        raise RulesError(f"there is no game {name!r}; did you mean {_ELSEWHERE[name]!r}?")
    check_name("game", name, GAMES)
    return import_module(f"{__name__}.{name}")
