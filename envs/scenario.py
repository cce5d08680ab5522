"""Rule cases as text files that a card player can read, played on a `Table`.

A file holds one or more cases, separated by ``===``: a position, a line ``---``, then what is
played and what must hold. ``run`` plays a file; ``python -m rummyzoo.envs.scenario FILE...`` plays
many and counts the cases::

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

Before ``---``: `game` (name, options, ``preset=NAME``), `hand N`, `table`, `pile` (bottom to top),
`stock` (top first; ``*`` = all cards not named, in any order; without it they are out of play),
`dealer`, `scores`, `melded`, `boxes`, `turn`, `phase`, `upcard`. Only `game` is needed: hands are
dealt from the cards not named, table and pile are empty, the stock is ``*``, the last seat deals,
the seat to its left begins.

After ``---``: ``SEAT ACTION`` is played and must be legal; ``legal:`` and ``illegal:`` before it
only test it; ``next hand`` deals the next hand of a match; `turn`, `phase`, `hand N`, `pile`,
`stock` (a count), `melded`, `scores`, `boxes`, `over`, `winner` and `dealer` say what must be true
at that point. Nothing here depends on the game: actions go to `Table.play` as they are written.
"""

import difflib
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from .cards import CardError, card_text, parse_card, parse_played
from .table import IllegalAction, Table

T = TypeVar("T")

_RANK = r"(10|[A2-9TJQK])"
_CARD = rf"({_RANK}[CDHS]|JK)"
_PLAYED = rf"({_CARD}|JK\({_RANK}[CDHS]?\))"  # a joker on the table names its place
# What an action looks like in any of the games, so that an `illegal:` line is refused by the rules
# and not for a slip of the pen.
_ACTIONS = {
    "pass": "pass",
    "draw stock": "draw stock",
    "take 7S": f"take {_CARD}( [2-9])?",
    "call 7S": f"call {_CARD}( [2-9])?",
    "meld 7C 7D 7S": f"meld( {_PLAYED}){{3,}}",
    "lay 7S on 8S": f"lay( {_PLAYED})+ on ({_PLAYED}|{_RANK})( low| high)?",
    "discard KD": f"discard {_CARD}",
    "turn pile": "turn pile",
    "knock with KD": f"(knock|gin) with {_CARD}",
    "big gin": "big gin",
}
_BY_SEAT = ("scores", "melded", "boxes")
_NUMBERS = ("dealer", *_BY_SEAT, "turn")
_SETUP = ("game", "hand N", "table", "pile", "stock", "phase", "upcard", *_NUMBERS)
_EXPECTED = ("hand N", "pile", "stock", "phase", "over", "winner", *_NUMBERS)


class ScenarioError(ValueError):
    """A scenario that cannot be read: one sentence that says the line and what would be right."""

    def __init__(self, line: int, sentence: str, path: str = "") -> None:
        super().__init__((f"{path}: " if path else "") + f"line {line}: {sentence}")
        self.line, self.sentence = line, sentence


@dataclass(frozen=True)
class Step:
    """A line after ``---``.

    `kind` is what is done (`play`, `legal`, `illegal`, `next hand`) or what is expected (`turn`,
    `hand` ...); `value` the action or the value expected; `seat` who acts, or whose hand it is.
    """

    line: int
    source: str
    kind: str
    value: Any = None
    seat: int | None = None


@dataclass
class Case:
    """One case of a file, read but not yet set up.

    `title` is its first comment, `options` may hold a `preset`, and `position` holds what else was
    named (table, pile, stock, turn ...).
    """

    line: int
    title: str = ""
    game: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    hands: dict[int, list[str]] = field(default_factory=dict)
    position: dict[str, Any] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)


def parse(text: str) -> list[Case]:
    """Read the cases of a scenario file; raise `ScenarioError` at the first line that is wrong."""
    cases: list[Case] = []
    case, seen, playing = Case(1), dict[str, int](), False
    for number, source in enumerate([*text.splitlines(), "==="], 1):
        line, _, comment = (part.strip() for part in source.partition("#"))
        if not line:
            case.title = case.title or comment
        elif line == "===":
            if seen or playing:
                cases.append(_complete(case, playing))
            case, seen, playing = Case(number + 1), {}, False
        elif line == "---":
            if playing:
                raise ScenarioError(number, "a second '---'; the next case begins after '==='")
            playing = True
        elif playing:
            case.steps.append(_step(number, line))
        else:
            case.line = number if not seen else case.line
            _set_up(case, seen, number, line)
    if not cases:
        raise ScenarioError(1, "no case here; a case begins with a line like 'game: rummy500'")
    return cases


def _complete(case: Case, playing: bool) -> Case:
    """The case, if nothing is missing in it."""
    if not case.game:
        raise ScenarioError(case.line, "this case names no game; add one like 'game: rummy500'")
    if not playing:
        raise ScenarioError(case.line, "this case has no line '---' between position and play")
    if not case.steps:
        raise ScenarioError(case.line, "nothing follows '---' in this case; say what must hold")
    return case


