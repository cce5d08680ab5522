"""The moves: the deal, what each action does, the end of a turn, of a hand and of a match."""

import numpy as np

from ... import kit, melds, plays
from ...cards import JOKER, NOBODY
from ...deal import deal_cards
from ...jit import helper, kernel
from ...match import begin_match, count_hand
from ...state import (
    DRAW,
    PLAY,
    TRUNCATED,
    add_card,
    add_known,
    clear_table,
    discard_card,
    draw_card,
    held_points,
    left_of,
)
from .obligation import oblige, release, settle
from .state import CALL


@kernel
def new_match(states, i, kits, word):
    """Begin a match at table `i`: generator word, a dealer by lot, the first hand."""
    s = states[i]
    k = kits[0]
    begin_match(k, s, word)
    deal_hand(k, s)


@kernel
def next_hand(states, i, kits):
    """Deal the next hand of a match; the deal moves left."""
    s = states[i]
    k = kits[0]
    s.dealer = left_of(np.int64(s.dealer), k.num_players)
    deal_hand(k, s)


@helper
def deal_hand(k, s):
    """Deal, and the player on the dealer's left begins."""
    clear_hand(s)
    deal_cards(k, s)
    begin_turn(k, s, left_of(np.int64(s.dealer), k.num_players))


@kernel
def clear_hand(s):
    """Empty the table: no cards, no melds, nothing obliged."""
    clear_table(s)
    s.idle = 0
    s.chances[:] = 0
    forget_turn(s)


@helper
def forget_turn(s):
    """Forget what holds for one turn only."""
    release(s)
    s.barred = NOBODY
    s.from_pile = 0
    s.played = 0
    s.discarder = NOBODY
    s.callable[:] = 0


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
    b = np.int64(k.act[action, 2])
    if kind == kit.A_DISCARD:
        discard_card(s, p, a)
        if s.hand_size[p] == 0:
            end_hand(k, s)
        else:
            end_turn(k, s, p)
    elif kind == kit.A_DRAW:
        add_card(s, p, draw_card(s))
        s.phase = PLAY
    elif kind == kit.A_TAKE or kind == kit.A_CALL:
        take(k, s, p, a, b)
    elif kind == kit.A_PASS:
        decline(k, s, p)
    else:
        play(k, s, p, kind, a, b, np.int64(k.act[action, 3]))


@helper
def decline(k, s, p):
    """Pass: leave the call to the next player, or with an empty stock leave the pile, which ends
    the hand.
    """
    if s.phase == DRAW:
        end_hand(k, s)
        return
    following = left_of(p, k.num_players)
    if following == s.discarder:
        begin_turn(k, s, left_of(following, k.num_players))
    else:
        s.turn = following


@helper
def take(k, s, p, card, copy):
    """Take a copy of a card (0 is nearest the top) and all above it from the pile."""
    at = np.int64(s.pile_size)
    while copy >= 0:
        at -= 1
        if s.pile[at] == card:
            copy -= 1
    oblige(k, s, at)
    for n in range(at, np.int64(s.pile_size)):
        add_known(s, p, np.int64(s.pile[n]))
        s.pile[n] = 0
    s.pile_size = at
    for w in range(2):
        kept = min(max(at - 54 * w, 0), 54)
        s.chances[w] &= (np.int64(1) << kept) - 1
    s.callable[:] = 0
    s.discarder = NOBODY
    s.from_pile = 1
    s.phase = PLAY


@helper
def play(k, s, p, kind, a, b, c):
    """Lay a meld or a single card on the table."""
    melds.lay(k, s, p, kind, a, b, c)
    settle(k, s, kind, a, b, c)
    s.played = 1
    s.melded[p] += melds.play_points(k, kind, a, b, c)
    if s.hand_size[p] == 0:
        if k.floating:
            end_turn(k, s, p)
        else:
            end_hand(k, s)


@helper
def end_turn(k, s, p):
    """A turn is over and the hand may go on: see whether it ends all the same, and who is next."""
    n = k.num_players
    idle = s.from_pile and not s.played and s.stock_size == 0
    s.idle = np.int64(s.idle) + 1 if idle else 0
    s.turns += 1
    forget_turn(s)
    if s.stock_size == 0 and (k.immediate or s.idle >= n):
        end_hand(k, s)
        return
    if s.turns >= k.max_turns:
        s.phase = TRUNCATED
        return
    following = left_of(p, n)
    # Who has no card left floats, and has not discarded.
    if k.calling and s.hand_size[p] > 0:
        find_calls(k, s)
        if s.callable[0] or s.callable[1]:
            s.discarder = p
            s.turn = following
            s.phase = CALL
            return
    begin_turn(k, s, following)


@helper
def find_calls(k, s):
    """Which pile cards could be played with nothing but the cards above them and the table."""
    above = np.int64(0)
    jokers = np.int64(0)
    low = np.int64(0)
    high = np.int64(0)
    for at in range(np.int64(s.pile_size) - 1, -1, -1):
        card = np.int64(s.pile[at])
        if plays.playable(k, s, card, above, jokers):
            if at < 54:
                low |= np.int64(1) << at
            else:
                high |= np.int64(1) << (at - 54)
        if card == JOKER:
            jokers += 1
        else:
            above |= np.int64(1) << card
    s.callable[0] = low
    s.callable[1] = high
    if not k.persistent:
        s.callable[0] &= ~s.chances[0]
        s.callable[1] &= ~s.chances[1]
    s.chances[0] = low
    s.chances[1] = high


@helper
def begin_turn(k, s, p):
    """A player's turn to draw; with neither stock nor pile the hand is over."""
    s.turn = p
    s.phase = DRAW
    s.discarder = NOBODY
    s.callable[:] = 0
    if s.stock_size == 0 and s.pile_size == 0:
        end_hand(k, s)


@helper
def end_hand(k, s):
    """Score the hand: cards played less cards held."""
    for p in range(k.num_players):
        s.hand_scores[p] = np.int64(s.melded[p]) - held_points(k, s, p)
    forget_turn(s)
    count_hand(k, s)


@helper
def potential(k, s, seat):
    """How a seat stands in a hand: played less held less the mean the others played, over 100."""
    others = np.int64(0)
    for q in range(k.num_players):
        if q != seat:
            others += np.int64(s.melded[q])
    stands = np.int64(s.melded[seat]) - held_points(k, s, seat)
    return (stands - others / (k.num_players - 1)) / 100


@kernel
def settle_position(states, i, kits):
    """Work out what follows from a position that was set up by hand: open ends, calls, a hand
    already over.
    """
    s = states[i]
    k = kits[0]
    melds.find_open_ends(k, s)
    find_calls(k, s)
    for w in range(2):
        s.callable[w] = s.chances[w] if s.phase == CALL else 0
    if s.phase == DRAW:
        begin_turn(k, s, np.int64(s.turn))
