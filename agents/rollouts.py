"""Draw worlds and play actions out in them: the kernels under `rummyzoo.agents.search`.

A *rollout* plays an action in a world and lets heuristic players go on, for some turns or to the
end of the hand: one at the seat that asks, one at all others. Where the hand has not ended by then,
a network says what the seat may expect of it (see `rummyzoo.agents.values`): the luck of all later
draws is averaged over instead of sampled, where it would hide what the action did.
"""

from functools import lru_cache
from math import exp
from typing import Any, NamedTuple

import numpy as np

from ..envs.chance import fraction, mixed, plus
from ..envs.deal import shuffle
from ..envs.games import load_game
from ..envs.jit import bind, helper
from ..envs.kit import A_CALL, A_TAKE
from ..envs.setting import Setting, scratch
from ..envs.state import DRAW, HAND_OVER
from . import values
from .heuristics import module_for
from .values.network import estimate, notes_for
from .values.worth import worth

BOUND = 6.0
"""Odds beyond it, up or down, count as so much: a network is never that sure."""
GOLDEN = 0.6180339887498949
"""The golden section: multiples of it, less their whole part, are spread evenly over 0 to 1."""

legal: Any = None  # names that `bind` fills in
step: Any = None
resample: Any = None
choose: Any = None
describe: Any = None
recall: Any = None
draw_world: Any = None
play_out: Any = None


class Kernels(NamedTuple):
    """The kernels of a game that search; see the functions of this module."""

    weigh_deals: Any
    try_actions: Any
    advise: Any


@lru_cache
def search_kernels(game: str) -> Kernels:
    """The kernels for a game."""
    g, heuristics, described = load_game(game), module_for(game), values.module_for(game)
    run = bind(
        _play_out,
        legal=g.legal,
        step=g.step,
        choose=heuristics.choose,
        describe=described.describe,
    )
    return Kernels(
        bind(
            _weigh_deals, resample=g.resample, describe=described.describe, recall=described.recall
        ),
        bind(_try_actions, draw_world=bind(_draw_world, resample=g.resample), play_out=run),
        bind(_advise, legal=g.legal, choose=heuristics.choose),
    )


class Room:
    """What one thread needs to play worlds out in.

    Attributes:
        work: scratch space of the game's kernels.
        tables: two states: the world, and the rollout.
        rngs: for the heuristic player, who draws no lots.
        x, notes: scratch space of the networks.
    """

    def __init__(self, where: Setting, networks: values.Networks) -> None:
        self.work = scratch(where.game)
        self.tables = np.zeros(2, where.game.STATE)
        self.rngs = np.ones(1, np.uint64)
        self.x = np.zeros((1, max(1, networks.inputs)), np.float32)
        self.notes = notes_for(max(1, networks.inputs))


def _advise(states, i, kits, work, weights, rngs):
    """What the player of the rollouts would do at table `i`."""
    legal(states, i, kits, work)
    return choose(states, i, kits, work, weights, rngs, 0)


def _weigh_deals(
    states,
    i,
    seat,
    seed,
    first,
    last,
    kits,
    work,
    tables,
    rngs,
    x,
    notes,
    odds,
    planes,
    numbers,
    asked,
    out,
):
    """Deal what a seat cannot see of table `i` anew, and ask how likely that deal is; deals number
    `first` to before `last`. False if one was not found.

    Args:
        seed: uint64; with its number it gives a deal.
        work, tables, rngs, x, notes: see `Room`.
        odds, planes, numbers, asked: see `rummyzoo.agents.values.Networks`.
        out: float64 (deals,), gets how much more likely each is than by the cards alone.
    """
    for d in range(first, last):
        tables[0] = states[i]
        if not resample(tables, 0, seat, kits, work, mixed(plus(seed, np.uint64(d)))):
            return False
        describe(tables, 0, seat, kits, work, x, 0)
        recall(tables, 0, seat, tables[1:], kits, work, asked, rngs, x, 0)
        logit = np.float64(estimate(odds, planes, numbers, x, 0, notes))
        out[d] = exp(min(BOUND, max(-BOUND, logit)))
    return True


