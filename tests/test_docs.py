"""The docs: they are built without a warning, what is broken stops them, and nothing public is
left without a description."""

import html
import inspect
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import nbformat
import pytest

from rummyzoo.envs import GAMES, actions, load_game, observation_layout

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))

pytest.importorskip("sphinx", reason="needs pip install '.[docs]'")


def build(source: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", *options, str(source), str(out)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=600)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The docs, built with warnings as errors."""
    out = tmp_path_factory.mktemp("docs")
    done = build(DOCS, out, "-W", "--keep-going")
    assert done.returncode == 0, done.stderr
    return out


def words(page: Path) -> str:
    """What a page shows, without its markup."""
    return re.sub(r"<[^>]*>", "", page.read_text("utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_a_game_shows_what_the_code_says(name: str, site: Path) -> None:
    page, game = site / "games" / f"{name}.html", load_game(name)
    markup, shown = page.read_text("utf-8"), words(page)
    for option in game.Rules._fields:
        assert f'id="option-{option.replace("_", "-")}"' in markup
    for preset in game.PRESETS:
        assert preset in shown
    for piece, part in observation_layout(name).items():
        assert f">{piece}</span>" in markup
        assert part.meaning.split(":")[0].replace("'", "’") in shown
    assert f"{len(actions(name))}" in shown
    assert f"{game.ENVIRONMENT}_v{game.VERSION}" in shown


@pytest.mark.slow
def test_what_is_public_is_in_the_reference(site: Path) -> None:
    pages = "".join(page.read_text("utf-8") for page in (site / "api").glob("*.html"))
    for name in (
        "table.Table.play",
        "table.Table.turn",
        "table.Meld",
        "aec.CardTableEnv.last",
        "vector.RummyVectorEnv.step",
    ):
        assert f'id="rummyzoo.envs.{name}"' in pages
    for name in ("base.Agent.act", "evaluate.duel", "sb3.RummyVecEnv.action_masks"):
        assert f'id="rummyzoo.agents.{name}"' in pages
    assert "What is to be done: one of the game’s" in "".join(map(words, (site / "api").iterdir()))
    assert ">Type<" not in pages  # no sentence was taken apart at its colon


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_a_page_with_its_outputs(path: Path, site: Path) -> None:
    page = site / "notebooks" / f"{path.stem}.html"
    shown, pictures = html.unescape(words(page)), 0
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", ()):
            assert output.get("text", "") in shown
            pictures += "image/png" in output.get("data", ())
    assert page.read_text("utf-8").count('src="../_images/') == pictures > 0
    assert f'href="notebooks/{path.stem}.html"' in (site / "index.html").read_text("utf-8")


BROKEN = {
    "a file that is not there": ("[x](nowhere.md)", "nowhere.md"),
    "a file outside docs/ that is not there": ("[x](../envs/nowhere.py)", "nowhere.py"),
    "a heading that is not there": ("[x](#no-such-heading)", "no-such-heading"),
    "an object that is not there": (
        "```{eval-rst}\n`rummyzoo.envs.table.Tabel`\n```",
        "rummyzoo.envs.table.Tabel",
    ),
    "a page in no table of contents": ("", "lost.md"),
    "a module that is not there": (
        "```{eval-rst}\n.. automodule:: rummyzoo.envs.tabel\n```",
        "'tabel'",
    ),
}


@pytest.mark.slow
def test_what_is_broken_is_found(tmp_path: Path) -> None:
    """With the configuration of the docs, in a page of its own."""
    source = tmp_path / "docs"
    source.mkdir()
    shutil.copy(DOCS / "conf.py", source)
    for folder in ("extensions", "static"):
        shutil.copytree(DOCS / folder, source / folder)
    page = "\n\n".join(["# Broken", *(text for text, _ in BROKEN.values())])
    (source / "index.md").write_text(page)
    (source / "lost.md").write_text("# Lost\n")
    done = build(source, tmp_path / "out", "-W", "--keep-going")
    assert done.returncode != 0
    for what, (_, name) in BROKEN.items():
        assert any("WARNING" in line and name in line for line in done.stderr.splitlines()), what


# What the reference lists


def listed() -> Iterator[tuple[str, list[str]]]:
    """The modules of the reference, and which of their members it shows ([]: all)."""
    for page in sorted((DOCS / "api").glob("*.md")):
        blocks = re.findall(
            r"^\.\. automodule:: ([\w.]+)\n(?: +:members:(.*)\n)?", page.read_text(), re.MULTILINE
        )
        for module, members in blocks:
            yield module, [name.strip() for name in members.split(",") if name.strip()]


LISTED = list(listed())
METHODS = (FunctionType, classmethod, staticmethod, property)


def described(module: str, members: list[str]) -> Iterator[tuple[str, Any]]:
    """What users call of a module, with the methods of its classes."""
    found = import_module(module)
    for name in members or [n for n in vars(found) if not n.startswith("_")]:
        target = getattr(found, name)
        if not members and getattr(target, "__module__", None) != module:
            continue
        if not inspect.isclass(target) and not inspect.isfunction(target):
            continue
        yield f"{module}.{name}", target
        if inspect.isclass(target):
            for key, value in inherited(target).items():
                if not key.startswith("_") and isinstance(value, METHODS):
                    yield f"{module}.{name}.{key}", getattr(target, key)


def inherited(target: type) -> dict[str, Any]:
    """What a class has of its own, and from other classes of the package."""
    ours = [c for c in target.__mro__ if c.__module__.startswith("rummyzoo.")]
    return {key: value for c in reversed(ours) for key, value in vars(c).items()}


@pytest.mark.parametrize(("module", "members"), LISTED, ids=[name for name, _ in LISTED])
def test_what_is_public_has_a_description(module: str, members: list[str]) -> None:
    assert import_module(module).__doc__
    bare = [name for name, target in described(module, members) if not inspect.getdoc(target)]
    assert not bare


@pytest.mark.parametrize("name", GAMES)
def test_every_option_has_a_description(name: str) -> None:
    rules = load_game(name).Rules
    source = inspect.getsource(rules)
    for option in rules._fields:
        assert re.search(rf'^    {option}: .*\n    """[A-Z]', source, re.MULTILINE), option
