"""Docstrings as they are written in the code, made ready for Sphinx.

An indented block below an empty line is code. The fields of a NamedTuple that say nothing of their
own are left out, as the section ``Attributes`` of the class describes them; so are the arguments
of protocols.
"""

from typing import Any

from sphinx.application import Sphinx

ALIAS = "Alias for field number"
VALUES = ("property", "attribute", "data")


def mark_code(
    app: Sphinx, what: str, name: str, target: Any, options: Any, lines: list[str]
) -> None:
    """Put a directive before each block of code."""
    marked: list[str] = []
    above = ""  # the last line at the margin, "" within a block
    for n, line in enumerate(lines):
        begins = line.startswith("    ") and n > 0 and not lines[n - 1].strip()
        if begins and above and not above.endswith("::"):
            marked += [".. code-block:: python", ""]
        if line.strip():
            above = line if not line.startswith(" ") else ""
        marked.append(line)
    if what in VALUES:  # or what stands before a colon in the first line would be read as a type
        marked[:0] = ["..", ""]
    lines[:] = marked


def skip_aliases(
    app: Sphinx, what: str, name: str, target: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out fields without a description."""
    return True if (getattr(target, "__doc__", None) or "").startswith(ALIAS) else None


def hide_call_of_protocols(
    app: Sphinx, what: str, name: str, target: Any, options: Any, *signature: str | None
) -> tuple[str, None] | None:
    """Show no arguments of a class that is never called."""
    return ("", None) if getattr(target, "_is_protocol", False) else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect; before the extension that reads ``Args`` and ``Raises``."""
    app.connect("autodoc-process-docstring", mark_code, priority=100)
    app.connect("autodoc-skip-member", skip_aliases)
    app.connect("autodoc-process-signature", hide_call_of_protocols)
    return {"parallel_read_safe": True}
