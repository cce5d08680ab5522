"""Game records, read: a record is played once to see that it holds, and then as often as wanted.

See `rummyzoo.envs.record` for what a record is.
"""

import sys
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from .record_lines import (
    FORMAT,
    MOST_BYTES,
    Chain,
    RecordError,
    begin,
    end_line,
    hand_line,
    read_lines,
)
from .table import Table


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
