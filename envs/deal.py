"""The one user of randomness: a generator word in each state, and what it shuffles and deals.

The generator lives in the state, so a copy of a table goes on exactly as the table would; to make a
copy draw *other* cards, give it another word and shuffle its stock (`reseed`).
"""

import numpy as np

from .cards import JOKER
from .chance import share, word_after
from .jit import helper, kernel
from .state import add_card, left_of


@helper
def below(s, n):
    """The next random number of a state, from 0 to ``n - 1``."""
    x = word_after(s.rng)
    s.rng = x
    return share(x, n)


@helper
def shuffle(s, cards, count):
    """Shuffle the first `count` entries of an array by the state's generator."""
    for k in range(count - 1, 0, -1):
        j = below(s, k + 1)
        kept = cards[k]
        cards[k] = cards[j]
        cards[j] = kept


@helper
def deal_cards(k, s):
    """Shuffle the pack, deal to everybody from the dealer's left, and turn up the first discard, at
    a table that was cleared.
    """
    size = np.int64(0)
    for card in range(53):
        count = k.num_decks
        if card == JOKER:
            count = k.jokers
        elif not (k.pack >> card) & 1:
            count = 0
        for _ in range(count):
            s.stock[size] = card
            size += 1
    shuffle(s, s.stock, size)
    for _ in range(k.hand_size):
        p = np.int64(s.dealer)
        for _ in range(k.num_players):
            p = left_of(p, k.num_players)
            size -= 1
            add_card(s, p, np.int64(s.stock[size]))
            s.stock[size] = 0
    size -= 1
    s.pile[0] = s.stock[size]
    s.stock[size] = 0
    s.pile_size = 1
    s.stock_size = size


@kernel
def reseed(states, i, word):
    """Give table `i` another generator word and shuffle its stock with it, so that it draws other
    cards; a stock that all have seen stays as it is.
    """
    s = states[i]
    s.rng = word
    if s.open_stock == 0:
        shuffle(s, s.stock, s.stock_size)
