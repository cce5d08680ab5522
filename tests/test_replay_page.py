"""The page of a replay in a browser: stepping, seats, what is shown to whom, how it looks."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from about import about
from browser import Browser, start
from walks import choose

from rummyzoo.agents.replay import frames, page
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


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with start(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="module")
def replays(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[Any, Replay]:
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
    requests = [url for url in browser.requests() if not url.startswith(("data:", "blob:"))]
    assert [url.partition("://")[0] for url in requests] == ["file"]


# What is shown


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
        assert "points" in replay.text("#thoughts-value")
        assert replay.text("#thoughts-list .chosen span") == step.action
        count = replay.browser.run("return document.querySelectorAll('#thoughts-list .bar').length")
        assert min(len(step.probabilities or step.values), 12) <= count <= 13


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


# Going through the game


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


# How it looks


@pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])
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
