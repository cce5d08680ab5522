"""What a seat may see, as a vector; and other worlds that look the same from that seat.

An observation is made of named pieces, one after another (`layout`). Cards are counted by face, 52
entries (suits clubs, diamonds, hearts, spades, each ace to king), with the jokers as a 53rd where
there are any. Seats are counted from the observer: entry 0 is oneself, 1 the player on the left,
and so on. Numbers that may pass 127 are split into hundreds and rest (-30 is -1 and 70), so that
nothing is lost in an int8.

The kernels here read the fields that the state's table marks public, and of the owner's only the
observer's own.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .bits import popcount, spread, spread_faces, spread_twice
from .cards import JOKER, NOBODY, NUM_FACES
from .deal import shuffle
from .jit import helper
from .machine import put, zero
from .melds import high_faces
from .state import DRAW, HAND_OVER, add_card

_MOST = 127


class Piece(NamedTuple):
    """A named part of the observation: its shape, the bounds of its entries, and what they say."""

    name: str
    shape: tuple[int, ...]
    low: int | tuple[int, ...]  # of every entry, or along the last axis
    high: int | tuple[int, ...]
    meaning: str
    joker_high: int = 0
    """Where each row ends with a joker's entry: how high that one goes."""


# The places of the offsets of the core pieces in a kit; a game's own pieces follow.
(
    HAND,
    KNOWN,
    TABLE,
    IN_RUNS,
    JOKERS_IN_RUNS,
    JOKERS_IN_SETS,
    FITS_SET,
    FITS_LOW,
    FITS_HIGH,
    FITS_JOKER,
    PILE,
    PILE_JOKERS,
    UNSEEN,
    HAND_SIZES,
    STOCK_SIZE,
    PILE_SIZE,
    MELDED,
    SCORES,
    SEATS,
    DEALER,
    TURN,
    PHASE,
    TURNS,
    HANDS,
) = range(24)
NUM_CORE = 24


def core_pieces(kit: Any, phases: int, *, table: bool = True, points: bool = True) -> list[Piece]:
    """The pieces that all games share, in order.

    Args:
        kit: the kit's record.
        phases: in how many phases a player may act.
        table: whether melds lie on the table during a hand; else the pieces about them are empty.
        points: whether cards score as they are played; else there is no piece about that.
    """
    players, decks = int(kit.layout_players), int(kit.layout_decks)
    jokers, pack = int(kit.layout_jokers), int(kit.pack_size)
    turns, hands = int(kit.max_turns), int(kit.max_hands) // 100
    if players > int(kit.num_players):  # the spaces are those of a table with more players
        pack = max(pack, 52 * decks + jokers)
        turns = max(turns, 4 * pack)
    pack, turns = min(pack, _MOST), turns // 100
    cards = NUM_FACES + (jokers > 0)
    some = 1 if jokers and table else 0
    laid, seats = (52, players) if table else (0, 0)
    return [
        Piece("hand", (cards,), 0, decks, "the observer's cards", jokers),
        Piece(
            "known",
            (players - 1, cards),
            0,
            decks,
            "cards that all know in the others' hands",
            jokers,
        ),
        Piece(
            "table",
            (seats, cards),
            0,
            decks,
            "cards each seat has played",
            jokers,
        ),
        Piece(
            "in_runs", (laid,), 0, decks, "natural cards that lie in runs (the others lie in sets)"
        ),
        Piece(
            "jokers_in_runs", (52 * some,), 0, jokers, "jokers in runs, by the card they stand for"
        ),
        Piece("jokers_in_sets", (13 * some,), 0, jokers, "jokers in sets, by rank"),
        Piece("fits_set", (laid,), 0, 1, "faces that could be laid on a set now"),
        Piece("fits_low", (laid,), 0, 1, "faces that could be laid on the low end of a run"),
        Piece("fits_high", (laid,), 0, 1, "faces that could be laid on the high end of a run"),
        Piece("fits_joker", (13 * some,), 0, 1, "ranks of sets that have room for a joker"),
        Piece(
            "pile",
            (decks, 52),
            0,
            pack,
            "place in the discard pile, 1 the top; second copies in row 1",
        ),
        Piece("pile_jokers", (jokers,), 0, pack, "places of the jokers in the pile, from the top"),
        Piece(
            "unseen",
            (cards,),
            0,
            decks,
            "cards the observer has not located: stock or others' hands",
            jokers,
        ),
        Piece("hand_sizes", (players,), 0, pack, "cards in each hand"),
        Piece("stock_size", (1,), 0, pack, "cards in the stock"),
        Piece("pile_size", (1,), 0, pack, "cards in the pile"),
        Piece(
            "melded",
            (players if points else 0, 2),
            0,
            (8, 99),
            "points played this hand: hundreds, rest",
        ),
        Piece("scores", (players, 2), (-128, 0), (_MOST, 99), "match scores: hundreds, rest"),
        Piece("seats", (players,), 0, 1, "which seats are taken"),
        Piece("dealer", (players,), 0, 1, "who dealt"),
        Piece("turn", (players,), 0, 1, "whose turn it is; none when the hand is over"),
        Piece("phase", (phases,), 0, 1, "what is to be done"),
        Piece("turns", (2,), 0, (turns, 99), "turns of this hand so far: hundreds, rest"),
        Piece("hands", (2,), 0, (hands, 99), "hands of this match so far: hundreds, rest"),
    ]


