"""How fast MaskablePPO trains on the native VecEnv and on the PettingZoo environment: training.md.

The same algorithm, policy, network and batch, one torch thread: those of ``train.py``, and a small
plain network. The second arm plays the learner's seat of an AEC environment in a DummyVecEnv, with
the same opponents asked one by one, which is what one writes without a vector environment.
"""

import argparse
import platform
import time
from collections.abc import Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from rummyzoo.agents import View, load
from rummyzoo.agents.learned import make_network
from rummyzoo.agents.sb3 import RummyVecEnv
from rummyzoo.agents.selfplay import NetworkPolicy, SmallBuffer
from rummyzoo.envs import rummy500_v0
from rummyzoo.envs.games import load_game
from rummyzoo.envs.setting import setting

HERE = Path(__file__).parent
RULES: dict[str, Any] = {"target": None, "jokers_per_deck": 0}
STEPS = 40
SETTINGS = ((2, "random"), (2, "greedy"), (4, "greedy"))
NETWORKS = (("suits", 128), ("mlp", 64))


class Seat(gymnasium.Env[np.ndarray, np.int64]):
    """One seat of the AEC environment; a player has the other seats."""

    def __init__(self, opponent: str, players: int) -> None:
        self.env = rummy500_v0.raw_env(num_players=players, **RULES)
        self.players = players
        spaces: Any = self.env.observation_space("player_0")
        self.observation_space = spaces["observation"]
        self.action_space = self.env.action_space("player_0")
        self.setting = setting("rummy500", self.env.rules)
        self.opponent = load(opponent, "rummy500", self.env.rules)
        self.rng = np.random.default_rng(0)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[np.ndarray, Any]:
        while True:  # a hand may be over before the learner is to act
            self.env.reset(seed=seed)
            self.learner = f"player_{self.rng.integers(self.players)}"
            observation, _, terminated, truncated, _ = self.play_on()
            if not (terminated or truncated):
                return observation, {}
            seed = None

    def step(self, action: np.int64) -> tuple[np.ndarray, float, bool, bool, Any]:
        self.env.step(int(action))
        return self.play_on()

    def play_on(self) -> tuple[np.ndarray, float, bool, bool, Any]:
        env = self.env
        while env.agent_selection != self.learner and not env.terminations[self.learner]:
            seat = int(env.agent_selection[-1])
            view = View(self.setting, env._states, 0, seat)
            env.step(self.opponent.act(view, self.rng))
        seen = env.observe(self.learner)
        self.mask = seen["action_mask"]
        over = env.terminations[self.learner], env.truncations[self.learner]
        reward = env._cumulative_rewards[self.learner]
        return seen["observation"], reward, *over, {}

    def action_masks(self) -> np.ndarray:
        return self.mask.astype(bool)


def fps(env: VecEnv, rules: Any, network: tuple[str, int], steps: int) -> float:
    """Steps per second of `learn`, after a first rollout."""
    torch.manual_seed(0)
    model = MaskablePPO(
        NetworkPolicy,
        env,
        policy_kwargs={"network": make_network(setting("rummy500", rules), *network)},
        rollout_buffer_class=SmallBuffer,
        n_steps=STEPS,
        batch_size=2048,
        n_epochs=2,
        seed=0,
        device="cpu",
    )
    model.learn(STEPS * env.num_envs)
    before, start = model.num_timesteps, time.perf_counter()
    model.learn(steps, reset_num_timesteps=False)
    return float((model.num_timesteps - before) / (time.perf_counter() - start))


def alone(env: VecEnv, seconds: float) -> float:
    """Steps per second of the environment with its masks, without learning."""
    env.reset()
    count, start = 0, time.perf_counter()
    while (now := time.perf_counter()) < start + seconds:
        env.step(get_action_masks(env).argmax(1))
        count += env.num_envs
    return count / (now - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--num-envs", type=int, default=256)
    parser.add_argument("--steps", type=int, default=100_000, help="timed steps of each arm")
    parser.add_argument("--out", type=Path, default=HERE / "training.md")
    args = parser.parse_args()
    torch.set_num_threads(1)
    n = args.num_envs
    names = ("native VecEnv", "AEC in DummyVecEnv")
    rows: list[tuple[str, float, float]] = []
    for players, opponent in SETTINGS:
        rules = load_game("rummy500").make_rules(num_players=players, **RULES)

        def arms(players: int = players, opponent: str = opponent) -> Iterator[VecEnv]:
            yield RummyVecEnv(
                "rummy500", n, opponents=opponent, seed=0, num_players=players, **RULES
            )
            yield DummyVecEnv([lambda: Seat(opponent, players)] * n)

        what = f"{players} players, {opponent}"
        for network in NETWORKS:
            ours, theirs = (fps(env, rules, network, args.steps) for env in arms())
            rows.append((f"{what}: {network[0]}, {network[1]} wide", ours, theirs))
            print(rows[-1], flush=True)
        ours, theirs = (alone(env, 3.0) for env in arms())
        rows.append((f"{what}: environment alone", ours, theirs))
        print(rows[-1], flush=True)
    made_with = ("stable-baselines3", "sb3-contrib", "torch", "pettingzoo")
    packages = ", ".join(f"{name} {version(name)}" for name in made_with)
    lines = [
        "# Training speed",
        "",
        f"Made by `python benchmarks/training.py` on {date.today()}; {platform.machine()}, one",
        f"torch thread, Python {platform.python_version()}, {packages}.",
        "",
        "MaskablePPO with `NetworkPolicy` and `SmallBuffer` in both arms, Rummy 500 without",
        f"jokers, one hand an episode; {n} tables, {STEPS} steps a rollout, batches of 2048, two",
        "epochs; the learner's steps per second. `train.py` learns with `suits`, 128 wide.",
        "",
        "| | " + " | ".join(names) + " | ratio |",
        "|---|---|---|---|",
    ]
    for name, ours, theirs in rows:
        lines.append(f"| {name} | {ours:,.0f} | {theirs:,.0f} | {ours / theirs:.1f} |")
    args.out.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
