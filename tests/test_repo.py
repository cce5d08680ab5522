"""The checkout itself: what is packaged, which module may import which, what an import does."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("envs", "agents")

# A module imports from its own line and from those above it. The modules of a game count as
# envs.games; only the two packages themselves are not named.
LAYERS = [
    ["envs.jit"],
    ["envs.cards", "envs.chance", "envs.machine", "envs.numbers", "envs.rules", "envs.saving"],
    ["envs.bits"],
    ["envs.kit"],
    ["envs.state"],
    ["envs.deal", "envs.hands"],
    ["envs.fused", "envs.match", "envs.melds", "envs.observe", "envs.plays"],
    ["envs.games"],
    ["envs.layout", "envs.rewards", "envs.setting"],
    ["envs.card_faces"],
    ["envs.full_state", "envs.given", "envs.picture", "envs.position", "envs.render", "envs.text"],
    ["envs.facts"],
    ["envs.table"],
    ["envs.record", "envs.record_lines", "envs.record_reading"],
    ["envs.episode", "envs.learner", "envs.scenario"],
    ["envs.recording"],
    ["envs.aec", "envs.single", "envs.vector", "envs.wrappers"],
    ["envs.check", "envs.gin_rummy_v0", "envs.registration", "envs.rummy500_v0", "envs.rummy_v0"],
    ["agents.base", "agents.batch", "agents.file_errors", "agents.policies"],
    ["agents.replay", "agents.suits"],
    ["agents.match_records"],
    ["agents.heuristics"],
    ["agents.values"],
    ["agents.rollouts"],
    ["agents.arena", "agents.evaluate", "agents.learned", "agents.lessons", "agents.random"],
    ["agents.opponents", "agents.ratings", "agents.runs", "agents.sb3", "agents.search"],
    ["agents.cheating_oracle"],
    ["agents.selfplay"],
    ["agents.schedule", "agents.standings"],
    ["agents.journal", "agents.report"],
    ["agents.tournament"],
    ["agents.terminal"],
    ["agents.commands"],
    ["agents.cli"],
    ["train"],
]
USERS_OF_TORCH = {"agents.learned", "agents.sb3", "agents.selfplay", "train"}
LEARNING_PACKAGES = {"torch", "stable_baselines3", "sb3_contrib", "tensorboard"}


def module_files() -> dict[str, Path]:
    """All modules by dotted name below rummyzoo (packages by their own name), and train."""
    files = {}
    for path in (p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    if (ROOT / "train.py").exists():
        files["train"] = ROOT / "train.py"
    return files


MODULES = module_files()


def imports(name: str, inside_functions: bool) -> Iterator[str]:
    """What a module imports: other modules of ours as in MODULES, others by their full name."""
    path = MODULES[name]
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    todo: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("rummyzoo.") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            base = re.sub(r"^rummyzoo(\.|$)", "", base)
            names = {f"{base}.{alias.name}".lstrip(".") for alias in node.names}
            modules = names & MODULES.keys()
            yield from modules
            if modules != names:
                yield base
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            todo += node.orelse
        elif inside_functions or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            todo += ast.iter_child_nodes(node)


def layer(name: str) -> int | None:
    for number, names in enumerate(LAYERS):
        if name in names or any(name.startswith(f"{package}.") for package in names):
            return number
    return None


@pytest.mark.parametrize("name", MODULES)
def test_imports_run_one_way(name: str) -> None:
    own = layer(name)
    assert own is not None or name in FOLDERS, f"{name} has no place in LAYERS"
    for other in set(imports(name, inside_functions=False)) & MODULES.keys():
        assert not (name.startswith("envs") and other.startswith(("agents", "train"))), other
        theirs = layer(other)
        if own is not None and theirs is not None:
            assert theirs <= own, f"{name} imports {other}"


def test_no_cycles() -> None:
    graph = {
        name: {other for other in imports(name, inside_functions=False) if other in MODULES}
        for name in MODULES
    }
    while graph:
        free = {name for name, others in graph.items() if not (others - {name}) & graph.keys()}
        assert free, f"these import each other: {sorted(graph)}"
        graph = {name: others for name, others in graph.items() if name not in free}


@pytest.mark.parametrize("name", MODULES)
def test_heavy_packages_stay_where_they_belong(name: str) -> None:
    anywhere = {other.split(".")[0] for other in imports(name, inside_functions=True)}
    if name not in USERS_OF_TORCH:
        assert not anywhere & LEARNING_PACKAGES
    on_import = {other.split(".")[0] for other in imports(name, inside_functions=False)}
    assert "pygame" not in on_import


def test_importing_does_nothing_else(tmp_path: Path) -> None:
    names = [name for name in MODULES if name not in USERS_OF_TORCH]
    code = f"""
import importlib, json, os, random, signal, sys, threading, warnings
import numpy, numba, gymnasium, pettingzoo
def world():
    return [dict(os.environ), os.getcwd(), random.getstate(), str(numpy.random.get_state()),
            threading.active_count(), str(signal.getsignal(signal.SIGINT)), numpy.geterr(),
            numba.config.CACHE_DIR, str(warnings.filters)]
before = world()
for name in {names}:
    importlib.import_module("rummyzoo." + name)
