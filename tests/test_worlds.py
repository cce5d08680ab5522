"""The worlds that search looks into, and what the end of a hand is worth in them."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rummyzoo.agents import values
from rummyzoo.agents.heuristics import weights_of
from rummyzoo.agents.rollouts import Room, _draw_world, search_kernels
from rummyzoo.agents.values.worth import POINT, worth
from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.jit import bind
from rummyzoo.envs.setting import setting

SEED = np.uint64(11)


def position(game: str) -> Table:
    """A table some turns into a hand."""
    table = Table(game, 3, target=None)
    rng = np.random.default_rng(4)
    while table.turn is not None and table.state.turns < 6:
        table.play(str(rng.choice(table.legal())))
    assert table.turn is not None
    return table


def others_hand(state: Any, seat: int) -> int:
    return int(state.one[1 - seat])


@pytest.mark.parametrize("game", GAMES)
def test_worlds_are_drawn_from_deals_by_their_odds(game: str) -> None:
    table = position(game)
    where, seat = setting(game, table.rules), int(table.turn or 0)
    nets = values.networks(where)
    room = Room(where, nets)
    count = 40
    odds = np.zeros(count)
    kernels = search_kernels(game)
    net = (nets.odds, nets.planes, nets.numbers, nets.asked)
    space = (room.work, room.tables, room.rngs, room.x, room.notes)
    assert kernels.weigh_deals(
        table.states, 0, seat, SEED, 0, count, where.kits, *space, *net, odds
    )
    assert (odds > 0).all()
    assert odds.std() > 0

    draw: Any = bind(_draw_world, resample=where.game.resample)

    def worlds(deals: np.ndarray, number: int) -> list[tuple[int, bytes]]:
        found = []
        for w in range(number):
            assert draw(table.states, 0, seat, where.kits, room.work, SEED, w, room.tables, deals)
            world = room.tables[0]
            assert world.one[seat] == table.state.one[seat]
            assert world.pile.tobytes() == table.state.pile.tobytes()
            found.append((others_hand(world, seat), world.stock.tobytes()))
        return found

    # One deal alone has odds: all worlds have its hands, each a stock of its own.
    alone = worlds(np.cumsum(np.eye(count)[7]), 12)
    assert len({hand for hand, _ in alone}) == 1
    assert len({stock for _, stock in alone}) == 12
    # Two have: the one with three times the odds of the other is taken three times as often.
    both = worlds(np.cumsum(np.eye(count)[7] + 3 * np.eye(count)[20]), 400)
    often = np.mean([hand == alone[0][0] for hand, _ in both])
    assert often == pytest.approx(0.25, abs=0.01)
    # None has, where there is no network: all deals are different.
    assert len({hand for hand, _ in worlds(np.zeros(0), 30)}) > 15


def test_the_others_play_by_their_styles_in_turn() -> None:
    where = setting("gin", Table("gin", 1).rules)
    table = position("gin")
    while table.phase != "draw":
        table.play(table.legal()[0])
    actions = np.flatnonzero(table.mask())
    nets = values.networks(where)._replace(turns=1 << 30)
    room = Room(where, nets)

    def gains(*styles: str) -> np.ndarray:
        found = np.zeros((len(actions), 40))
        assert search_kernels("gin").try_actions(
            *(table.states, 0, int(table.turn or 0), actions, SEED, 0, 40, where.kits),
            *(weights_of("gin", styles), room.work, room.tables, room.rngs, room.x, room.notes),
            *(np.zeros(0), nets.value, nets.planes, nets.numbers, nets.turns, False, found),
        )
        return found

    calm = gains("greedy", "hold_for_gin")
    hasty = gains("greedy", "knock_early")
    assert (calm != hasty).mean() > 0.3
    both = gains("greedy", "hold_for_gin", "knock_early")
    assert np.array_equal(both[:, ::2], calm[:, ::2])
    assert np.array_equal(both[:, 1::2], hasty[:, 1::2])
    assert (gains("knock_early", "knock_early") != hasty).mean() > 0.2


def test_what_a_hand_is_worth() -> None:
    def of(seat: int, scores: list[int], target: int) -> float:
        k = SimpleNamespace(num_players=len(scores), target=target)
        return float(worth.py_func(k, SimpleNamespace(hand_scores=scores), seat))

    assert of(0, [50, -20], 500) == 0.7
    assert of(1, [50, -20], 500) == -0.7
    assert of(0, [50, -20, 80], 500) == pytest.approx(0.2)
    assert of(0, [50, -20], 0) == pytest.approx(1 + 70 * POINT)
    assert of(1, [50, -20], 0) == pytest.approx(-1 - 70 * POINT)
    assert of(0, [30, 30], 0) == 0
    assert of(0, [50, -20, 80], 0) == pytest.approx(20 * POINT)
    assert of(2, [50, -20, 80], 0) == pytest.approx(1 + 65 * POINT)


def test_a_game_without_networks_is_searched_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "find_spec", lambda name: None)
    where = setting("rummy", Table("rummy", 1).rules)
    assert values.module_for("rummy") is values.nothing
    found = values.networks(where)
    assert found is values.NOTHING
    assert not len(found.value)
    assert found.turns > 10_000
