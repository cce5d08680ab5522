"""The page of a replay in a browser: the curve of what players expected, above the timeline."""

import re
from pathlib import Path
from typing import Any

import pytest
from replays_in_browser import (  # noqa: F401
    PHONE,
    PLAYERS,
    SIZES,
    Replay,
    all_replays,
    one_browser,
    quiet,
)

from rummyzoo.envs import Table, read_record

MIDDLE, ROOM = 50, 42
"""Of the curve, in per cent of its height: where 0 is, and how far from there the most may be."""


def values(replay: Replay, seats: list[int]) -> dict[int, dict[int, float]]:
    """What some seats expected: seat -> moment -> points."""
    found: dict[int, dict[int, float]] = {}
    for moment, step in enumerate(replay.steps):
        if step is not None and step.seat in seats and step.value is not None:
            found.setdefault(step.seat, {})[moment] = step.value
    return found


def drawn(replay: Replay) -> dict[int, list[tuple[str, int, float]]]:
    """The lines: seat -> the command, moment and height of each of their points."""
    script = "return [...document.querySelectorAll('[data-line]')].map(l => [l.dataset.line, d(l)])"
    lines = replay.browser.run(f"const d = line => line.getAttribute('d'); {script}")
    return {
        int(seat): [
            (kind, int(x), float(y)) for kind, x, y in re.findall(r"([ML])(\S+?) ([\d.]+)", line)
        ]
        for seat, line in lines
    }


def is_hidden(replay: Replay) -> bool:
    return bool(replay.browser.run("return document.getElementById('curve').hidden"))


@pytest.mark.parametrize(("game", "n"), PLAYERS)
def test_it_shows_what_those_expected_whose_hands_are_seen(
    replays: dict[Any, Replay], game: str, n: int
) -> None:
    replay = replays[game, n]
    replay.open()
    viewers: list[tuple[int | str, list[int]]] = [("all", [*range(n)]), (n - 1, [n - 1])]
    for who, seats in viewers:
        replay.look(who)
        expected = values(replay, seats)
        most = max(abs(value) for told in expected.values() for value in told.values())
        lines = drawn(replay)
        assert lines.keys() == expected.keys()
        for seat, points in lines.items():
            assert [moment for _, moment, _ in points] == list(expected[seat])
            heights = [MIDDLE - ROOM * value / most for value in expected[seat].values()]
            assert [y for _, _, y in points] == pytest.approx(heights, abs=0.01)
            hands = [replay.steps[moment].hand for _, moment, _ in points]  # type: ignore[union-attr]
            begins = ["L" if hand in hands[:k] else "M" for k, hand in enumerate(hands)]
            assert [kind for kind, _, _ in points] == begins
        assert not is_hidden(replay)
    replay.look("public")
    assert is_hidden(replay)
    assert drawn(replay) == {}


@pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])
@pytest.mark.parametrize("n", [2, 8])
def test_it_lies_along_the_timeline(
    replays: dict[Any, Replay], n: int, size: tuple[int, int]
) -> None:
    replay = replays["rummy500", n]
    replay.open(size)
    box = "document.getElementById(arguments[0]).getBoundingClientRect().toJSON()"
    curve, timeline, controls = (
        replay.browser.run(f"return {box}", part) for part in ("curve-lines", "timeline", "ticks")
    )
    assert (curve["left"], curve["right"]) == (controls["left"], controls["right"])
    assert timeline["left"] <= curve["left"] < curve["right"] <= timeline["right"] <= size[0]
    assert 0 < curve["top"] < curve["bottom"] <= timeline["top"] < size[1]
    assert curve["height"] >= 30


@pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])
def test_a_click_goes_there_and_pulling_scrubs(
    replays: dict[Any, Replay], size: tuple[int, int]
) -> None:
    replay = replays["rummy500", 4]
    replay.open(size)
    width = replay.browser.run("return document.getElementById('curve-lines').clientWidth")

    def moment(share: float) -> Any:
        """Where that is, to half a pixel of the mouse."""
        return pytest.approx(share * replay.last, abs=0.5 + replay.last / width)

    for share in (0.8, 0.25):
        replay.browser.pull("#curve-lines", share)
        assert replay.at == moment(share)
    replay.browser.pull("#curve-lines", 0.4, 0.7, 0.6)
    assert replay.at == moment(0.6)
    replay.browser.hover("#curve-lines")
    assert replay.at == moment(0.6)


def test_keys_on_it(tmp_path: Path, browser: Any) -> None:
    """Tab leads to it; arrows up and down go from value to value, the others step."""
    replay = told_by(browser, tmp_path, seat=1)
    told = list(values(replay, [1])[1])
    replay.open()
    assert list(drawn(replay)) == [1]
    for _ in range(30):
        replay.browser.press("Tab")
        if replay.browser.run("return document.activeElement.id") == "curve":
            break
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert replay.browser.run(outline) == "solid"
    for key, to in [
        ("ArrowUp", told[0]),
        ("ArrowUp", told[1]),
        ("ArrowRight", told[1] + 1),
        ("ArrowDown", told[1]),
        ("ArrowDown", told[0]),
        ("ArrowDown", told[0]),
        ("End", replay.last),
        ("ArrowDown", told[-1]),
        ("ArrowUp", told[-1]),
        ("Home", 0),
        ("ArrowLeft", 0),
    ]:
        replay.browser.press(key)
        assert (key, replay.at) == (key, to)


def test_it_says_what_was_expected(tmp_path: Path, browser: Any) -> None:
    replay = told_by(browser, tmp_path, seat=1)
    replay.open(PHONE)
    says = "return document.getElementById('curve').getAttribute('aria-valuetext')"
    dot = "return document.querySelector('#curve .dot').getAttribute('d')"
    (moment, value), *_ = values(replay, [1])[1].items()
    replay.go(moment)
    text = f"b expected {value:+.3g}".replace("-", "−")
    assert replay.text("#curve-said") == text
    assert replay.browser.run(says) == f"{moment}: {text}"
    assert replay.browser.run(dot).startswith(f"M{moment} ")
    silent = next(n for n, step in enumerate(replay.steps) if step and step.seat == 0)
    replay.go(silent)
    assert replay.text("#curve-said") == "value expected"
    assert replay.browser.run(says) == f"{silent}: nothing was said"
    assert not replay.browser.run(dot)


def test_without_values_there_is_no_curve(tmp_path: Path, browser: Any) -> None:
    replay = told_by(browser, tmp_path, seat=None)
    replay.open()
    assert is_hidden(replay)
    replay.browser.press("ArrowRight", "ArrowRight")
    assert replay.at == 2


def told_by(browser: Any, folder: Path, seat: int | None) -> Replay:
    """A hand of Gin in which one seat, or none, tells what it expects."""
    path = folder / "game.jsonl"
    table = Table("gin", 5, target=None)
    with table.record(path, ["a", "b"]) as recorder:
        table = table.copy()
        for number in range(12):
            value = 20.0 - 7 * number if table.turn == seat else None
            action = int(table.legal_actions()[0])
            recorder.play(action, value=value)
            table.play(action)
    return Replay(browser, read_record(path), folder / "game.html")
