"""Gin Rummy for PettingZoo: `env` with the usual wrappers, `raw_env` without.

The rules and their options are in `rummyzoo.envs.games.gin`; spaces, rewards and ends in
`rummyzoo.envs.aec`. Version history: 0, the first.
"""

from typing import Any

from .aec import CardTableEnv
from .wrappers import Checked


def env(**kwargs: Any) -> Checked:
    """A table of Gin Rummy; an illegal action ends the episode. The options are those of
    `raw_env`."""
    return Checked(raw_env(**kwargs))


def raw_env(**kwargs: Any) -> CardTableEnv:
    """A table of Gin Rummy without wrappers; an illegal action raises `IllegalAction`.

    The options are those of `CardTableEnv` (``reward``, ``render_mode``, ...) and of the game
    (``knock_limit``, ``target``, ...).
    """
    return CardTableEnv("gin", **kwargs)
