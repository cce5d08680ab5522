"""The page of a replay in a browser: how it looks, and how it is read aloud."""

from typing import Any

import pytest
from replays_in_browser import DESKTOP, PLAYERS, SIZES, Replay, all_replays, one_browser, quiet  # noqa: F401

from rummyzoo.agents.replay import frames
from rummyzoo.envs import Table

LYING = (844, 390)


@pytest.mark.parametrize("size", [*SIZES, LYING], ids=["desktop", "phone", "lying phone"])
@pytest.mark.parametrize(("game", "n"), PLAYERS)
def test_nothing_sticks_out(
    replays: dict[Any, Replay], game: str, n: int, size: tuple[int, int]
) -> None:
    replay = replays[game, n]
    replay.open(size)
    sizes = [len(f"{f.get('seats')}{f.get('melds')}") for f in frames(replay.record)]
    moments = {0, replay.last, sizes.index(max(sizes)), *replay.starts()}
    held = [sum(map(len, hands_of(table))) for table in replay.tables]
    fullest = held.index(max(held))
    for moment in (*moments, fullest):
        replay.go(moment)
        assert replay.browser.run("return document.documentElement.scrollWidth <= innerWidth")
        assert replay.browser.run(INSIDE, list(size)) == []


def hands_of(table: Table) -> list[list[str]]:
    return [table.hand(p) for p in range(table.num_players)]


INSIDE = """
    // What is not within its surroundings: cards in seats, seats on the table, buttons on screen;
    // and which parts of the table overlap.
    const wrong = [];
    const all = (selector) => [...document.querySelectorAll(selector)];
    const place = (part) => part.getBoundingClientRect();
    const within = (inner, outer) => {
      const a = place(inner), b = place(outer);
      if (a.left < b.left - 1 || a.right > b.right + 1 || a.bottom > b.bottom + 6
          || a.top < b.top - 6)
        wrong.push([inner.outerHTML.slice(0, 90), JSON.stringify(a), JSON.stringify(b)]);
    };
    document.getAnimations().forEach(a => a.finish());
    const felt = document.getElementById('felt'), controls = document.querySelector('.controls');
    for (const card of all('.seat .card')) within(card, card.closest('.seat'));
    for (const part of all('.seat, #middle .card')) within(part, felt);
    for (const part of all('.controls button:not([hidden]), .controls select'))
      within(part, controls);
    const boxes = all('.seat, #middle');
    boxes.forEach((one, n) => boxes.slice(n + 1).forEach(two => {
      const a = place(one), b = place(two);
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1
          && b.top < a.bottom - 1)
        wrong.push(['overlap', one.outerHTML.slice(0, 60), two.outerHTML.slice(0, 60)]);
    }));
    return wrong;"""


def test_dark_and_light(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 2]
    colours = set()
    for scheme in ("light", "dark"):
        replay.open(prefers_color_scheme=scheme)
        colours.add(replay.browser.run("return getComputedStyle(document.body).backgroundColor"))
    assert len(colours) == 2
    replay.browser.size(DESKTOP)


def test_cards_stand_still_for_those_who_want_it(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 2]
    moving = "return document.getAnimations().length"
    draws = next(n for n, step in enumerate(replay.steps) if step is not None)
    for motion, moves in [("no-preference", True), ("reduce", False)]:
        replay.open(prefers_reduced_motion=motion)
        replay.go(draws - 1)
        replay.browser.run("document.getAnimations().forEach(a => a.finish())")
        replay.browser.run("document.getElementById('forward').click()")
        assert (replay.browser.run(moving) > 0) == moves
    replay.browser.size(DESKTOP)


def test_everything_has_a_name(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 8]
    replay.open()
    replay.go(40)
    nameless = """
        return [...document.querySelectorAll('button, select, input, .card, section, #stock')]
          .filter(e => !e.closest('dialog, #stock') || e.id === 'stock')
          .filter(e => !(e.ariaLabel || e.textContent.trim() || (e.labels && e.labels.length)
            || e.getAttribute('aria-labelledby'))).map(e => e.outerHTML.slice(0, 99));"""
    assert replay.browser.run(nameless) == []
    spoken = replay.text("#spoken")
    step = replay.steps[40]
    assert step is None or spoken.startswith(f"Player <b>{step.seat}</b>: {step.action}")
    replay.browser.press("Tab")
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert replay.browser.run(outline) == "solid"
