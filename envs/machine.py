"""Single machine instructions for kernels, and work on many numbers at a time.

Numba has no names for them. They do not check what they are given: an index is not negative and
within the array, a number fits. Where Numba is switched off, or told to check bounds, plain loops
take their place. A vector of bits has its lowest bit first, as on all machines that Numba runs on.
"""

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from .jit import helper

_config: Any = numba.config
_BYTE = ir.IntType(8)
_INT = ir.IntType(32)
_LINE = 64
"""Bytes of a cache line on nearly all machines; only speed depends on it."""
LANES = 64
"""Numbers that `add_rows` adds at a time: few enough for the registers of all machines."""


def _check_bytes(array):
    """An array that numbers are stored to byte by byte."""
    if not isinstance(array, types.Array) or array.layout != "C" or array.dtype.bitwidth != 8:
        raise numba.TypingError("masks and observations are written to contiguous arrays of bytes")


def _store(context, builder, signature, args, value):
    """Store a value at ``array[index]``, the first two arguments, wherever that lies in memory."""
    data = context.make_array(signature.args[0])(context, builder, args[0]).data
    where = builder.bitcast(builder.gep(data, [args[1]]), cgutils.voidptr_t)
    builder.store(value, builder.bitcast(where, value.type.as_pointer()), align=1)
    return context.get_dummy_value()


