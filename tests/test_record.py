"""Game records: what was played can be played again exactly; taken back, stopped, resumed."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from about import about
from games_recorded import games, play, recorded, says
from walks import GAMES_AND_WALKS, choose, some_positions, walk

from rummyzoo.envs import IllegalAction, Table
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.record import Record, Recorder, RecordError, read_record

# What was played


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_a_record_plays_the_same_again(game: str, options: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    table = Table(game, 7, **options)
    names = [f"Ann «{seat}»" for seat in range(table.num_players)]
    before = table.copy()
    with table.record(path, names, about={"where": "here"}):
        after = play(table, 7, hands=3)
    record = read_record(path)
    assert (record.game, record.rules) == (game, table.rules)
    assert (list(record.players), record.about) == (names, {"where": "here"})
    assert says(path)[0]["begin"] == {"seed": 7}
    assert record.table() == before
    again = [(step, position.copy()) for step, position in record]
    assert [position for _, position in again] == after
    assert len(record) == len(after) > 10
    for (step, _), previous in zip(again, [before, *after], strict=False):
        dealt = previous.copy()
        if dealt.over == "hand":
            dealt.next_hand()
        assert step.seat == dealt.turn
        assert step.action in dealt.legal()
        assert step.hand == dealt.state.hands + 1
    assert (record.over, record.scores) == (table.over, table.scores)
    assert (record.winner, record.hand_scores) == (table.winner, table.hand_scores)
    assert record.over in ("hand", "match", "truncated")
    assert read_record(path.read_bytes()).steps == record.steps


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_any_position_can_begin_a_record(
    game: str, options: dict[str, Any], tmp_path: Path
) -> None:
    for n, table in enumerate(some_positions(Table(game, 8, **options), 4, seed=8, hands=2)):
        path = tmp_path / f"{n}.jsonl"
        with table.record(path):
            after = play(table, n, actions=40)
        record = read_record(path)
        assert [position.copy() for _, position in record] == after


@games
def test_positions_set_up_by_hand_can_begin_a_record(game: str, tmp_path: Path) -> None:
    options, _ = about(game).TIE
    table = Table.from_position(game, **options)
    with table.record(tmp_path / "r"):
        after = play(table)
    assert [position.copy() for _, position in read_record(tmp_path / "r")] == after
    assert "table" in says(tmp_path / "r")[0]["begin"]


@games
def test_records_of_all_numbers_of_players(game: str, tmp_path: Path) -> None:
    for n in range(2, load_game(game).MAX_PLAYERS + 1):
        path = tmp_path / f"{n}"
        recorded(path, game, actions=60, num_players=n)
        record = read_record(path)
        assert len(record.players) == n
        assert {step.seat for step in record.steps} == set(range(n))


@games
def test_the_cards_of_every_hand_are_told(game: str, tmp_path: Path) -> None:
    options = about(game).SHORT | {"target": 10_000}
    table = Table(game, 5, **options)
    dealt = [([table.hand(p) for p in range(table.num_players)], table.pile)]
    with table.record(tmp_path / "r"):
        while len(dealt) < 4:
            play(table, len(dealt), hands=0)
            table.next_hand()
            dealt.append(([table.hand(p) for p in range(table.num_players)], table.pile))
        table.play(int(table.legal_actions()[0]))
    told = [line for line in says(tmp_path / "r") if "hands" in line]
    assert [([h.split() for h in line["hands"]], line["pile"].split()) for line in told] == dealt
    assert [line["hand"] for line in told] == [1, 2, 3, 4]


@games
def test_only_what_was_played_is_recorded(game: str, tmp_path: Path) -> None:
    table = Table(game, 1)
    with table.record(tmp_path / "r"):
        table.play(table.legal()[0].upper())
        with pytest.raises(IllegalAction):
            table.play("lay 99 on Q")
        with pytest.raises(IllegalAction):
            table.play(next(n for n in range(len(table.texts)) if not table.mask()[n]))
    assert len(read_record(tmp_path / "r")) == 1


def test_a_long_meld_is_several_steps(tmp_path: Path) -> None:
    table = Table.from_position(
        "rummy500", hands={0: ["5C", "6C", "7C", "8C", "KD"]}, phase="play", jokers_per_deck=0
    )
    with table.record(tmp_path / "r"):
        table.play("meld 5c 6c 7c 8c")
    steps = [step.action for step in read_record(tmp_path / "r").steps]
    assert steps == ["meld 5C 6C 7C", "lay 8C on 7C"]


@games
def test_what_players_think_is_kept(game: str, tmp_path: Path) -> None:
    table = Table(game, 1)
    first, second, *_ = table.legal()
    with Recorder(tmp_path / "r", table, replace=True) as recorder:
        recorder.play(
            first,
            probabilities={table.number(first): 2 / 3, second: 1 / 3},
            values={first: -3.14159},
            value=12,
            seconds=0.5,
        )
        with pytest.raises(ValueError, match="not a finite number"):
            recorder.play(recorder.table.legal()[0], value=float("nan"))
    (step,) = read_record(tmp_path / "r").steps
    assert step.probabilities == {first: 0.6667, second: 0.3333}
    assert (step.values, step.value, step.seconds) == ({first: -3.142}, 12, 0.5)


# Taking back, stopping, going on


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_what_is_taken_back_is_not_recorded(
    game: str, options: dict[str, Any], tmp_path: Path
) -> None:
    rng = random.Random(1)
    table, plain = Table(game, 9, **options), Table(game, 9, **options)
    recorders = [table.record(tmp_path / "undone"), plain.record(tmp_path / "plain")]
    for _ in range(60):
        for each in (table, plain):
            if each.over == "hand":
                each.next_hand()
        if table.turn is None:
            break
        detour = rng.choice((0, 0, 1, 5))
        before = len(table._past)
        play(table, rng.randrange(99), detour)
        while len(table._past) > before:
            table.undo()
        action = choose(table, rng)
        table.play(action)
        plain.play(action)
    for recorder in recorders:
        recorder.close()
    assert (tmp_path / "undone").read_bytes() == (tmp_path / "plain").read_bytes()


@games
def test_taken_back_to_before_the_record_it_begins_there(game: str, tmp_path: Path) -> None:
    table = Table(game, 3)
    play(table, 0, 7)
    with table.record(tmp_path / "r"):
        play(table, 0, 3)
        for _ in range(7):
            table.undo()
        after = play(table, 1, 5)
    record = read_record(tmp_path / "r")
    assert [position.copy() for _, position in record] == after


@games
def test_the_end_of_a_match_can_be_taken_back(game: str, tmp_path: Path) -> None:
    table = Table(game, 3, **about(game).SHORT | {"target": None})
    recorder = table.record(tmp_path / "r")
    play(table)
    assert read_record(tmp_path / "r").over == "match"
    table.undo()
    assert read_record(tmp_path / "r").over == "no"
    assert "over" not in says(tmp_path / "r")[-1]
    play(table)
    recorder.close()
    assert read_record(tmp_path / "r").over == "match"
    assert recorder.closed


@games
def test_what_is_refused_after_the_end_leaves_the_record_ended(game: str, tmp_path: Path) -> None:
    with Recorder(tmp_path / "r", Table(game, 3, **about(game).SHORT, target=None)) as recorder:
        while recorder.table.turn is not None:
            recorder.play(choose(recorder.table, random.Random(0)))
        before = (tmp_path / "r").read_bytes()
        with pytest.raises(IllegalAction):
            recorder.play(0)
        assert (tmp_path / "r").read_bytes() == before
    assert (tmp_path / "r").read_bytes() == before
    assert read_record(before).over in ("match", "truncated")


@games
@pytest.mark.parametrize("stop", ["within a hand", "after a hand"])
def test_a_record_is_resumed(game: str, stop: str, tmp_path: Path) -> None:
    path = tmp_path / "r"
    options = about(game).SHORT | {"target": 10_000}
    actions, hands = (45, 100) if stop == "within a hand" else (10**6, 2)
    table, after = recorded(path, game, actions, hands, **options)
    assert read_record(path).over == ("hand" if stop == "after a hand" else "no")
    recorder = Recorder.resume(path)
    assert recorder.table == table
    assert recorder.actions == len(after)
    assert recorder.table.over == read_record(path).over
    for _ in range(3):
        recorder.undo()
    after = after[:-3]
    assert recorder.table == after[-1]
    for n in range(20):
        if recorder.table.over == "hand":
            deal = recorder.table.copy()
            deal.next_hand()
            recorder.play(choose(deal, random.Random(n)))
        else:
            recorder.play(choose(recorder.table, random.Random(n)))
        after.append(recorder.table.copy())
    recorder.close()
    assert [position.copy() for _, position in read_record(path)] == after
    with pytest.raises(ValueError, match="closed"):
        recorder.play(0)


@games
def test_resumed_all_of_it_can_be_taken_back(game: str, tmp_path: Path) -> None:
    table, after = recorded(tmp_path / "r", game, hands=2, **about(game).SHORT, target=10_000)
    with Recorder.resume(tmp_path / "r") as recorder:
        for position in [*after[-2::-1], Table(game, 5, **table.rules._asdict())]:
            recorder.undo()
            assert recorder.table == position
        with pytest.raises(IndexError):
            recorder.undo()
    assert len(read_record(tmp_path / "r")) == 0


@games
def test_a_game_that_is_over_is_not_resumed(game: str, tmp_path: Path) -> None:
    recorded(tmp_path / "r", game, **about(game).SHORT | {"target": None})
    before = (tmp_path / "r").read_bytes()
    with pytest.raises(RecordError, match="over; there is nothing to go on with"):
        Recorder.resume(tmp_path / "r")
    assert (tmp_path / "r").read_bytes() == before


@games
def test_copies_do_not_write_on(game: str, tmp_path: Path) -> None:
    table = Table(game, 1)
    with table.record(tmp_path / "r"):
        twin = table.copy()
        play(twin, 0, 5)
        twin.undo()
        assert len(read_record(tmp_path / "r")) == 0
        play(table, 0, 5)
        assert len(read_record(tmp_path / "r")) == 5


def test_a_file_is_not_replaced_unless_told_to(tmp_path: Path) -> None:
    path = tmp_path / "r"
    recorded(path, GAMES[0], 10)
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        Table(GAMES[0], 1).record(path)
    assert path.read_bytes() == before
    Table(GAMES[0], 1).record(path, replace=True).close()
    assert len(read_record(path)) == 0


@pytest.mark.parametrize("names", [["one"], ["a", "b", "c"], "ab"])
def test_names_are_one_for_each_seat(names: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="names 2 players, one for each seat"):
        Table(GAMES[0], 1).record(tmp_path / "r", names)
    assert not (tmp_path / "r").exists()


def test_what_json_cannot_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        Table(GAMES[0], 1).record(tmp_path / "r", about={"what": object()})
    assert not (tmp_path / "r").exists()


KILLED = """
import random, sys
from rummyzoo.envs import Table
table = Table(sys.argv[1], 5)
table.record(sys.argv[2])
rng = random.Random(5)
for _ in range(12):
    table.play(rng.choice(table.legal()))
    print("played", flush=True)
