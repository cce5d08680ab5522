"""What the past tells of other hands: whether their owners would have done what they did.

A world says what another player holds now, and so what it held in its last turn, in which it threw
a card that lies on the pile. The table is set back to that turn, and two heuristic players are
asked there. Who would have laid down three kings has not held them; who would have taken the queen
below has not held two queens. How much that says of players who are not quite like those two, the
odds learn.

Which card a player drew nobody else has seen, so one is drawn by lot from what it held then and
nobody knew: over many worlds that comes to the mean.
"""

from typing import Any

import numpy as np

from ...envs.bits import lowest, popcount
from ...envs.cards import JOKER, NOBODY
from ...envs.chance import mixed, plus
from ...envs.jit import bind, helper
from ...envs.kit import A_DISCARD, A_DRAW
from ...envs.state import DRAW, PLAY, add_card, drop_card
from .planes import CARDS

ASKED = 2
"""How many heuristic players are asked."""
BACK = 4
"""How many of the others are looked back to, at most: to the last turn of each. Their turns before
tell little more."""
RECALLED = BACK * 2 * ASKED
"""Numbers in all: the first behind the planes of cards."""

legal: Any = None  # names that `bind` fills in
choose: Any = None
forget_turn: Any = None


def recaller(legal: Any, choose: Any, forget_turn: Any) -> Any:
    """The kernel `_recall` for a game.

    Args:
        legal, choose: those of the game and of its heuristic players.
        forget_turn: the helper ``forget_turn(s)``, after which no player is obliged to anything or
            kept from it by what happened in this turn.
    """
    return bind(_recall, legal=legal, choose=choose, forget_turn=forget_turn)


def _recall(states, i, seat, past, kits, work, asked, rngs, x, row):
    """Write into ``x[row]`` how well the last turns of the others fit with the hands that they have
    at table `i`, backwards: for each heuristic player that is asked whether it would have thrown
    that card, and whether it would have drawn from the stock; 1 for yes, -1 for no, and 0 where
    there was no such turn.

    One card is thrown in a turn: who threw it is true down to where somebody took from the pile.

    Args:
        past: one state, scratch: the table as it was.
        asked: float64 (ASKED, weights): the heuristic players.
        rngs: for them, who draw no lots.
    """
    now = states[i]
    if now.phase != DRAW and now.phase != PLAY:
        return
    n = kits[0].num_players
    playing = now.phase == PLAY
    took = playing and now.barred != NOBODY
    past[0] = now
    s = past[0]
    forget_turn(s)
    s.hand_size[seat] -= playing and now.turn == seat
    stock = np.int64(now.stock_size) + (playing and not took)
    size = np.int64(now.pile_size)
    at = np.int64(CARDS)
    last = at + min(BACK, n - 1) * 2 * ASKED
    p = np.int64(now.turn)
    for back in range(min(np.int64(now.turns), size - 1 + took)):
        spot = size - 1 + took - back
        p = (p + n - 1) % n
        if p == seat:
            continue
        if at == last:
            break
        card = np.int64(s.pile[spot]) if spot < size else np.int64(now.barred)
        s.turn = p
        s.turns = np.int64(now.turns) - back - 1
        s.pile_size = spot
        s.stock_size = stock + back
        s.phase = PLAY
        add_card(s, p, card)
        legal(past, 0, kits, work)
        for which in range(ASKED):
            a = kits[0].act[choose(past, 0, kits, work, asked[which], rngs, 0)]
            x[row, at + 2 * which] = 1.0 if a[0] == A_DISCARD and a[1] == card else -1.0
        drop_card(s, p, drawn(s, p))
        s.stock_size = stock + back + 1
        s.phase = DRAW
        legal(past, 0, kits, work)
        for which in range(ASKED):
            a = kits[0].act[choose(past, 0, kits, work, asked[which], rngs, 0)]
            x[row, at + 2 * which + 1] = 1.0 if a[0] == A_DRAW else -1.0
        at += 2 * ASKED


@helper
def drawn(s, p):
    """A card that a player may have drawn this turn: one that others do not know it to have."""
    hidden = s.one[p] & ~s.known_one[p]
    jokers = np.int64(s.jokers[p]) - np.int64(s.known_jokers[p])
    cards = popcount(hidden)
    lot = mixed(plus(np.uint64(s.one[p]), np.uint64(s.turns)))
    if cards + jokers == 0:
        return lowest(s.one[p]) if s.one[p] else np.int64(JOKER)
    for _ in range(np.int64(lot % np.uint64(cards + jokers))):
        hidden &= hidden - 1
    return lowest(hidden) if hidden else np.int64(JOKER)
