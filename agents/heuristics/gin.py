"""How the heuristic players of Gin play: one look at every choice, by weights.

* Draw: the top of the pile if the hand has less deadwood with it than a draw from the stock
  promises, or if it is worth keeping for what it may become.
* End: gin and big gin always; a knock when the deadwood is low for the turn it is, for the other
  hand gets better with every turn, or (by `last`) when the stock runs out.
* Discard: what leaves the least deadwood, and serves neither the holder nor the opponent.
* Lay-offs, where players choose them: the best there are.

The players read their own hand and what is public, keep no memory, and break ties by the order of
the cards. ``benchmarks/tune_heuristics.py`` found the weights of ``greedy``.
"""

from typing import Any, NamedTuple

import numpy as np

from ...envs import kit
from ...envs.bits import lowest
from ...envs.games.gin.arrange import WORST, deadwood, lay_off
from ...envs.games.gin.state import LAYOFF
from ...envs.jit import helper, kernel
from ...envs.state import PLAY
from .appraise import MINE, THEIRS, find_unseen, hidden_cards, unknown, usefulness, weigh_cards


class Weights(NamedTuple):
    """What a player goes by, in points of deadwood."""

    draw: float = 3.4
    """How much less deadwood a card of the pile must leave to be taken."""
    pair: float = 1.12
    """What a card is worth in a draw for each meld that it may yet make."""
    keep: float = 3.4
    """What a card is worth in hand for each meld that it may yet make."""
    live: float = 0.406
    """How likely a card that was not seen will come in time to make such a meld."""
    danger: float = 4.23
    """What a discard costs for each meld that it may make for the opponent."""
    high: float = 0.134
    """How much each point of a card speaks for discarding it, beside the deadwood it leaves."""
    knock: float = 2.3
    """With how much deadwood to knock in the first turn ..."""
    later: float = 0.153
    """... and how much less for each turn after it."""
    last: float = 0.423
    """With so many cards in the stock or fewer, to knock with whatever is allowed."""


STYLES = {
    "greedy": Weights(),
    "knock_early": Weights(
        draw=4.12, pair=1.0, keep=2.59, live=0.321, danger=1.87, high=0.12, knock=100.0, later=0.0
    ),
    "hold_for_gin": Weights(knock=-1.0, last=2.0),
}
"""The players that this kernel plays, by name.

* ``greedy``: the weights that tuning for points found. It goes for gin, and knocks in the first
  turns only when it has next to no deadwood.
* ``knock_early``: knocks as soon as it may, and leaves the other no time. It wins most hands, but
  by few points, and so loses matches.
* ``hold_for_gin``: goes on for gin, and knocks only when the hand would be dead otherwise.
"""


def rollout_styles(rules: Any) -> tuple[str, ...]:
    """Who plays worlds out: the seat that looks ahead, then the others, in turn. A single hand goes
    to whoever ends it, a match to who makes points; but there others may be in a hurry, too.
    """
    if rules.target:
        return "greedy", "greedy", "knock_early"
    return "knock_early", "knock_early"


_DRAW, _PAIR, _KEEP, _LIVE, _DANGER, _HIGH, _KNOCK, _LATER, _LAST = range(len(Weights._fields))


@kernel
def choose(states, i, kits, work, weights, rngs, r):
    """The action at table `i`, for the seat to act.

    Args:
        work: its first row holds the words of the legal actions (see `rummyzoo.envs.kit`).
        weights: `Weights` as an array.
        rngs, r: the generator words and which of them to use; these players draw no lots.
    """
    s = states[i]
    k = kits[0]
    words = work[0]
    p = np.int64(s.turn)
    if s.phase == LAYOFF:
        return choose_lay_off(k, s, p, words)
    if s.phase == PLAY:
        ending = choose_ending(k, s, p, words, weights)
        if ending >= 0:
            return ending
    unseen, known, _ = find_unseen(k, s, p)
    theirs = unknown(s, 1 - p) / max(1, hidden_cards(k, s, p))
    weigh_cards(k, s, work, s.one[p], known, unseen, weights[_LIVE], theirs)
    if s.phase == PLAY:
        return choose_discard(k, s, p, work, weights)
    return choose_draw(k, s, p, work, weights)


@helper
def choose_lay_off(k, s, p, words):
    """One of the cards that are best laid off, or pass when none is left."""
    table = s.laid_one[0] | s.laid_one[1]
    runs = table & s.in_runs
    _, cards, _ = lay_off(s.one[p], table ^ runs, runs)
    if words[kit.LAY_SET] & cards:
        return kit.action_of(k, kit.LAY_SET, lowest(words[kit.LAY_SET] & cards))
    if words[kit.LAY_LOW] & cards:
        return kit.action_of(k, kit.LAY_LOW, lowest(words[kit.LAY_LOW] & cards))
    high = words[kit.LAY_HIGH] & cards >> 1
    if high:
        return kit.action_of(k, kit.LAY_HIGH, lowest(high))
    return kit.action_of(k, kit.PASS_DRAW, np.int64(0))


@helper
def choose_ending(k, s, p, words, weights):
    """Big gin, gin, or a knock that is worth it; -1 to go on."""
    if words[kit.BIG_GIN]:
        return kit.action_of(k, kit.BIG_GIN, np.int64(0))
    if words[kit.GIN]:
        return kit.action_of(k, kit.GIN, lowest(words[kit.GIN]))
    left = words[kit.KNOCK]
    least = np.int64(WORST)
    card = np.int64(0)
    while left:
        bit = left & -left
        left ^= bit
        points = deadwood(s.one[p] ^ bit)
        if points < least:
            least = points
            card = lowest(bit)
    if least == WORST:
        return np.int64(-1)
    late = s.stock_size <= weights[_LAST] or words[kit.DISCARD] == 0
    if late or least <= weights[_KNOCK] - weights[_LATER] * s.turns:
        return kit.action_of(k, kit.KNOCK, card)
    return np.int64(-1)


@helper
def choose_draw(k, s, p, work, weights):
    """Take the top of the pile; or draw from the stock, or pass."""
    words = work[0]
    first = words[kit.PASS_DRAW]
    take = words[kit.TAKE]
    if take:
        if s.wall or first == 0:  # it is allowed only to end the hand; or there is nothing else
            return kit.action_of(k, kit.TAKE, lowest(take))
        hand = s.one[p] | take
        least = np.int64(WORST)
        left = s.one[p]
        while left:
            bit = left & -left
            left ^= bit
            least = min(least, deadwood(hand ^ bit))
        card = lowest(take)
        gain = 1.0 * (deadwood(s.one[p]) - least)
        gain += weights[_PAIR] * usefulness(k, card, work, MINE)
        if gain > weights[_DRAW]:
            return kit.action_of(k, kit.TAKE, card)
    return kit.action_of(k, kit.PASS_DRAW, lowest(first))


@helper
def choose_discard(k, s, p, work, weights):
    """The discard that leaves the best hand and helps the opponent least."""
    words = work[0]
    best = -10_000.0
    choice = np.int64(-1)
    left = words[kit.DISCARD]
    while left:
        card = lowest(left)
        bit = np.int64(1) << card
        left ^= bit
        value = -1.0 * deadwood(s.one[p] ^ bit) + weights[_HIGH] * k.value[card]
        value -= weights[_KEEP] * usefulness(k, card, work, MINE)
        value -= weights[_DANGER] * usefulness(k, card, work, THEIRS)
        if value > best:
            best = value
            choice = kit.action_of(k, kit.DISCARD, card)
    return choice