sys.stdin.read()
"""


@games
def test_killed_it_leaves_a_record_of_an_unfinished_game(game: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, game, str(tmp_path / "r")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        for _ in range(12):
            assert process.stdout.readline() == "played\n"
        os.kill(process.pid, signal.SIGKILL)
    record = read_record(tmp_path / "r")
    assert (len(record), record.over) == (12, "no")
    with Recorder.resume(tmp_path / "r") as recorder:
        recorder.play(recorder.table.legal()[0])


def test_a_record_tells_what_it_is(tmp_path: Path) -> None:
    recorded(tmp_path / "r", GAMES[0], 3, num_players=2)
    record = read_record(tmp_path / "r")
    assert isinstance(record, Record)
    assert repr(record) == f"<Record of {GAMES[0]}: player_0, player_1; 3 actions>"
    assert {"rummyzoo", "python", "numpy", "numba"} <= record.versions.keys()


@games
def test_the_next_positions_are_those_of_the_walks(game: str, tmp_path: Path) -> None:
    """Records made from walks, whose tables are played from outside."""
    table = Table(game, 4)
    with table.record(tmp_path / "r"):
        seen = [position.save() for position in walk(table, 4)]
    record = read_record(tmp_path / "r")
    assert [record.table().save(), *(position.save() for _, position in record)] == seen