def _set_up(case: Case, seen: dict[str, int], number: int, line: str) -> None:
    """Read a line of the position."""
    if line[0].isdigit():
        raise ScenarioError(number, f"'{line}' is played; put a line '---' before the first play")
    key, value = _key_value(number, line, _SETUP)
    if key in seen:
        raise ScenarioError(number, f"'{key}' stands already in line {seen[key]}; say it once")
    seen[key] = number
    if key == "game":
        case.game, case.options = _game(number, value)
    elif key.startswith("hand "):
        case.hands[int(key[5:])] = _cards(number, value)
    elif key == "table":
        case.position[key] = _melds(number, value)
    elif key == "pile":
        case.position[key] = _cards(number, value)
    elif key == "stock":
        named, star, after = value.partition("*")
        if after:
            raise ScenarioError(number, "the '*' of a stock comes last, like 'stock: 4D 6D *'")
        case.position.update(stock=_cards(number, named), stock_rest=bool(star))
    elif key == "phase":
        case.position[key] = value
    elif key == "upcard":
        case.position[key] = _one(number, key, _cards(number, value))
    elif key in _BY_SEAT:
        case.position[key] = _numbers(number, key, value)
    else:
        case.position[key] = _one(number, key, _numbers(number, key, value))


def _key_value(number: int, line: str, known: Sequence[str]) -> tuple[str, str]:
    """Split ``key: value``; the key is one of `known`, where ``hand N`` stands for any seat."""
    key, colon, value = (part.strip() for part in line.partition(":"))
    if not colon:
        raise ScenarioError(number, f"'{line}' is not 'key: value' with {', '.join(known)}")
    if key == "hand" or key == "hand N":
        raise ScenarioError(number, "a hand needs its seat, like 'hand 0: 7S KD'")
    if key not in known and not re.fullmatch("hand [0-9]", key):
        near = difflib.get_close_matches(key, known, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(known)}"
        raise ScenarioError(number, f"unknown key '{key}'; {hint}")
    return key, value


def _game(number: int, value: str) -> tuple[str, dict[str, Any]]:
    """The game's name and its options."""
    name, *words = value.split() or [""]
    if not name or "=" in name:
        raise ScenarioError(number, "the game's name comes first, like 'game: rummy500'")
    options: dict[str, Any] = {}
    for word in words:
        option, equals, text = word.partition("=")
        if not (option and equals and text):
            raise ScenarioError(number, f"'{word}' is not an option; write it like num_players=3")
        whole = re.fullmatch(r"-?\d+", text)
        options[option] = {"True": True, "False": False, "None": None}.get(text, text)
        options[option] = int(text) if whole else options[option]
    return name, options


def _cards(number: int, value: str) -> list[str]:
    """Cards in their one spelling (T for 10)."""
    try:
        return [card_text(parse_card(word)) for word in value.split()]
    except CardError as error:
        raise ScenarioError(number, str(error)) from error


def _melds(number: int, value: str) -> list[tuple[list[str], int]]:
    """Melds on the table, each with the seat that laid it first (0 where none is named)."""
    melds = []
    for part in value.split(";") if value else ():
        cards, _, owner = part.partition(" by ")
        try:
            for word in cards.split():
                parse_played(word)
        except CardError as error:
            raise ScenarioError(number, str(error)) from error
        if len(cards.split()) < 3:
            raise ScenarioError(
                number, f"'{part.strip()}' is not a meld; write '8S 9S TS by 1 ; ...'"
            )
        melds.append((cards.split(), _one(number, "by", _numbers(number, "by", owner or "0"))))
    return melds


def _numbers(number: int, key: str, value: str) -> list[int]:
    """Whole numbers separated by blanks."""
    try:
        return [int(word) for word in value.split()]
    except ValueError:
        raise ScenarioError(number, f"'{key}' needs whole numbers, not '{value}'") from None


def _one(number: int, key: str, values: list[T]) -> T:
    if len(values) != 1:
        raise ScenarioError(number, f"'{key}' needs exactly one value")
    return values[0]


def _is_action(text: str) -> bool:
    return any(re.fullmatch(form, text, re.IGNORECASE) for form in _ACTIONS.values())