def lay_out(kit: Any, pieces: Iterable[Piece]) -> None:
    """Write into a kit where each piece begins (-1: it is empty) and how long they all are."""
    at = 0
    kit.offset = -1
    for n, piece in enumerate(pieces):
        size = int(np.prod(piece.shape))
        if size:
            kit.offset[n] = at
        at += size
    kit.observation_size = at


def bounds(pieces: Iterable[Piece]) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and highest value of every entry, int8 of shape (size of the observation,)."""
    lows, highs = [], []
    for piece in pieces:
        low = np.full(piece.shape, piece.low, np.int8)
        high = np.full(piece.shape, piece.high, np.int8)
        if piece.shape[-1] == 53:
            high[..., JOKER] = piece.joker_high
        lows.append(low.ravel())
        highs.append(high.ravel())
    return np.concatenate(lows), np.concatenate(highs)


@helper
def write_cards(k, one, two, jokers, obs, at):
    """Write counts by face from ``obs[at]`` on, the jokers' last where there are any."""
    if k.num_decks == 2:
        spread_twice(one, two, obs, at)
    else:
        spread_faces(one, obs, at)
    if k.layout_jokers:
        put(obs, at + JOKER, jokers)


@helper
def write_face(card, obs, at):
    """Mark a face, or for `NOBODY` none, in entries that are zero."""
    some = card != NOBODY
    put(obs, at + (card if some else 0), some)


@helper
def write_split(number, obs, at):
    """Write a number as hundreds and rest."""
    hundreds = number // 100
    put(obs, at, min(max(hundreds, -128), 127))
    put(obs, at + 1, number - 100 * hundreds)


@helper
def seats_left(q, seat, n):
    """How many places to the left of a seat another one is."""
    return q - seat if q >= seat else q - seat + n


@helper
def located(k, s, seat):
    """The cards whose place a seat knows: faces seen at least once, faces seen twice, jokers."""
    seen = s.one[seat] | s.open_stock
    twice = s.two[seat]
    jokers = np.int64(s.jokers[seat])
    for q in range(k.num_players):
        twice |= s.laid_two[q] | (seen & s.laid_one[q])
        seen |= s.laid_one[q]
        jokers += np.int64(s.laid_jokers[q])
        if q != seat:
            twice |= s.known_two[q] | (seen & s.known_one[q])
            seen |= s.known_one[q]
            jokers += np.int64(s.known_jokers[q])
    for at in range(np.int64(s.pile_size)):
        card = np.int64(s.pile[at])
        if card == JOKER:
            jokers += 1
        else:
            bit = np.int64(1) << card
            twice |= seen & bit
            seen |= bit
    return seen, twice, jokers


@helper(forceinline=True)
def observe_core(k, s, seat, obs):
    """Write the core pieces as a seat sees them; the others are zeroed.

    Pieces are written whether or not there is anything in them: that takes less time than to ask.
    """
    zero(obs)
    n = k.num_players
    seen, twice, jokers = write_seats(k, s, seat, obs)
    seen, twice, pile_jokers = write_pile(k, s, seen, twice, obs)
    unseen = k.pack & ~seen
    unseen_twice = np.int64(0)
    if k.num_decks == 2:
        unseen_twice = unseen
        unseen = k.pack & ~twice
    write_cards(k, unseen, unseen_twice, k.jokers - jokers - pile_jokers, obs, k.offset[UNSEEN])
    if k.offset[TABLE] >= 0:
        write_table(k, s, obs)
    put(obs, k.offset[STOCK_SIZE], np.int64(s.stock_size))
    put(obs, k.offset[PILE_SIZE], np.int64(s.pile_size))
    put(obs, k.offset[DEALER] + seats_left(np.int64(s.dealer), seat, n), 1)
    if s.phase < HAND_OVER:
        put(obs, k.offset[TURN] + seats_left(np.int64(s.turn), seat, n), 1)
        put(obs, k.offset[PHASE] + np.int64(s.phase) - DRAW, 1)
    write_split(np.int64(s.turns), obs, k.offset[TURNS])
    write_split(np.int64(s.hands), obs, k.offset[HANDS])


