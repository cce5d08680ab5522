"""Sets and runs on the table: how a card comes to lie there, and how it is taken back.

Which plays a hand allows, `rummyzoo.envs.plays` says.

A run is an interval of positions of one suit: 0 the low ace, 1 the two, ... ``num_ranks`` the high
ace. A set has one rank; its natural cards differ in suit, its jokers have none, and it holds three
or four cards. Melds are laid as three cards; a fourth card, or a longer run, is laid off card by
card. Every meld has at least one natural card.

Where two sets of a rank could take a card, it goes to the one with more natural cards, which leaves
the more open set open; then to the older one. For runs the choice makes no difference: only their
ends matter, and those are the same either way.
"""

import numpy as np

from .bits import ACES, lowest, popcount
from .cards import JOKER
from .jit import helper, kernel
from .kit import A_LAY_LOW, A_LAY_SET, A_RUN, A_SET
from .state import drop_card, forget_card

RUN_KEY = 16
"""Added to the suit in the key of a run."""


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
