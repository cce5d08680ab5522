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

import sys
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self

from .record_lines import (
    FORMAT,
    MOST_BYTES,
    Chain,
    Mark,
    RecordError,
    begin,
    end_line,
    hand_line,
    header,
    read_lines,
)
from .table import Table

__all__ = ["Record", "RecordError", "Recorder", "Step", "read_record"]


class Step(NamedTuple):
    """An action of a record.

    Attributes:
        seat: whose it was.
        action: as text.
        hand: in which hand of the match, from 1.
        line: of the file, from 1.
        probabilities: action -> how likely the player was to choose it; empty if it did not say.
        values: action -> what the player expected of it, in points ahead of the mean of the others
            at the end of the hand; or beside the action it would have taken anyway.
        value: what it expected of the position, likewise; None if it did not say.
        seconds: how long it thought; None if that is not known.
    """

    seat: int
    action: str
    hand: int
    line: int
    probabilities: Mapping[str, float]
    values: Mapping[str, float]
    value: float | None
    seconds: float | None


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


class Record:
    """A game that was recorded. As an iterator it plays the game again: each step, and the table
    after it (the same `Table` every time; copy it to keep it).

    Attributes:
        game: its name.
        rules: its ``Rules`` tuple.
        players: their names by seat.
        about: what else was said.
        versions: of what made the record.
        steps: all actions, each a `Step`.
        over: as `Table.over`: ``"no"`` where the game was not over, ``"hand"`` where it was stopped
            after a hand of a match, ``"match"`` or ``"truncated"``.
        scores: of the match, at the end.
        hand_scores: of the last hand that ended.
        winner: of the match; None if there is none.
    """

    def __init__(self, start: Table, head: Mapping[str, Any]) -> None:
        self._start = start
        self.game, self.rules = start.game.NAME, start.rules
        self.players: tuple[str, ...] = tuple(head["players"])
        self.about: dict[str, Any] = head.get("about", {})
        self.versions: dict[str, Any] = head.get("versions", {})
        self.steps: tuple[Step, ...] = ()
        self._finish(start)

    def _finish(self, table: Table) -> None:
        self.over, self.winner = table.over, table.winner
        self.scores, self.hand_scores = table.scores, table.hand_scores

    def table(self) -> Table:
        """The table as the record begins."""
        return self._start.copy()

    def __iter__(self) -> Iterator[tuple[Step, Table]]:
        for step, table in self.moments():
            if step is not None:
                yield step, table

    def moments(self) -> Iterator[tuple[Step | None, Table]]:
        """The same with the beginning and the deals of later hands, which come with no step."""
        table = self.table()
        yield None, table
        for step in self.steps:
            if table.over == "hand":
                table.next_hand()
                yield None, table
            table.play(table.number(step.action))
            table.forget()
            yield step, table

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        return f"<Record of {self.game}: {', '.join(self.players)}; {len(self)} actions>"


def read_record(source: str | PathLike[str] | bytes) -> Record:
    """Read a record, and play it once to see that it holds.

    Args:
        source: the file, or what it contains.

    Raises:
        RecordError: it is not a record, is of a version, a game or rules that are not known here,
            was cut off, damaged or changed, or does not play as it says; one sentence says which,
            and in which line.
        OSError: there is no such file, or it cannot be read.
    """
    name = "this" if isinstance(source, bytes) else str(source)
    try:
        return _read(source if isinstance(source, bytes) else _content(Path(source)))
    except RecordError as error:
        raise RecordError(f"{name}: {error}") from None


def _content(path: Path) -> bytes:
    with open(path, "rb") as file:
        return file.read(MOST_BYTES + 1)


