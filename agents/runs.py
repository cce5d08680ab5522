"""The folder of a training run: files that are whole or not there, checkpoints, curve, record.

A file is written beside its place, flushed to the disk, and renamed: whenever the machine stops,
there is the old file or the new one. A checkpoint also carries a digest of its content, so that a
damaged one is known for what it is; the two newest are kept.
"""

import csv
import hashlib
import io
import os
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..envs.record import Recorder, read_record
from ..envs.record_lines import versions as versions_of
from ..envs.setting import Setting
from ..envs.table import Table
from .base import Agent, View, opinion_of
from .file_errors import make_folder
from .replay import game_text

_MAGIC = b"rummyzoo checkpoint 1\n"
_PACKAGES = (
    "numpy",
    "numba",
    "gymnasium",
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    "safetensors",
)


def write(path: Path, content: bytes | str) -> None:
    """Write a file so that it is there as a whole or, after a failure, as it was before."""
    data = content.encode() if isinstance(content, str) else content
    make_folder(path.parent)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException as error:
        if isinstance(error, OSError) and error.errno:
            error.filename = str(path)  # of the file beside it nobody has heard
        with suppress(OSError):
            beside.unlink()
        raise
    if hasattr(os, "O_DIRECTORY"):  # the rename itself: not on Windows
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def save_checkpoint(folder: Path, step: int, content: bytes, keep: int = 2) -> Path:
    """Write a checkpoint and drop the oldest beyond `keep`."""
    path = folder / "checkpoints" / f"{step:012d}.ckpt"
    digest = hashlib.sha256(content).hexdigest().encode()
    write(path, _MAGIC + digest + b"\n" + content)
    for old in [other for other in _checkpoints(folder) if other != path][keep - 1 :]:
        old.unlink(missing_ok=True)
    return path


def load_checkpoint(folder: Path) -> tuple[bytes | None, list[str]]:
    """The newest checkpoint that is whole (None: there is none), and a sentence for each that is
    not."""
    for left in (folder / "checkpoints").glob(".*.ckpt.*"):  # of a write that was cut short
        left.unlink(missing_ok=True)
    refused: list[str] = []
    for path in _checkpoints(folder):
        magic_and_digest, content = _parts(path.read_bytes())
        if magic_and_digest == _MAGIC + hashlib.sha256(content).hexdigest().encode():
            return content, refused
        path.replace(path.with_suffix(".damaged"))
        refused.append(f"{path} is damaged or cut off and is left out")
    return None, refused


def _parts(data: bytes) -> tuple[bytes, bytes]:
    end = len(_MAGIC) + 64
    return data[:end], data[end + 1 :]


def _checkpoints(folder: Path) -> list[Path]:
    return sorted((folder / "checkpoints").glob("*.ckpt"), reverse=True)


def versions() -> dict[str, str]:
    """What a run was made with."""
    return versions_of(*_PACKAGES) | {"system": platform.platform()}


def write_curve(folder: Path, rows: Sequence[Mapping[str, float]]) -> None:
    """Write the learning curve as ``curve.csv`` and draw it as ``curve.png``.

    Each row has ``decisions`` and ``seconds``, and for every opponent ``x``: ``x``, ``x_low`` and
    ``x_high``, the per cent of hands won with their interval.
    """
    if not rows:
        return
    text = io.StringIO()
    table = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    write(folder / "curve.csv", text.getvalue())

    from matplotlib.backends.backend_agg import FigureCanvasAgg  # draws without a screen
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), dpi=120, layout="constrained")
    axes = figure.subplots()
    at = [row["decisions"] / 1e6 for row in rows]
    for name in (key[:-4] for key in rows[0] if key.endswith("_low")):
        low, high = [row[f"{name}_low"] for row in rows], [row[f"{name}_high"] for row in rows]
        axes.plot(at, [row[name] for row in rows], marker=".", label=f"against {name}")
        axes.fill_between(at, low, high, alpha=0.2)
    axes.set(xlabel="decisions, millions", ylabel="hands won, %", ylim=(0, 100))
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    image = io.BytesIO()
    FigureCanvasAgg(figure).print_png(image)
    write(folder / "curve.png", image.getvalue())


def record_game(path: Path, where: Setting, players: Sequence[Agent], seed: int) -> str:
    """Let players play a hand (one for each seat) and record it with what they think.

    Args:
        path: of the record (see `rummyzoo.envs.record`); a file that is there is replaced.
        where: the game and its rules.
        players: by seat.
        seed: of the deal and of all chance.

    Returns:
        The hand as text, hidden cards too.
    """
    table = Table(where.game.NAME, seed, **where.rules._asdict())
    rng, thinking = np.random.default_rng(seed), np.random.default_rng(seed)
    with Recorder(path, table, [player.name for player in players], replace=True) as recorder:
        while recorder.table.over == "no":
            seat = int(recorder.table.state.turn)
            view = View.of(recorder.table, seat)
            thought = opinion_of(players[seat], view, thinking)._asdict()
            recorder.play(players[seat].act(view, rng), **thought)
    return game_text(read_record(path))


def parse_options(texts: Sequence[str]) -> dict[str, Any]:
    """Options from texts such as ``num_players=3``: numbers, true or false, none, or text.

    Raises:
        ValueError: a text without an equals sign, or an option that is given twice.
    """
    known = {"none": None, "true": True, "false": False}
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"{text!r} is not an option; options are written like num_players=3")
        if name in options:
            raise ValueError(f"{name} is given twice; give each option once")
        try:
            options[name] = known[value.lower()] if value.lower() in known else _number(value)
        except ValueError:
            options[name] = value
    return options


def _number(text: str) -> float:
    try:
        return int(text)
    except ValueError:
        return float(text)
