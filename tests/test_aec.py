"""The PettingZoo environment: its API, spaces, resets, and what it needs; for every game."""

import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from aec_envs import (  # noqa: F401
    games,
    masks,
    module_of,
    play,
    quiet,
    raw_env,
    tables,
)
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict
from pettingzoo.test import api_test, seed_test

from rummyzoo.envs import GAMES, RulesError, load_game, registration
from rummyzoo.envs.aec import CardTableEnv
from rummyzoo.envs.wrappers import Checked


@tables
@masks
def test_api(game: str, players: int, mask_in: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = module_of(game).env(num_players=players, target=None, mask_in=mask_in)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=60)
    assert "Passed" in capsys.readouterr().out
    told = {str(warning.message) for warning in caught}
    if mask_in == "observation":  # of these two PettingZoo excepts only its own environments
        told.discard("Observation is not a NumPy array")
        told -= {text for text in told if "probably should be gymnasium.spaces.box" in text}
    assert not told


@tables
def test_seeds(game: str, players: int) -> None:
    seed_test(lambda: module_of(game).env(num_players=players, target=None), num_cycles=60)


@tables
def test_spaces_names_and_metadata(game: str, players: int) -> None:
    env = module_of(game).env(num_players=players)
    name = f"{load_game(game).ENVIRONMENT}_v{load_game(game).VERSION}"
    assert str(env) == str(env.unwrapped) == env.metadata["name"] == name
    assert env.possible_agents == [f"player_{seat}" for seat in range(players)]
    assert env.metadata["is_parallelizable"] is False
    assert {"ansi", "rgb_array", "human"} == set(env.metadata["render_modes"])
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert isinstance(space, Dict)
        assert list(space) == ["action_mask", "observation"]
        assert all(isinstance(part, Box) and part.dtype == np.int8 for part in space.values())
        assert space is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert space["action_mask"].shape == (env.action_space(agent).n,)
    plain = CardTableEnv(game, mask_in="info", num_players=players)
    assert plain.observation_space("player_0") == space["observation"]


def test_registries() -> None:
    assert sorted(game for game, _ in registration.NAMES.values()) == sorted(GAMES)
    before = dict(gymnasium.registry)
    registration.register()  # a second time, quietly
    assert gymnasium.registry == before
    for module, (game, title) in registration.NAMES.items():
        name, version = module.split("_v")
        assert (name, int(version)) == (load_game(game).ENVIRONMENT, load_game(game).VERSION)
        spec = gymnasium.spec(f"rummyzoo/{title}-v{version}")
        assert spec.max_episode_steps is None
        assert spec.kwargs == {"game": game}
        assert spec.vector_entry_point is not None
        if hasattr(pettingzoo, "make"):
            env = pettingzoo.make("aec", f"rummyzoo/{name}-v{version}", target=None)
            assert isinstance(env, Checked)
            assert env.unwrapped.rules.target is None


@games
def test_unknown_options_are_refused(game: str) -> None:
    module = module_of(game)
    with pytest.raises(RulesError, match="did you mean 'render_mode'"):
        module.env(rendr_mode="ansi")
    with pytest.raises(RulesError, match="did you mean 'num_players'"):
        module.raw_env(num_player=2)
    with pytest.raises(RulesError, match="there is no reward 'score'"):
        module.raw_env(reward="score")
    with pytest.raises(RulesError, match="mask_in"):
        module.raw_env(mask_in="both")
    with pytest.raises(ValueError, match="render_seat=2"):
        module.raw_env(render_seat=2, num_players=2)


# --- resets ---


@games
def test_options_survive_resets(game: str) -> None:
    options = {"num_players": 2, "target": None, "max_turns": 9, "hand_size": 6}
    env = module_of(game).env(reward="win", mask_in="info", **options)
    rng = np.random.default_rng(0)
    for seed in (1, None, 2, None, None):
        env.reset(seed=seed, options={"num_players": 4})
        assert isinstance(env.observe("player_0"), np.ndarray)
        assert env.unwrapped._states["hand_size"][0, :2].tolist() == [6, 6]
        for name, value in options.items():
            assert getattr(env.unwrapped.rules, name) == value
        play(env, 5000, rng)
        assert env.infos["player_0"]["turns"] <= 9
        assert sum(env.rewards.values()) == 0
        assert set(map(abs, env.rewards.values())) <= {0, 1}


@games
def test_resets_go_on_from_the_seed(game: str) -> None:
    def deals(env: CardTableEnv, seed: int | None) -> list[bytes]:
        env.reset(seed=seed)
        made = [env.state().tobytes()]
        for _ in range(3):
            play(env, 30, np.random.default_rng(0))
            env.reset()
            made.append(env.state().tobytes())
        return made

    one, other = raw_env(game), raw_env(game)
    first = deals(one, 1)
    assert len(set(first)) == 4
    assert deals(other, 1) == first
    assert deals(one, 1) == first
    assert len({deals(one, seed)[0] for seed in range(10)}) == 10
    assert deals(raw_env(game), None)[0] != deals(raw_env(game), None)[0]
    other.reset(seed=np.int64(1))  # type: ignore[arg-type]
    assert other.state().tobytes() == first[0]


# --- before a reset, and without a display ---


@games
def test_before_reset(game: str) -> None:
    env = raw_env(game, render_mode="ansi")
    for name in ("agents", "rewards", "agent_selection"):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(env, name)
    with pytest.raises(AttributeError, match="no attribute 'agentz'"):
        env.agentz  # noqa: B018
    with pytest.raises(AttributeError, match="before reset"):
        env.step(0)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.observe("player_0")
    with pytest.raises(ResetNeeded, match="call reset"):
        env.render()
    env.close()
    env.close()


@pytest.mark.slow
@games
def test_play_needs_no_pygame_and_no_display(game: str) -> None:
    code = f"""
import sys, importlib
env = importlib.import_module("rummyzoo.envs.{module_of(game).__name__.split(".")[-1]}").env(
    target=None, render_mode="ansi")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, _, terminated, truncated, _ = env.last()
    over = terminated or truncated
    env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert isinstance(env.render(), str)
assert not {{"pygame", "torch"}} & set(sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
