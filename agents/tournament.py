"""Tournaments: players of any number compared fairly, reproducibly, and with a pause in between.

    standings = tournament(["greedy", "random", "runs/a/policy.safetensors"], deals=500)
    print(report.text(standings))

As many of the players as the table has seats form a *lineup*; all lineups play the same deals, each
from every rotation of the seats (see `rummyzoo.agents.schedule` and `rummyzoo.agents.arena`). Every
unit of work has its own seed, so the results are the same whatever is played first, by however many
processes, and in however many runs. The times are not, and are kept apart.

With a folder all that is finished is kept there, and the same call goes on where it was stopped.
"""

import hashlib
import json
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..envs.setting import Setting
from . import load, report
from .arena import Arena, Block
from .base import Agent
from .evaluate import check_plan, setting_for, whole
from .journal import Journal, Key
from .match_records import Records
from .policies import layout
from .schedule import MOST_LINEUPS, Unit, lineups, units
from .standings import Standings, stand

FORMAT = "rummyzoo tournament 1"
BLOCK = 50
"""Deals in a unit of work, if there are many."""

Done = tuple[Key, Block, dict[str, float], dict[str, int]]
"""A finished unit: which, what came of it, and the seconds and decisions of the players by name."""


def tournament(
    players: Sequence[Any],
    game: str = "rummy500",
    deals: int = 1000,
    *,
    matches: bool = False,
    seed: int = 0,
    most_lineups: int = MOST_LINEUPS,
    processes: int = 1,
    folder: str | os.PathLike[str] | None = None,
    watch: Callable[[int, int], None] | None = None,
    records: Records | None = None,
    preset: str | None = None,
    **rules: Any,
) -> Standings:
    """Play a tournament.

    Args:
        players: as `rummyzoo.agents.load` takes them. The same one may be there twice.
        game: the name of the game.
        deals: how many different deals; each lineup plays each once for each seat.
        matches: play whole matches to the rules' target, instead of one hand for each deal;
            hands have no target unless one is named.
        seed: of the deals, of all chance, and of the lineups where there is a choice.
        most_lineups: where more are possible, so many are chosen, so that all play equally often.
        processes: how many play at once. With more than one the calling script needs the usual
            ``if __name__ == "__main__":``, and players that are objects must be picklable.
        folder: where to keep what is finished and to write the results (see
            `rummyzoo.agents.report.write_results`); None to keep nothing.
        watch: called with the hands or matches that are finished and with how many there are.
        records: where some of the games that are played now are recorded; None: nowhere.
        preset: a named set of options of the game.
        rules: the game's options.

    Raises:
        ValueError: a player, an option or a number that is not possible, or a folder with something
            else in it.
    """
    options = {"preset": preset, **rules}
    plan, where, agents = make_plan(
        players, game, deals, options, matches=matches, seed=seed, most_lineups=most_lineups
    )
    journal = None if folder is None else open_journal(folder, plan)
    if journal:
        for sentence in journal.notices:
            warnings.warn(sentence, stacklevel=2)
    if records is not None:
        records.lineups = len(plan["lineups"])
    standings = stand(plan, *play(plan, where, agents, processes, journal, watch, records))
    for sentence in report.warnings_of(standings):
        warnings.warn(sentence, stacklevel=2)
    if journal:
        report.write_results(journal.folder, standings)
    return standings


