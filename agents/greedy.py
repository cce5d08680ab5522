"""The greedy player of Rummy 500: one look at every choice, by a dozen weights that say what matters how much.

It reads its own hand and what is public, keeps no memory, and breaks ties by the order of the actions, so it
always does the same in the same position.
"""

from typing import Any, NamedTuple

import numpy as np

from ..envs import kit, melds
from ..envs.bits import lowest, popcount
from ..envs.cards import JOKER, NOBODY
from ..envs.jit import kernel
from ..envs.state import CALL, DRAW, points_of
from .appraise import appraise, find_unseen, fits_table, usefulness
from .base import KernelAgent


class Weights(NamedTuple):
    """What the greedy player goes by. "Points" are points of the hand's score."""

    draw: float = 4.0
    """Points that a draw from the stock is worth beside the chance to complete a meld at once."""
    card: float = 1.0
    """Points that each card taken from the pile is worth, for what it may still become."""
    outs: float = 4.0
    """Points for each point of the card that a draw is expected to complete a meld with."""
    hold: float = 0.0
    """Cost of a point taken from the pile that cannot be played at once, early in the hand."""
    few_cards: float = 1.0
    """What is added to the cost of holding a point as the opponents' smallest hand shrinks from eight cards to none."""
    few_turns: float = 0.7
    """What is added to it as the turns left in the stock shrink from eight to none."""
    shed: float = 0.3
    """Cost of holding a point, early in the hand, when a discard is chosen."""
    keep: float = 1.0
    """Value of a card (its points and `base`) in each meld that it may yet make."""
    live: float = 0.1
    """How likely a card that was not seen will come in time to make such a meld."""
    again: float = 0.3
    """How likely one in the pile will."""
    danger: float = 2.0
    """Cost of discarding a card (its points and `base`) for each meld that it may make for an opponent."""
    bait: float = 1.0
    """How far a partner of the discard in the pile counts as one in an opponent's hand."""
    base: float = 5.0
    """Points added to a card's own in `keep` and `danger`, for the others of its meld."""
    lay: float = 0.5
    """Gain of playing a point now rather than later, early in the hand."""
    open: float = 0.5
    """Cost of each point that an opponent may lay off on what is played, if he has the card."""
    joker: float = 10.0
    """Points that a joker in hand is worth, which playing it must bring in."""
    behind: float = 60.0
    """Points behind the best opponent from which on going out does not pay yet."""


WEIGHTS = np.array(Weights())
"""The weights of the player called ``greedy``."""
(
    _DRAW,
    _CARD,
    _OUTS,
    _HOLD,
    _FEW_CARDS,
    _FEW_TURNS,
    _SHED,
    _KEEP,
    _LIVE,
    _AGAIN,
    _DANGER,
    _BAIT,
    _BASE,
    _LAY,
    _OPEN,
    _JOKER,
    _BEHIND,
) = range(len(Weights._fields))

_UNKNOWN_CARD = 7.0
"""Points of a card of which nothing is known, about."""


@kernel
def choose(states, i, kits, work, weights, rngs, r):
    """The greedy player's action at table `i`, for the seat to act.

    Args:
        work: holds the words of the legal actions in its first row (see `rummyzoo.envs.kit`); left as it is.
        weights: `Weights` as an array.
        rngs, r: the random words and which of them is the player's; this one draws no lots.
    """
    s = states[i]
    k = kits[0]
    words = work[0]
    p = np.int64(s.turn)
    unseen, known, pile = find_unseen(k, s, p)
    if s.phase == DRAW or s.phase == CALL:
        return choose_draw(k, s, p, words, weights, unseen)
    play = choose_play(k, s, p, words, weights, unseen, known, pile)
    if play >= 0:
        return play
    return choose_discard(k, s, p, words, weights, unseen, known, pile)


@kernel
def hidden_cards(k, s, p):
    """How many cards the seat has not located: the stock's and the unknown ones of the others."""
    count = np.int64(s.stock_size)
    for q in range(k.num_players):
        if q != p:
            count += unknown(s, q)
    return count


