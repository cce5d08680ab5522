"""Records and their pages open in a browser, for tests."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from about import about
from browser import Browser, start
from walks import choose

from rummyzoo.agents.replay import page
from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.record import Record, read_record
from rummyzoo.envs.render import Shown, show

DESKTOP, PHONE = (1280, 800), (390, 844)
SIZES = [DESKTOP, PHONE]
PLAYERS = [(game, n) for game in GAMES for n in (2, 4, 8) if n <= load_game(game).MAX_PLAYERS]

HAND = "[...document.querySelectorAll('[data-seat=\"%d\"] .hand .card')].map(c => c.dataset.card)"
PILE = "[...document.querySelectorAll('#pile .card:not(.gone)')].map(c => c.dataset.card)"
MELDS = """[...document.querySelectorAll('#melds .meld')].map(m => [...m.querySelectorAll('.laid')]
    .map(l => [l.querySelector('.card').dataset.card, Number(l.querySelector('.owner').textContent)]
))"""


def make(path: Path, game: str, players: int, hands: int = 3, **options: Any) -> Record:
    """A game by lot, in which players tell what they think."""
    table = Table(game, 3, num_players=players, **options)
    rng = random.Random(3)
    recorder = table.record(path, [f"Player <b>{seat}</b>" for seat in range(players)])
    table = table.copy()
    while table.turn is not None:
        action, legal = choose(table, rng), table.legal()
        thought: dict[str, Any] = {"value": rng.gauss(0, 20)}
        if rng.random() < 0.5:
            thought["probabilities"] = dict.fromkeys(legal, 1 / len(legal))
        else:
            thought["values"] = {text: rng.gauss(0, 10) for text in legal}
        recorder.play(action, **thought)
        table.play(action)
        if table.over == "hand" and table.state.hands < hands:
            table.next_hand()
    recorder.close()
    return read_record(path)


class Replay:
    """A record and its page, open in a browser."""

    def __init__(self, browser: Browser, record: Record, path: Path) -> None:
        self.browser, self.record, self.path = browser, record, path
        path.write_text(page(record), "utf-8")
        self.tables = [table.copy() for _, table in record.moments()]
        self.steps = [step for step, _ in record.moments()]
        self.last = len(self.steps) - 1

    def open(self, size: tuple[int, int] = DESKTOP, **media: str) -> None:
        self.browser.size(size, **media)
        self.browser.open(self.path)
        self.browser.wait("document.documentElement.dataset.ready", "the page")

    @property
    def at(self) -> int:
        return int(self.browser.run("return document.documentElement.dataset.at"))

    def go(self, to: int) -> None:
        """Scrub to a moment."""
        self.browser.run(
            "const t = document.getElementById('timeline'); t.value = arguments[0];"
            "t.dispatchEvent(new Event('input'))",
            to,
        )
        assert self.at == to

    def look(self, who: int | str) -> None:
        self.browser.run(
            "const v = document.getElementById('viewer'); v.value = arguments[0];"
            "v.dispatchEvent(new Event('change'))",
            str(who),
        )

    def shown(self, who: int | str) -> Shown:
        """What the engine shows of the moment that the page is at."""
        table = self.tables[self.at]
        return show(table.game, table.states, 0, table.kits, table.rules, who)

    def starts(self) -> list[int]:
        """Where hands begin."""
        return [n for n, step in enumerate(self.steps) if step is None]

    def compare(self, who: int | str) -> None:
        """The page shows what the engine shows."""
        shown = self.shown(who)
        for p, seat in enumerate(shown.seats):
            hand = self.browser.run(f"return {HAND % p}")
            assert hand == seat.cards + [None] * seat.hidden
            said = self.text(f'[data-seat="{p}"] .points').replace("−", "-")
            assert said == str(seat.score)
        assert self.browser.run(f"return {PILE}") == shown.pile
        assert self.browser.run(f"return {MELDS}") == [list(map(list, m)) for m in shown.melds]
        assert self.text("#stock-count") == str(shown.stock)
        acts = self.browser.run("return [...document.querySelectorAll('.acts')].length")
        assert acts == sum(seat.acts for seat in shown.seats)

    def text(self, selector: str) -> str:
        script = "return document.querySelector(arguments[0]).textContent"
        return str(self.browser.run(script, selector))


@pytest.fixture(scope="module", name="browser")
def one_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with start(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="module", name="replays")
def all_replays(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[Any, Replay]:
    folder = tmp_path_factory.mktemp("replays")
    made = {}
    for game, n in PLAYERS:
        record = make(folder / f"{game}-{n}.jsonl", game, n, **about(game).SHORT)
        made[game, n] = Replay(browser, record, folder / f"{game}-{n}.html")
    return made


@pytest.fixture(autouse=True)
def quiet(browser: Browser) -> Iterator[None]:
    """No test leaves a complaint in the console, or a request beyond the page itself."""
    yield
    assert browser.complaints() == []
    own = ("data:", "blob:", "chrome")  # of the page, and of the tab that the browser begins with
    requests = [url for url in browser.requests() if not url.startswith(own)]
    assert [url.partition("://")[0] for url in requests] == ["file"], requests


def list_of_moves(replay: Replay) -> list[tuple[int, str]]:
    return [
        (int(at), text)
        for at, text in replay.browser.run(
            "return [...document.querySelectorAll('#move-list button')].map("
            "b => [b.dataset.at, b.querySelector('.what').textContent])"
        )
    ]


def moves_of_hand(replay: Replay) -> list[Any]:
    begins = [n for n in replay.starts() if n <= replay.at][-1]
    ends = next((n for n in replay.starts() if n > begins), replay.last + 1)
    return replay.steps[begins:ends]
