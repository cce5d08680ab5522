"""What taking cards from the pile obliges to, and which plays are left until that is done."""

import numpy as np

from ... import kit, melds, plays
from ...cards import JOKER, NOBODY
from ...jit import helper, kernel
from .state import CALL


@helper
def oblige(k, s, at):
    """What taking the pile from index `at` up obliges a player to."""
    card = s.pile[at]
    call = s.phase == CALL
    single = at == np.int64(s.pile_size) - 1
    if single:
        s.barred = card
    if single and not call and not k.top_must_meld:
        return
    s.due = card
    s.due_first = 1 if call or not k.before_discard else 0
    if k.uses_picked or call:
        return
    for n in range(at + 1, np.int64(s.pile_size)):
        other = np.int64(s.pile[n])
        if other == JOKER:
            s.frozen_jokers += 1
        else:
            s.frozen_two |= s.frozen_one & (np.int64(1) << other)
            s.frozen_one |= np.int64(1) << other


@helper
def release(s):
    """Nothing is due any more."""
    s.due = NOBODY
    s.due_first = 0
    s.bridge_step = 0
    s.bridge_suit = 0
    s.bridge_place = 0
    s.frozen_one = 0
    s.frozen_two = 0
    s.frozen_jokers = 0


@helper
def settle(k, s, kind, a, b, c):
    """What a play does to the obligation: fulfils it, or begins or goes on with a lay-off that
    leads up to it.
    """
    if s.due == NOBODY:
        return
    if melds.contains(k, kind, a, b, c, np.int64(s.due)):
        release(s)
    elif s.due_first:
        step = 1 if kind == kit.A_LAY_HIGH else -1
        s.bridge_step = step
        s.bridge_suit = b
        s.bridge_place = c + step


@kernel
def usable(s, p):
    """The faces of a hand that may be played: all but the frozen ones."""
    return (s.one[p] & ~s.frozen_one) | (s.two[p] & ~s.frozen_two)


@helper
def candidate_plays(k, s, p, words):
    """The plays that hand, table and obligation allow, whether or not the turn could be ended after
    them.
    """
    hand = usable(s, p)
    jokers = np.int64(s.jokers[p]) - np.int64(s.frozen_jokers)
    due = np.int64(s.due)
    if due == NOBODY or not s.due_first:
        plays.plays(k, s, hand, jokers, words)
        return
    # What there is beside the due card.
    others = hand
    other_jokers = jokers
    if due == JOKER:
        other_jokers -= 1
    elif not (s.two[p] >> due) & 1:
        others &= ~(np.int64(1) << due)
    if s.bridge_step == 0:
        plays.plays(k, s, hand, jokers, words)
        for w in range(kit.FIRST_PLAY, kit.LAST_PLAY + 1):
            words[w] &= k.includes[due, w]
        plays.bridges(k, s, due, others, other_jokers, words)
        return
    plays.no_plays(words)
    suit = np.int64(s.bridge_suit)
    spot = np.int64(s.bridge_place)
    step = np.int64(s.bridge_step)
    have = plays.positions(k, others, suit)
    plays.bridge(k, due, suit, spot, step, have, other_jokers, words)
    bit = 1 << (13 * suit + (spot - 1 if step > 0 else spot))
    if due == JOKER:
        words[kit.JOKER_HIGH if step > 0 else kit.JOKER_LOW] |= bit
    elif spot == plays.first_position(k, due) or spot == plays.last_position(k, due):
        words[kit.LAY_HIGH if step > 0 else kit.LAY_LOW] |= bit
