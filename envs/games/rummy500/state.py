"""The state of a Rummy 500 table: what all games have, and what a turn may oblige to."""

from ...state import CORE, PUBLIC, Field, state_dtype

PHASES = ("draw", "play", "call")
"""The phases by number: draw, or take from the pile; play and discard; call or pass."""
CALL = 2

STATE_FIELDS = (
    *CORE,
    Field("due", "u1", (), PUBLIC, "the face that must be played this turn, or 255"),
    Field("due_first", "u1", (), PUBLIC, "1: before any other play"),
    Field(
        "bridge_step",
        "i1",
        (),
        PUBLIC,
        "1, -1: a lay-off that leads up to the due card goes on up, down; 0: none",
    ),
    Field("bridge_suit", "u1", (), PUBLIC, "... on a run of this suit"),
    Field("bridge_place", "u1", (), PUBLIC, "... at this position"),
    Field("barred", "u1", (), PUBLIC, "the face that may not be discarded this turn, or 255"),
    Field("frozen_one", "i8", (), PUBLIC, "faces that may not be played before the due card"),
    Field("frozen_two", "i8", (), PUBLIC, "... twice"),
    Field("frozen_jokers", "u1", (), PUBLIC, "... jokers"),
    Field("from_pile", "u1", (), PUBLIC, "1: this turn began with a card from the pile"),
    Field("played", "u1", (), PUBLIC, "1: something was played this turn"),
    Field("idle", "u1", (), PUBLIC, "turns since the stock ran out in which nothing was played"),
    Field("discarder", "u1", (), PUBLIC, "who discarded last, while others are asked to call"),
    Field(
        "callable",
        "i8",
        (2,),
        PUBLIC,
        "pile cards that may be called now, 54 bits a word from the bottom",
    ),
    Field(
        "chances",
        "i8",
        (2,),
        PUBLIC,
        "pile cards that could be played as the last discard was made",
    ),
)
STATE = state_dtype(STATE_FIELDS)
