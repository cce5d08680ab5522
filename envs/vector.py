"""Many tables at once as a Gymnasium vector environment: each with a learner among opponents.

    envs = RummyVectorEnv("rummy500", 1024, opponents="random", target=None)
    observations, infos = envs.reset(seed=7)
    masks = infos["action_mask"]  # int8 (n, actions); also envs.action_masks(), bool

It does what as many `rummyzoo.envs.single.SingleEnv` would do, card for card, table `i` being
seeded with ``seed + i``; the opponents play within the one call that steps all tables.

**New episodes** begin as Gymnasium's vector environments do it. ``NEXT_STEP``: the step after the
end of an episode ignores the action and returns the first observation of the next, with a reward of
0; the mask before it is all zero. ``SAME_STEP``: the step that ends an episode returns the first
observation of the next, while ``infos["final_obs"]`` and ``infos["final_info"]`` hold those of the
end. ``DISABLED``: with ``reset(options={"reset_mask": ...})``.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .episode import FACTS, RUNNING
from .learner import Learners, spaces
from .numbers import check_seed
from .render import table_text
from .rules import check_name

RENDER_MODES = ("ansi",)


class RummyVectorEnv(VectorEnv[Any, Any, np.ndarray]):
    """One learner at each of many tables (see the top of this module).

    Args:
        game: the name of a game.
        num_envs: how many tables.
        seed: used by the first `reset` without a seed.
        autoreset_mode: how new episodes begin: an ``AutoresetMode`` or its value, such as
            ``"SameStep"``.
        opponents, seat, reward, shaping, discount, skip_forced, mask_in, preset, rules: see
            `rummyzoo.envs.single.SingleEnv`.
        render_mode: ``"ansi"`` or None.

    Raises:
        ValueError: an option or an opponent that there is not, or a value that is not possible.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        opponents: Any = "greedy",
        seat: int | str = "random",
        seed: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        reward: str = "points",
        shaping: bool = False,
        discount: float = 1.0,
        skip_forced: bool = False,
        mask_in: str = "info",
        render_mode: str | None = None,
        preset: str | None = None,
        **rules: Any,
    ) -> None:
        if render_mode is not None:
            check_name("render mode", render_mode, RENDER_MODES)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.learners = Learners(
            game,
            num_envs,
            opponents=opponents,
            seat=seat,
            reward=reward,
            shaping=shaping,
            discount=discount,
            skip_forced=skip_forced,
            same_step=self.autoreset_mode == AutoresetMode.SAME_STEP,
            preset=preset,
            rules=rules,
        )
        self.num_envs = num_envs = self.learners.num_envs
        self.mask_in, self.render_mode = mask_in, render_mode
        self.metadata = {"render_modes": list(RENDER_MODES), "autoreset_mode": self.autoreset_mode}
        self.single_observation_space, self.single_action_space = spaces(self.learners, mask_in)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._first_seed = None if seed is None else check_seed(seed)
        self._begun = False

    @property
    def rules(self) -> Any:
        """The rules, a ``Rules`` tuple of the game."""
        return self.learners.setting.rules

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new episodes at all tables.

        Args:
            seed: table `i` gets ``seed + i``; or one seed or None for each table. Without one the
                chance of each table goes on.
            options: ``"reset_mask"``, bool (n,): begin at these tables only.

        Raises:
            ValueError: seeds or a mask that are not possible.
        """
        n = self.num_envs
        if seed is None and not self._begun:
            seed = self._first_seed
        seeds = self._seeds(seed)
        if not self._begun:
            drawn = self.np_random.integers(1 << 63, size=n).tolist()
            seeds = [d if s is None else s for s, d in zip(seeds, drawn, strict=True)]
        where = (options or {}).get("reset_mask")
        if where is not None:
            if not isinstance(where, np.ndarray) or where.shape != (n,) or where.dtype != np.bool_:
                raise ValueError(f"reset_mask is a bool array of shape ({n},)")
            if not self._begun and not where.all():
                raise ResetNeeded("call reset() for all tables before resetting some of them")
            seeds = [s if w else None for s, w in zip(seeds, where, strict=True)]
        self.learners.seed(seeds)
        self.learners.reset(where)
        self._begun = True
        return self._observations(), self._infos(0, np.ones(n, bool) if where is None else where)

    def _seeds(self, seed: Any) -> list[int | None]:
        """A seed for each table, or None where its chance goes on."""
        n = self.num_envs
        if seed is None:
            return [None] * n
        if isinstance(seed, list | tuple | range) or np.ndim(seed) == 1:
            seeds = [None if s is None else check_seed(s) for s in seed]
            if len(seeds) != n:
                raise ValueError(
                    f"a list of seeds has one for each of the {n} tables, not {len(seeds)}"
                )
            return seeds
        first = check_seed(seed)
        super().reset(seed=first)
        return list(range(first, first + n))

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play an action at each table, and everything up to the learners' next decisions.

        Returns:
            Observations, rewards (float64), terminations, truncations (bool) and infos; arrays of
            (n, ...), which later steps leave alone.

        Raises:
            ResetNeeded: before the first `reset`; with ``DISABLED``, if an episode is over.
            ValueError: other than one whole number for each table.
        """
        learners = self.learners
        if not self._begun:
            raise ResetNeeded("call reset() before step()")
        if self.autoreset_mode == AutoresetMode.DISABLED and learners.rows["end"].any():
            raise ResetNeeded("episodes are over: reset(options={'reset_mask': ...}) begins others")
        learners.step(actions)
        infos = self._infos(0, np.ones(self.num_envs, bool))
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            ended = learners.ended != RUNNING
            if ended.any():
                infos |= self._final(ended)
        return (
            self._observations(),
            learners.rows["reward"].copy(),
            learners.terminated,
            learners.truncated,
            infos,
        )

    def _observations(self) -> Any:
        observations = self.learners.observations.copy()
        if self.mask_in == "info":
            return observations
        return {"observation": observations, "action_mask": self.learners.masks.copy()}

    def _infos(self, when: int, where: np.ndarray) -> dict[str, Any]:
        """The facts of the tables as they are (0) or as the last episodes ended (1)."""
        facts = self.learners.facts[when].T.copy()
        masks = self.learners.masks.copy() if when == 0 else np.zeros_like(self.learners.masks)
        infos: dict[str, Any] = {"action_mask": masks, "_action_mask": where}
        for name, column in zip(FACTS, facts, strict=True):
            infos[name], infos["_" + name] = column, where
        return infos

    def _final(self, ended: np.ndarray) -> dict[str, Any]:
        """What is told of episodes that ended in a step that has begun others."""
        final: Any = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended).tolist():
            final[i] = self.learners.last[i].copy()
            if self.mask_in == "observation":
                mask = np.zeros(self.learners.num_actions, np.int8)
                final[i] = {"observation": final[i], "action_mask": mask}
        infos = self._infos(1, ended)
        for name in FACTS:
            infos[name] *= ended
        return {
            "final_obs": final,
            "_final_obs": ended,
            "final_info": infos,
            "_final_info": ended,
        }

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool of shape (n, actions); none where an episode is over."""
        return self.learners.masks.astype(bool)

    def action_texts(self) -> list[str]:
        """The actions as text, by number."""
        return list(self.learners.setting.actions)

    def set_opponents(self, opponents: Any) -> None:
        """Change who plays the other seats, from the next episode of each table on."""
        self.learners.set_opponents(opponents)

    def render(self) -> tuple[Any, ...] | None:
        """The tables as text, each as its learner sees it; None without a `render_mode`."""
        if self.render_mode is None:
            return None
        if not self._begun:
            raise ResetNeeded("call reset() before render()")

        learners, where = self.learners, self.learners.setting
        return tuple(
            table_text(where.game, learners.states, i, where.kits, where.rules, seat)
            for i, seat in enumerate(learners.rows["seat"].tolist())
        )

    def close_extras(self, **kwargs: Any) -> None:
        """Close the records, if there are any."""
        self.learners.record(None)

    def save(self, path: str | Path | None = None) -> bytes:
        """This moment of all tables and their chance as bytes, also written to a file if wanted."""
        if not self._begun:
            raise ResetNeeded("call reset() before save()")
        return self.learners.save(path)

    def restore(self, source: bytes | str | Path) -> None:
        """Go on from a moment that `save` kept, here or in an environment made alike.

        Raises:
            ValueError: it was not made by `save`, or by an environment with other arguments.
        """
        self.learners.restore(source)
        self._begun = True
