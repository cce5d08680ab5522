"""The Gymnasium environment for one learner: copies, and games that were kept."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from about import about
from single_episodes import follow, games
from slow_play import (
    legal_action,
    same,
    wayward,
)

from rummyzoo.envs.single import SingleEnv


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "save", "save to a file"])
@pytest.mark.parametrize("opponent", ["random", wayward])
@games
def test_copies(game: str, opponent: Any, way: str, tmp_path: Any) -> None:
    options: dict[str, Any] = {"opponents": opponent, "num_players": 2, "target": 100}
    options |= about(game).SHORT
    env = SingleEnv(game, **options)
    rng = np.random.default_rng(0)
    info = env.reset(seed=4)[1]
    for _ in range(20):
        info = env.step(legal_action(info, rng))[-1]
    if way == "deepcopy":
        other = copy.deepcopy(env)
    elif way == "pickle":
        other = pickle.loads(pickle.dumps(env))
    else:
        other = SingleEnv(game, **options)
        kept = env.save(tmp_path / "moment" if "file" in way else None)
        other.restore(tmp_path / "moment" if "file" in way else kept)
    before = env.learners.states.copy()
    np.testing.assert_array_equal(other.action_masks(), env.action_masks())
    same(follow(other, 7), follow(copy.deepcopy(env), 7))
    assert (env.learners.states == before).all()


@games
def test_restore_refuses_what_does_not_fit(game: str) -> None:
    env = SingleEnv(game, opponents="random")
    env.reset(seed=0)
    kept = env.save()
    with pytest.raises(ValueError, match="save"):
        env.restore(b"something else")
    with pytest.raises(ValueError, match="cut off"):
        env.restore(kept[:-1])
    with pytest.raises(ValueError, match="rules"):
        SingleEnv(game, opponents="random", target=77).restore(kept)
    with pytest.raises(ValueError, match="opponents"):
        SingleEnv(game, opponents="greedy").restore(kept)
