"""Players for the Rummy environments, and tools to train, measure and play against them."""

if __name__ != "rummyzoo.agents":
    raise ImportError("import rummyzoo.agents, not agents (run: pip install -e .)")

import os
from importlib import import_module
from typing import Any

from ..envs.rules import check_name as _check_name
from ..envs.setting import setting as _setting
from .base import Agent, FunctionAgent, KernelAgent, Opinion, View, opinion_of
from .heuristics import make as _heuristic
from .heuristics import styles as _styles
from .policies import FREE as _FREE

__all__ = [
    "Agent",
    "FunctionAgent",
    "KernelAgent",
    "Opinion",
    "View",
    "load",
    "opinion_of",
    "players",
]

_MODULES = (
    "random",
    "search",
    "cheating_oracle",
)  # of this package, each with a function ``make``, for any game
_POLICIES = (".safetensors", ".zip")


def players(game: str) -> tuple[str, ...]:
    """The names of the players of a game.

    >>> players("rummy")
    ('random', 'search', 'cheating_oracle', 'greedy', 'lay_down', 'hold_for_rummy')
    """
    return (*_MODULES, *_styles(game))


def load(player: Any, game: str, rules: Any = None) -> Agent:
    """Find a player.

    Args:
        player: one of `players`, with an argument after a colon where it takes one; the path of a
            trained policy; or a player itself, or a function ``f(view, rng) -> action``, which are
            passed through.
        game: the name of the game it is to play.
        rules: the ``Rules`` tuple it is to play by; None for the game's usual rules.

    >>> load("random", "rummy500").name
    'random'

    Raises:
        ValueError: there is no such player (the sentence suggests one), or it does not fit the game
            or its rules.
        TypeError: `player` is none of these.
    """
    if isinstance(player, str | os.PathLike):
        text = os.fspath(player)
        if text.endswith(_POLICIES) or "/" in text or os.sep in text:
            return import_module(f"{__name__}.learned").make(game, rules, text)
        name, colon, argument = text.partition(":")
        _check_name("player", name, players(game))
        if colon and not argument:
            raise ValueError(f"{text!r} has nothing after its colon; leave the colon away")
        if name not in _MODULES:
            return _heuristic(name, game, rules, argument)
        return import_module(f"{__name__}.{name}").make(game, rules, argument)
    if isinstance(player, type):
        raise TypeError(f"a player is an object: {player.__name__}(...), not {player.__name__}")
    if isinstance(player, Agent):
        _check_setting(player, game, rules)
        return player
    if callable(player):
        return FunctionAgent(player)
    raise TypeError(f"a player is a name, a path, an Agent or a function, not {player!r}")


def _check_setting(player: Any, game: str, rules: Any) -> None:
    """Refuse a player that was made for another game, or for rules with other actions or cards."""
    made_for = getattr(player, "setting", None)
    if made_for is None:
        return
    wanted = _setting(game, rules)
    if made_for.game is not wanted.game:
        raise ValueError(f"{player.name} plays {made_for.game.NAME}, not {wanted.game.NAME}")
    theirs, ours = made_for.rules._asdict(), wanted.rules._asdict()
    other = [name for name in ours if name not in _FREE and theirs[name] != ours[name]]
    if other:
        listed = ", ".join(f"{name}={theirs[name]!r} and not {ours[name]!r}" for name in other)
        raise ValueError(
            f"{player.name} was made for other rules ({listed}); load it by its name or path"
        )
