"""The kernels' disk cache: right after an edit of another file, used when nothing changed."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import rummyzoo.envs.jit

HELPER = """
from rummyzoo.envs.jit import kernel
from rummyzoo.envs.numbers import OFFSET

@kernel
def helper(x):
    return x + OFFSET
"""
CALLER = """
from rummyzoo.envs.helper import helper
from rummyzoo.envs.jit import kernel

@kernel
def caller(x):
    return 2 * helper(x)
"""
RUN = """
import json
from rummyzoo.envs.caller import caller
from rummyzoo.envs.helper import helper

answer = caller(10)
stats = caller.stats if hasattr(caller, "stats") else None
print(json.dumps({
    "answer": answer,
    "loaded": stats and sum(stats.cache_hits.values()),
    "compiled": stats and sum(stats.cache_misses.values()),
    "path": stats and stats.cache_path,
}))
"""


class Tree:
    """A small copy of the package with two kernel files, and fresh processes that use it."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "source"
        self.cache = folder / "cache"
        envs = self.source / "rummyzoo" / "envs"
        envs.mkdir(parents=True)
        (self.source / "rummyzoo" / "agents").mkdir()
        (self.source / "rummyzoo" / "__init__.py").touch()
        (envs / "__init__.py").touch()
        shutil.copy(rummyzoo.envs.jit.__file__, envs / "jit.py")
        self.write("numbers", "OFFSET = 1\n")
        self.write("helper", HELPER)
        self.write("caller", CALLER)
        self.write("aec", "'''no kernel, and no kernel uses it'''\n")

    def write(self, name: str, text: str) -> None:
        (self.source / "rummyzoo" / "envs" / f"{name}.py").write_text(text)

    def start(self, code: str = RUN, **variables: str) -> subprocess.Popen[str]:
        env = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "PYTHON"))}
        env |= {"PYTHONPATH": str(self.source), "PYTHONDONTWRITEBYTECODE": "1"}
        env |= {"XDG_CACHE_HOME": str(self.cache), "LOCALAPPDATA": str(self.cache)}
        env |= {"HOME": str(self.cache)} | variables
        command = [sys.executable, "-W", "error", "-c", code]
        return subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def run(self, code: str = RUN, **variables: str) -> Any:
        return finish(self.start(code, **variables))

    def folders(self) -> list[str]:
        return sorted(path.name for path in self.cache.glob("**/rummyzoo/*"))


def finish(process: subprocess.Popen[str]) -> Any:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert not err
    return json.loads(out)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def test_second_process_loads_and_an_edit_of_another_file_counts(tree: Tree) -> None:
    first = tree.run()
    assert (first["answer"], first["loaded"], first["compiled"]) == (22, 0, 1)
    assert first["path"].startswith(str(tree.cache))
    again = tree.run()
    assert (again["answer"], again["loaded"], again["compiled"]) == (22, 1, 0)
    assert again["path"] == first["path"]

    tree.write("helper", HELPER.replace("x + OFFSET", "x - OFFSET"))
    edited = tree.run()
    assert (edited["answer"], edited["loaded"]) == (18, 0)
    tree.write("numbers", "OFFSET = 3\n")  # a constant, in a file without kernels
    assert tree.run()["answer"] == 14
    tree.write("aec", "'''another text'''\n")
    same = tree.run()
    assert (same["answer"], same["loaded"]) == (14, 1)

    tree.write("numbers", "OFFSET = 1\n")
    tree.write("helper", HELPER)
    back = tree.run()
    assert (back["answer"], back["loaded"], back["path"]) == (22, 1, first["path"])


def test_processes_at_the_same_time(tree: Tree) -> None:
    for answers in ([22, 22], [18, 18]):
        running = [tree.start() for _ in answers]
        assert [finish(process)["answer"] for process in running] == answers
        tree.write("helper", HELPER.replace("+", "-"))
    assert len(tree.folders()) == 2


def test_reloaded_modules_do_not_meet_old_code(tree: Tree) -> None:
    code = """
import importlib, json, pathlib
from rummyzoo.envs import caller, helper

assert caller.caller(10) == 22
path = pathlib.Path(helper.__file__)
path.write_text(path.read_text().replace("+", "-"))
for module in (helper, caller):
    importlib.reload(module)
print(json.dumps(caller.caller(10)))
"""
    assert tree.run(code) == 18
    assert tree.run()["answer"] == 18


def test_settings_that_change_code_have_their_own_folder(tree: Tree) -> None:
    plain = tree.run()
    checked = tree.run(NUMBA_BOUNDSCHECK="1")
    assert checked["loaded"] == 0
    assert checked["path"] != plain["path"]
    assert len(tree.folders()) == 2


def test_bounds_are_checked_on_demand(tree: Tree) -> None:
    tree.write("caller", CALLER.replace("2 * helper(x)", "x[helper(2)]"))
    code = """
import json, numpy
from rummyzoo.envs.caller import caller
try:
    caller(numpy.zeros(2))
except IndexError:
    print(json.dumps("checked"))
"""
    assert tree.run(code, NUMBA_BOUNDSCHECK="1") == "checked"


