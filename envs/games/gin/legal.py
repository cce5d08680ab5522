"""What is legal, phase by phase."""

import numpy as np

from ... import kit, melds
from ...bits import next_up
from ...cards import NOBODY
from ...jit import helper, kernel
from ...state import DRAW, PLAY
from .arrange import endings
from .state import LAYOFF, UPCARD


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
    if s.phase == PLAY:
        legal_plays(k, s, p, words)
    elif s.phase == DRAW:
        if s.wall:
            words[kit.PASS_DRAW] = 1
            words[kit.TAKE] = last_chance(k, s, p)
            return
        if s.stock_size > 0:
            words[kit.PASS_DRAW] = 2
        if not (s.refused == 2 and s.turns == 0):
            words[kit.TAKE] = top_card(s, p)
    elif s.phase == UPCARD:
        words[kit.PASS_DRAW] = 1
        words[kit.TAKE] = top_card(s, p)
    elif s.phase == LAYOFF:
        words[kit.PASS_DRAW] = 1
        hand = s.one[p]
        words[kit.LAY_SET] = hand & s.open_set
        words[kit.LAY_LOW] = hand & s.open_low
        words[kit.LAY_HIGH] = next_up(hand, k.num_ranks, k.high_ace) & s.open_high


@helper
def top_card(s, p):
    """The top of the pile, as a word, if a player may take it and have another card to discard."""
    if s.pile_size == 0 or s.hand_size[p] == 0:
        return np.int64(0)
    return np.int64(1) << np.int64(s.pile[s.pile_size - 1])


@helper
def last_chance(k, s, p):
    """The top of the pile, as a word, if a player could end the hand with it."""
    top = top_card(s, p)
    knock, gin, big = endings(s.one[p] | top, top, np.int64(s.limit))
    if knock or gin or (big and k.big_gin):
        return top
    return np.int64(0)


@helper
def legal_plays(k, s, p, words):
    """Discard, unless the last discard was taken to end the hand; knock, gin, or big gin."""
    hand = s.one[p]
    barred = np.int64(0)
    if s.barred != NOBODY:
        barred = np.int64(1) << np.int64(s.barred)
    knock, gin, big = endings(hand, barred, np.int64(s.limit))
    words[kit.KNOCK] = knock
    words[kit.GIN] = gin
    if k.big_gin:
        words[kit.BIG_GIN] = big
    if not s.wall:
        words[kit.DISCARD] = hand & ~barred


@helper
def can_lay_off(k, s, p):
    """Whether a player holds a card that fits a meld on the table."""
    return s.one[p] & melds.open_faces(k, s) != 0
