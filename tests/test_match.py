"""The hands of a match: who deals, who wins, and where it is cut off."""

from itertools import pairwise

import pytest
from walks import THREE, TWO, position, walk

from rummyzoo.envs import IllegalAction, Table


def test_the_deal_moves_left_until_somebody_wins() -> None:
    table = Table(seed=3, num_players=3, target=200)
    dealers = [table.dealer]
    for now in walk(table, 3, hands=50):
        if now.turn is None:
            with pytest.raises(IllegalAction):
                now.play("draw stock")
            continue
        if now.dealer != dealers[-1]:
            assert now.turn == (now.dealer + 1) % 3, "left of the dealer begins"
            dealers.append(now.dealer)
    assert table.over == "match"
    assert [(b - a) % 3 for a, b in pairwise(dealers)] == [1] * (int(table.state.hands) - 1)
    assert table.winner == table.scores.index(max(table.scores))
    assert max(table.scores) >= 200
    with pytest.raises(IllegalAction, match="no next hand to deal: the match is over"):
        table.next_hand()


def test_the_first_dealer_is_drawn_by_lot() -> None:
    dealers = [Table(seed=seed, num_players=3).dealer for seed in range(120)]
    assert all(20 < dealers.count(seat) < 60 for seat in range(3))


def test_there_is_no_next_hand_while_one_is_played() -> None:
    with pytest.raises(IllegalAction, match="still being played"):
        Table(seed=1).next_hand()


@pytest.mark.parametrize(
    ("scores", "over", "winner"),
    [
        ((480, 470, 300), "match", 0),
        ((480, 515, 300), "match", 1),
        ((480, 490, 300), "match", 0),
        ((490, 507, 300), "match", 0),
        ((300, 470, 300), "hand", None),
        ((488, 515, 300), "hand", None),  # a tie: seats 0 and 1 have 510
        ((600, 605, 300), "match", 0),
    ],
)
def test_who_wins_a_match(scores: tuple[int, ...], over: str, winner: int | None) -> None:
    """Seat 0 goes out with a run of 4 5 6 7 = 22; the others lose what they hold: 5 and 10."""
    table = position("7H", "4H 5H 6H by 0", options=THREE, scores=scores, hands={1: "5D", 2: "KC"})
    table.play("lay 7H on 6H")
    expected = [scores[0] + 22, scores[1] - 5, scores[2] - 10]
    assert table.scores == expected
    assert (table.over, table.winner) == (over, winner)


def test_one_hand_without_a_target_may_be_tied() -> None:
    options = {**TWO, "target": None}
    table = position("7C", "7D 7H 7S by 1", options=options, hands={1: "4S TC"})
    table.play("lay 7C on 7")
    assert table.scores == [7, 7]
    assert (table.over, table.winner) == ("match", None)


def test_turns_run_out() -> None:
    table = Table(seed=5, max_turns=3, target=None)
    *_, now = walk(table, 5)
    assert now.over == "truncated"
    assert now.scores == [0, 0]
    assert now.state.turns == 3


def test_hands_run_out() -> None:
    table = Table(seed=5, max_hands=2)
    assert len([1 for now in walk(table, 5, hands=9) if now.turn is None]) == 2
    assert table.over == "truncated"
    assert table.winner is None
    assert table.scores != [0, 0]
