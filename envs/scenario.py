"""Rule cases as text files that a card player can read, played on a `Table`.

A file holds one or more cases, separated by ``===``: a position, a line ``---``, then what is played and what must
hold. ``run`` plays a file; ``python -m rummyzoo.envs.scenario FILE...`` plays many and counts cases::

    # the points of a lay-off go to the player who lays the card
    game: rummy500 num_players=3 jokers_per_deck=0
    hand 0: 7S 2D KD
    table: 8S 9S TS by 1
    stock: 4D *
    ---
    0 draw stock
    illegal: 0 lay 2D on 8S
    legal: 0 discard 2D
    0 lay 7S on 8S
    melded: 7 27 0

Before ``---``: `game` (name, options, ``preset=NAME``), `hand N`, `table`, `pile` (bottom to top), `stock` (top first,
``*`` = all cards not named, in any order; without it the cards not named are out of play), `dealer`, `scores`,
`melded`, `turn`, `phase`, `upcard`. Only `game` is needed: hands are dealt from the cards not named, table and pile
are empty, the stock is ``*``, the last seat deals, the seat to its left begins.

After ``---``: ``SEAT ACTION`` is played and must be legal; ``legal:`` and ``illegal:`` before it only test it; ``next
hand`` deals the next hand of a match; `turn`, `phase`, `hand N`, `pile`, `stock` (a count), `melded`, `scores`,
`over`, `winner` and `dealer` say what must be true at that point. Nothing here depends on the game: actions go to
`Table.play` as they are written.
"""

import difflib
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .table import IllegalAction, Table

_RANK = r"(?:10|[A2-9TJQK])"
_NATURAL = _RANK + "[CDHS]"
_CARD = rf"(?:{_NATURAL}|JK(?:\({_RANK}[CDHS]?\))?)"  # with the joker's place where it is played
_PLAIN = rf"(?:{_NATURAL}|JK)"
# What an action looks like, whatever the game: an `illegal:` line must fail by the rules, not by a slip of the pen.
_ACTIONS = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        ("pass", "pass"),
        ("draw stock", "draw stock"),
        (rf"take {_PLAIN}( [2-9])?", "take 7S"),
        (rf"call {_PLAIN}( [2-9])?", "call 7S"),
        (rf"meld {_CARD}( {_CARD}){{2,}}", "meld 7C 7D 7S"),
        (rf"lay( {_CARD})+ on ({_CARD}|{_RANK})( low| high)?", "lay 7S on 8S"),
        (rf"discard {_PLAIN}", "discard KD"),
        ("turn pile", "turn pile"),
        (rf"(knock|gin) with {_PLAIN}", "knock with KD"),
        ("big gin", "big gin"),
    )
)
_SETUP = (
    "game",
    "hand N",
    "table",
    "pile",
    "stock",
    "dealer",
    "scores",
    "melded",
    "turn",
    "phase",
    "upcard",
)
_EXPECTED = (
    "turn",
    "phase",
    "hand N",
    "pile",
    "stock",
    "melded",
    "scores",
    "over",
    "winner",
    "dealer",
)


class ScenarioError(ValueError):
    """A scenario that cannot be read: one sentence that says the line and what would be right."""


@dataclass(frozen=True)
class Step:
    """A line after ``---``: what is done (`play`, `legal`, `illegal`, `next hand`) or the key of an expectation."""

    line: int
    source: str
    kind: str
    value: Any = None
    seat: int | None = None  # of an action, or of an expected hand


@dataclass
class Case:
    """One case of a file, read but not yet set up."""

    line: int
    title: str = ""  # its first comment
    game: str = ""
    options: dict[str, Any] = field(default_factory=dict)  # `preset` among them
    hands: dict[int, list[str]] = field(default_factory=dict)
    position: dict[str, Any] = field(
        default_factory=dict
    )  # what else was named: table, pile, stock, turn ...
    steps: list[Step] = field(default_factory=list)


