"""Looking on: lines and pages of a game, a hand as a GIF; and the commands in a real terminal."""

import io
import os
import re
import signal
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from at_the_terminal import place, run, type_lines  # noqa: F401

from rummyzoo.agents.terminal.film import COLOURS, WIDTH, gif
from rummyzoo.agents.terminal.sitting import make_plan
from rummyzoo.envs import GAMES, load_game
from rummyzoo.envs.card_faces import ON_FELT
from rummyzoo.envs.record import read_record

games = pytest.mark.parametrize("game", GAMES)

Out = pytest.CaptureFixture[str]


def played(game: str, seed: int, names: list[str], **options: Any) -> list[str]:
    """What some players do in a hand, as texts."""
    sitting = make_plan(game, options, names).sit(seed)
    while sitting.table.turn is not None:
        sitting.play(*sitting.ask(sitting.table.turn))
    return [sitting.table.texts[action] for action in sitting.actions]


# --- lines and pages ---


@games
def test_lines_tell_the_hand(game: str, capsys: Out) -> None:
    players = min(3, load_game(game).MAX_PLAYERS)
    names = ["greedy", "random", "greedy"][:players]
    status, said, _ = run(f"watch {' '.join(names)} --game {game} --seed 4 --hands 1", capsys)
    assert status == 0
    assert max(map(len, said.splitlines())) <= 80
    assert said.count(f"{load_game(game).TITLE}, hand 1") == 2  # the deal and the end
    assert "The hand is over" in said
    assert "score sheet" in said
    texts = played(game, 4, names)
    for verb in ("discard", "meld", "draw", "take"):
        told = re.findall(rf"(?:,|(?:greedy|random)(?: \d)?)\s+{verb}s\b", said)
        assert len(told) == sum(text.startswith(verb) for text in texts)


@pytest.mark.parametrize("see", ["all", "public", "0", "1"])
def test_only_what_one_may_see_is_shown(see: str, capsys: Out) -> None:
    said = run(f"watch greedy random --game rummy --seed 4 --hands 1 --see {see}", capsys)[1]
    first = said.partition(" draws")[0]
    names = ("greedy", "random")
    hands = {seat for seat, name in enumerate(names) if f"\n{name}: 10 cards" in first}
    assert hands == {"all": {0, 1}, "public": set(), "0": {0}, "1": {1}}[see]
    for seat, name in enumerate(names):
        drawn = re.findall(rf"^{name} draws( \w+[♣♦♥♠])?", said, re.MULTILINE)
        assert drawn
        assert all(bool(card) == (seat in hands) for card in drawn)


