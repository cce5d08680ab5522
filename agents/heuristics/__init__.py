"""Players that follow rules of thumb: one kernel for each game, and styles of play by weights.

A module here has the game's name, ``Weights`` (a NamedTuple of numbers, each with its meaning),
``STYLES`` (name of a player -> its weights), and the kernel ``choose``, which is as
`rummyzoo.agents.base` says.
"""

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from ...envs.games import load_game
from ..base import KernelAgent


def module_for(game: str) -> ModuleType:
    """The module of a game's heuristic players."""
    return import_module(f"{__name__}.{load_game(game).__name__.rpartition('.')[2]}")


def styles(game: str) -> tuple[str, ...]:
    """The names of a game's heuristic players."""
    return tuple(module_for(game).STYLES)


def rollout_styles(game: str, rules: Any) -> tuple[str, ...]:
    """The styles that play worlds out for `search`: first that of the seat itself, whose action is
    preferred where it may be as good; then those that the others play by, one in each world, in
    turn. ``greedy`` everywhere, if the game's module has no function of this name that knows
    better.
    """
    found = getattr(module_for(game), "rollout_styles", None)
    return found(rules) if found else ("greedy", "greedy")


def weights_of(game: str, styles: Sequence[str]) -> np.ndarray:
    """The weights of some styles, float64 (styles, the most weights), filled up with zeros."""
    found = [module_for(game).STYLES[style] for style in styles]
    weights = np.zeros((len(found), max(map(len, found))))
    for row, values in zip(weights, found, strict=True):
        row[: len(values)] = values
    return weights


def make(style: str, game: str, rules: Any, argument: str = "") -> KernelAgent:
    """The heuristic player of that name; it takes no argument."""
    if argument:
        raise ValueError(f"the {style} player takes no argument, but got {argument!r}")
    found = module_for(game)
    return KernelAgent(style, game, rules, found.choose, found.STYLES[style])
