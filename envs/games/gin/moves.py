"""The moves: the deal, what each action does, and the end of a turn."""

import numpy as np

from ... import kit, melds
from ...bits import lowest
from ...cards import NOBODY
from ...deal import deal_cards
from ...jit import helper, kernel
from ...match import begin_match
from ...state import (
    DRAW,
    PLAY,
    TRUNCATED,
    add_card,
    clear_table,
    discard_card,
    draw_card,
    left_of,
    take_top,
)
from .arrange import arrange, run_cards, value
from .showdown import begin_lay_off, end_with_gin, finish, knock, settle_knock
from .state import BY_UPCARD, LAYOFF, UPCARD

_FIRST_SPADE = 39


@kernel
def new_match(states, i, kits, word):
    """Begin a match at table `i`: generator word, a dealer by lot, the first hand."""
    s = states[i]
    k = kits[0]
    begin_match(k, s, word)
    s.boxes[:] = 0
    s.hand_winner = NOBODY
    deal_hand(k, s)


@kernel
def next_hand(states, i, kits):
    """Deal the next hand of a match; after a dead hand the same player deals."""
    s = states[i]
    k = kits[0]
    if s.hand_winner != NOBODY:
        if k.next_dealer == 0:
            s.dealer = s.hand_winner
        elif k.next_dealer == 1:
            s.dealer = left_of(np.int64(s.hand_winner), k.num_players)
        else:
            s.dealer = left_of(np.int64(s.dealer), k.num_players)
    deal_hand(k, s)


@helper
def deal_hand(k, s):
    """Deal, and offer the upcard to the player who did not."""
    clear_hand(s)
    deal_cards(k, s)
    s.upcard = s.pile[0]
    read_upcard(k, s)
    s.turn = left_of(np.int64(s.dealer), k.num_players)
    s.phase = UPCARD


@kernel
def clear_hand(s):
    """Empty the table: no cards, no melds, no upcard."""
    clear_table(s)
    s.upcard = NOBODY
    s.limit = 0
    s.doubled = 0
    s.refused = 0
    s.barred = NOBODY
    s.wall = 0
    s.knocker = NOBODY


@helper
def read_upcard(k, s):
    """What the upcard says: with how much one may knock, and whether the hand is doubled."""
    up = np.int64(s.upcard)
    if k.knock_limit != BY_UPCARD:
        s.limit = k.knock_limit
    elif up == NOBODY:
        s.limit = 10
    else:
        s.limit = k.value[up] if up % 13 else k.ace_limit
    s.doubled = 1 if k.spade_double and up >= _FIRST_SPADE and up != NOBODY else 0


@kernel(forceinline=True)
def step(states, i, action, kits):
    """Play a legal action at table `i`."""
    move(kits[0], states[i], action)


@helper
def move(k, s, action):
    """What `step` does."""
    p = np.int64(s.turn)
    kind = np.int64(k.act[action, 0])
    a = np.int64(k.act[action, 1])
    if kind == kit.A_DISCARD:
        throw(s, p, a)
        end_turn(k, s, p)
    elif kind == kit.A_DRAW:
        add_card(s, p, draw_card(s))
        s.phase = PLAY
    elif kind == kit.A_TAKE:
        s.barred = take_top(s, p)
        s.phase = PLAY
    elif kind == kit.A_PASS:
        decline(k, s, p)
    elif kind == kit.A_KNOCK:
        throw(s, p, a)
        knock(k, s, p, np.int64(1) << a)
    elif kind == kit.A_GIN:
        throw(s, p, a)
        end_with_gin(k, s, p, np.int64(1) << a, k.gin_bonus)
    elif kind == kit.A_BIG_GIN:
        end_with_gin(k, s, p, np.int64(0), k.big_gin_bonus)
    else:
        melds.lay(k, s, p, kind, a, np.int64(k.act[action, 2]), np.int64(k.act[action, 3]))
        begin_lay_off(k, s, p)


@helper
def throw(s, p, card):
    """Discard a card; none is barred any more."""
    discard_card(s, p, card)
    s.barred = NOBODY


@helper
def decline(k, s, p):
    """Pass: refuse the upcard, or the last discard, or lay nothing more off."""
    if s.phase == LAYOFF:
        settle_knock(k, s, p)
    elif s.phase == DRAW:
        end_dead(k, s)
    else:
        s.refused += 1
        s.turn = left_of(p, k.num_players)
        if s.refused == 2:
            s.phase = DRAW
            if s.stock_size == 0:
                end_dead(k, s)


@helper
def end_turn(k, s, p):
    """A turn ends with a plain discard; with two cards in the stock or fewer so does the hand."""
    s.turns += 1
    s.turn = left_of(p, k.num_players)
    s.phase = DRAW
    if s.stock_size <= 2:
        if k.last_chance:
            s.wall = 1
        else:
            end_dead(k, s)
    elif s.turns >= k.max_turns:
        s.phase = TRUNCATED


@helper
def end_dead(k, s):
    """Nobody has knocked: nobody scores."""
    finish(k, s, np.int64(NOBODY), np.int64(0), np.int64(0))


@helper
def potential(k, s, seat):
    """How a seat stands in a hand: its deadwood (with a card too many, without the dearest card of
    it), over 100, which is what it would pay more in its reward if the other went out now.
    """
    hand = s.one[seat]
    points, sets = arrange(hand, np.int64(0))
    if s.phase == PLAY and s.turn == seat:
        loose = hand & ~sets
        loose &= ~run_cards(loose)
        most = np.int64(0)
        while loose:
            most = max(most, value(lowest(loose)))
            loose &= loose - 1
        points -= most
    return -points / 100


@kernel
def settle_position(states, i, kits):
    """Work out what follows from a position that was set up by hand: the limit, open ends, who
    holds the upcard, a hand already over.
    """
    s = states[i]
    k = kits[0]
    read_upcard(k, s)
    if s.upcard != NOBODY:
        for q in range(k.num_players):
            s.known_one[q] |= s.one[q] & np.int64(1) << np.int64(s.upcard)
    melds.find_open_ends(k, s)
    s.melded[:] = 0
    p = np.int64(s.turn)
    if s.phase == UPCARD:
        s.refused = 1 if p == s.dealer else 0
    elif s.phase == LAYOFF:
        s.knocker = left_of(p, k.num_players)
        s.known_one[s.knocker] = s.one[s.knocker]
        begin_lay_off(k, s, p)
    elif s.phase == DRAW and s.stock_size <= 2:
        s.wall = k.last_chance
