"""What a hand is worth: the card sense that players share, as arithmetic on words of faces.

Everything here reads what the seat may see: its own hand and what is public.
"""

import numpy as np

from ...envs import kit, melds
from ...envs.bits import ACES, LANE, next_up, next_up_two, popcount
from ...envs.cards import JOKER
from ...envs.jit import helper
from ...envs.observe import located
from ...envs.state import points_of

_NOT_KINGS = ((1 << 52) - 1) & ~(ACES << 12)


@helper
def fits(k, hand):
    """The faces that make a meld with two natural cards of a hand (they may be in it too)."""
    clubs = hand & LANE
    diamonds = (hand >> 13) & LANE
    hearts = (hand >> 26) & LANE
    spades = (hand >> 39) & LANE
    pairs = (clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades))
    low = hand if k.min_pos == 0 else hand & ~ACES
    up = next_up(hand, k.num_ranks, k.high_ace)
    up_two = next_up_two(hand, k.num_ranks, k.high_ace)
    last = ACES << (k.num_ranks - 2)  # a run that starts here ends with the high ace
    above = low & up & k.starts
    found = pairs * ACES | (up & up_two & k.starts) | (low & up_two & k.starts) << 1
    found |= (above & ~last) << 2 | (above & last) >> (k.num_ranks - 2)
    return found & k.pack


@helper
def in_melds(k, hand):
    """The cards of a hand that lie in a set or a run of three within it (perhaps in both)."""
    clubs = hand & LANE
    diamonds = (hand >> 13) & LANE
    hearts = (hand >> 26) & LANE
    spades = (hand >> 39) & LANE
    threes = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    low = hand if k.min_pos == 0 else hand & ~ACES
    up = next_up(hand, k.num_ranks, k.high_ace)
    up_two = next_up_two(hand, k.num_ranks, k.high_ace)
    last = ACES << (k.num_ranks - 2)
    runs = low & up & up_two & k.starts
    found = threes * ACES | runs | runs << 1
    return hand & (found | (runs & ~last) << 2 | (runs & last) >> (k.num_ranks - 2))


@helper
def appraise(k, s, one, two, jokers, more, unseen):
    """What a hand is good for, in points, about: conflicts between sets and runs are not resolved.

    Args:
        one, two, jokers: the hand.
        more: faces that could be laid off beyond those on the table.
        unseen: faces of which the player does not know a copy's place.

    Returns:
        The points that could be played at once, the points that could not, how many cards could
        not, and the points of the unseen faces that would make another meld.
    """
    low = one & s.open_low
    high = one & melds.high_faces(k, s.open_high)
    good = in_melds(k, one) | (one & (s.open_set | more)) | low | high
    good |= one & ((high << 1) & ~ACES | (low >> 1) & _NOT_KINGS)  # the next card of a run
    rest = one & ~good
    points = points_of(k, good, 0, 0)
    dead = points_of(k, rest, 0, 0) + points_of(k, two, 0, 0)
    left = popcount(rest) + popcount(two)
    outs = points_of(k, fits(k, one) & ~one & unseen, 0, 0)
    if jokers:
        worth = jokers * k.value[JOKER]
        pairs = fits(k, rest) & ~rest
        if pairs:
            points += worth
            # A pair has about twice the points of the face that it lacks.
            gain = min(2 * points_of(k, pairs & -pairs, 0, 0), dead)
            points += gain
            dead -= gain
            left -= 2
        elif s.open_joker or s.open_low or s.open_high:
            points += worth
        else:
            dead += worth
            left += jokers
    return points, dead, left, outs


SURE = 4096
"""What `usefulness` counts a card as that is surely there; one that may be there counts less."""


@helper
def usefulness(k, card, work, row):
    """How many melds of three natural cards a player may make with a card, by how likely they are.

    Args:
        work: the rows from `row` on, one a suit, say for each rank how likely the player can use
            that card: `SURE` for certainly.
    """
    suit = card // 13
    rank = card % 13
    total = 0
    seen = 0
    for other in range(k.num_suits):
        if other != suit:
            p = work[row + other, rank]
            total += p * seen
            seen += p
    lane = work[row + suit]
    position = rank
    if rank == 0 and k.min_pos > 0:
        position = k.num_ranks
    while True:
        two_below = 0
        below = 0
        above = 0
        two_above = 0
        if position - 1 >= k.min_pos:
            below = lane[position - 1]
            if position - 2 >= k.min_pos:
                two_below = lane[position - 2]
        if position + 1 <= k.max_pos:
            above = lane[(position + 1) % k.num_ranks]
            if position + 2 <= k.max_pos:
                two_above = lane[(position + 2) % k.num_ranks]
        total += two_below * below + below * above + above * two_above
        if rank != 0 or position == k.num_ranks or not k.high_ace:
            return total / (SURE * SURE)
        position = k.num_ranks


