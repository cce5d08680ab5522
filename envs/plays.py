"""Which plays a hand allows: melds to lay down, and cards to lay off.

Positions of runs are those of `rummyzoo.envs.melds`.
"""

import numpy as np

from .bits import ACES, LANE, lowest, next_up, next_up_two, popcount
from .cards import JOKER
from .jit import helper
from .kit import (
    JOKER_HIGH,
    JOKER_LOW,
    JOKER_SET,
    LAY_HIGH,
    LAY_LOW,
    LAY_SET,
    RUN,
    RUN_JOKER,
    RUN_JOKERS,
    SET,
    SET_JOKER,
    SET_JOKERS,
)


@helper
def plays(k, s, hand, jokers, words):
    """Write the words of all plays that a hand allows: melds of three, and lay-offs on the melds of
    the table.

    Args:
        hand: word of the faces that may be used.
        jokers: how many jokers may be used.
    """
    clubs = hand & LANE
    diamonds = (hand >> 13) & LANE
    hearts = (hand >> 26) & LANE
    spades = (hand >> 39) & LANE
    low = hand if k.min_pos == 0 else hand & ~ACES
    up = next_up(hand, k.num_ranks, k.high_ace)
    up_two = next_up_two(hand, k.num_ranks, k.high_ace)
    words[SET] = (
        (clubs & diamonds & hearts)
        | (clubs & diamonds & spades) << 13
        | (clubs & hearts & spades) << 26
        | (diamonds & hearts & spades) << 39
    )
    words[RUN] = low & up & up_two & k.starts
    words[LAY_SET] = hand & s.open_set
    words[LAY_LOW] = low & s.open_low
    words[LAY_HIGH] = up & s.open_high
    for w in range(SET_JOKER, RUN):
        words[w] = 0
    for w in range(RUN_JOKER, LAY_SET):
        words[w] = 0
    for w in range(JOKER_SET, JOKER_HIGH + 1):
        words[w] = 0
    if jokers >= 1:
        words[SET_JOKER] = (clubs & diamonds) | (clubs & hearts) << 13 | (diamonds & hearts) << 26
        words[SET_JOKER + 1] = (
            (clubs & spades) | (diamonds & spades) << 13 | (hearts & spades) << 26
        )
        words[RUN_JOKER] = up & up_two & k.starts
        words[RUN_JOKER + 1] = low & up_two & k.starts
        words[RUN_JOKER + 2] = low & up & k.starts
        words[JOKER_SET] = s.open_joker
        words[JOKER_LOW] = s.open_low
        words[JOKER_HIGH] = s.open_high
    if jokers >= 2:
        words[SET_JOKERS] = hand
        words[RUN_JOKERS] = low & k.starts
        words[RUN_JOKERS + 1] = up & k.starts
        words[RUN_JOKERS + 2] = up_two & k.starts


@helper
def no_plays(words):
    """Clear the words of all plays."""
    for w in range(SET, JOKER_HIGH + 1):
        words[w] = 0


@helper
def positions(k, hand, suit):
    """The positions in a run that a hand's cards of one suit can take, as bits; an ace may have
    two.
    """
    lane = (hand >> (13 * suit)) & LANE
    if lane & 1:
        if k.high_ace:
            lane |= 1 << k.num_ranks
        if k.min_pos > 0:
            lane &= ~1
    return lane


@helper
def last_position(k, card):
    """The highest position of a face: an ace's high one where the ace may be high."""
    if card % 13 == 0 and k.high_ace:
        return k.num_ranks
    return card % 13


@helper
def first_position(k, card):
    """The lowest position of a face."""
    if card % 13 == 0 and k.min_pos > 0:
        return k.num_ranks
    return card % 13


@helper
def reaches(k, have, jokers, place, position, step):
    """Whether every place from `place` to before `position` can be filled, going by `step`."""
    while place != position:
        if not (have >> place) & 1:
            jokers -= 1
            if jokers < 0:
                return False
        place += step
    return True


@helper
def open_end(s, suit, place, step):
    """Whether some run of a suit can be continued at a place: upwards (step 1) or downwards (step
    -1).
    """
    if step > 0:
        return place >= 1 and (s.open_high >> (13 * suit + place - 1)) & 1
    return place <= 12 and (s.open_low >> (13 * suit + place)) & 1


