"""The networks that search goes by: what they compute, what they know, and damaged files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rummyzoo.agents import load, values
from rummyzoo.agents.heuristics import rollout_styles, weights_of
from rummyzoo.agents.values.network import MOST_UNITS, RANKS, SUITS, estimate, notes_for, rows_for
from rummyzoo.agents.values.planes import CARDS
from rummyzoo.agents.values.recall import ASKED, RECALLED
from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.jit import bind
from rummyzoo.envs.machine import LANES
from rummyzoo.envs.setting import scratch, setting


def _estimates(net, planes, numbers, x, notes, out):
    for row in range(len(x)):
        out[row] = estimate(net, planes, numbers, x, row, notes)


def asked(net: np.ndarray, planes: int, numbers: int, x: np.ndarray) -> np.ndarray:
    """The kernel's estimates for rows of inputs."""
    out = np.zeros(len(x))
    run: Any = bind(_estimates, estimate=estimate)
    run(net, planes, numbers, x, notes_for(x.shape[1]), out)
    return out


def described(table: Table, seat: int, recalled: bool = False) -> np.ndarray:
    """What a game's table is to a seat, float32 (inputs,); with what tells of others' hands."""
    game = table.game.NAME
    found = values.module_for(game)
    x = np.zeros((1, CARDS + found.NUMBERS), np.float32)
    where = setting(game, table.rules)
    work = scratch(where.game)
    found.describe(table.states, 0, seat, where.kits, work, x, 0)
    if recalled:
        past = np.zeros(1, where.game.STATE)
        asked = weights_of(game, found.ASKED), np.ones(1, np.uint64)
        found.recall(table.states, 0, seat, past, where.kits, work, *asked, x, 0)
    return x[0]


def turns(game: str, hands: int, **rules: Any) -> list[tuple[Table, list[Table]]]:
    """Hands that the player of the rollouts plays: the table at the end, and at the beginning of
    turns.
    """
    found = []
    for seed in range(hands):
        table = Table(game, 100 + seed, target=None, **rules)
        player = load(rollout_styles(game, table.rules)[0], game, table.rules)
        before: list[Table] = []
        turn = -1
        while table.turn is not None:
            if table.states[0].turns != turn:
                turn = int(table.states[0].turns)
                before.append(table.copy())
            out = np.zeros(1, np.int64)
            here, seats = np.zeros(1, np.int64), np.array([table.turn])
            player.act_batch(table.states, here, seats, out, np.ones(1, np.uint64))  # type: ignore[attr-defined]
            table.play(int(out[0]))
        found.append((table, before))
    return found


