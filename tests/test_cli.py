"""The command line: help that fits the screen, refusals in a sentence, duels and tournaments."""

import errno
import io
import json
import os
import shlex
import sys
import tomllib
import webbrowser
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from walks import walk

from rummyzoo import __version__
from rummyzoo.agents import cli, commands, file_errors
from rummyzoo.agents.commands import Parser, measure
from rummyzoo.agents.evaluate import duel
from rummyzoo.agents.replay import game_text, page
from rummyzoo.agents.report import FILES
from rummyzoo.agents.runs import write
from rummyzoo.envs import Table, read_record

FAST = ["--rules", "num_ranks=7", "hand_size=5", "--deals", "20"]

Out = pytest.CaptureFixture[str]


def run(line: str | list[str], out: Out) -> tuple[int, str, str]:
    """The exit status of a command line, and what it printed; 80 columns are there."""
    words = shlex.split(line) if isinstance(line, str) else line
    status = cli.main(words)
    said = out.readouterr()
    return status, said.out, said.err


@pytest.fixture(autouse=True)
def screen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)


# Help


@pytest.mark.parametrize("line", ["--help", "-h", "", *(f"{name} --help" for name in cli.COMMANDS)])
def test_help_fits_the_screen(line: str, capsys: Out) -> None:
    status, said, errors = run(line, capsys)
    lines = said.splitlines()
    assert (status, errors) == (0, "")
    assert len(lines) <= 23  # and a line for the prompt
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("usage: rummyzoo ")
    assert sum(text.startswith("example: rummyzoo ") for text in lines) == 1


@pytest.mark.parametrize("line", ["--help", *(f"{name} --help" for name in cli.COMMANDS)])
def test_examples_are_possible(line: str, capsys: Out) -> None:
    said = run(line, capsys)[1]
    example = " ".join(said.partition("example: rummyzoo ")[2].split())
    name, *words = shlex.split(example)
    parser = parser_of(name)
    assert parser.parse_args(words)


def parser_of(name: str) -> Parser:
    command = import_module(f"rummyzoo.agents.commands.{name}")
    parser = Parser(name, command.__doc__)
    command.arguments(parser)
    return parser


def test_help_names_every_command_and_argument(capsys: Out) -> None:
    said = run("--help", capsys)[1]
    for name, what in cli.COMMANDS.items():
        assert name in said
        assert what in said
        shown = run(f"{name} --help", capsys)[1]
        for action in parser_of(name)._actions:
            assert (action.option_strings or [str(action.metavar)])[0] in shown
            assert action.help


def test_version(capsys: Out) -> None:
    assert run("--version", capsys) == (0, f"rummyzoo {__version__}\n", "")


def test_it_is_installed_under_its_name() -> None:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["scripts"]["rummyzoo"] == "rummyzoo.agents.cli:main"


