"""Those who sit at the table with a learner: who plays which seat, and how they are asked.

Opponents are given as

* one player (anything that `rummyzoo.agents.load` takes), who then plays every other seat;
* a dictionary of players and weights, ``{"greedy": 0.8, "random": 0.2}``: each opponent of each
  episode is drawn by these;
* a list of the above, one for each opponent, from the learner's left.

Players that are kernels listed in `kernels` are played inside one kernel call for all tables; the
others are asked in a loop, in batches where they have ``act_batch``. A move that is the only legal
one is made for them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..envs.jit import bind
from ..envs.numbers import as_real
from ..envs.setting import Setting
from . import load
from .base import Agent, KernelAgent, ask
from .heuristics import module_for
from .random import choose as choose_random

choose_by_rules: Any = None  # a name that `bind` fills in


def _choose(states, i, kits, work, kind, weights, rngs, r):
    """The choice of the kernel player number `kind`."""
    if kind == 1:
        return choose_by_rules(states, i, kits, work, weights, rngs, r)
    return choose_random(states, i, kits, work, weights, rngs, r)


@lru_cache
def kernels(game: str) -> tuple[Any, ...]:
    """The kernels that play a game, by the number that `_choose` knows them by."""
    return (choose_random, module_for(game).choose)


@lru_cache
def chooser(game: str) -> Any:
    """The kernel ``choose(states, i, kits, work, kind, weights, rngs, r)`` of a game."""
    return bind(_choose, choose_by_rules=kernels(game)[1])


def shares(mix: Sequence[tuple[Any, Any]]) -> list[tuple[Any, float]]:
    """Players and weights as players and shares, which sum to 1.

    Raises:
        ValueError: weights that are not numbers of 0 or more, or are all 0.
    """
    numbers = [as_real(weight) for _, weight in mix]
    for (player, weight), number in zip(mix, numbers, strict=True):
        if number is None or number < 0:
            raise ValueError(
                f"the opponent {player!r} has the weight {weight!r}; "
                "a weight is a number, 0 or more"
            )
    total = float(sum(number for number in numbers if number))
    if not 0 < total < float("inf"):
        raise ValueError(
            f"the weights of opponents sum to more than 0, but those of {list(mix)!r} to {total:g}"
        )
    return [
        (player, (number or 0.0) / total) for (player, _), number in zip(mix, numbers, strict=True)
    ]


class Opponents:
    """The players that a learner may meet, one to a *slot*, and how likely they are.

    Args:
        spec: who they are (see the top of this module).
        where: the game and its rules.

    Attributes:
        agents: the player in each slot.
        chances: float64 (places, slots): how likely each slot or one before it is for the opponent
            at a place, counted from the learner's left.
        kinds: int64 (slots,): the number of the player's kernel (see `kernels`), -1 if it has none.
        weights: float64 (slots, most): the weights of the kernels.

    Raises:
        ValueError: a player that does not exist or does not fit, weights that are not numbers of 0
            or more or are all 0, or a list of another length.
        TypeError: something that is not a player.
    """

    def __init__(self, spec: Any, where: Setting) -> None:
        self.setting = where
        self.agents: list[Agent] = []
        places = int(where.rules.num_players) - 1
        if isinstance(spec, Sequence) and not isinstance(spec, str):
            if len(spec) != places:
                raise ValueError(
                    f"a list of opponents names one for each seat but the learner's: {places} "
                    f"here, not {len(spec)}"
                )
            parts = list(spec)
        else:
            parts = [spec] * places
        slots: dict[int, dict[int, float]] = {}  # by the identity of a part of the spec
        drawn = [slots.setdefault(id(part), {}) or self._read(part, slots) for part in parts]
        self.chances = np.zeros((places, len(self.agents)))
        for place, share in enumerate(drawn):
            for slot, weight in share.items():
                self.chances[place, slot] = weight
        self.chances = np.cumsum(self.chances, axis=1)
        self.chances[self.chances > 1 - 1e-9] = 1.0
        self._index()

    def _read(self, part: Any, slots: dict[int, dict[int, float]]) -> dict[int, float]:
        """The slots of one opponent and their probabilities."""
        mix = list(part.items()) if isinstance(part, Mapping) else [(part, 1.0)]
        share = slots[id(part)]
        for player, weight in shares(mix):
            share[len(self.agents)] = weight
            self.agents.append(self._load(player))
        return share

    def _load(self, player: Any) -> Agent:
        return load(player, self.setting.game.NAME, self.setting.rules)

    def _index(self) -> None:
        """Number the kernels and line up their weights."""
        known = kernels(self.setting.game.NAME)
        own = [a if isinstance(a, KernelAgent) else None for a in self.agents]
        self.kinds = np.array(
            [known.index(a.choose) if a and a.choose in known else -1 for a in own], np.int64
        )
        self.weights = np.zeros((len(own), max(1, *(a.weights.size if a else 0 for a in own))))
        for slot, agent in enumerate(own):
            if agent:
                self.weights[slot, : agent.weights.size] = agent.weights

    def keep(self, agents: Sequence[Agent]) -> list[int]:
        """Add players that are drawn no more, but finish their episodes; returns their slots."""
        self.agents += [agent for agent in agents if agent not in self.agents]
        more = len(self.agents) - self.chances.shape[1]
        self.chances = np.pad(self.chances, ((0, 0), (0, more)), constant_values=1.0)
        self._index()
        return [self.agents.index(agent) for agent in agents]

    def ask(
        self,
        slot: int,
        states: np.ndarray,
        indices: np.ndarray,
        seats: np.ndarray,
        rngs: np.ndarray,
    ) -> np.ndarray:
        """What the player in a slot does at the tables ``states[indices]``, int64.

        Args:
            seats: which seats it plays there.
            rngs: a generator word for each of all tables, which the player may draw from.
        """
        return ask(self.agents[slot], self.setting, states, indices, seats, rngs)
