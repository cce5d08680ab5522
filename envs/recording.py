"""Records of the games that are played in environments, of any kind, one file for each game.

    env = record_games(rummy500_v0.env(), "games")            # PettingZoo
    env = record_games(gymnasium.make("rummyzoo/Rummy500-v0"), "games", every=100)
    envs = record_games(RummyVectorEnv("gin", 1024), "games", tables=2, most=50)
    envs = record_games(RummyVecEnv("gin", 256), "games")     # Stable-Baselines3

The environment is used as before, and does what it would have done; without this, nothing is
recorded and no time is spent on it. The files are ``game-00001.jsonl`` and so on, the numbers going
on after those that are in the folder; see `rummyzoo.envs.record` for what is in them, and
``rummyzoo replay`` to look at them. A game that is given up, by an illegal action or by `reset`, is
the record of one that is not over. Copies of the environment, pickled ones too, record nothing.
"""

import warnings
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper

from .episode import BEGAN, MOST_LOGGED, RUNNING
from .learner import Learners
from .numbers import as_whole
from .record import Recorder
from .table import Table

_STEP = 0x9E3779B97F4A7C15
"""How far a table's chain of random words moves with each."""
_WORDS = 1 << 64


def record_games(
    env: Any,
    folder: str | PathLike[str],
    *,
    every: int = 1,
    most: int | None = None,
    tables: int = 1,
) -> Any:
    """Record the games that are played in an environment from here on.

    Args:
        env: an environment of this package, in wrappers or not.
        folder: where the records go; it is made if it is not there.
        every: record the first of so many games at each table.
        most: record so many games and no more; None: no limit.
        tables: of environments with many tables, record what is played at so many of the first.

    Returns:
        The environment to use instead; ``close()`` it in the end.

    Raises:
        ValueError: a number that is not possible.
        TypeError: it is no environment of this package.
    """
    raw = getattr(env, "unwrapped", None)
    learners = getattr(raw, "learners", None)
    known = isinstance(learners, Learners) or (isinstance(env, AECEnv) and hasattr(raw, "_states"))
    if not known:
        raise TypeError(f"only environments of this package can be recorded, not {env!r}")
    n = learners.num_envs if learners else 1
    numbers = {"every": every, "tables": tables} | ({} if most is None else {"most": most})
    for name, value in numbers.items():
        number = as_whole(value)
        if number is None or number < 1:
            raise ValueError(f"{name}={value!r} is not possible; it is a whole number, at least 1")
    if tables > n:
        raise ValueError(f"tables={tables} is not possible: there are {n}")
    if learners is None:
        return RecordedEnv(env, Diary(folder, every, most))
    learners.record(LearnersDiary(folder, every, most, tables))
    learners.diary.begin_anew(learners)
    return env


class Diary:
    """The records of the games at some tables.

    Args:
        folder: where they go.
        every: record the first of so many games at each table.
        most: record so many and no more; None: no limit.
    """

    def __init__(self, folder: str | PathLike[str], every: int = 1, most: int | None = None):
        self.folder, self.every, self.most = Path(folder), every, most
        self.folder.mkdir(parents=True, exist_ok=True)
        numbers = [p.stem[5:] for p in self.folder.glob("game-*.jsonl")]
        self._number = max((int(n) for n in numbers if n.isdecimal()), default=0)
        self._games: dict[int, int] = {}  # at each table
        self._recorded = 0
        self.open: dict[int, Recorder] = {}

    def begin(self, i: int, table: Table, names: Sequence[str]) -> None:
        """A game begins at table number `i`."""
        self.end(i)
        game = self._games.get(i, 0)
        self._games[i] = game + 1
        if game % self.every or (self.most is not None and self._recorded >= self.most):
            return
        self._recorded += 1
        while i not in self.open:
            self._number += 1
            path = self.folder / f"game-{self._number:05d}.jsonl"
            try:
                self.open[i] = Recorder(path, table, names)
            except FileExistsError:  # another process records here, too
                continue

    def play(self, i: int, action: int) -> None:
        """An action is played at table number `i`."""
        if i in self.open:
            self.open[i].play(action)
            if self.open[i].table.over in ("match", "truncated"):
                self.end(i)

    @property
    def done(self) -> bool:
        """Whether nothing more will be recorded."""
        return self.most is not None and self._recorded >= self.most and not self.open

    def end(self, i: int) -> None:
        """The game at table number `i` goes on no more."""
        if i in self.open:
            self.open.pop(i).close()

    def close(self) -> None:
        """Close all records."""
        for i in list(self.open):
            self.end(i)