@pytest.mark.parametrize("units", [LANES, MOST_UNITS])
def test_the_kernel_computes_what_it_says(units: int) -> None:
    rng = np.random.default_rng(1)
    planes, numbers = 3, 71
    width = planes * RANKS
    net = rng.normal(size=(rows_for(planes, numbers, units), units)).astype(np.float32)
    x = rng.normal(size=(20, SUITS * width + numbers)).astype(np.float32)
    x[rng.random(x.shape) < 0.7] = 0
    cards, rest = x[:, : SUITS * width].reshape(-1, SUITS, width), x[:, SUITS * width :]
    ends = np.cumsum([width, width, numbers, 1, units, 1, 1])
    suit, total, other, a, second, b, last, line = np.split(net, ends)
    first = cards @ suit + (cards.sum(1) @ total + rest @ other + a)[:, None]
    hidden = np.maximum(np.maximum(first, 0).sum(1) @ second + b, 0)
    expected = hidden @ last[0] + rest @ line[:-1].ravel()[:numbers] + line[-1, 0]
    assert asked(net, planes, numbers, x) == pytest.approx(expected, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("game", GAMES)
def test_seats_that_change_places_see_the_same(game: str) -> None:
    for _, before in turns(game, 3):
        for table in before:
            other = table.copy()
            record = other.states[0]
            for name in record.dtype.names:
                field = record[name]
                if isinstance(field, np.ndarray) and field.shape == (8,):
                    field[:2] = field[:2][::-1].copy()
            record["turn"] = 1 - record["turn"]
            for recalled in (False, True):
                as_it_was = table.copy()
                here, there = described(table, 0, recalled), described(other, 1, recalled)
                assert np.array_equal(here, there)
                assert table == as_it_was


@pytest.mark.parametrize("game", GAMES)
def test_recall_finds_what_the_players_that_it_asks_have_done(game: str) -> None:
    """In the true table that is what they threw; in tables dealt afresh it often is not."""
    true: list[bool] = []
    afresh: list[bool] = []
    for seed, (_, tables) in enumerate(turns(game, 20)):
        for table in tables[3:]:
            seat = int(table.states[0].turn)
            for found, world in ((true, table), (afresh, table.resample(seat, seed))):
                told = described(world, seat, True)[CARDS : CARDS + RECALLED]
                assert set(told) <= {-1, 0, 1}
                assert not told[2 * ASKED :].any()  # there is one other player
                found.append(max(told[0 : 2 * ASKED : 2]) == 1)
    assert np.mean(true) > 0.9
    assert np.mean(afresh) < 0.8 * np.mean(true)


@pytest.mark.parametrize("game", GAMES)
def test_networks_know_something(game: str) -> None:
    """Better hands are worth more, and true tables look likelier than those dealt afresh."""
    expected, got, odds = [], [], []
    for n, (end, before) in enumerate(turns(game, 60)):
        found = values.networks(setting(game, end.rules))
        assert len(found.value)
        assert len(found.odds)
        planes, numbers = found.planes, found.numbers
        table = before[9 * len(before) // 10]
        seat = n % 2
        scores = np.asarray(end.states[0].hand_scores[:2], np.float64)
        got.append(np.sign(scores[seat] - scores[1 - seat]))
        worlds = [table, *(table.resample(seat, 10 * n + w) for w in range(3))]
        x = np.array([described(table, seat)])
        expected.append(asked(found.value, planes, numbers, x)[0])
        x = np.array([described(world, seat, True) for world in worlds])
        odds.append(asked(found.odds, planes, numbers, x))
    assert np.corrcoef(expected, got)[0, 1] > 0.3
    better = np.array([true[0] > true[1:].mean() for true in odds])
    assert better.mean() > 0.6


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    good = tmp_path / "good.npz"
    values.write(good, {"two_value": np.ones((4, 3), np.float32)})
    assert values.read(good)["two_value"].dtype == np.float32
    data = bytearray(good.read_bytes())
    for at in range(60, len(data), 37):
        bad = tmp_path / f"bad{at}.npz"
        changed = data.copy()
        changed[at] ^= 0xFF
        bad.write_bytes(changed)
        refusal = ""
        try:
            found = values.read(bad)
        except ValueError as error:
            refusal = str(error)
        if not refusal:  # a byte that says nothing about the numbers, such as a date
            assert np.array_equal(found["two_value"], np.ones((4, 3)))
        else:
            assert "holds no networks" in refusal or "damaged" in refusal
    cut = tmp_path / "cut.npz"
    cut.write_bytes(data[: len(data) // 2])
    for path, why in ((cut, "holds no networks"), (tmp_path / "none.npz", "holds no networks")):
        with pytest.raises(ValueError, match=why):
            values.read(path)
    np.savez(tmp_path / "other.npz", digest=np.zeros(32, np.uint8), two_value=np.ones((4, 3)))
    with pytest.raises(ValueError, match="is damaged"):
        values.read(tmp_path / "other.npz")
    values.write(tmp_path / "nan.npz", {"two_value": np.full((4, 3), np.nan)})
    with pytest.raises(ValueError, match="is damaged"):
        values.read(tmp_path / "nan.npz")


@pytest.mark.parametrize("game", GAMES)
def test_networks_for_other_inputs_are_refused(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "small.npz"
    small = np.ones((9, 3), np.float32)
    found = values.module_for(game)
    advice = found.advice(load_game(game).make_rules())
    values.write(path, {advice.value: small, advice.odds: small})
    monkeypatch.setattr(values, "file_of", lambda game: path)
    with pytest.raises(ValueError, match="was made for other inputs"):
        load("search:4", game)