def parse(text: str) -> list[Case]:
    """Read the cases of a scenario file; raise `ScenarioError` at the first line that cannot be read."""
    cases = []
    case, seen, playing = Case(1), {}, False
    for number, source in enumerate([*text.splitlines(), "==="], 1):
        line, _, comment = (part.strip() for part in source.partition("#"))
        if not line:
            case.title = case.title or comment
        elif line == "===":
            if seen or playing:
                cases.append(_checked(case, playing))
            case, seen, playing = Case(number + 1), {}, False
        elif line == "---":
            if playing:
                raise ScenarioError(f"line {number}: a second '---'; a new case begins with '==='")
            playing = True
        elif playing:
            case.steps.append(_step(number, line))
        else:
            if not seen:
                case.line = number
            _set_up(case, seen, number, line)
    if not cases:
        raise ScenarioError("line 1: no case here; a case begins with a line like 'game: rummy500'")
    return cases


def _checked(case: Case, playing: bool) -> Case:
    """A case that is complete."""
    if not case.game:
        raise ScenarioError(
            f"line {case.line}: this case names no game; add a line like 'game: rummy500'"
        )
    if not playing:
        raise ScenarioError(
            f"line {case.line}: this case has no line '---' between the position and the play"
        )
    if not case.steps:
        raise ScenarioError(
            f"line {case.line}: nothing follows '---' in this case; say what is played or must hold"
        )
    return case


def _set_up(case: Case, seen: dict[str, int], number: int, line: str) -> None:
    """Read a line of the position."""
    key, value = _key_value(number, line, _SETUP)
    if key in seen:
        raise ScenarioError(
            f"line {number}: '{key}' stands already in line {seen[key]}; say it once"
        )
    seen[key] = number
    if key == "game":
        case.game, case.options = _game(number, value)
    elif key.startswith("hand "):
        case.hands[int(key[5:])] = _cards(number, value, _PLAIN)
    elif key == "table":
        case.position[key] = _melds(number, value)
    elif key == "pile":
        case.position[key] = _cards(number, value, _PLAIN)
    elif key == "stock":
        words = value.split()
        case.position["stock_rest"] = words[-1:] == ["*"]
        case.position[key] = _cards(
            number, " ".join(words[: -1 if words[-1:] == ["*"] else None]), _PLAIN
        )
    elif key == "phase":
        case.position[key] = value
    elif key == "upcard":
        case.position[key] = _one(number, key, _cards(number, value, _PLAIN))
    elif key in ("scores", "melded"):
        case.position[key] = _numbers(number, key, value)
    else:
        case.position[key] = _one(number, key, _numbers(number, key, value))


