"""Episodes of one learner that plays by lot."""

from typing import Any

import numpy as np
import pytest
from slow_play import GAMES_AND_PLAYERS, legal_action

from rummyzoo.envs.games import GAMES
from rummyzoo.envs.single import SingleEnv

rounds = pytest.mark.parametrize(("game", "players"), GAMES_AND_PLAYERS)
games = pytest.mark.parametrize("game", GAMES)


def play(env: SingleEnv, seed: int | None = None, action_seed: int = 0) -> list[Any]:
    """All that an episode gives to a learner that plays by lot."""
    rng = np.random.default_rng(action_seed)
    moments: list[Any] = [env.reset(seed=seed)]
    done = False
    while not done:
        moments.append(env.step(legal_action(moments[-1][-1], rng)))
        done = moments[-1][2] or moments[-1][3]
    return moments


def total(moments: list[Any]) -> float:
    return sum(moment[1] for moment in moments[1:])


def follow(env: SingleEnv, seed: int) -> list[Any]:
    """The rest of an episode, and all of the next."""
    rng = np.random.default_rng(seed)
    info = {"action_mask": env.learners.masks[0].copy()}
    moments: list[Any] = []
    done = False
    while not done:
        moments.append(env.step(legal_action(info, rng)))
        info = moments[-1][-1]
        done = moments[-1][2] or moments[-1][3]
    return moments + play(env)
