"""How the heuristic players of Rummy 500 play: one look at every choice, by weights.

* Draw: what the hand could play with the cards, what it would hold, what it could still become.
* Play: as the obligation demands; else it lays down what brings more, now, than it opens to others,
  and everything when that ends the hand and it is not far behind. As the hand nears its end (few
  cards in other hands, few in the stock) points in hand weigh more.
* Discard: what costs least, by the melds the card may yet make for its holder, and for the others
  with what they are known to have, with the pile, and with what they may have.

The players read their own hand and what is public, keep no memory, and break ties by the order of
the actions, so they do the same in the same position. ``benchmarks/tune_heuristics.py`` found the
weights of ``greedy``.
"""

from typing import Any, NamedTuple

import numpy as np

from ...envs import kit, melds
from ...envs.bits import lowest, popcount
from ...envs.cards import JOKER, NOBODY
from ...envs.games.rummy500.state import CALL
from ...envs.jit import helper, kernel
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
from .foresight import (
    PLAIN,
    WITH_JOKERS,
    Foresight,
    after_discard,
    after_draw,
    after_play,
    for_taking,
    keep_apart,
    lateness,
)


class Weights(NamedTuple):
    """What a player goes by; "points" are points of the hand's score."""

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
    """Added to `hold` for each other player, divided by one more than the cards in that hand."""
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


STYLES: dict[str, tuple[float, ...]] = {
    "greedy": Weights(),
    "far_sighted": (*Weights(), *PLAIN, *WITH_JOKERS),
    "pile_hungry": Weights(draw=2.0, card=1.0, hold=0.02),
    "defensive": Weights(danger=3.0, bait=2.0, deep=0.2, keep=1.5, open=1.2, lay=0.005),
    "hold_back": Weights(lay=-0.5, rush=2.0, out=60.0, behind=150.0),
}
"""The players that this kernel plays, by name.

* ``greedy``: the weights that tuning found.
* ``far_sighted``: the strongest of two players; with more it plays as ``greedy``. It also weighs
  what a choice leaves for the turns to come (see `Foresight`): how many cards stand between its
  hand and going out, what the pile then offers, what the other knows of its hand anyway, and how
  soon the hand may end. So it takes less from the pile for the mere points, gives up first what
  the other has seen, keeps what the other waits for as the hand gets late, and lays down sooner
  when it is ahead. Against ``greedy`` it won 57.8 ± 0.6 % of 20,000 hands, and 61.6 ± 0.7 % of as
  many without jokers; against every other style more than 58 %.
* ``pile_hungry``: every card is worth having. It takes deep into the pile whenever it may, and
  lives with the points in its hand.
* ``defensive``: gives nothing away. It discards what nobody can use, even out of its own melds to
  come, and lays down little that others could lay off on.
* ``hold_back``: keeps its melds in hand to go out at once, which leaves the others with full hands
  and nothing to lay off on; it lays them down when somebody else is about to go out.
"""
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


def rollout_styles(rules: Any) -> tuple[str, ...]:
    """Who plays worlds out for `search`: the strongest for so many players, at all seats."""
    style = "far_sighted" if rules.num_players == 2 else "greedy"
    return style, style


_TWO_JOKERS = np.zeros(kit.NUM_WORDS, np.bool_)
_TWO_JOKERS[[kit.SET_JOKERS, *range(kit.RUN_JOKERS, kit.LAY_SET)]] = True
_FIRST_FAR, _FAR = len(Weights._fields), len(Foresight._fields)
_UNKNOWN_CARD = 7.0
"""Points of a card of which nothing is known, about."""


@kernel
def choose(states, i, kits, work, weights, rngs, r):
    """The action at table `i`, for the seat to act.

    Args:
        work: its first row holds the words of the legal actions (see `rummyzoo.envs.kit`).
        weights: `Weights` as an array; a player with foresight has two `Foresight` behind them,
            for packs without and with jokers.
        rngs, r: the generator words and which of them to use; this player draws no lots.
    """
    s = states[i]
    k = kits[0]
    words = work[0]
    p = np.int64(s.turn)
    unseen, known, pile = find_unseen(k, s, p)
    first, last = far_weights(k, weights)
    far = weights[first:last]
    if s.phase == DRAW or s.phase == CALL:
        return choose_draw(k, s, p, words, weights, far, unseen)
    play = choose_play(k, s, p, words, weights, far, unseen, known, pile)
    if play >= 0:
        return play
    return choose_discard(k, s, p, work, weights, far, unseen, known)


