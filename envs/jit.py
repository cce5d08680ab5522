"""The one place that configures Numba.

A function under ``@kernel`` is compiled once and kept on disk. Numba's own cache looks at the file
of that function only, while its machine code also holds the helpers and the constants that it took
from other files: after an edit of a helper, or an upgrade, it would run stale code. Here the cache
folder is therefore named by a digest of all kernel sources, of the versions of Python, NumPy and
Numba, and of the Numba settings that change code.

The folder is ``rummyzoo/<digest>`` below ``NUMBA_CACHE_DIR`` or the user's cache folder; the few
newest are kept, and those used in the last week. Where nothing can be written, kernels are compiled
in every process.
"""

import hashlib
import os
import re
import shutil
import sys
import threading
import time
import types
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
import numpy as np

_config: Any = numba.config
_F = TypeVar("_F", bound=Callable[..., Any])

# Without NRT there is nothing to count references with: no kernel may allocate, and Numba says so
# when it compiles one that does. With NumPy's error model a division has no branch for zero.
# `forceinline` is said for each kernel, since else those that one calls would inherit it.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "forceinline": False,
}

_PACKAGE = "rummyzoo"
_ROOT = Path(__file__).parent.parent  # the folder of the package, or src/rummyzoo in a checkout
_KEEP = 8  # cache folders that outlive the making of a new one,
_WEEK = 7 * 24 * 3600  # and all that a process has begun to use since so many seconds

_KERNEL = re.compile(r"^\s*@(?:\w+\.)?(?:kernel|helper)\b", re.MULTILINE)
_IMPORT = re.compile(
    r"^(?:from\s+(\.*[\w.]*)\s+import\s+(\([^)]*\)|[^\n#]+)|import\s+([\w.]+))", re.MULTILINE
)

_lock = threading.Lock()
_sources: dict[str, tuple[int, int, bytes]] = {}  # file -> mtime, size, hash; as it was loaded


@overload
def kernel(function: _F, /) -> _F: ...
@overload
def kernel(**options: Any) -> Callable[[_F], _F]: ...
def kernel(function: Any = None, /, **options: Any) -> Any:
    """Compile a function with Numba, without the interpreter lock and with a safe disk cache.

    Use it plain (``@kernel``) or with options of ``numba.njit``: ``@kernel(forceinline=True)`` for
    one that is little more than a call, so that its arguments need not be handed on (an array is
    seven of them).
    With ``NUMBA_DISABLE_JIT=1`` the function stays plain Python. Functions from outside this
    package are compiled but not cached, since edits of their helpers would go unnoticed; nor are
    functions that hold kernels in a closure (use `bind`).
    """
    if function is None:
        return lambda f: kernel(f, **options)
    if _config.DISABLE_JIT:
        return function
    options = _OPTIONS | options
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    if function.__module__.startswith(_PACKAGE + ".") and not any(map(_is_kernel, cells)):
        with _lock:
            folder = _cache_folder(function.__code__.co_filename)
            compiled = folder and _cached(function, folder, options)
        if compiled:
            return compiled
    return numba.njit(**options)(function)


def helper(function: Any = None, /, **options: Any) -> Any:
    """A kernel that only other kernels call: without the wrappers that Python would call it by.

    They take a good part of the time of compiling. Called from Python, a helper is a TypeError;
    ``helper.py_func`` is the plain function. The options are those of `kernel`.
    """
    if function is None:
        return lambda f: helper(f, **options)
    compiled: Any = kernel(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function)
    if _config.DISABLE_JIT:
        return compiled

    def refuse(*args: Any, **kwargs: Any) -> None:
        name = function.__name__
        raise TypeError(f"{name} is called by kernels only; from Python call {name}.py_func")

    # Numba would enter the missing wrapper among what Python may call, and crash on the call.
    compiled._insert = lambda *entry, **more: None
    compiled._compile_for_args = refuse
    return compiled


def bind(template: _F, *, forceinline: bool = False, **kernels: Any) -> _F:
    """A kernel with the code of `template`, in which the given global names are the given kernels.

    So one loop serves many games, and many kinds of player. Numba offers closures and arguments
    for that, but machine code that got its callees in this way is compiled in every process: there
    is nothing by which another process could know them. Here they are known by their names.

        step = None  # in a module of the package

        def run(states, action):
            for i in range(len(states)):
                step(states, i, action)

        run_rummy500 = bind(run, step=rummy500.step)
    """
    plain = {name: getattr(value, "py_func", value) for name, value in kernels.items()}
    names = sorted((name, f.__module__, f.__qualname__) for name, f in plain.items())
    if unknown := kernels.keys() - set(template.__code__.co_names):
        raise TypeError(f"{template.__qualname__} does not use {', '.join(sorted(unknown))}")
    scope = template.__globals__ | kernels
    function = types.FunctionType(template.__code__, scope, template.__name__)
    function.__defaults__, function.__doc__ = template.__defaults__, template.__doc__
    tag = hashlib.sha256(repr(names).encode()).hexdigest()[:12]
    function.__qualname__ = f"{template.__qualname__}_{tag}"  # names the file in the cache
    return kernel(forceinline=forceinline)(function)  # type: ignore[return-value]


