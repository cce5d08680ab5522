"""A whole step of an environment in one call: the move, the next deal, the mask and the
observation.
"""

import numpy as np

from ... import kit
from ...jit import kernel
from ...state import HAND_OVER
from .legal import legal
from .moves import next_hand, step
from .observation import observe


@kernel
def look(states, i, seat, kits, work, obs, mask):
    """Write the observation of a seat and its mask: all zero where the seat is not to act."""
    s = states[i]
    observe(states, i, seat, kits, obs)
    if s.phase < HAND_OVER and s.turn == seat:
        legal(states, i, kits, work)
        kit.write_mask(kits[0], work[0], mask)
    else:
        mask[:] = 0


@kernel
def advance(states, i, action, kits, work, obs, mask):
    """Play a legal action, deal the next hand if one ended within a match, and write the view of
    who is to act.

    A hand ended if the state's count of hands grew; its scores are in ``hand_scores``.
    """
    step(states, i, action, kits)
    s = states[i]
    if s.phase == HAND_OVER:
        next_hand(states, i, kits)
    look(states, i, np.int64(s.turn), kits, work, obs, mask)


@kernel
def advance_all(states, actions, kits, work, obs, masks):
    """`advance` for every table: actions (n,), obs (n, size) int8, masks (n, actions) int8."""
    for i in range(len(actions)):
        advance(states, i, actions[i], kits, work, obs[i], masks[i])