@kernel
def unknown(s, q):
    """How many cards of a hand are not known to all."""
    known = popcount(s.known_one[q]) + popcount(s.known_two[q]) + np.int64(s.known_jokers[q])
    return np.int64(s.hand_size[q]) - known


@kernel
def risk(k, s, p, weights):
    """How much more a point in hand costs than early on: how near the hand is to its end."""
    fewest = np.int64(99)
    for q in range(k.num_players):
        if q != p:
            fewest = min(fewest, np.int64(s.hand_size[q]))
    turns = s.stock_size / k.num_players
    return weights[_FEW_CARDS] * max(0.0, 1.0 - fewest / 8.0) + weights[_FEW_TURNS] * max(
        0.0, 1.0 - turns / 8.0
    )


@kernel
def lead(k, s, p):
    """Points played by a seat, less the best opponent's points played and, as far as can be guessed, held."""
    best = -10_000.0
    for q in range(k.num_players):
        if q != p:
            held = points_of(k, s.known_one[q], s.known_two[q], np.int64(s.known_jokers[q]))
            best = max(best, s.melded[q] - held - _UNKNOWN_CARD * unknown(s, q))
    return s.melded[p] - best


@kernel
def choose_draw(k, s, p, words, weights, unseen):
    """Draw from the stock, take from the pile, call or pass."""
    one = s.one[p]
    two = s.two[p]
    jokers = np.int64(s.jokers[p])
    cost = weights[_HOLD] + risk(k, s, p, weights)
    drawn = weights[_OUTS] / max(1, hidden_cards(k, s, p))
    points, dead, _, outs = appraise(k, s, one, two, jokers, 0, unseen)
    call = s.phase == CALL
    if call:
        choice = kit.action_of(k, kit.PASS_DRAW, 0)
        best = points - cost * dead + drawn * outs
    elif s.stock_size:
        choice = kit.action_of(k, kit.PASS_DRAW, 1)
        lucky = points_of(k, fits_table(k, s) & ~one & unseen, 0, 0) / max(1, hidden_cards(k, s, p))
        best = points - cost * dead + drawn * outs + lucky + weights[_DRAW]
    else:  # to pass ends the hand, with all that is held
        choice = kit.action_of(k, kit.PASS_DRAW, 0)
        best = -points_of(k, one, two, jokers) + 0.0
        cost = 1.0
        if lead(k, s, p) + best < 0:
            best -= weights[_DRAW]
    first = kit.CALL if call else kit.TAKE
    above = np.int64(0)
    jokers_above = np.int64(0)
    size = np.int64(s.pile_size)
    for at in range(size - 1, -1, -1):
        card = np.int64(s.pile[at])
        if card == JOKER:
            word = first + 2
            bit = jokers_above
            jokers_above += 1
            jokers += 1
        else:
            word = first + ((above >> card) & 1)
            bit = card
            above |= np.int64(1) << card
            two |= one & (np.int64(1) << card)
            one |= np.int64(1) << card
        if (words[word] >> bit) & 1:
            points, dead, _, outs = appraise(k, s, one, two, jokers, 0, unseen)
            value = points - cost * dead + drawn * outs + weights[_CARD] * (size - at)
            if value > best:
                best = value
                choice = kit.action_of(k, word, bit)
    return choice


@kernel
def cards_of(k, kind, a, b, c):
    """The natural cards of a play as a word, and how many jokers are in it."""
    cards = np.int64(0)
    jokers = np.int64(0)
    for n in range(melds.num_cards(kind)):
        card = melds.card_of(k, kind, a, b, c, n)
        if card == JOKER:
            jokers += 1
        else:
            cards |= np.int64(1) << card
    return cards, jokers


