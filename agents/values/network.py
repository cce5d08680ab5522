"""The network of a value, as a kernel: it reads cards suit by suit, with the same weights for each.

Its inputs are `PLANES` planes of cards (thirteen numbers in each suit) and any count of other
numbers. For each suit a layer of rectified units sees the suit's planes, the sum of the planes over
the suits (where sets are seen) and the other numbers; the units of the four suits are added up and
go through a second such layer. The other numbers also go straight to the result:

    h(suit) = relu(A + Ws x(suit) + Wr sum of x over suits + We e)
    value = c + line . e + w . relu(B + W2 sum of h over suits)

All of the network's numbers lie in one array, a row for each input of a layer, so that the loops
run along rows. Zeros are left out.
"""

import numpy as np

from ...envs.jit import helper

SUITS, RANKS = 4, 13


def rows_for(planes: int, numbers: int, units: int) -> int:
    """How many rows the array of a network has.

    They are: Ws and Wr, a row for each plane and rank; We; A; W2, a row for each unit; B; w; then
    the line, over as many rows as it takes; and c at the beginning of the last row.
    """
    return 2 * RANKS * planes + numbers + 1 + units + 2 + -(-numbers // units) + 1


@helper
def estimate(net, planes, numbers, x, row, hidden):
    """The network's value for the inputs ``x[row]``.

    Args:
        net: float32 (`rows_for`, units).
        planes, numbers: how many inputs of each kind there are.
        x: float32 (rows, at least the inputs): suit by suit, plane by plane; then the numbers.
        hidden: float32 (6, units), scratch.
    """
    units = net.shape[1]
    width = planes * RANKS
    for j in range(units):
        hidden[4, j] = net[2 * width + numbers, j]
        hidden[5, j] = net[2 * width + numbers + 1 + units, j]
    line = 2 * width + numbers + units + 3
    total = net[len(net) - 1, 0]
    for i in range(numbers):
        v = x[row, SUITS * width + i]
        if v != 0:
            total += v * net[line + i // units, i % units]
            for j in range(units):
                hidden[4, j] += v * net[2 * width + i, j]
    for i in range(width):
        v = x[row, i] + x[row, width + i] + x[row, 2 * width + i] + x[row, 3 * width + i]
        if v != 0:
            for j in range(units):
                hidden[4, j] += v * net[width + i, j]
    for suit in range(SUITS):
        for j in range(units):
            hidden[suit, j] = hidden[4, j]
        for i in range(width):
            v = x[row, suit * width + i]
            if v != 0:
                for j in range(units):
                    hidden[suit, j] += v * net[i, j]
    for i in range(units):
        v = np.float32(0)
        for suit in range(SUITS):
            v += max(hidden[suit, i], np.float32(0))
        if v > 0:
            for j in range(units):
                hidden[5, j] += v * net[2 * width + numbers + 1 + i, j]
    for j in range(units):
        total += max(hidden[5, j], np.float32(0)) * net[2 * width + numbers + 2 + units, j]
    return total
