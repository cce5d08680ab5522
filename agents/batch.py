"""Many tables at once from outside the kernels: looking at them, and playing given actions.

The kernels are templates, made for a game by `batch_kernels`.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..envs.games import load_game
from ..envs.jit import bind
from ..envs.kit import write_mask

look: Any = None  # names that `bind` fills in
legal: Any = None
step: Any = None
new_match: Any = None
next_hand: Any = None
potential: Any = None


class BatchKernels(NamedTuple):
    """The kernels of a game that go over many tables; see the functions of this module."""

    look_all: Any
    play_all: Any
    deal_all: Any
    stand_all: Any


@lru_cache
def batch_kernels(game: str) -> BatchKernels:
    """The kernels for a game."""
    g = load_game(game)
    return BatchKernels(
        bind(_look_all, look=g.look),
        bind(_play_all, legal=g.legal, step=g.step),
        bind(_deal_all, new_match=g.new_match, next_hand=g.next_hand),
        bind(_stand_all, potential=g.potential),
    )


def _look_all(states, indices, seats, kits, work, observations, masks):
    """Write what seat ``seats[n]`` sees of table ``indices[n]`` into row `n`."""
    for n in range(len(indices)):
        look(states, indices[n], seats[n], kits, work, observations[n], masks[n])


def _play_all(states, indices, actions, kits, work, mask):
    """Play ``actions[n]`` at table ``indices[n]``; for an illegal one, the first legal one.

    `mask` is scratch space, int8 (actions,). Returns how many were illegal.
    """
    k = kits[0]
    illegal = 0
    for n in range(len(indices)):
        i = indices[n]
        action = actions[n]
        legal(states, i, kits, work)
        write_mask(k, work[0], mask)
        if action < 0 or action >= k.num_actions or mask[action] == 0:
            illegal += 1
            action = np.int64(0)
            while mask[action] == 0:
                action += 1
        step(states, i, action, kits)
    return illegal


def _deal_all(states, indices, kits, words):
    """Deal the next hands at some tables; with words, begin new matches with them."""
    for n in range(len(indices)):
        if len(words):
            new_match(states, indices[n], kits, words[n])
        else:
            next_hand(states, indices[n], kits)


def _stand_all(states, indices, seats, kits, out):
    """Write how seat ``seats[n]`` stands in its hand: the potential of the shaped rewards."""
    for n in range(len(indices)):
        i = indices[n]
        out[n] = potential(kits[0], states[i], seats[n])
