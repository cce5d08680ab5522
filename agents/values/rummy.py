"""What the networks of basic Rummy go by: every hand, the stock and the pile lie open to them."""

from typing import Any

import numpy as np

from ...envs.bits import popcount
from ...envs.games.rummy import legal
from ...envs.games.rummy.moves import forget_turn
from ...envs.jit import helper, kernel
from ...envs.melds import open_faces
from ...envs.state import DRAW, PLAY, points_of
from ..heuristics.appraise import appraise, faces_of, fits
from ..heuristics.rummy import choose
from .advice import Advice, names_by_players
from .planes import CARDS, write_planes
from .recall import RECALLED, recaller

SEAT = 20
COMMON = 12
SEATS = CARDS + RECALLED
"""Where the numbers of the seats begin."""
NUMBERS = RECALLED + 3 * SEAT + COMMON
NO_CARDS = np.int64(0)
ASKED = ("greedy", "hold_for_rummy")
"""The players that `recall` asks."""


def advice(rules: Any) -> Advice:
    """The networks for some rules, and how far to play on before the value is asked."""
    return Advice(*names_by_players(rules), turns=12, deals=8)


@kernel
def describe(states, i, seat, kits, work, x, row):
    """Write what table `i` is to a seat into ``x[row]``.

    After the planes of cards come the seat's own numbers, then the mean of the others', then those
    of that other seat which acts first (of two players there is only one: these stay zero), then
    those of the table.
    """
    s = states[i]
    k = kits[0]
    n = k.num_players
    write_planes(k, s, seat, x, row)
    for j in range(CARDS, CARDS + NUMBERS):
        x[row, j] = 0
    stock, _ = faces_of(s.stock, np.int64(s.stock_size))
    table = open_faces(k, s)
    first = True
    for ahead in range(n):
        q = (np.int64(s.turn) + ahead) % n
        if q == seat:
            describe_seat(k, s, q, stock, table, x, row, SEATS, 1.0)
            continue
        describe_seat(k, s, q, stock, table, x, row, SEATS + SEAT, 1.0 / (n - 1))
        if first and n > 2:
            describe_seat(k, s, q, stock, table, x, row, SEATS + 2 * SEAT, 1.0)
        first = False
    at = SEATS + 3 * SEAT
    turns = s.stock_size / n
    x[row, at] = s.turn == seat
    x[row, at + 1] = ((seat - np.int64(s.turn) + n) % n) / n
    x[row, at + 2] = turns / 10
    x[row, at + 3] = 1 / (1 + turns)
    x[row, at + 4] = s.pile_size / 20
    x[row, at + 5] = popcount(table) / 20
    x[row, at + 6] = n / 6
    x[row, at + 7] = k.discard_required
    x[row, at + 8] = s.open_stock != 0
    x[row, at + 9] = s.phase == DRAW
    x[row, at + 10] = s.phase == PLAY
    x[row, at + 11] = s.turns / 40


@helper
def describe_seat(k, s, q, stock, table, x, row, at, share):
    """Add one seat's numbers, times `share`, to those from ``x[row, at]`` on.

    Args:
        stock: the faces in the stock.
        table: the faces that could be laid off.
    """
    one = s.one[q]
    draws = max(1, np.int64(s.stock_size))
    others = NO_CARDS
    for p in range(k.num_players):
        if p != q:
            others |= s.one[p]
    points, dead, left, outs = appraise(k, s, one, NO_CARDS, NO_CARDS, NO_CARDS, stock)
    fit = fits(k, one) & ~one
    x[row, at] += share * (points_of(k, one, NO_CARDS, NO_CARDS) / 50)
    x[row, at + 1] += share * (s.hand_size[q] / 10)
    x[row, at + 2] += share * (points / 50)
    x[row, at + 3] += share * (dead / 50)
    x[row, at + 4] += share * (left / 10)
    x[row, at + 5] += share * (outs / draws / 5)
    x[row, at + 6] += share * (popcount(fit & stock) / draws)
    x[row, at + 7] += share * (popcount(fit & others) / 10)
    x[row, at + 8] += share * (popcount(table & ~one & stock) / draws)
    x[row, at + 9] += share * (left <= 1)
    x[row, at + 10] += share * (left <= 2)
    x[row, at + 11] += share * (left <= 3)
    x[row, at + 12] += share / (1.0 + s.hand_size[q])
    x[row, at + 13] += share / (1.0 + left)
    x[row, at + 14] += share * (s.laid_one[q] != 0)
    x[row, at + 15] += share * (popcount(s.known_one[q]) / 5)
    if s.pile_size:
        top = np.int64(1) << np.int64(s.pile[s.pile_size - 1])
        _, then_dead, then_left, _ = appraise(k, s, one | top, NO_CARDS, NO_CARDS, NO_CARDS, stock)
        x[row, at + 16] += share * ((dead - then_dead) / 20)
        x[row, at + 17] += share * ((left - then_left) / 5)
        x[row, at + 18] += share * (then_left <= 1)
        x[row, at + 19] += share * (then_left < left)


recall = recaller(legal, choose, forget_turn)
