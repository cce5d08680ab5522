"""Which outputs of a network score which action, where all suits share their weights."""

from typing import Any

from ..envs import kit
from ..envs.cards import JOKER


def score_table(k: Any) -> tuple[list[list[int]], int, int]:
    """For each action the places of the outputs that make its score; how many outputs a suit has;
    how many there are without a suit.

    Actions that differ by their suits only have the same outputs, of other suits.
    """
    rows = [_suits_and_kind(*map(int, k.act[n])) for n in range(int(k.num_actions))]
    of_suit: dict[Any, int] = {}
    of_none: dict[Any, int] = {}
    for suits, kind in rows:
        if suits:
            of_suit.setdefault(kind, len(of_suit))
        if len(suits) != 1:
            of_none.setdefault(kind, len(of_none))
    nothing = 4 * len(of_suit) + len(of_none)
    table = []
    for suits, kind in rows:
        row = [suit * len(of_suit) + of_suit[kind] for suit in suits]
        row += [4 * len(of_suit) + of_none[kind]] if len(suits) != 1 else []
        table.append(row + [nothing] * (4 - len(row)))
    return table, len(of_suit), len(of_none)


def _suits_and_kind(kind: int, a: int, b: int, c: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The suits of an action's cards, and what it is apart from them (see `rummyzoo.envs.kit`)."""
    if kind == kit.A_SET:
        suits = tuple(suit for suit in range(4) if b >> suit & 1)
        return suits, (kind, a, len(suits), c)
    if kind == kit.A_RUN:
        return (a,), (kind, b, c)
    if kind in (kit.A_LAY_LOW, kit.A_LAY_HIGH):
        return (b,), (kind, c, int(a == JOKER))
    one_card = (kit.A_TAKE, kit.A_CALL, kit.A_LAY_SET, kit.A_DISCARD, kit.A_KNOCK, kit.A_GIN)
    if kind in one_card and a != JOKER:
        suit, rank = divmod(a, 13)
        return (suit,), (kind, rank, b if kind != kit.A_LAY_SET else 0)
    return (), (kind, a, b, c)
