"""The page of a replay in a browser: stepping by keys, buttons, swipes and by itself."""

from typing import Any

import pytest
from replays_in_browser import (  # noqa: F401
    PHONE,
    SIZES,
    Replay,
    all_replays,
    list_of_moves,
    moves_of_hand,
    one_browser,
    quiet,
)


def test_keys(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 4]
    replay.open()
    starts, last = replay.starts(), replay.last
    for key, to in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("PageDown", starts[1]),
        ("ArrowRight", starts[1] + 1),
        ("PageUp", starts[1]),
        ("PageUp", 0),
        ("End", last),
        ("ArrowRight", last),
        ("PageDown", last),
        ("PageUp", starts[-1]),
        ("Home", 0),
    ]:
        replay.browser.press(key)
        assert (key, replay.at) == (key, to)
    for key, who in [("2", "2"), ("p", "public"), ("0", "0"), ("a", "all"), ("7", "all")]:
        replay.browser.press(key)
        assert replay.browser.run("return document.getElementById('viewer').value") == who


def test_keys_step_wherever_the_focus_is(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 2]
    replay.open()
    for n, selector in enumerate(["#forward", "#timeline", "#move-list button", "#about-open"], 1):
        replay.browser.run("document.querySelector(arguments[0]).focus()", selector)
        replay.browser.press("ArrowRight")
        assert replay.at == n
    replay.browser.run("document.getElementById('viewer').focus()")
    replay.browser.press("Home")  # belongs to the list of viewers
    assert replay.at == 4


def test_buttons(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 4]
    for size in SIZES:
        replay.open(size)
        starts = replay.starts()
        for button, to in [
            ("forward", 1),
            ("forward", 2),
            ("back", 1),
            ("hand-on", starts[1]),
            ("hand-back", 0),
            ("last", replay.last),
            ("first", 0),
        ]:
            replay.browser.click(f"#{button}")
            assert (button, replay.at) == (button, to)
        enabled = "return !document.getElementById(arguments[0]).disabled"
        assert not replay.browser.run(enabled, "back")
        assert replay.browser.run(enabled, "forward")


@pytest.mark.parametrize(("game", "words"), [("rummy500", ("call",)), ("gin", ("knock", "gin"))])
def test_calls_and_knocks_are_jumped_to(
    replays: dict[Any, Replay], game: str, words: tuple[str, ...]
) -> None:
    replay = replays[game, 4 if game == "rummy500" else 2]
    replay.open()
    calls = [n for n, step in enumerate(replay.steps) if step and step.action.startswith(words)]
    assert calls
    for n in calls:
        replay.browser.press("c")
        assert replay.at == n
    replay.browser.press("c")
    assert replay.at == calls[-1]
    replay.go(0)
    replay.browser.click("#call-on")
    assert replay.at == calls[0]
    assert replay.text("#call-on") == f"Next {words[0]}"
    dots = replay.browser.run("return document.querySelectorAll('#ticks .call').length")
    assert dots == len(calls)


def test_games_without_calls_have_no_button_for_them(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy", 2]
    replay.open()
    assert replay.browser.run("return document.getElementById('call-on').hidden")


def test_hands_are_marked_on_the_timeline(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 4]
    replay.open()
    marks = "return [...document.querySelectorAll('#ticks span:not(.call)')].map(m => m.style.left)"
    places = [float(left.rstrip("%")) for left in replay.browser.run(marks)]
    assert places == pytest.approx([100 * n / replay.last for n in replay.starts()], abs=0.01)


def test_moves_follow_and_can_be_clicked(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 4]
    for size in SIZES:
        replay.open(size)
        for moment in (5, replay.starts()[1] + 3, replay.last):
            replay.go(moment)
            entries = list_of_moves(replay)
            begins = [n for n in replay.starts() if n <= moment][-1]
            assert [at for at, _ in entries] == list(range(begins, begins + len(entries)))
            for (_, text), step in zip(entries, moves_of_hand(replay), strict=True):
                assert step is None or text.partition(" (")[0] == step.action
            current = "[...document.querySelectorAll('[aria-current]')].map(b => b.dataset.at)"
            assert replay.browser.run(f"return {current}") == [str(moment)]
            inside = """
                const room = document.getElementById('move-list').getBoundingClientRect();
                const place = document.querySelector('[aria-current]').getBoundingClientRect();
                return place.top >= room.top - 1 && place.bottom <= room.bottom + 1;"""
            assert replay.browser.run(inside)
        replay.go(0)
        click = "document.querySelector('#move-list [data-at=\"7\"]').click()"
        replay.browser.run(click)
        assert replay.at == 7


def test_it_plays_by_itself_and_pauses(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 2]
    replay.open()
    replay.browser.run("document.getElementById('speed').value = '8'")
    replay.browser.press(" ")
    replay.browser.wait("Number(document.documentElement.dataset.at) >= 4", "playing")
    assert replay.browser.run("return document.getElementById('play').ariaLabel") == "Pause"
    replay.browser.press(" ")
    stopped = replay.at
    assert replay.browser.run("return document.getElementById('play').ariaLabel") == "Play"
    replay.browser.run("await new Promise(done => setTimeout(done, 400))")
    assert replay.at == stopped
    replay.go(replay.last - 1)
    replay.browser.click("#play")
    replay.browser.wait("!document.querySelector('.playing')", "the end")
    assert replay.at == replay.last


def test_swipes_step(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 2]
    replay.open(PHONE)
    swipe = """
        const felt = document.getElementById('felt');
        const at = (type, x, y) => felt.dispatchEvent(new PointerEvent(type,
            {clientX: x, clientY: y, pointerType: 'touch', bubbles: true}));
        at('pointerdown', arguments[0], 300); at('pointerup', arguments[1], arguments[2]);"""
    for start_, end, y, to in [(300, 100, 310, 1), (300, 90, 300, 2), (90, 300, 300, 1)]:
        replay.browser.run(swipe, start_, end, y)
        assert replay.at == to
    replay.browser.run(swipe, 300, 290, 300)
    replay.browser.run(swipe, 300, 200, 600)  # scrolling
    assert replay.at == 1


def test_help_and_about(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 4]
    replay.open()
    for opens, name in [("?", "keys"), (None, "about")]:
        if opens:
            replay.browser.press(opens)
        else:
            replay.browser.click("#about-open")
        assert replay.browser.run("return document.getElementById(arguments[0]).open", name)
        replay.browser.press("ArrowRight")
        assert replay.at == 0
        replay.browser.press("Escape")
        assert not replay.browser.run("return document.getElementById(arguments[0]).open", name)
    assert "Player <b>3</b>" in replay.text("#about-list")
    assert "rummyzoo" in replay.text("#about-list")