def test_plain_python_on_demand(tree: Tree) -> None:
    plain = tree.run(NUMBA_DISABLE_JIT="1")
    assert plain == {"answer": 22, "loaded": None, "compiled": None, "path": None}
    assert tree.folders() == []


def test_the_users_folder_is_respected(tree: Tree, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    first = tree.run(NUMBA_CACHE_DIR=str(mine))
    assert first["path"].startswith(str(mine / "rummyzoo"))
    assert tree.run(NUMBA_CACHE_DIR=str(mine))["loaded"] == 1
    assert tree.folders() == []


def test_compiles_where_nothing_can_be_written(tree: Tree) -> None:
    tree.cache.write_text("a file, where the folder should be")
    found = tree.run()
    assert (found["answer"], found["path"]) == (22, None)
    assert not list(tree.source.rglob("__pycache__"))


def test_imports_from_a_zip_file(tree: Tree, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "all"), "zip", tree.source)
    found = tree.run(PYTHONPATH=archive)
    assert (found["answer"], found["path"]) == (22, None)


@pytest.mark.parametrize(("days", "kept"), [(0, 20), (0.5, 14), (8, 7)])
def test_old_folders_are_dropped(tree: Tree, days: float, kept: int) -> None:
    """Those unused for a week go, but for the newest few."""
    base = tree.cache / "rummyzoo"
    for n in range(20):
        folder = base / f"{n:020x}"
        folder.mkdir(parents=True)
        os.utime(folder, (time.time() - 60 - (n if days < 8 else n + 1) * days * 24 * 3600,) * 2)
    (base / "not ours").mkdir()
    new = Path(tree.run(XDG_CACHE_HOME=str(tree.cache))["path"]).parent.name
    left = [new, *(f"{n:020x}" for n in range(kept))]
    assert tree.folders() == sorted([*left, "not ours"])


def test_options_and_functions_from_elsewhere(tree: Tree) -> None:
    code = """
import json
from rummyzoo.envs.jit import kernel

@kernel(boundscheck=True)
def own(x):
    return x + 1

print(json.dumps([own(1), own.stats.cache_path, own.targetoptions]))
"""
    answer, path, options = tree.run(code)
    assert (answer, path) == (2, None)
    assert options.items() >= {"nopython": True, "nogil": True, "boundscheck": True}.items()


def test_bound_kernels_are_loaded_too(tree: Tree) -> None:
    tree.write("one", "from .jit import kernel\n\n@kernel\ndef act(x):\n    return x + 1\n")
    tree.write("two", "from .jit import kernel\n\n@kernel\ndef act(x):\n    return x + 2\n")
    tree.write(
        "loops",
        """
from rummyzoo.envs import one, two
from rummyzoo.envs.jit import bind, kernel

act = outer = None

def repeat(n, x=0):
    for _ in range(n):
        x = act(x)
    return x

def twice(n):
    return outer(outer(n))

ones = bind(repeat, act=one.act)
twos = bind(repeat, act=two.act)
both = bind(twice, outer=twos)

def close(act):
    @kernel
    def closed(x):
        return act(x)

    return closed

closed = close(one.act)
""",
    )
    code = """
import json
from rummyzoo.envs.loops import both, closed, ones, twos
answers = [ones(5), twos(5), both(5), closed(5)]
hits = [sum(f.stats.cache_hits.values()) for f in (ones, twos, both) if hasattr(f, "stats")]
print(json.dumps([answers, hits, getattr(closed, "stats", None) and closed.stats.cache_path]))
"""
    answers = [5, 10, 20, 6]
    assert tree.run(code) == [answers, [0, 0, 0], None]
    files = sorted(tree.cache.rglob("*"))
    assert tree.run(code) == [answers, [1, 1, 1], None]
    assert sorted(tree.cache.rglob("*")) == files
    tree.write("two", "from .jit import kernel\n\n@kernel\ndef act(x):\n    return x + 3\n")
    assert tree.run(code)[0] == [5, 15, 45, 6]
    assert tree.run(code, NUMBA_DISABLE_JIT="1") == [[5, 15, 45, 6], [], None]


def test_bind_knows_its_names() -> None:
    def template(x: int) -> int:
        return x

    with pytest.raises(TypeError, match="does not use step"):
        rummyzoo.envs.jit.bind(template, step=template)


@pytest.mark.skipif(rummyzoo.envs.jit._config.DISABLE_JIT, reason="plain Python has no helpers")
def test_a_helper_is_no_function_of_python() -> None:
    from rummyzoo.envs import Table
    from rummyzoo.envs.state import left_of

    Table(seed=1).legal()  # kernels use it
    with pytest.raises(TypeError, match="called by kernels only"):
        left_of(2, 3)
    assert left_of.py_func(2, 3) == 0
