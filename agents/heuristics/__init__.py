"""Players that follow rules of thumb: one kernel for each game, and styles of play by weights.

A module here has the game's name, ``Weights`` (a NamedTuple of numbers, each with its meaning),
``STYLES`` (name of a player -> its weights), and the kernel ``choose``, which is as
`rummyzoo.agents.base` says.
"""

from importlib import import_module
from types import ModuleType
from typing import Any

from ...envs.games import load_game
from ..base import KernelAgent


def module_for(game: str) -> ModuleType:
    """The module of a game's heuristic players."""
    return import_module(f"{__name__}.{load_game(game).__name__.rpartition('.')[2]}")


def styles(game: str) -> tuple[str, ...]:
    """The names of a game's heuristic players."""
    return tuple(module_for(game).STYLES)


def rollout_style(game: str, rules: Any) -> str:
    """The style that plays worlds out for `search`, and whose action is preferred where it may be
    as good: ``greedy``, if the game's module has no function of this name that knows better.
    """
    found = getattr(module_for(game), "rollout_style", None)
    return found(rules) if found else "greedy"


def make(style: str, game: str, rules: Any, argument: str = "") -> KernelAgent:
    """The heuristic player of that name; it takes no argument."""
    if argument:
        raise ValueError(f"the {style} player takes no argument, but got {argument!r}")
    found = module_for(game)
    return KernelAgent(style, game, rules, found.choose, found.STYLES[style])