@helper
def playable(k, s, card, others, jokers):
    """Whether a card can be played with the melds of the table and these other cards only.

    That is, in a meld of three, or as the end of a lay-off that the other cards lead up to.

    Args:
        others: word of the faces beside the card (without the card itself).
        jokers: how many jokers there are beside the card.
    """
    if card == JOKER:
        if s.open_joker or s.open_low or s.open_high:
            return True
        if jokers >= 1:
            return others != 0
        for suit in range(k.num_suits):
            rest = others >> (13 * (suit + 1))
            here = (others >> (13 * suit)) & LANE
            while rest:
                if here & rest & LANE:
                    return True
                rest >>= 13
        low = others if k.min_pos == 0 else others & ~ACES
        up = next_up(others, k.num_ranks, k.high_ace)
        up_two = next_up_two(others, k.num_ranks, k.high_ace)
        return ((up & up_two) | (low & up_two) | (low & up)) & k.starts != 0
    bit = 1 << card
    if s.open_set & bit:
        return True
    rank = card % 13
    suit = card // 13
    others &= ~bit
    same = (others >> rank) & ACES
    if popcount(same) + jokers >= 2:
        return True
    have = positions(k, others, suit)
    ends = ((s.open_low >> (13 * suit)) & LANE) | ((s.open_high >> (13 * suit)) & LANE) << 1
    position = first_position(k, card)
    while True:
        # Bits 0 and 1: the two places below, bits 3 and 4: the two above.
        near = (have << 2) >> position
        if near & 0b00011 == 0b00011 or near & 0b01010 == 0b01010 or near & 0b11000 == 0b11000:
            return True
        if jokers and near & 0b11011:
            return True
        if (ends >> position) & 1:
            return True
        if ends and (jokers or near & 0b00010):
            if chain(k, s, suit, position, have, jokers, np.int64(1)):
                return True
        if ends and (jokers or near & 0b01000):
            if chain(k, s, suit, position, have, jokers, np.int64(-1)):
                return True
        if position == last_position(k, card):
            return False
        position = last_position(k, card)


@helper
def chain(k, s, suit, position, have, jokers, step):
    """Whether a run's end can be continued to a position by cards that lead up to it, in one
    direction.
    """
    place = position
    while True:
        if open_end(s, suit, place, step):
            return True
        place -= step
        if place < k.min_pos or place > k.max_pos:
            return False
        if not (have >> place) & 1:
            jokers -= 1
            if jokers < 0:
                return False


@helper
def bridges(k, s, card, others, jokers, words):
    """Add the lay-offs that lead up to a card without playing it: the ends of runs from which it
    can be reached.
    """
    for suit in range(k.num_suits):
        if card != JOKER and card // 13 != suit:
            continue
        have = positions(k, others, suit)
        up = (s.open_high >> (13 * suit)) & LANE
        while up:
            bridge(k, card, suit, lowest(up) + 1, np.int64(1), have, jokers, words)
            up &= up - 1
        down = (s.open_low >> (13 * suit)) & LANE
        while down:
            bridge(k, card, suit, lowest(down), np.int64(-1), have, jokers, words)
            down &= down - 1


@helper
def bridge(k, card, suit, place, step, have, jokers, words):
    """Add the lay-offs at one place that lead on, in the same direction, to a card."""
    natural = False
    joker = False
    if card == JOKER:
        beyond = place + step
        natural = beyond >= k.min_pos and beyond <= k.max_pos
    else:
        position = first_position(k, card)
        while True:
            if (position - place) * step > 0:
                if reaches(k, have, jokers, place + step, position, step):
                    natural = True
                if jokers >= 1 and reaches(k, have, jokers - 1, place + step, position, step):
                    joker = True
            if position == last_position(k, card):
                break
            position = last_position(k, card)
    if step > 0:
        bit = 1 << (13 * suit + place - 1)
        if natural and (have >> place) & 1:
            words[LAY_HIGH] |= bit
        if joker:
            words[JOKER_HIGH] |= bit
    else:
        bit = 1 << (13 * suit + place)
        if natural and (have >> place) & 1:
            words[LAY_LOW] |= bit
        if joker:
            words[JOKER_LOW] |= bit
