"""Tournaments: who meets whom, the same results however they were come by, and what they say."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rummyzoo.agents import View, load
from rummyzoo.agents.evaluate import duel
from rummyzoo.agents.report import FILES, as_json, command, markdown, text
from rummyzoo.agents.schedule import lineups, seating, units
from rummyzoo.agents.tournament import tournament
from rummyzoo.envs.games import GAMES

SMALL: dict[str, Any] = {"num_ranks": 7, "hand_size": 5}
THREE: dict[str, Any] = {"num_players": 3, **SMALL}


def first_legal(view: View, rng: np.random.Generator) -> int:
    return int(view.legal_actions()[0])


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


# Who meets whom


def test_all_lineups_if_there_are_few() -> None:
    assert lineups(4, 2, 100, 0) == list(combinations(range(4), 2))
    assert lineups(5, 5, 1, 0) == [(0, 1, 2, 3, 4)]
    assert lineups(2, 4, 100, 0) == [(0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1)]
    assert all(set(line) == {0, 1, 2} for line in lineups(3, 8, 100, 0))


@pytest.mark.parametrize(
    ("players", "seats", "most"), [(12, 4, 30), (9, 2, 18), (9, 2, 35), (20, 8, 25), (30, 3, 400)]
)
def test_a_choice_of_lineups_is_balanced(players: int, seats: int, most: int) -> None:
    found = lineups(players, seats, most, 5)
    assert len(found) == most
    assert len(set(found)) == most
    games = np.bincount(np.ravel(found), minlength=players)
    assert games.max() - games.min() <= 2
    met = np.zeros((players, players), int)
    for line in found:
        for a, b in combinations(line, 2):
            met[a, b] += 1
    meetings = met[np.triu_indices(players, 1)]
    assert meetings.std() < 1.2
    assert found == lineups(players, seats, most, 5)
    assert found != lineups(players, seats, most, 6)


def test_all_orders_of_seats_come_up() -> None:
    assert {seating(2, n, b, 0) for n in range(9) for b in range(9)} == {(0, 1)}
    orders = [seating(4, 0, block, 0) for block in range(60)]
    assert len(set(orders)) == 6
    for one, other in zip(orders[::2], orders[1::2], strict=True):
        assert other == (0, *one[:0:-1])


def test_units_hold_every_deal_once_for_each_lineup() -> None:
    found = list(units([(0, 1), (1, 2)], 25, 10, 0))
    for lineup in (0, 1):
        deals = [deal for unit in found if unit.lineup == lineup for deal in unit.deals]
        assert deals == list(range(25))
    assert [unit.block for unit in found] == [0, 0, 1, 1, 2, 2]


# The same results however they were come by


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that was not interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    tournament(["greedy", "random", "random"], deals=40, folder=folder, seed=3, **THREE)
    return folder


def resume(folder: Path, **more: Any) -> None:
    given = {"deals": 40, "seed": 3, **THREE} | more
    tournament(["greedy", "random", "random"], folder=folder, **given)


class Enough(Exception):
    """The tournament is interrupted here."""


@pytest.mark.parametrize("after", [0, 1, 60])
def test_interrupted_or_not(whole: Path, tmp_path: Path, after: int) -> None:
    def watch(finished: int, total: int) -> None:
        assert total == 120
        if finished > after:
            raise Enough

    for _ in range(2):
        with pytest.raises(Enough):
            resume(tmp_path, watch=watch)
        assert not (tmp_path / "results.json").exists()
        after += 10
    kept = (tmp_path / "units.jsonl").read_bytes()
    resume(tmp_path)
    assert files(tmp_path) == files(whole)
    assert (tmp_path / "units.jsonl").read_bytes().startswith(kept)
    assert (tmp_path / "units.jsonl").read_bytes() == (whole / "units.jsonl").read_bytes()
    seen: list[int] = []
    resume(tmp_path, watch=lambda finished, total: seen.append(finished))
    assert seen == [120]
    assert files(tmp_path) == files(whole)


def test_with_several_processes(whole: Path, tmp_path: Path) -> None:
    resume(tmp_path, processes=2)
    assert files(tmp_path) == files(whole)


@pytest.mark.parametrize("cut", [1, 5, 300, 1500])
def test_cut_off(whole: Path, tmp_path: Path, cut: int) -> None:
    """As after a power cut: the record ends in the middle of a line."""
    record = (whole / "units.jsonl").read_bytes()
    (tmp_path / "units.jsonl").write_bytes(record[:-cut])
    with pytest.warns(UserWarning, match=r"1 damaged or unfinished line left out"):
        resume(tmp_path)
    assert files(tmp_path) == files(whole)
    lines = (tmp_path / "units.jsonl").read_bytes().splitlines()
    assert sorted(lines) == sorted(record.splitlines())


def test_damaged_in_the_middle(whole: Path, tmp_path: Path) -> None:
    lines = (whole / "units.jsonl").read_bytes().splitlines(keepends=True)
    lines[4] = lines[4].replace(b"1", b"2", 1)
    lines[7] = b"\xff\xfe\n"
    lines[9] = lines[9][:40] + b"\n"
    (tmp_path / "units.jsonl").write_bytes(b"".join(lines))
    with pytest.warns(UserWarning, match=r"3 damaged or unfinished lines left out"):
        resume(tmp_path)
    assert files(tmp_path) == files(whole)


def test_not_even_begun(whole: Path, tmp_path: Path) -> None:
    for size in (0, 3, 100):
        (tmp_path / "units.jsonl").write_bytes((whole / "units.jsonl").read_bytes()[:size])
        resume(tmp_path)
        assert files(tmp_path) == files(whole)


def test_other_things_are_refused(whole: Path, tmp_path: Path) -> None:
    record = (whole / "units.jsonl").read_bytes()
    for wrong in (b"something\n", b"{}\n", record.replace(b"deals", b"Deals", 1)):
        (tmp_path / "units.jsonl").write_bytes(wrong)
        with pytest.raises(ValueError, match="is not the record of a tournament"):
            resume(tmp_path)
        assert (tmp_path / "units.jsonl").read_bytes() == wrong
    (tmp_path / "units.jsonl").rename(tmp_path / "notes.txt")
    with pytest.raises(ValueError, match="holds other things"):
        resume(tmp_path)
    with pytest.raises(ValueError, match="is a file"):
        resume(tmp_path / "notes.txt")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seed": 4}, r"another tournament \(seed=3 and not 4\)"),
        ({"deals": 41}, r"deals=40 and not 41"),
        ({"num_ranks": 8}, "num_ranks=7 and not 8"),
        ({"game": "rummy"}, "game='rummy500' and not 'rummy'"),
        ({"matches": True, "target": 50}, "another tournament"),
    ],
)
def test_another_tournament_is_refused(whole: Path, change: dict[str, Any], says: str) -> None:
    before = (whole / "units.jsonl").read_bytes()
    with pytest.raises(ValueError, match=says):
        resume(whole, **change)
    assert (whole / "units.jsonl").read_bytes() == before


def test_a_player_that_was_changed_is_refused(tmp_path: Path) -> None:
    player: Any = load("greedy", "rummy500")
    tournament([player, "random"], deals=2, folder=tmp_path)
    player.weights = player.weights + 1
    with pytest.raises(ValueError, match="its players"):
        tournament([player, "random"], deals=2, folder=tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="no file locks there")
def test_one_process_at_a_time(tmp_path: Path) -> None:
    def watch(finished: int, total: int) -> None:
        with pytest.raises(ValueError, match="another process is playing"):
            resume(tmp_path)
        raise Enough

    with pytest.raises(Enough):
        resume(tmp_path, watch=watch)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_killed(tmp_path: Path, by: int, processes: int) -> None:
    """The process is stopped from outside, in the middle of playing."""
    words = ["-m", "rummyzoo.agents.cli", "tournament", "greedy", "random", "greedy"]
    words += ["--deals", "6000", "--processes", str(processes), "--folder"]
    record = tmp_path / "a" / "units.jsonl"
    done = subprocess.Popen(
        [sys.executable, *words, str(record.parent)],
        stderr=subprocess.PIPE,
        # Whoever runs the tests in the background may have told them to ignore interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not (record.exists() and record.stat().st_size > 50_000):
        assert done.poll() is None
        time.sleep(0.02)
    os.kill(done.pid, by)
    said = done.communicate(timeout=60)[1].decode()
    assert done.returncode == (130 if by == signal.SIGINT else -by)
    if by == signal.SIGINT:
        assert "goes on" in said.splitlines()[-1]
        assert "Traceback" not in said
    for folder in (record.parent, tmp_path / "b"):
        subprocess.run([sys.executable, *words, str(folder)], check=True, capture_output=True)
    assert files(record.parent) == files(tmp_path / "b")


def test_what_is_finished_outlasts_a_failing_player(tmp_path: Path) -> None:
    class Fails:
        name = "fails"
        left = 600

        def act(self, view: View, rng: np.random.Generator) -> int:
            self.left -= 1
            if self.left == 0:
                raise RuntimeError("out of ideas")
            return first_legal(view, rng)

    player = Fails()
    with pytest.raises(RuntimeError, match="out of ideas"):
        tournament([player, "random"], deals=40, folder=tmp_path, **SMALL)
    seen: list[int] = []
    again = tournament(
        [player, "random"], deals=40, folder=tmp_path, watch=lambda n, _: seen.append(n), **SMALL
    )
    assert 0 < seen[0] < seen[-1] == again.tables == 80


# What they say


@pytest.mark.parametrize("matches", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_a_player_is_as_strong_as_itself(game: str, matches: bool) -> None:
    options: dict[str, Any] = {"target": 60} if matches else {}
    for name in ["greedy"] if matches else ["greedy", "random"]:
        found = tournament([name, name], game, 20, matches=matches, **options)
        assert [p.name for p in found.players] == [name, f"{name} (2)"]
        for player in found.players:
            assert player.rating.mean == 0
            assert player.wins.mean == 50
            assert player.wins.low < 50 < player.wins.high
            assert player.points == (0, 0, 0)
            assert player.rates == found.players[0].rates
        assert found.pairs[0].ahead.mean == 50


def test_two_players_as_in_a_duel() -> None:
    found = tournament(["random", "greedy"], deals=130, seed=4)
    shown = duel("random", "greedy", deals=130, seed=4)
    weak = found.players[1]
    assert (weak.name, weak.tables, weak.decisions) == ("random", 260, shown.decisions[0])
    assert weak.wins == pytest.approx(shown.wins, abs=1e-4)
    assert weak.points == pytest.approx(shown.points, abs=1e-4)
    assert weak.rates == pytest.approx(shown.rates[0], abs=1e-4)
    assert found.pairs[0].ahead.mean == pytest.approx(100 - shown.wins.mean, abs=1e-4)


@pytest.mark.parametrize("seats", [2, 3, 4, 8])
def test_tables_of_any_size(seats: int) -> None:
    """Three players; where they are fewer than the seats, some sit there more than once."""
    found = tournament(["random", first_legal, "greedy"], deals=3, num_players=seats)
    assert found.tables == 3 * seats * len(found.plan["lineups"])
    assert found.players[0].name == "greedy"
    assert sum(p.rating.mean for p in found.players) == pytest.approx(0, abs=1e-3)
    shares = sum(p.wins.mean * p.tables for p in found.players)
    assert shares == pytest.approx(100 * found.tables, rel=1e-4)
    assert sum(p.points.mean * p.tables for p in found.players) == pytest.approx(0, abs=1)
    assert [p.illegal for p in found.players] == [0, 0, 0]
    assert set(found.seconds) == {p.name for p in found.players}


def test_results_as_files(whole: Path) -> None:
    assert {path.name for path in whole.iterdir()} == {
        *FILES,
        "times.json",
        "times.jsonl",
        "units.jsonl",
    }

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    found = json.loads((whole / "results.json").read_text(), parse_constant=refuse)
    assert found["players"][0]["name"] == "greedy"
    assert found["players"][0]["rating"].keys() == {"mean", "low", "high"}
    assert found["plan"]["rules"]["num_players"] == 3
    times = json.loads((whole / "times.json").read_text())["microseconds a decision"]
    assert min(times.values()) > 0
    page = (whole / "results.md").read_text()
    assert "rummyzoo tournament greedy random random --game rummy500 --deals 40 --seed 3" in page
    assert len({line.count("|") for line in page.splitlines() if line.startswith("|")}) <= 2
    for name in ("ratings.png", "wins.png"):
        assert (whole / name).read_bytes().startswith(b"\x89PNG")


def test_one_deal_has_no_interval_but_a_result() -> None:
    found = tournament(["random", "greedy"], deals=1)
    assert json.loads(json.dumps(as_json(found)))["players"][0]["points"]["high"] is None
    assert "inf" in markdown(found)
    assert "greedy" in text(found)


def test_illegal_answers_are_said_everywhere() -> None:
    def wrong(view: View, rng: np.random.Generator) -> int:
        return -1

    with pytest.warns(UserWarning, match="wrong answered illegally"):
        found = tournament([wrong, first_legal], deals=3, **SMALL)
    assert found.players[1].illegal == found.players[1].decisions
    assert found.players[1].wins.mean == 0
    assert "count as lost" in markdown(found)


def test_the_table_fits_the_screen() -> None:
    found = tournament(["random", "greedy"], deals=2, matches=True)
    longest = found.players[0]._replace(name="a/very/long/name/of/a/policy.safetensors")
    lines = text(found._replace(players=[longest, found.players[1]])).splitlines()
    assert max(map(len, lines)) <= 80
    assert len({len(line) for line in lines}) == 1


def test_the_command_says_it_all() -> None:
    found = tournament(["random", "greedy"], "gin", 2, seed=9, preset=None, matches=True, target=50)
    assert command(found.plan) == (
        "rummyzoo tournament random greedy --game gin --deals 2 --seed 9 --matches "
        "--rules target=50"
    )


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"players": ["greedy"]}, "at least two players"),
        ({"players": ["greedy", "gready"]}, "did you mean 'greedy'"),
        ({"deals": 0}, "deals=0"),
        ({"seed": "1"}, "seed='1'"),
        ({"processes": 0}, "processes=0"),
        ({"most_lineups": 0}, "most_lineups=0"),
        ({"most_lineups": 1, "players": ["greedy"] * 5}, "leave out some players"),
        ({"matches": True, "target": None}, "matches have a target"),
        ({"num_player": 3}, "did you mean 'num_players'"),
    ],
)
def test_what_is_not_possible(given: dict[str, Any], says: str) -> None:
    options: dict[str, Any] = {"players": ["greedy", "random"], "deals": 2} | given
    with pytest.raises(ValueError, match=says):
        tournament(**options)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_ten_thousand_hands_take_seconds(game: str) -> None:
    tournament(["greedy", "greedy"], game, 1)  # compiles
    start = time.process_time()
    assert tournament(["greedy", "greedy"], game, 5000).tables == 10_000
    assert time.process_time() - start < 10
