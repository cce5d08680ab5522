"""A match: hands until somebody has the target, or just one."""

import numpy as np

from .cards import NOBODY
from .deal import below
from .jit import helper
from .state import HAND_OVER, MATCH_OVER, TRUNCATED


@helper
def begin_match(k, s, word):
    """Nothing scored yet, a generator word, and a dealer by lot."""
    s.rng = word
    s.scores[:] = 0
    s.hand_scores[:] = 0
    s.hands = 0
    s.winner = NOBODY
    s.dealer = below(s, k.num_players)


@helper
def count_hand(k, s):
    """Add the scores of the hand; the match is won by whoever alone has most, with the target or
    more. Without a target the one hand was all.
    """
    n = k.num_players
    for p in range(n):
        s.scores[p] += s.hand_scores[p]
    s.hands += 1
    best = np.int64(0)
    alone = True
    for p in range(1, n):
        if s.scores[p] > s.scores[best]:
            best = p
            alone = True
        elif s.scores[p] == s.scores[best]:
            alone = False
    if k.target == 0:
        s.phase = MATCH_OVER
        s.winner = best if alone else NOBODY
    elif alone and s.scores[best] >= k.target:
        s.phase = MATCH_OVER
        s.winner = best
    elif s.hands >= k.max_hands:
        s.phase = TRUNCATED
    else:
        s.phase = HAND_OVER
