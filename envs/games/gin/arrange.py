"""The best arrangement of a hand in melds, and the best lay-off: exact, and without search.

All cards are words of faces (see `rummyzoo.envs.bits`). What makes it fast: once it is settled
which cards lie in sets, the rest follows. Of the other cards, every stretch of three or more
neighbours in a suit is one run as it stands: to split it gains nothing, and neighbouring cards can
lie in no other run. The deadwood of one suit is therefore a matter of its thirteen bits, and a
table holds it. What remains is to try the sets: each rank held three or four times is no set, or
all of its cards are one, or three of the four are. A rank of which no card could lie in a run (or
be laid off) is always a whole set. Hands of eleven have three such ranks at most, and most have
none to try.

The same holds for laying off: with the defender's sets settled, the suits do not touch each other,
and in each only the subsets of the few cards within reach are to be tried.
"""

import numpy as np

from ...bits import ACES, ALL, LANE, lowest, next_up, next_up_two, popcount
from ...cards import NUM_FACES
from ...jit import helper, kernel

WORST = 1000
"""More deadwood than any hand has."""

_WITHOUT_ACES = ALL & ~ACES
_WITHOUT_KINGS = ALL & ~(ACES << 12)
_FIRST_SPADE = 1 << 39


def _deadwood_by_suit() -> np.ndarray:
    """For the cards of one suit as thirteen bits: the points of those in no run."""
    lanes = np.arange(1 << 13)
    starts = lanes & lanes >> 1 & lanes >> 2
    left = lanes & ~(starts | starts << 1 | starts << 2)
    points = np.minimum(np.arange(13) + 1, 10)
    return (((left[:, None] >> np.arange(13)) & 1) @ points).astype(np.int16)


_DEADWOOD = _deadwood_by_suit()


@helper
def value(card):
    """The points of a face: an ace 1, court cards 10."""
    return min(card % 13 + 1, np.int64(10))


@helper
def run_cards(word):
    """The cards that lie in stretches of three or more neighbours in a suit."""
    up = next_up(word, np.int64(13), np.int64(0))
    starts = word & up & next_up_two(word, np.int64(13), np.int64(0))
    return starts | starts << 1 | starts << 2


@helper
def beside(word):
    """The faces next above and next below the cards of a word."""
    return (word & _WITHOUT_KINGS) << 1 | (word & _WITHOUT_ACES) >> 1


@helper
def ranks_of(word):
    """The ranks of which a word has a card, as thirteen bits."""
    return (word | word >> 13 | word >> 26 | word >> 39) & LANE


@helper
def ranks_in_sets(word):
    """The ranks of which a word has three cards or four, as thirteen bits."""
    clubs = word & LANE
    diamonds = (word >> 13) & LANE
    hearts = (word >> 26) & LANE
    spades = (word >> 39) & LANE
    return (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))


@helper
def fourth_cards(sets):
    """The cards that sets of three lack."""
    return ranks_of(sets) * ACES & ~sets


@helper
def loose_points(word):
    """The points of the cards in no run, where no card is in a set."""
    return (
        np.int64(_DEADWOOD[word & LANE])
        + np.int64(_DEADWOOD[(word >> 13) & LANE])
        + np.int64(_DEADWOOD[(word >> 26) & LANE])
        + np.int64(_DEADWOOD[(word >> 39) & LANE])
    )


@helper
def other_sets(hand, ranks, sets):
    """The choice of sets after `sets`, or -1 after the last: for each of these ranks no set first,
    then all its cards, then three of four. Other ranks stay as they are.
    """
    while ranks:
        rank = ranks & -ranks
        whole = hand & rank * ACES
        chosen = sets & whole
        sets ^= chosen
        if chosen == 0:
            return sets | whole
        if whole == rank * ACES:
            left_out = whole ^ chosen
            if left_out < _FIRST_SPADE:
                return sets | (whole ^ (left_out << 13 if left_out else rank))
        ranks ^= rank
    return np.int64(-1)


@kernel
def arrange(hand, faces):
    """The best arrangement of a hand: least deadwood, then fewest cards among `faces` that fit its
    melds, then the smallest word of the cards in sets.

    Args:
        hand: word of the cards to arrange.
        faces: word of the cards that somebody could lay off; 0 where nobody will.

    Returns:
        The points of the deadwood, and the word of the cards in sets; of the others,
        `run_cards` lie in runs.
    """
    ranks = ranks_in_sets(hand)
    if ranks == 0:
        return loose_points(hand), np.int64(0)
    # A card that could be in no run is a loss outside its set.
    open_ranks = ranks & ranks_of(run_cards(hand))
    sets = hand & (ranks ^ open_ranks) * ACES
    least = np.int64(WORST)
    fewest = np.int64(0)
    best = np.int64(0)
    while sets >= 0:
        points = loose_points(hand & ~sets)
        if points <= least:
            fits = np.int64(0)
            if faces:
                runs = run_cards(hand & ~sets)
                fits = popcount((beside(runs) | fourth_cards(sets)) & faces)
            if points < least or fits < fewest or (fits == fewest and sets < best):
                least = points
                fewest = fits
                best = sets
        sets = other_sets(hand, open_ranks, sets)
    return least, best


