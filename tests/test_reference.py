"""The naive reference engines stand by the rule cases, like the real ones.

What only one of them needs is in `test_reference_<game>.py`.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from reference import reference_at

from rummyzoo.envs import Table, scenario
from rummyzoo.envs.text import IllegalAction, split_steps

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*/*.txt"))


def attempt(engine: Any, table: Table, action: str) -> Any:
    """A copy of a reference that has played an action as a person writes it, or None where it
    refuses; `table` stands at the same position.
    """
    try:
        ways = split_steps(action, table.state, table.kits[0])
    except IllegalAction:
        return None
    for way in ways:
        there = copy.deepcopy(engine)
        try:
            for step in way:
                there.play(step)
        except ValueError:
            continue
        return there
    return None


def same(engine: Any, table: Table) -> None:
    """Both are in the same position."""
    assert (engine.turn, engine.phase, engine.over) == (table.turn, table.phase, table.over)
    assert (engine.dealer, engine.winner) == (table.dealer, table.winner)
    seats = range(table.num_players)
    assert engine.hands == [table.hand(seat) for seat in seats]
    assert engine.known == [table.known(seat) for seat in seats]
    assert (engine.pile, len(engine.stock)) == (table.pile, table.stock_count)
    assert (engine.scores, engine.melded) == (table.scores, table.melded)
    assert sorted(engine.legal()) == sorted(table.legal())


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_rule_cases(path: Path) -> None:
    for case in scenario.parse(path.read_text(encoding="utf-8")):
        table = scenario.start(case)
        engine = reference_at(case, table)
        same(engine, table)
        for step in case.steps:
            if step.kind == "next hand":
                table.next_hand()
                hands = [table.hand(seat) for seat in range(table.num_players)]
                engine.next_hand(hands, table.stock, table.pile)
            elif step.kind in ("play", "legal", "illegal"):
                there = None if engine.turn != step.seat else attempt(engine, table, step.value)
                assert (there is None) == (step.kind == "illegal"), f"{path}:{step.line}"
                if step.kind == "play":
                    engine = there
                    table.play(step.value)
            same(engine, table)