def _read(data: bytes) -> Record:
    _check_kind(data)
    lines = read_lines(data, Chain())
    _, _, head = next(lines)
    table = begin(head)
    names = head.get("players")
    if not isinstance(names, list) or len(names) != table.num_players:
        raise RecordError(f"line 1 is damaged: it does not name {table.num_players} players")
    if not all(isinstance(name, str) for name in names):
        raise RecordError("line 1 is damaged: not all of its players have names")
    for entry in ("about", "versions"):
        if not isinstance(head.get(entry, {}), dict):
            raise RecordError(f"line 1 is damaged: its {entry} is no JSON object")
    record = Record(table, head)
    table, steps, over = record.table(), [], False
    number = 1
    for number, mark, says in lines:
        if over:
            raise RecordError(f"line {number} comes after the one that ends the record")
        if "action" in says:
            steps.append(_step(table, number, says))
        elif "hand" in says:
            if number > 2:
                _deal(table, number)
            _compare(hand_line(table), says, number)
        elif "over" in says:
            _compare(end_line(table, len(steps), mark.chain.digest), says, number)
            over = True
        else:
            raise RecordError(f"line {number} tells of no action, no hand and no end")
        if number == 2 and "hand" not in says:
            raise RecordError("line 2 does not tell of the cards at the beginning")
    if number < 2:
        raise RecordError("it is cut off after line 1")
    record.steps = tuple(steps)
    record._finish(table)
    return record


def _check_kind(data: bytes) -> None:
    """Refuse what is not a record, or of another version."""
    known = b'{"format":"%s"' % FORMAT.encode()
    kind = known[: known.rindex(b" ") + 1]
    if not data or not (data.startswith(kind) or kind.startswith(data)):
        raise RecordError("this is not a record of a game")
    if not data.startswith(known[: len(data)]):
        version = data[len(kind) :][:9].partition(b'"')[0].decode("utf-8", "replace")
        own = FORMAT.rpartition(" ")[2]
        raise RecordError(f"this record is of version {version}; here version {own} can be read")
    if len(data) > MOST_BYTES:
        raise RecordError(f"it is too long: a record has at most {MOST_BYTES >> 20} MB")


def _step(table: Table, number: int, says: Mapping[str, Any]) -> Step:
    """Play what a line says."""
    seat, action = table.turn, says["action"]
    if seat is None:
        over = "hand is over, and no other was dealt" if table.over == "hand" else "game is over"
        raise RecordError(f"line {number}: the {over}")
    if says.get("seat") != seat:
        raise RecordError(
            f"line {number}: seat {says.get('seat')} acts, but it is the turn of {seat}"
        )
    try:
        step = Step(
            seat,
            action,
            int(table.state.hands) + 1,
            number,
            _numbers(table, says, "probabilities"),
            _numbers(table, says, "values"),
            _number(says, "value"),
            _number(says, "seconds"),
        )
        table.play(table.number(str(action)))
    except ValueError as error:
        raise RecordError(f"line {number}: {error}") from None
    table.forget()
    return step


def _is_number(found: Any) -> bool:
    """Whether this is a finite number; Python reads ``NaN`` and ``1e999`` as well, no browser."""
    return (
        isinstance(found, int | float)
        and not isinstance(found, bool)
        and abs(found) <= sys.float_info.max
    )


def _number(says: Mapping[str, Any], name: str) -> float | None:
    found = says.get(name)
    if found is not None and not _is_number(found):
        raise RecordError(f"its {name} is not a number")
    return found


def _numbers(table: Table, says: Mapping[str, Any], name: str) -> dict[str, float]:
    found = says.get(name, {})
    if not isinstance(found, dict) or not all(map(_is_number, found.values())):
        raise RecordError(f"its {name} are not numbers by action")
    for action in found:
        table.number(action)
    return found


def _deal(table: Table, number: int) -> None:
    if table.over != "hand":
        raise RecordError(f"line {number}: a hand is dealt, but the one before is not over")
    table.next_hand()
    table.forget()


def _compare(ours: Mapping[str, Any], theirs: Mapping[str, Any], number: int) -> None:
    """Refuse a line that tells of another game than was played."""
    for name, own in ours.items():
        if theirs.get(name) != own:
            raise RecordError(
                f"line {number}: {name} is {theirs.get(name)!r} there, but {own!r} when the game "
                "is played again"
            )
