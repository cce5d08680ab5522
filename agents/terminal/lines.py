"""Lines that a person types: with completion and history in a terminal, else from any input."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .screen import Screen, is_terminal


class Lines:
    """Where lines come from.

    Args:
        screen: where the prompt goes.
        completions: what a line may become, asked anew for each line.
    """

    def __init__(self, screen: Screen, completions: Callable[[], Iterable[str]]) -> None:
        self._screen, self._completions = screen, completions
        self._session: Any = None
        if screen.redraws and is_terminal(sys.stdin) and is_terminal(sys.stdout):
            self._session = _session(completions)

    def read(self, prompt: str) -> str:
        """The next line, without spaces around it.

        Raises:
            EOFError: there are no more lines; in a terminal, Ctrl-D.
            KeyboardInterrupt: Ctrl-C.
        """
        if self._session is not None:
            return str(self._session.prompt(prompt)).strip()
        self._screen.console.print(prompt, end="")
        self._screen.console.file.flush()
        line = sys.stdin.readline()
        if not line:
            self._screen.print("")
            raise EOFError
        if not is_terminal(sys.stdin):
            self._screen.print(line.strip())  # so that what was written reads as it was played
        return line.strip()


def _session(completions: Callable[[], Iterable[str]]) -> Any:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.shortcuts import CompleteStyle

    class Moves(Completer):
        """Completes whole lines, whatever their case."""

        def get_completions(self, document: Any, complete_event: Any) -> Iterator[Completion]:
            begun = document.text_before_cursor.lstrip()
            for text in completing(begun, completions()):
                yield Completion(text, start_position=-len(begun))

    return PromptSession(
        completer=Moves(),
        complete_while_typing=False,
        complete_style=CompleteStyle.MULTI_COLUMN,
        reserve_space_for_menu=4,
    )


def completing(begun: str, texts: Iterable[str]) -> list[str]:
    """Those of some texts that a line may become; spaces and case do not matter."""
    wanted = " ".join(begun.lower().split()) + (" " if begun.endswith(" ") else "")
    return [text for text in dict.fromkeys(texts) if text.lower().startswith(wanted)]
