"""Words of bits to bytes and back: the arithmetic under masks and observations.

A word holds one bit a face (see `rummyzoo.envs.cards`). Observations and masks hold one byte a
face; they are written many bytes at a time, which is what keeps them near the cost of a memcpy.
"""

from .jit import helper
from .machine import count_ones, count_zeros, put, put_bits8, put_bits16, put_bits32, put_sums32

LANE = (1 << 13) - 1
"""The thirteen bits of one suit."""
ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The four aces."""
ALL = (1 << 52) - 1
"""All faces but the joker."""

_WITHOUT_KINGS = ALL & ~(ACES << 12)
_WITHOUT_QUEENS = _WITHOUT_KINGS & ~(ACES << 11)


@helper
def spread(word, count, out, at):
    """Write the lowest `count` bits of a word as `count` bytes from ``out[at]`` on."""
    if count >= 32:
        put_bits32(out, at, word)
        put_bits32(out, at + count - 32, word >> (count - 32))
    elif count >= 16:
        put_bits16(out, at, word)
        put_bits16(out, at + count - 16, word >> (count - 16))
    elif count >= 8:
        put_bits8(out, at, word)
        put_bits8(out, at + count - 8, word >> (count - 8))
    else:
        for j in range(count):
            put(out, at + j, (word >> j) & 1)


@helper
def spread_faces(word, out, at):
    """Write a word by face as 52 bytes from ``out[at]`` on."""
    put_bits32(out, at, word)
    put_bits32(out, at + 20, word >> 20)


@helper
def spread_twice(one, two, out, at):
    """As `spread_faces`, for the sum of two words: how many copies of each face there are."""
    put_sums32(out, at, one, two)
    put_sums32(out, at + 20, one >> 20, two >> 20)


@helper
def popcount(word):
    """How many bits of a word are set."""
    return count_ones(word)


@helper
def lowest(word):
    """The index of the lowest bit that is set (the word is not zero)."""
    return count_zeros(word)


@helper
def next_up(word, num_ranks, high_ace):
    """Bit `face` set where the card one position *above* that face is in the word (the ace above
    the top rank).
    """
    up = (word >> 1) & _WITHOUT_KINGS
    if high_ace:
        up |= (word & ACES) << (num_ranks - 1)
    return up


@helper
def next_up_two(word, num_ranks, high_ace):
    """Bit `face` set where the card two positions above that face is in the word."""
    up = (word >> 2) & _WITHOUT_QUEENS
    if high_ace:
        up |= (word & ACES) << (num_ranks - 2)
    return up


@helper
def squeeze(word, lanes, low, width):
    """Bits ``low .. low + width - 1`` of each of the first `lanes` suits, side by side."""
    if width == 13:
        return word
    part = (1 << width) - 1
    out = (word >> low) & part
    if lanes > 1:
        out |= ((word >> (13 + low)) & part) << width
    if lanes > 2:
        out |= ((word >> (26 + low)) & part) << (2 * width)
    if lanes > 3:
        out |= ((word >> (39 + low)) & part) << (3 * width)
    return out
