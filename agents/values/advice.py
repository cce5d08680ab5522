"""Which networks there are for some rules, and how much to make of them."""

from typing import NamedTuple


class Advice(NamedTuple):
    """What a game says about its networks.

    Attributes:
        value, odds: their names in the file.
        turns: after how many turns of a rollout the value is asked.
        deals: how many deals are weighed by the odds for each game that is played out of an action.
    """

    value: str
    odds: str
    turns: int
    deals: int