def _is_kernel(thing: object) -> bool:
    return hasattr(thing, "py_func")


def _cached(function: Callable[..., Any], folder: str, options: dict[str, Any]) -> Any:
    """The function compiled with its cache in `folder`; None where Numba would not use that."""
    before = _config.CACHE_DIR
    _config.CACHE_DIR = folder  # read while the decorator runs, and never again
    try:
        compiled = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no place for a cache, as for a module without a source file
        return None
    finally:
        _config.CACHE_DIR = before
    return compiled if str(compiled.stats.cache_path).startswith(folder) else None


def _cache_folder(file: str) -> str | None:
    """The folder for a kernel that was just loaded from `file`, or None if there can be none."""
    try:
        if not _sources:
            _sources.update({str(path): _stamp(path) for path in _kernel_files(_ROOT)})
        # A file may be edited and loaded (or loaded again) long after the first kernel was: what
        # counts is the text that this process runs, not the one on disk now.
        mtime, size, _ = _sources.get(file, (0, 0, b""))
        found = os.stat(file)
        if (found.st_mtime_ns, found.st_size) != (mtime, size):
            _sources[file] = _stamp(Path(file))
        base = _config.CACHE_DIR or _user_cache()
    except (OSError, RuntimeError, UnicodeDecodeError):  # a zip file, no home folder
        return None
    return _prepare(os.path.join(base, _PACKAGE), _digest())


def _digest() -> str:
    """Name of everything that compiled code depends on."""
    settings = (_config.BOUNDSCHECK, _config.OPT, _config.DEBUGINFO_DEFAULT, _config.LOOP_VECTORIZE)
    what = (sys.version, np.__version__, numba.__version__, settings)
    digest = hashlib.sha256(repr(what).encode())
    for path, (_, _, content) in sorted(_sources.items()):
        digest.update(path.removeprefix(str(_ROOT)).encode() + b"\0" + content)
    return digest.hexdigest()[:20]


@cache
def _prepare(base: str, name: str) -> str | None:
    """Make the folder and drop old ones; None if it cannot be written."""
    folder = os.path.join(base, name)
    try:
        is_new = not os.path.isdir(folder)
        os.makedirs(folder, exist_ok=True)
        if not os.access(folder, os.W_OK):
            return None
        os.utime(folder)  # in use now
        if is_new:
            others = [e for e in os.scandir(base) if re.fullmatch(r"[0-9a-f]{20}", e.name)]
            others.sort(key=lambda e: e.stat().st_mtime, reverse=True)
            for entry in others[_KEEP:]:
                if entry.stat().st_mtime > time.time() - _WEEK:
                    continue  # a long training may be at work with it
                # Another process may still use it: Numba then makes it anew.
                shutil.rmtree(entry.path, ignore_errors=True)
    except FileNotFoundError:  # another process dropped the same folders
        pass
    except OSError:
        return None
    return folder


def _user_cache() -> str:
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return str(Path.home() / "Library" / "Caches")
    return os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")


def _stamp(path: Path) -> tuple[int, int, bytes]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size, hashlib.sha256(path.read_bytes()).digest()


def _kernel_files(root: Path) -> set[Path]:
    """All files with kernels, this file, and all files of the package that they import."""
    folders = (root / "envs", root / "agents")
    texts = {path: path.read_text("utf-8") for d in folders for path in d.rglob("*.py")}
    this = root / "envs" / "jit.py"
    texts[this] = this.read_text("utf-8")
    todo = {this} | {path for path, text in texts.items() if _KERNEL.search(text)}
    found: set[Path] = set()
    while todo:
        path = todo.pop()
        found.add(path)
        todo |= _imports(root, path, texts) - found
    return found


def _imports(root: Path, path: Path, texts: dict[Path, str]) -> set[Path]:
    """The files among `texts` from which the module at `path` imports names."""
    files = set()
    for base, names, module in _IMPORT.findall(texts[path]):
        dotted = base or module
        parts = [part for part in dotted.split(".") if part]
        dots = len(dotted) - len(dotted.lstrip("."))
        if dots:
            folder = path.parents[dots - 1]
        elif parts[0] == _PACKAGE:
            folder, parts = root, parts[1:]
        else:
            continue
        target = folder.joinpath(*parts)
        wanted = re.findall(r"\w+", re.sub(r"\bas\s+\w+", "", names))
        modules = [f for name in wanted for f in _files(target / name) if f in texts]
        files.update(modules)
        if len(modules) < len(wanted) or not wanted:  # some names come from the target itself
            files.update(f for f in _files(target) if f in texts)
    return files


def _files(module: Path) -> tuple[Path, Path]:
    return module.with_suffix(".py"), module / "__init__.py"
