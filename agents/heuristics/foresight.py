"""What a choice in Rummy 500 leaves for the turns to come, as terms beside the greedy player's.

The weights come from regression: in hands between two greedy players the choices of one were all
played out, with the cards as they lay, and the outcomes (half the points ahead, and 50 for a hand
won) compared with what the player could see. They differ between packs with and without jokers.
"""

from typing import NamedTuple

import numpy as np

from ...envs.cards import JOKER
from ...envs.jit import helper
from ...envs.melds import open_faces
from ...envs.state import points_of
from .appraise import MINE, THEIRS, appraise, fits, in_melds, usefulness


class Foresight(NamedTuple):
    """What the `Weights` of Rummy 500 leave out, for two players. How late it is, is one over one
    more than the cards in the other hand: it grows as the other nears going out.
    """

    draw: float
    """How far the greedy player's value of a draw counts."""
    take: float
    """Points for taking from the pile at all ..."""
    top: float
    """... only its top card, which need not be played ..."""
    brings: float
    """... if that makes more points playable ..."""
    depth: float
    """... and for each card taken, over one more than the turns that are left."""
    ready: float
    """Points for each point that could be played after the draw ..."""
    ready_late: float
    """... and more by how late it is."""
    rest: float
    """Points for each point that could not."""
    shed: float
    """Points for each card that could not, six at most: they delay going out."""
    go: float
    """Points for being able to go out ..."""
    go_ahead: float
    """... and more for each hundred points ahead."""
    play: float
    """How far the greedy player's gain of a play counts."""
    now: float
    """Points for each point of a play ..."""
    now_late: float
    """... by how late it is ..."""
    now_ahead: float
    """... for each hundred points ahead ..."""
    now_hidden: float
    """... for each card of the other that is not known ..."""
    now_alone: float
    """... and of a card laid off."""
    shown: float
    """Points for each point that the other may lay off on the play, if it holds the card."""
    alone_late: float
    """Points for laying a card off, by how late it is."""
    ahead: float
    """Points for a play, for each hundred points ahead ..."""
    ahead_late: float
    """... by how late it is."""
    discard: float
    """How far the greedy player's value of a discard counts."""
    mine: float
    """Points for each meld that the holder may yet make of it, with the pile left out."""
    theirs: float
    """Points for each of its points and meld that the other may make, with the pile left out ..."""
    theirs_late: float
    """... and by how late it is."""
    use_late: float
    """The same with the pile."""
    known: float
    """Points for each of its points, if the other knows that it is in the hand anyway."""
    kept: float
    """Points for each point that can still be played after the discard."""
    outs: float
    """Points for each point of the cards that would make another meld, over the cards unseen."""
    locked: float
    """Points for each point of the cards that would, if the other is known to have them."""
    offered: float
    """Points for each point that could be played with the best that the pile then offers ..."""
    gained: float
    """... and for each of these that the pile brings."""


PLAIN = Foresight(
    draw=1.1,
    take=-1.16,
    top=2.42,
    brings=0.074,
    depth=13.5,
    ready=-0.943,
    ready_late=0.576,
    rest=0.318,
    shed=-3.63,
    go=14.1,
    go_ahead=0.885,
    play=1.86,
    now=-0.229,
    now_late=1.51,
    now_ahead=0.162,
    now_hidden=0.00153,
    now_alone=-0.406,
    shown=-0.507,
    alone_late=7.76,
    ahead=-2.93,
    ahead_late=34.5,
    discard=0.367,
    mine=3.1,
    theirs=2.21,
    theirs_late=-26.6,
    use_late=-3.35,
    known=0.676,
    kept=-0.231,
    outs=3.71,
    locked=0.52,
    offered=-0.0564,
    gained=-0.299,
)
"""For packs without jokers."""
WITH_JOKERS = Foresight(
    draw=0.868,
    take=-17.8,
    top=15.0,
    brings=9.43,
    depth=4.08,
    ready=-0.72,
    ready_late=1.25,
    rest=0.275,
    shed=-6.31,
    go=11.7,
    go_ahead=7.05,
    play=0.218,
    now=0.133,
    now_late=1.5,
    now_ahead=0.0769,
    now_hidden=-0.0253,
    now_alone=-0.821,
    shown=-1.64,
    alone_late=17.6,
    ahead=2.56,
    ahead_late=17.4,
    discard=0.411,
    mine=2.18,
    theirs=2.59,
    theirs_late=-35.6,
    use_late=2.93,
    known=0.677,
    kept=0.434,
    outs=6.58,
    locked=0.759,
    offered=-0.109,
    gained=0.366,
)
"""For packs with jokers."""
(
    _DRAW,
    _TAKE,
    _TOP,
    _BRINGS,
    _DEPTH,
    _READY,
    _READY_LATE,
    _REST,
    _SHED,
    _GO,
    _GO_AHEAD,
    _PLAY,
    _NOW,
    _NOW_LATE,
    _NOW_AHEAD,
    _NOW_HIDDEN,
    _NOW_ALONE,
    _SHOWN,
    _ALONE_LATE,
    _AHEAD,
    _AHEAD_LATE,
    _DISCARD,
    _MINE,
    _THEIRS,
    _THEIRS_LATE,
    _USE_LATE,
    _KNOWN,
    _KEPT,
    _OUTS,
    _LOCKED,
    _OFFERED,
    _GAINED,
) = range(len(Foresight._fields))