def _key_value(number: int, line: str, known: Sequence[str]) -> tuple[str, str]:
    """Split ``key: value``; the key is one of `known`, where ``hand N`` stands for any seat."""
    key, colon, value = (part.strip() for part in line.partition(":"))
    key = " ".join(key.split())
    if not colon:
        raise ScenarioError(
            f"line {number}: '{line}' is no line of a scenario; 'key: value' is, with {_list(known)}"
        )
    if key not in known and not re.fullmatch(r"hand [0-9]", key):
        near = difflib.get_close_matches(key, known, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"known here: {_list(known)}"
        raise ScenarioError(f"line {number}: unknown key '{key}'; {hint}")
    if key == "hand N":
        raise ScenarioError(f"line {number}: 'hand N' needs a seat, like 'hand 0: 7S KD'")
    return key, value


def _list(words: Sequence[str]) -> str:
    return ", ".join(words)


def _game(number: int, value: str) -> tuple[str, dict[str, Any]]:
    """The game's name and its options."""
    name, *words = value.split() or [""]
    if not name or "=" in name:
        raise ScenarioError(
            f"line {number}: 'game:' needs a name before the options, like 'game: rummy500'"
        )
    options: dict[str, Any] = {}
    for word in words:
        option, equals, text = word.partition("=")
        if not (option and equals and text):
            raise ScenarioError(
                f"line {number}: '{word}' is no option; write name=value, like num_players=3"
            )
        options[option] = {"True": True, "False": False, "None": None}.get(text, text)
        if re.fullmatch(r"-?\d+", text):
            options[option] = int(text)
    return name, options


def _cards(number: int, value: str, pattern: str) -> list[str]:
    """Cards in their one spelling (T for 10)."""
    for word in value.split():
        if not re.fullmatch(pattern, word):
            if re.fullmatch(_CARD, word):
                raise ScenarioError(
                    f"line {number}: '{word}' stands for a card only in a meld; here a joker is JK"
                )
            raise ScenarioError(
                f"line {number}: '{word}' is not a card; cards are written like 7S, TD, AH or JK"
            )
    return value.replace("10", "T").split()


def _melds(number: int, value: str) -> list[tuple[list[str], int]]:
    """Melds on the table, each with the seat that laid it first (0 where none is named)."""
    melds = []
    for part in value.split(";") if value else ():
        cards, _, owner = part.partition(" by ")
        found = _cards(number, cards, _CARD)
        if len(found) < 3:
            raise ScenarioError(
                f"line {number}: '{part.strip()}' is no meld; melds are like '8S 9S TS by 1 ; KH KS KC by 2'"
            )
        melds.append((found, _one(number, "by", _numbers(number, "by", owner.strip() or "0"))))
    return melds


def _numbers(number: int, key: str, value: str) -> list[int]:
    """Whole numbers separated by blanks."""
    if not re.fullmatch(r"-?\d+( +-?\d+)*", value):
        raise ScenarioError(f"line {number}: '{key}' needs whole numbers, not '{value}'")
    return [int(word) for word in value.split()]


def _one(number: int, key: str, values: list[Any]) -> Any:
    if len(values) != 1:
        raise ScenarioError(f"line {number}: '{key}' needs exactly one value")
    return values[0]


def _step(number: int, line: str) -> Step:
    """Read a line after ``---``."""
    if line == "next hand":
        return Step(number, line, line)
    if re.match(r"\d", line):
        return _action(number, line, "play", line)
    if re.match(r"(legal|illegal) *:", line):
        kind, _, rest = line.partition(":")
        return _action(number, line, kind.strip(), rest.strip())
    if any(pattern.fullmatch(line) for pattern, _ in _ACTIONS):
        raise ScenarioError(f"line {number}: '{line}' needs a seat before it, like '0 {line}'")
    key, value = _key_value(number, line, ("legal", "illegal", *_EXPECTED))
    if key.startswith("hand "):
        return Step(number, line, "hand", _cards(number, value, _PLAIN), int(key[5:]))
    if key == "pile":
        return Step(number, line, key, _cards(number, value, _PLAIN))
    if key in ("melded", "scores"):
        return Step(number, line, key, _numbers(number, key, value))
    if key in ("phase", "over"):
        return Step(number, line, key, value)
    if value == "none" and key in ("turn", "winner"):
        return Step(number, line, key, None)
    return Step(number, line, key, _one(number, key, _numbers(number, key, value)))


def _action(number: int, line: str, kind: str, text: str) -> Step:
    """Read ``SEAT ACTION``."""
    seat, _, action = text.partition(" ")
    action = " ".join(action.split())
    if not re.fullmatch(r"[0-9]", seat):
        raise ScenarioError(
            f"line {number}: '{text}' needs a seat before the action, like '0 draw stock'"
        )
    if not any(pattern.fullmatch(action) for pattern, _ in _ACTIONS):
        forms = _list([form for _, form in _ACTIONS])
        raise ScenarioError(f"line {number}: '{action}' is no action; actions are like {forms}")
    return Step(number, line, kind, action, int(seat))


def start(case: Case) -> Table:
    """Set up the position of a case; raise `ScenarioError` where there can be no such position."""
    position = dict(case.position)
    if not position.pop("stock_rest", True):
        position["stock_exact"] = True
    try:
        return Table.from_position(case.game, **case.options, hands=case.hands, **position, seed=0)
    except (ValueError, TypeError) as error:
        raise ScenarioError(f"line {case.line}: this case cannot be set up: {error}") from error


def run_case(case: Case, name: str = "scenario") -> None:
    """Play one case; raise `AssertionError` at the first line that does not hold.

    The message gives `name` and line, the line itself, what was expected and found, and the position before it.
    """
    table = start(case)
    for step in case.steps:
        before = table.copy()
        problem = _problem(table, step)
        if problem:
            title = f" ({case.title})" if case.title else ""
            raise AssertionError(
                f"{name}:{step.line}: {step.source}{title}\n  {problem}\n\n{before}"
            )


def _problem(table: Table, step: Step) -> str:
    """Carry out a step; say what is wrong, if anything."""
    if step.kind == "next hand":
        if table.over != "hand":
            return (
                f"expected the end of a hand before the next one is dealt, found over: {table.over}"
            )
        table.next_hand()
        return ""
    if step.kind in ("play", "legal"):
        refusal = _refusal(table if step.kind == "play" else table.copy(), step)
        return f"expected a legal action, found: {refusal}" if refusal else ""
    if step.kind == "illegal":
        saved = table.save()
        if not _refusal(table, step):
            return "expected an illegal action, found that it is played"
        return (
            ""
            if table.save() == saved
            else "expected the refused action to change nothing, found that it did"
        )
    found = _FOUND[step.kind](table, step)
    same = Counter(found) == Counter(step.value) if step.kind == "hand" else found == step.value
    return "" if same else f"expected {_shown(step.value)}, found {_shown(found)}"


def _refusal(table: Table, step: Step) -> str:
    """Play the action of a step; say why not, if it is refused."""
    if step.seat != table.turn:
        return f"it is not seat {step.seat}'s turn (turn: {_shown(table.turn)}, over: {table.over})"
    try:
        table.play(step.value)
    except IllegalAction as error:
        return str(error) or "refused"
    return ""


_FOUND: dict[str, Callable[[Table, Step], Any]] = {
    "turn": lambda table, step: table.turn,
    "phase": lambda table, step: table.phase,
    "hand": lambda table, step: table.hand(step.seat),
    "pile": lambda table, step: list(table.pile),
    "stock": lambda table, step: table.stock_count,
    "melded": lambda table, step: list(table.melded),
    "scores": lambda table, step: list(table.scores),
    "over": lambda table, step: table.over,
    "winner": lambda table, step: table.winner,
    "dealer": lambda table, step: table.dealer,
}


def _shown(value: Any) -> str:
    """A value as it stands in a file."""
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value)) or "nothing"
    return "none" if value is None else str(value)


def _read(path: str | Path) -> list[Case]:
    """The cases of a file; errors name the file too."""
    try:
        return parse(Path(path).read_text(encoding="utf-8"))
    except (ScenarioError, OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: {error}") from error


def run(path: str | Path) -> int:
    """Play all cases of a file, and return how many there were.

    Raises `AssertionError` with file, line and position on the first line that does not hold, and `ScenarioError` on
    one that cannot be read.
    """
    cases = _read(path)
    for case in cases:
        try:
            run_case(case, str(path))
        except ScenarioError as error:
            raise ScenarioError(f"{path}: {error}") from error
    return len(cases)


def main(paths: Sequence[str]) -> int:
    """Play files and write what fails: 0 if every case holds, 1 if one does not, 2 if a file cannot be read."""
    passed = failed = unreadable = 0
    for path in paths:
        try:
            for case in _read(path):
                try:
                    run_case(case, path)
                    passed += 1
                except AssertionError as error:
                    failed += 1
                    sys.stdout.write(f"{error}\n\n")
        except ScenarioError as error:
            unreadable += 1
            sys.stdout.write(f"{error}\n\n")
    sys.stdout.write(f"{passed} passed, {failed} failed\n")
    return 2 if unreadable or not paths else int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
