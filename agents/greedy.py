"""The greedy player of Rummy 500: one look at every choice, by weights that say what matters.

* Draw: what the hand could play with the cards, what it would hold, what it could still become.
* Play: as the obligation demands; else it lays down what brings more, now, than it opens to others,
  and everything when that ends the hand and it is not far behind. As the hand nears its end (few
  cards in other hands, few in the stock) points in hand weigh more.
* Discard: what costs least, by the melds the card may yet make for its holder, and for the others
  with what they are known to have, with the pile, and with what they may have.

The player reads its own hand and what is public, keeps no memory, and breaks ties by the order of
the actions, so it does the same in the same position. ``benchmarks/tune_greedy.py`` found the
weights.
"""

from typing import Any, NamedTuple

import numpy as np

from ..envs import kit, melds
from ..envs.bits import lowest, popcount
from ..envs.cards import JOKER, NOBODY
from ..envs.games.rummy500.state import CALL
from ..envs.jit import helper, kernel
from ..envs.state import DRAW, points_of
from .appraise import SURE, appraise, find_unseen, fits_table, usefulness
from .base import KernelAgent


class Weights(NamedTuple):
    """What the greedy player goes by; "points" are points of the hand's score."""

    draw: float = 7.0
    """Points that a draw from the stock is worth beside the chance to complete a meld."""
    card: float = 0.0558
    """Points that each card taken from the pile is worth, for what it may still become."""
    outs: float = 0.872
    """Points for each point of the card that a draw is expected to complete a meld with."""
    out: float = 32.1
    """Points that it is worth to be able to go out at once."""
    hold: float = 0.076
    """Cost of a point in hand that cannot be played at once."""
    few_cards: float = 0.283
    """Added to `hold` for each other player, over one more than the cards in that hand."""
    few_turns: float = 0.393
    """Added to `hold`, over one more than the turns that the stock has left for each player."""
    keep: float = 2.42
    """Value of each point of a card for each meld that it may yet make."""
    live: float = 0.184
    """How likely a card that was not seen will come in time to make such a meld."""
    again: float = 0.247
    """How likely one in the pile will."""
    danger: float = 1.11
    """Cost of each point of a discard for each meld that it may make for the only opponent; less
    for one of several, by the square of their number."""
    bait: float = 1.13
    """How far a partner of the discard in the pile counts as one in an opponent's hand ..."""
    deep: float = 0.0577
    """... and how much more for each card above it, which would be taken as well."""
    lay: float = 0.0202
    """Gain of playing a point now rather than later."""
    rush: float = 0.394
    """How far what `few_cards` and `few_turns` make adds to `lay`, for each other player."""
    open: float = 0.683
    """Cost of each point that others may lay off on what is played, if they have the card."""
    joker: float = 13.9
    """Points that a joker in hand is worth, which playing it must bring in."""
    behind: float = 92.5
    """Points behind the best opponent from which on going out does not pay yet."""


WEIGHTS = np.array(Weights())
"""The weights of the player called ``greedy``."""
(
    _DRAW,
    _CARD,
    _OUTS,
    _OUT,
    _HOLD,
    _FEW_CARDS,
    _FEW_TURNS,
    _KEEP,
    _LIVE,
    _AGAIN,
    _DANGER,
    _BAIT,
    _DEEP,
    _LAY,
    _RUSH,
    _OPEN,
    _JOKER,
    _BEHIND,
) = range(len(Weights._fields))

_MINE, _THEIRS = 1, 5
"""Where in the scratch space four rows each begin: what the player, and the others, can use."""
_TWO_JOKERS = np.zeros(kit.NUM_WORDS, np.bool_)
_TWO_JOKERS[[kit.SET_JOKERS, *range(kit.RUN_JOKERS, kit.LAY_SET)]] = True
_UNKNOWN_CARD = 7.0
"""Points of a card of which nothing is known, about."""


@kernel
def choose(states, i, kits, work, weights, rngs, r):
    """The greedy player's action at table `i`, for the seat to act.

    Args:
        work: its first row holds the words of the legal actions (see `rummyzoo.envs.kit`).
        weights: `Weights` as an array.
        rngs, r: the generator words and which of them to use; this player draws no lots.
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
    return choose_discard(k, s, p, work, weights, unseen, known)


@helper
def hidden_cards(k, s, p):
    """How many cards the seat has not located: the stock's and the unknown ones of the others."""
    count = np.int64(s.stock_size)
    for q in range(k.num_players):
        if q != p:
            count += unknown(s, q)
    return count


@helper
def unknown(s, q):
    """How many cards of a hand are not known to all."""
    known = popcount(s.known_one[q]) + popcount(s.known_two[q]) + np.int64(s.known_jokers[q])
    return np.int64(s.hand_size[q]) - known


@helper
def risk(k, s, p, weights):
    """How much more a point in hand costs than early on: how near the hand is to its end."""
    others = 0.0
    for q in range(k.num_players):
        if q != p:
            others += 1.0 / (1.0 + s.hand_size[q])
    turns = s.stock_size / k.num_players
    return weights[_FEW_CARDS] * others + weights[_FEW_TURNS] / (1.0 + turns)


@helper
def lead(k, s, p):
    """How far a seat's played points are ahead of the others' best score (a guess)."""
    best = -10_000.0
    for q in range(k.num_players):
        if q != p:
            held = points_of(k, s.known_one[q], s.known_two[q], np.int64(s.known_jokers[q]))
            best = max(best, s.melded[q] - held - _UNKNOWN_CARD * unknown(s, q))
    return s.melded[p] - best


