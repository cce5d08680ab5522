"""``cheating_oracle:N``: the player that searches in the true world (see `rummyzoo.agents.search`).

It looks at hidden cards: a bound to compare with, not a fair player.
"""

from typing import Any

from .search import SearchAgent
from .search import make as make_search


def make(game: str, rules: Any, argument: str = "") -> SearchAgent:
    """The cheat; with one world it has seen all there is to see, as its rollouts draw no lots."""
    return make_search(game, rules, argument or "1", cheats=True)
