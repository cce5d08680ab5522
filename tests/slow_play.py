"""A learner's episodes played slowly and plainly, through `Table`: what environments must do."""

import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from about import about

from rummyzoo.agents import Agent, View, load
from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.setting import setting

GAMES_AND_RULES = [(game, rules) for game in GAMES for rules in about(game).RULES]
GAMES_AND_PLAYERS = [(game, players) for game in GAMES for players in about(game).PLAYERS]


def any_of(legal: np.ndarray, observation: np.ndarray) -> int:
    """One of the legal actions: which one looks like chance, but depends on what is seen only."""
    return int(legal[zlib.crc32(observation.tobytes()) % len(legal)])


def wayward(view: View, rng: np.random.Generator) -> int:
    """A player outside the kernels that draws no lots."""
    return any_of(view.legal_actions(), view.observation)


Moment = tuple[np.ndarray, np.ndarray, float, bool, bool]
"""What a learner gets: observation, mask, reward, terminated, truncated."""


def slow_episode(
    game: str, rules: dict[str, Any], seed: int, seat: int, opponent: Any, reward: str
) -> Iterator[Moment]:
    """The moments of the learner's first episode with a seed, `wayward` being the learner, too."""
    table = Table(game, seed, **rules)
    where = setting(game, table.rules)
    agent: Agent = load(opponent, game, table.rules)
    rng = np.random.default_rng(0)
    gained = 0.0
    acted = False
    while True:
        if table.turn == seat:
            yield table.observation(seat), table.mask(), gained if acted else 0.0, False, False
            gained = gained if not acted else 0.0
            acted = True
            action = any_of(table.legal_actions(), table.observation(seat))
        else:
            assert table.turn is not None
            action = agent.act(View(where, table.states, 0, table.turn), rng)
        hands = int(table.state.hands)
        table.play(action)
        if int(table.state.hands) > hands and reward == "points":
            others = [s for q, s in enumerate(table.hand_scores) if q != seat]
            gained += (table.hand_scores[seat] - sum(others) / len(others)) / 100
        if table.over == "hand":
            table.next_hand()
        elif table.over != "no":
            break
    if reward == "win" and table.over == "match":
        best = [q for q, s in enumerate(table.scores) if s == max(table.scores)]
        best = best if table.winner is None else [table.winner]
        won = 1 / len(best) if seat in best else 0.0  # 1 to share among the best ...
        gained += won - (1 - won) / (table.num_players - 1)  # ... paid for by all the others
    mask = np.zeros_like(table.mask())
    over = table.over == "truncated"
    yield table.observation(seat), mask, gained, not over, over


def legal_action(info: dict[str, Any], rng: np.random.Generator) -> int:
    """A legal action by lot."""
    return int(rng.choice(np.flatnonzero(info["action_mask"])))


def same(a: Any, b: Any, path: str = "") -> None:
    """Two results of environments are the same to the last type."""
    assert type(a) is type(b), path
    if isinstance(a, dict):
        assert a.keys() == b.keys(), path
        for key in a:
            same(a[key], b[key], f"{path}/{key}")
    elif isinstance(a, tuple | list):
        assert len(a) == len(b)
        for n, (x, y) in enumerate(zip(a, b, strict=True)):
            same(x, y, f"{path}/{n}")
    elif isinstance(a, np.ndarray) and a.dtype == object:
        same(list(a), list(b), path)
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype, path
        np.testing.assert_array_equal(a, b, path)
    else:
        assert a == b, path
