"""References: what the single backticks of docstrings mean, and links to files of the repository.

In docstrings a name in single backticks is whatever is near: an object of the same module or class,
a parameter, an option of the game. It becomes a link where the object is documented, and stays a
name in code otherwise; but a full name (``rummyzoo....``) must exist, or the build fails. So must
the types in signatures, as far as they are ours.
"""

import re
from importlib import import_module
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode

from rummyzoo.envs import GAMES, load_game

from .game_pages import option_id

PACKAGE = "rummyzoo"

PAGES = {
    "benchmarks/speed.md": "benchmarks/speed.md",
    "benchmarks/training.md": "benchmarks/training.md",
    "benchmarks/strength.md": "benchmarks/strength.md",
    "benchmarks/openspiel_gin.md": "benchmarks/openspiel_gin.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
"""Files of the repository that are pages of the docs as well."""


def find(name: str) -> Any:
    """The object of a full name; None if there is none."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            if not hasattr(found, part):
                return None
            found = getattr(found, part)
        return found
    return None


def identity(target: Any) -> str | None:
    """Where an object was defined, as a full name."""
    name = getattr(target, "__qualname__", None)
    return f"{target.__module__}.{name}" if name and hasattr(target, "__module__") else None


def resolve(app: Sphinx, env: Any, node: Any, shown: nodes.Element) -> nodes.Node | None:
    """What to do with a reference that Sphinx itself finds no object for."""
    if node.get("refdomain") != "py":
        return None
    target, page = node["reftarget"], node["refdoc"]
    game = page.rpartition("/")[2]
    if game in GAMES and target in load_game(game).Rules._fields:
        return make_refnode(app.builder, page, page, option_id(target), shown)
    around = [node.get("py:module"), node.get("py:class")]
    scopes = [".".join(filter(None, around)), around[0] or "", ""]
    for scope in scopes:
        found = find(f"{scope}.{target}" if scope else target)
        if found is not None and (name := identity(found)) is not None:
            link = documented(app, env, page, name, shown)
            if link is not None:
                return link
    if target.startswith(f"{PACKAGE}.") and find(target) is None:
        return None  # which Sphinx warns of
    if node["reftype"] == "class" and is_ours(scopes, target):
        return None
    return shown


def is_ours(scopes: list[str], target: str) -> bool:
    """Whether a type in a signature is one of the package."""
    for scope in scopes:
        found = find(f"{scope}.{target}" if scope else target)
        if found is not None:
            return bool(re.match(rf"{PACKAGE}\b", getattr(found, "__module__", "")))
    return False


def documented(app: Sphinx, env: Any, page: str, name: str, shown: Any) -> nodes.Node | None:
    """A link to the object of this identity, by whatever name it is documented."""
    domain = env.get_domain("py")
    for known, entry in domain.objects.items():
        if known == name or (
            known.rpartition(".")[2] == name.rpartition(".")[2] and identity(find(known)) == name
        ):
            return make_refnode(app.builder, page, entry.docname, entry.node_id, shown, known)
    return None


def link_to_pages(app: Sphinx, page: str, source: list[str]) -> None:
    """Let links to files of the repository lead to the pages that show them."""
    up = "../" * page.count("/")

    def link(match: re.Match[str]) -> str:
        return f"]({up}{PAGES[match[1]]}" if match[1] in PAGES else match[0]

    source[0] = re.sub(rf"\]\({up}\.\./([\w./]+)", link, source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect."""
    app.connect("missing-reference", resolve)
    app.connect("source-read", link_to_pages)
    return {"parallel_read_safe": True}
