"""What the networks of Rummy 500 go by: every hand, the stock and the pile lie open to them.

Where each card lies is written as planes, by what it is to the seat; what hands are good for, as
the heuristic players reckon it, and what may happen next, as numbers (all of about the size of 1).
"""

from typing import Any

import numpy as np

from ...envs.bits import ACES, LANE, popcount
from ...envs.cards import JOKER
from ...envs.games.rummy500 import legal
from ...envs.games.rummy500.moves import forget_turn
from ...envs.jit import helper, kernel
from ...envs.melds import open_faces
from ...envs.state import DRAW, PLAY, points_of
from ..heuristics.appraise import appraise, faces_of, fits, in_melds
from ..heuristics.rummy500 import choose
from .advice import Advice, names_by_players
from .planes import CARDS, write_planes
from .recall import RECALLED, recaller

SEAT = 30
COMMON = 19
SEATS = CARDS + RECALLED
"""Where the numbers of the seats begin."""
NUMBERS = RECALLED + 3 * SEAT + COMMON
NO_CARDS = np.int64(0)
ASKED = ("far_sighted", "greedy")
"""The players that `recall` asks."""


def advice(rules: Any) -> Advice:
    """The networks for some rules, and how far to play on before the value is asked."""
    if rules.num_players > 2:
        turns, deals = 6, 4
    else:  # what was learned from search itself sees further
        turns, deals = (3, 8) if rules.target else (2, 12)
    return Advice(*names_by_players(rules), turns, deals)


@kernel
def describe(states, i, seat, kits, work, x, row):
    """Write what table `i` is to a seat into ``x[row]``.

    After the planes of cards come the seat's own numbers, then the mean of the others', then those
    of that other seat which acts first (of two players there is only one: these stay zero), then
    those of the table; the last are for `recall`.
    """
    s = states[i]
    k = kits[0]
    n = k.num_players
    write_planes(k, s, seat, x, row)
    for j in range(CARDS, CARDS + NUMBERS):
        x[row, j] = 0
    stock, jokers = faces_of(s.stock, np.int64(s.stock_size))
    pile, _ = faces_of(s.pile, np.int64(s.pile_size))
    table = open_faces(k, s)
    best = np.int64(-10_000)
    first = True
    for ahead in range(n):
        q = (np.int64(s.turn) + ahead) % n
        if q == seat:
            describe_seat(k, s, q, stock, pile, table, x, row, SEATS, 1.0)
            continue
        best = max(best, np.int64(s.melded[q]))
        describe_seat(k, s, q, stock, pile, table, x, row, SEATS + SEAT, 1.0 / (n - 1))
        if first and n > 2:
            describe_seat(k, s, q, stock, pile, table, x, row, SEATS + 2 * SEAT, 1.0)
        first = False
    describe_table(k, s, seat, jokers, table, np.int64(s.melded[seat]) - best, x, row)


@helper
def describe_table(k, s, seat, jokers, table, ahead, x, row):
    """Write the numbers of the table.

    Args:
        jokers: in the stock.
        table: the faces that could be laid off.
        ahead: how many points the seat has melded more than any other.
    """
    at = SEATS + 3 * SEAT
    n = k.num_players
    turns = s.stock_size / n
    points = NO_CARDS
    for spot in range(np.int64(s.pile_size)):
        points += k.value[s.pile[spot]]
    x[row, at] = s.turn == seat
    x[row, at + 1] = ((seat - np.int64(s.turn) + n) % n) / n
    x[row, at + 2] = s.stock_size / 30
    x[row, at + 3] = turns / 10
    x[row, at + 4] = 1 / (1 + turns)
    x[row, at + 5] = s.pile_size / 20
    x[row, at + 6] = points / 100
    x[row, at + 7] = popcount(table) / 20
    x[row, at + 8] = ahead / 100
    x[row, at + 9] = n / 8
    x[row, at + 10] = k.jokers / 4
    x[row, at + 11] = k.num_decks - 1
    x[row, at + 12] = k.floating
    x[row, at + 13] = k.discard_required
    x[row, at + 14] = s.stock_size == 0
    x[row, at + 15] = (k.pack_size - k.num_players * k.hand_size) / 50
    x[row, at + 16] = jokers / 2
    x[row, at + 17] = s.phase == DRAW
    x[row, at + 18] = s.phase == PLAY