@helper(forceinline=True)
def write_seats(k, s, seat, obs):
    """Write what there is for each seat; returns what is `located` there, as that does."""
    n = k.num_players
    cards = 52 + (k.layout_jokers > 0)
    seen = s.one[seat]
    twice = s.two[seat]
    jokers = np.int64(s.jokers[seat])
    write_cards(k, seen, twice, jokers, obs, k.offset[HAND])
    seen |= s.open_stock
    for q in range(n):
        r = seats_left(q, seat, n)
        one = s.laid_one[q]
        two = s.laid_two[q]
        some = np.int64(s.laid_jokers[q])
        if k.offset[TABLE] >= 0:
            write_cards(k, one, two, some, obs, k.offset[TABLE] + cards * r)
        twice |= two | (seen & one)
        seen |= one
        jokers += some
        if r:
            one = s.known_one[q]
            two = s.known_two[q]
            some = np.int64(s.known_jokers[q])
            write_cards(k, one, two, some, obs, k.offset[KNOWN] + cards * (r - 1))
            twice |= two | (seen & one)
            seen |= one
            jokers += some
        put(obs, k.offset[HAND_SIZES] + r, np.int64(s.hand_size[q]))
        if k.offset[MELDED] >= 0:
            write_split(np.int64(s.melded[q]), obs, k.offset[MELDED] + 2 * r)
        write_split(np.int64(s.scores[q]), obs, k.offset[SCORES] + 2 * r)
        put(obs, k.offset[SEATS] + r, 1)
    return seen, twice, jokers


@helper(forceinline=True)
def write_pile(k, s, seen, twice, obs):
    """Write the places of the cards in the pile; returns the faces seen once and twice with them,
    and the jokers among them.
    """
    size = np.int64(s.pile_size)
    in_pile = np.int64(0)
    jokers = np.int64(0)
    for depth in range(size):
        card = np.int64(s.pile[size - 1 - depth])
        if card == JOKER:
            put(obs, k.offset[PILE_JOKERS] + jokers, depth + 1)
            jokers += 1
            continue
        put(obs, k.offset[PILE] + card + 52 * ((in_pile >> card) & 1), depth + 1)
        bit = np.int64(1) << card
        in_pile |= bit
        twice |= seen & bit
        seen |= bit
    return seen, twice, jokers


@helper(forceinline=True)
def write_table(k, s, obs):
    """Write how the cards on the table lie, and what could be laid off there."""
    if k.num_decks == 2:
        spread_twice(s.in_runs, s.in_runs_two, obs, k.offset[IN_RUNS])
    else:
        spread_faces(s.in_runs, obs, k.offset[IN_RUNS])
    spread_faces(s.open_set, obs, k.offset[FITS_SET])
    spread_faces(s.open_low, obs, k.offset[FITS_LOW])
    spread_faces(high_faces(k, s.open_high), obs, k.offset[FITS_HIGH])
    if k.layout_jokers:
        spread(s.open_joker, np.int64(13), obs, k.offset[FITS_JOKER])
        jokers_on_table(k, s, obs)


@helper
def jokers_on_table(k, s, obs):
    """Write what the jokers on the table stand for."""
    for m in range(np.int64(s.num_melds)):
        jokers = np.int64(s.meld_jokers[m])
        key = np.int64(s.meld_key[m])
        spot = 0
        while jokers:
            if jokers & 1:
                if key < 16:
                    obs[k.offset[JOKERS_IN_SETS] + key] += 1
                else:
                    obs[k.offset[JOKERS_IN_RUNS] + 13 * (key - 16) + spot % k.num_ranks] += 1
            jokers >>= 1
            spot += 1


@helper
def redeal(k, s, seat):
    """Deal what a seat has not located anew: the others' unknown cards and the stock, by the
    state's generator. Returns True: a game may know of deals that cannot be, this does not.
    """
    seen, twice, jokers = located(k, s, seat)
    size = 0
    for card in range(52):
        if (k.pack >> card) & 1:
            copies = k.num_decks - ((seen >> card) & 1) - ((twice >> card) & 1)
            for _ in range(copies):
                s.stock[size] = card
                size += 1
    for _ in range(k.jokers - jokers):
        s.stock[size] = JOKER
        size += 1
    shuffle(s, s.stock, size)
    for q in range(k.num_players):
        if q == seat:
            continue
        hand_size = np.int64(s.hand_size[q])
        s.one[q] = s.known_one[q]
        s.two[q] = s.known_two[q]
        s.jokers[q] = s.known_jokers[q]
        known = popcount(s.known_one[q]) + popcount(s.known_two[q])
        s.hand_size[q] = known + np.int64(s.known_jokers[q])
        while s.hand_size[q] < hand_size:
            size -= 1
            add_card(s, q, np.int64(s.stock[size]))
            s.stock[size] = 0
    return True
