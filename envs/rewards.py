"""What the seats are paid; both kinds sum to zero."""

from collections.abc import Sequence

from .cards import NOBODY

REWARDS = ("points", "win")


def points(hand_scores: Sequence[int]) -> list[float]:
    """After a hand: each seat's score less the mean of the others', over 100.

    >>> points([60, 0, 30])
    [0.45, -0.45, 0.0]
    """
    others, total = len(hand_scores) - 1, sum(hand_scores)
    return [(score - (total - score) / others) / 100 for score in hand_scores]


def outcomes(scores: Sequence[int], winner: int) -> list[float]:
    """After a match: 1 for the winner and -1/(n-1) for each of the others.

    Without a winner (`NOBODY`) the seats with the most points share: each gets the average over who
    of them might have won.

    >>> outcomes([10, 70, 70], NOBODY)
    [-0.5, 0.25, 0.25]
    """
    seats = range(len(scores))
    best = [winner]
    if winner == NOBODY:
        best = [p for p in seats if scores[p] == max(scores)]
    lost = -1 / (len(scores) - 1)
    shared = (1 + lost * (len(best) - 1)) / len(best)
    return [shared if p in best else lost for p in seats]