@helper
def describe_seat(k, s, q, stock, pile, table, x, row, at, share):
    """Add one seat's numbers, times `share`, to those from ``x[row, at]`` on.

    Args:
        stock, pile: the faces in the stock and in the pile.
        table: the faces that could be laid off.
    """
    one = s.one[q]
    two = s.two[q]
    jokers = np.int64(s.jokers[q])
    draws = max(1, np.int64(s.stock_size))
    others = NO_CARDS
    loose = NO_CARDS
    for p in range(k.num_players):
        if p != q:
            others |= s.one[p]
            loose |= s.one[p] & ~(in_melds(k, s.one[p]) | table)
    points, dead, left, outs = appraise(k, s, one, two, jokers, NO_CARDS, stock)
    fit = fits(k, one) & ~one
    x[row, at] += share * (s.melded[q] / 100)
    x[row, at + 1] += share * (points_of(k, one, two, jokers) / 100)
    x[row, at + 2] += share * (s.hand_size[q] / 10)
    x[row, at + 3] += share * (points / 50)
    x[row, at + 4] += share * (dead / 50)
    x[row, at + 5] += share * (left / 10)
    x[row, at + 6] += share * (outs / draws / 5)
    x[row, at + 7] += share * (popcount(fit & stock) / draws)
    x[row, at + 8] += share * (popcount(fit & stock) / 10)
    x[row, at + 9] += share * (points_of(k, fit & others, 0, 0) / 50)
    x[row, at + 10] += share * (points_of(k, fit & pile, 0, 0) / 50)
    x[row, at + 11] += share * (points_of(k, one & table, 0, 0) / 50)
    x[row, at + 12] += share * (points_of(k, table & ~one & stock, 0, 0) / draws / 5)
    x[row, at + 13] += share * jokers
    x[row, at + 14] += share * (points_of(k, in_melds(k, one | pile) & one, 0, 0) / 50)
    x[row, at + 15] += share * (left <= 1)
    x[row, at + 16] += share * (left <= 0)
    x[row, at + 17] += share / (1.0 + s.hand_size[q])
    known = popcount(s.known_one[q]) + popcount(s.known_two[q])
    x[row, at + 18] += share * (known / 10)
    with_pile = fits(k, one | pile) & ~fits(k, one) & ~one
    x[row, at + 19] += share * (popcount(with_pile & stock) / draws)
    x[row, at + 20] += share * (points_of(k, fit & loose, 0, 0) / 50)
    x[row, at + 21] += share * (popcount(fit & loose) / 10)
    x[row, at + 22] += share * (popcount(in_both(one) & in_melds(k, one)) / 10)
    describe_takes(k, s, q, points, dead, left, table, stock, x, row, at + 23, share)


@helper
def in_both(hand):
    """The cards of a hand of ranks that make sets, with a neighbour: they may lie in a run too."""
    clubs = hand & LANE
    diamonds = (hand >> 13) & LANE
    hearts = (hand >> 26) & LANE
    spades = (hand >> 39) & LANE
    threes = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    return hand & threes * ACES & (hand << 1 | hand >> 1)


@helper
def describe_takes(k, s, q, points, dead, left, table, stock, x, row, at, share):
    """Add what the pile offers to a seat."""
    one = s.one[q]
    two = s.two[q]
    jokers = np.int64(s.jokers[q])
    size = np.int64(s.pile_size)
    best = -1000.0
    best_points = np.int64(0)
    best_dead = np.int64(0)
    best_left = np.int64(0)
    best_cards = np.int64(0)
    places = 0
    least = left
    for spot in range(size - 1, -1, -1):
        card = np.int64(s.pile[spot])
        if card == JOKER:
            jokers += 1
            continue
        bit = np.int64(1) << card
        two |= one & bit
        one |= bit
        if spot < size - 1 and not ((in_melds(k, one) | table) & bit):
            continue
        now, then_dead, then_left, _ = appraise(k, s, one, two, jokers, NO_CARDS, stock)
        places += 1
        least = min(least, then_left)
        merit = now - 0.3 * then_dead
        if merit > best:
            best = merit
            best_points = now - points
            best_dead = then_dead - dead
            best_left = then_left - left
            best_cards = size - spot
    x[row, at] += share * (best_points / 50)
    x[row, at + 1] += share * (best_dead / 50)
    x[row, at + 2] += share * (best_left / 10)
    x[row, at + 3] += share * (best_cards / 10)
    x[row, at + 4] += share * (places / 10)
    x[row, at + 5] += share * (least <= 1)
    x[row, at + 6] += share * (max(0.0, best_points - 0.3 * best_dead) / 50)


recall = recaller(legal, choose, forget_turn)