def test_step_by_step(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    type_lines(monkeypatch, *[""] * 4, "q", "")
    said = run("watch greedy --seed 4 --step", capsys)[1]
    assert said.count("Rummy 500, hand 1") == 5
    assert said.count("Enter goes on, q stops>") == 5
    type_lines(monkeypatch, "", "")  # and then the input ends
    assert run("watch greedy --seed 4 --step", capsys)[0] == 0


def test_a_match_goes_on_until_its_end(capsys: Out) -> None:
    line = "watch greedy --game gin --seed 1 --rules target=30"
    said = run(line, capsys)[1]
    assert "the match." in " ".join(said.split())
    hands = re.findall(r"^Gin Rummy, hand (\d+)", said, re.MULTILINE)
    assert run(line + " --hands 1", capsys)[1].count("score sheet") == 1
    assert hands[-1] == str(said.count("score sheet"))


def test_the_same_seed_is_the_same_game(capsys: Out) -> None:
    one, two, other = (
        run(f"watch random --hands 1 --seed {seed} --game rummy", capsys)[1] for seed in (1, 1, 2)
    )
    assert one == two != other


def test_a_record_of_it_is_kept(capsys: Out) -> None:
    status, said, _ = run("watch greedy --seed 4 --hands 1 --record a/game.jsonl", capsys)
    assert status == 0
    assert said.endswith("The game is kept; look at it with:\n  rummyzoo replay a/game.jsonl\n")
    record = read_record("a/game.jsonl")
    assert record.over == "hand"
    assert [step.action for step in record.steps] == played("rummy500", 4, ["greedy"])
    status, _, errors = run("play --resume a/game.jsonl", capsys)
    assert status == 2
    assert "is the record of a game that nobody plays from a terminal" in errors


# --- GIFs ---


@pytest.mark.parametrize(("game", "players"), [("rummy500", 3), ("gin", 2)])
def test_a_hand_as_a_gif(game: str, players: int, capsys: Out) -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("pygame")
    line = f"watch greedy --game {game} --rules num_players={players} --seed 4 --speed 2"
    status, said, _ = run(f"{line} --gif a/hand.gif", capsys)
    assert status == 0
    count = len(played(game, 4, ["greedy"], num_players=players)) + 2
    size = Path("a/hand.gif").stat().st_size
    assert f"a/hand.gif: {count} pictures, {size / 1e6:.1f} MB" in said
    with image.open("a/hand.gif") as film:
        assert film.size == (WIDTH, WIDTH * 3 // 4)
        assert film.info["loop"] == 0
        times, pictures = [], []
        for n in range(film.n_frames):
            film.seek(n)
            times.append(film.info["duration"])
            pictures.append(np.array(film.convert("RGB")))
    assert sum(times) == 1500 + 500 * (count - 2) + 4000
    assert all((a != b).any() for a, b in pairwise(pictures))
    assert size < 40_000 * count


def test_gifs_show_the_pictures() -> None:
    image = pytest.importorskip("PIL.Image")
    pictures = [np.full((300, 400, 3), (24, 98, 64), np.uint8) for _ in range(3)]
    pictures[1][100:200, 100:200] = (253, 253, 250)
    pictures[2][10:14, 10:40] = ON_FELT["C"]  # of which there is too little to count
    with image.open(io.BytesIO(gif(pictures, [0.1, 0.2, 0.3]))) as film:
        assert film.n_frames == 3
        for n, picture in enumerate(pictures):
            film.seek(n)
            assert film.info["duration"] == 100 * (n + 1)
            found = np.array(film.convert("RGB").resize((400, 300), 0))
            assert np.abs(found.astype(int) - picture).max() <= 8
    assert COLOURS + len(ON_FELT) <= 256


# --- a terminal ---


@pytest.fixture
def terminal(tmp_path: Path) -> Any:
    """Runs the command in a terminal of 80 columns and 24 lines."""
    pexpect = pytest.importorskip("pexpect")
    if sys.platform == "win32":
        pytest.skip("no terminals of this kind")
    children = []

    def spawn(line: str, **variables: str) -> Any:
        env = os.environ | {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"} | variables
        for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
            env.pop(name, None)
        env |= variables
        child = pexpect.spawn(
            sys.executable,
            ["-m", "rummyzoo.agents.cli", *line.split()],
            env=env,
            cwd=str(tmp_path),
            timeout=120,
            dimensions=(24, 80),
            encoding="utf-8",
        )
        children.append(child)
        return child

    yield spawn
    for child in children:
        child.close(force=True)


@pytest.mark.slow
def test_a_hand_begins_in_a_terminal(terminal: Any, tmp_path: Path) -> None:
    child = terminal("play --seed 7")
    child.expect("draw .*your move>")
    assert ";31m" in child.before  # hearts are red
    child.send("dra\t")  # the only move that begins so
    child.expect("w stock")
    child.send("\r")
    child.expect("play or discard")
    child.expect("your move>")
    child.send("why take 3d\r")
    child.expect("you have drawn already")
    child.send("discard KC\r")
    child.expect("your move>")
    child.sendintr()
    child.expect(r"go on with:\s+rummyzoo play --resume")
    child.wait()
    assert child.exitstatus == 130
    (path,) = (tmp_path / "runs").iterdir()
    child = terminal(f"play --resume {path}", NO_COLOR="1")
    child.expect("your move>")
    assert "31m" not in child.before
    child.sendeof()
    child.expect("go on with")
    child.wait()
    assert child.exitstatus == 0


@pytest.mark.slow
def test_a_match_survives_a_kill(terminal: Any, tmp_path: Path) -> None:
    child = terminal("play rummy --seed 3", TERM="dumb")
    child.expect("your move>")
    child.send("1\n")
    child.expect("play or discard")
    child.expect("your move>")
    assert "\x1b[" not in child.before
    child.kill(signal.SIGKILL)
    child.wait()
    (path,) = (tmp_path / "runs").iterdir()
    child = terminal(f"play --resume {path}", TERM="dumb")
    child.expect("play or discard")
    child.expect("your move>")
    child.send("undo\n")
    child.expect("you have seen")


@pytest.mark.slow
def test_a_game_is_watched_in_a_terminal(terminal: Any) -> None:
    child = terminal("watch greedy --seed 4 --speed 50 --hands 1")
    child.expect("score sheet")
    child.expect(r"total")
    child.wait()
    assert child.exitstatus == 0
