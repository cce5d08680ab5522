"""The usual PettingZoo wrappers around a table, with a short way past them."""

from operator import attrgetter
from pathlib import Path
from typing import Any

from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from .aec import CardTableEnv
from .text import IllegalAction


class Checked(OrderEnforcingWrapper):
    """PettingZoo's three wrappers for turn-based games, passed by where they have no objection.

    What is refused (an illegal action, a call before `reset`) goes through the wrappers themselves:
    an illegal action ends the episode with a reward of -1 for its agent, and one outside the action
    space is an AssertionError. PettingZoo prints a warning for each illegal action;
    ``pettingzoo.utils.env_logger.EnvLogger.suppress_output()`` keeps it quiet.
    """

    _has_reset: bool
    _has_updated: bool

    def __init__(self, env: CardTableEnv) -> None:
        self._raw = env
        super().__init__(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))

    agents = property(attrgetter("_raw.agents"))
    agent_selection = property(attrgetter("_raw.agent_selection"))
    rewards = property(attrgetter("_raw.rewards"))
    _cumulative_rewards = property(attrgetter("_raw._cumulative_rewards"))
    terminations = property(attrgetter("_raw.terminations"))
    truncations = property(attrgetter("_raw.truncations"))
    infos = property(attrgetter("_raw.infos"))

    def step(self, action: Any) -> None:
        """As `CardTableEnv.step`; an illegal action ends the episode."""
        if self._has_reset and self._raw.agents:
            self._has_updated = True
            try:
                self._raw.step(action)
            except IllegalAction:
                pass
            else:
                return
        super().step(action)

    def observe(self, agent: str) -> Any:
        """As `CardTableEnv.observe`."""
        return self._raw.observe(agent) if self._has_reset else super().observe(agent)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """As `CardTableEnv.last`."""
        return self._raw.last(observe)

    def restore(self, source: bytes | str | Path) -> None:
        """As `CardTableEnv.restore`."""
        self._raw.restore(source)
        self._has_reset = self._has_updated = True

    def __str__(self) -> str:
        return str(self.env)
