"""Tables in text and pictures: what they show, what they hide, and which displays they open."""

import copy
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from about import about
from gymnasium.error import DependencyNotInstalled, ResetNeeded
from pettingzoo.test import render_test
from slow_play import GAMES_AND_PLAYERS

from rummyzoo.envs import GAMES, Table, load_game
from rummyzoo.envs.aec import CardTableEnv
from rummyzoo.envs.card_faces import ON_FELT, card_width
from rummyzoo.envs.picture import BAR, HEAD, SIZE, Painter, fit_cards, fit_melds
from rummyzoo.envs.render import Seat, Shown, show, table_text
from rummyzoo.envs.state import HAND_OVER, MATCH_OVER, TRUNCATED
from rummyzoo.envs.wrappers import Checked

pytest.importorskip("pygame")

tables = pytest.mark.parametrize(("game", "players"), GAMES_AND_PLAYERS)
games = pytest.mark.parametrize("game", GAMES)


@pytest.fixture(autouse=True)
def _no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def table_at(game: str, players: int, steps: int, seed: int = 0) -> Table:
    """A table after some random actions, with plays where there are any."""
    table = Table(game, seed=seed, num_players=players)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if table.over != "no":
            break
        legal = table.legal()
        plays = [text for text in legal if text.startswith(("meld", "lay", "take", "knock"))]
        table.play(str(rng.choice(plays or legal)))
    return table


def shown(table: Table, who: Any = "all") -> Shown:
    return show(table.game, table.states, 0, table.kits, table.rules, who)


def text(table: Table, who: Any = "all") -> str:
    return table_text(table.game, table.states, 0, table.kits, table.rules, who)


def counts_as_played(table: Table) -> bool:
    """Whether cards score as they are played."""
    return bool(about(table.game.NAME).played_points(table.rules, "5H"))


# --- text ---


@tables
def test_text_shows_everything_there_is(game: str, players: int) -> None:
    for seed in range(5):
        table = table_at(game, players, 12 * seed, seed)
        lines = text(table).splitlines()
        assert load_game(game).TITLE in lines[0]
        if table.turn is not None:
            assert f"seat {table.turn} " in lines[0]
        assert f"stock {table.stock_count};" in lines[1]
        assert lines[1].endswith(": " + (" ".join(table.pile) or "empty"))
        for p in range(players):
            line = lines[2 + p]
            assert line.startswith("> " if p == table.turn else "  ")
            played = f", played {table.melded[p]}" if counts_as_played(table) else ""
            dealer = ", dealer" if p == table.dealer else ""
            assert f"seat {p} (score {table.scores[p]}{played}{dealer}): " in line
            assert line.endswith(": " + (" ".join(table.hand(p)) or "no cards"))
        melds = [[*zip(meld.cards, meld.owners, strict=True)] for meld in table.melds]
        assert shown(table).melds == melds
        for line, meld in zip(lines[2 + players :], table.melds, strict=True):
            owner, laid = None, []
            for word in reversed(line.replace(",", "").split()):
                if word.isdigit():
                    owner = int(word)
                elif word != "by":
                    laid.append((word, owner))
            assert [*zip(meld.cards, meld.owners, strict=True)] == laid[::-1]


@tables
def test_text_for_a_seat_shows_its_cards_and_what_all_know(game: str, players: int) -> None:
    known = 0
    for seed in range(8):
        table = table_at(game, players, 6 * seed, seed)
        for who in [*range(players), "public"]:
            lines = text(table, who).splitlines()
            for p in range(players):
                cards = Counter(lines[2 + p].rpartition(": ")[2].replace("no cards", "").split())
                open_ones = table.hand(p) if p == who else table.known(p)
                known += len(open_ones) * (p != who)
                cards.subtract(open_ones)
                assert +cards == ({"??": n} if (n := len(table.hand(p)) - len(open_ones)) else {})
    assert known


TEXTS = [(game, *case) for game in GAMES for case in about(game).TEXTS]


