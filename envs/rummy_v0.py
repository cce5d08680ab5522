"""Basic Rummy for PettingZoo: `env` with the usual wrappers, `raw_env` without.

The rules and their options are in `rummyzoo.envs.games.rummy`; spaces, rewards and ends in
`rummyzoo.envs.aec`. Version history: 0, the first.
"""

from typing import Any

from .aec import CardTableEnv
from .wrappers import Checked


def env(**kwargs: Any) -> Checked:
    """A table of basic Rummy; an illegal action ends the episode. The options are those of
    `raw_env`."""
    return Checked(raw_env(**kwargs))


def raw_env(**kwargs: Any) -> CardTableEnv:
    """A table of basic Rummy without wrappers; an illegal action raises `IllegalAction`.

    The options are those of `CardTableEnv` (``reward``, ``render_mode``, ...) and of the game
    (``num_players``, ``target``, ...).
    """
    return CardTableEnv("rummy", **kwargs)
