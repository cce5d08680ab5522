"""What a person at the terminal is shown, what is hidden, colours and signs, the rules in short."""

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from about import about
from at_the_terminal import at, games, page, place, shown, sit, sit_at, widest  # noqa: F401
from walks import GAMES_AND_WALKS, some_positions

from rummyzoo.agents.replay import told_apart
from rummyzoo.agents.terminal.draw import draw_events, sort_hand
from rummyzoo.agents.terminal.play import draw_rules
from rummyzoo.agents.terminal.words import Event
from rummyzoo.envs import GAMES, Table, load_game


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_pages_show_what_the_seat_sees_and_nothing_else(game: str, options: dict[str, Any]) -> None:
    for table in some_positions(Table(game, 3, **options), 12):
        for me in range(table.num_players):
            sitting = sit_at(table, me)
            said = page(sitting)
            assert widest(said) <= 80
            sitting.table = table.resample(me, 1)
            assert page(sitting) == said
            for card in table.hand(me):
                assert screen_text(card) in said


def screen_text(card: str) -> str:
    return shown(lambda screen: screen.print(screen.card(card))).strip()


@games
def test_pages_fit_where_the_hands_are_large(game: str) -> None:
    players = load_game(game).MAX_PLAYERS
    sitting = sit(game, 2, players)
    rng = np.random.default_rng(1)
    for _ in range(150):
        if sitting.table.over != "no":
            break
        legal = sitting.table.legal()
        deep = [text for text in legal if text.startswith(("take", "call"))]
        sitting.play(sitting.table.number(str(rng.choice(deep or legal))))
        assert widest(page(sitting)) <= 80


def test_the_pile_is_numbered_where_it_may_be_taken() -> None:
    sitting = at(hands={0: ["7C", "7D", "KS"]}, pile=["7S", "TH", "2D"], turn=0, dealer=1)
    lines = page(sitting).splitlines()
    cards = next(n for n, line in enumerate(lines) if "7♠  10♥   2♦" in line)
    below = {
        lines[cards][: found.end()].split()[-1]: int(found[0])
        for found in re.finditer(r"\d+", lines[cards + 1])
    }
    assert below == {"7♠": 3, "2♦": 2}
    assert any(re.search(r"take +2 2♦  3 7♠ \+2$", line) for line in lines)
    sitting.decide([sitting.table.number("take 7S")])
    assert "Your turn: to play or discard, must play 7♠ first" in page(sitting)


def test_melds_say_who_laid_them() -> None:
    where: dict[str, Any] = {
        "table": [(["4H", "5H", "6H"], 1), (["JK(9)", "9C", "9S"], 0)],
        "hands": {0: ["7H", "9D", "KS", "2C"]},
        "turn": 0,
        "phase": "play",
    }
    sitting = at(**where)
    sitting.decide([sitting.table.number("lay 7H on 6H")])
    said = page(sitting)
    assert "4♥ 5♥ 6♥ (random) 7♥ (you)" in said
    assert "9♣ 9♠ JK(9) (you)" in said
    assert "you    lay 7♥ on 6♥ (7)" in said
    sitting.decide([sitting.table.number("lay 9D on 9")])
    assert "lay 9♦ on the nines (9)" in page(sitting)
    assert "(1)" in page(at(num_players=3, **where))


@pytest.mark.parametrize("order", ["suit", "rank"])
def test_hands_are_sorted(order: str) -> None:
    cards = ["KC", "3C", "3S", "AD", "TD", "3S", "JK"]
    by = {"suit": ["3C KC", "AD TD", "3S 3S", "JK"], "rank": ["AD", "3C 3S 3S", "TD", "KC", "JK"]}
    assert [" ".join(group) for group in sort_hand(cards, order)] == by[order]


def test_the_log_tells_what_the_others_did(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = at(
        num_players=3,
        hands={0: ["AC", "3C"], 1: ["5H", "5D", "9C", "KS"], 2: ["2C", "4D"]},
        pile=["5S", "9D", "QH"],
        stock=["7S"],
        turn=1,
        dealer=0,
        calling_rummy=False,
    )
    for text in ("take 5S", "meld 5D 5H 5S", "discard 9C", "draw stock", "discard 2C"):
        sitting.play(sitting.table.number(text))
    said = page(sitting)
    assert "random 1 takes 5♠ and 9♦ Q♥, melds 5♦ 5♥ 5♠ (15), discards 9♣" in said
    assert "random 2 draws, discards 2♣" in said
    assert "  1 random" in said
    assert re.search(r"1 random +3 +15 +0  9♦ Q♥$", said, re.MULTILINE)


# --- colours and signs ---


# --- colours and signs ---


def colours(text: str) -> bool:
    return "\x1b[3" in text or "\x1b[9" in text


@pytest.mark.parametrize(
    ("variables", "coloured", "styled"),
    [
        ({}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False, False),
    ],
)
def test_colours_follow_the_environment(
    variables: dict[str, str], coloured: bool, styled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    said = page(sit())
    assert colours(said) == coloured
    assert ("\x1b[" in said) == styled


def test_suits_are_letters_where_there_are_no_signs() -> None:
    said = page(sit(), encoding="ascii")
    assert "10C" in said
    assert said.isascii()
    for draw in (draw_rules,):
        assert shown(draw, sit(), encoding="ascii").isascii()


@pytest.mark.parametrize("game", GAMES)
def test_rules_in_short(game: str) -> None:
    module = load_game(game)
    seen = set()
    for options in [{}, *module.PRESETS.values(), *about(game).WALKS, *about(game).MORE_WALKS]:
        rules = module.make_rules(**options)
        paragraphs = module.in_short(rules)
        assert all(text.endswith(".") and "  " not in text for text in paragraphs)
        assert f"{rules.hand_size} cards" in paragraphs[0]
        seen.add(" ".join(paragraphs))
        others = {name: value for name, value in options.items() if name != "num_players"}
        said = shown(draw_rules, sit(game, players=rules.num_players, **others))
        assert widest(said) <= 80
        for name, value in options.items():
            if value != module.make_rules(num_players=rules.num_players)._asdict()[name]:
                assert f"{name}={value}" in said
    assert len(seen) > 3


def test_long_names_leave_the_seat_in_sight() -> None:
    sitting = sit(players=3)
    sitting.titles = ["you", "a very long name", "a very long name"]
    sitting.labels = told_apart(sitting.titles)
    events = [Event(seat, 1, "draw", "") for seat in (1, 2)]
    said = shown(lambda screen: screen.print(*draw_events(screen, sitting, events)))
    assert said == "a very l.. 1 draws\na very l.. 2 draws\n"


@pytest.mark.skipif(sys.platform == "win32", reason="programs have other names there")
def test_the_command_is_named_as_the_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offered() -> str:
        return shown(lambda screen: screen.offer("Go on with:", "replay", Path("a b")))

    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "rummyzoo").touch(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert offered() == "Go on with:\n  .venv/bin/rummyzoo replay 'a b'\n"
    monkeypatch.chdir(folder)
    assert offered() == "Go on with:\n  ./rummyzoo replay 'a b'\n"
    monkeypatch.chdir("/")
    monkeypatch.setenv("PATH", str(folder))
    assert offered() == "Go on with:\n  rummyzoo replay 'a b'\n"