def _try_actions(
    states,
    i,
    seat,
    actions,
    seed,
    first,
    last,
    kits,
    weights,
    work,
    tables,
    rngs,
    x,
    notes,
    deals,
    value,
    planes,
    numbers,
    turns,
    cheats,
    gains,
):
    """Try actions in the worlds from number `first` to before `last`; False if none was found.

    Args:
        seed: uint64; with its number it gives a world.
        weights: float64 (styles, weights): those of the seat's own style in rollouts, and of
            those that the others play by, one in each world, in turn.
        work, tables, rngs, x, notes: see `Room`.
        deals: see `_draw_world`.
        value, planes, numbers, turns: see `rummyzoo.agents.values.Networks`.
        cheats: whether all worlds are the true one.
        gains: float64 (actions, worlds), gets what the actions bring in these worlds.
    """
    for w in range(first, last):
        if cheats:
            tables[0] = states[i]
        elif not draw_world(states, i, seat, kits, work, seed, w, tables, deals):
            return False
        theirs = weights[1 + w % (len(weights) - 1)]
        for n in range(len(actions)):
            gains[n, w] = play_out(
                actions[n],
                seat,
                kits,
                work,
                weights[0],
                theirs,
                rngs,
                tables,
                not cheats,
                turns,
                value,
                planes,
                numbers,
                x,
                notes,
            )
    return True


def _draw_world(states, i, seat, kits, work, seed, w, tables, deals):
    """Put a table that looks to a seat as table `i` does into ``tables[0]``: world number `w`.

    One of the deals that were weighed is taken by its odds, and its stock shuffled once more, so
    that even a deal that is taken twice makes two worlds (importance resampling: Rubin, 1988).

    Args:
        deals: float64 (deals,), the sums of the odds up to each; empty: all are equally likely.

    Returns:
        False if no deal was found.
    """
    tables[0] = states[i]
    own = mixed(seed)
    word = mixed(plus(own, np.uint64(w)))
    if len(deals) == 0:
        return resample(tables, 0, seat, kits, work, word)
    share = (fraction(own) + w * GOLDEN) % 1.0
    d = min(np.searchsorted(deals, share * deals[-1], side="right"), len(deals) - 1)
    if not resample(tables, 0, seat, kits, work, mixed(plus(seed, np.uint64(d)))):
        return False
    s = tables[0]
    if s.open_stock == 0:
        s.rng = word
        shuffle(s, s.stock, np.int64(s.stock_size))
    return True


def _play_out(
    action,
    seat,
    kits,
    work,
    own,
    theirs,
    rngs,
    tables,
    drawn,
    turns,
    value,
    planes,
    numbers,
    x,
    notes,
):
    """What a seat gains if it plays an action in the world ``tables[0]``.

    Args:
        own, theirs: the weights of the style that goes on at the seat, and of that at the others.
        drawn: whether the stock was dealt afresh.
        turns: after how many turns, the one under way included, the network is asked what may be
            expected, as the next player is to draw. A hand that ends sooner gains what it gains;
            one that is cut off gains nothing.
    """
    tables[1] = tables[0]
    s = tables[1]
    hands = np.int64(s.hands)
    last = np.int64(s.turns) + turns
    while True:
        step(tables, 1, action, kits)
        if s.phase >= HAND_OVER or s.hands != hands:
            break
        if s.turns >= last and s.phase == DRAW:
            describe(tables, 1, seat, kits, work, x, 0)
            return np.float64(estimate(value, planes, numbers, x, 0, notes))
        kind = kits[0].act[action, 0]
        if drawn and (kind == A_TAKE or kind == A_CALL) and s.open_stock == 0:
            pass_over(s)
        legal(tables, 1, kits, work)
        style = own if s.turn == seat else theirs
        action = choose(tables, 1, kits, work, style, rngs, 0)
    if s.hands == hands:
        return 0.0
    return worth(kits[0], s, seat)


@helper
def pass_over(s):
    """Put the top of the stock at its bottom: whoever took from the pile instead leaves the others
    the cards that they would have drawn otherwise, so that what follows stays comparable. In a
    stock that nobody has seen any card may as well lie anywhere.
    """
    top = np.int64(s.stock_size) - 1
    if top > 0:
        card = s.stock[top]
        for at in range(top, 0, -1):
            s.stock[at] = s.stock[at - 1]
        s.stock[0] = card
