"""README.md and docs/: the code runs and prints what the page shows, the commands are real, and the
links lead somewhere."""

import os
import re
import shlex
from collections.abc import Iterator
from doctest import ELLIPSIS, OutputChecker
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rummyzoo.agents.cli import COMMANDS
from rummyzoo.agents.commands import Parser

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PAGES = [README, *sorted(p for p in (ROOT / "docs").glob("**/*.md") if "_build" not in p.parts)]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}

# A block of Python, and what it prints where a block of text follows at once.
EXAMPLE = re.compile(
    r"^```python\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE
)
WITH_CODE = [name for name, text in TEXTS.items() if EXAMPLE.search(text)]


@pytest.mark.parametrize("name", WITH_CODE)
@pytest.mark.filterwarnings("ignore:rich is experimental")
def test_the_code_runs(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ``UPDATE_GOLDEN=1`` what is shown is written anew; lines with ``...`` that fit stay."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}  # a page is read from its top: later code uses earlier names
    text = TEXTS[name]
    for number, example in enumerate(EXAMPLE.finditer(text), 1):
        exec(compile(example[1], f"{name}, block {number}", "exec"), names)
        printed = capsys.readouterr().out
        if example[2] is None or fits(example[2], printed):
            continue
        if os.environ.get("UPDATE_GOLDEN") != "1":
            pytest.fail(f"{name}, block {number} prints\n{printed}\nand not\n{example[2]}")
        updated = example[0].replace(
            f"```text\n{example[2]}", f"```text\n{merge(example[2], printed)}"
        )
        text = text.replace(example[0], updated)
    (ROOT / name).write_text(text, encoding="utf-8") if text != TEXTS[name] else None


def fits(shown: str, printed: str) -> bool:
    """Whether a text is what was printed; ``...`` in it stands for anything."""
    return OutputChecker().check_output(shown, printed, ELLIPSIS)


def merge(shown: str, printed: str) -> str:
    """What was printed, with the lines of the old text where they fit."""
    old = shown.splitlines(keepends=True)
    return "".join(
        old[n] if n < len(old) and fits(old[n], line) else line
        for n, line in enumerate(printed.splitlines(keepends=True))
    )


def test_there_is_code() -> None:
    assert len(EXAMPLE.findall(TEXTS["README.md"])) >= 1
    assert len(WITH_CODE) > 8


# Commands


def commands(program: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of shell blocks that call a program, and its arguments."""
    for name, text in TEXTS.items():
        for block in re.findall(r"^```(?:bash|sh)?\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            for line in block.replace("\\\n", " ").splitlines():
                if line.startswith(program + " "):
                    yield name, shlex.split(line, comments=True)[len(program.split()) :]


def test_commands_of_rummyzoo_are_real() -> None:
    found = list(commands("rummyzoo"))
    assert len(found) > 2
    for _, (command, *rest) in found:
        assert command in COMMANDS
        module = import_module(f"rummyzoo.agents.commands.{command}")
        parser = Parser(command, module.__doc__)
        module.arguments(parser)
        parser.parse_args(rest)  # or WrongInput


def test_commands_of_training_are_real() -> None:
    tyro = pytest.importorskip("tyro")
    train = import_module("train")
    found = list(commands("python train.py"))
    assert len(found) > 2
    for _, rest in found:
        tyro.cli(train.Args, args=rest)  # or SystemExit


def test_targets_of_make_are_real() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    spoken_of = {
        word
        for text in TEXTS.values()
        for words in re.findall(r"(?:^|`)make ((?:[a-z]+ ?)+)", text, re.MULTILINE)
        for word in words.split()
    }
    assert "test" in spoken_of
    assert spoken_of <= set(targets)


# Links


@pytest.mark.parametrize("name", TEXTS)
def test_links_lead_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", TEXTS[name], flags=re.DOTALL))
    targets += re.findall(r"^\[[^\]]+\]: (\S+)$", TEXTS[name], re.MULTILINE)
    for target in targets:
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        assert file.exists(), target
        if anchor:
            assert anchor in anchors(file), target


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_number_of_rule_cases_is_right() -> None:
    cases = {}
    for folder in (ROOT / "tests" / "scenarios").iterdir():
        texts = [file.read_text("utf-8") for file in folder.glob("*.txt")]
        cases[folder.name] = sum(len(re.split(r"^===", t, flags=re.MULTILINE)) for t in texts)
    for name, text in TEXTS.items():
        for claimed in re.findall(r"[Oo]ver (\d+)(?: rule)? cases", text):
            game = Path(name).stem
            assert cases.get(game, sum(cases.values())) > int(claimed), name
    assert re.search(r"over \d+ rule cases", TEXTS["README.md"])
