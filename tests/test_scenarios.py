"""The rule cases in tests/scenarios, and the runner that plays them."""

import subprocess
import sys
from pathlib import Path

import pytest

from rummyzoo.envs import scenario

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*/*.txt"))

GOOD = """\
# the points of a lay-off go to the player who lays the card
game: rummy500 num_players=3 jokers_per_deck=0
hand 0: 7S 2D KD
hand 1: 4C 5C 9H
table: 8S 9S TS by 1 ; KH KS KC by 2
pile: 5H 7D QC
stock: 4D 6D *
---
0 draw stock
illegal: 0 discard 4C
legal: 0 discard 2D
0 lay 7S on 8S
0 discard KD
turn: 1
melded: 7 27 30
over: no
"""


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_rule_cases(path: Path) -> None:
    assert scenario.run(path) > 0


def test_there_are_rule_cases() -> None:
    assert len(FILES) > 15


def test_every_case_says_what_it_shows() -> None:
    for path in FILES:
        for case in scenario.parse(path.read_text(encoding="utf-8")):
            assert case.title, f"{path}:{case.line}"


def test_the_example_of_the_module_holds() -> None:
    assert scenario.__doc__
    lines = scenario.__doc__.split("cases::\n")[1].split("\nBefore")[0]
    (case,) = scenario.parse(lines)
    scenario.run_case(case)


def write(folder: Path, text: str) -> Path:
    path = folder / "case.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_case_is_read_as_it_stands() -> None:
    (case,) = scenario.parse(GOOD)
    assert case.title.startswith("the points")
    assert (case.game, case.options) == ("rummy500", {"num_players": 3, "jokers_per_deck": 0})
    assert case.hands == {0: ["7S", "2D", "KD"], 1: ["4C", "5C", "9H"]}
    assert case.position["table"] == [(["8S", "9S", "TS"], 1), (["KH", "KS", "KC"], 2)]
    assert case.position["stock"] == ["4D", "6D"]
    assert case.position["stock_rest"]
    assert [step.kind for step in case.steps][:4] == ["play", "illegal", "legal", "play"]
    assert case.steps[0].line == 9
    assert case.steps[1].value == "discard 4C"


def test_option_values_are_python_values() -> None:
    text = "game: rummy500 preset=RUMMY_500 target=None going_out=float rummy_persistent=False\n"
    (case,) = scenario.parse(text + "---\nturn: 0")
    assert case.options == {
        "preset": "RUMMY_500",
        "target": None,
        "going_out": "float",
        "rummy_persistent": False,
    }


def test_several_cases_stand_in_one_file(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD + "===\n\n" + GOOD + "===\n")
    assert scenario.run(path) == 2
    assert [case.line for case in scenario.parse(path.read_text())] == [2, 20]


def test_a_named_stock_without_a_star_is_all_there_is(tmp_path: Path) -> None:
    text = "# t\ngame: rummy500\nhand 0: 7S\nhand 1: 7C\npile: 4D\nstock:{}\n---\nstock: {}\n"
    scenario.run(write(tmp_path, text.format("", 0)))
    scenario.run(write(tmp_path, text.format(" 9H 2C", 2)))
    scenario.run(write(tmp_path, text.format(" 9H *", 54 - 3)))


def test_ten_may_be_written_with_two_digits(tmp_path: Path) -> None:
    text = "game: rummy500\nhand 0: 10S 2D\nphase: play\n---\n0 discard 10S\npile: TS\npile: 10S\n"
    scenario.run(write(tmp_path, text))


WRONG = [  # a line in place of a line of GOOD, its number, and what the message must say
    ("0 draw stock", "0 take 7D", 9, "expected a legal action, found:"),
    ("0 draw stock", "1 draw stock", 9, "it is not seat 1's turn"),
    ("illegal: 0 discard 4C", "illegal: 0 discard 2D", 10, "expected an illegal action"),
    ("legal: 0 discard 2D", "legal: 0 discard 4D\nlegal: 0 discard 9H", 12, "expected a legal"),
    ("turn: 1", "turn: 2", 14, "expected 2, found 1"),
    ("turn: 1", "phase: play", 14, "expected play, found call"),
    ("turn: 1", "hand 1: 4C 5C", 14, "expected 4C 5C, found 4C 5C 9H"),
    ("turn: 1", "pile: KD", 14, "expected KD, found 5H 7D QC KD"),
    ("turn: 1", "stock: 3", 14, "expected 3, found"),
    ("turn: 1", "scores: 1 0 0", 14, "expected 1 0 0, found 0 0 0"),
    ("turn: 1", "winner: 0", 14, "expected 0, found none"),
    ("turn: 1", "dealer: 0", 14, "expected 0, found 2"),
    ("turn: 1", "next hand", 14, "expected the end of a hand"),
    ("melded: 7 27 30", "melded: 0 34 30", 15, "expected 0 34 30, found 7 27 30"),
    ("over: no", "over: hand", 16, "expected hand, found no"),
]


@pytest.mark.parametrize(("old", "new", "number", "says"), WRONG)
def test_a_line_that_does_not_hold(
    tmp_path: Path, old: str, new: str, number: int, says: str
) -> None:
    path = write(tmp_path, GOOD.replace(f"\n{old}\n", f"\n{new}\n"))
    with pytest.raises(AssertionError) as caught:
        scenario.run(path)
    message = str(caught.value)
    first, second, *position = message.splitlines()
    assert first.startswith(f"{path}:{number}: {new.splitlines()[-1]}")
    assert says in second
    assert "8S" in "\n".join(position)  # a table to look at


UNREADABLE = [  # a line in place of a line of GOOD, its number, and what the message must say
    ("pile: 5H 7D QC", "pile: 5H 7X QC", 6, "'7X' is not a card; cards are written like 7S"),
    ("pile: 5H 7D QC", "pile: 5H JK(7D) QC", 6, "JK(7D)"),
    ("pile: 5H 7D QC", "piles: 5H 7D QC", 6, "unknown key 'piles'; did you mean 'pile'?"),
    ("pile: 5H 7D QC", "pile 5H 7D QC", 6, "is not 'key: value'"),
    ("pile: 5H 7D QC", "hand: 5H 7D QC", 6, "like 'hand 0: 7S KD'"),
    ("pile: 5H 7D QC", "hand 0: 5H", 6, "'hand 0' stands already in line 3"),
    ("pile: 5H 7D QC", "turn: first", 6, "'turn' needs whole numbers, not 'first'"),
    ("pile: 5H 7D QC", "turn: 1 2", 6, "'turn' needs exactly one value"),
    ("stock: 4D 6D *", "stock: * 4D 6D", 7, "the '*' of a stock comes last"),
    ("table: 8S 9S TS by 1 ; KH KS KC by 2", "table: 8S 9S by 1", 5, "'8S 9S by 1' is not a meld"),
    ("table: 8S 9S TS by 1 ; KH KS KC by 2", "table: 8S 9S TS by B", 5, "needs whole numbers"),
    ("---", "", 9, "put a line '---' before the first play"),
    ("turn: 1", "---", 14, "a second '---'"),
    ("turn: 1", "turns: 1", 14, "unknown key 'turns'; did you mean 'turn'?"),
    ("0 draw stock", "draw stock", 9, "needs a seat before it, like '0 draw stock'"),
    ("0 draw stock", "0 draw card", 9, "'draw card' is not an action; there are pass, draw stock"),
    ("illegal: 0 discard 4C", "illegal: discard 4C", 10, "needs a seat"),
    ("illegal: 0 discard 4C", "illegal: 0 discard 4X", 10, "'discard 4X' is not an action"),
    ("0 lay 7S on 8S", "0 lay 7S", 12, "is not an action; there are"),
]


@pytest.mark.parametrize(("old", "new", "number", "says"), UNREADABLE)
def test_a_line_that_cannot_be_read(old: str, new: str, number: int, says: str) -> None:
    with pytest.raises(scenario.ScenarioError) as caught:
        scenario.parse(GOOD.replace(f"\n{old}\n", f"\n{new}\n"))
    assert str(caught.value).startswith(f"line {number}: ")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: no case here"),
        ("# only a comment\n", "line 1: no case here"),
        ("hand 0: 7S\n---\nturn: 0\n", "line 1: this case names no game"),
        ("game: rummy500\nturn: 0\n", "line 1: this case has no line '---'"),
        ("game: rummy500\n---\n", "line 1: nothing follows '---'"),
        ("game: num_players=3\n---\nturn: 0\n", "line 1: the game's name comes first"),
        ("game: rummy500 three\n---\nturn: 0\n", "line 1: 'three' is not an option"),
    ],
)
def test_a_file_that_cannot_be_read(text: str, says: str) -> None:
    with pytest.raises(scenario.ScenarioError, match=says):
        scenario.parse(text)


@pytest.mark.parametrize(
    "line",
    [
        "game: rumy500",
        "game: rummy500 number_of_players=3",
        "game: rummy500 num_players=9",
        "game: rummy500 preset=RUMMY_501",
        "hand 0: 7S 7S",
        "hand 0: JK JK JK",
        "hand 2: 7S",
        "table: 8S 9S JS by 0",
        "table: 8S 9S TS by 2",
        "pile: 5H 5H",
        "stock: 5H 5H *",
        "turn: 2",
        "dealer: 5",
        "phase: night",
        "scores: 0 0 0",
        "melded: 0",
    ],
)
def test_a_position_that_cannot_be(line: str) -> None:
    game = "" if line.startswith("game") else "game: rummy500\n"
    (case,) = scenario.parse(f"{game}{line}\n---\nstock: 1\n")
    with pytest.raises(scenario.ScenarioError, match=r"^line 1: this case cannot be set up: ."):
        scenario.run_case(case)


@pytest.mark.parametrize(
    ("text", "status", "last"),
    [
        (GOOD + "===\n" + GOOD, 0, "2 passed, 0 failed"),
        (GOOD + "===\n" + GOOD.replace("over: no", "over: hand"), 1, "1 passed, 1 failed"),
        (GOOD + "===\n" + GOOD.replace("over: no", "ower: no"), 2, "0 passed, 0 failed"),
    ],
)
def test_the_exit_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, status: int, last: str
) -> None:
    path = write(tmp_path, text)
    assert scenario.main([str(path)]) == status
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == last
    if status == 1:
        assert lines[0].startswith(f"{path}:33: over: hand")
    if status == 2:
        assert lines[0] == f"{path}: line 33: unknown key 'ower'; did you mean 'over'?"


def test_a_missing_file_and_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenario.main(["no_such_file.txt"]) == 2
    assert "no_such_file.txt" in capsys.readouterr().out
    assert scenario.main([]) == 2


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    command = [sys.executable, "-m", "rummyzoo.envs.scenario", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "1 passed, 0 failed\n"), done.stderr
