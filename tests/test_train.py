"""Training runs: what they leave behind, and that they go on after a stop at any moment."""

import csv
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rummyzoo.agents import load
from rummyzoo.agents.commands import WrongInput
from rummyzoo.agents.evaluate import duel
from rummyzoo.agents.runs import load_checkpoint, parse_options, save_checkpoint, write
from rummyzoo.envs import read_record

ROOT = Path(__file__).resolve().parent.parent
TINY = [
    *("--num-envs", "16", "--rollout", "16", "--batch", "128", "--hidden", "16"),
    *("--eval-deals", "4", "--final-deals", "4", "--final-matches", "2"),
    *("--rules", "num_ranks=8", "hand_size=5", "target=60"),
]
FILES = {
    *("args.json", "versions.json", "curve.csv", "curve.png", "tensorboard", "checkpoints"),
    *("policy.safetensors", "game.jsonl", "game.txt", "result.json", "result.txt"),
}


@pytest.fixture(scope="module")
def train() -> ModuleType:
    import importlib.util

    spec = importlib.util.spec_from_file_location("train", ROOT / "train.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["train"] = module
    spec.loader.exec_module(module)
    return module


def weights(run: Path) -> dict[str, Any]:
    from safetensors.numpy import load_file

    return {name: array.tolist() for name, array in load_file(run / "policy.safetensors").items()}


def test_a_run_leaves_everything_behind(
    train: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, again = tmp_path / "one", tmp_path / "two"
    train.main([*TINY, "--run", str(run), "--steps", "1500", "--eval-every", "0.2"])
    shown = capsys.readouterr().out
    assert {path.name for path in run.iterdir()} == FILES
    assert json.loads((run / "args.json").read_text())["rules"][0] == "num_ranks=8"
    assert json.loads((run / "versions.json").read_text())["torch"]

    curve = list(csv.DictReader((run / "curve.csv").read_text().splitlines()))
    decisions = [int(float(row["decisions"])) for row in curve]
    assert decisions[0] == 0
    assert decisions[-1] >= 1500
    assert all(float(r["random_low"]) <= float(r["random"]) for r in curve)
    assert (run / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list((run / "tensorboard").glob("events.*"))

    result = json.loads((run / "result.json").read_text())
    assert [d["names"][1] for d in result["duels"]] == ["random", "random", "greedy", "greedy"]
    assert [d["tables"] for d in result["duels"]] == [8, 4, 8, 4]
    assert (run / "result.txt").read_text() in shown
    assert "scores of the hand" in (run / "game.txt").read_text()
    record = read_record(run / "game.jsonl")
    assert record.over in ("hand", "match")
    assert all(step.probabilities for step in record.steps if step.seat == 0)
    assert any(step.seat == 0 for step in record.steps)

    options = parse_options(TINY[-3:])
    assert options == {"num_ranks": 8, "hand_size": 5, "target": 60}
    assert duel(str(run / "policy.safetensors"), "random", deals=2, **options).illegal == (0, 0)
    usual = load("random", "rummy500").setting.rules  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="num_ranks=8"):
        load(str(run / "policy.safetensors"), "rummy500", usual)

    train.main([*TINY, "--run", str(again), "--steps", "1500", "--eval-every", "0.5"])
    assert weights(run) == weights(again)


def test_a_finished_run_is_left_as_it_is(
    train: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    train.main([*TINY, "--run", str(run), "--steps", "300"])
    decisions = json.loads((run / "result.json").read_text())["decisions"]
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    capsys.readouterr()
    train.main(["--resume", str(run)])
    assert capsys.readouterr().out.startswith(f"{run} is finished, after {decisions} decisions and")
    after = {path: path.read_bytes() for path in before}
    assert after == before
    assert len(list(run.glob("checkpoints/*"))) == len([p for p in before if p.suffix == ".ckpt"])

    # Stopped after the training: measured all the same.
    (run / "result.json").unlink()
    train.main(["--resume", str(run)])
    assert json.loads((run / "result.json").read_text())["decisions"] == decisions
    assert (run / "policy.safetensors").read_bytes() == before[run / "policy.safetensors"]

    train.main(["--resume", str(run), "--steps", str(decisions + 100)])
    assert json.loads((run / "result.json").read_text())["decisions"] >= decisions + 100


@pytest.mark.parametrize(
    ("limits", "more"),
    [
        ({"minutes": 2.0, "steps": 0}, "--minutes 4"),
        ({"minutes": 0.0, "steps": 900}, "--steps 1800"),
        ({"minutes": 2.0, "steps": 900}, "--minutes 4 --steps 1800"),
        ({"minutes": 3.0, "steps": 900}, "--steps 1800"),
    ],
)
def test_how_a_finished_run_is_trained_further(
    train: ModuleType, limits: dict[str, Any], more: str
) -> None:
    args = train.Args(run=Path("runs/a"), **limits)
    sentence = train.how_to_go_on(args, 1000, 120.0)
    assert sentence.endswith(f"python train.py --resume runs/a {more}")


def test_wrong_input_ends_with_status_2(tmp_path: Path) -> None:
    run = start(tmp_path / "run", "--seed", "-1")
    out, errors = run.communicate(timeout=120)
    assert (run.returncode, out) == (2, "")
    assert errors == "--seed -1 is not possible; at least 0\n"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--minutes nan", "--minutes nan is not possible; at least 0"),
        ("--steps -5", "--steps -5 is not possible; at least 0"),
        (f"--steps {1 << 32}", f"--steps {1 << 32} is not possible; less than 2**32"),
        ("--rate 2", "--rate 2.0 is not possible; a number between 0 and 1"),
        ("--rules num_players", "'num_players' is not an option; options are written like"),
        ("--opponents self=0.5 greedy=x", "'greedy' has the weight 'x'; a weight is a number"),
        ("--opponents self=-1 greedy=1", "'self' has the weight -1; a weight is a number"),
    ],
)
def test_numbers_that_cannot_be(train: ModuleType, tmp_path: Path, options: str, why: str) -> None:
    with pytest.raises(WrongInput, match=re.escape(why)):
        train.main([*options.split(), "--run", str(tmp_path / "run")])
    assert not list(tmp_path.rglob("*.ckpt"))


def test_imitation_first(train: ModuleType, tmp_path: Path) -> None:
    run = tmp_path / "run"
    options = [
        "--run",
        str(run),
        "--steps",
        "256",
        "--imitate",
        "2000",
        "--opponents",
        "greedy=1",
    ]
    train.main([*TINY, *options])
    assert {path.name for path in run.iterdir()} == FILES


def start(run: Path, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, str(ROOT / "train.py"), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    run = tmp_path / "run"
    first = start(
        run,
        *TINY,
        *("--run", str(run), "--minutes", "60", "--checkpoint-every", "0.1", "--eval-every", "1e9"),
    )
    deadline = time.monotonic() + 200
    while len(list(run.glob("checkpoints/*.ckpt"))) < 2:
        assert first.poll() is None, first.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    first.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
    first.communicate()

    kept = sorted(run.glob("checkpoints/*.ckpt"))
    older, newest = kept[-2], kept[-1]
    newest.write_bytes(newest.read_bytes()[:-1000])
    steps = int(older.stem)
    more = start(run, "--resume", str(run), "--minutes", "0", "--steps", str(steps + 600))
    out, errors = more.communicate(timeout=300)
    assert more.returncode == 0, errors
    assert f"{newest} is damaged or cut off and is left out" in out
    assert f"going on after {steps:,} decisions" in out
    assert {path.name for path in run.iterdir()} == FILES
    assert json.loads((run / "result.json").read_text())["decisions"] >= steps + 600
    assert [p for p in run.rglob("*") if p.name.startswith(".")] == []


def test_arguments_that_cannot_be(train: ModuleType, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with pytest.raises(WrongInput, match="there is no run in"):
        train.main(["--resume", str(run)])
    with pytest.raises(WrongInput, match="--minutes or --steps"):
        train.main(["--run", str(run), "--minutes", "0"])
    train.write(run / "args.json", json.dumps(vars(train.Args()) | {"run": None}))
    with pytest.raises(WrongInput, match="is not empty; --resume it"):
        train.main(["--run", str(run)])
    for path in (run / "args.json", run / "args.json" / "a"):
        with pytest.raises(WrongInput, match="a file is where a folder should be"):
            train.main(["--run", str(path)])
    with pytest.raises(WrongInput, match="a run is resumed with its own hidden, rate"):
        train.main(["--resume", str(run), "--rate", "1", "--hidden", "3"])
    args = train.read_args(["--resume", str(run), "--minutes", "3"])
    assert (args.run, args.minutes, args.hidden) == (run, 3, train.Args().hidden)


# Files


def test_damaged_checkpoints_are_left_out(tmp_path: Path) -> None:
    assert load_checkpoint(tmp_path) == (None, [])
    for step in (1, 20, 300):
        save_checkpoint(tmp_path, step, b"content %d" % step * 50)
    files = sorted((tmp_path / "checkpoints").iterdir())
    assert [int(path.stem) for path in files] == [20, 300]  # the last two
    assert load_checkpoint(tmp_path) == (b"content 300" * 50, [])

    whole = files[1].read_bytes()
    for damaged in (whole[:-1], whole[:40], b"", whole.replace(b"content", b"kontent", 1)):
        files[1].write_bytes(damaged)
        content, refused = load_checkpoint(tmp_path)
        assert content == b"content 20" * 50
        assert refused == [f"{files[1]} is damaged or cut off and is left out"]
    files[0].write_bytes(b"")
    content, refused = load_checkpoint(tmp_path)
    assert content is None
    assert len(refused) == 1
    assert {path.suffix for path in (tmp_path / "checkpoints").iterdir()} == {".damaged"}


def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write(path, "old")

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        write(path, "new")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    assert path.read_text() == "old"
    # What a kill left behind is cleared away.
    monkeypatch.undo()
    save_checkpoint(tmp_path, 1, b"x")
    (tmp_path / "checkpoints" / ".000000000002.ckpt.99").write_bytes(b"half")
    assert load_checkpoint(tmp_path) == (b"x", [])
    assert len(list((tmp_path / "checkpoints").iterdir())) == 1


def test_options_as_text() -> None:
    texts = ["a=3", "b=-1", "c=None", "d=true", "e=float", "f=False", "g=0.5"]
    assert list(parse_options(texts).values()) == [3, -1, None, True, "float", False, 0.5]
    with pytest.raises(ValueError, match="options are written like"):
        parse_options(["num_players", "3"])
    with pytest.raises(ValueError, match="num_players is given twice; give each option once"):
        parse_options(["num_players=3", "target=50", "num_players=4"])
