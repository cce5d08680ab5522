"""Game records: what was damaged, changed or made by something else is refused."""

import base64
import hashlib
import json
import random
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from about import about
from games_recorded import chained, games, play, recorded, says

from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.record import Recorder, RecordError, read_record
from rummyzoo.envs.record_lines import Chain, read_lines


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
