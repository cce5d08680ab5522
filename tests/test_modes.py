"""The kernels in other modes of Numba, in fresh processes: with bounds checks, and not compiled."""

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from walks import WALKS, choose

from rummyzoo.agents import View, load
from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.setting import setting

TESTS = Path(__file__).parent

pytestmark = pytest.mark.slow


def play_with_everything(agents: tuple[str, ...] = ("random", "greedy")) -> int:
    """Play hands of all games by all players, using all of a table; returns how many moves."""
    count = 0
    for game in GAMES:
        presets = [{"preset": name} for name in load_game(game).PRESETS]
        for seed, options in enumerate([*WALKS[game], *presets] * 2):
            table = Table(game, seed, **{**options, "max_hands": 2})
            where = setting(game, table.rules)
            players = [load(name, game, table.rules) for name in agents]
            rng, generator = random.Random(seed), np.random.default_rng(seed)
            for _ in range(2):
                while table.turn is not None:
                    for seat in range(table.num_players):
                        table.observation(seat)
                    if count % 7 == 0:
                        table.resample(count % table.num_players, generator).mask()
                    player: Any = players[count % 3] if count % 3 < len(players) else None
                    if player is None:
                        action = choose(table, rng)
                    else:
                        view = View(where, table.states, 0, table.turn)
                        action = player.act(view, generator)
                    table.play(action)
                    count += 1
                if table.over != "hand":
                    break
                table.next_hand()
    return count


def too_far() -> str:
    """What comes of an action far beyond the last: the checks must see it."""
    table = Table(seed=1)
    try:
        table.game.step(table.states, 0, 100_000, table.kits)
    except IndexError as error:
        return str(error)
    return "nothing was checked"


def in_fresh_process(*command: str, **settings: str) -> str:
    """Run Python with settings of Numba; what it wrote."""
    environment = {k: v for k, v in os.environ.items() if k != "UPDATE_GOLDEN"} | settings
    paths = [str(TESTS), *sys.path[1:]]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    done = subprocess.run(
        [sys.executable, *command],
        env=environment,
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_no_kernel_reaches_beyond_its_arrays() -> None:
    program = "import test_modes as t; print(t.play_with_everything()); print(t.too_far())"
    count, checked = in_fresh_process("-c", program, NUMBA_BOUNDSCHECK="1").splitlines()
    assert int(count) > 1500 * len(GAMES)
    assert "out of bounds" in checked


def test_plain_python_plays_the_golden_playthroughs() -> None:
    """The same observations, masks and points, action by action, without the compiler."""
    command = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_playthroughs.py")
    assert " passed" in in_fresh_process(*command, NUMBA_DISABLE_JIT="1")


def test_plain_python_finds_the_same_positions() -> None:
    program = (
        "import test_counts as t; from rummyzoo.envs import scenario; from numba import config\n"
        "assert config.DISABLE_JIT\n"
        "for case, counts in t.CASES:\n"
        "    depth = 1 + sum(sum(counts[:n]) < 150 for n in range(1, len(counts)))\n"
        "    assert t.sequences(scenario.start(case), depth) == counts[:depth], case.title\n"
    )
    in_fresh_process("-c", program, NUMBA_DISABLE_JIT="1")
