"""How the heuristic players of basic Rummy play: one look at every choice, by weights.

* Draw: the top of the pile if the hand is worth more with it than a draw from the stock promises;
  of a stock that was turned over the next card is known, and is weighed like the top of the pile.
* Play: everything when that ends the hand; else what sheds more than it opens to the others, the
  more gladly the nearer the others are to going out. Before the first card is laid a player may
  hold back for *rummy*: going out in one turn pays double.
* Discard: what costs least, by its points, the melds it may yet make for its holder, and those it
  may make for the others.

The players read their own hand and what is public, keep no memory, and break ties by the order of
the actions. ``benchmarks/tune_heuristics.py`` found the weights of
``greedy``.
"""

from typing import NamedTuple

import numpy as np

from ...envs import kit
from ...envs.bits import lowest
from ...envs.jit import helper, kernel
from ...envs.melds import open_faces
from ...envs.state import DRAW, points_of
from .appraise import (
    MINE,
    THEIRS,
    appraise,
    beyond,
    cards_of,
    find_unseen,
    hidden_cards,
    unknown,
    usefulness,
    weigh_cards,
    weigh_pile,
)


class Weights(NamedTuple):
    """What a player goes by; "points" are the points of cards in hand."""

    draw: float = 0.14
    """Points that a draw from the stock is worth beside the chance to complete a meld."""
    outs: float = 3.5
    """Points for each point of the card that a draw is expected to complete a meld with."""
    out: float = 23.5
    """Points that it is worth to be able to go out at once."""
    hold: float = 0.208
    """Cost of a point in hand that cannot be played at once."""
    few_cards: float = 0.183
    """Added to `hold` for each other player, divided by one more than the cards in that hand."""
    base: float = 4.53
    """Points that every card counts beside its own: each must go before the hand is won."""
    keep: float = 1.58
    """Value of each point of a card for each meld that it may yet make."""
    live: float = 0.0745
    """How likely a card that was not seen will come in time to make such a meld."""
    again: float = 0.0127
    """How likely one in the pile will."""
    danger: float = 0.442
    """Cost of each point of a discard for each meld that it may make for the next player."""
    table: float = 0.0731
    """... and if it fits the table."""
    lay: float = 0.0267
    """Gain of each point that is laid down now rather than later."""
    open: float = 0.258
    """Cost of each point that others may lay off on what is laid, if they have the card."""
    rummy: float = 8.23
    """Points that a player who has laid nothing yet gives for the chance to go rummy ..."""
    patience: float = 3.34
    """... as long as no other hand has this many cards or fewer."""


STYLES = {
    "greedy": Weights(),
    "lay_down": Weights(rummy=0.0, lay=1.0, open=0.0),
    "hold_for_rummy": Weights(rummy=1000.0, patience=2.0),
}
"""The players that this kernel plays, by name.

* ``greedy``: the weights that tuning found; it holds back for rummy while the others have many
  cards.
* ``lay_down``: puts every meld on the table as soon as it has it, so that little is left to pay
  for.
* ``hold_for_rummy``: shows nothing until it can go out in one turn, for double pay, or until
  somebody else is down to two cards.
"""
(
    _DRAW,
    _OUTS,
    _OUT,
    _HOLD,
    _FEW_CARDS,
    _BASE,
    _KEEP,
    _LIVE,
    _AGAIN,
    _DANGER,
    _TABLE,
    _LAY,
    _OPEN,
    _RUMMY,
    _PATIENCE,
) = range(len(Weights._fields))


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
    unseen, known, _ = find_unseen(k, s, p)
    if s.phase == DRAW:
        return choose_draw(k, s, p, words, weights, unseen)
    play = choose_play(k, s, p, words, weights, unseen, known)
    if play >= 0:
        return play
    return choose_discard(k, s, p, work, weights, unseen, known)


@helper
def risk(k, s, p, weights):
    """What a point in hand costs: the more the nearer the others are to going out."""
    others = 0.0
    for q in range(k.num_players):
        if q != p:
            others += 1.0 / (1.0 + s.hand_size[q])
    return weights[_HOLD] + weights[_FEW_CARDS] * others


@helper
def worth(k, s, p, one, cost, drawn, weights, unseen):
    """What a hand is worth, in points."""
    _, dead, left, outs = appraise(k, s, one, np.int64(0), np.int64(0), np.int64(0), unseen)
    value = drawn * outs - cost * (dead + weights[_BASE] * left)
    if left <= 1:
        value += weights[_OUT]
    return value


