"""What a seat sees of a Rummy table, and other deals that look the same from there."""

from typing import Any

import numpy as np

from ...cards import NOBODY
from ...fused import resampler
from ...jit import helper, kernel
from ...observe import NUM_CORE, Piece, core_pieces, observe_core, redeal, write_split
from .legal import legal
from .rules import Rules
from .state import PHASES


def pieces(rules: Rules, k: Any) -> list[Piece]:
    """The pieces of the observation, in order; `k` is the kit's record."""
    turnings = min(int(k.max_turns) // 100, 127)
    return [
        *core_pieces(k, len(PHASES), points=False),
        Piece("barred", (52,), 0, 1, "the face that may not be discarded this turn"),
        Piece("turned", (52,), 0, 52, "place in a stock that was turned over, 1 the top"),
        Piece(
            "recycles",
            (2,),
            0,
            (turnings, 99),
            "how often the pile was turned over this hand: hundreds, rest",
        ),
        Piece("new_melds", (1,), 0, 17, "melds laid this turn"),
        Piece("shown", (1,), 0, 1, "whether who is to act had cards on the table before this turn"),
        Piece("mixed", (1,), 0, 1, "whether a card was laid on another's meld this turn"),
    ]


BARRED, TURNED, RECYCLES, NEW_MELDS, SHOWN, MIXED = range(NUM_CORE, NUM_CORE + 6)


@kernel(forceinline=True)
def observe(states, i, seat, kits, obs):
    """Write what a seat sees of table `i` into ``obs``, int8 of the layout's size."""
    observe_seat(kits[0], states[i], seat, obs)


@helper
def observe_seat(k, s, seat, obs):
    """What `observe` does."""
    observe_core(k, s, seat, obs)
    if s.barred != NOBODY:
        obs[k.offset[BARRED] + s.barred] = 1
    if s.open_stock:
        size = np.int64(s.stock_size)
        for at in range(size):
            obs[k.offset[TURNED] + np.int64(s.turned[at])] = size - at
    write_split(np.int64(s.recycles), obs, k.offset[RECYCLES])
    obs[k.offset[NEW_MELDS]] = s.new_melds
    obs[k.offset[SHOWN]] = s.shown
    obs[k.offset[MIXED]] = s.mixed


@helper
def deal_anew(k, s, seat):
    """Deal what a seat has not located anew; a stock that was turned over lies as it did."""
    redeal(k, s, seat)
    if s.open_stock:
        for at in range(np.int64(s.stock_size)):
            s.stock[at] = s.turned[at]
    return True


resample = resampler(legal, deal_anew)
