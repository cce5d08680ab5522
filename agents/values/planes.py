"""Where the cards of a table lie, as the networks of all games read it: planes of cards.

Written suit by suit and plane by plane, thirteen numbers each (see `network`); how many copies
there are, where nothing else is said.
"""

import numpy as np

from ...envs.bits import lowest
from ...envs.cards import JOKER
from ...envs.jit import helper
from ...envs.melds import open_faces
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
) = range(13)
PLANES = 13
CARDS = 52 * PLANES
"""How many inputs the planes are."""


@helper
def write_planes(k, s, seat, x, row):
    """Write all planes, as a seat has them, into the first `CARDS` numbers of ``x[row]``."""
    write_first_planes(k, s, seat, np.int64(PLANES), x, row)


@helper
def write_first_planes(k, s, seat, planes, x, row):
    """As `write_planes`, where a game has planes of its own behind these; they are left empty.

    Args:
        planes: how many there are in all.
    """
    for j in range(52 * planes):
        x[row, j] = 0
    n = k.num_players
    following = np.int64(-1)
    for ahead in range(n):
        q = (np.int64(s.turn) + ahead) % n
        mine = q == seat
        if following < 0 and not mine:
            following = q
        plane = MINE if mine else NEXT if q == following else OTHERS
        put(x, row, planes, plane, s.one[q])
        put(x, row, planes, plane, s.two[q])
        known = MINE_KNOWN if mine else OTHERS_KNOWN
        put(x, row, planes, known, s.known_one[q])
        put(x, row, planes, known, s.known_two[q])
        if plane != OTHERS:
            put(x, row, planes, MINE_MELDS if mine else NEXT_MELDS, in_melds(k, s.one[q]))
            put(x, row, planes, MINE_FITS if mine else NEXT_FITS, fits(k, s.one[q]) & ~s.one[q])
    put(x, row, planes, TABLE, open_faces(k, s))
    for at in range(np.int64(s.stock_size)):
        card = np.int64(s.stock[at])
        if card != JOKER:
            x[row, place(planes, STOCK, card)] += 1
    size = np.int64(s.pile_size)
    for at in range(size - 1, -1, -1):
        card = np.int64(s.pile[at])
        if card != JOKER:
            x[row, place(planes, PILE, card)] += 1
            x[row, place(planes, DEPTH, card)] = (size - at) / 10


@helper
def place(planes, plane, card):
    """Where a card's number of a plane is, of so many planes."""
    return 13 * (planes * (card // 13) + plane) + card % 13


@helper
def put(x, row, planes, plane, faces):
    """Count faces in a plane."""
    while faces:
        card = lowest(faces)
        faces &= faces - 1
        x[row, place(planes, plane, card)] += 1
