"""No dead ends: whether a turn can still be ended after a play, by looking ahead where it is not
plain.
"""

import numpy as np

from ... import kit, melds, plays
from ...bits import lowest
from ...cards import JOKER, NOBODY
from ...jit import helper
from ...state import copies_in_hand
from .obligation import candidate_plays, settle, usable

NO, YES, UNDECIDED = 0, 1, 2
WORK = (32, kit.NUM_WORDS)
"""The shape of the scratch space: two rows for each play of a look ahead (a run has fourteen
places).
"""


@helper
def can_end(k, s, p, action, work):
    """Whether the turn can be ended after a play (-1: from here); the state is as before when this
    returns.

    A search by depth without recursion (which a disk cache does not survive): row ``2 * depth`` of
    `work` holds the plays that are left to try, the row after it what the play that led there has
    changed.
    """
    depth = 1
    if action >= 0:
        try_play(k, s, p, action, work[3])
    verdict = judge(k, s, p, work[2])
    while verdict == UNDECIDED:
        further = next_play(k, work[2 * depth])
        if further >= 0:
            depth += 1
            try_play(k, s, p, further, work[2 * depth + 1])
            verdict = judge(k, s, p, work[2 * depth])
            if verdict == NO:
                undo_play(s, p, work[2 * depth + 1])
                depth -= 1
                verdict = UNDECIDED
        elif depth > 1:
            undo_play(s, p, work[2 * depth + 1])
            depth -= 1
        else:
            verdict = NO
    while depth > 1:
        undo_play(s, p, work[2 * depth + 1])
        depth -= 1
    if action >= 0:
        undo_play(s, p, work[3])
    return verdict == YES


@helper
def judge(k, s, p, words):
    """Whether the turn can be ended from here, as far as that can be seen without trying plays.

    Where it cannot, the plays to try are left in `words`. A card that is due is played, if at all,
    in a meld of three, or as the end of a lay-off; no other play can make that possible, for what
    it would lay down comes from the same hand.
    """
    size = np.int64(s.hand_size[p])
    narrow = k.discard_required or s.barred != NOBODY
    if s.due == NOBODY:
        barred = np.int64(0)
        if s.barred != NOBODY:
            barred = copies_in_hand(s, p, np.int64(s.barred))
        if size == 0:
            ends = k.discard_required == 0
        elif barred == size:
            ends = k.discard_required == 0 and melds.places_for(k, s, np.int64(s.barred)) >= size
        elif size >= 2 or not k.final_unplayable or not k.discard_required:
            ends = True
        else:
            ends = not fits_table(k, s, p)
        return YES if ends else NO
    candidate_plays(k, s, p, words)
    if s.due_first:
        any_play = False
        for w in range(kit.FIRST_PLAY, kit.LAST_PLAY + 1):
            if words[w]:
                any_play = True
    else:
        due = np.int64(s.due)
        jokers = np.int64(s.jokers[p]) - np.int64(s.frozen_jokers)
        if due == JOKER:
            jokers -= 1
        any_play = plays.playable(k, s, due, usable(s, p), jokers)
    if not any_play:
        return NO
    # Three cards at most play the due card; of the five or more that are left, two may be
    # discarded.
    if not narrow or (size >= 8 and s.bridge_step == 0):
        return YES
    return UNDECIDED


@helper
def fits_table(k, s, p):
    """Whether the only card of a hand could be laid off."""
    if s.jokers[p]:
        return melds.places_for(k, s, np.int64(JOKER)) > 0
    return melds.places_for(k, s, lowest(s.one[p])) > 0


@helper
def next_play(k, words):
    """Take the first play out of some words; -1 when there is none left."""
    for w in range(kit.FIRST_PLAY, kit.LAST_PLAY + 1):
        if words[w]:
            bit = lowest(words[w])
            words[w] &= words[w] - 1
            return kit.action_of(k, w, bit)
    return np.int64(-1)


@helper
def try_play(k, s, p, action, before):
    """Lay down a play for a look ahead; what it changes is kept in `before` for `undo_play`."""
    before[0] = s.one[p]
    before[1] = s.two[p]
    before[2] = s.jokers[p]
    before[3] = s.hand_size[p]
    before[4] = s.due
    before[5] = s.due_first
    before[6] = s.bridge_step
    before[7] = s.bridge_suit
    before[8] = s.bridge_place
    before[9] = s.frozen_one
    before[10] = s.frozen_two
    before[11] = s.frozen_jokers
    before[12] = s.open_set
    before[13] = s.open_low
    before[14] = s.open_high
    before[15] = s.open_joker
    kind = np.int64(k.act[action, 0])
    a = np.int64(k.act[action, 1])
    b = np.int64(k.act[action, 2])
    c = np.int64(k.act[action, 3])
    m, spot = melds.place(k, s, p, kind, a, b, c)
    settle(k, s, kind, a, b, c)
    before[16] = m
    before[17] = spot


@helper
def undo_play(s, p, before):
    """Take a play back that `try_play` laid down."""
    melds.take_back(s, before[16], before[17])
    s.one[p] = before[0]
    s.two[p] = before[1]
    s.jokers[p] = before[2]
    s.hand_size[p] = before[3]
    s.due = before[4]
    s.due_first = before[5]
    s.bridge_step = before[6]
    s.bridge_suit = before[7]
    s.bridge_place = before[8]
    s.frozen_one = before[9]
    s.frozen_two = before[10]
    s.frozen_jokers = before[11]
    s.open_set = before[12]
    s.open_low = before[13]
    s.open_high = before[14]
    s.open_joker = before[15]