# Refusals


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("dule greedy random", "did you mean 'duel'"),
        ("--fast", "there is no command '--fast'"),
        ("duel", "required: A, B"),
        ("duel greedy", "required: B"),
        ("duel greedy random greedy", "unrecognized arguments: greedy"),
        ("duel greedy rendom", "did you mean 'random'"),
        ("duel greedy nowhere/policy.safetensors", "there is no policy nowhere/policy.safetensors"),
        ("duel greedy random --deal 3", "unrecognized arguments: --deal"),
        ("duel greedy random --deals many", "--deals takes a whole number, not 'many'"),
        ("duel greedy random --deals", "expected one argument"),
        ("duel greedy random --deals 0", "deals=0 is not possible"),
        ("duel greedy random --seed -1", "seed=-1 is not possible"),
        ("duel greedy random --processes 0", "--processes 0 is not possible"),
        ("duel greedy random --game canasta", "there is no game 'canasta'"),
        ("duel greedy random --preset FAST", "there is no preset 'FAST'"),
        ("duel greedy random --rules num_players", "options are written like num_players=3"),
        ("duel greedy random --rules num_player=3", "did you mean 'num_players'"),
        ("duel greedy random --rules num_players=9", "num_players=9 is not possible"),
        ("duel greedy random --matches --rules target=none", "matches have a target"),
        ("duel greedy random --folder full", "holds other things"),
        ("duel greedy random --folder full/file", "full/file is a file, not a folder"),
        ("tournament", "required: PLAYER"),
        ("play canasta", "there is no game 'canasta'"),
        ("play gin --opponents gredy", "did you mean 'greedy'"),
        ("play gin --opponents cheating_oracle:4", "plays only in duels and tournaments"),
        ("play gin --opponents greedy,greedy", "num_players=3 is not possible"),
        ("play --opponents a,b --players 2", "2 opponents for 1 seat: name one for all, or each"),
        ("play --players 9", "num_players=9 is not possible"),
        ("play --seat 2", "seat 2 is not possible; seats are 0 to 1"),
        ("play --seed x", "--seed takes a whole number, not 'x'"),
        ("play --seed -1", "seed=-1 is not possible"),
        ("play --players 3 --rules num_players=4", "--players 3 and num_players=4 contradict"),
        ("play --rules target=50 target=100", "target is given twice"),
        ("play --resume nowhere.jsonl", "there is no file or folder nowhere.jsonl"),
        ("play --resume full", "full is a folder, not a file"),
        (f"play --resume {'x' * 300}", "xxx is too long for the name of a file"),
        ("play --resume full/file", "full/file: this is not a record"),
        ("play gin --resume a --seed 3", "leave GAME and --seed away"),
        ("watch", "required: PLAYER"),
        ("watch gredy", "did you mean 'greedy'"),
        ("watch greedy random --rules num_players=3", "2 players for 3 seats"),
        ("watch greedy --see 2", "--see 2 is not possible; see all, public, or a seat: 0 to 1"),
        ("watch greedy --speed 0", "--speed 0 is not possible"),
        ("watch greedy --speed fast", "--speed takes a number, not 'fast'"),
        ("watch greedy --hands 0", "--hands 0 is not possible"),
        ("watch greedy --record full/file", "full/file exists; name a new file for the record"),
        ("watch greedy --gif a.gif --step", "--step waits for somebody at the terminal"),
        ("watch greedy --gif a.png", "a.png is not a name for a GIF"),
        ("watch greedy --record full/file/a", "full/file: a file is where a folder should be"),
        ("watch greedy --gif full/file/a.gif", "full/file: a file is where a folder should be"),
        ("watch greedy:", "'greedy:' has nothing after its colon; leave the colon away"),
        ("watch random:3", "the random player takes no argument, but got '3'"),
        ("tournament greedy", "at least two players"),
        ("tournament greedy random --lineups 0", "most_lineups=0"),
        ("duel greedy random --records full/file", "full/file: a file is where a folder should be"),
        ("duel greedy random --records full/file/a", "full/file/a: a file is where a folder"),
        ("duel greedy random --games 0", "--games 0 is not possible"),
        ("replay", "required: FILE"),
        ("replay nowhere.jsonl", "there is no record nowhere.jsonl"),
        ("replay full", "there is no record full"),
        (f"replay {'x' * 300}", "xxx is too long for the name of a file"),
        ("replay full/file", "full/file: this is not a record of a game"),
        ("replay full/file --open", "--open opens the page that --html writes"),
        ("replay full/file --html a.html --summary", "--summary is for text"),
    ],
)
def test_wrong_input_gives_one_sentence(line: str, says: str, capsys: Out) -> None:
    Path("full").mkdir()
    Path("full/file").touch()
    status, said, errors = run(line, capsys)
    assert (status, said) == (2, "")
    assert says in errors
    assert errors.startswith("rummyzoo: ")
    assert errors.count("\n") == 1
    assert "Errno" not in errors


def test_errors_of_files_are_sentences(tmp_path: Path) -> None:
    def said(error: OSError) -> str:
        return file_errors.in_words(error)

    for number in file_errors.SENTENCES:
        words = said(OSError(number, os.strerror(number), "a/b"))
        assert "a/b" in words
        assert "Errno" not in words
    assert said(OSError(errno.EIO, "Input/output error", "a")) == "a: Input/output error"
    assert said(OSError("what it says")) == "the file: what it says"
    assert file_errors.in_words(OSError(errno.ENOSPC, ""), "c") == (
        "c cannot be written: the disk is full"
    )
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(OSError, match=r"folder") as refused:
        write(folder, "text")
    assert said(refused.value) == said(IsADirectoryError(errno.EISDIR, "", str(folder)))
    assert list(tmp_path.iterdir()) == [folder]


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    real = commands.find_spec
    for package in ("tqdm", "matplotlib"):

        def find(name: str, missing: str = package) -> Any:
            return None if name == missing else real(name)

        monkeypatch.setattr(commands, "find_spec", find)
        status, _, errors = run(["tournament", "greedy", "random", *FAST], capsys)
        assert status == 2
        assert f"needs {package}: pip install 'rummyzoo[play]'" in errors
        assert not list(Path().iterdir())
    assert run(["duel", "greedy", "random", *FAST], capsys)[0] == 0  # draws nothing


# Playing


def test_duel(capsys: Out) -> None:
    status, said, _ = run(["duel", "greedy", "random", *FAST, "--seed", "5"], capsys)
    assert status == 0
    shown = duel("greedy", "random", deals=20, seed=5, num_ranks=7, hand_size=5)
    without_times = [line for line in str(shown).splitlines() if "a decision" not in line]
    assert [line for line in said.splitlines() if "a decision" not in line] == without_times
    assert not list(Path().iterdir())


def test_duel_of_three_seats_with_a_folder(capsys: Out) -> None:
    line = "duel greedy random --game rummy500 --deals 60 --seed 2 --rules num_players=3"
    status, said, _ = run(f"{line} --folder a", capsys)
    assert status == 0
    assert "written to a" in said
    found = json.loads(Path("a/results.json").read_text())
    shown = duel("greedy", "random", deals=60, seed=2, num_players=3)
    mine = next(p for p in found["players"] if p["name"] == "greedy")
    assert mine["wins"]["mean"] == pytest.approx(shown.wins.mean, abs=1e-4)
    assert mine["wins"]["low"] == pytest.approx(shown.wins.low, abs=1e-4)
    assert found["tables"] == shown.tables == 180
    assert f"    rummyzoo {line}\n" in Path("a/results.md").read_text()


