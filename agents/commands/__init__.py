"""The commands of the command line, one module each (see `rummyzoo.agents.cli`), and what they
share.
"""

import argparse
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, NoReturn

from ...envs.games import GAMES
from ..file_errors import in_words
from ..runs import parse_options

_NUMBERS = {"int": "whole number", "float": "number"}


class WrongInput(Exception):
    """Something that the user is to put right; says what, in one sentence."""

    status = 2


class Stopped(WrongInput):
    """The user stopped the command; says how to go on."""

    status = 130


class _Formatter(argparse.HelpFormatter):
    """Several values of an option are written ``X ...``."""

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        if action.nargs == "+":
            return f"{action.metavar} ..." if action.option_strings else str(action.metavar)
        return super()._format_args(action, default_metavar)


class Parser(argparse.ArgumentParser):
    """What a command takes: one list for the help, which fits the screen, and no abbreviations.

    Args:
        command: its name.
        doc: the docstring of its module: what it does, in a few lines, and below an empty line an
            example.
    """

    def __init__(self, command: str, doc: str | None) -> None:
        what, _, example = (doc or "").partition("\n\n")
        super().__init__(
            f"rummyzoo {command}",
            description=what,
            epilog="example: " + example.strip(),
            add_help=False,
            allow_abbrev=False,
        )
        self._list = self.add_argument_group()
        self._shown: list[argparse.Action] = []

    def take(self, *names: str, **settings: Any) -> None:
        """Declare an argument; see `argparse.ArgumentParser.add_argument`."""
        self._shown.append(self._list.add_argument(*names, **settings))

    def format_usage(self) -> str:
        """One line."""
        places = [action for action in self._shown if not action.option_strings]
        forms = {"+": "{} ...", "?": "[{}]"}
        words = [forms.get(str(a.nargs), "{}").format(a.metavar) for a in places]
        return f"usage: {self.prog} {' '.join([*words, '[options]'])}\n"

    def format_help(self) -> str:
        """The whole, in as many columns as the screen has, at most 100."""
        formatter = _Formatter(self.prog, max_help_position=20, width=min(100, _columns()))
        formatter.add_text(self.description)
        formatter.start_section(None)
        formatter.add_arguments(self._shown)
        formatter.end_section()
        formatter.add_text(self.epilog)
        return f"{self.format_usage()}\n{formatter.format_help()}"

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The arguments; with ``--help`` as the last of what may be given."""
        self.take("-h", "--help", action="help", help="show this help")
        return super().parse_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments."""
        message = re.sub(
            r"^argument (\S+): invalid (int|float) value: (.*)$",
            lambda found: f"{found[1]} takes a {_NUMBERS[found[2]]}, not {found[3]}",
            message,
        )
        raise WrongInput(f"{message} (see {self.prog} --help)")


def _columns() -> int:
    try:
        return int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        return os.get_terminal_size().columns if os.isatty(1) else 80


def take_game(parser: Parser) -> None:
    """Declare which game is to be played."""
    parser.take("--game", default="rummy500", help=f"{', '.join(GAMES)} (%(default)s)")
    take_rules(parser)


def take_rules(parser: Parser) -> None:
    """Declare by which rules the game is to be played."""
    parser.take("--preset", metavar="NAME", help="a named set of options of the game")
    parser.take(
        "--rules",
        metavar="X=Y",
        nargs="+",
        action="extend",
        default=[],
        help="options of the game: --rules num_players=3 target=250",
    )


def game_options(args: Any) -> dict[str, Any]:
    """The options of the game that were given, and its ``preset``."""
    return {"preset": args.preset, **parse_options(args.rules)}


@contextmanager
def refusing() -> Iterator[None]:
    """Here what is not possible is the user's fault."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WrongInput(in_words(error)) from None
    except ValueError as error:
        raise WrongInput(" ".join(str(error).split())) from None
    except ModuleNotFoundError as error:
        raise WrongInput(f"this needs {error.name}: pip install 'rummyzoo[train]'") from None


def need(what: str, *packages: str, extra: str = "play") -> None:
    """Refuse to begin without packages of an extra.

    Args:
        what: what they are needed for.
        packages: by the names that they are imported by.
        extra: the extra of this package that brings them.
    """
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise WrongInput(f"{what} needs {' and '.join(missing)}: pip install 'rummyzoo[{extra}]'")
