"""Random words, the same in kernels, in Python and for arrays of words.

What is drawn in a game comes from xorshift64 (Marsaglia, 2003), whose word is never zero. Seeds,
which may be alike, go through splitmix64 (Steele, Lea and Flood, 2014).
"""

from typing import Any

import numba
import numpy as np

from .jit import helper, kernel

_config: Any = numba.config

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_ONE = 0xBF58476D1CE4E5B9
_MIX_TWO = 0x94D049BB133111EB

_STEP = np.uint64(_GOLDEN)
_ONE_MORE = np.uint64(_MIX_ONE)
_TWO_MORE = np.uint64(_MIX_TWO)
_7 = np.uint64(7)
_11 = np.uint64(11)
_13 = np.uint64(13)
_17 = np.uint64(17)
_27 = np.uint64(27)
_30 = np.uint64(30)
_31 = np.uint64(31)
_32 = np.uint64(32)
_NONE = np.uint64(0)
_ONE = np.uint64(1)


def words_after(x: Any) -> Any:
    """The word after another, uint64: one step of xorshift64; also for a whole array."""
    x = x ^ (x << _13)
    x = x ^ (x >> _7)
    return x ^ (x << _17)


def fractions(x: Any) -> Any:
    """A number in [0, 1) from a word, float64; also for a whole array."""
    return (x >> _11) / 9007199254740992.0


word_after = helper(words_after)
fraction = helper(fractions)


@helper
def share(x, n):
    """A number from 0 to ``n - 1`` from a word."""
    return (np.int64(x >> _32) * n) >> 32


@kernel
def draw_below(words, r, n):
    """The next random number of the generator word ``words[r]``, from 0 to ``n - 1``."""
    x = word_after(words[r])
    words[r] = x
    return share(x, n)


def seed_word(seed: int) -> int:
    """The generator word for a seed: any integer, well mixed, never zero.

    >>> seed_word(1) != seed_word(2)
    True
    """
    z = (int(seed) + _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * _MIX_ONE) & _MASK
    z = ((z ^ (z >> 27)) * _MIX_TWO) & _MASK
    return (z ^ (z >> 31)) or 1


@helper
def plus(a, b):
    """The sum of two words, without the carry."""
    return a + b


@helper
def times(a, b):
    """The product of two words, without the carry."""
    return a * b


if _config.DISABLE_JIT:  # where NumPy would warn of the carry

    def plus(a, b):
        return np.uint64((int(a) + int(b)) & _MASK)

    def times(a, b):
        return np.uint64((int(a) * int(b)) & _MASK)


@helper
def next_seed(stream):
    """The seed after another in a chain of them, uint64."""
    return plus(stream, _STEP)


@helper
def mixed(z):
    """`seed_word` in kernels, for a seed of a chain: the chain's step is in it already."""
    z = times(z ^ (z >> _30), _ONE_MORE)
    z = times(z ^ (z >> _27), _TWO_MORE)
    z ^= z >> _31
    return z if z != _NONE else _ONE
