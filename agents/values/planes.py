"""Where the cards of a table lie, as the networks of all games read it: planes of cards.

Written suit by suit and plane by plane, thirteen numbers each (see `network`); how many copies
there are, where nothing else is said.
"""

import numpy as np

from ...envs.bits import lowest
from ...envs.cards import JOKER, NOBODY
from ...envs.jit import helper
from ...envs.melds import open_faces
from ...envs.state import PLAY
from ..heuristics.appraise import fits, in_melds

(
    MINE,
    NEXT,  # in the hand of that other seat which acts first
    OTHERS,  # in the hands of all further seats
    STOCK,
    PILE,
    DEPTH,  # how many cards lie above the lowest copy in the pile, and it, in tens
    TABLE,  # could be laid off now
    MINE_KNOWN,  # to all
    OTHERS_KNOWN,
    MINE_MELDS,  # in a meld within the hand
    NEXT_MELDS,
    MINE_FITS,  # would make a meld with two cards of the hand
    NEXT_FITS,
    MINE_THROWN,  # in the pile and, by the place there, thrown by the seat
    NEXT_THROWN,
) = range(15)
PLANES = 15
CARDS = 52 * PLANES
"""How many inputs the planes are."""


@helper
def write_planes(k, s, seat, x, row):
    """Write all planes, as a seat has them, into the first `CARDS` numbers of ``x[row]``."""
    for j in range(CARDS):
        x[row, j] = 0
    n = k.num_players
    following = np.int64(-1)
    for ahead in range(n):
        q = (np.int64(s.turn) + ahead) % n
        mine = q == seat
        if following < 0 and not mine:
            following = q
        plane = MINE if mine else NEXT if q == following else OTHERS
        put(x, row, plane, s.one[q])
        put(x, row, plane, s.two[q])
        known = MINE_KNOWN if mine else OTHERS_KNOWN
        put(x, row, known, s.known_one[q])
        put(x, row, known, s.known_two[q])
        if plane != OTHERS:
            put(x, row, MINE_MELDS if mine else NEXT_MELDS, in_melds(k, s.one[q]))
            put(x, row, MINE_FITS if mine else NEXT_FITS, fits(k, s.one[q]) & ~s.one[q])
    put(x, row, TABLE, open_faces(k, s))
    for at in range(np.int64(s.stock_size)):
        card = np.int64(s.stock[at])
        if card != JOKER:
            x[row, place(STOCK, card)] += 1
    size = np.int64(s.pile_size)
    for at in range(size - 1, -1, -1):
        card = np.int64(s.pile[at])
        if card != JOKER:
            x[row, place(PILE, card)] += 1
            x[row, place(DEPTH, card)] = (size - at) / 10
    # One card a turn: true down to where somebody took.
    took = s.phase == PLAY and s.barred != NOBODY
    turn = np.int64(s.turn)
    following = turn if turn != seat else (turn + 1) % n
    for at in range(size):
        card = np.int64(s.pile[at])
        thrower = (turn - size - took + at + n * size) % n
        if card != JOKER and thrower == seat:
            x[row, place(MINE_THROWN, card)] += 1
        elif card != JOKER and thrower == following:
            x[row, place(NEXT_THROWN, card)] += 1


@helper
def place(plane, card):
    """Where a card's number of a plane is."""
    return 13 * (PLANES * (card // 13) + plane) + card % 13


@helper
def put(x, row, plane, faces):
    """Count faces in a plane."""
    while faces:
        card = lowest(faces)
        faces &= faces - 1
        x[row, place(plane, card)] += 1