@helper
def choose_draw(k, s, p, words, weights, unseen):
    """Draw from the stock, take from the pile, call or pass."""
    one = s.one[p]
    two = s.two[p]
    jokers = np.int64(s.jokers[p])
    cost = weights[_HOLD] + risk(k, s, p, weights)
    drawn = weights[_OUTS] / max(1, hidden_cards(k, s, p))
    points, dead, left, outs = appraise(k, s, one, two, jokers, 0, unseen)
    ahead = lead(k, s, p)
    call = s.phase == CALL
    if call:
        choice = kit.action_of(k, kit.PASS_DRAW, 0)
        best = points - cost * dead + drawn * outs
    elif s.stock_size:
        choice = kit.action_of(k, kit.PASS_DRAW, 1)
        lucky = points_of(k, fits_table(k, s) & ~one & unseen, 0, 0)
        best = points - cost * dead + drawn * outs + weights[_DRAW]
        best += lucky / max(1, hidden_cards(k, s, p))
        if left <= 0 and ahead + points > -weights[_BEHIND]:
            best += weights[_OUT]
    else:  # a pass ends the hand: all that is held counts, and a player who is behind avoids it
        choice = kit.action_of(k, kit.PASS_DRAW, 0)
        best = -points_of(k, one, two, jokers) + 0.0
        cost = 1.0
        if ahead + best < 0:
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
            points, dead, left, outs = appraise(k, s, one, two, jokers, 0, unseen)
            value = points - cost * dead + drawn * outs + weights[_CARD] * (size - at)
            if left <= 1 and ahead + points > -weights[_BEHIND]:
                value += weights[_OUT]
            if value > best:
                best = value
                choice = kit.action_of(k, word, bit)
    return choice


@helper
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


@helper
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


@helper
def choose_play(k, s, p, words, weights, unseen, known, pile):
    """A play that pays, or -1 to discard."""
    due = s.due != NOBODY
    must = due or words[kit.DISCARD] == 0
    one = s.one[p]
    two = s.two[p]
    held_jokers = np.int64(s.jokers[p])
    rush = weights[_RUSH] * (k.num_players - 1) * risk(k, s, p, weights)
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
        if _TWO_JOKERS[w] and not (must or out):
            continue
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
            exposed = points_of(k, lost & unseen, 0, 0) * theirs
            exposed += points_of(k, lost & (known | pile), 0, 0)
            merit = value + after - dead * 0.1 - weights[_JOKER] * jokers - 0.1 * exposed
            if merit > best:
                best = merit
                choice = action
                gain = value * (weights[_LAY] + rush)
                gain -= weights[_OPEN] * exposed + weights[_JOKER] * jokers
                if wait and np.int64(s.hand_size[p]) - popcount(cards) - jokers == 1:
                    gain = -1.0
    if must or out or gain > 0:
        return choice
    return np.int64(-1)


@helper
def choose_discard(k, s, p, work, weights, unseen, known):
    """The discard that costs least: its use to the holder and to the others, and its points."""
    words = work[0]
    one = s.one[p]
    late = risk(k, s, p, weights)
    following = (p + 1) % k.num_players
    hidden = max(1, hidden_cards(k, s, p))
    # The next player counts in full; the others get the card only if it is left to them.
    theirs = 0.5 * (hidden - np.int64(s.stock_size) + unknown(s, following)) / hidden
    weigh_cards(k, s, work, one, known, unseen, theirs, weights)
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
            mine = usefulness(k, card, work, _MINE)
            use = usefulness(k, card, work, _THEIRS)
            if table & bit:
                mine += 1.0
                use += 1.0
            if s.two[p] & bit:
                mine *= 0.3
            value = weights[_HOLD] + late - weights[_KEEP] * mine
            value -= weights[_DANGER] / (k.num_players - 1) ** 2 * use
            value *= k.value[card]
        if value > best:
            best = value
            choice = kit.action_of(k, kit.DISCARD, card)
    return choice


@helper
def weigh_cards(k, s, work, one, known, unseen, theirs, weights):
    """Write how likely the player, and the others, can use each card, for `usefulness`."""
    mine_unseen = np.int64(SURE * weights[_LIVE])
    theirs_unseen = np.int64(SURE * theirs)
    for suit in range(k.num_suits):
        for rank in range(k.num_ranks):
            card = 13 * suit + rank
            seen = 1 - ((unseen >> card) & 1)
            work[_MINE + suit, rank] = SURE if (one >> card) & 1 else mine_unseen * (1 - seen)
            work[_THEIRS + suit, rank] = SURE if (known >> card) & 1 else theirs_unseen * (1 - seen)
    size = np.int64(s.pile_size)
    for at in range(size):
        card = np.int64(s.pile[at])
        if card != JOKER:
            suit = card // 13
            rank = card % 13
            mine = np.int64(SURE * weights[_AGAIN])
            work[_MINE + suit, rank] = max(work[_MINE + suit, rank], mine)
            use = np.int64(SURE * (weights[_BAIT] + weights[_DEEP] * (size - 1 - at)))
            work[_THEIRS + suit, rank] = max(work[_THEIRS + suit, rank], use)


def make(game: str, rules: Any, argument: str = "") -> KernelAgent:
    """The greedy player of a game; it takes no argument."""
    if game != "rummy500":
        raise ValueError(f"there is no greedy player for {game!r}, only for 'rummy500'")
    if argument:
        raise ValueError(f"the greedy player takes no argument, but got {argument!r}")
    return KernelAgent("greedy", game, rules, choose, WEIGHTS)