def make_plan(
    players: Sequence[Any],
    game: str,
    deals: int,
    options: dict[str, Any],
    *,
    matches: bool = False,
    seed: int = 0,
    most_lineups: int = MOST_LINEUPS,
    duel: bool = False,
) -> tuple[dict[str, Any], Setting, list[Agent]]:
    """What is to be played, as JSON has it; with the game, and the players.

    Args:
        options: of the game, and its ``preset``.
        duel: two players, of whom the first has one seat and the second all others.

    Raises:
        ValueError: something that is not possible.
    """
    preset = options.get("preset")
    given = {name: value for name, value in options.items() if name != "preset"}
    where = setting_for(game, preset, given, matches)
    given = {name: getattr(where.rules, name) for name in sorted(given)}
    check_plan(where, deals, seed, matches)
    whole("most_lineups", most_lineups, 1)
    if len(players) < 2:
        raise ValueError("a tournament needs at least two players")
    agents = [load(player, game, where.rules) for player in players]
    seats = int(where.rules.num_players)
    names = _names([agent.name for agent in agents])
    if duel:
        lines = [(0,) + (1,) * (seats - 1)]
    else:
        lines = lineups(len(players), seats, most_lineups, seed)
        if len({player for line in lines for player in line}) < len(players):
            raise ValueError(
                f"{most_lineups} lineups of {seats} leave out some players; allow more"
            )
    plan = {
        "format": FORMAT,
        "rummyzoo": __version__,
        "game": game,
        "preset": preset,
        "options": given,
        "rules": where.rules._asdict(),
        "layout": layout(where),
        "kind": "duel" if duel else "tournament",
        "players": [
            {"name": name, **_identity(player, agent)}
            for name, player, agent in zip(names, players, agents, strict=True)
        ],
        "matches": matches,
        "deals": int(deals),
        "seed": int(seed),
        "most_lineups": int(most_lineups),
        "block": max(1, min(BLOCK, int(deals) // 20)),
        "lineups": [list(line) for line in lines],
    }
    return json.loads(json.dumps(plan)), where, agents


def _names(names: Sequence[str]) -> list[str]:
    """Names of which no two are the same."""
    found: list[str] = []
    for name in names:
        number = 1 + sum(other == name for other in names[: len(found)])
        found.append(name if number == 1 else f"{name} ({number})")
    return found


def _identity(player: Any, agent: Agent) -> dict[str, Any]:
    """How a player is called for, and a digest of what it is made of, where that may change."""
    text = os.fspath(player) if isinstance(player, str | os.PathLike) else None
    parts = []
    if text is not None:
        files = [path for path in (Path(text), Path(text, "policy.safetensors")) if path.is_file()]
        parts += [path.read_bytes() for path in files]
    weights = getattr(agent, "weights", None)
    if isinstance(weights, np.ndarray):
        parts.append(weights.tobytes())
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16] if parts else None
    return {"player": text, "digest": digest}


def open_journal(folder: str | os.PathLike[str], plan: dict[str, Any]) -> Journal:
    """The record of a tournament in a folder; it must be closed, which `play` does."""
    return Journal(Path(folder), plan, _units(plan))


def _units(plan: dict[str, Any]) -> list[Unit]:
    return list(units(plan["lineups"], plan["deals"], plan["block"], plan["seed"]))


def play(
    plan: dict[str, Any],
    where: Setting,
    players: Sequence[Agent],
    processes: int = 1,
    journal: Journal | None = None,
    watch: Callable[[int, int], None] | None = None,
    records: Records | None = None,
) -> tuple[dict[Key, Block], dict[str, float]]:
    """Play what a plan says, or what is left of it.

    Args:
        plan, where, players: of `make_plan`.
        processes: how many play at once.
        journal: where it is written down; it is closed in the end.
        watch: called with the hands or matches that are finished and with how many there are.
        records: where some of the games that are played now are recorded; None: nowhere.

    Returns:
        What came of each unit, and the mean seconds for a decision of each player by name.
    """
    done: dict[Key, Block] = journal.done if journal else {}
    seconds: dict[str, float] = journal.seconds if journal else {}
    decisions: dict[str, int] = journal.decisions if journal else {}
    try:
        whole("processes", processes, 1)
        everything = _units(plan)
        sizes = {unit.key: len(unit.deals) * len(unit.order) for unit in everything}
        finished, total = sum(sizes[key] for key in done), sum(sizes.values())
        if watch:
            watch(finished, total)
        todo = [unit for unit in everything if unit.key not in done]
        for key, block, took, made in _play_units(plan, where, players, todo, processes, records):
            if journal:
                journal.add(key, block, took, made)
            done[key] = block
            for name, value in took.items():
                seconds[name] = seconds.get(name, 0.0) + value
                decisions[name] = decisions.get(name, 0) + made[name]
            finished += sizes[key]
            if watch:
                watch(finished, total)
    finally:
        if journal:
            journal.close()
    return done, {name: value / max(1, decisions[name]) for name, value in seconds.items()}


def _play_units(
    plan: dict[str, Any],
    where: Setting,
    players: Sequence[Agent],
    todo: Sequence[Unit],
    processes: int,
    records: Records | None,
) -> Iterator[Done]:
    """Play some units, in any order."""
    if not todo:
        return
    if processes == 1:
        worker = _Worker(plan, where, players, records)
        with _one_thread():
            yield from map(worker.play, todo)
        return
    before = set(active_children())
    pool = ProcessPoolExecutor(
        min(processes, len(todo)),
        get_context("spawn"),
        _begin,
        (plan, where, list(players), records),
    )
    try:
        for future in as_completed([pool.submit(_play, unit) for unit in todo]):
            yield future.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - before:
            child.terminate()  # a unit may take long
        raise
    pool.shutdown()


class _Worker:
    """One process's arena."""

    def __init__(
        self,
        plan: dict[str, Any],
        where: Setting,
        players: Sequence[Agent],
        records: Records | None,
    ) -> None:
        self.plan, self.records = plan, records
        self.arena = Arena(where, players, plan["matches"], records)
        self.names = [player["name"] for player in plan["players"]]

    def play(self, unit: Unit) -> Done:
        """Play a unit."""
        lineup, arena = self.plan["lineups"][unit.lineup], self.arena
        arena.seconds[:], arena.decisions[:] = 0, 0
        if self.records is not None:
            self.records.lineup = unit.lineup
        seated = arena.play([lineup[place] for place in unit.order], unit.deals, self.plan["seed"])
        place = np.argsort(unit.order)
        block = Block(
            seated.scores[:, :, place],
            seated.cut,
            seated.fouls[:, :, place],
            seated.notes[place],
            seated.hands,
        )
        there = sorted(set(lineup))
        took = {self.names[p]: float(arena.seconds[p]) for p in there}
        made = {self.names[p]: int(arena.decisions[p]) for p in there}
        return unit.key, block, took, made


_worker: _Worker | None = None


def _begin(
    plan: dict[str, Any], where: Setting, players: Sequence[Agent], records: Records | None
) -> None:
    """Make a process ready."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    _worker = _Worker(plan, where, players, records)
    _set_threads(1)


def _end_with_parent() -> None:
    """End this process when the one that began it does, however that came."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _play(unit: Unit) -> Done:
    assert _worker is not None
    return _worker.play(unit)


@contextmanager
def _one_thread() -> Iterator[None]:
    """PyTorch, if it is there, with one thread: how it shares out the work changes its results."""
    threads = _set_threads(1)
    try:
        yield
    finally:
        _set_threads(threads)


def _set_threads(count: int) -> int:
    """Set how many threads PyTorch has, if it is there; returns how many it had."""
    torch = sys.modules.get("torch")
    if torch is None:
        return count
    before: int = torch.get_num_threads()
    torch.set_num_threads(count)
    return before
