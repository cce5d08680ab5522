"""The end of a hand: the hands are shown, cards are laid off, and the points are counted."""

import numpy as np

from ... import kit, melds
from ...bits import LANE, lowest, popcount
from ...cards import NOBODY
from ...jit import helper
from ...match import count_hand
from ...state import MATCH_OVER, held_points, left_of
from .arrange import arrange, lay_off, ranks_of, run_cards
from .legal import can_lay_off
from .state import LAYOFF


@helper
def show(s, p, sets):
    """Lay a hand on the table, arranged with these cards in sets; all see what is left of it."""
    runs = run_cards(s.one[p] & ~sets)
    ranks = ranks_of(sets)
    while ranks:
        rank = lowest(ranks)
        ranks &= ranks - 1
        suits = np.int64(0)
        for suit in range(4):
            suits |= ((sets >> (13 * suit + rank)) & 1) << suit
        put_meld(s, p, rank, suits)
    for suit in range(4):
        left = (runs >> (13 * suit)) & LANE
        while left:
            run = left & ~(left + (left & -left))
            left ^= run
            put_meld(s, p, melds.RUN_KEY + suit, run)
    laid = sets | runs
    s.one[p] &= ~laid
    s.known_one[p] = s.one[p]
    s.hand_size[p] -= popcount(laid)
    s.laid_one[p] |= laid
    s.in_runs |= runs


@helper
def put_meld(s, p, key, cards):
    """Put a meld on the table."""
    m = np.int64(s.num_melds)
    s.num_melds = m + 1
    s.meld_key[m] = key
    s.meld_cards[m] = cards
    s.meld_owner[m] = melds.owners(cards, p)


@helper
def show_last(k, s, p, thrown):
    """Show the hand of the player who ends the hand, so that it takes the fewest lay-offs; `thrown`
    is the word of the last discard.
    """
    _, sets = arrange(s.one[p], k.pack & ~(s.one[p] | thrown))
    show(s, p, sets)
    melds.find_open_ends(k, s)


@helper
def show_other(k, s, p):
    """Show the other hand, or what it has not laid off."""
    _, sets = arrange(s.one[p], np.int64(0))
    show(s, p, sets)
    melds.find_open_ends(k, s)


@helper
def end_with_gin(k, s, p, thrown, bonus):
    """Gin or big gin: nothing is laid off."""
    show_last(k, s, p, thrown)
    other = left_of(p, k.num_players)
    show_other(k, s, other)
    finish(k, s, p, bonus + held_points(k, s, other), k.gin_boxes)


@helper
def knock(k, s, p, thrown):
    """A player knocks, and the other lays off: the best way, or as the other chooses."""
    show_last(k, s, p, thrown)
    defender = left_of(p, k.num_players)
    s.knocker = p
    s.turn = defender
    if k.by_choice:
        begin_lay_off(k, s, defender)
    else:
        lay_off_best(k, s, defender)
        settle_knock(k, s, defender)


@helper
def begin_lay_off(k, s, defender):
    """The defender is asked for the next card to lay off, if any fits."""
    if can_lay_off(k, s, defender):
        s.phase = LAYOFF
    else:
        settle_knock(k, s, defender)


@helper
def lay_off_best(k, s, p):
    """Lay off what is best; a card that fits a run and a set goes on the run."""
    runs = s.in_runs
    _, laid, _ = lay_off(s.one[p], s.laid_one[left_of(p, k.num_players)] & ~runs, runs)
    while laid:
        high = laid & melds.high_faces(k, s.open_high)
        low = laid & s.open_low
        if high:
            card = lowest(high)
            melds.lay(k, s, p, kit.A_LAY_HIGH, card, card // 13, card % 13)
        elif low:
            card = lowest(low)
            melds.lay(k, s, p, kit.A_LAY_LOW, card, card // 13, card % 13)
        else:
            card = lowest(laid)
            melds.lay(k, s, p, kit.A_LAY_SET, card, card % 13, np.int64(0))
        laid &= ~(np.int64(1) << card)


@helper
def settle_knock(k, s, defender):
    """Nothing more is laid off: the defender melds the rest, and the deadwood is compared."""
    show_other(k, s, defender)
    knocker = left_of(defender, k.num_players)
    more = held_points(k, s, defender) - held_points(k, s, knocker)
    if more < 0 or (more == 0 and k.undercut_on_tie):
        finish(k, s, defender, k.undercut_bonus - more, k.undercut_boxes)
    else:
        finish(k, s, knocker, more, np.int64(0))


@helper
def finish(k, s, winner, score, more_boxes):
    """The hand is over, and perhaps the match; without a winner it is dead."""
    s.hand_winner = winner
    s.barred = NOBODY
    s.hand_scores[:] = 0
    if winner != NOBODY:
        s.hand_scores[winner] = 2 * score if s.doubled else score
        if k.target:
            s.boxes[winner] += 1 + more_boxes
    count_hand(k, s)
    if k.target == 0:
        s.winner = winner
    elif s.phase == MATCH_OVER:
        add_bonuses(k, s, np.int64(s.winner))


@helper
def add_bonuses(k, s, winner):
    """What is added after a match: for the game, the shutout, and the boxes."""
    if s.scores[left_of(winner, k.num_players)] == 0:
        if k.shutout_doubles:
            s.scores[winner] *= 2
        s.scores[winner] += k.shutout_bonus
    s.scores[winner] += k.game_bonus
    for p in range(k.num_players):
        s.scores[p] += k.box_bonus * s.boxes[p]