def test_tournament(capsys: Out) -> None:
    line = ["tournament", "greedy", "random", "random", *FAST]
    status, said, _ = run(line, capsys)
    assert status == 0
    (folder,) = Path("runs").iterdir()
    assert f"written to {folder}" in said
    assert "greedy " in said
    assert "random (2)" in said
    assert max(map(len, said.splitlines())) <= 80
    page = (folder / "results.md").read_text()
    again = next(text for text in page.splitlines() if text.startswith("    rummyzoo "))
    assert run([*shlex.split(again)[1:], "--folder", "again"], capsys)[0] == 0
    for name in FILES:
        assert Path("again", name).read_bytes() == (folder / name).read_bytes()


def test_stopping_and_going_on(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    line = ["tournament", "greedy", "random", *FAST, "--folder"]
    run([*line, "whole"], capsys)
    real = measure.play

    def stopped(
        plan: Any, where: Any, players: Any, processes: int, journal: Any, bar: Any, records: Any
    ) -> Any:
        def watch(finished: int, total: int) -> None:
            if finished > 10:
                raise KeyboardInterrupt

        return real(plan, where, players, processes, journal, watch, records)

    monkeypatch.setattr(measure, "play", stopped)
    status, said, errors = run([*line, "part"], capsys)
    assert (status, said) == (130, "")
    assert "stopped; the same command with --folder part goes on" in errors
    monkeypatch.setattr(measure, "play", real)
    record = Path("part/units.jsonl")
    record.write_bytes(record.read_bytes()[:-7])
    status, _, errors = run([*line, "part"], capsys)
    assert status == 0
    assert "1 damaged or unfinished line left out; that part is played again" in errors
    for name in FILES:
        assert Path("part", name).read_bytes() == Path("whole", name).read_bytes()


# Replays


@pytest.fixture
def record(tmp_path: Path) -> Table:
    """A game of which there is a record in ``game.jsonl``."""
    table = Table("rummy", 3, max_recycles=0, target=None)
    with table.record("game.jsonl", ["Ann", "Bob"]):
        for _ in walk(table, 3):
            pass
    return table


def test_replay_as_text(record: Table, capsys: Out) -> None:
    status, said, errors = run("replay game.jsonl", capsys)
    assert (status, errors) == (0, "")
    assert said == game_text(read_record("game.jsonl"))
    status, said, errors = run("replay game.jsonl --summary", capsys)
    actions = len(read_record("game.jsonl"))
    one, two = record.scores
    won = [", won" if seat == record.winner else "" for seat in (0, 1)]
    assert said.splitlines() == [
        f"Rummy, {actions} actions in 1 hand; over",
        f"  seat 0, Ann: {one}{won[0]}",
        f"  seat 1, Bob: {two}{won[1]}",
    ]


def test_names_in_a_record_do_not_steer_the_terminal(capsys: Out) -> None:
    table = Table("rummy", 3, target=None)
    table.record("game.jsonl", ["\x1b[2JAnn\nseat 0", "Łukasz"]).close()
    for line in ("replay game.jsonl", "replay game.jsonl --summary"):
        status, said, errors = run(line, capsys)
        assert (status, errors) == (0, "")
        assert "\N{REPLACEMENT CHARACTER}[2JAnn\N{REPLACEMENT CHARACTER}seat 0" in said
        assert "Łukasz" in said
        assert "\x1b" not in said


def test_letters_that_the_output_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    Table("rummy", 3, target=None).record("game.jsonl", ["Ann", "Łukasz"]).close()
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    assert cli.main(["replay", "game.jsonl", "--summary"]) == 0
    assert b"seat 1, ?ukasz: 0" in written.getvalue()


def test_the_reader_may_leave(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert cli.main(["--help"]) == 1
    assert capsys.readouterr().err == ""


def test_replay_as_a_page(record: Table, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    assert run("replay game.jsonl --html out.html", capsys) == (0, "written to out.html\n", "")
    assert Path("out.html").read_text("utf-8") == page(read_record("game.jsonl"))
    opened: list[str] = []

    def open_it(url: str) -> bool:
        opened.append(url)
        return len(opened) == 1

    monkeypatch.setattr(webbrowser, "open", open_it)
    line = "replay game.jsonl --html out.html --open"
    assert run(line, capsys)[0] == 0
    assert opened == [Path("out.html").resolve().as_uri()]
    status, _, errors = run(line, capsys)
    assert (status, errors) == (2, "rummyzoo: no browser was found to open out.html\n")
    assert run("replay game.jsonl --html nowhere/else/out.html", capsys)[0] == 0


def test_a_damaged_record_is_not_replayed(record: Table, capsys: Out) -> None:
    path = Path("game.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"Bob"', b'"Eve"', 1))
    status, said, errors = run("replay game.jsonl --html out.html", capsys)
    assert (status, said) == (2, "")
    assert errors == (
        "rummyzoo: game.jsonl: line 1 is damaged, or something before it was changed\n"
    )
    assert not Path("out.html").exists()
