"""Whole matches at the terminal: as they are typed, kept, resumed, saved and left."""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from at_the_terminal import Out, Typed, at, games, place, run, sit, type_lines, typed, widest  # noqa: F401

from rummyzoo.agents import load
from rummyzoo.agents.base import Opinion, View
from rummyzoo.agents.terminal.play import Game, new_file
from rummyzoo.agents.terminal.screen import Screen
from rummyzoo.envs import Table
from rummyzoo.envs.record import read_record


def forms(table: Table, action: int) -> Iterator[str]:
    """Ways to type an action."""
    text = table.texts[action]
    verb, _, rest = text.partition(" ")
    yield text
    yield f"{verb[:3]} {rest.lower()}" if verb in ("discard", "meld", "take") else text.upper()
    yield f"d {rest.translate(str.maketrans('CDHS', '♣♦♥♠'))}" if verb == "discard" else text


@pytest.mark.parametrize(
    ("game", "players", "me"),
    [("rummy500", 2, 0), ("rummy500", 3, 1), ("rummy500", 8, 7), ("rummy", 4, 2), ("gin", 2, 1)],
)
def test_a_hand_is_played_as_it_is_typed(
    game: str, players: int, me: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = sit(game, 5, players, me, target=None)
    sitting.keep(Path("hand.jsonl"))
    adviser = load("greedy", game, sitting.table.rules)
    wanted: list[int] = []

    def decide() -> str:
        table = sitting.table
        if table.turn is None:
            return "quit"
        assert table.turn == me
        action = adviser.act(View.of(table, me), np.random.default_rng(0))
        wanted.append(action)
        ways = list(forms(table, action))
        return ways[len(wanted) % len(ways)]

    monkeypatch.setattr(sys, "stdin", Typed(decide))
    out = io.StringIO()
    Game(Screen(out), sitting, lambda: sitting).run()
    said = out.getvalue()
    assert widest(said) <= 80
    done = zip(sitting.events, sitting.actions, strict=True)
    assert [action for event, action in done if event.seat == me] == wanted
    assert len(wanted) > 3
    record = read_record("hand.jsonl")
    assert record.over == "match"
    texts = sitting.table.texts
    assert [step.action for step in record.steps] == [texts[a] for a in sitting.actions]
    assert record.players == tuple(sitting.labels)
    assert "score sheet" in said
    assert "The match is kept; look at it with:\n  rummyzoo replay hand.jsonl\n" in said
    total = next(line for line in said.splitlines() if line.startswith(" total"))
    assert [int(x) for x in total.split()[1:]] == sitting.table.scores


@games
def test_a_match_goes_on_as_it_would_have(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """Stopped after any number of lines and resumed, it is the same match."""
    lines = ["1"] * 40
    line = f"play {game} --seed 3 --opponents random --rules target=none"

    def actions() -> list[str]:
        (path,) = Path("runs").glob("*.jsonl")
        found = [step.action for step in read_record(path).steps]
        path.rename(f"done-{len(list(Path().iterdir()))}.jsonl")
        return found

    type_lines(monkeypatch, *lines)
    assert run(line, capsys)[0] == 0
    whole = actions()
    assert len(whole) > 40
    for stop in (1, 4, 11):
        type_lines(monkeypatch, *lines[:stop])
        said = run(line, capsys)[1]
        again = re.search(r"go on with:\s+rummyzoo (play --resume\s+\S+)", said)
        assert again
        type_lines(monkeypatch, *lines[stop:])
        assert run(again[1], capsys)[0] == 0
        assert actions() == whole


def test_a_match_of_two_hands_is_resumed_between_them(
    monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    line = "play rummy --opponents greedy --seed 1 --rules target=500"
    type_lines(monkeypatch, *["1"] * 60)  # more than the hand takes; then only Enter helps
    said = run(line, capsys)[1]
    assert "Enter deals the next hand> " in said
    (path,) = Path("runs").glob("*.jsonl")
    assert read_record(path).over == "hand"
    type_lines(monkeypatch, "scores", "", "1")
    said = run(f"play --resume {path}", capsys)[1]
    assert "hand 2 of a match to 500" in said
    assert len(re.findall(r"^ hand 1 ", said, re.MULTILINE)) == 2
    record = read_record(path)
    assert record.over == "no"
    assert {step.hand for step in record.steps} == {1, 2}


def test_a_match_is_saved_and_resumed(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    type_lines(
        monkeypatch,
        "save",
        "1",
        "save a.jsonl",
        "save b c.jsonl",
        "save a.jsonl",
        "save no/where",
        "save a.jsonl/b",
        "save ~nobody-is-called-so/a",
        f"save {'n' * 300}",
        "1",
    )
    said = run("play gin --seed 2", capsys)[1]
    (path,) = Path("runs").iterdir()
    assert f"The match is kept in {path} as it is played." in " ".join(said.split())
    assert "Saved; go on from here with:\n  rummyzoo play --resume a.jsonl\n" in said
    assert "  rummyzoo play --resume 'b c.jsonl'\n" in said
    assert "a.jsonl exists; save to another file." in said
    assert "Saved; go on from here with:\n  rummyzoo play --resume no/where\n" in said
    assert "a.jsonl/b: a file is where a folder should be." in said
    assert "~nobody-is-called-so/a cannot be the name of a file." in said
    assert "is too long for the name of a file." in " ".join(said.split())
    type_lines(monkeypatch)
    status, said, _ = run("play --resume a.jsonl", capsys)
    assert status == 0
    assert read_record("a.jsonl").steps == read_record(path).steps[: len(read_record("a.jsonl"))]
    assert "0 you" in said


def test_a_new_match(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    type_lines(monkeypatch, "1", "new", "1", "quit", "1")
    status, said, _ = run("play rummy --opponents random", capsys)
    assert status == 0
    assert said.count("The match is kept; go on with:\n  rummyzoo play --resume") == 2
    one, two = (read_record(path) for path in Path("runs").iterdir())
    assert one.table() != two.table()


def test_nothing_is_kept_where_nothing_was_done(
    monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    type_lines(monkeypatch, "help", "q")
    assert run("play --seed 7", capsys)[0] == 0
    assert not list(Path("runs").iterdir())


def test_a_match_that_is_over_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    sitting = at(hands={0: ["7C"]}, pile=["2D"], turn=0, phase="play", target=None)
    sitting.keep(Path("over.jsonl"))
    said = typed(sitting, "d 7c", "1", "save", "new", "quit")
    assert "You have won the game." in said
    assert "The hand is over; Enter goes on" in said
    type_lines(monkeypatch, "save b.jsonl", "moves", "why draw", "hint", "undo")
    said = run("play --resume over.jsonl", capsys)[1]
    assert "You have won the game." in said
    assert "This match is not kept: it was over when it was resumed." in said
    assert "The hand is over." in said
    assert "draw stock: the hand is over; the match is over" in said.lower()


def test_files_have_names_of_their_own() -> None:
    first = new_file("gin")
    first.parent.mkdir()
    first.touch()
    assert new_file("gin") != first


def test_what_players_think_is_kept() -> None:
    class Sure:
        """Says what it does, and is not asked twice."""

        name = "sure"

        def explain(self, view: View, rng: np.random.Generator) -> Opinion:
            first = int(view.legal_actions()[0])
            return Opinion({first: 1.0}, {first: 2.5}, -7.0)

        def act(self, view: View, rng: np.random.Generator) -> int:
            raise AssertionError

    sitting = sit()
    sitting.players[1] = Sure()
    sitting.keep(Path("thoughts.jsonl"))
    typed(sitting, "1", "1")
    steps = [step for step in read_record("thoughts.jsonl").steps if step.seat == 1]
    assert len(steps) > 1
    for step in steps:
        assert step.probabilities == {step.action: 1.0}
        assert step.values == {step.action: 2.5}
        assert step.value == -7.0