def _bits(builder, word, count):
    """The lowest bits of a word as a vector of bytes, 0 or 1."""
    few = builder.trunc(word, ir.IntType(count))
    few = builder.bitcast(few, ir.VectorType(_BYTE, count // 8))
    eightfold = ir.Constant(ir.VectorType(_INT, count), [j // 8 for j in range(count)])
    kind = ir.VectorType(_BYTE, count)
    bit = ir.Constant(kind, [1 << j % 8 for j in range(count)])
    found = builder.and_(builder.shuffle_vector(few, few, eightfold), bit)
    return builder.zext(builder.icmp_unsigned("!=", found, ir.Constant(kind, None)), kind)


def _make_put_bits(count):
    @intrinsic
    def put_bits(typingctx, array, index, word):
        _check_bytes(array)

        def codegen(context, builder, signature, args):
            value = _bits(builder, args[2], count)
            return _store(context, builder, signature, args, value)

        return types.void(array, types.intp, types.int64), codegen

    return put_bits


def _make_put_bits_plain(count):
    @helper
    def put_bits(array, index, word):
        for j in range(count):
            array[index + j] = (word >> j) & 1

    return put_bits


@intrinsic
def _put_sums32(typingctx, array, index, one, two):
    _check_bytes(array)

    def codegen(context, builder, signature, args):
        value = builder.add(_bits(builder, args[2], 32), _bits(builder, args[3], 32))
        return _store(context, builder, signature, args, value)

    return types.void(array, types.intp, types.int64, types.int64), codegen


@helper
def _put_sums32_plain(array, index, one, two):
    for j in range(32):
        array[index + j] = ((one >> j) & 1) + ((two >> j) & 1)


@intrinsic
def _put(typingctx, array, index, number):
    _check_bytes(array)

    def codegen(context, builder, signature, args):
        return _store(context, builder, signature, args, builder.trunc(args[2], _BYTE))

    return types.void(array, types.intp, types.int64), codegen


@helper
def _put_plain(array, index, number):
    array[index] = number


@intrinsic
def _zero(typingctx, array):
    _check_bytes(array)

    def codegen(context, builder, signature, args):
        found = context.make_array(signature.args[0])(context, builder, args[0])
        cgutils.memset(builder, found.data, found.nitems, 0)
        return context.get_dummy_value()

    return types.void(array), codegen


@helper
def _zero_plain(array):
    array[:] = 0


@intrinsic
def _prefetch(typingctx, array, index):
    def codegen(context, builder, signature, args):
        made = context.make_array(signature.args[0])(context, builder, args[0])
        size = cgutils.unpack_tuple(builder, made.strides)[0]
        start = builder.bitcast(made.data, cgutils.voidptr_t)
        start = builder.gep(start, [builder.mul(args[1], size)])
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, _INT, _INT, _INT])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", (cgutils.voidptr_t,), kind)
        none, line = size.type(0), size.type(_LINE)
        with cgutils.for_range_slice(builder, none, size, line) as (at, _):
            # To read (0), into all caches (3), of data (1). A wrong address does no harm.
            builder.call(fetch, [builder.gep(start, [at]), _INT(0), _INT(3), _INT(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), codegen


@helper
def _prefetch_plain(array, index):
    pass


@intrinsic
def _add_rows(typingctx, out, row, array, start, numbers, first, which, begin, end):
    kinds = [(out, 2, types.float32), (array, 2, types.float32), (numbers, 1, types.float32)]
    for given, dimensions, kind in (*kinds, (which, 1, types.int32)):
        if given != types.Array(kind, dimensions, "C"):
            raise numba.TypingError(f"add_rows takes contiguous arrays, not {given}")

    def codegen(context, builder, signature, args):
        def opened(n):
            return context.make_array(signature.args[n])(context, builder, args[n])

        def lanes(found, number, block):
            """Where the lanes of a block begin in a row of a table."""
            width = builder.extract_value(found.shape, 1)
            where = builder.gep(found.data, [builder.add(builder.mul(number, width), block)])
            return builder.bitcast(where, vector.as_pointer())

        vector = ir.VectorType(ir.FloatType(), LANES)
        alike = ir.Constant(ir.VectorType(_INT, LANES), [0] * LANES)
        fused = ("contract",)  # a product and a sum may be one instruction
        total = cgutils.alloca_once(builder, vector)
        sums, rows, factors, indices = opened(0), opened(2), opened(4).data, opened(6).data
        width = builder.extract_value(rows.shape, 1)
        none, one, step = width.type(0), width.type(1), width.type(LANES)
        with cgutils.for_range_slice(builder, none, width, step) as (block, _):
            goal = lanes(sums, args[1], block)
            builder.store(builder.load(goal, align=4), total)
            with cgutils.for_range_slice(builder, args[7], args[8], one) as (n, _):
                index = builder.sext(builder.load(builder.gep(indices, [n])), one.type)
                added = builder.load(lanes(rows, builder.add(args[3], index), block), align=4)
                factor = builder.load(builder.gep(factors, [builder.add(args[5], index)]))
                factor = builder.insert_element(ir.Constant(vector, ir.Undefined), factor, _INT(0))
                factor = builder.shuffle_vector(factor, factor, alike)
                product = builder.fmul(factor, added, flags=fused)
                builder.store(builder.fadd(builder.load(total), product, flags=fused), total)
            builder.store(builder.load(total), goal, align=4)
        return context.get_dummy_value()

    index = types.intp
    given = (out, index, array, index, numbers, index, which, index, index)
    return types.void(*given), codegen


@helper
def _add_rows_plain(out, row, array, start, numbers, first, which, begin, end):
    for index in which[begin:end]:
        for lane in range(array.shape[1]):
            out[row, lane] += numbers[first + index] * array[start + index, lane]


@intrinsic
def _count_ones(typingctx, word):
    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@helper
def _count_ones_plain(word):
    count = 0
    while word:
        count += 1
        word &= word - 1
    return count


@intrinsic
def _count_zeros(typingctx, word):
    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], cgutils.false_bit)

    return types.int64(types.int64), codegen


@helper
def _count_zeros_plain(word):
    return _count_ones_plain((word & -word) - 1)


_plain = bool(_config.DISABLE_JIT or _config.BOUNDSCHECK)
_make = _make_put_bits_plain if _plain else _make_put_bits

put: Any = _put_plain if _plain else _put
"""``put(array, index, number)``: store a number into an array of bytes."""
put_bits8, put_bits16, put_bits32 = _make(8), _make(16), _make(32)
"""``put_bits8(array, index, word)``: store the lowest bits of a word as so many bytes."""
put_sums32: Any = _put_sums32_plain if _plain else _put_sums32
"""``put_sums32(array, index, one, two)``: the sums of the lowest 32 bits of two words, as bytes."""
zero: Any = _zero_plain if _plain else _zero
"""``zero(array)``: fill an array of bytes with zeros."""
prefetch: Any = _prefetch_plain if _plain else _prefetch
"""``prefetch(array, index)``: bring a row of an array into the cache while other work is done."""
add_rows: Any = _add_rows_plain if _plain else _add_rows
"""``add_rows(out, row, array, start, numbers, first, which, begin, end)``: add to ``out[row]`` the
rows ``array[start + j]``, each times ``numbers[first + j]``, for all j of ``which[begin:end]``. All
are float32, and `which` int32; the rows of `array` have a multiple of `LANES` numbers, those of
`out` as many or more."""
count_ones: Any = _count_ones_plain if _plain else _count_ones
"""How many bits of a word are set."""
count_zeros: Any = _count_zeros_plain if _plain else _count_zeros
"""How many bits of a word are below the lowest that is set."""
