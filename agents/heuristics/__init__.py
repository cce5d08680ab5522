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


def make(style: str, game: str, rules: Any, argument: str = "") -> KernelAgent:
    """The heuristic player of that name; it takes no argument."""
    if argument:
        raise ValueError(f"the {style} player takes no argument, but got {argument!r}")
    found = module_for(game)
    return KernelAgent(style, game, rules, found.choose, found.STYLES[style])
