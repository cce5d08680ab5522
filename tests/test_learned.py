"""Networks as players: files, refusals, the same choice one by one and in batches, no peeking."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from rummyzoo.agents import View, opinion_of
from rummyzoo.agents import load as load_player
from rummyzoo.agents.batch import batch_kernels
from rummyzoo.agents.learned import (
    LearnedAgent,
    load,
    log_shares,
    make_network,
    pick_best,
    pick_by_lot,
    policy_bytes,
)
from rummyzoo.agents.policies import FREE
from rummyzoo.agents.suits import score_table
from rummyzoo.envs import GAMES, Table
from rummyzoo.envs.kit import A_LAY_HIGH, A_LAY_LOW, A_PASS, A_RUN, A_SET
from rummyzoo.envs.setting import Setting, setting

GAME = "rummy500"
WHERE = setting(GAME, None)
NETWORKS = [("suits", 16), ("mlp", 24)]


def agent(kind: str = "suits", hidden: int = 16, where: Setting = WHERE, **options: Any) -> Any:
    torch.manual_seed(3)
    network = make_network(where, kind, hidden)
    with torch.no_grad():  # make it opinionated, and none of its weights zero
        for weights in network.parameters():
            weights.add_(0.3 * torch.randn_like(weights))
    return LearnedAgent(where, network, **options)


def positions(count: int, where: Setting = WHERE, seed: int = 0) -> list[Table]:
    """Tables somewhere in a game, someone to act."""
    rng = np.random.default_rng(seed)
    found: list[Table] = []
    while len(found) < count:
        table = Table(where.game.NAME, int(rng.integers(1 << 30)), **where.rules._asdict())
        for _ in range(int(rng.integers(60))):
            if table.over != "no":
                break
            table.play(int(rng.choice(table.legal_actions())))
        if table.over == "no":
            found.append(table)
    return found


def choices(player: Any, tables: list[Table]) -> list[int]:
    rng = np.random.default_rng(1)
    views = [View(player.setting, t.states, 0, int(t.state.turn)) for t in tables]
    return [player.act(view, rng) for view in views]


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    return positions(60)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "policy.safetensors"
    path.write_bytes(policy_bytes(agent()))
    return path


@pytest.mark.parametrize(("kind", "hidden"), NETWORKS)
def test_what_is_saved_plays_the_same(
    kind: str, hidden: int, tmp_path: Path, tables: list[Table]
) -> None:
    player = agent(kind, hidden)
    path = tmp_path / "policy.safetensors"
    path.write_bytes(policy_bytes(player, decisions=7))
    expected = choices(player, tables)
    assert len(set(expected)) > 10
    assert choices(load(path), tables) == expected
    assert choices(load_player(str(path), GAME, WHERE.rules), tables) == expected
    assert choices(load_player(str(tmp_path) + "/", GAME, WHERE.rules), tables) == expected
    assert choices(pickle.loads(pickle.dumps(player)), tables) == expected
    assert policy_bytes(load(path), decisions=7) == path.read_bytes()


def test_choices_are_legal(tables: list[Table]) -> None:
    for player in (agent(), agent(sample=True)):
        for table, action in zip(tables, choices(player, tables), strict=True):
            assert table.mask()[action]


@pytest.mark.parametrize(
    "options", [{}, {"num_players": 4}, {"jokers_per_deck": 0, "num_ranks": 6}]
)
def test_one_by_one_and_in_batches(options: dict[str, Any]) -> None:
    where = setting(GAME, WHERE.game.make_rules(**options))
    tables = positions(40, where)
    for kind, hidden in NETWORKS:
        player = agent(kind, hidden, where)
        states = np.concatenate([table.states for table in tables])
        indices = np.random.default_rng(0).permutation(len(tables))[:30]
        out = np.full(len(indices), -1)
        player.act_batch(states, indices, states["turn"][indices].astype(np.int64), out)
        assert out.tolist() == choices(player, [tables[i] for i in indices])


def test_hidden_cards_make_no_difference(tables: list[Table]) -> None:
    player, rng = agent(), np.random.default_rng(2)
    other = [table.resample(int(table.state.turn), rng) for table in tables]
    assert any(a.states != b.states for a, b in zip(tables, other, strict=True))
    for worlds in (tables, other):
        states = np.concatenate([table.states for table in worlds])
        out = np.zeros(len(worlds), np.int64)
        player.act_batch(states, np.arange(len(worlds)), states["turn"].astype(np.int64), out)
        assert out.tolist() == choices(player, tables)


def test_what_it_thinks(tables: list[Table]) -> None:
    player, rng = agent(), np.random.default_rng(2)
    values = set()
    for table in tables:
        seat = int(table.state.turn)
        view = View.of(table, seat)
        opinion = opinion_of(player, view, rng)
        assert sorted(opinion.probabilities) == table.legal_actions().tolist()
        assert sum(opinion.probabilities.values()) == pytest.approx(1, abs=1e-5)
        best = max(opinion.probabilities, key=lambda a: opinion.probabilities[a])
        assert best == player.act(view, rng)
        assert not opinion.values
        again = opinion_of(player, View.of(table.resample(seat, rng), seat), rng)
        assert again == opinion
        # The value is for the whole hand: what lies on the table already is in it.
        standing = np.zeros(1)
        states, here = table.states, np.zeros(1, np.int64)
        batch_kernels(GAME).stand_all(states, here, np.array([seat]), WHERE.kits, standing)
        with torch.inference_mode():
            ahead = float(player.network.value(player.network.latent(look(view)))[0])
        assert opinion.value == pytest.approx(100 * (ahead + standing[0]), abs=1e-3)
        values.add(opinion.value)
    assert len(values) > 1


def look(view: View) -> torch.Tensor:
    return torch.from_numpy(view.observation[None])


def test_lots(tables: list[Table]) -> None:
    player = agent(sample=True)
    table = max(tables, key=lambda t: len(t.legal_actions()))
    count = 4000
    states = np.repeat(table.states, count)
    seats, out = states["turn"].astype(np.int64), np.zeros(count, np.int64)
    words = np.random.default_rng(0).integers(1, 1 << 62, count, dtype=np.uint64)
    player.act_batch(states, np.arange(count), seats, out, words.copy())
    again = np.zeros(count, np.int64)
    player.act_batch(states, np.arange(count), seats, again, words.copy())
    assert (out == again).all()

    view = View(WHERE, table.states, 0, int(table.state.turn))
    latent = player.network.latent(torch.from_numpy(view.observation[None]))
    scores = player.network.all_scores(latent)[0, view.legal_actions()]
    shares = torch.softmax(scores, 0).detach().numpy()
    seen = np.array([(out == action).mean() for action in view.legal_actions()])
    assert seen.sum() == pytest.approx(1)
    assert np.abs(seen - shares).max() < 4 * 0.5 / count**0.5


def test_lists_of_legal_actions() -> None:
    rows = torch.tensor([0, 0, 1, 2, 2, 2])
    scores = torch.tensor([1.0, 3.0, -200.0, 5.0, 5.0, 4.0])
    logs = log_shares(scores, rows, 3)
    assert torch.allclose(logs[:2], torch.log_softmax(scores[:2], 0))
    assert logs[2] == 0
    assert torch.allclose(logs[3:], torch.log_softmax(scores[3:], 0))
    assert pick_best(scores, rows, 3).tolist() == [1, 2, 3]
    for lot, expected in ((0.0, [0, 2, 3]), (1 - 1e-12, [1, 2, 5])):
        lots = torch.full((3,), lot, dtype=torch.float64)
        assert pick_by_lot(logs, rows, lots).tolist() == expected


@pytest.mark.parametrize(("kind", "hidden"), NETWORKS)
def test_scores_of_legal_actions_are_scores_of_all(
    kind: str, hidden: int, tables: list[Table]
) -> None:
    network = agent(kind, hidden).network
    seen = [table.observation(int(table.state.turn)) for table in tables]
    latent = network.latent(torch.from_numpy(np.stack(seen)))
    rows, actions, scores = network.legal_scores(
        latent, torch.from_numpy(np.stack([table.mask() for table in tables]))
    )
    assert torch.allclose(network.all_scores(latent)[rows, actions], scores, atol=1e-5)


def swapped_action(k: Any, number: int, swap: list[int]) -> tuple[int, ...]:
    """The row of an action with other suits."""
    kind, a, b, c = map(int, k.act[number])
    if kind == A_SET:
        b = sum(1 << swap[suit] for suit in range(4) if b >> suit & 1)
    elif kind == A_RUN:
        a = swap[a]
    elif kind > A_PASS + 1 and a < 52:
        a = 13 * swap[a // 13] + a % 13
    if kind in (A_LAY_LOW, A_LAY_HIGH):
        b = swap[b]
    return kind, a, b, c


def test_suits_are_treated_alike(tables: list[Table]) -> None:
    player, k = agent(), WHERE.kits[0]
    swap = [2, 0, 3, 1]  # clubs become hearts, ...
    numbers = {tuple(map(int, k.act[n])): n for n in range(int(k.num_actions))}
    action_to = [numbers[swapped_action(k, n, swap)] for n in range(int(k.num_actions))]
    entry_to, at = [], 0
    for piece in WHERE.game.pieces(WHERE.rules, k):
        size = int(np.prod(piece.shape))
        for entry in range(size):
            place = entry % (piece.shape[-1] or 1)
            to = place
            if piece.shape[-1] in (52, 53) and place < 52:
                to = 13 * swap[place // 13] + place % 13
            entry_to.append(at + entry - place + to)
        at += size
    assert sorted(entry_to) == list(range(int(k.observation_size)))
    seen = np.stack([table.observation(int(table.state.turn)) for table in tables])
    other = np.zeros_like(seen)
    other[:, entry_to] = seen
    other_scores, scores = (
        player.network.all_scores(player.network.latent(torch.from_numpy(x))) for x in (other, seen)
    )
    assert torch.allclose(other_scores[:, action_to], scores, atol=1e-4)
    assert scores.std(dim=0).min() > 0  # no action has a constant score


def test_every_action_has_its_own_outputs() -> None:
    for options in ({}, {"num_players": 5}, {"num_ranks": 4, "num_suits": 2, "hand_size": 3}):
        k = setting(GAME, WHERE.game.make_rules(**options)).kits[0]
        table, of_suit, of_none = score_table(k)
        assert len({tuple(row) for row in table}) == int(k.num_actions)
        assert max(max(row) for row in table) <= 4 * of_suit + of_none


def test_scores_of_a_match_say_nothing_to_a_player_of_hands() -> None:
    """A fresh network has no weight on them, and hands (all zeros there) give it none."""
    table = Table(GAME, 5)
    before = agent_without_noise(table)
    table.states["scores"][0, :2] = 240, -35
    table.states["hands"] = 3
    assert torch.equal(agent_without_noise(table), before)


def agent_without_noise(table: Table) -> torch.Tensor:
    torch.manual_seed(1)
    network = make_network(WHERE, "suits", 16)
    seen = table.observation(int(table.state.turn))
    return network.all_scores(network.latent(torch.from_numpy(seen[None])))


# What does not fit


def test_other_rules_and_games_are_refused(file: Path) -> None:
    def rules(**options: Any) -> Any:
        return WHERE.game.make_rules(**options)

    with pytest.raises(ValueError, match=r"jokers_per_deck=2, but is to play with .*=0"):
        load(file, GAME, rules(jokers_per_deck=0))
    with pytest.raises(ValueError, match="num_players=2"):
        load_player(str(file), GAME, rules(num_players=3))
    with pytest.raises(ValueError, match="plays rummy500, not gin"):
        load(file, "gin")
    assert load(file, GAME, rules(target=None)).setting.rules.target is None


def test_padded_players_play_at_tables_of_all_sizes(tmp_path: Path) -> None:
    two, four = (
        setting(GAME, WHERE.game.make_rules(num_players=n, num_decks=1, pad_players=4))
        for n in (2, 4)
    )
    path = tmp_path / "policy.safetensors"
    path.write_bytes(policy_bytes(agent(where=two)))
    player = load(path, GAME, four.rules)
    assert all(action >= 0 for action in choices(player, positions(5, four)))


def test_other_versions_are_refused(file: Path) -> None:
    tensors, header = (
        load_file(file),
        json.loads(json.loads(head(file))["__metadata__"]["rummyzoo"]),
    )
    changes = {
        "format": ("rummyzoo policy 9", "is written as"),
        "version": (99, "its version is 99, here it is 0"),
        "observation": ("7 entries", "another version of the environment: its observation is 7"),
        "actions": ("7", "its actions is 7"),
        "network": ({"kind": "suits", "hidden": 8}, "do not fit the network"),
        "rules": ({"num_players": 2}, "is for other options"),
    }
    for name, (value, sentence) in changes.items():
        save_file(tensors, file, {"rummyzoo": json.dumps(header | {name: value})})
        with pytest.raises(ValueError, match=sentence):
            load(file)
    del header["actions"]
    save_file(tensors, file, {"rummyzoo": json.dumps(header)})
    with pytest.raises(ValueError, match="does not say its actions"):
        load(file)


def head(file: Path) -> bytes:
    data = file.read_bytes()
    return data[8 : 8 + int.from_bytes(data[:8], "little")]


def test_other_files_are_refused(file: Path, tmp_path: Path) -> None:
    data = file.read_bytes()
    for damaged in (data[:-1], data[: len(data) // 2], data[:5], b"", b"what is this?" * 99):
        file.write_bytes(damaged)
        with pytest.raises(
            ValueError, match=r"is not a \.safetensors file, or is cut off or damaged"
        ):
            load(file)
    save_file({"x": torch.zeros(2)}, file)
    with pytest.raises(ValueError, match="no player of rummyzoo"):
        load(file)
    with pytest.raises(ValueError, match="there is no policy"):
        load(tmp_path / "nothing.safetensors")
    with pytest.raises(ValueError, match="model of Stable-Baselines3"):
        load_player(str(tmp_path / "model.zip"), GAME)
    broken = agent()
    with torch.no_grad():
        next(broken.network.parameters())[0, 0] = float("nan")
    file.write_bytes(policy_bytes(broken))
    with pytest.raises(ValueError, match="not finite"):
        load(file)


def test_a_seat_that_is_not_to_act() -> None:
    table = Table(GAME, 1)
    with pytest.raises(ValueError, match="is not to act"):
        agent().act(
            View(WHERE, table.states, 0, 1 - int(table.state.turn)), np.random.default_rng()
        )


def test_unknown_network() -> None:
    with pytest.raises(ValueError, match="did you mean 'suits'"):
        make_network(WHERE, "suit")


def test_no_training_package_is_needed(file: Path) -> None:
    code = f"""
