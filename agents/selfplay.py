"""Training with Stable-Baselines3: a network as its policy, a small buffer, a pool of opponents.

    envs = RummyVecEnv("rummy500", 256, opponents="greedy", target=None, skip_forced=True)
    model = MaskablePPO(
        NetworkPolicy, envs, policy_kwargs={"network": network}, rollout_buffer_class=SmallBuffer
    )
    model.learn(1_000_000, callback=OpponentPool({"self": 0.8, "greedy": 0.2}))

`NetworkPolicy` and `SmallBuffer` do what MaskablePPO's own do, in half the time: they look at
the legal actions only, and keep masks as bytes.
"""

import copy
import io
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from torch import Tensor
from tqdm import tqdm  # type: ignore[import-untyped]

from ..envs.setting import Setting
from . import load
from .evaluate import duel
from .learned import (
    LearnedAgent,
    Network,
    log_shares,
    make_network,
    pick_best,
    pick_by_lot,
    policy_bytes,
)
from .lessons import lessons
from .runs import load_checkpoint, save_checkpoint, write, write_curve

SELF = "self"
"""The name by which a mix of opponents speaks of the learner's own earlier selves."""


class NetworkPolicy(MaskableActorCriticPolicy):
    """A `Network` as the policy of MaskablePPO.

    Args:
        network: used as it is, so that it may have been trained before.
        others: those of `MaskableActorCriticPolicy`.
    """

    network: Network

    def __init__(self, *others: Any, network: Network, **options: Any) -> None:
        self._given = [network]  # in a list: modules cannot be set before the constructor ran
        super().__init__(*others, **options)

    def _build(self, lr_schedule: Callable[[float], float]) -> None:
        self.network = self._given[0]
        del self._given
        optimizer: Any = self.optimizer_class
        self.optimizer = optimizer(
            self.network.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values and logarithms of the actions' probabilities."""
        latent = self.network.latent(obs)
        masks = torch.as_tensor(action_masks)
        rows, actions, scores = self.network.legal_scores(latent, masks)
        logs = log_shares(scores, rows, len(obs))
        if deterministic:
            places = pick_best(scores, rows, len(obs))
        else:
            places = pick_by_lot(logs, rows, torch.rand(len(obs), dtype=torch.float64))
        return actions[places], self.network.value(latent), logs[places]

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values, logarithms of the actions' probabilities, and the entropies."""
        latent = self.network.latent(obs)
        rows, legal, scores = self.network.legal_scores(latent, action_masks)
        logs = log_shares(scores, rows, len(obs))
        chosen = torch.nonzero(legal == actions[rows])[:, 0]
        entropies = -torch.zeros(len(obs)).index_add(0, rows, logs * logs.exp())
        return self.network.value(latent), logs[chosen], entropies

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """The probabilities of all actions."""
        scores = self.network.all_scores(self.network.latent(obs))
        distribution = self.action_dist.proba_distribution(action_logits=scores)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def predict_values(self, obs: Any) -> Tensor:
        """What is to be expected from each observation."""
        return self.network.value(self.network.latent(obs))


class SmallBuffer(MaskableRolloutBuffer):
    """MaskablePPO's buffer with the masks as bytes, and with arrays that are used again."""

    def reset(self) -> None:
        """Forget what is in it."""
        if not hasattr(self, "mask_dims"):
            super().reset()
            self.action_masks = np.zeros(self.action_masks.shape, np.bool_)
            return
        shape = (self.buffer_size, self.n_envs)
        self.observations = self.observations.reshape(*shape, *self.obs_shape)
        self.action_masks = self.action_masks.reshape(*shape, self.mask_dims)
        self.actions = self.actions.reshape(*shape, self.action_dim)
        for name in ("rewards", "returns", "episode_starts", "values", "log_probs", "advantages"):
            setattr(self, name, np.zeros(shape, np.float32))
        self.generator_ready = False
        self.pos, self.full = 0, False

    @staticmethod
    def swap_and_flatten(arr: np.ndarray) -> np.ndarray:
        """Steps and environments as one axis (in any order: batches are drawn at random)."""
        return arr.reshape(-1, *arr.shape[2:])


class OpponentPool(BaseCallback):
    """Opponents for a learner: its own earlier selves in a fixed share, other players in others.

    Args:
        mix: players and weights, as `rummyzoo.agents.opponents` takes them; the player ``"self"``
            stands for the pool.
        every: rollouts from one snapshot to the next.
        keep: how many of the last snapshots are kept.

    Of the share of ``"self"`` the newest snapshot plays one half and one drawn from the pool the
    other, anew with every fifth rollout. More at a time would cost more calls of smaller networks.
    """

    def __init__(self, mix: Mapping[Any, float], every: int = 20, keep: int = 8) -> None:
        super().__init__()
        self.mix, self.every, self.keep = dict(mix), every, keep
        self.snapshots: list[Network] = []
        self.rollouts = 0
        self.seated = False

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if SELF not in self.mix:
            return
        if self.rollouts % self.every == 0:
            policy: Any = self.model.policy
            self.snapshots.append(copy.deepcopy(policy.network))
            self.snapshots = self.snapshots[-self.keep :]
        if self.rollouts % 5 == 0 or not self.seated:
            self.seat_opponents()
        self.rollouts += 1

    def seat_opponents(self) -> None:
        """Give the environments their opponents of the next rollouts."""
        envs: Any = self.training_env
        where = envs.get_attr("learners")[0].setting
        older = self.snapshots[int(torch.randint(len(self.snapshots), ()))]
        half = self.mix[SELF] / 2
        mix = {player: weight for player, weight in self.mix.items() if player != SELF}
        for network in (self.snapshots[-1], older):
            mix[LearnedAgent(where, network, SELF, sample=True)] = half
        envs.env_method("set_opponents", mix)
        self.seated = True

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps of the pool."""
        tensors = [network.state_dict() for network in self.snapshots]
        return {"rollouts": self.rollouts, "snapshots": tensors}

    def set_state(self, state: Mapping[str, Any], where: Any, spec: Mapping[str, Any]) -> None:
        """Go on from what `state` gave, for networks of the given kind."""
        self.rollouts, self.snapshots = state["rollouts"], []
        for tensors in state["snapshots"]:
            network = make_network(where, **spec)
            network.load_state_dict(tensors)
            self.snapshots.append(network.eval())


class Limits(Protocol):
    """What `Watch` goes by, 0 meaning never: ``minutes`` and ``steps`` (decisions) to train for;
    seconds from one evaluation, or checkpoint, to the next; deals in an evaluation."""

    minutes: float
    steps: int
    eval_every: float
    eval_deals: int
    checkpoint_every: float


class Watch(BaseCallback):
    """Keeps the time of a training run, its checkpoints and its learning curve, and ends it.

    Args:
        folder: of the run.
        where: the game under the rules that the player is measured by.
        pool: the opponents, which checkpoints keep too.
        limits: see `Limits`.
        rivals: whom the learner is measured against.
    """

    def __init__(
        self,
        folder: Path,
        where: Setting,
        pool: OpponentPool,
        limits: Limits,
        rivals: Sequence[str] = ("random", "greedy"),
    ) -> None:
        super().__init__()
        self.folder, self.where, self.pool = folder, where, pool
        self.limits, self.rivals = limits, rivals
        self.curve: list[dict[str, float]] = []
        self.before = 0.0  # seconds of earlier sessions
        self.since: float | None = None
        self.next_eval = self.next_checkpoint = 0.0
        self.done = False

    @property
    def seconds(self) -> float:
        """For how long the run has been trained, with its evaluations."""
        return self.before + (time.monotonic() - self.since if self.since else 0.0)

    @property
    def progress(self) -> float:
        """The share of the run that is done, from 0 to 1."""
        by_time = self.seconds / (60 * self.limits.minutes) if self.limits.minutes else 0.0
        by_steps = self.num_timesteps / self.limits.steps if self.limits.steps else 0.0
        return min(1.0, max(by_time, by_steps))

    @property
    def agent(self) -> LearnedAgent:
        """The player as it is now."""
        policy: Any = self.model.policy
        return LearnedAgent(self.where, policy.network, "learned")

    def _on_training_start(self) -> None:
        self.since = time.monotonic()
        self.next_checkpoint = self.seconds + (self.limits.checkpoint_every or float("inf"))
        self.started_at = self.model.num_timesteps
        shown = "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"
        pause = 0.5 if sys.stderr.isatty() else 30.0
        self.bar = tqdm(total=1.0, desc="training", bar_format=shown, mininterval=pause)
        self.bar.n = self.bar.initial = self.progress

    def _on_rollout_start(self) -> None:
        self.done = self.progress >= 1
        if self.seconds >= self.next_eval and not self.done:
            self.evaluate()
            self.next_eval = self.seconds + (self.limits.eval_every or float("inf"))
        if self.seconds >= self.next_checkpoint:
            self.save()
            self.next_checkpoint = self.seconds + (self.limits.checkpoint_every or float("inf"))
        speed = (self.model.num_timesteps - self.started_at) / max(1e-9, self.seconds - self.before)
        self.bar.set_postfix_str(f"{speed:,.0f} decisions/s", refresh=False)
        self.bar.update(self.progress - self.bar.n)

    def _on_step(self) -> bool:
        return not self.done  # so that every rollout is learned from

    def _on_training_end(self) -> None:
        self.before, self.since = self.seconds, None
        self.bar.close()
        self.save()

    def evaluate(self) -> None:
        """Add a point to the learning curve."""
        if self.curve and self.curve[-1]["decisions"] == self.model.num_timesteps:
            return
        row: dict[str, float] = {"decisions": self.model.num_timesteps}
        row["seconds"] = round(self.seconds, 1)
        for rival in self.rivals:
            rules = self.where.rules._asdict()
            found = duel(
                self.agent, rival, self.where.game.NAME, self.limits.eval_deals, seed=1, **rules
            ).wins
            row |= {rival: found.mean, f"{rival}_low": found.low, f"{rival}_high": found.high}
            self.logger.record(f"eval/{rival}", found.mean)
        self.curve.append({name: round(value, 2) for name, value in row.items()})
        write_curve(self.folder, self.curve)
        self.logger.dump(self.model.num_timesteps)
        won = ", ".join(f"{row[rival]:.1f} % against {rival}" for rival in self.rivals)
        tqdm.write(f"{row['decisions'] / 1e6:6.2f} M decisions: {won}")

    def save(self) -> None:
        """Write a checkpoint, and the player."""
        content = io.BytesIO()
        policy: Any = self.model.policy
        state = {
            "steps": self.model.num_timesteps,
            "seconds": self.seconds,
            "next_eval": self.next_eval,
            "curve": self.curve,
            "network": policy.network.state_dict(),
            "optimizer": policy.optimizer.state_dict(),
            "pool": self.pool.state(),
            "torch": torch.get_rng_state(),
        }
        torch.save(state, content)
        save_checkpoint(self.folder, self.model.num_timesteps, content.getvalue())
        write(self.folder / "policy.safetensors", policy_bytes(self.agent))

    def resume(self, model: Any) -> list[str]:
        """Put a model where the newest good checkpoint left off; says which were left out.

        Raises:
            ValueError: there are checkpoints, but none that is whole.
        """
        content, refused = load_checkpoint(self.folder)
        if refused and content is None:
            raise ValueError(f"no checkpoint in {self.folder} is whole; begin a new run")
        if content is not None:
            state = torch.load(io.BytesIO(content), weights_only=True)
            model.num_timesteps = self.num_timesteps = state["steps"]
            model.policy.network.load_state_dict(state["network"])
            model.policy.optimizer.load_state_dict(state["optimizer"])
            self.pool.set_state(state["pool"], self.where, model.policy.network.spec)
            self.before, self.next_eval = state["seconds"], state["next_eval"]
            self.curve = state["curve"]
            torch.set_rng_state(state["torch"])
        return refused


def imitate(
    network: Network,
    where: Setting,
    teacher: Any = "greedy",
    *,
    decisions: int = 1_000_000,
    rate: float = 1e-3,
    batch: int = 1024,
    block: int = 50_000,
    seed: int = 0,
) -> float:
    """Train a network to do as a teacher does, and to expect what the teacher gets.

    Args:
        network, where: see `make_network`.
        teacher: a player that plays in batches.
        decisions: how many to learn from, each once.
        rate: the learning rate at the beginning; it falls to a twentieth.
        batch, block: decisions to a step, and generated at a time.

    Returns:
        How often the network agrees with the teacher, per cent, on new decisions.
    """
    source = lessons(load(teacher, where.game.NAME, where.rules), where, block, seed)
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    rng = np.random.default_rng(seed)
    network.train()
    pause = 0.5 if sys.stderr.isatty() else 30.0
    bar = tqdm(total=decisions, desc="imitating", unit=" decisions", mininterval=pause)
    while True:
        given = next(source)
        order = rng.permutation(len(given.actions))
        agreed = 0
        for group in optimizer.param_groups:
            group["lr"] = rate * max(0.05, 1 - bar.n / decisions)
        for first in range(0, len(order), batch):
            part = order[first : first + batch]
            latent = network.latent(torch.from_numpy(given.observations[part]))
            masks = torch.from_numpy(given.masks[part])
            rows, legal, scores = network.legal_scores(latent, masks)
            actions = torch.from_numpy(given.actions[part])
            agreed += int((legal[pick_best(scores, rows, len(part))] == actions).sum())
            logs = log_shares(scores, rows, len(part))[legal == actions[rows]]
            error = network.value(latent) - torch.from_numpy(given.returns[part])
            loss = error.square().mean() / 2 - logs.mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        bar.update(len(order))
        bar.set_postfix_str(f"agrees in {100 * agreed / len(order):.1f} %", refresh=False)
        if bar.n >= decisions:
            bar.close()
            return 100 * agreed / len(order)
