"""Many tables at once as a vectorised environment of Stable-Baselines3, masks included.

    from sb3_contrib import MaskablePPO
    envs = RummyVecEnv("rummy500", 256, opponents="random", target=None)
    MaskablePPO("MlpPolicy", envs).learn(1_000_000)

Nothing else is needed: sb3-contrib asks for the masks of all tables at once and gets them without a
call per table, and every episode is reported as by a ``Monitor`` (``info["episode"]``). To
evaluate, use ``sb3_contrib.common.maskable.evaluation.evaluate_policy``: the function of that name
in Stable-Baselines3 plays without masks.
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from ..envs.episode import CUT_OFF, FACTS, RUNNING
from ..envs.learner import Learners, spaces
from ..envs.numbers import check_seed


class RummyVecEnv(VecEnv):
    """One learner at each of many tables.

    A step that ends an episode returns the first observation of the next; its info has
    ``terminal_observation``, ``TimeLimit.truncated``, ``episode`` (rewards ``r``, decisions ``l``,
    seconds ``t`` since the start) and the numbers that `SingleEnv` has in its info. Methods and
    attributes asked for by `env_method` and `get_attr` are this object's own.

    Args:
        game: the name of a game.
        num_envs: how many tables.
        seed: of the first episodes, table `i` getting ``seed + i``.
        opponents, seat, reward, shaping, discount, skip_forced, mask_in, preset, rules: see
            `rummyzoo.envs.single.SingleEnv`.

    Raises:
        ValueError: an option or an opponent that there is not, or a value that is not possible.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        opponents: Any = "greedy",
        seat: int | str = "random",
        seed: int | None = None,
        reward: str = "points",
        shaping: bool = False,
        discount: float = 1.0,
        skip_forced: bool = False,
        mask_in: str = "info",
        preset: str | None = None,
        **rules: Any,
    ) -> None:
        self.learners = Learners(
            game,
            num_envs,
            opponents=opponents,
            seat=seat,
            reward=reward,
            shaping=shaping,
            discount=discount,
            skip_forced=skip_forced,
            same_step=True,
            preset=preset,
            rules=rules,
        )
        self.mask_in, self.render_mode, self.spec = mask_in, None, None
        super().__init__(num_envs, *spaces(self.learners, mask_in))
        self.seed(int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed)
        self._actions: Any = None
        self._begun = False
        self._start = time.time()

    @property
    def rules(self) -> Any:
        """The rules, a ``Rules`` tuple of the game."""
        return self.learners.setting.rules

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the episodes that the next `reset` begins: table `i` with ``seed + i``.

        Raises:
            ValueError: a seed that is not possible.
        """
        return super().seed(None if seed is None else check_seed(seed))

    def reset(self) -> Any:
        """Begin new episodes at all tables; returns the observations."""
        self.learners.seed(self._seeds)
        self.learners.reset()
        self._begun = True
        self._reset_seeds()
        self._reset_options()
        facts = self.learners.facts[0].tolist()
        self.reset_infos = [dict(zip(FACTS, row, strict=True)) for row in facts]
        return self._observations()

    def step_async(self, actions: np.ndarray) -> None:
        """Take the actions, int (n,)."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Play them; returns observations, rewards (float32), dones, infos."""
        if not self._begun:
            raise ResetNeeded("call reset() before step(): no episode is under way")
        learners = self.learners
        learners.step(self._actions)
        dones = learners.ended != RUNNING
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones).tolist():
            infos[i] = self._last_info(i)
        rewards = learners.rows["reward"].astype(np.float32)
        return self._observations(), rewards, dones, infos

    def _last_info(self, i: int) -> dict[str, Any]:
        row = self.learners.rows[i]
        observation: Any = self.learners.last[i].copy()
        if self.mask_in == "observation":
            mask = np.zeros(self.learners.num_actions, np.int8)
            observation = {"observation": observation, "action_mask": mask}
        return {
            **dict(zip(FACTS, self.learners.facts[1, i].tolist(), strict=True)),
            "terminal_observation": observation,
            "TimeLimit.truncated": bool(row["ended"] == CUT_OFF),
            "episode": {
                "r": round(float(row["last_total"]), 6),
                "l": int(row["last_length"]),
                "t": round(time.time() - self._start, 6),
            },
        }

    def _observations(self) -> Any:
        observations = self.learners.observations.copy()
        if self.mask_in == "info":
            return observations
        return {"observation": observations, "action_mask": self.learners.masks.copy()}

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool of shape (n, actions)."""
        return self.learners.masks.astype(bool)

    def set_opponents(self, opponents: Any) -> None:
        """Change who plays the other seats, from the next episode of each table on."""
        self.learners.set_opponents(opponents)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> Any:
        """Call a method of this object, once for all tables; the masks are given row by row."""
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        chosen = list(self._get_indices(indices))
        if method_name == "action_masks":
            return result if indices is None else result[chosen]
        return [result for _ in chosen]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of this object, once for each table."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of this object."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """True for ``Monitor``, whose work is done here, and false for all other wrappers."""
        done = issubclass(wrapper_class, Monitor)
        return [done] * len(list(self._get_indices(indices)))

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Nothing: tables for training are not drawn."""
        return [None] * self.num_envs

    def close(self) -> None:
        """Close the records, if there are any; the tables can still be used."""
        self.learners.record(None)
