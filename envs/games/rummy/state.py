"""The state of a Rummy table: what all games have, and what basic Rummy keeps beside it."""

from ...state import CORE, PUBLIC, Field, state_dtype

PHASES = ("draw", "play")
"""The phases by number: draw, take or turn the pile over; play and discard."""

STATE_FIELDS = (
    *CORE,
    Field("turned", "u1", (52,), PUBLIC, "the stock, its top last, while all know it"),
    Field("recycles", "u2", (), PUBLIC, "how often the pile was turned over this hand"),
    Field("barred", "u1", (), PUBLIC, "the face that may not be discarded this turn, or 255"),
    Field("new_melds", "u1", (), PUBLIC, "melds laid this turn"),
    Field("shown", "u1", (), PUBLIC, "1: who is to act had cards on the table before this turn"),
    Field("mixed", "u1", (), PUBLIC, "1: a card was laid on another's meld this turn"),
    Field("hand_winner", "u1", (), PUBLIC, "who won the last hand that ended, or 255"),
)
STATE = state_dtype(STATE_FIELDS)
