"""What the past tells of other hands: whether their owners would have thrown what they threw.

A world says what another player holds now, and so about what that player chose from when it threw
the cards that lie on the pile. Who held two more kings has not thrown one. The heuristic players
are asked what they would have thrown from such hands; how much that says, the odds learn.
"""

from typing import Any

import numpy as np

from ...envs.cards import JOKER, NOBODY
from ...envs.jit import bind
from ...envs.state import DRAW, PLAY
from ..heuristics.appraise import fits
from .planes import CARDS

BACK = 4
"""How many throws of the others are looked back to."""
JUDGED = 3
"""Numbers that a game writes of each of them, beside one that is written here."""
RECALLED = BACK * (JUDGED + 1)
"""Numbers in all: the first behind the planes of cards."""

judge: Any = None  # a name that `bind` fills in


def recaller(judge: Any) -> Any:
    """The kernel `_recall` for a game.

    Args:
        judge: the helper ``judge(k, s, p, work, card, x, row, at)``, which writes `JUDGED` numbers
            that speak for a throw of seat `p`, with the card put back into the hand and taken from
            the pile.
    """
    return bind(_recall, judge=judge)


def _recall(states, i, seat, kits, work, x, row):
    """Write into ``x[row]`` how well the last throws of the others fit with the hands that they
    have at table `i`: for each what `judge` says of it, and whether the card below, which they
    passed by, would make a meld with cards of that hand.

    One card is thrown in a turn: who threw it is true down to where somebody took from the pile.
    """
    s = states[i]
    k = kits[0]
    n = k.num_players
    size = np.int64(s.pile_size)
    if s.phase != DRAW and s.phase != PLAY:
        return
    took = s.phase == PLAY and s.barred != NOBODY
    p = np.int64(s.turn)
    at = np.int64(CARDS)
    spot = size - 1 + took
    while spot >= 0 and at < CARDS + RECALLED:
        p = (p + n - 1) % n
        if p != seat:
            if spot < size and s.pile[spot] != JOKER:
                one = s.one[p]
                two = s.two[p]
                card = np.int64(s.pile[spot])
                bit = np.int64(1) << card
                s.two[p] = two | (one & bit)
                s.one[p] = one | bit
                s.hand_size[p] += 1
                s.pile_size = spot
                judge(k, s, p, work, card, x, row, at)
                s.pile_size = size
                s.hand_size[p] -= 1
                s.one[p] = one
                s.two[p] = two
            if spot > 0 and s.pile[spot - 1] != JOKER:
                passed = np.int64(s.pile[spot - 1])
                x[row, at + JUDGED] = (fits(k, s.one[p]) >> passed) & 1
            at += JUDGED + 1
        spot -= 1
