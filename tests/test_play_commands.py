"""What a person at the terminal may ask for: help, hints, reasons; and who sits at the table."""

import re
import time

import numpy as np
import pytest
from at_the_terminal import at, games, in_play, place, shown, sit, typed  # noqa: F401

from rummyzoo.agents import load, players
from rummyzoo.agents.base import Opinion, View
from rummyzoo.agents.terminal import hints, screen
from rummyzoo.agents.terminal.hints import Hints
from rummyzoo.agents.terminal.play import COMMANDS, Game
from rummyzoo.agents.terminal.sitting import YOU, at_seats


def test_help_names_every_command_and_fits() -> None:
    said = typed(sit(), "?")
    start = said.index("  help ")
    assert said[start:].index("your move>") > 0
    for name, what in COMMANDS.items():
        assert f"  {name} " in said
        assert what in said
        assert hasattr(Game, f"_{name.split()[0]}")
    assert len(said[start:].splitlines()) <= 24


@games
def test_hints(game: str) -> None:
    said = typed(sit(game), "hint", "hint")
    names = [name for name in players(game) if name not in ("random", "cheating_oracle")]
    table = sit(game).table
    while table.turn != 0:
        table.play(load("greedy", game).act(View.of(table, 1), np.random.default_rng(0)))
    for name in names:
        assert len(re.findall(rf"^  {name}(?::\d+)? +\w", said, re.MULTILINE)) == 2
    advice = load("greedy", game).act(View.of(table, 0), np.random.default_rng(0))
    shown_as = shown(lambda screen: screen.say(table.texts[advice])).strip()
    assert re.search(rf"^  greedy +{re.escape(shown_as)}", said, re.MULTILINE)


def test_it_is_said_what_a_first_hint_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        name = "slow"

        def act(self, view: View, rng: np.random.Generator) -> int:
            time.sleep(0.05)
            return int(view.legal_actions()[0])

    monkeypatch.setattr(screen, "PATIENCE", 0.001)
    monkeypatch.setattr(hints, "load", lambda *what: Slow())
    sitting = at(hands={0: ["7C", "KS"]}, pile=["2D"], turn=0, dealer=1)
    asked = Hints(sitting)
    asked.players = {"slow": None}
    first, second = shown(asked.draw, sitting), shown(asked.draw, sitting)
    assert "slow is thinking; the first time, it may be compiled for a minute ..." in first
    assert "slow is thinking ..." in second


def test_hints_tell_what_players_think() -> None:
    class Thinker:
        name = "thinker"

        def act(self, view: View, rng: np.random.Generator) -> int:
            return int(view.legal_actions()[0])

        def explain(self, view: View, rng: np.random.Generator) -> Opinion:
            one, two, *_ = view.legal_actions().tolist()
            return Opinion({one: 0.75, two: 0.25}, {one: -3.0, two: 12.34}, 40.4)

    sitting = at(hands={0: ["7C", "KS"]}, pile=["2D"], turn=0, dealer=1)
    asked = Hints(sitting)
    asked.players["thinker"] = Thinker()
    said = shown(asked.draw, sitting)
    (line,) = re.findall("^  thinker +(.*)$", said.replace("\n" + " " * 20, " "), re.MULTILINE)
    assert " ".join(line.split()) == (
        "draw stock expects +40; take 2♦ +12.3; draw stock -3.0; draw stock 75%; take 2♦ 25%"
    )


def test_that_a_player_is_sure_is_not_told() -> None:
    class Sure:
        name = "sure"

        def act(self, view: View, rng: np.random.Generator) -> int:
            return int(view.legal_actions()[0])

        def explain(self, view: View, rng: np.random.Generator) -> Opinion:
            one, two, *_ = view.legal_actions().tolist()
            return Opinion({one: 1.0}, {one: 0.0, two: -3.0})

    sitting = at(hands={0: ["7C", "KS"]}, pile=["2D"], turn=0, dealer=1)
    asked = Hints(sitting)
    asked.players = {"sure": Sure()}
    assert " ".join(shown(asked.draw, sitting).split()) == (
        "sure draw stock draw stock +0.0; take 2♦ -3.0"
    )


def test_what_can_be_typed_is_said_once() -> None:
    said = typed(sit(), "table", "1")
    assert said.count("your move>") >= 3
    assert said.count("Type a move or its number; help lists more, like hint.") == 1
    assert said.index("help lists more") < said.index("your move>")


def test_how_cards_are_typed_stays_as_it_is_typed() -> None:
    said = " ".join(typed(in_play(), "discard tz", "why discard 9s").split())
    assert "cards are written like 7S, TD (or 10D), AC and JK" in said
    assert "discard 9♠: it is legal." in said


def test_why() -> None:
    said = typed(in_play(), "why", "why d qs", "why l 9s", "w draw", "why foo")
    assert "Say which move: why discard 7♣." in said
    assert "Discard Q♠: you do not hold Q♠." in said
    assert "lay 9♠ on 8♠: it is legal." in said
    assert "Draw stock: you have drawn already; play or discard." in said
    assert "'foo' is neither a move nor a command; help lists both." in said


def test_commands_by_their_beginnings() -> None:
    said = typed(in_play(), "sc", "s", "ru", "lo", "sor ra", "sort colour", "mo", "tab")
    assert "No hand has ended yet." in said
    assert "S could be scores, sort or save." in said or "s could be" in said.lower()
    assert "Rummy 500 in short" in said
    assert "Nothing was done yet." in said
    assert "hands are sorted by suit or by rank" in said.lower()
    assert "4♥   5♥   6♥ " in said
    assert said.count("Rummy 500, hand 1") == 3


def test_moves_with_jokers_are_listed_when_asked_for() -> None:
    sitting = in_play()
    said = typed(sitting, "moves")
    first, _, second = said.partition("your move> moves")
    assert re.search(r"and (\d+) more; moves lists all", first)
    assert "more; moves" not in second
    number = re.compile(r"(?<![\w+])\d+(?= (?:\d|[AJQK]))")
    assert "+" not in second
    assert len(number.findall(second)) > len(number.findall(first.partition("Your turn")[2]))


def test_an_empty_line_plays_the_only_move() -> None:
    sitting = at(hands={0: ["7C", "KS"]}, pile=[], stock=["QH"], turn=0, dealer=1)
    said = typed(sitting, "", "")
    assert sitting.table.texts[sitting.actions[0]] == "draw stock"
    assert "Type a move or its number, or help." in said


def test_names_at_seats() -> None:
    assert at_seats(["a", "b", "c"], 4, 1) == ["c", YOU, "a", "b"]
    assert at_seats(["a"], 3, 2) == ["a", "a", YOU]
    assert at_seats(["a", "b"], 2) == ["a", "b"]
    sitting = sit(players=3)
    assert sitting.labels == [YOU, "greedy 1", "greedy 2"]
    assert sitting.titles == [YOU, "greedy", "greedy"]


def test_a_player_that_does_what_is_illegal_is_named() -> None:
    class Stubborn:
        name = "stubborn"

        def act(self, view: View, rng: np.random.Generator) -> int:
            return 0

    sitting = sit()
    sitting.players[1] = Stubborn()
    while sitting.table.turn != 1:
        sitting.play(int(sitting.table.legal_actions()[0]))
    with pytest.raises(ValueError, match="greedy chose action 0, which is not legal"):
        sitting.ask(1)
