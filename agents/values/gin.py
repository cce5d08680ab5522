"""What the networks of Gin go by: both hands and the stock lie open to them.

Whoever knocks first wins most single hands. A match goes to whoever has the points first, and gin
and undercuts bring these. So there is a network for either.
"""

from typing import Any

import numpy as np

from ...envs.bits import lowest, popcount
from ...envs.cards import NOBODY
from ...envs.games.gin import legal
from ...envs.games.gin.arrange import WORST, arrange, deadwood, lay_off, run_cards
from ...envs.games.gin.state import UPCARD
from ...envs.jit import helper, kernel
from ...envs.state import DRAW, PLAY
from ..heuristics.appraise import faces_of, fits
from ..heuristics.gin import choose
from .advice import Advice
from .planes import CARDS, write_planes
from .recall import RECALLED, recaller

SEAT = 18
COMMON = 11
NUMBERS = RECALLED + 2 * SEAT + COMMON
ASKED = ("greedy", "knock_early")
"""The players that `recall` asks."""


def advice(rules: Any) -> Advice:
    """The networks for some rules, and how far to play on before the value is asked."""
    return Advice("match_value" if rules.target else "hand_value", "odds", turns=3, deals=12)


@kernel
def describe(states, i, seat, kits, work, x, row):
    """Write what table `i` is to a seat into ``x[row]``: after the planes of cards the seat's
    numbers, then the other's, then the table's.
    """
    s = states[i]
    k = kits[0]
    write_planes(k, s, seat, x, row)
    for j in range(CARDS, CARDS + RECALLED):
        x[row, j] = 0
    stock, _ = faces_of(s.stock, np.int64(s.stock_size))
    describe_seat(k, s, seat, stock, x, row, CARDS + RECALLED)
    describe_seat(k, s, 1 - seat, stock, x, row, CARDS + RECALLED + SEAT)
    at = CARDS + RECALLED + 2 * SEAT
    turns = max(0.0, (np.int64(s.stock_size) - 2) / 2)
    x[row, at] = s.turn == seat
    x[row, at + 1] = turns / 10
    x[row, at + 2] = 1 / (1 + turns)
    x[row, at + 3] = s.turns / 20
    x[row, at + 4] = s.limit / 10
    x[row, at + 5] = s.doubled
    x[row, at + 6] = s.phase == UPCARD
    x[row, at + 7] = s.phase == DRAW
    x[row, at + 8] = s.phase == PLAY
    x[row, at + 9] = s.wall
    x[row, at + 10] = k.gin_bonus / 25


@helper
def describe_seat(k, s, q, stock, x, row, at):
    """Write one seat's numbers, from ``x[row, at]`` on."""
    hand = s.one[q]
    other = s.one[1 - q]
    draws = max(1, np.int64(s.stock_size))
    points, sets = arrange(hand, np.int64(0))
    runs = run_cards(hand & ~sets)
    loose = hand & ~(sets | runs)
    makes = fits(k, loose) & ~hand
    dearest = np.int64(0)
    left = loose
    while left:
        dearest = max(dearest, np.int64(k.value[lowest(left)]))
        left &= left - 1
    theirs = deadwood(other)
    then, _, _ = lay_off(other, sets, runs)
    grows = fits(k, hand) & ~hand & ~makes
    gain = np.int64(0)
    if s.phase != PLAY and s.turn == q and s.pile_size:
        top = np.int64(1) << np.int64(s.pile[s.pile_size - 1])
        gain = points - least_after(hand | top, top)
    x[row, at] = points / 30
    x[row, at + 1] = popcount(loose) / 10
    x[row, at + 2] = points <= s.limit
    x[row, at + 3] = points == 0
    x[row, at + 4] = max(0, points - s.limit) / 30
    x[row, at + 5] = popcount(makes & stock) / draws
    x[row, at + 6] = popcount(makes & stock) / 10
    x[row, at + 7] = popcount(makes & other) / 10
    x[row, at + 8] = popcount(grows & stock) / draws
    x[row, at + 9] = dearest / 10
    x[row, at + 10] = (then - points) / 30
    x[row, at + 11] = then > points
    x[row, at + 12] = (theirs - then) / 10
    x[row, at + 13] = gain / 10
    x[row, at + 14] = points - gain <= s.limit
    x[row, at + 15] = popcount(s.known_one[q]) / 5
    x[row, at + 16] = (popcount(sets | runs) >= 6) * 1.0
    x[row, at + 17] = (popcount(sets | runs) >= 9) * 1.0


@helper
def least_after(hand, kept):
    """The least deadwood after a discard; the cards `kept` stay."""
    least = np.int64(WORST)
    left = hand & ~kept
    while left:
        bit = left & -left
        left ^= bit
        least = min(least, deadwood(hand ^ bit))
    return least


@helper
def forget_turn(s):
    """Forget what holds for this turn only, or for the last ones."""
    s.barred = NOBODY
    s.wall = 0


recall = recaller(legal, choose, forget_turn)
