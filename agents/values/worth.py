"""What the end of a hand is worth to a seat: what rollouts gain, and what values are learned from.

A single hand is there to be won: by how much is of little account. In a match the points count,
since whoever has the target first wins it.
"""

import numpy as np

from ...envs.jit import helper

POINT = 0.002
"""What a point ahead counts in a single hand, where to finish ahead counts 1 and behind -1."""


@helper
def worth(k, s, seat):
    """What a hand that is over is worth to a seat: in a match the hundreds of points that it is
    ahead of the mean of the others; in a single hand the share of the others that finished behind
    it, less that of those ahead, and `POINT` for each point.
    """
    ahead = np.int64(0)
    behind = np.int64(0)
    for q in range(k.num_players):
        if q != seat:
            lead = np.int64(s.hand_scores[seat]) - np.int64(s.hand_scores[q])
            ahead += lead
            behind += (lead > 0) * 1 - (lead < 0) * 1
    others = k.num_players - 1
    if k.target:
        return ahead / others / 100
    return behind / others + POINT * ahead / others
