"""Draw worlds and play actions out in them: the kernels under `rummyzoo.agents.search`.

A *rollout* plays an action in a world and lets a heuristic player go on at all seats, for
some turns or to the end of the hand. Where the hand has not ended by then, a network says what the
seat may expect of it (see `rummyzoo.agents.values`): the luck of all later draws is averaged over
instead of sampled, where it would hide what the action did.
"""

from functools import lru_cache
from math import exp
from typing import Any, NamedTuple

import numpy as np

from ..envs.chance import fraction, mixed, plus, word_after
from ..envs.games import load_game
from ..envs.jit import bind, helper
from ..envs.kit import A_CALL, A_TAKE
from ..envs.setting import Setting, scratch
from ..envs.state import DRAW, HAND_OVER
from . import values
from .heuristics import module_for
from .values.network import estimate
from .values.worth import worth

BOUND = 6.0
"""Odds beyond it, up or down, count as so much: a network is never that sure."""

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

    try_actions: Any
    advise: Any


@lru_cache
def search_kernels(game: str) -> Kernels:
    """The kernels for a game."""
    g, heuristics, described = load_game(game), module_for(game), values.describer(game)
    draw = bind(_draw_world, resample=g.resample, describe=described, recall=values.recaller(game))
    run = bind(
        _play_out,
        legal=g.legal,
        step=g.step,
        choose=heuristics.choose,
        describe=described,
    )
    return Kernels(
        bind(_try_actions, draw_world=draw, play_out=run),
        bind(_advise, legal=g.legal, choose=heuristics.choose),
    )


class Room:
    """What one thread needs to play worlds out in.

    Attributes:
        work: scratch space of the game's kernels.
        tables: three states: the world, a deal that may become one, the rollout.
        rngs: for the heuristic player, who draws no lots.
        x, hidden: scratch space of the networks.
    """

    def __init__(self, where: Setting, networks: values.Networks) -> None:
        self.work = scratch(where.game)
        self.tables = np.zeros(3, where.game.STATE)
        self.rngs = np.ones(1, np.uint64)
        self.x = np.zeros((1, max(1, networks.inputs)), np.float32)
        units = max(networks.value.shape[1], networks.odds.shape[1])
        self.hidden = np.zeros((6, units), np.float32)


def _advise(states, i, kits, work, weights, rngs):
    """What the player of the rollouts would do at table `i`."""
    legal(states, i, kits, work)
    return choose(states, i, kits, work, weights, rngs, 0)


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
    hidden,
    value,
    odds,
    planes,
    numbers,
    turns,
    deals,
    cheats,
    gains,
    shares,
):
    """Try actions in the worlds from number `first` to before `last`; False if none was found.

    Args:
        seed: uint64; with its number it gives a world.
        work, tables, rngs, x, hidden: see `Room`.
        value, odds, planes, numbers, turns, deals: see `rummyzoo.agents.values.Networks`.
        cheats: whether all worlds are the true one.
        gains: float64 (actions, worlds), gets what the actions bring in these worlds.
        shares: float64 (worlds,), gets how much these worlds count.
    """
    for w in range(first, last):
        if cheats:
            tables[0] = states[i]
            shares[w] = 1
        else:
            word = mixed(plus(seed, np.uint64(w)))
            shares[w] = draw_world(
                states,
                i,
                seat,
                kits,
                work,
                word,
                tables,
                x,
                hidden,
                odds,
                planes,
                numbers,
                deals,
            )
            if shares[w] == 0:
                return False
        for n in range(len(actions)):
            gains[n, w] = play_out(
                actions[n],
                seat,
                kits,
                work,
                weights,
                rngs,
                tables,
                not cheats,
                turns,
                value,
                planes,
                numbers,
                x,
                hidden,
            )
    return True


def _draw_world(states, i, seat, kits, work, word, tables, x, hidden, odds, planes, numbers, deals):
    """Put a table that looks to a seat as table `i` does into ``tables[0]``.

    Of `deals` deals one is taken by how likely they are; their mean is returned, which is how much
    the world counts, so that in the mean over worlds each deal counts by its odds (importance
    sampling and resampling: Rubin, 1988). Without a network the first deal is taken and counts 1.

    Returns:
        How much the world counts; 0 if no deal was found.
    """
    if len(odds) == 0:
        tables[0] = states[i]
        return 1.0 if resample(tables, 0, seat, kits, work, word) else 0.0
    total = 0.0
    for _ in range(deals):
        tables[1] = states[i]
        word = word_after(word)
        if not resample(tables, 1, seat, kits, work, word):
            return 0.0
        describe(tables, 1, seat, kits, work, x, 0)
        recall(tables, 1, seat, kits, work, x, 0)
        logit = np.float64(estimate(odds, planes, numbers, x, 0, hidden))
        weight = exp(min(BOUND, max(-BOUND, logit)))
        total += weight
        word = word_after(word)
        if fraction(word) * total < weight:
            tables[0] = tables[1]
    return total / deals


def _play_out(
    action,
    seat,
    kits,
    work,
    weights,
    rngs,
    tables,
    drawn,
    turns,
    value,
    planes,
    numbers,
    x,
    hidden,
):
    """What a seat gains if it plays an action in the world ``tables[0]``.

    Args:
        drawn: whether the stock was dealt afresh.
        turns: after how many turns, the one under way included, the network is asked what may be
            expected, as the next player is to draw. A hand that ends sooner gains what it gains;
            one that is cut off gains nothing.
    """
    tables[2] = tables[0]
    s = tables[2]
    hands = np.int64(s.hands)
    last = np.int64(s.turns) + turns
    while True:
        step(tables, 2, action, kits)
        if s.phase >= HAND_OVER or s.hands != hands:
            break
        if s.turns >= last and s.phase == DRAW:
            describe(tables, 2, seat, kits, work, x, 0)
            return np.float64(estimate(value, planes, numbers, x, 0, hidden))
        kind = kits[0].act[action, 0]
        if drawn and (kind == A_TAKE or kind == A_CALL) and s.open_stock == 0:
            pass_over(s)
        legal(tables, 2, kits, work)
        action = choose(tables, 2, kits, work, weights, rngs, 0)
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
