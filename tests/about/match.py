"""The scores of a match as a person with a pencil would keep them."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from rummyzoo.envs import Table


class Move(NamedTuple):
    """The table before an action, and the action."""

    before: Table
    action: str

    @property
    def seat(self) -> int:
        assert self.before.turn is not None
        return self.before.turn


class Match(ABC):
    """The scores of a match, hand by hand.

    A game says what a hand is worth (`hand`), and if need be what comes at the end (`bonuses`).
    """

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.hands = 0
        self.scores = [0] * rules.num_players
        self.over = "no"
        self.winner: int | None = None

    @abstractmethod
    def hand(self, moves: list[Move], end: Table) -> list[int]:
        """The scores of a hand, from all its moves and the table at its end."""

    def next_dealer(self, dealer: int) -> int:
        """Who deals after the hand that was counted last."""
        return (dealer + 1) % len(self.scores)

    def won_by(self) -> int | None:
        """Who has won, if the match ended now: who alone has most."""
        best = max(self.scores)
        return self.scores.index(best) if self.scores.count(best) == 1 else None

    def bonuses(self) -> list[int]:
        """What is added when the match is won."""
        return [0] * self.rules.num_players

    def count(self, moves: list[Move], end: Table) -> list[int]:
        """Count a hand that has ended; returns what it was worth."""
        scores = self.hand(moves, end)
        self.hands += 1
        self.scores = [a + b for a, b in zip(self.scores, scores, strict=True)]
        target, winner = self.rules.target, self.won_by()
        if target is None:
            self.over, self.winner = "match", winner
        elif winner is not None and self.scores[winner] >= target:
            self.over, self.winner = "match", winner
            self.scores = [a + b for a, b in zip(self.scores, self.bonuses(), strict=True)]
        else:
            self.over = "truncated" if self.hands >= self.rules.max_hands else "hand"
        return scores
