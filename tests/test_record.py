"""Game records: what was played can be played again exactly, and what cannot be is refused."""

import base64
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from about import about
from walks import GAMES_AND_WALKS, choose, some_positions, walk

from rummyzoo.envs import IllegalAction, Table
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.record import Record, Recorder, RecordError, read_record
from rummyzoo.envs.record_lines import Chain, read_lines

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


# What is refused


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


def forged(number: int, **changes: Any) -> Callable[[bytes], bytes]:
    """Changes what a line says; the others follow suit."""

    def forge(data: bytes) -> bytes:
        lines = [json.loads(line) for line in data.splitlines()]
        lines[number - 1 if number > 0 else number] |= changes
        return chained(lines)

    return forge


def told(name: str, text: str) -> Callable[[bytes], bytes]:
    """Has line 4 say something that is written in a way of its own."""

    def forge(data: bytes) -> bytes:
        out, hash_ = b"", hashlib.sha256()
        for number, line in enumerate(data.splitlines()[:4], 1):
            head = line[: line.rindex(b',"sum"')]
            if number == 4:
                head += f',"{name}":{text}'.encode()
            hash_.update(head)
            tail = b',"sum":"%s"}\n' % hash_.hexdigest()[:8].encode()
            hash_.update(tail)
            out += head + tail
        return out

    return forge


def without(number: int) -> Callable[[bytes], bytes]:
    def forge(data: bytes) -> bytes:
        lines = [json.loads(line) for line in data.splitlines()]
        del lines[number - 1]
        return chained(lines)

    return forge


def played_on(data: bytes) -> bytes:
    lines = [json.loads(line) for line in data.splitlines()]
    return chained([*lines[:-1], {"seat": 0, "action": lines[2]["action"]}])


def dealt_twice(data: bytes) -> bytes:
    lines = [json.loads(line) for line in data.splitlines()]
    return chained([*lines[:2], lines[1], *lines[2:]])


def told_of_nothing(data: bytes) -> bytes:
    lines = [json.loads(line) for line in data.splitlines()]
    return chained([*lines[:2], {"note": "a fine hand"}, *lines[2:]])


def swapped(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:3], lines[4], lines[3], *lines[5:]])