@helper
def deadwood(hand):
    """The least points outside melds that a hand can be arranged to."""
    points, _ = arrange(hand, np.int64(0))
    return points


@kernel
def endings(hand, barred, limit):
    """Which cards may be discarded to knock, which to gin, and whether all cards lie in melds.

    Args:
        hand: word of a hand with one card too many.
        barred: word of the cards that may not be discarded.
        limit: the most deadwood to knock with.

    Returns:
        The words of discards that leave 1 to `limit` points, and none; and 1 for a big gin, or 0.
    """
    points, sets = arrange(hand, np.int64(0))
    knock = np.int64(0)
    gin = np.int64(0)
    # Who gives up a card loses at most its points, 10 or less.
    if points > limit + 10:
        return knock, gin, np.int64(0)
    melded = sets | run_cards(hand & ~sets)
    left = hand & ~barred
    while left:
        bit = left & -left
        left ^= bit
        points_left = points - value(lowest(bit))
        # A card of the deadwood takes exactly its points along.
        if melded & bit and points_left <= limit:
            points_left = deadwood(hand ^ bit)
        if points_left == 0:
            gin |= bit
        elif points_left <= limit:
            knock |= bit
    return knock, gin, np.int64(points == 0)


@helper
def in_order(laid, runs, fourth):
    """Whether the cards of one suit can be laid off one after another: on a run's end as it is
    then, or as the fourth of a set.
    """
    reached = runs
    grown = np.int64(0)
    while grown != reached:
        grown = reached
        reached |= (grown << 1 | grown >> 1) & laid
    return laid & ~reached & ~fourth == 0


@helper
def within_reach(hand, runs, fourth):
    """The cards of a hand that could be laid off, alone or after others of it."""
    reached = runs
    grown = np.int64(0)
    while grown != reached:
        grown = reached
        reached |= beside(grown) & hand
    return (reached | fourth) & hand


@helper
def lay_off_suit(held, runs, fourth):
    """What of one suit is best laid off, all words thirteen bits: the points that are left, and
    the cards (fewest, then the smallest word).
    """
    least = np.int64(_DEADWOOD[held])
    fewest = np.int64(0)
    best = np.int64(0)
    reach = within_reach(held, runs, fourth)
    laid = -reach & reach  # the subsets of `reach`, by size of the word
    while laid:
        if in_order(laid, runs, fourth):
            points = np.int64(_DEADWOOD[held ^ laid])
            cards = popcount(laid)
            if points < least or (points == least and cards < fewest):
                least = points
                fewest = cards
                best = laid
        laid = (laid - reach) & reach
    return least, best


@kernel
def lay_off(hand, sets, runs):
    """The best way to lay cards off on another hand's melds and to arrange the rest: least
    deadwood, then fewest cards laid off, then the smallest word of them.

    Args:
        hand: word of the defender's cards.
        sets: word of the knocker's cards in sets.
        runs: word of the knocker's cards in runs.

    Returns:
        The points of the deadwood, the word of the cards laid off, and of the cards in the
        defender's own sets (the smallest such word).
    """
    fourth = fourth_cards(sets)
    ranks = ranks_in_sets(hand)
    reach = within_reach(hand, runs, fourth)
    open_ranks = ranks & ranks_of(run_cards(hand) | reach)
    own = hand & (ranks ^ open_ranks) * ACES
    least = np.int64(WORST)
    fewest = np.int64(0)
    best = np.int64(0)
    best_own = np.int64(0)
    while own >= 0:
        points = np.int64(0)
        laid = np.int64(0)
        for at in range(0, NUM_FACES, 13):
            held = ((hand & ~own) >> at) & LANE
            suit_points, cards = lay_off_suit(held, (runs >> at) & LANE, (fourth >> at) & LANE)
            points += suit_points
            laid |= cards << at
        count = popcount(laid)
        if points <= least:
            fewer = count < fewest or (count == fewest and laid < best)
            same = count == fewest and laid == best and own < best_own
            if points < least or fewer or same:
                least = points
                fewest = count
                best = laid
                best_own = own
        own = other_sets(hand, open_ranks, own)
    return least, best, best_own