import sys
sys.modules.update(dict.fromkeys(["stable_baselines3", "sb3_contrib", "tensorboard", "tqdm"]))
from rummyzoo.agents import load
print(load({str(file)!r}, "rummy500").name)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == file.parent.name


FREELY = ({"target": None}, {"target": 60}, {"max_hands": 7}, {"max_turns": 9})


@pytest.mark.parametrize("game", GAMES)
def test_any_match_has_the_same_spaces(game: str) -> None:
    usual = setting(game, None)
    shapes = [(piece.name, piece.shape) for piece in usual.game.pieces(usual.rules, usual.kits[0])]
    assert all(name in FREE for options in FREELY for name in options)
    for options in FREELY:
        rules = usual.rules._replace(**options)
        pieces = usual.game.pieces(rules, usual.game.make_kit(rules)[0])
        assert [(piece.name, piece.shape) for piece in pieces] == shapes, options
        assert setting(game, rules).actions == usual.actions


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_of_every_game(game: str, tmp_path: Path) -> None:
    where = setting(game, None)
    path = tmp_path / "policy.safetensors"
    path.write_bytes(policy_bytes(agent(where=where)))
    for options in FREELY:
        rules = where.rules._replace(**options)
        player = load_player(path, game, rules)
        table = Table(game, 3, **rules._asdict())
        rng = np.random.default_rng(0)
        while table.turn is not None:
            table.play(int(player.act(View.of(table, table.turn), rng)))
    other = next(name for name in GAMES if name != game)
    with pytest.raises(ValueError, match=f"plays {game}, not {other}"):
        load_player(path, other)
