"""Many tables at once from outside the kernels: looking at them, and playing given actions.

The kernels are templates, made for a game by `batch_kernels`.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..envs.games import load_game
from ..envs.jit import bind
from ..envs.kit import A_BIG_GIN, A_GIN, A_KNOCK, A_TAKE, GIN, KNOCK, write_mask

DEEP, OUT, ILLEGAL = 16, 17, 18
"""Columns of notes beside the kinds of action (the ``A_...`` numbers of the kit): takes of more
than one card; hands ended by a knock or, in games without, with one's last card; illegal answers.
"""
NOTES = 19

look: Any = None  # names that `bind` fills in
legal: Any = None
step: Any = None
new_match: Any = None
next_hand: Any = None
potential: Any = None


class BatchKernels(NamedTuple):
    """The kernels of a game that go over many tables; see the functions of this module."""

    look_all: Any
    play_all: Any
    deal_all: Any
    stand_all: Any


@lru_cache
def batch_kernels(game: str) -> BatchKernels:
    """The kernels for a game."""
    g = load_game(game)
    return BatchKernels(
        bind(_look_all, look=g.look),
        bind(_play_all, legal=g.legal, step=g.step),
        bind(_deal_all, new_match=g.new_match, next_hand=g.next_hand),
        bind(_stand_all, potential=g.potential),
    )


def _look_all(states, indices, seats, kits, work, observations, masks):
    """Write what seat ``seats[n]`` sees of table ``indices[n]`` into row `n`."""
    for n in range(len(indices)):
        look(states, indices[n], seats[n], kits, work, observations[n], masks[n])


def _play_all(states, indices, actions, kits, work, mask, notes):
    """Play ``actions[n]`` at table ``indices[n]``; for an illegal one, the first legal one.

    Args:
        mask: scratch space, int8 (actions,).
        notes: what each seat did, counted up, int64 (tables, seats, `NOTES`): its actions by kind,
            and `DEEP`, `OUT`, `ILLEGAL`.
    """
    k = kits[0]
    knocking = k.of_word[KNOCK] >= 0 or k.of_word[GIN] >= 0
    for n in range(len(indices)):
        i = indices[n]
        s = states[i]
        seat = np.int64(s.turn)
        action = actions[n]
        legal(states, i, kits, work)
        write_mask(k, work[0], mask)
        if action < 0 or action >= k.num_actions or mask[action] == 0:
            notes[i, seat, ILLEGAL] += 1
            action = np.int64(0)
            while mask[action] == 0:
                action += 1
        kind = np.int64(k.act[action, 0])
        cards = np.int64(s.hand_size[seat])
        hands = np.int64(s.hands)
        step(states, i, action, kits)
        notes[i, seat, kind] += 1
        if kind == A_TAKE and s.hand_size[seat] > cards + 1:
            notes[i, seat, DEEP] += 1
        out = s.hands != hands and s.hand_size[seat] == 0
        if knocking:
            out = kind == A_KNOCK or kind == A_GIN or kind == A_BIG_GIN
        if out:
            notes[i, seat, OUT] += 1


def _deal_all(states, indices, kits, words):
    """Deal the next hands at some tables; with words, begin new matches with them."""
    for n in range(len(indices)):
        if len(words):
            new_match(states, indices[n], kits, words[n])
        else:
            next_hand(states, indices[n], kits)


def _stand_all(states, indices, seats, kits, out):
    """Write how seat ``seats[n]`` stands in its hand: the potential of the shaped rewards."""
    for n in range(len(indices)):
        i = indices[n]
        out[n] = potential(kits[0], states[i], seats[n])
