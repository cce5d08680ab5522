"""A person at the terminal: what is drawn and what it hides, what may be typed, undo, keeping."""

import io
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from about import about
from walks import GAMES_AND_WALKS, some_positions

from rummyzoo.agents import cli, load, players
from rummyzoo.agents.base import Opinion, View
from rummyzoo.agents.terminal.draw import draw_moves, draw_table, sort_hand
from rummyzoo.agents.terminal.hints import Hints
from rummyzoo.agents.terminal.moves import read_move
from rummyzoo.agents.terminal.play import COMMANDS, Game, draw_rules, new_file
from rummyzoo.agents.terminal.screen import Screen
from rummyzoo.agents.terminal.sitting import (
    YOU,
    Sitting,
    at_seats,
    in_sight,
    load_players,
    make_plan,
)
from rummyzoo.envs import GAMES, IllegalAction, Table, load_game
from rummyzoo.envs.record import read_record

games = pytest.mark.parametrize("game", GAMES)

Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty folder, and a terminal of 80 columns that is none."""
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.chdir(tmp_path)


class Typed:
    """An input that asks somebody for each line; nothing more comes after None."""

    encoding = "utf-8"

    def __init__(self, say: Callable[[], str | None]) -> None:
        self._say = say

    def readline(self) -> str:
        line = self._say()
        return "" if line is None else line + "\n"

    def isatty(self) -> bool:
        return False


def type_lines(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    rest = iter(lines)
    monkeypatch.setattr(sys, "stdin", Typed(lambda: next(rest, None)))


def run(command: str, out: Out) -> tuple[int, str, str]:
    """The exit status of a command, and what it wrote."""
    status = cli.main(command.split())
    said = out.readouterr()
    return status, said.out, said.err


def sit(
    game: str = "rummy500", seed: int = 7, players: int = 2, me: int = 0, **options: Any
) -> Sitting:
    return make_plan(game, options, ["greedy"], me, players).sit(seed)


def at(game: str = "rummy500", **where: Any) -> Sitting:
    """A person at seat 0 in some position."""
    return sit_at(Table.from_position(game, **where), 0)


def sit_at(table: Table, me: int) -> Sitting:
    names = at_seats(["random"], table.num_players, me)
    return Sitting(table, names, load_players(names, table.game.NAME, table.rules), chance=1)


def shown(draw: Callable[..., None], *args: Any, encoding: str = "utf-8", width: int = 80) -> str:
    """What is drawn, as text."""
    data = io.BytesIO()
    file = io.TextIOWrapper(data, encoding=encoding, write_through=True)
    draw(Screen(file, width), *args)
    return data.getvalue().decode(encoding)


def page(sitting: Sitting, **how: Any) -> str:
    def draw(screen: Screen) -> None:
        draw_table(screen, sitting, "suit")
        if sitting.table.turn == sitting.me:
            draw_moves(screen, sitting)

    return shown(draw, **how)


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


# --- whole hands ---


def forms(table: Table, action: int) -> Iterator[str]:
    """Ways to type an action."""
    text = table.texts[action]
    verb, _, rest = text.partition(" ")
    yield text
    yield f"{verb[:3]} {rest.lower()}" if verb in ("discard", "meld", "take") else text.upper()
    yield f"d {rest.translate(str.maketrans('CDHS', '♣♦♥♠'))}" if verb == "discard" else text


@pytest.mark.parametrize(
    ("game", "players", "me"),
    [("rummy500", 2, 0), ("rummy500", 3, 1), ("rummy500", 8, 7), ("rummy", 4, 2), ("gin", 2, 1)],
)
def test_a_hand_is_played_as_it_is_typed(
    game: str, players: int, me: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = sit(game, 5, players, me, target=None)
    sitting.keep(Path("hand.jsonl"))
    adviser = load("greedy", game, sitting.table.rules)
    wanted: list[int] = []

    def decide() -> str:
        table = sitting.table
        if table.turn is None:
            return "quit"
        assert table.turn == me
        action = adviser.act(View.of(table, me), np.random.default_rng(0))
        wanted.append(action)
        ways = list(forms(table, action))
        return ways[len(wanted) % len(ways)]

    monkeypatch.setattr(sys, "stdin", Typed(decide))
    out = io.StringIO()
    Game(Screen(out), sitting, lambda: sitting).run()
    said = out.getvalue()
    assert widest(said) <= 80
    done = zip(sitting.events, sitting.actions, strict=True)
    assert [action for event, action in done if event.seat == me] == wanted
    assert len(wanted) > 3
    record = read_record("hand.jsonl")
    assert record.over == "match"
    texts = sitting.table.texts
    assert [step.action for step in record.steps] == [texts[a] for a in sitting.actions]
    assert record.players == tuple(sitting.labels)
    assert "score sheet" in said
    assert "The match is kept; look at it with: rummyzoo replay hand.jsonl" in said
    total = next(line for line in said.splitlines() if line.startswith(" total"))
    assert [int(x) for x in total.split()[1:]] == sitting.table.scores


@games
def test_a_match_goes_on_as_it_would_have(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """Stopped after any number of lines and resumed, it is the same match."""
    lines = ["1"] * 40
    line = f"play {game} --seed 3 --opponents random --rules target=none"

    def actions() -> list[str]:
        (path,) = Path("runs").glob("*.jsonl")
        found = [step.action for step in read_record(path).steps]
        path.rename(f"done-{len(list(Path().iterdir()))}.jsonl")
        return found

    type_lines(monkeypatch, *lines)
    assert run(line, capsys)[0] == 0
    whole = actions()
    assert len(whole) > 40
    for stop in (1, 4, 11):
        type_lines(monkeypatch, *lines[:stop])
        said = run(line, capsys)[1]
        again = re.search(r"go on with:\s+rummyzoo (play --resume\s+\S+)", said)
        assert again
        type_lines(monkeypatch, *lines[stop:])
        assert run(again[1], capsys)[0] == 0
        assert actions() == whole


def test_a_match_of_two_hands_is_resumed_between_them(
    monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    line = "play rummy --opponents greedy --seed 1 --rules target=500"
    type_lines(monkeypatch, *["1"] * 60)  # more than the hand takes; then only Enter helps
    said = run(line, capsys)[1]
    assert "Enter deals the next hand> " in said
    (path,) = Path("runs").glob("*.jsonl")
    assert read_record(path).over == "hand"
    type_lines(monkeypatch, "scores", "", "1")
    said = run(f"play --resume {path}", capsys)[1]
    assert "hand 2 of a match to 500" in said
    assert len(re.findall(r"^ hand 1 ", said, re.MULTILINE)) == 2
    record = read_record(path)
    assert record.over == "no"
    assert {step.hand for step in record.steps} == {1, 2}


# --- what is drawn ---


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
        "hands": {0: ["7H", "KS", "2C"]},
        "turn": 0,
        "phase": "play",
    }
    sitting = at(**where)
    sitting.decide([sitting.table.number("lay 7H on 6H")])
    said = page(sitting)
    assert "4♥ 5♥ 6♥ (random) 7♥ (you)" in said
    assert "9♣ 9♠ JK(9) (you)" in said
    assert "you    lay 7♥ on 6♥ (7)" in said
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


# --- what may be typed ---


READS = [
    ("1", ["draw stock"]),
    ("d", ["draw stock"]),
    ("dr", ["draw stock"]),
    ("take", ["take 2D"]),
    ("t 2d", ["take 2D"]),
    ("t 7♠", ["take 7S"]),
    ("take 3", ["take 7S"]),
]
IN_PLAY = [
    ("d kc", ["discard KC"]),
    ("disc 10h", ["discard TH"]),
    ("discard joker", ["discard JK"]),
    ("m 4h,5h,6h", ["meld 4H 5H 6H"]),
    ("4h 5h 6h 7h 8h", ["meld 4H 5H 6H", "lay 7H on 6H", "lay 8H on 7H"]),
    ("meld 4h jk 6h", ["meld 4H JK(5H) 6H"]),
    ("meld jk 5h 6h", ["meld JK(4H) 5H 6H"]),
    ("meld 5h 6h jk", ["meld 5H 6H JK(7H)"]),
    ("meld kc kd jk", ["meld KC KD JK(K)"]),
    ("l 9s", ["lay 9S on 8S"]),
    ("lay 9s 10s", ["lay 9S on 8S", "lay TS on 9S"]),
    ("lay 9s on 8s", ["lay 9S on 8S"]),
    ("lay jk on 8s", ["lay JK(9S) on 8S"]),
]
REFUSED = [
    ("99", "there is no move 99; moves are 1 to"),
    ("0", "there is no move 0"),
    ("kc", "say what to do with KC, like discard or lay"),
    ("meld kc jk jk", r"say what the jokers stand for: JK\(K\) twice in a set"),
    ("meld jk jk 2h ah", "the cards are not in sequence as they are written"),
    ("lay kc", "no meld on the table takes KC"),
    ("lay jk", r"say where: lay JK\(5S\) on 6S or lay JK\(9S\) on 8S"),
    ("lay jk kc on 8s", "lay a joker off by itself"),
    ("lay pair", "a lay-off is written like"),
    ("draw", "you have drawn already"),
    ("take 1", "1 is another move: meld"),
    ("foo bar", "'foo bar' is neither a move nor a command; help lists both"),
    ("knock kc", "'knock kc' is neither a move nor a command"),
    ("discard", "'discard' is not an action"),
    ("discard qs", "you do not hold QS"),
]


def in_play() -> Sitting:
    hand = ["4H", "5H", "6H", "7H", "8H", "KC", "KD", "TH", "9S", "TS", "JK", "JK"]
    return at(hands={0: hand}, table=[(["6S", "7S", "8S"], 1)], pile=["2D"], turn=0, phase="play")


@pytest.mark.parametrize(("line", "actions"), READS)
def test_what_a_line_means(line: str, actions: list[str]) -> None:
    sitting = at(hands={0: ["7C", "7D", "KS"]}, pile=["7S", "TH", "2D"], turn=0, dealer=1)
    check(sitting, line, actions)


@pytest.mark.parametrize(("line", "actions"), IN_PLAY)
def test_what_a_line_means_after_the_draw(line: str, actions: list[str]) -> None:
    check(in_play(), line, actions)


def check(sitting: Sitting, line: str, actions: list[str]) -> None:
    before = sitting.table.copy()
    found = read_move(line, sitting.table)
    assert [sitting.table.texts[action] for action in found] == actions
    assert sitting.table == before
    sitting.decide(found)


@pytest.mark.parametrize(("line", "says"), REFUSED)
def test_what_no_line_means(line: str, says: str) -> None:
    sitting = in_play()
    before = sitting.table.copy()
    with pytest.raises(IllegalAction, match=says):
        read_move(line, sitting.table)
    assert sitting.table == before


def test_gin_and_knocks_need_no_card_where_there_is_one() -> None:
    def read(hand: str, line: str) -> list[str]:
        table = at("gin", hands={0: hand.split()}, pile=["8S"], turn=0, phase="play").table
        return [table.texts[action] for action in read_move(line, table)]

    gin = "AC 2C 3C 4C 5D 6D 7D 9H 9S 9D KH"
    assert read(gin, "gin") == ["gin with KH"]
    with pytest.raises(IllegalAction, match="knock with KH: nothing would be left outside melds"):
        read(gin, "knock kh")
    assert read("AC 2C 3C 4C 5D 6D 7D 8D 5S 4H KH", "knock") == ["knock with KH"]
    two = "AC 2C 3C 5D 6D 7D 9H 9S 9D 4S KH"
    assert read(two, "k with 4s") == ["knock with 4S"]
    with pytest.raises(IllegalAction, match="say with which discard: knock with KH or knock with"):
        read(two, "knock")
    with pytest.raises(IllegalAction, match="points outside melds; one knocks with 10 or less"):
        read("KC QD JH 9S 8C 7D 5H 3S 2D AC TC", "knock")


# --- taking back ---


def typed(sitting: Sitting, *lines: str) -> str:
    """What a person sees who types some lines, and leaves."""
    rest = iter(lines)
    before = sys.stdin
    sys.stdin = Typed(lambda: next(rest, None))
    out = io.StringIO()
    try:
        Game(Screen(out), sitting, lambda: sit(seed=8)).run()
    finally:
        sys.stdin = before
    assert widest(out.getvalue()) <= 80
    return out.getvalue()


def test_plays_are_taken_back_as_they_were_typed() -> None:
    sitting = in_play()
    before = sitting.table.copy()
    sitting.keep(Path("undo.jsonl"))
    said = typed(sitting, "4h 5h 6h 7h 8h", "m kc kd jk", "undo", "undo", "undo")
    assert "Taken back: meld K♣ K♦ JK(K)" in said
    assert "Taken back: meld 4♥ 5♥ 6♥ (15), lay 7♥ on 6♥ (7), lay 8♥ on 7♥ (8)." in said
    assert "That cannot be taken back: you have done nothing in this hand yet." in said
    assert sitting.table == before
    assert sitting.actions == sitting.events == []


def test_what_was_taken_back_is_not_in_the_record() -> None:
    sitting = in_play()
    sitting.keep(Path("undo.jsonl"))
    typed(sitting, "lay 9s", "undo", "discard kc")
    mine = [step.action for step in read_record("undo.jsonl").steps if step.seat == 0]
    assert mine[0] == "discard KC"


def test_taking_from_the_pile_is_taken_back() -> None:
    sitting = at(hands={0: ["7C", "7D", "KS"]}, pile=["7S", "TH", "2D"], turn=0, dealer=1)
    before = sitting.table.copy()
    assert "Taken back: take 7♠ and 10♥ 2♦." in typed(sitting, "take 7s", "undo")
    assert sitting.table == before


def test_a_card_that_was_seen_is_not_taken_back() -> None:
    sitting = at(hands={0: ["7C", "KS"]}, pile=["2D"], stock=["QH"], turn=0, dealer=1)
    said = typed(sitting, "draw", "undo")
    assert "you have seen Q♥ since, which was hidden" in said
    assert len(sitting.actions) == 1


def test_what_the_others_have_seen_is_not_taken_back() -> None:
    said = typed(at(hands={0: ["7C", "KS"]}, pile=["2D"], turn=0, dealer=1), "draw", "d ks", "undo")
    assert "the others have gone on since" in said
    sitting = at(hands={0: ["7C"]}, pile=["2D"], turn=0, phase="play", target=500)
    said = typed(sitting, "d 7c", "undo")
    assert sitting.table.over == "hand"
    assert "the hand is over, and all have seen how it ended" in said


@games
def test_undo_never_shows_anything_new(game: str) -> None:
    """Whatever is typed: after a taking back the person has never seen a card that was hidden."""
    rng = np.random.default_rng(0)
    allowed = 0
    for seed in range(6):
        sitting = sit(game, seed)
        for _ in range(60):
            table = sitting.table
            if table.turn is None:
                break
            if table.turn != 0:
                sitting.play(*sitting.ask(table.turn))
                continue
            sitting.decide([int(rng.choice(table.legal_actions()))])
            seen, now = in_sight(sitting.table, 0), sitting.table
            try:
                taken = sitting.undo()
            except IllegalAction:
                assert sitting.table is now
                continue
            allowed += 1
            assert in_sight(sitting.table, 0) == seen
            assert {event.seat for event in taken} == {0}
            sitting.decide([int(rng.choice(sitting.table.legal_actions()))])
    assert allowed > 5


# --- commands ---


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


def test_hints_tell_what_players_think() -> None:
    class Thinker:
        name = "thinker"

        def act(self, view: View, rng: np.random.Generator) -> int:
            return int(view.legal_actions()[0])

        def explain(self, view: View, rng: np.random.Generator) -> Opinion:
            one, two, *_ = view.legal_actions().tolist()
            return Opinion({one: 0.75, two: 0.25}, {one: -3.0, two: 12.34}, 40.4)

    sitting = at(hands={0: ["7C", "KS"]}, pile=["2D"], turn=0, dealer=1)
    hints = Hints(sitting)
    hints.players["thinker"] = Thinker()
    said = shown(hints.draw, sitting)
    (line,) = re.findall("^  thinker +(.*)$", said.replace("\n" + " " * 20, " "), re.MULTILINE)
    assert " ".join(line.split()) == (
        "draw stock expects +40 points; take 2♦ +12.3; draw stock -3.0; draw stock 75%; take 2♦ 25%"
    )


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


def test_a_match_is_saved_and_resumed(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    type_lines(monkeypatch, "save", "1", "save a.jsonl", "save a.jsonl", "save no/where", "1")
    said = run("play gin --seed 2", capsys)[1]
    (path,) = Path("runs").iterdir()
    assert f"The match is kept in {path} as it is played." in " ".join(said.split())
    assert "Saved; go on from here with: rummyzoo play --resume a.jsonl" in said
    assert "a.jsonl exists; save to another file." in said
    assert "no/where cannot be written" in said
    type_lines(monkeypatch)
    status, said, _ = run("play --resume a.jsonl", capsys)
    assert status == 0
    assert read_record("a.jsonl").steps == read_record(path).steps[: len(read_record("a.jsonl"))]
    assert "0 you" in said


def test_a_new_match(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    type_lines(monkeypatch, "1", "new", "1", "quit", "1")
    status, said, _ = run("play rummy --opponents random", capsys)
    assert status == 0
    assert said.count("The match is kept; go on with: rummyzoo play --resume") == 2
    one, two = (read_record(path) for path in Path("runs").iterdir())
    assert one.table() != two.table()


def test_nothing_is_kept_where_nothing_was_done(
    monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    type_lines(monkeypatch, "help", "q")
    assert run("play --seed 7", capsys)[0] == 0
    assert not list(Path("runs").iterdir())


def test_a_match_that_is_over_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    sitting = at(hands={0: ["7C"]}, pile=["2D"], turn=0, phase="play", target=None)
    sitting.keep(Path("over.jsonl"))
    said = typed(sitting, "d 7c", "1", "save", "new", "quit")
    assert "You have won the game." in said
    assert "The hand is over; Enter goes on" in said
    type_lines(monkeypatch, "save b.jsonl", "moves", "why draw", "hint", "undo")
    said = run("play --resume over.jsonl", capsys)[1]
    assert "You have won the game." in said
    assert "This match is not kept: it was over when it was resumed." in said
    assert "The hand is over." in said
    assert "draw stock: the hand is over; the match is over" in said.lower()


def test_files_have_names_of_their_own() -> None:
    first = new_file("gin")
    first.parent.mkdir()
    first.touch()
    assert new_file("gin") != first


def test_names_at_seats() -> None:
    assert at_seats(["a", "b", "c"], 4, 1) == ["c", YOU, "a", "b"]
    assert at_seats(["a"], 3, 2) == ["a", "a", YOU]
    assert at_seats(["a", "b"], 2) == ["a", "b"]
    sitting = sit(players=3)
    assert sitting.labels == [YOU, "greedy 1", "greedy 2"]
    assert sitting.titles == [YOU, "greedy", "greedy"]


def test_what_players_think_is_kept() -> None:
    class Sure:
        """Says what it does, and is not asked twice."""

        name = "sure"

        def explain(self, view: View, rng: np.random.Generator) -> Opinion:
            first = int(view.legal_actions()[0])
            return Opinion({first: 1.0}, {first: 2.5}, -7.0)

        def act(self, view: View, rng: np.random.Generator) -> int:
            raise AssertionError

    sitting = sit()
    sitting.players[1] = Sure()
    sitting.keep(Path("thoughts.jsonl"))
    typed(sitting, "1", "1")
    steps = [step for step in read_record("thoughts.jsonl").steps if step.seat == 1]
    assert len(steps) > 1
    for step in steps:
        assert step.probabilities == {step.action: 1.0}
        assert step.values == {step.action: 2.5}
        assert step.value == -7.0


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
