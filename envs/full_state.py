"""The whole table as a vector, hidden cards too: for training that may see everything."""

from collections.abc import Iterable
from types import ModuleType

import numpy as np

from .cards import JOKER
from .observe import Piece, bounds


def whole_table(game: ModuleType, states: np.ndarray, i: int, kits: np.ndarray) -> np.ndarray:
    """All of table `i`: no player may see this.

    int8, one after another: the cards by face in each hand, (players, 53); the faces of the stock
    from its top, (cards in the pack,), -1 after its end; the observation of seat 0, which holds all
    that is public.
    """
    s, k = states[i], kits[0]
    n, size = int(k.num_players), int(s.stock_size)
    hands = np.zeros((n, 53), np.int8)
    for words in (s.one, s.two):
        hands[:, :52] += (words[:n, None] >> np.arange(52) & 1).astype(np.int8)
    hands[:, JOKER] = s.jokers[:n]
    stock = np.full(int(k.pack_size), -1, np.int8)
    stock[:size] = s.stock[:size][::-1]
    observation = np.empty(int(k.observation_size), np.int8)
    game.observe(states, i, 0, kits, observation)
    return np.concatenate([hands.ravel(), stock, observation])


def whole_bounds(kits: np.ndarray, pieces: Iterable[Piece]) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and the highest value of every entry of `whole_table`, int8."""
    k = kits[0]
    hands = np.full((int(k.num_players), 53), k.num_decks, np.int8)
    hands[:, JOKER] = k.jokers
    stock = np.ones(int(k.pack_size), np.int8)
    low, high = bounds(pieces)
    return (
        np.concatenate([np.zeros_like(hands.ravel()), -stock, low]),
        np.concatenate([hands.ravel(), JOKER * stock, high]),
    )
