"""The player that takes any legal action, each as likely as the others."""

from typing import Any

import numpy as np

from ..envs.bits import lowest, popcount
from ..envs.chance import draw_below
from ..envs.jit import helper
from ..envs.kit import NUM_WORDS, action_of
from .base import KernelAgent


@helper(forceinline=True)
def choose(states, i, kits, work, weights, rngs, r):
    """A legal action of table `i` by lot; ``work[0]`` holds the words of the legal ones."""
    words = work[0]
    count = np.int64(0)
    for w in range(NUM_WORDS):
        count += popcount(words[w])
    left = draw_below(rngs, r, count)
    for w in range(NUM_WORDS):
        word = words[w]
        if word:
            here = popcount(word)
            if left < here:
                for _ in range(left):
                    word &= word - 1
                return action_of(kits[0], w, lowest(word))
            left -= here
    return np.int64(-1)


def make(game: str, rules: Any, argument: str = "") -> KernelAgent:
    """The random player of a game; it takes no argument."""
    if argument:
        raise ValueError(f"the random player takes no argument, but got {argument!r}")
    return KernelAgent("random", game, rules, choose)
