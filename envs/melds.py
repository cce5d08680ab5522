"""Sets and runs: which plays a hand allows, how a card comes to lie on the table, and how it is
taken back.

A run is an interval of positions of one suit: 0 the low ace, 1 the two, ... ``num_ranks`` the high
ace. A set has one rank; its natural cards differ in suit, its jokers have none, and it holds three
or four cards. Melds are laid as three cards; a fourth card, or a longer run, is laid off card by
card. Every meld has at least one natural card.

Where two sets of a rank could take a card, it goes to the one with more natural cards, which leaves
the more open set open; then to the older one. For runs the choice makes no difference: only their
ends matter, and those are the same either way.
"""

import numpy as np

from .bits import ACES, LANE, lowest, next_up, next_up_two, popcount
from .cards import JOKER
from .jit import helper, kernel
from .kit import (
    A_LAY_LOW,
    A_LAY_SET,
    A_RUN,
    A_SET,
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
from .state import drop_card, forget_card

RUN_KEY = 16
"""Added to the suit in the key of a run."""


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


@helper
def find_open_ends(k, s):
    """Work out anew what could be laid off on the melds of the table."""
    s.open_set = 0
    s.open_low = 0
    s.open_high = 0
    s.open_joker = 0
    for m in range(np.int64(s.num_melds)):
        add_open_ends(k, s, m)


@helper
def add_open_ends(k, s, m):
    """Add what could be laid off on one meld."""
    key = np.int64(s.meld_key[m])
    cards = np.int64(s.meld_cards[m])
    if key < RUN_KEY:
        if popcount(cards) < 4:
            s.open_joker |= 1 << key
            for suit in range(k.num_suits):
                if not (cards >> suit) & 1:
                    s.open_set |= 1 << (13 * suit + key)
    else:
        suit = key - RUN_KEY
        below = lowest(cards) - 1
        above = below + 1 + popcount(cards)
        if below >= k.min_pos:
            s.open_low |= 1 << (13 * suit + below)
        if above <= k.max_pos:
            s.open_high |= 1 << (13 * suit + above - 1)


@helper
def high_faces(k, word):
    """A word by high end (position less one) as a word by face."""
    last = ACES << (k.num_ranks - 1)
    return ((word & ~last) << 1) | ((word >> (k.num_ranks - 1)) & ACES)


@helper
def open_faces(k, s):
    """The faces that could be laid off on the melds of the table."""
    return s.open_set | s.open_low | high_faces(k, s.open_high)


@helper
def places_for(k, s, card):
    """How many places on the table could take a card of this face."""
    places = 0
    for m in range(np.int64(s.num_melds)):
        key = np.int64(s.meld_key[m])
        cards = np.int64(s.meld_cards[m])
        if key < RUN_KEY:
            if card == JOKER:
                places += 4 - popcount(cards)
            elif key == card % 13 and popcount(cards) < 4 and not (cards >> (card // 13)) & 1:
                places += 1
        else:
            below = lowest(cards) - 1
            above = below + 1 + popcount(cards)
            if card == JOKER:
                places += below - k.min_pos + 1 + k.max_pos - above + 1
            elif key - RUN_KEY == card // 13:
                for position in (below, above):
                    if position >= k.min_pos and position <= k.max_pos:
                        if position % k.num_ranks == card % 13:
                            places += 1
    return places


@kernel
def meld_for(k, s, kind, card, b, c):
    """The meld that takes a lay-off, or -1: a set of rank `b`, or a run of suit `b` whose end is at
    position `c`.
    """
    best = -1
    most = -1
    for m in range(np.int64(s.num_melds)):
        key = np.int64(s.meld_key[m])
        cards = np.int64(s.meld_cards[m])
        if kind == A_LAY_SET:
            if key == b and popcount(cards) < 4:
                if card == JOKER or not (cards >> (card // 13)) & 1:
                    naturals = popcount(cards & 15)
                    if naturals > most:
                        best = m
                        most = naturals
        elif key == RUN_KEY + b:
            below = lowest(cards) - 1
            if c == (below if kind == A_LAY_LOW else below + 1 + popcount(cards)):
                return m
    return best


@helper
def place(k, s, p, kind, a, b, c):
    """Move the cards of a play from a hand to the table; returns the meld they lie in and the place
    a lay-off took.

    Only hands and melds change: what else a play means (points, obligations, what is known) is the
    game's.
    """
    if kind == A_SET:
        m = np.int64(s.num_melds)
        s.num_melds = m + 1
        s.meld_key[m] = a
        jokers = (1 << c) - 1
        s.meld_cards[m] = b | jokers << 4
        s.meld_jokers[m] = jokers << 4
        s.meld_owner[m] = owners(b | jokers << 4, p)
        for suit in range(4):
            if (b >> suit) & 1:
                drop_card(s, p, 13 * suit + a)
        s.jokers[p] -= c
        s.hand_size[p] -= c
        add_open_ends(k, s, m)
        return m, -1
    if kind == A_RUN:
        m = np.int64(s.num_melds)
        s.num_melds = m + 1
        s.meld_key[m] = RUN_KEY + a
        s.meld_cards[m] = 7 << b
        s.meld_jokers[m] = c << b
        s.meld_owner[m] = owners(7 << b, p)
        for offset in range(3):
            if (c >> offset) & 1:
                drop_card(s, p, np.int64(JOKER))
            else:
                drop_card(s, p, 13 * a + (b + offset) % k.num_ranks)
        add_open_ends(k, s, m)
        return m, -1
    m = meld_for(k, s, kind, a, b, c)
    if kind == A_LAY_SET:
        spot = a // 13
        if a == JOKER:
            spot = 4
            while (s.meld_cards[m] >> spot) & 1:
                spot += 1
    else:
        spot = c
    s.meld_cards[m] |= 1 << spot
    if a == JOKER:
        s.meld_jokers[m] |= 1 << spot
    s.meld_owner[m] |= np.int64(p) << (4 * spot)
    drop_card(s, p, a)
    find_open_ends(k, s)
    return m, spot


@helper
def lay(k, s, p, kind, a, b, c):
    """Play cards from a hand to the table, with all that is noted of cards that lie there."""
    place(k, s, p, kind, a, b, c)
    run = kind != A_SET and kind != A_LAY_SET
    for n in range(num_cards(kind)):
        card = card_of(k, kind, a, b, c, n)
        forget_card(s, p, card)
        if card == JOKER:
            s.laid_jokers[p] += 1
            continue
        bit = np.int64(1) << card
        s.laid_two[p] |= s.laid_one[p] & bit
        s.laid_one[p] |= bit
        if run:
            s.in_runs_two |= s.in_runs & bit
            s.in_runs |= bit


@helper
def owners(cards, p):
    """The word of owners of a meld whose cards one seat has laid."""
    word = 0
    for spot in range(14):
        if (cards >> spot) & 1:
            word |= np.int64(p) << (4 * spot)
    return word


@kernel
def others_in(s, m, p):
    """Whether a meld holds a card of another seat."""
    for spot in range(14):
        if (s.meld_cards[m] >> spot) & 1 and ((s.meld_owner[m] >> (4 * spot)) & 15) != p:
            return True
    return False


@helper
def take_back(s, m, spot):
    """Undo what `place` did to the table; hand and open ends are the caller's to restore."""
    if spot < 0:
        s.num_melds = m
        s.meld_key[m] = 0
        s.meld_cards[m] = 0
        s.meld_jokers[m] = 0
        s.meld_owner[m] = 0
        return
    s.meld_cards[m] &= ~(1 << spot)
    s.meld_jokers[m] &= ~(1 << spot)
    s.meld_owner[m] &= ~(np.int64(15) << (4 * spot))


@helper
def play_points(k, kind, a, b, c):
    """The points that a play scores."""
    if kind == A_SET:
        return popcount(b) * k.value[a] + c * k.value[JOKER]
    if kind == A_RUN:
        total = 0
        for offset in range(3):
            if (c >> offset) & 1:
                total += k.value[JOKER]
            elif b + offset == 0:
                total += k.low_ace
            else:
                total += k.value[(b + offset) % k.num_ranks]
        return total
    if kind == A_LAY_LOW and c == 0 and a != JOKER:
        return k.low_ace
    return k.value[a]


@kernel
def contains(k, kind, a, b, c, card):
    """Whether a play contains a card of this face."""
    if kind == A_SET:
        if card == JOKER:
            return c > 0
        return card % 13 == a and (b >> (card // 13)) & 1
    if kind == A_RUN:
        if card == JOKER:
            return c != 0
        if card // 13 != a:
            return False
        for offset in range(3):
            if not (c >> offset) & 1 and (b + offset) % k.num_ranks == card % 13:
                return True
        return False
    return a == card


@kernel
def num_cards(kind):
    """How many cards a play of this kind lays."""
    return 3 if kind == A_SET or kind == A_RUN else 1


@kernel
def card_of(k, kind, a, b, c, n):
    """The face of a play's card number `n`."""
    if kind == A_SET:
        for suit in range(4):
            if (b >> suit) & 1:
                if n == 0:
                    return 13 * suit + a
                n -= 1
        return JOKER
    if kind == A_RUN:
        return JOKER if (c >> n) & 1 else 13 * a + (b + n) % k.num_ranks
    return a
