"""The record of a tournament on its way: one line for each finished unit of work.

``units.jsonl`` begins with the plan; then come the units as they were finished, which with several
processes is in no fixed order. Each line carries a checksum, so that one that was cut off or
damaged is known for what it is. ``times.jsonl`` beside it has what differs from run to run: how
long the players thought.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from .arena import Block
from .batch import NOTES
from .file_errors import make_folder
from .runs import write
from .schedule import Unit

UNITS, TIMES = "units.jsonl", "times.jsonl"

Key = tuple[int, int]
"""A unit: the numbers of its lineup and of its block."""


class Journal:
    """The record of a tournament in a folder.

    Args:
        folder: an existing record, a new folder, or an empty one.
        plan: what is to be played, as JSON has it.
        units: all units of the plan.

    Attributes:
        done: the units that are finished.
        seconds, decisions: of these, what each player took, by name.
        notices: sentences for the user, where something was amiss.

    Raises:
        ValueError: the folder holds something else, another tournament, or one that another process
            is playing; says which.
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path, plan: Mapping[str, Any], units: Sequence[Unit]) -> None:
        self.folder = folder
        self.done: dict[Key, Block] = {}
        self.seconds: dict[str, float] = {}
        self.decisions: dict[str, int] = {}
        self.notices: list[str] = []
        self._path = folder / UNITS
        self._units = {unit.key: unit for unit in units}
        self._places = len(plan["lineups"][0])
        if folder.exists() and not folder.is_dir():
            raise ValueError(f"{folder} is a file, not a folder")
        if not self._path.exists() and folder.exists() and any(folder.iterdir()):
            raise ValueError(f"{folder} holds other things; name a new or an empty folder")
        make_folder(folder)
        self._file: IO[bytes] = open(self._path, "ab")  # noqa: SIM115
        try:
            _lock(self._file, folder)
            self._read(plan)
        except BaseException:
            self._file.close()
            raise
        self._times = open(folder / TIMES, "a", encoding="utf-8")  # noqa: SIM115

    def add(
        self, key: Key, block: Block, seconds: Mapping[str, float], decisions: Mapping[str, int]
    ) -> None:
        """Write down a finished unit."""
        self._file.write(_line({"unit": list(key), **_packed(block)}))
        self._file.flush()
        time = {"unit": list(key), "seconds": dict(seconds), "decisions": dict(decisions)}
        self._times.write(json.dumps(time) + "\n")
        self._times.flush()

    def close(self) -> None:
        """Let go of the files."""
        self._file.close()
        self._times.close()

    def _read(self, plan: Mapping[str, Any]) -> None:
        """Read what is there; leave out what is damaged."""
        *lines, rest = self._path.read_bytes().split(b"\n")  # rest: of a line that was cut off
        if not lines and _line({}).startswith(rest[:8]):  # nothing yet, or not even the plan
            self._file.truncate(0)
            self._file.write(_line({"plan": dict(plan)}))
            self._file.flush()
            return
        header = _parsed(lines[0]) if lines else None
        if header is None or "plan" not in header:
            raise ValueError(
                f"{self._path} is not the record of a tournament, or its first line is damaged"
            )
        _compare(header["plan"], plan, self.folder)
        good = lines[:1]
        for line in lines[1:]:
            says = _parsed(line)
            found = None if says is None else self._unpacked(says)
            if found is not None:
                self.done[found[0]] = found[1]
                good.append(line)
        bad = len(lines) - len(good) + bool(rest)
        if bad:
            what = f"{bad} damaged or unfinished line{'s' if bad > 1 else ''}"
            self.notices.append(f"{self._path}: {what} left out; that part is played again")
            self._file.close()
            write(self._path, b"\n".join(good) + b"\n")
            self._file = open(self._path, "ab")  # noqa: SIM115
            _lock(self._file, self.folder)
        self._read_times()

    def _read_times(self) -> None:
        path = self.folder / TIMES
        lines = path.read_text("utf-8", errors="replace").splitlines() if path.exists() else []
        for line in lines:
            try:
                time = json.loads(line)
                if tuple(time["unit"]) in self.done:
                    for name, value in time["seconds"].items():
                        self.seconds[name] = self.seconds.get(name, 0.0) + float(value)
                        made = int(time["decisions"][name])
                        self.decisions[name] = self.decisions.get(name, 0) + made
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # no result depends on it

    def _unpacked(self, says: Mapping[str, Any]) -> tuple[Key, Block] | None:
        """A unit of the plan as a line says it; None if it is none."""
        try:
            key = (int(says["unit"][0]), int(says["unit"][1]))
            shape = (len(self._units[key].deals), self._places, self._places)
            cut, fouls = np.zeros(shape[:2], bool), np.zeros(shape, bool)
            cut.ravel()[says["cut"]] = True
            fouls.ravel()[says["fouls"]] = True
            scores = np.array(says["scores"], np.int64).reshape(shape)
            notes = np.array(says["notes"], np.int64).reshape(self._places, NOTES)
            return key, Block(scores, cut, fouls, notes, int(says["hands"]))
        except (KeyError, IndexError, TypeError, ValueError):
            return None


def _packed(block: Block) -> dict[str, Any]:
    return {
        "scores": block.scores.tolist(),
        "cut": np.flatnonzero(block.cut).tolist(),
        "fouls": np.flatnonzero(block.fouls).tolist(),
        "notes": block.notes.tolist(),
        "hands": block.hands,
    }


def _line(says: Mapping[str, Any]) -> bytes:
    text = json.dumps(says, separators=(",", ":"))
    return b'{"crc":"%08x",' % zlib.crc32(text.encode()) + text[1:].encode() + b"\n"


def _parsed(line: bytes) -> dict[str, Any] | None:
    """What a line says, if it is as it was written."""
    head, text = line[:18], b"{" + line[18:]
    if head != b'{"crc":"%08x",' % zlib.crc32(text):
        return None
    found: dict[str, Any] = json.loads(text)
    return found


def _compare(theirs: Mapping[str, Any], ours: Mapping[str, Any], folder: Path) -> None:
    """Refuse a folder with another tournament."""
    for name in ours:
        if theirs.get(name) != ours[name]:
            a, b = theirs.get(name), ours[name]
            if isinstance(a, dict) and isinstance(b, dict):
                name = next(key for key in b if a.get(key) != b[key])
                a, b = a.get(name), b[name]
            said = f" ({name}={a!r} and not {b!r})" if len(f"{a}{b}") < 100 else f" (its {name})"
            raise ValueError(f"{folder} holds another tournament{said}; name another folder")


def _lock(file: IO[bytes], folder: Path) -> None:
    """Keep other processes out, where the system can; it forgets when the process ends."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ValueError(f"another process is playing the tournament in {folder}") from None
