"""PettingZoo environments of every game, for tests: made, played by lot, compared."""

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from about import about
from pettingzoo.utils.env_logger import EnvLogger
from slow_play import GAMES_AND_PLAYERS

from rummyzoo.envs import GAMES, Table, load_game
from rummyzoo.envs.aec import CardTableEnv

tables = pytest.mark.parametrize(("game", "players"), GAMES_AND_PLAYERS)
games = pytest.mark.parametrize("game", GAMES)
masks = pytest.mark.parametrize("mask_in", ["observation", "info"])


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """PettingZoo's warnings are not printed."""
    EnvLogger.suppress_output()
    yield
    EnvLogger.unsuppress_output()
    EnvLogger.flush()


def module_of(game: str) -> ModuleType:
    module = load_game(game)
    return importlib.import_module(f"rummyzoo.envs.{module.ENVIRONMENT}_v{module.VERSION}")


def raw_env(game: str, players: int = 2, **options: Any) -> CardTableEnv:
    return CardTableEnv(game, num_players=players, **options)


def short(game: str, players: int = 2, **options: Any) -> CardTableEnv:
    """With hands that end soon, and are won, also when they are played by lot."""
    return raw_env(game, players, **about(game).SHORT, **options)


def mask_of(env: Any) -> np.ndarray:
    observation, *_, info = env.last()
    return observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]


def play(env: Any, steps: int, rng: np.random.Generator) -> None:
    """Random legal actions, at most so many, at most to the end of the match."""
    for _ in range(steps):
        if over(env):
            return
        env.step(int(rng.choice(np.flatnonzero(mask_of(env)))))


def over(env: Any) -> bool:
    agent = env.agent_selection
    return not env.agents or env.terminations[agent] or env.truncations[agent]


def view(env: Any) -> list[Any]:
    """All that an environment tells, in a form that can be compared."""
    seen: list[Any] = [[plain(env.observe(agent)) for agent in env.possible_agents]]
    for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
        seen.append(dict(getattr(env, name)))
    infos = {agent: {k: plain(v) for k, v in info.items()} for agent, info in env.infos.items()}
    return [*seen, infos, list(env.agents), env.agent_selection]


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return value.tobytes() if isinstance(value, np.ndarray) else value


def table_of(env: CardTableEnv) -> Table:
    """A table under the same rules, at the same position."""
    table = Table(env.game.NAME, seed=0, **env.rules._asdict())
    table.states[:] = env._states
    return table


def cards_in(plane: np.ndarray) -> list[int]:
    return np.repeat(np.arange(len(plane)), plane).tolist()
