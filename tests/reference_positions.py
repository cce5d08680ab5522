"""Positions of the naive reference engine of Rummy 500, for tests."""

from __future__ import annotations

import random
from typing import Any

from reference.rummy500 import Reference

THREE = {"num_players": 3, "jokers_per_deck": 0}


def cards(text: str) -> list[str]:
    return text.split()


def position(
    hands: list[str],
    table: list[tuple[str, int]] | None = None,
    pile: str = "",
    stock: str = "2C 3C 4D",
    options: dict[str, Any] | None = None,
    **kwargs: Any,
) -> Reference:
    game = Reference(**(THREE if options is None else options))
    melds = [(cards(meld), owner) for meld, owner in table or []]
    game.load([cards(h) for h in hands], melds, cards(pile), cards(stock), **kwargs)
    return game


def play(game: Reference, *actions: str) -> Reference:
    for action in actions:
        game.play(action)
    return game


def deal(game: Reference, rng: random.Random) -> tuple[list[list[str]], list[str], list[str]]:
    pack = game.full_pack()
    rng.shuffle(pack)
    size = game.rules["hand_size"]
    hands = [[pack.pop() for _ in range(size)] for _ in range(game.num_players)]
    pile = [pack.pop()]
    return hands, pack, pile