@pytest.mark.parametrize(("game", "where", "actions", "who", "lines"), TEXTS)
def test_text_of_some_tables(
    game: str, where: dict[str, Any], actions: list[str], who: Any, lines: list[str]
) -> None:
    table = Table.from_position(game, **where)
    for action in actions:
        table.play(action)
    assert text(table, who).splitlines() == lines


@games
def test_ends_in_the_headline(game: str) -> None:
    table, title = Table(game, seed=0, target=None), load_game(game).TITLE
    table.state.phase = MATCH_OVER
    table.state.hands = 1
    for winner, words in ((1, "won by seat 1"), (255, "nobody has won")):
        table.state.winner = winner
        assert text(table).splitlines()[0] == f"{title}, hand 1: {words}"
    table.state.phase = HAND_OVER
    assert text(table).splitlines()[0] == f"{title}, hand 1: the hand is over"


@games
def test_the_headline_of_what_was_cut_off(game: str) -> None:
    """In its second hand, for want of turns; and after the last hand that was allowed."""
    table, title = Table(game, seed=0, max_hands=3, target=10_000), load_game(game).TITLE
    table.state.phase = TRUNCATED
    for hands, number in ((1, 2), (3, 3)):
        table.state.hands = hands
        assert text(table).splitlines()[0] == f"{title}, hand {number}: cut off"


# --- pictures ---


@tables
def test_pettingzoo_render_test(game: str, players: int) -> None:
    def make(render_mode: str) -> Checked:
        options: dict[str, Any] = {"num_players": players, "render_fps": 0}
        return Checked(CardTableEnv(game, render_mode=render_mode, **options))

    render_test(make)
    import pygame

    assert not pygame.display.get_init()


@games
def test_pictures_of_seats_hide_what_the_seat_cannot_see(game: str) -> None:
    table = table_at(game, 2, 9, 2)
    other = table.resample(0, 1)
    assert other.hand(1) != table.hand(1)

    shared = Painter(False, 0)

    def draw(table: Table, who: Any, painter: Painter = shared) -> np.ndarray:
        picture = painter.draw(table.game, table.states, 0, table.kits, table.rules, who)
        assert picture is not None
        assert picture.shape == (SIZE[1], SIZE[0], 3)
        assert picture.dtype == np.uint8
        return picture

    assert np.array_equal(draw(table, 0), draw(other, 0))
    assert np.array_equal(draw(table, "public"), draw(other, "public"))
    assert not np.array_equal(draw(table, 1), draw(other, 1))
    assert not np.array_equal(draw(table, "all"), draw(other, "all"))
    assert not np.array_equal(draw(table, 0), draw(table, "public"))
    assert np.array_equal(draw(table, 0), draw(table, 0, Painter(False, 0)))


@games
def test_render_seat(game: str) -> None:
    texts = []
    for who in ("all", 0, "public"):
        env = CardTableEnv(game, render_mode="ansi", render_seat=who)
        env.reset(seed=1)
        texts.append(env.render())
        assert texts[-1] == table_text(env.game, env._states, 0, env.kits, env.rules, who)
    assert len(set(texts)) == 3
    env = CardTableEnv(game)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert env.render() is None


@pytest.mark.parametrize("count", [0, 1, 2, 7, 13, 20, 30, 54, 80, 107])
@pytest.mark.parametrize("area", [(120, 5, 1068, 80), (700, 90, 468, 80), (100, 400, 1086, 84)])
@pytest.mark.parametrize("step", [0.45, 1.04])
def test_cards_lie_within_their_area(
    count: int, area: tuple[int, int, int, int], step: float
) -> None:
    left, top, width, room = area
    height, places = fit_cards(count, area, step)
    assert len(places) == len(set(places)) == count
    for x, y in places:
        assert left <= x <= left + width - card_width(height)
        assert top <= y <= top + room - height
    in_row = [x for x, y in places if y == top]
    gaps = [b - a for a, b in pairwise(in_row)]
    if count <= 54:
        assert height >= 36
        assert not gaps or min(gaps) >= 8


