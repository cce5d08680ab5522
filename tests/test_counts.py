"""How many sequences of actions there are from fixed deals: a change of a rule changes a count.

A naive engine counts, too, as far as it gets. ``UPDATE_GOLDEN=1`` writes the counts of
``counts.txt`` anew, as deep as they are there.
"""

import copy
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reference import reference_at

from rummyzoo.envs import Table, scenario
from rummyzoo.envs.games import GAMES

FILE = Path(__file__).parent / "counts.txt"
SLOWLY = 800  # actions that a naive engine may play in a case


def cases() -> list[tuple[scenario.Case, list[int]]]:
    """The deals of the file, each with its counts at depth 1, 2, ..."""
    found = []
    for block in FILE.read_text("utf-8").split("\n===\n"):
        counts = re.findall(r"^counts: (.*)$", block, re.MULTILINE)
        text = re.sub(r"^counts: .*$", "---\nover: no", block, flags=re.MULTILINE)
        (case,) = scenario.parse(text)
        found.append((case, [int(n) for n in counts[0].split()]))
    return found


CASES = cases()
NAMES = [case.title for case, _ in CASES]


def sequences(table: Table, depth: int) -> list[int]:
    """How many sequences of so many actions there are, for 1, 2, ... `depth`."""
    game, kits, work = table.game, table.kits, np.zeros(table.game.WORK, np.int64)
    states = np.zeros(depth, game.STATE)
    states[0] = table.states[0]
    observation, mask = np.zeros_like(table.observation(0)), np.zeros_like(table.mask())
    counts = [0] * depth

    def explore(level: int) -> None:
        seat = np.int64(states["turn"][level])
        game.look(states, level, seat, kits, work, observation, mask)
        actions = np.flatnonzero(mask)
        counts[level] += len(actions)
        if level + 1 < depth:
            for action in actions:
                states[level + 1] = states[level]
                game.step(states, level + 1, action, kits)
                explore(level + 1)

    explore(0)
    return counts


def sequences_slowly(engine: Any, depth: int) -> list[int]:
    """The same, by a naive engine."""
    counts = [0] * depth

    def explore(here: Any, level: int) -> None:
        actions = here.legal()
        counts[level] += len(actions)
        if level + 1 < depth:
            for action in actions:
                there = copy.deepcopy(here)
                there.play(action)
                explore(there, level + 1)

    explore(engine, 0)
    return counts


@pytest.mark.parametrize(("case", "counts"), CASES, ids=NAMES)
def test_counts(case: scenario.Case, counts: list[int]) -> None:
    found = sequences(scenario.start(case), len(counts))
    if os.environ.get("UPDATE_GOLDEN"):
        text = FILE.read_text("utf-8")
        at = text.index("counts: ", text.index(f"# {case.title}\n"))
        line, new = text[at:].split("\n", 1)[0], f"counts: {' '.join(map(str, found))}"
        FILE.write_text(text[:at] + new + text[at + len(line) :], "utf-8")
    else:
        assert found == counts


@pytest.mark.parametrize(("case", "counts"), CASES, ids=NAMES)
def test_counts_of_the_naive_engine(case: scenario.Case, counts: list[int]) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        pytest.skip("the counts are being written")
    depth = 1 + sum(sum(counts[:n]) <= SLOWLY for n in range(1, len(counts)))
    table = scenario.start(case)
    engine = reference_at(case, table)
    assert sequences_slowly(engine, depth) == counts[:depth]


def test_every_game_is_counted() -> None:
    assert {case.game for case, _ in CASES} == set(GAMES)
    assert len(set(NAMES)) == len(NAMES)