def _step(number: int, line: str) -> Step:
    """Read a line after ``---``."""
    if line == "next hand":
        return Step(number, line, line)
    if line[0].isdigit():
        return _action(number, line, "play", line)
    if _is_action(line):
        raise ScenarioError(number, f"'{line}' needs a seat before it, like '0 {line}'")
    key, value = _key_value(number, line, ("legal", "illegal", *_EXPECTED))
    if key in ("legal", "illegal"):
        return _action(number, line, key, value)
    if key.startswith("hand "):
        return Step(number, line, "hand", _cards(number, value), int(key[5:]))
    if key == "pile":
        return Step(number, line, key, _cards(number, value))
    if key in _BY_SEAT:
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
    if not re.fullmatch("[0-9]", seat):
        raise ScenarioError(number, f"'{text}' needs a seat before the action, like '0 pass'")
    if not _is_action(action):
        raise ScenarioError(number, f"'{action}' is not an action; there are {', '.join(_ACTIONS)}")
    return Step(number, line, kind, action, int(seat))


def start(case: Case) -> Table:
    """Set up the position of a case; raise `ScenarioError` where there can be no such position."""
    try:
        return Table.from_position(
            case.game, **case.options, hands=case.hands, **case.position, seed=0
        )
    except (ValueError, TypeError) as error:
        raise ScenarioError(case.line, f"this case cannot be set up: {error}") from error


def run_case(case: Case, name: str = "scenario") -> None:
    """Play one case; raise `AssertionError` at the first line that does not hold.

    The message gives `name` and the line, what was expected and found, and the position before it.
    """
    table = start(case)
    for step in case.steps:
        before = table.copy()
        problem = _problem(table, step)
        if problem:
            title = f"   # {case.title}" if case.title else ""
            where = f"{name}:{step.line}: {step.source}{title}"
            raise AssertionError(f"{where}\n  {problem}\n\n{before}")


def _problem(table: Table, step: Step) -> str:
    """Carry out a step; say what is wrong, if anything."""
    if step.kind == "next hand":
        if table.over != "hand":
            return f"expected the end of a hand before the next one, found over: {table.over}"
        table.next_hand()
        return ""
    if step.kind in ("play", "legal"):
        refusal = _refusal(table if step.kind == "play" else table.copy(), step)
        return f"expected a legal action, found: {refusal}" if refusal else ""
    if step.kind == "illegal":
        saved = table.save()
        if not _refusal(table, step):
            return "expected an illegal action, found that it is legal"
        changed = table.save() != saved
        return "expected a refusal that changes nothing, found a change" if changed else ""
    found = _FOUND[step.kind](table, step)
    same = Counter(found) == Counter(step.value) if step.kind == "hand" else found == step.value
    return "" if same else f"expected {_shown(step.value)}, found {_shown(found)}"


def _refusal(table: Table, step: Step) -> str:
    """Play the action of a step; say why not, if it is refused."""
    if step.seat != table.turn:
        return f"it is not seat {step.seat}'s turn (turn: {_shown(table.turn)})"
    try:
        table.play(step.value)
    except IllegalAction as error:
        return str(error) or "refused"
    return ""


_FOUND: dict[str, Callable[[Table, Step], Any]] = {
    "turn": lambda table, step: table.turn,
    "phase": lambda table, step: table.phase,
    "hand": lambda table, step: table.hand(step.seat or 0),
    "pile": lambda table, step: list(table.pile),
    "stock": lambda table, step: table.stock_count,
    "melded": lambda table, step: list(table.melded),
    "scores": lambda table, step: list(table.scores),
    "boxes": lambda table, step: list(table.boxes),
    "over": lambda table, step: table.over,
    "winner": lambda table, step: table.winner,
    "dealer": lambda table, step: table.dealer,
}


def _shown(value: Any) -> str:
    """A value as it stands in a file."""
    if isinstance(value, list):
        return " ".join(map(str, value)) or "nothing"
    return "none" if value is None else str(value)


def _cases(path: str | Path) -> list[Case]:
    try:
        return parse(Path(path).read_text(encoding="utf-8"))
    except ScenarioError as error:
        raise ScenarioError(error.line, error.sentence, str(path)) from error


def _play(case: Case, path: str | Path) -> None:
    try:
        run_case(case, str(path))
    except ScenarioError as error:
        raise ScenarioError(error.line, error.sentence, str(path)) from error


def run(path: str | Path) -> int:
    """Play all cases of a file, and return how many there are.

    Raises `AssertionError` with file, line and position on the first line that does not hold, and
    `ScenarioError` on one that cannot be read.
    """
    cases = _cases(path)
    for case in cases:
        _play(case, path)
    return len(cases)


def main(paths: Sequence[str]) -> int:
    """Play files and write what fails; the exit status.

    0: every case holds; 1: one does not; 2: a file cannot be read, or none is named.
    """
    passed = failed = unreadable = 0
    for path in paths:
        try:
            for case in _cases(path):
                try:
                    _play(case, path)
                    passed += 1
                except AssertionError as error:
                    failed += 1
                    sys.stdout.write(f"{error}\n\n")
        except (ScenarioError, OSError, UnicodeError) as error:
            unreadable += 1
            sys.stdout.write(f"{error}\n")
    sys.stdout.write(f"{passed} passed, {failed} failed\n")
    return 2 if unreadable or not paths else int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
