"""The page of a replay in a browser: what is shown to whom."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from browser import Browser
from replays_in_browser import (  # noqa: F401
    HAND,
    PLAYERS,
    Replay,
    all_replays,
    list_of_moves,
    moves_of_hand,
    one_browser,
    quiet,
)

from rummyzoo.envs import Table, read_record


@pytest.mark.parametrize(("game", "n"), PLAYERS)
def test_it_shows_what_the_engine_shows(replays: dict[Any, Replay], game: str, n: int) -> None:
    replay = replays[game, n]
    replay.open()
    rng = random.Random(1)
    moments = {0, replay.last, *rng.sample(range(replay.last), 6), *replay.starts()}
    viewers: list[int | str] = ["all", "public", *rng.sample(range(n), 2)]
    for who in viewers:
        replay.look(who)
        for moment in moments:
            replay.go(moment)
            replay.compare(who)


@pytest.mark.parametrize(("game", "n"), PLAYERS)
def test_it_ends_as_the_engine_does(replays: dict[Any, Replay], game: str, n: int) -> None:
    replay = replays[game, n]
    replay.open()
    replay.browser.press("End")
    assert replay.at == replay.last
    replay.compare("all")
    table = replay.tables[-1]
    for p in range(n):
        assert replay.browser.run(f"return {HAND % p}") == table.hand(p)
        gained = replay.text(f'[data-seat="{p}"] .played').replace("−", "-")
        assert int(gained) == table.hand_scores[p]


def everything(browser: Browser) -> str:
    """All text and attributes of the page, but for what is packed."""
    return str(
        browser.run("""
        const copy = document.documentElement.cloneNode(true);
        for (const part of copy.querySelectorAll("script, style, .symbols")) part.remove();
        return copy.outerHTML;
        """)
    )


@pytest.mark.parametrize(("game", "n"), PLAYERS)
def test_a_seat_is_told_no_hidden_card(replays: dict[Any, Replay], game: str, n: int) -> None:
    """However the hidden cards lie, all of the page is the same."""
    replay = replays[game, n]
    rng = random.Random(2)
    middle = rng.sample(range(1, replay.last), 4)
    folder = replay.path.parent
    for moment in middle:
        table = replay.tables[moment]
        for who in rng.sample(range(n), min(n, 2)):
            pages = []
            for world in (table, table.resample(who, 1)):
                path = folder / "world.jsonl"
                with world.copy().record(path, replay.record.players, replace=True):
                    pass
                other = Replay(replay.browser, read_record(path), folder / "world.html")
                other.open()
                other.look(who)
                pages.append(everything(replay.browser))
            assert pages[0] == pages[1]


@pytest.mark.parametrize(("game", "n"), PLAYERS)
def test_cards_of_others_are_nowhere_on_the_page(
    replays: dict[Any, Replay], game: str, n: int
) -> None:
    """Also not in the moves and thoughts that led there."""
    replay = replays[game, n]
    replay.open()
    rng = random.Random(3)
    viewers: list[int | str] = ["public", 0]
    for who in viewers:
        replay.look(who)
        for moment in rng.sample(range(1, replay.last), 8):
            replay.go(moment)
            step = replay.steps[moment]
            told = replay.browser.run("return !document.getElementById('thoughts').hidden")
            assert told == (step is not None and step.seat == who)
            shown = replay.shown(who)
            visible = Counter(c for seat in shown.seats for c in seat.cards)
            cards = "return [...document.querySelectorAll('.seat [data-card]')]"
            found = Counter(replay.browser.run(f"{cards}.map(c => c.dataset.card)"))
            assert found == visible
            for entry, other in zip(list_of_moves(replay), moves_of_hand(replay), strict=True):
                text = "" if other is None else other.action
                if other is not None and other.seat != who:
                    assert entry[1] == text


@pytest.mark.parametrize(("game", "n"), PLAYERS)
def test_everyone_is_told_what_players_thought(
    replays: dict[Any, Replay], game: str, n: int
) -> None:
    replay = replays[game, n]
    replay.open()
    for moment in random.Random(4).sample(range(1, replay.last), 6):
        replay.go(moment)
        step = replay.steps[moment]
        if step is None:
            continue
        assert replay.text("#thoughts-title") == f"What Player <b>{step.seat}</b> thought"
        assert "expects" in replay.text("#thoughts-value")
        assert replay.text("#thoughts-list .chosen span") == step.action
        count = replay.browser.run("return document.querySelectorAll('#thoughts-list .bar').length")
        assert min(len(step.probabilities or step.values), 12) <= count <= 13


def test_who_has_no_doubt_tells_what_each_move_is_worth(browser: Browser, tmp_path: Path) -> None:
    """As search does: one move is certain, and all have a value."""
    table = Table("gin", 5, target=None)
    legal = table.legal()
    values = {text: 4.0 - 9.5 * n for n, text in enumerate(legal)}
    with table.record(tmp_path / "game.jsonl", ["a", "b"]) as recorder:
        recorder.play(legal[-1], probabilities={legal[-1]: 1.0}, values=values)
    replay = Replay(browser, read_record(tmp_path / "game.jsonl"), tmp_path / "game.html")
    replay.open()
    replay.go(1)
    rows = "return [...document.querySelectorAll('#thoughts-list li')].map(l => l.textContent)"
    best_first = [legal[-1], *(text for text in legal if text != legal[-1])]
    assert replay.browser.run(rows) == [
        f"{text}{values[text]:+.3g}".replace("-", "−") for text in best_first
    ]
    assert replay.text("#thoughts-value") == "value of each move"


def test_cards_taken_from_the_pile_are_marked(replays: dict[Any, Replay]) -> None:
    replay = replays["rummy500", 2]
    replay.open()
    takes = [n for n, step in enumerate(replay.steps) if step and step.action.startswith("take")]
    for moment in takes[:4]:
        before, after = replay.tables[moment - 1].pile, replay.tables[moment].pile
        taken = before[len(after) :]
        replay.go(moment)
        gone = "return [...document.querySelectorAll('#pile .gone')].map(c => c.dataset.card)"
        assert replay.browser.run(gone) == taken
        seat = replay.steps[moment].seat  # type: ignore[union-attr]
        new = f"return [...document.querySelectorAll('[data-seat=\"{seat}\"] .new')]"
        assert Counter(replay.browser.run(f"{new}.map(c => c.dataset.card)")) == Counter(taken)


def test_a_page_of_another_end_says_so(replays: dict[Any, Replay], tmp_path: Path) -> None:
    replay = replays["gin", 2]
    other = replays["rummy", 2]
    text = replay.path.read_text("utf-8").replace(packed(replay), packed(other)[:-40] + "A" * 40)
    (tmp_path / "damaged.html").write_text(text, "utf-8")
    replay.browser.open(tmp_path / "damaged.html")
    said = replay.browser.wait("document.getElementById('trouble').textContent", "the message")
    assert said
    assert replay.browser.run("return document.documentElement.dataset.ready") is None


def packed(replay: Replay) -> str:
    text = replay.path.read_text("utf-8")
    return text.partition('id="record">')[2].partition("<")[0]
