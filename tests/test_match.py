"""The hands of a match: who deals, who wins, and where it is cut off."""

from typing import Any

import pytest
from about import about
from walks import position, walk

from rummyzoo.envs import IllegalAction, Table
from rummyzoo.envs.games import GAMES, load_game

games = pytest.mark.parametrize("game", GAMES)
FOR_THREE = [game for game in GAMES if load_game(game).MAX_PLAYERS > 2]


@games
def test_hands_are_dealt_until_somebody_wins(game: str) -> None:
    for seed in range(3):
        *_, first = walk(Table(game, seed, target=10_000, **about(game).SHORT), seed)
        target = max(first.scores) + 1  # just not won by the first hand
        table = Table(game, seed, target=target, **about(game).SHORT)
        hands = 0
        for now in walk(table, seed, hands=100):
            if now.turn is None:
                hands += 1
                with pytest.raises(IllegalAction):
                    now.play("draw stock")
        assert table.over == "match"
        assert hands == table.state.hands > 1
        assert table.winner == table.scores.index(max(table.scores))
        assert max(table.scores) >= target
    with pytest.raises(IllegalAction, match="no next hand to deal: the match is over"):
        table.next_hand()


@games
def test_the_first_dealer_is_drawn_by_lot(game: str) -> None:
    players = min(3, load_game(game).MAX_PLAYERS)
    dealers = [Table(game, seed, num_players=players).dealer for seed in range(60 * players)]
    assert all(40 < dealers.count(seat) < 80 for seat in range(players))


@games
def test_there_is_no_next_hand_while_one_is_played(game: str) -> None:
    with pytest.raises(IllegalAction, match="still being played"):
        Table(game, 1).next_hand()


@pytest.mark.parametrize(
    ("scores", "over", "winner"),
    [
        ((502, 465, 290), "match", 0),
        ((502, 510, 290), "match", 1),
        ((502, 485, 290), "match", 0),
        ((512, 502, 290), "match", 0),
        ((322, 465, 290), "hand", None),
        ((510, 510, 290), "hand", None),
        ((622, 600, 290), "match", 0),
    ],
)
@pytest.mark.parametrize("game", FOR_THREE)
def test_who_wins_a_match(game: str, scores: tuple[int, ...], over: str, winner: Any) -> None:
    """Seat 0 goes out, the others hold 5 and 10; these are the scores after that."""

    def play(before: list[int]) -> Table:
        table = position(
            game,
            "7H",
            "4H 5H 6H by 0",
            options={"num_players": 3, "target": 500},
            hands={1: "5D", 2: "KC"},
        )
        table.state.scores[:3] = before  # some of which no match comes to
        table.play("lay 7H on 6H")
        return table

    hand = play([0, 0, 0]).hand_scores
    assert hand[0] > 0 > hand[1] > hand[2]
    table = play([score - change for score, change in zip(scores, hand, strict=True)])
    assert table.scores == [*scores]
    assert (table.over, table.winner) == (over, winner)


@games
def test_one_hand_without_a_target_may_be_tied(game: str) -> None:
    where, action = about(game).TIE
    table = Table.from_position(game, **where)
    table.play(action)
    assert table.scores[0] == table.scores[1]
    assert (table.over, table.winner) == ("match", None)


@games
def test_turns_run_out(game: str) -> None:
    table = Table(game, 5, max_turns=3, target=None)
    *_, now = walk(table, 5)
    assert now.over == "truncated"
    assert now.scores == [0, 0]
    assert now.state.turns == 3


@games
def test_hands_run_out(game: str) -> None:
    table = Table(game, 5, max_hands=2, target=10_000, **about(game).SHORT)
    assert len([1 for now in walk(table, 5, hands=9) if now.turn is None]) == 2
    assert table.over == "truncated"
    assert table.winner is None
    assert table.scores != [0, 0]