REFUSED: list[tuple[str, Callable[[bytes], bytes], str]] = [
    # what is wrong, how it comes about, what the sentence says
    ("nothing", lambda d: b"", "this is not a record of a game"),
    ("a picture", lambda d: b"\x89PNG\r\n\x1a\n", "this is not a record of a game"),
    ("other JSON", lambda d: b'{"a": 1}\n', "this is not a record of a game"),
    ("another version", lambda d: d.replace(b"record 1", b"record 72", 1), "of version 72; here"),
    ("a changed action", lambda d: d.replace(b'"seat":1', b'"seat":0', 1), "line 3 is damaged"),
    ("a changed name", lambda d: d.replace(b"player_0", b"player_9", 1), "line 1 is damaged"),
    ("a changed score", lambda d: d.replace(b'"scores":[0,0]', b'"scores":[9,0]'), "line 2 is dam"),
    ("a line that is gone", lambda d: b"\n".join([*d.split(b"\n")[:4], *d.split(b"\n")[5:]]), "5 "),
    ("lines that were swapped", swapped, "line 4 is damaged"),
    ("an empty line", lambda d: d.replace(b"\n", b"\n\n", 1), "line 2 is damaged"),
    ("no text", lambda d: d[:700] + b"\xff\xfe" + d[702:], "damaged"),
    ("cut in the first line", lambda d: d[:40], "cut off within line 1"),
    ("cut at the format", lambda d: d[:12], "cut off within line 1"),
    ("cut after the head", lambda d: d.split(b"\n")[0] + b"\n", "cut off after line 1"),
    ("cut in the last line", lambda d: d[:-2], r"cut off within line \d+"),
    ("cut in an action", lambda d: b"\n".join(d.split(b"\n")[:9])[:-4], "cut off within line 9"),
    ("more behind it", lambda d: d + d.splitlines(keepends=True)[-1], r"line \d+ is damaged"),
    ("another game", forged(1, game="rummy5000"), "no game 'rummy5000'; did you mean 'rummy500'"),
    ("no game", forged(1, game=3), "names no game"),
    ("another version of it", forged(1, version=7), "of version 7 of .*; this is version 0"),
    ("no version", forged(1, version=None), "of version None of"),
    ("unknown rules", forged(1, rules={"luck": 1}), "no option 'luck'"),
    ("rules that cannot be", forged(1, rules={"num_players": 99}), "num_players=99 is not possib"),
    ("rules that are none", forged(1, rules=[]), "names no game and no rules"),
    ("too few names", forged(1, players=["Ann"]), "does not name 2 players"),
    ("numbers for names", forged(1, players=[1, 2]), "not all of its players have names"),
    ("about nothing", forged(1, about=["x"]), "its about is no JSON object"),
    ("no list of versions", forged(1, versions=3), "its versions is no JSON object"),
    ("a seed that cannot be", forged(1, begin={"seed": -1}), "line 1 is damaged: .*seed"),
    ("an infinite value", told("value", "1e999"), "line 4: its value is not a number"),
    ("a value without a number", told("value", "NaN"), "line 4: its value is not a number"),
    ("a value past all", told("value", "9" * 400), "line 4: its value is not a number"),
    ("infinite values", told("values", '{"x":-Infinity}'), "line 4: its values are not numbers"),
    ("no beginning", forged(1, begin={}), "does not say how the table began"),
    ("a beginning that is none", forged(1, begin={"table": "AAAA"}), "the table cannot be read"),
    ("another deal", forged(1, begin={"seed": 6}), "line 2: (dealer|hands) is"),
    ("other cards", forged(2, hands=["2C", "3C"]), "line 2: hands is"),
    ("no cards", without(2), "line 2 does not tell of the cards"),
    ("another seat", forged(3, seat=0), "line 3: seat 0 acts, but it is the turn of 1"),
    ("no seat", forged(3, seat=None), "line 3: seat None acts"),
    ("an illegal action", forged(4, action="draw stock"), "line 4: "),
    ("no action at all", forged(4, action="sing"), "line 4: no action in this game is called"),
    ("a number for an action", forged(4, action=3), "line 4: no action in this game is called '3'"),
    ("probabilities of nothing", forged(4, probabilities=[1]), "line 4: its probabilities"),
    ("words for values", forged(4, values={"draw stock": "high"}), "line 4: its values"),
    ("values of no actions", forged(4, values={"sing": 1}), "line 4: no action in this game"),
    ("a value that is none", forged(4, value="high"), "line 4: its value is not a number"),
    ("a time that is none", forged(4, seconds=True), "line 4: its seconds is not a number"),
    ("other scores at the end", forged(-1, scores=[1, 2]), r"line \d+: scores is \[1, 2\] there"),
    ("another end", forged(-1, over="truncated"), r"line \d+: over is 'truncated' there"),
    ("fewer actions", forged(-1, actions=3), r"line \d+: actions is 3 there"),
    ("a missing action", without(5), r"line \d+: "),
    ("an action after the end", played_on, r"line \d+: the game is over"),
    ("a second hand", dealt_twice, "line 3: a hand is dealt, but the one before is"),
    ("a line of nothing", told_of_nothing, "line 3 tells of no action, no hand and no end"),
]