@helper
def faces_of(cards, size):
    """The faces of the first `size` cards as a word, and how many jokers there are."""
    faces = np.int64(0)
    jokers = np.int64(0)
    for at in range(size):
        card = np.int64(cards[at])
        if card == JOKER:
            jokers += 1
        else:
            faces |= np.int64(1) << card
    return faces, jokers


@helper
def find_unseen(k, s, p):
    """What a seat can infer: faces not located, faces known in other hands, faces in the pile."""
    seen, twice, _ = located(k, s, p)
    known = np.int64(0)
    for q in range(k.num_players):
        if q != p:
            known |= s.known_one[q]
    pile, _ = faces_of(s.pile, np.int64(s.pile_size))
    return k.pack & ~(twice if k.num_decks == 2 else seen), known, pile


@helper
def hidden_cards(k, s, p):
    """How many cards the seat has not located: the stock's and the unknown ones of the others."""
    count = np.int64(s.stock_size)
    for q in range(k.num_players):
        if q != p:
            count += unknown(s, q)
    return count


@helper
def unknown(s, q):
    """How many cards of a hand are not known to all."""
    known = popcount(s.known_one[q]) + popcount(s.known_two[q]) + np.int64(s.known_jokers[q])
    return np.int64(s.hand_size[q]) - known


@helper
def cards_of(k, kind, a, b, c):
    """The natural cards of a play as a word, and how many jokers are in it."""
    cards = np.int64(0)
    jokers = np.int64(0)
    for n in range(melds.num_cards(kind)):
        card = melds.card_of(k, kind, a, b, c, n)
        if card == JOKER:
            jokers += 1
        else:
            cards |= np.int64(1) << card
    return cards, jokers


@helper
def beyond(k, kind, a, b, c):
    """The faces that could be laid off on what a play laid down."""
    if kind == kit.A_LAY_SET:
        return np.int64(0)
    if kind == kit.A_SET:
        found = np.int64(0)
        for suit in range(k.num_suits):
            if not (b >> suit) & 1:
                found |= np.int64(1) << (13 * suit + a)
        return found
    suit = a
    below = b - 1
    above = b + 3
    if kind != kit.A_RUN:
        suit = b
        below = c - 1 if kind == kit.A_LAY_LOW else np.int64(-1)
        above = c + 1 if kind == kit.A_LAY_HIGH else np.int64(99)
    found = np.int64(0)
    if below >= k.min_pos:
        found |= np.int64(1) << (13 * suit + below)
    if above <= k.max_pos:
        found |= np.int64(1) << (13 * suit + above % k.num_ranks)
    return found


MINE, THEIRS = 1, 5
"""Where in the scratch space four rows each begin: what the player, and the others, can use."""


@helper
def weigh_cards(k, s, work, one, known, unseen, live, theirs):
    """Write how likely the player, and the others, can use each card, for `usefulness`.

    Args:
        live: how likely an unseen card will come in time for the player.
        theirs: how likely the others hold one.
    """
    mine_unseen = np.int64(SURE * live)
    theirs_unseen = np.int64(SURE * theirs)
    for suit in range(k.num_suits):
        for rank in range(k.num_ranks):
            card = 13 * suit + rank
            seen = 1 - ((unseen >> card) & 1)
            work[MINE + suit, rank] = SURE if (one >> card) & 1 else mine_unseen * (1 - seen)
            work[THEIRS + suit, rank] = SURE if (known >> card) & 1 else theirs_unseen * (1 - seen)


@helper
def weigh_pile(k, s, work, again, bait, deep):
    """Add to what `weigh_cards` wrote that cards of the pile may be taken.

    Args:
        again: how likely a card of the pile will come to the player.
        bait: how far one counts as if in another hand ...
        deep: ... and how much more for each card above it, which would be taken as well.
    """
    size = np.int64(s.pile_size)
    for at in range(size):
        card = np.int64(s.pile[at])
        if card != JOKER:
            suit = card // 13
            rank = card % 13
            mine = np.int64(SURE * again)
            work[MINE + suit, rank] = max(work[MINE + suit, rank], mine)
            use = np.int64(SURE * (bait + deep * (size - 1 - at)))
            work[THEIRS + suit, rank] = max(work[THEIRS + suit, rank], use)
