"""What is legal, phase by phase."""

import numpy as np

from ... import kit, plays
from ...bits import lowest
from ...cards import JOKER, NOBODY
from ...jit import helper, kernel
from ...state import DRAW, PLAY, add_card, copies_in_hand
from .lookahead import can_end, fits_table
from .obligation import candidate_plays, oblige, release
from .state import CALL


@kernel(forceinline=True)
def legal(states, i, kits, work):
    """Write the words of all legal actions of table `i` into ``work[0]``; all zero when the hand is
    over.

    `work` is scratch space, int64 of shape ``WORK``.
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
        words[kit.PASS_DRAW] = 1 if s.stock_size == 0 else 2
        legal_from_pile(k, s, p, np.int64(kit.TAKE), work)
    elif s.phase == PLAY:
        legal_plays(k, s, p, work)
        legal_discards(k, s, p, words)
    elif s.phase == CALL:
        words[kit.PASS_DRAW] = 1
        legal_from_pile(k, s, p, np.int64(kit.CALL), work)


@helper
def legal_from_pile(k, s, p, first_word, work):
    """What may be taken from the pile in a draw, or called: a card and all above it."""
    words = work[0]
    above = np.int64(0)
    jokers_above = np.int64(0)
    for at in range(np.int64(s.pile_size) - 1, -1, -1):
        card = np.int64(s.pile[at])
        asked = s.phase != CALL or (s.callable[at // 54] >> (at % 54)) & 1
        if asked and may_take(k, s, p, at, card, above, jokers_above, work):
            if card == JOKER:
                words[first_word + 2] |= 1 << jokers_above
            elif (above >> card) & 1:
                words[first_word + 1] |= 1 << card
            else:
                words[first_word] |= 1 << card
        if card == JOKER:
            jokers_above += 1
        else:
            above |= 1 << card


@helper
def may_take(k, s, p, at, card, above, jokers_above, work):
    """Whether taking the pile from index `at` up leaves a turn that can be ended."""
    single = at == np.int64(s.pile_size) - 1
    call = s.phase == CALL
    if single and not call and not k.top_must_meld:
        others = np.int64(s.hand_size[p]) - copies_in_hand(s, p, card)
        if others > 0:
            return True
    else:
        hand = s.one[p]
        jokers = np.int64(s.jokers[p])
        if k.uses_picked or call:
            hand |= above
            jokers += jokers_above
        if not plays.playable(k, s, card, hand, jokers):
            return False
        if not k.discard_required and not single:
            return True
        if np.int64(s.hand_size[p]) + np.int64(s.pile_size) - at >= 8:
            return True
    one = s.one[p]
    two = s.two[p]
    jokers = s.jokers[p]
    size = s.hand_size[p]
    for n in range(at, np.int64(s.pile_size)):
        add_card(s, p, np.int64(s.pile[n]))
    oblige(k, s, at)
    ends = can_end(k, s, p, np.int64(-1), work)
    release(s)
    s.barred = NOBODY
    s.one[p] = one
    s.two[p] = two
    s.jokers[p] = jokers
    s.hand_size[p] = size
    return ends


@helper
def legal_plays(k, s, p, work):
    """The plays after which the turn can be ended."""
    words = work[0]
    candidate_plays(k, s, p, words)
    narrow = k.discard_required or s.barred != NOBODY
    if s.due == NOBODY:
        if not narrow:
            return
        barred = np.int64(0)
        if s.barred != NOBODY:
            barred = copies_in_hand(s, p, np.int64(s.barred))
        # A play takes at most three cards; two that may be discarded are enough to go on with.
        if np.int64(s.hand_size[p]) - barred >= 5:
            return
    elif s.due_first and not narrow:
        return
    for w in range(kit.FIRST_PLAY, kit.LAST_PLAY + 1):
        left = words[w]
        while left:
            bit = lowest(left)
            left &= left - 1
            if not can_end(k, s, p, kit.action_of(k, w, bit), work):
                words[w] &= ~(np.int64(1) << bit)


@helper
def legal_discards(k, s, p, words):
    """Which cards may be discarded."""
    if s.due != NOBODY:
        return
    if k.final_unplayable and s.hand_size[p] == 1 and fits_table(k, s, p):
        return
    cards = s.one[p]
    joker = s.jokers[p] > 0
    if s.barred == JOKER:
        joker = False
    elif s.barred != NOBODY:
        cards &= ~(np.int64(1) << np.int64(s.barred))
    words[kit.DISCARD] = cards | (np.int64(joker) << JOKER)