assert world() == before
print(json.dumps(sorted(sys.modules)))
"""
    done = run(sys.executable, "-W", "error", "-c", code, cwd=tmp_path)
    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}  # so nothing else was printed
    assert not loaded & (LEARNING_PACKAGES | {"pygame", "matplotlib", "tyro", "IPython"})
    assert not list(tmp_path.iterdir())


def run(*command: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | variables
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_are_not_imported_by_a_second_name(folder: str, tmp_path: Path) -> None:
    code = f"import {folder}"
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert f"import rummyzoo.{folder}, not {folder}" in done.stderr


# Packaging


def test_all_packages_are_listed() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    packages = {"rummyzoo"}
    for folder in FOLDERS:
        holders = {path.parent for path in (ROOT / folder).rglob("*.py")}
        packages |= {"rummyzoo." + ".".join(d.relative_to(ROOT).parts) for d in holders}
    assert set(listed["packages"]) == packages
    for package in packages - {"rummyzoo"}:
        assert ROOT.joinpath(*package.split(".")[1:], "__init__.py").exists()


def listed_by_git(*options: str) -> list[Path]:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    done = run("git", "ls-files", "-z", *options, cwd=ROOT)
    paths = [ROOT / name for name in done.stdout.split("\0") if name]
    return [path for path in paths if path.exists() or path.is_symlink()]


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with sdist and wheel, built from a clean copy of the checkout."""
    copy = tmp_path_factory.mktemp("copy")
    for path in listed_by_git("--cached", "--others", "--exclude-standard"):
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target, follow_symlinks=False)
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(copy)]
    run(*build, cwd=out)
    return out


@pytest.mark.slow
def test_wheel_and_sdist_hold_every_module(distribution: Path) -> None:
    modules = {p.relative_to(ROOT).as_posix() for n, p in MODULES.items() if n != "train"}
    numbers = {p.relative_to(ROOT).as_posix() for p in (ROOT / "agents" / "values").glob("*.npz")}
    wheel = zipfile.ZipFile(next(distribution.glob("*.whl"))).namelist()
    inside = {name for name in wheel if ".dist-info/" not in name}
    package = {"rummyzoo/__init__.py", "rummyzoo/py.typed"}
    assert {name for name in inside if name.endswith(".py") or name in package} == package | {
        f"rummyzoo/{name}" for name in modules
    }
    assert numbers
    assert {f"rummyzoo/{name}" for name in numbers} <= inside
    assert any(name.endswith("licenses/LICENSE") for name in wheel)
    tracked = (path.relative_to(ROOT).as_posix() for path in listed_by_git())
    data = {n for n in tracked if n.startswith(("envs/", "agents/")) and not n.endswith(".py")}
    assert {f"rummyzoo/{name}" for name in data} <= inside

    with tarfile.open(next(distribution.glob("*.tar.gz"))) as sdist:
        files = {name.partition("/")[2] for name in sdist.getnames()}
    assert modules | numbers <= files
    assert {"LICENSE", "README.md", "pyproject.toml", "src/rummyzoo/py.typed"} <= files


@pytest.mark.slow
def test_installed_wheel_imports_every_module(distribution: Path, tmp_path: Path) -> None:
    """In an environment of its own, which sees the dependencies but not this checkout."""
    venv = tmp_path / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", str(venv), cwd=tmp_path)
    python = str(next(path for path in venv.glob("*/python*") if path.stem == "python"))
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(run(python, "-c", where, cwd=tmp_path).stdout.strip())
    zipfile.ZipFile(next(distribution.glob("*.whl"))).extractall(site)
    (site / "dependencies.pth").write_text(run(sys.executable, "-c", where, cwd=tmp_path).stdout)

    code = f"""
import importlib
from importlib.metadata import version
import rummyzoo
for name in {[name for name in MODULES if name != "train"]}:
    module = importlib.import_module("rummyzoo." + name)
    assert module.__file__.startswith({str(site)!r}), module.__file__
assert version("rummyzoo") == rummyzoo.__version__
"""
    run(python, "-c", code, cwd=tmp_path)


def test_entry_points_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for target in project.get("scripts", {}).values():
        module, _, function = target.partition(":")
        path = MODULES[module.removeprefix("rummyzoo.")]
        defined = [n.name for n in ast.parse(path.read_text("utf-8")).body if hasattr(n, "name")]
        assert function in defined


# Files


def test_lock_is_portable() -> None:
    lines = (ROOT / "requirements" / "lock.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    for line in pins:
        assert re.fullmatch(r"[a-z0-9.-]+==[\w.]+( ; [\w\s.<>=!'()]+)?", line), line
    names = {line.partition("==")[0] for line in pins}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for wanted in (project["dependencies"], *project["optional-dependencies"].values()):
        assert {re.split(r"[^\w-]", text)[0].lower() for text in wanted} <= names


def test_no_paths_of_one_machine() -> None:
    start = r"(?<![\w./~$}>-])/"  # an absolute path, not the end of another or of an address
    folders = re.compile(start + r"(?:work|tmp|root|home|Users|opt|mnt)\b")
    found = []
    for path in listed_by_git():
        if path.is_symlink():
            assert not os.path.isabs(os.readlink(path)), path
        elif path.suffix not in {".png", ".gif", ".jpg", ".safetensors", ".npz"}:
            text = path.read_text("utf-8")
            found += [f"{path.relative_to(ROOT)}: {m[0]}" for m in folders.finditer(text)]
    assert not found


def test_make_targets_of_ci_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    for name in (".ci/run", ".github/workflows/ci.yml", ".pre-commit-config.yaml"):
        text = (ROOT / name).read_text("utf-8")
        for line in re.findall(r"(?:run: |entry: |^)make ([a-z ]+)", text, re.MULTILINE):
            assert set(line.split()) <= targets