HELD = THEIRS + 4
"""Where in the scratch space what the others can use stands without the pile; the player's own
follows."""


@helper
def lateness(s, p):
    """One over one more than the cards in the other's hand."""
    return 1.0 / (1.0 + s.hand_size[1 - p])


@helper
def after_draw(far, value, late, ahead, points, rest, left):
    """The value of a draw, from the greedy player's.

    Args:
        far: `Foresight` as an array.
        points, rest, left: what `appraise` says of the hand.
    """
    value = far[_DRAW] * value + far[_SHED] * min(left, 6) + far[_REST] * rest
    value += (far[_READY] + far[_READY_LATE] * late) * points
    if left <= 1:
        value += far[_GO] + far[_GO_AHEAD] * ahead / 100
    return value


@helper
def for_taking(k, s, far, cards, brings):
    """What is added for taking so many cards from the pile."""
    value = far[_TAKE] + far[_DEPTH] * cards / (1.0 + s.stock_size / k.num_players)
    if cards == 1:
        value += far[_TOP]
    if brings:
        value += far[_BRINGS]
    return value


@helper
def after_play(far, gain, late, ahead, hidden, value, shown, alone):
    """The gain of a play, from the greedy player's.

    Args:
        hidden: how many cards of the other are not known.
        value: the play's points.
        shown: the points that the other may lay off on it, by how likely it holds the cards.
        alone: whether it is a single card.
    """
    each = far[_NOW] + far[_NOW_LATE] * late + far[_NOW_AHEAD] * ahead / 100
    each += far[_NOW_HIDDEN] * hidden
    gain = far[_PLAY] * gain + far[_SHOWN] * shown
    gain += (far[_AHEAD] + far[_AHEAD_LATE] * late) * ahead / 100
    if alone:
        each += far[_NOW_ALONE]
        gain += far[_ALONE_LATE] * late
    return gain + each * value


@helper
def keep_apart(work):
    """Copy what cards are good for to `HELD`, before the pile is weighed in."""
    for row in range(4):
        for rank in range(13):
            work[HELD + row, rank] = work[THEIRS + row, rank]
            work[HELD + 4 + row, rank] = work[MINE + row, rank]


@helper
def after_discard(k, s, p, far, value, card, work, use, late, unseen, known, hidden):
    """The value of a discard, from the greedy player's.

    Args:
        work: with what cards are good for, also at `HELD`.
        use: how many melds the other may make with the card.
        hidden: how many cards are not located.
    """
    bit = np.int64(1) << card
    one = (s.one[p] & ~bit) | (s.two[p] & bit)
    points, _, _, outs = appraise(k, s, one, s.two[p] & ~bit, np.int64(s.jokers[p]), 0, unseen)
    theirs = (far[_THEIRS] + far[_THEIRS_LATE] * late) * usefulness(k, card, work, HELD)
    each = theirs + far[_USE_LATE] * late * use
    if s.known_one[p] & bit:
        each += far[_KNOWN]
    value = far[_DISCARD] * value + each * k.value[card]
    value += far[_MINE] * usefulness(k, card, work, HELD + 4)
    value += far[_KEPT] * points + far[_OUTS] * outs / hidden
    value += far[_LOCKED] * points_of(k, fits(k, one) & ~one & known, 0, 0)
    offered = best_offer(k, s, one, card)
    return value + far[_OFFERED] * offered + far[_GAINED] * max(0, offered - points)


@helper
def best_offer(k, s, one, card):
    """The most points that a hand could play after it takes from the pile, with `card` on it; 0 if
    there is nothing for it to take.
    """
    best = np.int64(0)
    table = open_faces(k, s)
    at = np.int64(s.pile_size)
    while True:
        if card != JOKER:
            bit = np.int64(1) << card
            one |= bit
            good = in_melds(k, one) | (one & table)
            if good & bit:
                best = max(best, points_of(k, good, 0, 0))
        at -= 1
        if at < 0:
            return best
        card = np.int64(s.pile[at])
