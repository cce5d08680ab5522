"""The command line: ``rummyzoo COMMAND ...``.

A command is a module of `rummyzoo.agents.commands` with its name, a line in `COMMANDS`, and

* ``arguments(parser)``: declares what it takes, with `rummyzoo.agents.commands.Parser`;
* ``run(args)``: does it; returns the exit status, or None for 0.

What is to be refused raises `rummyzoo.agents.commands.WrongInput`: one sentence, exit status 2.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

from .. import __version__
from ..envs.rules import RulesError, check_name
from .commands import Parser, WrongInput

COMMANDS = {
    "play": "play yourself, in the terminal",
    "watch": "watch players play, or make a GIF of it",
    "replay": "show the record of a game, as text or as a page for the browser",
    "duel": "compare two players on the same deals",
    "tournament": "compare any number of players, and rate them",
}

_EXAMPLE = "rummyzoo play gin"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # names may have letters that are not to be had
    try:
        status = _run(words)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # whoever read along, as head does, has seen enough
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        return 1
    except WrongInput as error:
        print(f"rummyzoo: {error}", file=sys.stderr)
        return error.status
    except SystemExit as end:  # after --help
        return int(end.code or 0)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130


def _run(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        print(overview())
        return 0
    if words[0] == "--version":
        print(f"rummyzoo {__version__}")
        return 0
    name, *rest = words
    try:
        check_name("command", name, COMMANDS)
    except RulesError as error:
        raise WrongInput(str(error)) from None
    command = import_module(f"{__package__}.commands.{name}")
    parser = Parser(name, command.__doc__)
    command.arguments(parser)
    return int(command.run(parser.parse_args(rest)) or 0)


def overview() -> str:
    """The help of the whole: which commands there are."""
    width = max(map(len, COMMANDS))
    lines = [
        "usage: rummyzoo COMMAND ...",
        "",
        "Rummy 500, basic Rummy and Gin: play, look on, and see how strong players are.",
        "",
        *(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items()),
        "",
        "What a command takes: rummyzoo COMMAND --help. The version: rummyzoo --version.",
        "",
        f"example: {_EXAMPLE}",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
