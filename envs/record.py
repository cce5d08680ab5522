"""Game records: what was played, action by action, in a file that can be played again exactly.

    table = Table("rummy500", seed=7)
    with table.record("game.jsonl", ["Ann", "Bob"]):
        table.play("draw stock")
    for step, table in read_record("game.jsonl"):
        print(step.seat, step.action, table.scores)

A record is a file of JSON lines, each written as a whole at the moment it tells of, so that
whatever stops a game leaves a record of what was played. The lines are

1. the head: ``format``, ``game``, its ``version`` and all of its ``rules``, the names of the
   ``players`` by seat, how the table began (``begin``: a ``seed``, or the ``table`` itself where
   it did not begin with a deal from a seed), the ``versions`` of what made it, and whatever else
   was to be said (``about``);
2. where each hand begins, and the record itself: the number of the ``hand``, the ``dealer``, the
   ``scores`` of the match, all ``hands`` and the ``pile``;
3. for each action its ``seat`` and the ``action`` as text, and where the player gave them, the
   ``probabilities`` and ``values`` of actions, the ``value`` of the position and the ``seconds``
   that it thought (see `Step`);
4. when the game is over, or was stopped after a hand: how it is ``over``, the ``winner`` of the
   match, ``hand_scores`` and ``scores``, the number of ``actions`` and a ``digest`` of all lines
   above.

Each line ends with a checksum of everything before it (see `rummyzoo.envs.record_lines`): a line
that was changed, lost or cut off is known for what it is. A record without the last line is one of
a game that is not over. Records tell everything, hidden cards too: they are not for players.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any, Self

from .record_lines import Chain, Mark, RecordError, end_line, hand_line, header, read_lines
from .record_reading import Record, Step, read_record
from .table import Table

__all__ = ["Record", "RecordError", "Recorder", "Step", "read_record"]


class Recorder:
    """Writes the record of a game while it is played.

    It plays a table of its own along (`table`), so that a record holds nothing that could not be
    played again. The next hand of a match is dealt by itself when its first action comes.

    Args:
        path: of the file, which must not exist yet; by custom it ends with ``.jsonl``.
        table: where the game begins: any position. It is copied.
        players: their names by seat; by default ``player_0``, ``player_1``, ...
        about: more to say, as JSON has it.
        replace: whether a file that exists is replaced.

    Attributes:
        path: of the file.
        table: the game as far as it was recorded; not to be changed.

    Raises:
        ValueError: names of other than all players, or something that JSON cannot hold.
        OSError: the file exists, or cannot be written.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        table: Table,
        players: Sequence[str] | None = None,
        *,
        about: Mapping[str, Any] | None = None,
        replace: bool = False,
    ) -> None:
        self.path = Path(path)
        self._names = _names(players, table)
        self._about = dict(about or {})
        lines = self._begin(table)
        self._file = open(self.path, "wb" if replace else "xb", buffering=0)  # noqa: SIM115
        self._file.write(lines)

    def _begin(self, table: Table) -> bytes:
        """Begin at a table; returns the first two lines."""
        self.table = table.copy()
        self.table.forget()
        self._chain = Chain()
        self._marks: list[tuple[Mark, bool]] = []  # of each action, and whether a deal goes before
        self._ended = False
        try:
            first = self._chain.write(header(self.table, self._names, self._about))
        except TypeError as error:
            raise ValueError(f"a record is JSON, which cannot hold this: {error}") from None
        return first + self._chain.write(hand_line(self.table))

    @classmethod
    def resume(cls, path: str | PathLike[str]) -> Self:
        """Go on with the record of a game that is not over; what it holds can be taken back, too.

        Raises:
            RecordError: it is none (see `read_record`), or the game is over.
            OSError: the file cannot be read or written.
        """
        record = read_record(path)
        if record.over in ("match", "truncated"):
            raise RecordError(f"{path}: this game is over; there is nothing to go on with")
        made = cls.__new__(cls)
        made.path, made._names, made._about = Path(path), list(record.players), record.about
        made._begin(record.table())
        data, chain = made.path.read_bytes(), Chain()
        end = dealt = None
        for number, mark, says in read_lines(data, chain):
            if "action" in says:
                made._marks.append((dealt or mark, dealt is not None))
                made._follow(says["action"])
                dealt = None
            elif "over" in says:
                end = mark
            elif number > 2:
                dealt = mark
        made._file = open(made.path, "r+b", buffering=0)  # noqa: SIM115
        made._cut(dealt or end or Mark(len(data), chain))
        return made

    def _follow(self, action: str) -> None:
        if self.table.over == "hand":
            self.table.next_hand()
        self.table.play(self.table.number(action))

    @property
    def actions(self) -> int:
        """How many actions the record holds."""
        return len(self._marks)

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._file.closed

    def play(
        self,
        action: int | str,
        *,
        probabilities: Mapping[Any, float] | None = None,
        values: Mapping[Any, float] | None = None,
        value: float | None = None,
        seconds: float | None = None,
    ) -> None:
        """Record an action; the last one of a match also ends the record.

        Args:
            action: its number, or its text in the game's own form.
            probabilities, values: by action, number or text; see `Step`.
            value, seconds: see `Step`.

        Raises:
            IllegalAction: it may not be played now.
            ValueError: a number that is not finite, or the record is closed.
        """
        if self.closed:
            raise ValueError(f"the record {self.path} is closed")
        table, chain, mark = self.table, self._chain.copy(), Mark(self._file.tell(), self._chain)
        lines, dealt, taken = b"", table.over == "hand", 0
        try:
            if dealt:
                table.next_hand()
                lines, taken = chain.write(hand_line(table)), 1
            says: dict[str, Any] = {"seat": table.turn, "action": self._text(action)}
            for name, found in (("probabilities", probabilities), ("values", values)):
                if found:
                    says[name] = {self._text(a): _short(x) for a, x in found.items()}
            for name, number in (("value", value), ("seconds", seconds)):
                if number is not None:
                    says[name] = _short(number)
            lines += chain.write(says)
            table.play(table.number(action))
            taken += 1
            self._put(lines)
        except BaseException:
            for _ in range(taken):
                table.undo()
            raise
        self._chain = chain
        self._marks.append((mark, dealt))
        if table.over in ("match", "truncated"):
            self._end()

    def _put(self, lines: bytes) -> None:
        """Write lines, or, where that fails, nothing."""
        at = self._file.tell()
        try:
            while lines:
                lines = lines[self._file.write(lines) :]
        except OSError:
            self._file.seek(at)
            self._file.truncate()
            raise

    def _text(self, action: Any) -> str:
        """An action as text; raises IllegalAction if there is no such one."""
        return self.table.texts[self.table.number(action)]

    def _end(self) -> None:
        chain = self._chain.copy()
        self._put(chain.write(end_line(self.table, self.actions, self._chain.digest)))
        self._chain, self._ended = chain, True

    def _cut(self, mark: Mark) -> None:
        self._chain = mark.chain
        self._file.seek(mark.at)
        self._file.truncate()

    def undo(self) -> None:
        """Take back the last action, and the deal if it was the first of a hand.

        Raises:
            IndexError: none was recorded.
        """
        mark, dealt = self._marks.pop()
        self._ended = False
        self._cut(mark)
        self.table.undo()
        if dealt:
            self.table.undo()

    def go_back_to(self, table: Table) -> None:
        """Take back actions until the game is where a table is; if it never was there, begin anew
        there.
        """
        while self.actions and not self._stands_at(table):
            self.undo()
        if not self._stands_at(table):
            lines = self._begin(table)
            self._cut(Mark(0, self._chain))
            self._put(lines)

    def _stands_at(self, table: Table) -> bool:
        """Whether the game is where a table is, or the next deal leads there."""
        if self.table.over != "hand" or self.table == table:
            return self.table == table
        dealt = self.table.copy()
        dealt.next_hand()
        return dealt == table

    def close(self) -> None:
        """Close the file. After a whole hand the record is ended; within one it is left open, so
        that it reads as one of a game that is not over, and can be resumed.
        """
        if not self.closed:
            if self.table.over != "no" and not self._ended:
                self._end()
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _names(players: Sequence[str] | None, table: Table) -> list[str]:
    n = table.num_players
    if players is None:
        return [f"player_{seat}" for seat in range(n)]
    if isinstance(players, str) or len(players) != n:
        raise ValueError(f"a record names {n} players, one for each seat, not {players!r}")
    return [str(name) for name in players]


def _short(number: float) -> float:
    """A number with four digits: more would say nothing."""
    if not isfinite(number):
        raise ValueError(f"{number} cannot be recorded: it is not a finite number")
    return float(f"{float(number):.4g}")
