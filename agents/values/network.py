"""The network of a value, as a kernel: it reads cards suit by suit, with the same weights for each.

Its inputs are `PLANES` planes of cards (thirteen numbers in each suit) and any count of other
numbers. For each suit a layer of rectified units sees the suit's planes, the sum of the planes over
the suits (where sets are seen) and the other numbers; the units of the four suits are added up and
go through a second such layer. The other numbers also go straight to the result:

    h(suit) = relu(A + Ws x(suit) + Wr sum of x over suits + We e)
    value = c + line . e + w . relu(B + W2 sum of h over suits)

All of the network's numbers lie in one array, a row for each input of a layer, so that rows are
added up. Those of inputs that are zero, which most are, are left out.
"""

from typing import NamedTuple

import numpy as np

from ...envs.jit import helper
from ...envs.machine import LANES, add_rows

SUITS, RANKS = 4, 13
MOST_UNITS = 2 * LANES
"""A layer has `LANES` units or twice as many; so many numbers are in a row."""


class Notes(NamedTuple):
    """Scratch space of a network.

    Attributes:
        hidden: float32 (6, MOST_UNITS): what the units come to, for each suit, for all suits, and
            in the second layer.
        which: int32: the inputs of a layer that are not zero.
    """

    hidden: np.ndarray
    which: np.ndarray


def notes_for(inputs: int) -> Notes:
    """Scratch space for so many inputs."""
    which = np.zeros(max(inputs, MOST_UNITS), np.int32)
    return Notes(np.zeros((6, MOST_UNITS), np.float32), which)


def rows_for(planes: int, numbers: int, units: int) -> int:
    """How many rows the array of a network has.

    They are: Ws and Wr, a row for each plane and rank; We; A; W2, a row for each unit; B; w; then
    the line, over as many rows as it takes; and c at the beginning of the last row.
    """
    return 2 * RANKS * planes + numbers + 1 + units + 2 + -(-numbers // units) + 1


@helper
def estimate(net, planes, numbers, x, row, notes):
    """The network's value for the inputs ``x[row]``.

    Args:
        net: float32 (`rows_for`, units).
        planes, numbers: how many inputs of each kind there are.
        x: float32 (rows, at least the inputs): suit by suit, plane by plane; then the numbers.
        notes: `Notes`, scratch.
    """
    hidden, which = notes
    units = net.shape[1]
    width = planes * RANKS
    inputs = x[row]
    second = 2 * width + numbers + 1  # where W2 begins
    for j in range(units):
        hidden[4, j] = net[second - 1, j]
        hidden[5, j] = net[second + units, j]
    for suit in range(SUITS):
        for j in range(units):
            hidden[suit, j] = 0
        found = listed(inputs, suit * width, width, which)
        add_rows(hidden, suit, net, 0, inputs, suit * width, which, 0, found)
        add_rows(hidden, 4, net, width, inputs, suit * width, which, 0, found)
    found = listed(inputs, SUITS * width, numbers, which)
    add_rows(hidden, 4, net, 2 * width, inputs, SUITS * width, which, 0, found)
    total = net[len(net) - 1, 0]
    line = second + units + 2
    for n in range(found):
        i = np.int64(which[n])
        total += inputs[SUITS * width + i] * net[line + i // units, i % units]
    for j in range(units):
        v = np.float32(0)
        for suit in range(SUITS):
            v += max(hidden[suit, j] + hidden[4, j], np.float32(0))
        hidden[0, j] = v
    add_rows(hidden, 5, net, second, hidden[0], 0, which, 0, listed(hidden[0], 0, units, which))
    for j in range(units):
        total += max(hidden[5, j], np.float32(0)) * net[second + units + 1, j]
    return total


@helper
def listed(inputs, first, count, which):
    """List the inputs that are not zero, of so many from `first` on; returns how many they are."""
    found = 0
    for i in range(count):
        which[found] = i
        found += inputs[first + i] != 0
    return found
