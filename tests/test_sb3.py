"""Stable-Baselines3 and sb3-contrib on the environments for learners."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from about import about
from gymnasium.error import ResetNeeded
from slow_play import GAMES_AND_PLAYERS, GAMES_AND_RULES, same, wayward

from rummyzoo.envs import read_record, record_games
from rummyzoo.envs.episode import FACTS
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.single import SingleEnv

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecCheckNan, VecMonitor

from rummyzoo.agents.sb3 import RummyVecEnv

games = pytest.mark.parametrize("game", GAMES)


class CountIllegal(BaseCallback):
    """Counts the episodes that ended, and those that ended by an illegal action."""

    def __init__(self) -> None:
        super().__init__()
        self.ends = self.illegal = 0

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            self.ends += "episode" in info
            self.illegal += info.get("illegal", 0)
        return True


def small_learner(env: Any, policy: str = "MlpPolicy") -> MaskablePPO:
    return MaskablePPO(
        policy, env, n_steps=64, batch_size=256, n_epochs=2, learning_rate=1e-3, seed=0,
        policy_kwargs={"net_arch": [64]},
    )  # fmt: skip


@pytest.mark.parametrize("mask_in", ["info", "observation"])
@pytest.mark.parametrize(("game", "players"), GAMES_AND_PLAYERS)
def test_check(game: str, players: int, mask_in: str) -> None:
    check_env(SingleEnv(game, opponents="random", num_players=players, mask_in=mask_in))


@pytest.mark.parametrize("mask_in", ["info", "observation"])
@pytest.mark.parametrize(("game", "rules"), GAMES_AND_RULES)
def test_same_as_single_tables(game: str, rules: dict[str, Any], mask_in: str) -> None:
    options: dict[str, Any] = {"opponents": {"greedy": 1, "random": 1}, "mask_in": mask_in, **rules}
    many = RummyVecEnv(game, 4, **options)
    each = DummyVecEnv([lambda: Monitor(SingleEnv(game, **options))] * 4)
    assert many.observation_space == each.observation_space
    assert many.action_space == each.action_space
    many.seed(3)
    each.seed(3)
    same(many.reset(), dict_of(each.reset()))
    same([info["seat"] for info in many.reset_infos], [info["seat"] for info in each.reset_infos])
    rng = np.random.default_rng(0)
    ends = 0
    for n in range(300):
        masks = get_action_masks(many)
        same(masks, get_action_masks(each))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        if n % 90 == 50:
            actions[1] = np.argmin(masks[1])
        ours, theirs = many.step(actions), each.step(actions)
        same(ours[:3], (dict_of(theirs[0]), *theirs[1:3]))
        for done, own, other in zip(ours[2], ours[3], theirs[3], strict=True):
            ends += int(done)
            assert not own or done
            if done:
                assert {name: own[name] for name in FACTS} == {name: other[name] for name in FACTS}
                same(own["terminal_observation"], other["terminal_observation"])
                assert own["TimeLimit.truncated"] == other["TimeLimit.truncated"]
                for what in "rl":
                    assert own["episode"][what] == pytest.approx(other["episode"][what])
    assert ends > 5


def dict_of(observation: Any) -> Any:
    return dict(observation) if isinstance(observation, dict) else observation


@games
def test_questions_of_wrappers(game: str) -> None:
    env = RummyVecEnv(game, 4, opponents="random", seed=1)
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(VecCheckNan(env))
    assert masks.dtype == np.bool_
    same(masks, env.learners.masks.astype(bool))
    same(env.env_method("action_masks", indices=[2, 0]), masks[[2, 0]])
    same(env.env_method("action_masks", indices=2), masks[[2]])
    assert env.env_is_wrapped(Monitor) == [True] * 4
    assert env.env_is_wrapped(VecMonitor, indices=[1]) == [False]
    assert env.get_attr("rules", indices=[0, 1]) == [env.rules] * 2
    assert env.get_attr("render_mode") == [None] * 4
    assert not env.has_attr("no such thing")
    assert env.env_method("set_opponents", "greedy") == [None] * 4
    assert env.learners.opponents.agents[0].name == "greedy"
    env.set_attr("remark", "seen")
    assert env.get_attr("remark", 3) == ["seen"]
    # Two that are not seeded are not the same; two that are, are.
    first, second = (RummyVecEnv(game, 4, opponents="random").reset() for _ in range(2))
    assert not np.array_equal(first, second)
    same(env.observation_space, RummyVecEnv(game, 2, opponents="random").observation_space)
    same(*(RummyVecEnv(game, 4, opponents="random", seed=1).reset() for _ in range(2)))


@games
def test_learning_never_acts_illegally(game: str) -> None:
    """With all actions that the game has, against players in and outside the kernels."""
    options: dict[str, Any] = {"num_players": 2, "target": None, **about(game).SHORT}
    env = RummyVecEnv(game, 16, opponents="greedy", seed=0, **options)
    count = CountIllegal()
    model = small_learner(env)
    model.learn(2 * 16 * 64, callback=count)
    assert count.ends > 20
    assert count.illegal == 0
    env.set_opponents({"random": 1, wayward: 1})
    model.learn(16 * 64, callback=count, reset_num_timesteps=False)
    assert count.illegal == 0
    assert model.ep_info_buffer is not None
    assert {"r", "l", "t"} == set(model.ep_info_buffer[0])


@games
def test_learning_from_dicts(game: str) -> None:
    options: dict[str, Any] = {"num_players": 2, "target": None, **about(game).SHORT}
    env = RummyVecEnv(game, 8, opponents="random", mask_in="observation", **options)
    count = CountIllegal()
    small_learner(env, "MultiInputPolicy").learn(8 * 64, callback=count)
    assert count.illegal == 0


def all_legal(locals_: dict[str, Any], _: dict[str, Any]) -> None:
    assert not locals_["info"].get("illegal", 0)


@games
def test_evaluation(game: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"opponents": "greedy", "num_players": 2, "target": None}
    options |= about(game).SHORT
    train = RummyVecEnv(game, 8, seed=0, **options)
    model = small_learner(train)
    single = SingleEnv(game, **options)
    with pytest.warns(UserWarning, match="Monitor"):
        evaluate_policy(model, single, 4, callback=all_legal)
    for env in (
        Monitor(single),
        DummyVecEnv([lambda: Monitor(SingleEnv(game, **options))] * 2),
        RummyVecEnv(game, 3, seed=0, **options),
    ):
        rewards, lengths = evaluate_policy(
            model, env, 7, callback=all_legal, return_episode_rewards=True
        )
        assert isinstance(rewards, list)
        assert isinstance(lengths, list)
        assert len(rewards) == 7
        assert min(lengths) > 1
    held_out = RummyVecEnv(game, 3, seed=0, **options)
    watch = MaskableEvalCallback(
        held_out, eval_freq=32, n_eval_episodes=6, log_path=str(tmp_path), verbose=0
    )
    model.learn(8 * 64, callback=watch)
    assert len(np.load(tmp_path / "evaluations.npz")["timesteps"]) == 2


@pytest.mark.slow
@games
def test_other_processes(game: str) -> None:
    """Workers that start afresh, as on Windows and macOS."""
    options: dict[str, Any] = {"opponents": "greedy", "num_players": 2, "target": None}
    options |= about(game).SHORT
    make = partial(SingleEnv, game, **options)
    envs = SubprocVecEnv([partial(monitored, make)] * 2, start_method="spawn")
    here = DummyVecEnv([partial(monitored, make)] * 2)
    try:
        model = small_learner(here)
        assert is_masking_supported(envs)
        results = []
        for env in (envs, here):
            env.seed(5)
            rewards, _ = evaluate_policy(
                model, env, 6, callback=all_legal, return_episode_rewards=True
            )
            results.append(rewards)
        assert results[0] == results[1]
    finally:
        envs.close()


def monitored(make: Any) -> Monitor[Any, Any]:
    return Monitor(make())


@games
def test_step_before_reset(game: str) -> None:
    env = RummyVecEnv(game, 2, seed=1)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
        env.step(np.array([1, 1]))


@games
def test_games_are_recorded(game: str, tmp_path: Path) -> None:
    def play(envs: RummyVecEnv) -> list[Any]:
        rng = np.random.default_rng(1)
        seen: list[Any] = [np.array(envs.reset()).tolist()]
        for _ in range(60):
            actions = [int(rng.choice(np.flatnonzero(mask))) for mask in envs.action_masks()]
            observations, rewards, dones, _ = envs.step(np.array(actions))
            seen.append((np.array(observations).tolist(), rewards.tolist(), dones.tolist()))
        envs.close()
        return seen

    options: dict[str, Any] = {"seed": 3, "target": None, **about(game).SHORT}
    plain = play(RummyVecEnv(game, 3, **options))
    folder = tmp_path / "games"
    assert play(record_games(RummyVecEnv(game, 3, **options), folder, tables=2)) == plain
    records = [read_record(path) for path in sorted(folder.iterdir())]
    assert sum(record.over == "match" for record in records) >= 2
    assert all(record.players.count("learner") == 1 for record in records)
