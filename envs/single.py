"""A game as a Gymnasium environment for one learner, the other seats being played by opponents.

    env = SingleEnv("rummy500", opponents="random", seat="random", target=None)
    observation, info = env.reset(seed=7)
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

The observation is an int8 vector. The mask of the legal actions is in ``info["action_mask"]``
(int8) and is what `SingleEnv.action_masks` returns (bool, as sb3-contrib wants it); with
``mask_in="observation"`` the observation is a Dict with the mask in it.

A step, its reward, illegal actions, and chance are as described in `rummyzoo.envs.learner`. The
info holds the mask and, under the same keys at all times, the numbers of
`rummyzoo.envs.episode.FACTS`: the learner's ``seat``; ``hands`` that have ended in the match,
``turns`` in this hand; its ``hand_score`` of the last hand that ended, its ``score`` in the match
and the best of the others' (``rival_score``); whether it has ``won`` the match; and whether its
action was ``illegal``.
"""

from operator import index
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import logger
from gymnasium.error import ResetNeeded

from .episode import FACTS, RUNNING
from .learner import Learners, spaces
from .numbers import check_seed
from .picture import Painter
from .render import table_text
from .rules import check_name

RENDER_MODES = ("human", "ansi", "rgb_array")


class SingleEnv(gymnasium.Env[Any, Any]):
    """One learner at one table (see the top of this module).

    Args:
        game: the name of a game.
        opponents: who plays the other seats: a player's name, path, Agent or function; a list of
            these, from the learner's left; or a dictionary of these and weights to draw them by in
            each episode (see `rummyzoo.agents.opponents`).
        seat: the learner's seat, or ``"random"`` for one by lot in each episode.
        reward: ``"points"`` or ``"win"`` (see `rummyzoo.envs.learner`).
        shaping: whether to shape the rewards, with `discount` (likewise).
        discount: the learner's discount; for shaping only.
        skip_forced: whether a move that is the only legal one is made without asking the learner.
        mask_in: ``"info"`` or ``"observation"``: whether the mask is in the observation, too.
        render_mode: ``"human"`` (a window, drawn by every step), ``"rgb_array"`` (uint8 of shape
            (height, width, 3)), ``"ansi"`` (text) or None.
        render_seat: draw only what this seat may see; ``"learner"``: what the learner sees;
            ``"public"``: what everybody sees; ``"all"``: everything.
        render_fps: pictures a second at most in the window.
        preset: a named set of the game's options.
        rules: the game's options (see its ``Rules``).

    Raises:
        ValueError: an option or an opponent that there is not, or a value that is not possible.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        opponents: Any = "greedy",
        seat: int | str = "random",
        reward: str = "points",
        shaping: bool = False,
        discount: float = 1.0,
        skip_forced: bool = False,
        mask_in: str = "info",
        render_mode: str | None = None,
        render_seat: int | str = "learner",
        render_fps: float = 2,
        preset: str | None = None,
        **rules: Any,
    ) -> None:
        if render_mode is not None:
            check_name("render mode", render_mode, RENDER_MODES)
        self.learners = Learners(
            game,
            1,
            opponents=opponents,
            seat=seat,
            reward=reward,
            shaping=shaping,
            discount=discount,
            skip_forced=skip_forced,
            preset=preset,
            rules=rules,
        )
        self.observation_space, self.action_space = spaces(self.learners, mask_in)
        n = int(self.rules.num_players)
        if render_seat not in ("learner", "public", "all", *range(n)):
            raise ValueError(
                f"render_seat={render_seat!r}: give 0 to {n - 1}, 'learner', 'public' or 'all'"
            )
        self.mask_in, self.render_mode = mask_in, render_mode
        self.render_seat, self.render_fps = render_seat, render_fps
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": render_fps}
        self._seeded = self._begun = False
        self._painter: Painter | None = None

    @property
    def rules(self) -> Any:
        """The rules, a ``Rules`` tuple of the game."""
        return self.learners.setting.rules

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a new episode.

        Args:
            seed: decides all chance; the first deal is the one that every environment deals with
                this seed. Without one, the chance goes on from what it was (at first from
                anywhere).
            options: ignored; the rules are those that the environment was made with.

        Raises:
            ValueError: a seed that is not possible.
        """
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(1 << 63))
        self.learners.seed([seed])
        self.learners.reset()
        self._seeded = self._begun = True
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action, and everything up to the learner's next decision.

        Raises:
            ResetNeeded: no episode is under way.
        """
        learners = self.learners
        if not self._begun or learners.rows["end"][0] != RUNNING:
            raise ResetNeeded("call reset() before step(): no episode is under way")
        number = index(action)
        known = 0 <= number < learners.num_actions
        learners.step(np.array([number if known else -1]))
        if self.render_mode == "human":
            self.render()
        return (
            self._observation(),
            float(learners.rows["reward"][0]),
            bool(learners.terminated[0]),
            bool(learners.truncated[0]),
            self._info(),
        )

    def _observation(self) -> Any:
        observation = self.learners.observations[0].copy()
        if self.mask_in == "info":
            return observation
        return {"observation": observation, "action_mask": self.learners.masks[0].copy()}

    def _info(self) -> dict[str, Any]:
        facts = zip(FACTS, self.learners.facts[0, 0].tolist(), strict=True)
        return {"action_mask": self.learners.masks[0].copy(), **dict(facts)}

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool of shape (actions,); none when the episode is over."""
        return self.learners.masks[0].astype(bool)

    def action_texts(self) -> list[str]:
        """The actions as text, by number."""
        return list(self.learners.setting.actions)

    def set_opponents(self, opponents: Any) -> None:
        """Change who plays the other seats, from the next episode on."""
        self.learners.set_opponents(opponents)

    def render(self) -> Any:
        """Draw the table as `render_mode` says.

        Raises:
            ResetNeeded: there is no game yet.
            DependencyNotInstalled: pygame-ce is missing.
        """
        if self.render_mode is None:
            logger.warn("render() draws nothing: this environment was made without a render_mode")
            return None
        if not self._begun:
            raise ResetNeeded("call reset() before render()")
        where = self.learners.setting
        seat = self.render_seat
        if seat == "learner":
            seat = int(self.learners.rows["seat"][0])
        what = (where.game, self.learners.states, 0, where.kits, where.rules, seat)
        if self.render_mode == "ansi":
            return table_text(*what)
        if self._painter is None:
            self._painter = Painter(self.render_mode == "human", self.render_fps)
        return self._painter.draw(*what)

    def close(self) -> None:
        """Close the window and the records, if there are any; the environment can still be used."""
        self.learners.record(None)
        if self._painter is not None:
            self._painter.close()
            self._painter = None

    def save(self, path: str | Path | None = None) -> bytes:
        """This moment of the episode and its chance as bytes, also written to a file if wanted."""
        if not self._begun:
            raise ResetNeeded("call reset() before save()")
        return self.learners.save(path)

    def restore(self, source: bytes | str | Path) -> None:
        """Go on from a moment that `save` kept, here or in an environment made alike.

        Raises:
            ValueError: it was not made by `save`, or by an environment with other arguments.
        """
        self.learners.restore(source)
        self._seeded = self._begun = True

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_painter": None}