@helper
def choose_draw(k, s, p, words, weights, unseen):
    """Draw from the stock, take the top of the pile, turn it over, or pass."""
    one = s.one[p]
    cost = risk(k, s, p, weights)
    hidden = max(1, hidden_cards(k, s, p))
    drawn = weights[_OUTS] / hidden
    first = words[kit.PASS_DRAW]
    choice = kit.action_of(k, kit.PASS_DRAW, lowest(first))
    if first == 2 and s.open_stock:
        card = np.int64(s.turned[s.stock_size - 1])
        best = worth(k, s, p, one | np.int64(1) << card, cost, drawn, weights, unseen)
    elif first == 2:
        best = worth(k, s, p, one, cost, drawn, weights, unseen) + weights[_DRAW]
        lucky = points_of(k, open_faces(k, s) & ~one & unseen, np.int64(0), np.int64(0))
        best += lucky / hidden
    elif first == 4:
        card = np.int64(s.pile[0])
        best = worth(k, s, p, one | np.int64(1) << card, cost, drawn, weights, unseen)
    else:  # a pass blocks the hand, and every point that is held counts
        best = worth(k, s, p, one, cost, drawn, weights, unseen)
        best -= points_of(k, one, np.int64(0), np.int64(0)) / 2
    take = words[kit.TAKE]
    if take:
        value = worth(k, s, p, one | take, cost, drawn, weights, unseen)
        if value > best:
            choice = kit.action_of(k, kit.TAKE, lowest(take))
    return choice


@helper
def choose_play(k, s, p, words, weights, unseen, known):
    """A play that pays, or -1 to discard."""
    must = words[kit.DISCARD] == 0
    one = s.one[p]
    late = risk(k, s, p, weights)
    none = np.int64(0)
    _, _, left, _ = appraise(k, s, one, none, none, none, unseen)
    out = left <= 1
    seen = max(1, hidden_cards(k, s, p))
    # How likely the others hold an unseen card.
    theirs = min(1.0, (seen - np.int64(s.stock_size)) / seen)
    best = -10_000.0
    choice = np.int64(-1)
    gain = 0.0
    for w in range(kit.FIRST_PLAY, kit.LAST_PLAY + 1):
        left_words = words[w]
        while left_words:
            bit = lowest(left_words)
            left_words &= left_words - 1
            action = kit.action_of(k, w, bit)
            kind = np.int64(k.act[action, 0])
            a = np.int64(k.act[action, 1])
            b = np.int64(k.act[action, 2])
            c = np.int64(k.act[action, 3])
            cards, _ = cards_of(k, kind, a, b, c)
            rest = one & ~cards
            opened = beyond(k, kind, a, b, c)
            value = points_of(k, cards, none, none)
            after, dead, count, _ = appraise(k, s, rest, none, none, opened, unseen)
            lost = opened & ~rest
            exposed = points_of(k, lost & unseen, none, none) * theirs
            exposed += points_of(k, lost & known, none, none)
            merit = value + after - dead - weights[_BASE] * count - 0.1 * exposed
            if merit > best:
                best = merit
                choice = action
                gain = value * (weights[_LAY] + late) - weights[_OPEN] * exposed
    if must or out:
        return choice
    if s.laid_one[p] == 0 and fewest_cards(k, s, p) > weights[_PATIENCE]:
        gain -= weights[_RUMMY]
    if gain > 0:
        return choice
    return np.int64(-1)


@helper
def fewest_cards(k, s, p):
    """How many cards the smallest of the other hands has."""
    fewest = np.int64(99)
    for q in range(k.num_players):
        if q != p:
            fewest = min(fewest, np.int64(s.hand_size[q]))
    return fewest


@helper
def choose_discard(k, s, p, work, weights, unseen, known):
    """The discard that costs least: its use to the holder and to the others, and its points."""
    words = work[0]
    one = s.one[p]
    following = (p + 1) % k.num_players
    hidden = max(1, hidden_cards(k, s, p))
    theirs = unknown(s, following) / hidden
    weigh_cards(k, s, work, one, s.known_one[following], unseen, weights[_LIVE], theirs)
    weigh_pile(k, s, work, weights[_AGAIN], 0.0, 0.0)
    cost = risk(k, s, p, weights)
    table = open_faces(k, s)
    best = -10_000.0
    choice = np.int64(-1)
    left = words[kit.DISCARD]
    while left:
        card = lowest(left)
        left &= left - 1
        mine = usefulness(k, card, work, MINE)
        use = weights[_DANGER] * usefulness(k, card, work, THEIRS)
        if (table >> card) & 1:
            mine += 1.0
            use += weights[_TABLE]
        value = cost - weights[_KEEP] * mine - use
        value *= k.value[card] + weights[_BASE]
        if value > best:
            best = value
            choice = kit.action_of(k, kit.DISCARD, card)
    return choice
