"""Words of bits to bytes and back: the arithmetic under masks and observations.

A word holds one bit a face (see `rummyzoo.envs.cards`). Observations and masks hold one byte a
face; they are written eight bytes at a time from a table of 256 entries, which is what makes them
cost little more than a memcpy.
"""

from typing import Any

import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from .jit import helper

LANE = (1 << 13) - 1
"""The thirteen bits of one suit."""
ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The four aces."""
ALL = (1 << 52) - 1
"""All faces but the joker."""

_WITHOUT_KINGS = ALL & ~(ACES << 12)
_WITHOUT_QUEENS = _WITHOUT_KINGS & ~(ACES << 11)

_config: Any = numba.config

# Byte j of entry b is bit j of b.
_SPREAD = (
    np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    .view(np.uint64)[:, 0]
    .copy()
)


@intrinsic
def _store8_compiled(typingctx, array, index, value):
    """Store eight bytes at ``array[index:index + 8]``, wherever that lies in memory."""
    byte_rows = isinstance(array, types.Array) and array.layout == "C"
    if not byte_rows or array.dtype.bitwidth != 8:
        raise numba.TypingError("masks and observations are written to contiguous arrays of bytes")
    sig = types.void(array, types.intp, types.uint64)

    def codegen(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        start = builder.gep(data, [args[1]])
        where = builder.bitcast(start, cgutils.voidptr_t.as_pointer())
        where = builder.bitcast(where, args[2].type.as_pointer())
        store = builder.store(args[2], where)
        store.align = 1
        return context.get_dummy_value()

    return sig, codegen


def _store8_plain(array, index, value):
    array[index : index + 8] = np.frombuffer(np.uint64(value).tobytes(), dtype=array.dtype)


_store8 = _store8_plain if _config.DISABLE_JIT else _store8_compiled


@helper
def spread(word, count, out, at):
    """Write the lowest `count` bits of a word as `count` bytes from ``out[at]`` on."""
    if count < 8:
        for j in range(count):
            out[at + j] = (word >> j) & 1
        return
    j = 0
    while j + 8 <= count:
        _store8(out, at + j, _SPREAD[(word >> j) & 255])
        j += 8
    if j < count:
        _store8(out, at + count - 8, _SPREAD[(word >> (count - 8)) & 255])


@helper
def spread_faces(word, out, at):
    """Write a word by face as 52 bytes from ``out[at]`` on."""
    for j in range(0, 48, 8):
        _store8(out, at + j, _SPREAD[(word >> j) & 255])
    _store8(out, at + 44, _SPREAD[(word >> 44) & 255])


@helper
def spread_twice(one, two, out, at):
    """As `spread_faces`, for the sum of two words: how many copies of each face there are."""
    for j in range(0, 48, 8):
        _store8(out, at + j, _SPREAD[(one >> j) & 255] + _SPREAD[(two >> j) & 255])
    _store8(out, at + 44, _SPREAD[(one >> 44) & 255] + _SPREAD[(two >> 44) & 255])


@helper
def popcount(word):
    """How many bits of a word are set."""
    word = word - ((word >> 1) & 0x5555555555555555)
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    word = word + (word >> 8)
    word = word + (word >> 16)
    return (word + (word >> 32)) & 127


@helper
def lowest(word):
    """The index of the lowest bit that is set (the word is not zero)."""
    return popcount((word & -word) - 1)


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
