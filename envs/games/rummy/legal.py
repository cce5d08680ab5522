"""What is legal, phase by phase."""

import numpy as np

from ... import kit, melds, plays
from ...bits import lowest
from ...cards import NOBODY
from ...jit import helper, kernel
from ...state import DRAW, PLAY


@kernel(forceinline=True)
def legal(states, i, kits, work):
    """Write the words of all legal actions of table `i` into ``work[0]``; all zero when the hand is
    over.

    `work` is scratch space, int64 of shape `rummyzoo.envs.kit.WORK`.
    """
    legal_words(kits[0], states[i], work)


@helper
def legal_words(k, s, work):
    """What `legal` does."""
    words = work[0]
    for w in range(kit.NUM_WORDS):
        words[w] = 0
    p = np.int64(s.turn)
    if s.phase == DRAW:
        legal_draws(k, s, p, words)
    elif s.phase == PLAY:
        legal_plays(k, s, p, words)
        words[kit.DISCARD] = s.one[p]
        if s.barred != NOBODY:
            words[kit.DISCARD] &= ~(np.int64(1) << np.int64(s.barred))


@helper
def may_turn(k, s):
    """Whether the pile may be turned over once the stock is empty."""
    return s.pile_size > 0 and s.recycles < k.max_recycles


@helper
def legal_draws(k, s, p, words):
    """Draw, or turn the pile over, or pass; or take the top of the pile."""
    if s.stock_size > 0:
        words[kit.PASS_DRAW] = 2
    elif may_turn(k, s):
        words[kit.PASS_DRAW] = 4
    else:
        words[kit.PASS_DRAW] = 1
    if s.pile_size > 0:
        top = np.int64(s.pile[s.pile_size - 1])
        if s.hand_size[p] > 0 or lays_off(k, s, p, top):
            words[kit.TAKE] = np.int64(1) << top


@helper
def may_lay_off(k, s, p):
    """Whether a player may lay off at all: with `requires_own_meld`, who has cards on the table."""
    return not k.requires_own_meld or s.laid_one[p] != 0


@helper
def lays_off(k, s, p, card):
    """Whether a player could end the turn by laying off a card, its only one."""
    if k.discard_required or not may_lay_off(k, s, p):
        return False
    return melds.places_for(k, s, card) > 0


@helper
def legal_plays(k, s, p, words):
    """The plays after which the turn can be ended."""
    size = np.int64(s.hand_size[p])
    plays.plays(k, s, s.one[p], np.int64(0), words)
    if s.new_melds >= k.max_melds:
        words[kit.SET] = 0
        words[kit.RUN] = 0
    if not may_lay_off(k, s, p):
        words[kit.LAY_SET] = 0
        words[kit.LAY_LOW] = 0
        words[kit.LAY_HIGH] = 0
    # Two cards that are left after a play are enough: they are not both barred.
    if size > 4:
        return
    for w in range(kit.FIRST_PLAY, kit.LAST_PLAY + 1):
        left = words[w]
        while left:
            bit = lowest(left)
            left &= left - 1
            if not can_end(k, s, p, kit.action_of(k, w, bit), size):
                words[w] &= ~(np.int64(1) << bit)


@helper
def can_end(k, s, p, action, size):
    """Whether the turn can be ended after a play by a hand of so many cards."""
    kind = np.int64(k.act[action, 0])
    a = np.int64(k.act[action, 1])
    b = np.int64(k.act[action, 2])
    c = np.int64(k.act[action, 3])
    left = size - melds.num_cards(kind)
    if left == 0:
        return k.discard_required == 0
    if left > 1 or s.barred == NOBODY:
        return True
    barred = np.int64(s.barred)
    if not (s.one[p] >> barred) & 1 or melds.contains(k, kind, a, b, c, barred):
        return True
    if k.discard_required:
        return False
    return fits_after(k, s, p, kind, a, b, c, barred)


@helper
def fits_after(k, s, p, kind, a, b, c, card):
    """Whether a card can be laid off after a play; the table is as before when this returns."""
    one = s.one[p]
    size = s.hand_size[p]
    open_set = s.open_set
    open_low = s.open_low
    open_high = s.open_high
    open_joker = s.open_joker
    m, spot = melds.place(k, s, p, kind, a, b, c)
    fits = melds.places_for(k, s, card) > 0
    melds.take_back(s, m, spot)
    s.one[p] = one
    s.hand_size[p] = size
    s.open_set = open_set
    s.open_low = open_low
    s.open_high = open_high
    s.open_joker = open_joker
    return fits
