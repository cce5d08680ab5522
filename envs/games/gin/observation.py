"""What a seat sees of a Gin table, and other deals that look the same from there."""

from typing import Any

import numpy as np

from ...bits import spread_faces
from ...cards import NOBODY
from ...fused import resampler
from ...jit import helper, kernel
from ...observe import (
    NUM_CORE,
    Piece,
    core_pieces,
    observe_core,
    redeal,
    seats_left,
    write_split,
)
from ...state import left_of
from .arrange import arrange, run_cards
from .legal import can_lay_off, legal
from .rules import Rules
from .state import LAYOFF, PHASES


def pieces(rules: Rules, k: Any) -> list[Piece]:
    """The pieces of the observation, in order; `k` is the kit's record."""
    choose = rules.layoff == "choose"
    phases = len(PHASES) if choose else len(PHASES) - 1
    extra = max(rules.undercut_boxes, rules.gin_boxes)
    boxes = min(rules.max_hands * (1 + extra) // 100, 127)
    most = 10 * (int(k.hand_size) + 1)
    return [
        *core_pieces(k, phases, table=choose, points=False),
        Piece("upcard", (52,), 0, 1, "the face turned up at the deal"),
        Piece(
            "limit",
            (1 if rules.knock_limit == "upcard" else 0,),
            0,
            10,
            "the most deadwood to knock with in this hand",
        ),
        Piece(
            "doubled",
            (1 if rules.spade_double else 0,),
            0,
            1,
            "whether the score of this hand counts twice",
        ),
        Piece("refused", (2,), 0, 1, "who has passed the upcard"),
        Piece("barred", (52,), 0, 1, "the face that may not be discarded this turn"),
        Piece(
            "wall",
            (1 if rules.wall_rule == "opponent_may_knock" else 0,),
            0,
            1,
            "whether the stock is used up, and the last discard may be taken only to end the hand",
        ),
        Piece("knocker", (2 if choose else 0,), 0, 1, "who has knocked"),
        Piece(
            "boxes",
            (2, 2),
            0,
            (boxes, 99),
            "boxes of this match: hundreds, rest",
        ),
        Piece("in_melds", (52,), 0, 1, "the observer's cards in melds, as arranged best"),
        Piece("deadwood", (2,), 0, (most // 100, 99), "points of the others: hundreds, rest"),
    ]


UPCARD, LIMIT, DOUBLED, REFUSED, BARRED, WALL, KNOCKER, BOXES, IN_MELDS, DEADWOOD = range(
    NUM_CORE, NUM_CORE + 10
)


@kernel(forceinline=True)
def observe(states, i, seat, kits, obs):
    """Write what a seat sees of table `i` into ``obs``, int8 of the layout's size."""
    observe_seat(kits[0], states[i], seat, obs)


@helper
def observe_seat(k, s, seat, obs):
    """What `observe` does."""
    observe_core(k, s, seat, obs)
    if s.upcard != NOBODY:
        obs[k.offset[UPCARD] + s.upcard] = 1
    if k.offset[LIMIT] >= 0:
        obs[k.offset[LIMIT]] = s.limit
    if k.offset[DOUBLED] >= 0:
        obs[k.offset[DOUBLED]] = s.doubled
    if s.refused > 0:
        first = left_of(np.int64(s.dealer), k.num_players)
        obs[k.offset[REFUSED] + seats_left(first, seat, k.num_players)] = 1
        if s.refused > 1:
            obs[k.offset[REFUSED] + seats_left(np.int64(s.dealer), seat, k.num_players)] = 1
    if s.barred != NOBODY:
        obs[k.offset[BARRED] + s.barred] = 1
    if k.offset[WALL] >= 0:
        obs[k.offset[WALL]] = s.wall
    if k.offset[KNOCKER] >= 0 and s.knocker != NOBODY:
        obs[k.offset[KNOCKER] + seats_left(np.int64(s.knocker), seat, k.num_players)] = 1
    for q in range(k.num_players):
        at = k.offset[BOXES] + 2 * seats_left(q, seat, k.num_players)
        write_split(np.int64(s.boxes[q]), obs, at)
    hand = s.one[seat]
    deadwood, sets = arrange(hand, np.int64(0))
    spread_faces(sets | run_cards(hand & ~sets), obs, k.offset[IN_MELDS])
    write_split(deadwood, obs, k.offset[DEADWOOD])


@helper
def deal_anew(k, s, seat):
    """Deal what a seat has not located anew; False if another is asked to lay off and could not."""
    redeal(k, s, seat)
    return s.phase != LAYOFF or s.turn == seat or can_lay_off(k, s, np.int64(s.turn))


resample = resampler(legal, deal_anew)