class RecordedEnv(BaseWrapper):
    """A PettingZoo environment whose games are recorded."""

    def __init__(self, env: AECEnv[str, Any, int], diary: Diary) -> None:
        super().__init__(env)
        self._diary: Diary | None = diary
        if hasattr(self.unwrapped, "agents") and self.unwrapped.agents:
            self._begin()

    def _begin(self, seed: int | None = None) -> None:
        raw = self.unwrapped
        if self._diary is not None:
            table = table_at(raw.game.NAME, raw.rules, raw._states, 0)
            table.seed = seed
            self._diary.begin(0, table, raw.possible_agents)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match, and its record."""
        self.env.reset(seed=seed, options=options)
        self._begin(seed)

    def step(self, action: Any) -> None:
        """Play an action, and record it if it was legal."""
        raw = self.unwrapped
        live = "agents" in raw.__dict__ and raw.agent_selection == raw._live
        before = raw._states.tobytes() if live else b""
        self.env.step(action)
        if self._diary is not None and live and raw._states.tobytes() != before:
            self._diary.play(0, int(action))

    def restore(self, source: bytes | str | Path) -> None:
        """Go on from a moment that ``save`` kept, with a new record that begins there."""
        self.env.restore(source)
        self._begin()

    def close(self) -> None:
        """Close the records, and the environment."""
        if self._diary is not None:
            self._diary.close()
        self.env.close()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_diary": None}


class LearnersDiary(Diary):
    """The records of games at tables with learners, from what the kernels log.

    Args:
        folder, every, most: see `Diary`.
        tables: how many tables are recorded, the first ones.
    """

    def __init__(
        self, folder: str | PathLike[str], every: int, most: int | None, tables: int
    ) -> None:
        super().__init__(folder, every, most)
        self.tables = tables

    def begin_anew(self, learners: Learners) -> None:
        """Begin records where the games are now."""
        learners.log[:, 0] = 0
        for i in range(self.tables):
            row = learners.rows[i]
            if learners.states["hand_size"][i].any() and row["end"] == RUNNING:
                where = learners.setting
                table = table_at(where.game.NAME, where.rules, learners.states, i)
                self.begin(i, table, _names(learners, row["slots"].tolist()))

    def read(self, learners: Learners) -> None:
        """Record what was logged."""
        for i in np.flatnonzero(learners.log[:, 0]).tolist():
            count = int(learners.log[i, 0])
            entries = learners.log[i, 1 : count + 1].tolist()
            learners.log[i, 0] = 0
            if count < MOST_LOGGED:
                self._read(learners, i, entries)
            else:
                self.end(i)
                warnings.warn(f"a step of {count} actions and more was not recorded", stacklevel=2)
        if self.done:
            learners.record(None)

    def _read(self, learners: Learners, i: int, entries: Sequence[int]) -> None:
        where = learners.setting
        n = int(where.rules.num_players)
        seeds = _seeds(int(learners.rows["stream"][i]), n, entries.count(BEGAN))
        at = 0
        while at < len(entries):
            if entries[at] == BEGAN:
                table = Table(where.game.NAME, next(seeds), **where.rules._asdict())
                self.begin(i, table, _names(learners, entries[at + 1 : at + 1 + n]))
                at += 1 + n
            else:
                self.play(i, entries[at])
                at += 1


def table_at(game: str, rules: Any, states: np.ndarray, i: int) -> Table:
    """Table `i` of some states."""
    table = Table(game, 0, **rules._asdict())
    table.states[:] = states[i : i + 1]
    table.seed = None
    return table


def _seeds(stream: int, players: int, count: int) -> Iterator[int]:
    """The seeds of the last episodes of a table, from where its chain of words is now.

    An episode takes a word for the deal, whose seed is where the chain stands before it, one for
    the opponents' generator, and one for the seat of each player.
    """
    for back in range(count, 0, -1):
        yield (stream - back * (players + 2) * _STEP) % _WORDS


def _names(learners: Learners, slots: Sequence[int]) -> list[str]:
    """Who sits at a table, by the slot of each seat."""
    agents = learners.opponents.agents
    n = int(learners.setting.rules.num_players)
    return ["learner" if slot < 0 else agents[slot].name for slot in slots[:n]]
