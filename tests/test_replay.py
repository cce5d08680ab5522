"""Replays of records: as text, and what the page shows to whom, without a browser."""

import json
import re
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from about import about
from walks import GAMES_AND_WALKS, walk

from rummyzoo.agents.replay import frames, game_text, page
from rummyzoo.agents.replay.page import page_data
from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.record import Record, read_record
from rummyzoo.envs.render import Seat, show

games = pytest.mark.parametrize("game", GAMES)


def recorded(
    path: Path, game: str, seed: int = 7, hands: int = 3, names: Any = None, **options: Any
) -> Record:
    """A game by lot."""
    table = Table(game, seed, **options)
    with table.record(path, names):
        for _ in walk(table, seed, hands):
            pass
    return read_record(path)


def unfolded(changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Frames as wholes, as the page puts them together."""
    whole = []
    now: dict[str, Any] = {"pile": [], "melds": [], "seats": {}}
    for change in changes:
        now = {k: v for k, v in now.items() if k not in ("who", "act", "drew")} | {
            k: v for k, v in change.items() if k not in ("pile", "melds", "seats")
        }
        if "pile" in change:
            kept, more = change["pile"]
            now["pile"] = now["pile"][:kept] + re.findall("..", more)
        if "melds" in change:
            count, new = change["melds"]
            melds = dict(enumerate(now["melds"][:count])) | {int(n): m for n, m in new.items()}
            now["melds"] = [melds[n] for n in range(count)]
        now["seats"] = now["seats"] | {int(p): row for p, row in change.get("seats", {}).items()}
        whole.append(now)
    return whole


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_everybody_is_shown_what_the_table_shows(
    game: str, options: dict[str, Any], tmp_path: Path
) -> None:
    record = recorded(tmp_path / "r", game, **options)
    made = unfolded(json.loads(json.dumps(frames(record))))
    moments = list(record.moments())
    assert len(made) == sum(1 for _ in record.moments())
    for frame, (step, table) in zip(made, record.moments(), strict=True):
        assert (frame.get("who"), frame.get("act")) == (step and step.seat, step and step.action)
        for who in ("all", "public", *range(table.num_players)):
            shown = show(table.game, table.states, 0, table.kits, table.rules, who)
            seats = []
            for p, (open_, shut, hidden, score, played) in frame["seats"].items():
                sees = who in ("all", p)
                cards, back = (open_, 0) if sees else (shut, hidden)
                acts, dealer = frame["turn"] == p, frame["dealer"] == p
                seats.append(Seat(re.findall("..", cards), back, score, played, dealer, acts))
            assert seats == shown.seats
            assert (frame["line"], frame["stock"]) == (shown.headline, shown.stock)
            assert frame["pile"] == shown.pile
            told = [" ".join(f"{c}{owner}" for c, owner in meld) for meld in shown.melds]
            assert frame["melds"] == told
        assert frame["gained"] == (None if table.over == "no" else table.hand_scores)
        assert frame["hand"] == table.state.hands + (table.turn is not None)
    assert len(moments) == len(made)


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_drawn_cards_are_told(game: str, options: dict[str, Any], tmp_path: Path) -> None:
    record = recorded(tmp_path / "r", game, **options)
    before = record.table()
    drawn = []
    for step, table in record:
        if before.over == "hand":
            before.next_hand()
        drawn.append(before.stock[0] if step.action == "draw stock" else None)
        before = table.copy()
    assert [f.get("drew") for f in frames(record) if "act" in f] == drawn
    assert any(drawn)


def payload(html: str) -> dict[str, Any]:
    """The game in a page."""
    (text,) = re.findall(r'<script type="text/plain" id="record">([\w+/=]+)</script>', html)
    found: dict[str, Any] = json.loads(zlib.decompress(b64decode(text)))
    return found


NAMES = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{game}}"]


@games
def test_a_page_is_one_file_in_which_names_are_text(game: str, tmp_path: Path) -> None:
    names = NAMES[:2] if load_game(game).MAX_PLAYERS == 2 else NAMES
    record = recorded(tmp_path / "r", game, names=names, num_players=len(names))
    html = page(record)
    assert payload(html) == json.loads(json.dumps(page_data(record)))
    assert payload(html)["players"] == names
    for name in NAMES[:2]:
        assert name not in html
    assert html.count("<script") == 2
    assert html.count('id="record"') == 1
    rest = html.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"""https?:|@import|url\(|(src|href)="(?!#|data:,)""", rest)
    assert "default-src 'none'" in html


@games
def test_a_page_tells_how_the_game_ends(game: str, tmp_path: Path) -> None:
    record = recorded(tmp_path / "r", game, **about(game).SHORT, target=None)
    *_, (_, table) = record
    data = page_data(record)
    assert data["end"]["hands"] == ["".join(table.hand(p)) for p in range(table.num_players)]
    assert (data["end"]["scores"], data["winner"]) == (table.scores, table.winner)
    assert data["end"]["stock"] == table.stock_count
    assert data["rules"].items() >= {"target": "None"}.items() or game == "rummy"


def test_the_page_of_a_long_match_of_eight_is_small(tmp_path: Path) -> None:
    table = Table("rummy500", 5, num_players=8, jokers_per_deck=2)
    with table.record(tmp_path / "r"):
        for position in walk(table, 5, hands=100):
            del position
    record = read_record(tmp_path / "r")
    assert record.over == "match"
    assert any(step.action.startswith("call") for step in record.steps)
    assert any("JK(" in step.action for step in record.steps)
    assert len(page(record).encode()) < 1_000_000


@games
def test_what_players_thought_is_on_the_page(game: str, tmp_path: Path) -> None:
    table = Table(game, 1)
    recorder = table.record(tmp_path / "r")
    first, second, *_ = table.legal()
    recorder.play(first, probabilities={first: 0.7, second: 0.3}, value=-3.5, seconds=1.5)
    recorder.play(recorder.table.legal()[0], values={recorder.table.legal()[0]: 2})
    recorder.close()
    start, one, two = page_data(read_record(tmp_path / "r"))["frames"]
    assert one["chances"] == {first: 0.7, second: 0.3}
    assert (one["value"], one["seconds"]) == (-3.5, 1.5)
    assert list(two["values"].values()) == [2]
    assert not {"chances", "values", "value", "seconds"} & (start.keys() | two.keys() - {"values"})


# As text


@games
def test_a_game_as_text(game: str, tmp_path: Path) -> None:
    record = recorded(tmp_path / "r", game, hands=2, names=None, **about(game).SHORT, target=10_000)
    lines = game_text(record).splitlines()
    assert lines[0].startswith(f"{load_game(game).TITLE}: seat 0, player_0; seat 1, player_1")
    deals = [table.copy() for step, table in record.moments() if step is None]
    for number, table in enumerate(deals, 1):
        at = lines.index(f"hand {number}, dealt by player_{table.dealer}")
        for seat in range(table.num_players):
            assert lines[at + 1 + seat] == f"  player_{seat}: {' '.join(table.hand(seat))}"
    moves = [line for line in lines if re.match(r"  player_\d: [a-z]", line)]
    played = [f"  player_{step.seat}: {step.action}" for step in record.steps]
    assert [re.sub(r" \(\w\w\)$", "", line) for line in moves] == played
    drawn = [line[-3:-1] for line in moves if "draw stock" in line]
    assert drawn == [frame["drew"] for frame in frames(record) if "drew" in frame]
    assert sum(line.startswith("scores of the hand: ") for line in lines) == len(deals)
    assert lines[-1] == "The match was stopped after this hand."


@games
def test_text_of_games_that_end_otherwise(game: str, tmp_path: Path) -> None:
    options = about(game).SHORT | {"target": None}
    whole = recorded(tmp_path / "whole", game, **options)
    last = game_text(whole).splitlines()[-1]
    assert last == ("A tie." if whole.winner is None else f"Won by player_{whole.winner}.")
    lines = (tmp_path / "whole").read_bytes().splitlines(keepends=True)
    part = read_record(b"".join(lines[:5]))
    assert game_text(part).splitlines()[-1] == "The record ends here; the game was not over."
    table = Table(game, 3, **options, max_turns=2)
    with table.record(tmp_path / "cut"):
        for _ in walk(table, 3):
            pass
    cut = read_record(tmp_path / "cut")
    assert cut.over == "truncated"
    assert game_text(cut).splitlines()[-1] == "The match was cut off."


def test_long_names_lose_their_middle_and_seats_are_told_apart(tmp_path: Path) -> None:
    paths = [f"runs/{letter * 200}/policy.safetensors" for letter in "ab"]
    names = [*paths, "greedy", "greedy"]
    record = recorded(tmp_path / "r", "rummy", names=names, hands=1, num_players=4, target=None)
    text = game_text(record)
    assert text.startswith(
        "Rummy: seat 0, runs/aaaaaaaaaaaaaa.../policy.safetensors; "
        "seat 1, runs/bbbbbbbbbbbbbb.../policy.safetensors; seat 2, greedy; seat 3, greedy\n"
    )
    movers = set(re.findall(r"^  (\S.*?): (?:draw|take|discard)", text, re.MULTILINE))
    assert movers == {
        "runs/aaaaaaaaaaaaaa.../policy.safetensors",
        "runs/bbbbbbbbbbbbbb.../policy.safetensors",
        "greedy 2",
        "greedy 3",
    }


def test_text_tells_what_players_thought(tmp_path: Path) -> None:
    table = Table("gin", 5, target=None)
    with table.record(tmp_path / "r", ["a", "b"]) as recorder:
        first, second = table.legal()
        recorder.play(first, probabilities={first: 0.7, second: 0.3}, value=-3.5)
        first, second = recorder.table.legal()
        recorder.play(first, probabilities={first: 1.0}, values={first: 2.0, second: -1.0})
        recorder.play(recorder.table.legal()[0], value=12.0)
    moves = re.findall(r"^  [ab]: (\w.*)$", game_text(read_record(tmp_path / "r")), re.MULTILINE)
    assert [move.partition("  ")[2] for move in moves[-3:]] == [
        "[70%, expects -4]",
        "",
        "[expects +12]",
    ]