@games
@pytest.mark.parametrize(
    ("change", "why"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_what_is_no_record_is_refused(
    game: str, change: Callable[[bytes], bytes], why: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    options = about(game).SHORT | {"target": None, "num_players": 2}
    deals = (Table(game, seed, **options) for seed in range(99))
    table = next(t for t in deals if t.turn == 1 and len(play(t.copy(), 1)) > 12)
    with table.record(path):
        play(table, 1)
    changed = change(path.read_bytes())
    assert changed != path.read_bytes()
    path.write_bytes(changed)
    with pytest.raises(RecordError, match=why) as refused:
        read_record(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)
    with pytest.raises(RecordError, match=why):
        Recorder.resume(path)
    assert path.read_bytes() == changed


@games
def test_whatever_is_lost_is_noticed(game: str, tmp_path: Path) -> None:
    """Cut anywhere, it is either an unfinished game that was played like this, or refused."""
    recorded(tmp_path / "r", game, hands=1)
    data = (tmp_path / "r").read_bytes()
    whole = read_record(data)
    rng = random.Random(0)
    for end in [*rng.sample(range(1, len(data)), 60), len(data) - 1]:
        if data[end - 1] != ord("\n") or data[:end].count(b"\n") < 2:
            with pytest.raises(RecordError, match="cut off"):
                read_record(data[:end])
    lines = data.splitlines(keepends=True)
    for count in range(2, len(lines)):
        part = read_record(b"".join(lines[:count]))
        assert part.steps == whole.steps[: len(part)]


@games
def test_whatever_is_changed_is_noticed(game: str, tmp_path: Path) -> None:
    recorded(tmp_path / "r", game, hands=1)
    data = (tmp_path / "r").read_bytes()
    rng = random.Random(0)
    for at in rng.sample(range(len(data)), 100):
        other = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        with pytest.raises(RecordError):
            read_record(other)


def test_what_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rummyzoo.envs.record_reading.MOST_BYTES", 1 << 10)
    recorded(tmp_path / "r", GAMES[0], hands=1)
    with pytest.raises(RecordError, match="too long"):
        read_record(tmp_path / "r")


TABLES_THAT_CANNOT_BE: list[tuple[str, Callable[[Any], None]]] = [
    ("a turn of nobody", lambda s: s.__setattr__("turn", 9)),
    ("a dealer who is not there", lambda s: s.__setattr__("dealer", 2)),
    ("a phase that there is not", lambda s: s.__setattr__("phase", 50)),
    ("more cards in the stock than there are", lambda s: s.__setattr__("stock_size", 200)),
    ("more cards in the pile than there are", lambda s: s.__setattr__("pile_size", 200)),
    ("more melds than there are", lambda s: s.__setattr__("num_melds", 200)),
    ("a card twice", lambda s: s.pile.__setitem__(0, s.stock[0])),
    ("no card", lambda s: s.pile.__setitem__(0, 99)),
    ("another card in a hand", lambda s: s.one.__setitem__(0, s.one[0] | s.one[1])),
    ("a winner who is not there", lambda s: s.__setattr__("winner", 7)),
    ("a barred card that is none", lambda s: s.__setattr__("barred", 99)),
]


@games
@pytest.mark.parametrize(
    "spoil", [c[1] for c in TABLES_THAT_CANNOT_BE], ids=[c[0] for c in TABLES_THAT_CANNOT_BE]
)
def test_tables_that_cannot_be_do_not_reach_the_kernels(
    game: str, spoil: Callable[[Any], None], tmp_path: Path
) -> None:
    table = Table(game, 1, num_players=2)
    play(table, 0, 9)
    spoil(table.state)
    chain = Chain()
    recorded(tmp_path / "r", game, 3, num_players=2)
    head = says(tmp_path / "r")[0]
    head["begin"] = {"table": base64.b64encode(zlib.compress(table.save())).decode()}
    head.pop("sum")
    with pytest.raises(RecordError, match="there is no such table under its rules"):
        read_record(chain.write(head))


def test_lines_are_chained() -> None:
    chain = Chain()
    data = chain.write({"a": 1}) + chain.write({"b": "ü"})
    read = list(read_lines(data, Chain()))
    assert [(number, mark.at) for number, mark, _ in read] == [(1, 0), (2, data.index(b"\n") + 1)]
    assert [found | {"sum": ""} for *_, found in read] == [
        {"a": 1, "sum": ""},
        {"b": "ü", "sum": ""},
    ]


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
