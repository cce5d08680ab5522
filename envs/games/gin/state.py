"""The state of a Gin table: what all games have, and what Gin keeps beside it."""

from ...state import CORE, MAX_PLAYERS, PUBLIC, Field, state_dtype

PHASES = ("draw", "play", "upcard", "layoff")
"""The phases by number: draw or take; discard, knock or gin; take the upcard or pass; lay off."""
UPCARD, LAYOFF = 2, 3

BY_UPCARD = -1
"""As the limit in a kit: the upcard says with how much one may knock."""

STATE_FIELDS = (
    *CORE,
    Field("upcard", "u1", (), PUBLIC, "the face turned up at the deal, or 255"),
    Field("limit", "u1", (), PUBLIC, "the most deadwood to knock with in this hand"),
    Field("doubled", "u1", (), PUBLIC, "1: the score of this hand counts twice"),
    Field("refused", "u1", (), PUBLIC, "how many players have passed the upcard"),
    Field("barred", "u1", (), PUBLIC, "the face that may not be discarded this turn, or 255"),
    Field("wall", "u1", (), PUBLIC, "1: the stock is used up; the last discard may end the hand"),
    Field("knocker", "u1", (), PUBLIC, "who has knocked in this hand, or 255"),
    Field("boxes", "i4", (MAX_PLAYERS,), PUBLIC, "boxes of this match"),
    Field("hand_winner", "u1", (), PUBLIC, "who won the last hand that ended, or 255"),
)
STATE = state_dtype(STATE_FIELDS)
