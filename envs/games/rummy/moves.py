"""The moves: the deal, what each action does, the end of a turn and of a hand."""

import numpy as np

from ... import kit, melds
from ...cards import NOBODY
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
    take_top,
)


@kernel
def new_match(states, i, kits, word):
    """Begin a match at table `i`: generator word, a dealer by lot, the first hand."""
    s = states[i]
    k = kits[0]
    begin_match(k, s, word)
    s.hand_winner = NOBODY
    deal_hand(k, s)


@kernel
def next_hand(states, i, kits):
    """Deal the next hand of a match; the deal moves left, or to the winner."""
    s = states[i]
    k = kits[0]
    if not k.winner_deals:
        s.dealer = left_of(np.int64(s.dealer), k.num_players)
    elif s.hand_winner != NOBODY:
        s.dealer = s.hand_winner
    deal_hand(k, s)


@helper
def deal_hand(k, s):
    """Deal, and the player on the dealer's left begins."""
    clear_hand(s)
    deal_cards(k, s)
    begin_turn(k, s, left_of(np.int64(s.dealer), k.num_players))


@kernel
def clear_hand(s):
    """Empty the table: no cards, no melds, nothing turned over."""
    clear_table(s)
    s.turned[:] = 0
    s.recycles = 0
    forget_turn(s)


@helper
def forget_turn(s):
    """Forget what holds for one turn only."""
    s.barred = NOBODY
    s.new_melds = 0
    s.shown = 0
    s.mixed = 0


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
    c = np.int64(k.act[action, 3])
    if kind == kit.A_DISCARD:
        discard_card(s, p, a)
        if s.hand_size[p] == 0:
            end_hand(k, s, p)
        else:
            end_turn(k, s, p)
    elif kind == kit.A_DRAW:
        draw(s, p)
    elif kind == kit.A_TAKE:
        s.barred = take_top(s, p)
        s.phase = PLAY
    elif kind == kit.A_TURN:
        turn_over(s)
        draw(s, p)
    elif kind == kit.A_PASS:
        block_hand(k, s)
    else:
        play(k, s, p, kind, a, b, c)


@helper
def draw(s, p):
    """Draw the top of the stock; from a stock that was turned over, for all to know."""
    card = draw_card(s)
    if s.open_stock:
        s.open_stock &= ~(np.int64(1) << card)
        s.turned[s.stock_size] = 0
        add_known(s, p, card)
    else:
        add_card(s, p, card)
    s.phase = PLAY


@helper
def turn_over(s):
    """Turn the pile over, unshuffled: what was discarded first comes first."""
    size = np.int64(s.pile_size)
    for n in range(size):
        card = np.int64(s.pile[n])
        s.pile[n] = 0
        s.stock[size - 1 - n] = card
        s.turned[size - 1 - n] = card
        s.open_stock |= np.int64(1) << card
    s.pile_size = 0
    s.stock_size = size
    s.recycles += 1


@helper
def play(k, s, p, kind, a, b, c):
    """Lay a meld or a single card on the table; with no card left, the hand is won."""
    if kind == kit.A_SET or kind == kit.A_RUN:
        s.new_melds += 1
    elif melds.others_in(s, melds.meld_for(k, s, kind, a, b, c), p):
        s.mixed = 1
    melds.lay(k, s, p, kind, a, b, c)
    if s.hand_size[p] == 0:
        end_hand(k, s, p)


@helper
def end_turn(k, s, p):
    """A turn is over and the hand goes on, unless its turns are used up."""
    s.turns += 1
    forget_turn(s)
    if s.turns >= k.max_turns:
        s.phase = TRUNCATED
        return
    begin_turn(k, s, left_of(p, k.num_players))


@helper
def begin_turn(k, s, p):
    """A player's turn to draw; with neither stock nor pile the hand is blocked."""
    s.turn = p
    s.phase = DRAW
    s.shown = 1 if s.laid_one[p] else 0
    if s.stock_size == 0 and s.pile_size == 0:
        block_hand(k, s)


@helper
def end_hand(k, s, winner):
    """Somebody is out: the others pay the points that they hold, more if the winner went rummy."""
    rummy = not s.shown and not (k.needs_pure and s.mixed)
    times = k.multiplier if rummy else np.int64(1)
    total = np.int64(0)
    for q in range(k.num_players):
        paid = times * held_points(k, s, q)
        s.hand_scores[q] = -paid
        total += paid
    s.hand_scores[winner] = total
    finish(k, s, winner)


@helper
def block_hand(k, s):
    """Nobody gets out: the others pay the difference to whoever alone holds the fewest points."""
    n = k.num_players
    best = np.int64(0)
    alone = True
    for q in range(1, n):
        if held_points(k, s, q) < held_points(k, s, best):
            best = q
            alone = True
        elif held_points(k, s, q) == held_points(k, s, best):
            alone = False
    total = np.int64(0)
    for q in range(n):
        paid = held_points(k, s, q) - held_points(k, s, best) if alone else np.int64(0)
        s.hand_scores[q] = -paid
        total += paid
    if alone:
        s.hand_scores[best] = total
    finish(k, s, best if alone else np.int64(NOBODY))


@helper
def finish(k, s, winner):
    """The hand is over, and perhaps the match."""
    s.hand_winner = winner
    forget_turn(s)
    count_hand(k, s)


@helper
def potential(k, s, seat):
    """How a seat stands in a hand: what the points that it holds would cost it, over 100, in its
    reward, if somebody else went out.
    """
    n = k.num_players
    return -held_points(k, s, seat) * n / (n - 1) / 100


@kernel
def settle_position(states, i, kits):
    """Work out what follows from a position that was set up by hand."""
    s = states[i]
    k = kits[0]
    melds.find_open_ends(k, s)
    s.melded[:] = 0
    p = np.int64(s.turn)
    if s.phase == DRAW:
        begin_turn(k, s, p)
    else:
        s.shown = 1 if s.laid_one[p] else 0
