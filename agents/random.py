"""The player that takes any legal action, each as likely as the others."""

from typing import Any

import numpy as np

from ..envs.bits import lowest, popcount
from ..envs.jit import helper, kernel
from ..envs.kit import NUM_WORDS, action_of
from .base import KernelAgent

_A = np.uint64(13)
_B = np.uint64(7)
_C = np.uint64(17)
_HALF = np.uint64(32)


@kernel
def draw_below(rngs, r, n):
    """The next random number of generator word ``rngs[r]`` (xorshift64), from 0 to ``n - 1``."""
    x = rngs[r]
    x ^= x << _A
    x ^= x >> _B
    x ^= x << _C
    rngs[r] = x
    return (np.int64(x >> _HALF) * n) >> 32


@helper
def choose(states, i, kits, work, weights, rngs, r):
    """A legal action of table `i` by lot; ``work[0]`` holds the words of the legal ones."""
    words = work[0]
    count = 0
    for w in range(NUM_WORDS):
        if words[w]:
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