def test_melds_lie_within_their_area() -> None:
    rng = np.random.default_rng(0)
    for count in range(36):
        lengths = rng.integers(3, 6, count).tolist()
        area = (14, 550, SIZE[0] - 28, 344)
        height, places = fit_melds(lengths, area)
        assert [len(meld) for meld in places] == lengths
        spots = [spot for meld in places for spot in meld]
        assert len(set(spots)) == len(spots)
        for x, y in spots:
            assert area[0] <= x <= area[0] + area[2] - card_width(height)
            assert area[1] <= y <= area[1] + area[3] - height - BAR
        assert height >= 50


def test_crowded_tables_can_be_drawn() -> None:
    cards = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"] + ["JK"]
    seats = [Seat(cards, 55, -9999, 9999, p == 0, p == 1) for p in range(8)]
    melds = [[("JK(5C)", 0), ("6C", 7), ("JK(7)", 3)] for _ in range(36)]
    painter = Painter(False, 0)
    painter._paint(Shown("headline " * 9, seats, 0, cards * 2, melds))
    painter._paint(Shown("", seats[:2], 108, [], []))


@games
def test_windows_open_and_close(game: str) -> None:
    import pygame

    env = CardTableEnv(game, render_mode="human", render_fps=0)
    with pytest.raises(ResetNeeded):
        env.render()
    assert not pygame.display.get_init()
    env.reset(seed=1)  # draws by itself
    window: Any = pygame.display.get_surface()
    assert window.get_size() == SIZE
    before = pygame.surfarray.array3d(window)
    twin = copy.deepcopy(env)  # with the window open
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert not np.array_equal(before, pygame.surfarray.array3d(window))
    assert env.render() is None
    assert twin.save() != env.save()
    env.close()
    assert not pygame.display.get_init()
    env.close()
    assert env.render() is None  # opens it again
    env.close()
    twin.close()


@games
def test_recorders_get_pictures_of_one_size(game: str) -> None:
    """What Gymnasium's `RecordVideo` does, but for the writing of a file."""
    names = {"rummy500": "Rummy500", "rummy": "Rummy", "gin": "GinRummy"}
    plain = gymnasium.make(f"rummyzoo/{names[game]}-v0", render_mode="rgb_array", target=None)
    env = gymnasium.wrappers.RenderCollection(plain)
    _, info = env.reset(seed=3)
    for _ in range(4):
        _, _, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        if over:
            break
    frames: Any = env.render()
    assert len(frames) > 2
    assert {frame.shape for frame in frames} == {(SIZE[1], SIZE[0], 3)}
    assert all(not np.array_equal(a, b) for a, b in pairwise(frames))
    assert env.metadata["render_fps"] > 0
    env.close()


def test_names_and_words_below_are_drawn() -> None:
    table = table_at("rummy500", 3, 20)
    where = (table.game, table.states, 0, table.kits, table.rules, "all")
    painter = Painter(False, 0)
    plain, named = painter.draw(*where), painter.draw(*where, ("a", "b", "a very long name indeed"))
    told = painter.draw(*where, (), "b takes 9H and JK(5C) TD")
    assert plain is not None
    assert named is not None
    assert told is not None
    changed = np.argwhere((plain != named).any(axis=2))
    left, right = changed[:, 1].min(), changed[:, 1].max()
    assert left > 18
    assert right < 124  # where the cards begin
    below = SIZE[1] - HEAD
    red = np.abs(told[below:].astype(int) - ON_FELT["H"]).sum(axis=2) < 30
    assert red.any()
    assert not np.array_equal(plain[below:], told[below:])


def test_pictures_open_neither_display_nor_sound() -> None:
    code = """
import os
os.environ.pop("SDL_VIDEODRIVER", None)
from rummyzoo.envs import rummy500_v0
env = rummy500_v0.env(render_mode="rgb_array")
env.reset(seed=1)
assert env.render().any()
import pygame
assert not pygame.display.get_init() and not pygame.mixer.get_init()
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@games
def test_without_pygame_the_error_says_what_to_do(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = CardTableEnv(game, render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.raises(DependencyNotInstalled, match=r"pip install 'rummyzoo\[render\]'"):
        env.render()
