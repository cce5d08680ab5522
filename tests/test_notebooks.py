"""The notebooks run from top to bottom, and show on the web what they do: they are kept with their
outputs.

``UPDATE_GOLDEN=1`` (``make notebooks``) runs them in full and writes the outputs anew.
"""

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SMALL = {"STEPS": "6000", "DEALS": "40"}
"""Settings that the notebooks read, for tests; what depends on them is not compared."""
MOST_BYTES = 400_000
UPDATE = os.environ.get("UPDATE_GOLDEN") == "1"


def test_there_are_notebooks() -> None:
    assert [path.stem[:2] for path in NOTEBOOKS] == ["01", "02", "03", "04"]


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def printed(cell: Any) -> str:
    """What a cell shows as text."""
    outputs = [output for output in cell.outputs if output.output_type != "display_data"]
    return "".join(output.get("text") or output.data.get("text/plain", "") for output in outputs)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = nbformat.read(path, as_version=4)
    reads_settings = any(name in cell.source for cell in code_cells(kept) for name in SMALL)
    for name, value in {} if UPDATE else SMALL.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("MPLBACKEND", raising=False)  # pictures go into the notebook
    new = nbformat.read(path, as_version=4)
    NotebookClient(new, timeout=600, kernel_name="python3", record_timing=False).execute(
        cwd=str(FOLDER)
    )
    assert not complaints(new)
    if UPDATE:
        new.metadata.language_info = {"name": "python"}
        path.write_text(nbformat.writes(new) + "\n", encoding="utf-8")
    elif not reads_settings:
        for before, after in zip(code_cells(kept), code_cells(new), strict=True):
            assert printed(before) == printed(after), "make notebooks writes it anew"


def complaints(notebook: Any) -> list[str]:
    """Warnings and errors among the outputs."""
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    return [str(o) for o in outputs if o.output_type == "error" or o.get("name") == "stderr"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_kept_with_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert sum(bool(cell.outputs) for cell in cells) > len(cells) / 2
    assert not complaints(notebook)
    text = "".join(map(printed, cells))
    assert not re.search(
        r"site-packages|(?<![\w.])/(?:home|root|tmp|work|Users)/|0x[0-9a-f]{6}", text
    )
    assert path.stat().st_size < MOST_BYTES
