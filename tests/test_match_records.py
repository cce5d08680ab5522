"""Records of the games of duels and tournaments: which, of whom, and that nothing else changes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rummyzoo.agents import KernelAgent, Opinion, View, load
from rummyzoo.agents.evaluate import duel
from rummyzoo.agents.match_records import Records
from rummyzoo.agents.tournament import tournament
from rummyzoo.envs import Table, read_record
from rummyzoo.envs.record import Record

GAME = "rummy"
RULES: dict[str, Any] = {"num_ranks": 8, "hand_size": 5, "max_recycles": 0, "target": 40}


def records(folder: Path) -> dict[str, Record]:
    return {path.name: read_record(path) for path in sorted(folder.iterdir())}


def test_a_duel_is_recorded_and_stays_as_it_was(tmp_path: Path) -> None:
    plain = duel("greedy", "random", GAME, 6, seed=3, **RULES)
    found = duel("greedy", "random", GAME, 6, seed=3, records=Records(tmp_path, 5), **RULES)
    assert found._replace(seconds=(0.0, 0.0)) == plain._replace(seconds=(0.0, 0.0))
    games = records(tmp_path)
    names = [f"deal-0000{deal}-seat-{seat}.jsonl" for deal in range(3) for seat in (0, 1)]
    assert list(games) == names[:5]
    for name, record in games.items():
        seat = int(name[-7])
        assert record.players[seat] == "greedy"
        assert record.players[1 - seat] == "random"
        assert record.over in ("hand", "match")
        assert len({step.hand for step in record.steps}) == 1
    # A deal is the same from both seats.
    starts = [record.table() for record in games.values()]
    assert starts[0] == starts[1]
    assert starts[2] == starts[3]
    assert starts[0] != starts[2]


@pytest.mark.parametrize("matches", [False, True])
def test_the_records_are_the_games_that_count(matches: bool, tmp_path: Path) -> None:
    found = duel(
        "greedy", "random", GAME, 2, matches=matches, records=Records(tmp_path, 4), **RULES
    )
    leads, wins = [], []
    for name, record in records(tmp_path).items():
        scores = record.scores if matches else record.hand_scores
        mine = int(name[-7])
        leads.append(scores[mine] - scores[1 - mine])
        wins.append(0.5 + 0.5 * np.sign(leads[-1]))
        assert record.over == "match" or not matches
    assert found.points.mean == pytest.approx(np.mean(leads))
    assert found.wins.mean == pytest.approx(100 * np.mean(wins))


def test_what_is_recorded_does_not_depend_on_how_it_was_played(tmp_path: Path) -> None:
    players = ["greedy", "random", "lay_down"]
    kept: list[dict[str, bytes]] = []
    for number, options in enumerate(
        [{}, {"processes": 2}, {"folder": tmp_path / "tournament"}, {}]
    ):
        folder = tmp_path / f"{number}"
        made = Records(folder, 8)
        tournament(players, GAME, 4, seed=1, records=made, **options, **RULES)  # type: ignore[arg-type]
        kept.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert kept[0] == kept[1] == kept[2] == kept[3]
    names = sorted(kept[0])
    assert len(names) == 8
    assert {name[:11] for name in names} == {"lineup-000-", "lineup-001-", "lineup-002-"}
    who = {frozenset(record.players) for record in records(tmp_path / "0").values()}
    assert who == {frozenset(pair) for pair in [players[:2], players[1:], players[::2]]}


class Thoughtful:
    """A player that answers illegally at times, and tells what it thinks."""

    name = "thoughtful"

    def act(self, view: View, rng: np.random.Generator) -> int:
        legal = view.legal_actions()
        return int(legal[0]) if rng.random() < 0.8 else int(np.flatnonzero(view.mask == 0)[0])

    def explain(self, view: View, rng: np.random.Generator) -> Opinion:
        legal = view.legal_actions().tolist()
        return Opinion(dict.fromkeys(legal, 1 / len(legal)), value=1.5)


@pytest.mark.filterwarnings("ignore:thoughtful answered illegally")
def test_thoughts_are_recorded_and_illegal_answers_replaced(tmp_path: Path) -> None:
    found = duel(Thoughtful(), "random", GAME, 2, records=Records(tmp_path, 4), **RULES)
    assert found.illegal[0] > 0
    for record in records(tmp_path).values():
        mine = record.players.index("thoughtful")
        before = record.table()
        for step, table in record:
            if step.seat != mine:
                assert not step.probabilities
            elif len(before.legal()) > 1:
                assert sorted(step.probabilities) == sorted(before.legal())
                assert step.value == 1.5
                assert step.action == before.legal()[0]
            before = table.copy()


def test_players_that_cheat_are_recorded_without_thoughts(tmp_path: Path) -> None:
    duel("cheating_oracle:1", "random", GAME, 1, records=Records(tmp_path, 1), **RULES)
    (record,) = records(tmp_path).values()
    assert record.players == ("cheating_oracle:1", "random")
    assert not any(step.values or step.probabilities for step in record.steps)


def test_players_that_search_are_recorded_with_what_they_found(tmp_path: Path) -> None:
    duel("search:2", "random", GAME, 1, records=Records(tmp_path, 1), **RULES)
    (record,) = records(tmp_path).values()
    mine = [step for step in record.steps if step.seat == record.players.index("search:2")]
    assert any(step.values for step in mine)
    assert all(step.value is not None for step in mine if step.values)


def test_old_records_of_the_same_games_are_replaced(tmp_path: Path) -> None:
    for seed in (1, 2):
        duel("random", "random", GAME, 1, seed=seed, records=Records(tmp_path, 2), **RULES)
    games = records(tmp_path)
    assert len(games) == 2
    random = load("random", GAME, Table(GAME, **RULES).rules)
    assert isinstance(random, KernelAgent)
    assert {name for record in games.values() for name in record.players} == {"random"}
