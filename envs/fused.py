"""What environments call of a game in one go: the view of a seat, a whole step, another deal.

These are templates: each game makes its own kernels of them (`fuse`, `resampler`).
"""

from typing import Any, NamedTuple

import numpy as np

from .jit import bind
from .kit import NUM_WORDS, write_mask
from .machine import prefetch, zero
from .state import HAND_OVER, PLAY

MOST_DEALS = 100_000
"""How often another deal is tried before it is said that none was found."""

legal: Any = None  # names that `bind` fills in
step: Any = None
next_hand: Any = None
observe: Any = None
redeal: Any = None
look: Any = None
advance: Any = None


class Fused(NamedTuple):
    """The kernels of a game that do several things in one call; see the functions of this
    module.
    """

    look: Any
    advance: Any
    advance_all: Any


def fuse(legal: Any, step: Any, next_hand: Any, observe: Any) -> Fused:
    """The kernels for a game, of its own."""
    look = bind(_look, forceinline=True, legal=legal, observe=observe)
    advance = bind(_advance, forceinline=True, step=step, next_hand=next_hand, look=look)
    return Fused(look, advance, bind(_advance_all, advance=advance))


def resampler(legal: Any, redeal: Any) -> Any:
    """The kernel `_resample` for a game."""
    return bind(_resample, legal=legal, redeal=redeal)


def _look(states, i, seat, kits, work, obs, mask):
    """Write the observation of a seat and its mask: all zero where the seat is not to act."""
    s = states[i]
    observe(states, i, seat, kits, obs)
    if s.phase < HAND_OVER and s.turn == seat:
        legal(states, i, kits, work)
        write_mask(kits[0], work[0], mask)
    else:
        zero(mask)


def _advance(states, i, action, kits, work, obs, mask):
    """Play a legal action, deal the next hand if one ended within a match, and write the view of
    who is to act.

    A hand ended if the state's count of hands grew; its scores are in ``hand_scores``.
    """
    prefetch(states, i + 1)  # for loops over many tables
    step(states, i, action, kits)
    s = states[i]
    if s.phase == HAND_OVER:
        next_hand(states, i, kits)
    look(states, i, np.int64(s.turn), kits, work, obs, mask)


def _advance_all(states, actions, kits, work, obs, masks):
    """`advance` for every table: actions (n,), obs (n, size) int8, masks (n, actions) int8."""
    for i in range(len(actions)):
        advance(states, i, actions[i], kits, work, obs[i], masks[i])


def _resample(states, i, seat, kits, work, word):
    """Deal table `i` anew where a seat cannot see, from a generator word; False if no such deal was
    found.

    A deal is drawn again if `redeal` says that it cannot be, or if another player in the middle of
    a turn could not go on.
    """
    s = states[i]
    k = kits[0]
    s.rng = word
    for _ in range(MOST_DEALS):
        if not redeal(k, s, seat):
            continue
        if s.phase != PLAY or s.turn == seat:
            return True
        legal(states, i, kits, work)
        for w in range(NUM_WORDS):
            if work[0, w]:
                return True
    return False