@kernel
def beyond(k, kind, a, b, c):
    """The faces that could be laid off on what a play laid down."""
    if kind == kit.A_LAY_SET:
        return np.int64(0)
    if kind == kit.A_SET:
        found = np.int64(0)
        for suit in range(k.num_suits):
            if not (b >> suit) & 1:
                found |= np.int64(1) << (13 * suit + a)
        return found
    suit = a
    below = b - 1
    above = b + 3
    if kind != kit.A_RUN:
        suit = b
        below = c - 1 if kind == kit.A_LAY_LOW else np.int64(-1)
        above = c + 1 if kind == kit.A_LAY_HIGH else np.int64(99)
    found = np.int64(0)
    if below >= k.min_pos:
        found |= np.int64(1) << (13 * suit + below)
    if above <= k.max_pos:
        found |= np.int64(1) << (13 * suit + above % k.num_ranks)
    return found


@kernel
def choose_play(k, s, p, words, weights, unseen, known, pile):
    """A play that pays, or -1 to discard."""
    due = s.due != NOBODY
    must = due or words[kit.DISCARD] == 0
    one = s.one[p]
    two = s.two[p]
    held_jokers = np.int64(s.jokers[p])
    late = risk(k, s, p, weights)
    points, _, left, _ = appraise(k, s, one, two, held_jokers, 0, unseen)
    out = left <= 1
    wait = out and lead(k, s, p) + points < -weights[_BEHIND] and s.stock_size > k.num_players
    out = out and not wait
    seen = max(1, hidden_cards(k, s, p))
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
            cards, jokers = cards_of(k, kind, a, b, c)
            rest = (one & ~cards) | (two & cards)
            opened = beyond(k, kind, a, b, c)
            value = 1.0 * melds.play_points(k, kind, a, b, c)
            after, dead, _, _ = appraise(
                k, s, rest, two & ~cards, held_jokers - jokers, opened, unseen
            )
            lost = opened & ~rest
            exposed = points_of(k, lost & unseen, 0, 0) * theirs + points_of(
                k, lost & (known | pile), 0, 0
            )
            merit = value + after - dead * 0.1 - weights[_JOKER] * jokers - 0.1 * exposed
            if merit > best:
                best = merit
                choice = action
                gain = value * (weights[_LAY] + late)
                gain -= weights[_OPEN] * exposed + weights[_JOKER] * jokers
                if wait and np.int64(s.hand_size[p]) - popcount(cards) - jokers == 1:
                    gain = -1.0
    if must or out or gain > 0:
        return choice
    return np.int64(-1)


@kernel
def choose_discard(k, s, p, words, weights, unseen, known, pile):
    """The discard that costs least: what it is worth to its holder and to the others, and what it costs to hold."""
    one = s.one[p]
    late = risk(k, s, p, weights)
    following = (p + 1) % k.num_players
    hidden = max(1, hidden_cards(k, s, p))
    # The next player counts in full; the others come to the card only if he leaves it.
    theirs = 0.5 * (hidden - np.int64(s.stock_size) + unknown(s, following)) / hidden
    table = fits_table(k, s)
    best = -10_000.0
    choice = np.int64(-1)
    left = words[kit.DISCARD]
    while left:
        card = lowest(left)
        left &= left - 1
        if card == JOKER:
            value = -500.0
        else:
            bit = np.int64(1) << card
            worth = k.value[card] + weights[_BASE]
            others = one if s.two[p] & bit else one & ~bit
            mine = usefulness(k, card, others, pile, unseen, weights[_AGAIN], weights[_LIVE])
            use = usefulness(k, card, known, pile, unseen, weights[_BAIT], theirs)
            if s.two[p] & bit:
                mine *= 0.3
            if table & bit:
                mine += 1.0
                use += 1.0
            value = (weights[_SHED] + late) * k.value[card]
            value -= weights[_KEEP] * worth * mine + weights[_DANGER] * worth * use
        if value > best:
            best = value
            choice = kit.action_of(k, kit.DISCARD, card)
    return choice


def make(game: str, rules: Any, argument: str = "") -> KernelAgent:
    """The greedy player of a game; it takes no argument."""
    if game != "rummy500":
        raise ValueError(f"there is no greedy player for {game!r}, only for 'rummy500'")
    if argument:
        raise ValueError(f"the greedy player takes no argument, but got {argument!r}")
    return KernelAgent("greedy", game, rules, choose, WEIGHTS)