@helper
def far_weights(k, weights):
    """Where in a player's weights the `Foresight` for the pack begins and ends; nothing between,
    where there is none or only zeros: it was found for two players.
    """
    first = _FIRST_FAR + _FAR if k.jokers else _FIRST_FAR
    sees = k.num_players == 2 and len(weights) > first and weights[first] != 0
    return first, first + _FAR if sees else first


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
def choose_draw(k, s, p, words, weights, far, unseen):
    """Draw from the stock, take from the pile, call or pass."""
    one = s.one[p]
    two = s.two[p]
    jokers = np.int64(s.jokers[p])
    cost = weights[_HOLD] + risk(k, s, p, weights)
    drawn = weights[_OUTS] / max(1, hidden_cards(k, s, p))
    points, dead, left, outs = appraise(k, s, one, two, jokers, 0, unseen)
    ahead = lead(k, s, p)
    call = s.phase == CALL
    looks = len(far) > 0 and not call and s.stock_size > 0
    late = lateness(s, p) if len(far) else 0.0
    ready = points
    if call:
        choice = kit.action_of(k, kit.PASS_DRAW, 0)
        best = points - cost * dead + drawn * outs
    elif s.stock_size:
        choice = kit.action_of(k, kit.PASS_DRAW, 1)
        lucky = points_of(k, melds.open_faces(k, s) & ~one & unseen, 0, 0)
        best = points - cost * dead + drawn * outs + weights[_DRAW]
        best += lucky / max(1, hidden_cards(k, s, p))
        if left <= 0 and ahead + points > -weights[_BEHIND]:
            best += weights[_OUT]
        if looks:
            best = after_draw(far, best, late, ahead, points, dead, left)
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
            if looks:
                value = after_draw(far, value, late, ahead, points, dead, left)
                value += for_taking(k, s, far, size - at, points > ready)
            if value > best:
                best = value
                choice = kit.action_of(k, word, bit)
    return choice


@helper
def choose_play(k, s, p, words, weights, far, unseen, known, pile):
    """A play that pays, or -1 to discard."""
    due = s.due != NOBODY
    must = due or words[kit.DISCARD] == 0
    one = s.one[p]
    two = s.two[p]
    held_jokers = np.int64(s.jokers[p])
    rush = weights[_RUSH] * (k.num_players - 1) * risk(k, s, p, weights)
    points, _, left, _ = appraise(k, s, one, two, held_jokers, 0, unseen)
    ahead = lead(k, s, p)
    out = left <= 1
    wait = out and ahead + points < -weights[_BEHIND] and s.stock_size > k.num_players
    out = out and not wait
    late = lateness(s, p) if len(far) else 0.0
    hidden = unknown(s, 1 - p) if len(far) else np.int64(0)
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
            shown = points_of(k, lost & unseen, 0, 0) * theirs
            exposed = shown + points_of(k, lost & (known | pile), 0, 0)
            merit = value + after - dead * 0.1 - weights[_JOKER] * jokers - 0.1 * exposed
            if merit > best:
                best = merit
                choice = action
                gain = value * (weights[_LAY] + rush)
                gain -= weights[_OPEN] * exposed + weights[_JOKER] * jokers
                if len(far):
                    alone = melds.num_cards(kind) == 1
                    gain = after_play(far, gain, late, ahead, hidden, value, shown, alone)
                if wait and np.int64(s.hand_size[p]) - popcount(cards) - jokers == 1:
                    gain = -1.0
    if must or out or gain > 0:
        return choice
    return np.int64(-1)


@helper
def choose_discard(k, s, p, work, weights, far, unseen, known):
    """The discard that costs least: its use to the holder and to the others, and its points."""
    words = work[0]
    one = s.one[p]
    late = risk(k, s, p, weights)
    following = (p + 1) % k.num_players
    hidden = max(1, hidden_cards(k, s, p))
    # The next player counts in full; the others get the card only if it is left to them.
    theirs = 0.5 * (hidden - np.int64(s.stock_size) + unknown(s, following)) / hidden
    weigh_cards(k, s, work, one, known, unseen, weights[_LIVE], theirs)
    if len(far):
        keep_apart(work)
    soon = lateness(s, p) if len(far) else 0.0
    weigh_pile(k, s, work, weights[_AGAIN], weights[_BAIT], weights[_DEEP])
    table = melds.open_faces(k, s)
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
            mine = usefulness(k, card, work, MINE)
            use = usefulness(k, card, work, THEIRS)
            if table & bit:
                mine += 1.0
                use += 1.0
            if s.two[p] & bit:
                mine *= 0.3
            value = weights[_HOLD] + late - weights[_KEEP] * mine
            value -= weights[_DANGER] / (k.num_players - 1) ** 2 * use
            value *= k.value[card]
            if len(far):
                value = after_discard(
                    k, s, p, far, value, card, work, use, soon, unseen, known, hidden
                )
        if value > best:
            best = value
            choice = kit.action_of(k, kit.DISCARD, card)
    return choice
