"""Which networks there are for some rules, and how much to make of them."""

from typing import Any, NamedTuple


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


def names_by_players(rules: Any) -> tuple[str, str]:
    """The names of the value and the odds where tables of two and larger ones have their own."""
    which = "two" if rules.num_players == 2 else "more"
    return f"{which}_{'match' if rules.target else 'hand'}_value", f"{which}_odds"
