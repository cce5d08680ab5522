"""What a seat sees of a Rummy 500 table, and other deals that look the same from there."""

from typing import Any

import numpy as np

from ...cards import JOKER
from ...fused import resampler
from ...jit import helper, kernel
from ...machine import put
from ...observe import (
    NUM_CORE,
    Piece,
    core_pieces,
    observe_core,
    redeal,
    seats_left,
    write_cards,
    write_face,
)
from .legal import legal
from .rules import Rules
from .state import CALL, PHASES


def pieces(rules: Rules, k: Any) -> list[Piece]:
    """The pieces of the observation, in order; `k` is the kit's record."""
    decks, jokers = int(k.layout_decks), int(k.layout_jokers)
    cards = 53 if jokers else 52
    players = int(k.layout_players)
    asked = players if rules.calling_rummy and players > 2 else 0
    frozen = 0 if rules.deep_pick_uses_picked else cards
    chances = 0 if rules.rummy_persistent or not asked else 1
    return [
        *core_pieces(k, len(PHASES)),
        Piece("due", (cards,), 0, 1, "the face that must be played this turn", 1),
        Piece("due_first", (1,), 0, 1, "whether before any other play"),
        Piece(
            "bridge",
            (3,),
            (-1, 0, 0),
            (1, 4, 13),
            "a lay-off under way to the due card: direction, suit from 1, position",
        ),
        Piece("barred", (cards,), 0, 1, "the face that may not be discarded this turn", 1),
        Piece(
            "frozen",
            (frozen,),
            0,
            decks,
            "cards that may not be played before the due card",
            jokers,
        ),
        Piece("from_pile", (1,), 0, 1, "whether this turn began with the pile"),
        Piece("played", (1,), 0, 1, "whether something was played this turn"),
        Piece("idle", (1,), 0, players, "turns without a play since the stock ran out"),
        Piece("discarder", (asked,), 0, 1, "whose discard may be called"),
        Piece(
            "callable",
            (decks if asked else 0, 52),
            0,
            1,
            "pile cards that may be called, top copy in row 0",
        ),
        Piece(
            "callable_jokers",
            (jokers if asked else 0,),
            0,
            1,
            "jokers in the pile that may be called",
        ),
        Piece(
            "chances",
            (decks * chances, 52),
            0,
            1,
            "pile cards that could be played at the last discard",
        ),
        Piece("chances_jokers", (jokers * chances,), 0, 1, "... jokers"),
    ]


(
    DUE,
    DUE_FIRST,
    BRIDGE,
    BARRED,
    FROZEN,
    FROM_PILE,
    PLAYED,
    IDLE,
    DISCARDER,
    CALLABLE,
    CALLABLE_JOKERS,
    CHANCES,
    CHANCES_JOKERS,
) = range(NUM_CORE, NUM_CORE + 13)


@kernel(forceinline=True)
def observe(states, i, seat, kits, obs):
    """Write what a seat sees of table `i` into ``obs``, int8 of the layout's size."""
    observe_seat(kits[0], states[i], seat, obs)


@helper
def observe_seat(k, s, seat, obs):
    """What `observe` does."""
    observe_core(k, s, seat, obs)
    write_face(np.int64(s.due), obs, k.offset[DUE])
    put(obs, k.offset[DUE_FIRST], np.int64(s.due_first))
    put(obs, k.offset[BRIDGE], np.int64(s.bridge_step))
    put(obs, k.offset[BRIDGE] + 1, (np.int64(s.bridge_suit) + 1) * (s.bridge_step != 0))
    put(obs, k.offset[BRIDGE] + 2, np.int64(s.bridge_place))
    write_face(np.int64(s.barred), obs, k.offset[BARRED])
    if k.offset[FROZEN] >= 0:
        jokers = np.int64(s.frozen_jokers)
        write_cards(k, s.frozen_one, s.frozen_two, jokers, obs, k.offset[FROZEN])
    put(obs, k.offset[FROM_PILE], np.int64(s.from_pile))
    put(obs, k.offset[PLAYED], np.int64(s.played))
    put(obs, k.offset[IDLE], np.int64(s.idle))
    if k.offset[CALLABLE] >= 0:
        if s.phase == CALL:
            n = k.num_players
            obs[k.offset[DISCARDER] + seats_left(np.int64(s.discarder), seat, n)] = 1
        write_chances(s, s.callable, obs, k.offset[CALLABLE], k.offset[CALLABLE_JOKERS])
    if k.offset[CHANCES] >= 0:
        write_chances(s, s.chances, obs, k.offset[CHANCES], k.offset[CHANCES_JOKERS])


@helper
def write_chances(s, chances, obs, at, at_jokers):
    """Write which cards of the pile are in a set of pile places."""
    above = np.int64(0)
    jokers = 0
    for n in range(np.int64(s.pile_size) - 1, -1, -1):
        card = np.int64(s.pile[n])
        chance = (chances[n // 54] >> (n % 54)) & 1
        if card == JOKER:
            obs[at_jokers + jokers] = chance
            jokers += 1
        else:
            obs[at + card + (52 if (above >> card) & 1 else 0)] = chance
            above |= np.int64(1) << card


resample = resampler(legal, redeal)
