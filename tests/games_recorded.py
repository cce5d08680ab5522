"""Games played by lot and recorded, for tests, and their lines written anew."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from walks import choose

from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.record_lines import Chain

games = pytest.mark.parametrize("game", GAMES)


def play(table: Table, seed: int = 0, actions: int = 10**6, hands: int = 100) -> list[Table]:
    """Play on by lot, dealing the next hands; the table after each action."""
    rng = random.Random(seed)
    after: list[Table] = []
    last = int(table.state.hands) + hands
    while len(after) < actions:
        if table.over == "hand" and table.state.hands < last:
            table.next_hand()
        if table.turn is None:
            break
        table.play(choose(table, rng))
        after.append(table.copy())
    return after


def recorded(
    path: Path, game: str, actions: int = 10**6, hands: int = 2, **options: Any
) -> tuple[Table, list[Table]]:
    """A table where a game by lot was recorded, and how it was after each action."""
    table = Table(game, 5, **options)
    with table.record(path):
        return table, play(table, 5, actions, hands)


def says(path: Path) -> list[dict[str, Any]]:
    """What the lines of a record say."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def chained(lines: list[dict[str, Any]]) -> bytes:
    """Lines with the right checksums: what a careful forger would make."""
    chain = Chain()
    told = [{k: v for k, v in line.items() if k != "sum"} for line in lines]
    out = b""
    for line in told:
        if "digest" in line:
            line |= {"digest": chain.digest}
        out += chain.write(line)
    return out
