"""Environments whose games are recorded: they do what they would have done, and it is all there."""

import copy
import pickle
import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from about import about

from rummyzoo.agents import View
from rummyzoo.envs import Table, read_record, record_games
from rummyzoo.envs.aec import CardTableEnv
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.learner import Learners
from rummyzoo.envs.record import Record
from rummyzoo.envs.registration import NAMES
from rummyzoo.envs.single import SingleEnv
from rummyzoo.envs.vector import RummyVectorEnv
from rummyzoo.envs.wrappers import Checked

games = pytest.mark.parametrize("game", GAMES)


def rules_of(game: str) -> dict[str, Any]:
    return about(game).SHORT | {"target": 30}


def short(game: str) -> dict[str, Any]:
    """Rules under which episodes are over soon, some of them cut off."""
    return rules_of(game) | {"target": None, "max_turns": 30}


def records(folder: Path) -> list[Record]:
    """The records in a folder, in order."""
    return [read_record(path) for path in sorted(folder.iterdir())]


def play_aec(env: Any, seed: int, episodes: int = 2) -> list[list[str]]:
    """Play by lot; the actions of each episode as text."""
    rng, raw = random.Random(seed), env.unwrapped
    played: list[list[str]] = []
    for episode in range(episodes):
        env.reset(seed=seed if episode == 0 else None)
        played.append([])
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            action = None
            if not (terminated or truncated):
                action = rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
                played[-1].append(f"{agent} {raw.action_texts[action]}")
            env.step(action)
    return played


def told(record: Record) -> list[str]:
    """The actions of a record, as `play_aec` tells them."""
    return [f"player_{step.seat} {step.action}" for step in record.steps]


# All seats


@games
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_table_of_all_seats(game: str, wrapped: bool, tmp_path: Path) -> None:
    def make() -> Any:
        env = CardTableEnv(game, **rules_of(game))
        return Checked(env) if wrapped else env

    env = record_games(make(), tmp_path / "games")
    played = play_aec(env, 5)
    scores = env.unwrapped._states["scores"][0].tolist()
    env.close()
    assert played == play_aec(make(), 5)
    found = records(tmp_path / "games")
    assert [told(record) for record in found] == played
    assert [record.over for record in found] == ["match", "match"]
    assert found[1].scores == scores[: len(found[1].scores)]
    assert found[0].table() == Table(game, 5, **rules_of(game))
    assert b'"begin":{"seed":5}' in (tmp_path / "games/game-00001.jsonl").read_bytes()


@games
def test_illegal_actions_are_not_recorded(game: str, tmp_path: Path) -> None:
    env = record_games(Checked(CardTableEnv(game, **rules_of(game))), tmp_path / "games")
    env.reset(seed=1)
    legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
    env.step(int(legal[0]))
    mask = env.observe(env.agent_selection)["action_mask"]
    env.step(int(np.flatnonzero(mask == 0)[0]))
    while env.agents:
        env.step(None)
    env.reset(seed=2)
    env.close()
    first, second = records(tmp_path / "games")
    assert (len(first), first.over) == (1, "no")
    assert len(second) == 0


@games
def test_going_on_from_a_kept_moment_is_a_new_record(game: str, tmp_path: Path) -> None:
    env = record_games(Checked(CardTableEnv(game, **rules_of(game))), tmp_path / "games")
    env.reset(seed=1)
    for _ in range(4):
        env.step(first_legal(env))
    kept = env.unwrapped.save()
    env.step(first_legal(env))
    env.restore(kept)
    env.step(first_legal(env))
    twin = copy.deepcopy(env)
    env.step(first_legal(env))
    twin.step(first_legal(twin))
    env.close()
    first, second = records(tmp_path / "games")
    assert len(first) == 5
    assert len(second) == 2
    assert second.steps[0].action == first.steps[4].action


def first_legal(env: Any) -> int:
    return int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0])


@games
def test_a_game_under_way_is_recorded_from_there(game: str, tmp_path: Path) -> None:
    env: Any = Checked(CardTableEnv(game, **rules_of(game)))
    env.reset(seed=1)
    for _ in range(3):
        env.step(first_legal(env))
    env = record_games(env, tmp_path / "games")
    env.step(first_legal(env))
    env.close()
    (record,) = records(tmp_path / "games")
    assert len(record) == 1
    assert record.table().over == "no"


# One learner


def wayward(view: View, rng: np.random.Generator) -> int:
    """An opponent outside of the kernels."""
    return int(rng.choice(view.legal_actions()))


OPPONENTS: list[Any] = ["greedy", {"greedy": 0.5, "random": 0.5}, wayward]


def play_single(env: Any, seed: int, episodes: int) -> list[Any]:
    """All that a learner is told when it plays by lot."""
    rng, seen = random.Random(seed), []
    for episode in range(episodes):
        observation, info = env.reset(seed=seed if episode == 0 else None)
        while True:
            mask = info["action_mask"]
            action = rng.choice(np.flatnonzero(mask).tolist())
            observation, reward, terminated, truncated, info = env.step(action)
            seen.append((observation.tobytes(), reward, action, info["seat"], info["score"]))
            if terminated or truncated:
                break
    return seen


@games
@pytest.mark.parametrize("opponents", OPPONENTS, ids=["greedy", "mix", "outside"])
@pytest.mark.parametrize("skip_forced", [False, True])
def test_one_learner(game: str, opponents: Any, skip_forced: bool, tmp_path: Path) -> None:
    options = {"opponents": opponents, "skip_forced": skip_forced, **rules_of(game)}
    plain = play_single(SingleEnv(game, **options), 3, 3)
    env = record_games(SingleEnv(game, **options), tmp_path / "games")
    assert play_single(env, 3, 3) == plain
    scores = env.learners.states["scores"][0].tolist()
    env.close()
    found = records(tmp_path / "games")
    assert [record.over for record in found] == ["match"] * len(found)
    assert found[0].table() == Table(game, 3, **rules_of(game))
    assert found[-1].scores == scores[: len(found[-1].scores)]
    names = {"learner", "greedy", "random", "wayward"}
    for record in found:
        assert record.players.count("learner") == 1
        assert set(record.players) <= names
    # What the learner did is there, in order.
    actions = [action for _, _, action, _, _ in plain]
    texts = env.action_texts()
    told_of = [
        step.action
        for record in found
        for step in record.steps
        if record.players[step.seat] == "learner"
    ]
    rest = iter(told_of)
    assert all(texts[action] in rest for action in actions)
    if not skip_forced:
        assert len(told_of) == len(actions) or len(found) > 3


@games
def test_by_its_registered_name(game: str, tmp_path: Path) -> None:
    title, version = next((t, m.partition("_v")[2]) for m, (g, t) in NAMES.items() if g == game)
    env = gymnasium.make(f"rummyzoo/{title}-v{version}", opponents="random", **rules_of(game))
    env = record_games(env, tmp_path / "games")
    play_single(env, 4, 1)
    env.close()
    assert records(tmp_path / "games")[0].over == "match"


# Many tables


def play_vector(env: RummyVectorEnv, seed: int, steps: int) -> list[Any]:
    """All that learners are told who play by lot."""
    rng = np.random.default_rng(seed)
    seen: list[Any] = [env.reset(seed=seed)[0].tobytes()]
    for _ in range(steps):
        masks = env.action_masks()
        actions = [int(rng.choice(np.flatnonzero(m))) if m.any() else 0 for m in masks]
        observations, rewards, terminated, _, _ = env.step(np.array(actions))
        seen.append((observations.tobytes(), rewards.tolist(), terminated.tolist()))
    return seen


@games
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("opponents", ["greedy", wayward], ids=["inside", "outside"])
def test_many_tables(game: str, mode: str, opponents: Any, tmp_path: Path) -> None:
    options = {"opponents": opponents, "autoreset_mode": mode, **short(game)}
    plain = play_vector(RummyVectorEnv(game, 4, **options), 6, 150)
    envs = record_games(RummyVectorEnv(game, 4, **options), tmp_path / "games", tables=3)
    assert play_vector(envs, 6, 150) == plain
    states = envs.learners.states.copy()
    rows = envs.learners.rows.copy()
    open_records = dict(envs.learners.diary.open)
    for i, recorder in open_records.items():
        assert recorder.table.states[0] == states[i]
    assert {i for i in range(3) if rows["end"][i] == 0} <= open_records.keys()
    envs.close()
    found = records(tmp_path / "games")
    assert len(found) > 3
    for i in range(3):
        assert found[i].table() == Table(game, 6 + i, **short(game))
    assert sum(record.over == "no" for record in found) <= 3


@games
def test_only_so_many(game: str, tmp_path: Path) -> None:
    options = {"opponents": "greedy", "autoreset_mode": "SameStep", **short(game)}
    plain = play_vector(RummyVectorEnv(game, 2, **options), 6, 200)
    envs = record_games(RummyVectorEnv(game, 2, **options), tmp_path / "all", tables=2)
    play_vector(envs, 6, 200)
    envs.close()
    envs = record_games(RummyVectorEnv(game, 2, **options), tmp_path / "few", most=3, every=2)
    assert play_vector(envs, 6, 200) == plain
    assert envs.learners.diary is None  # which costs nothing any more
    assert len(envs.learners.log) == 0
    few = [record.steps for record in records(tmp_path / "few")]
    table_0 = [r for r in records(tmp_path / "all") if r.steps in few]
    assert len(few) == len(table_0) == 3


@games
def test_a_match_given_up_is_one_that_is_not_over(game: str, tmp_path: Path) -> None:
    env = record_games(SingleEnv(game, opponents="random", **rules_of(game)), tmp_path / "games")
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    env.step(int(np.flatnonzero(~env.action_masks())[0]))  # illegal
    env.reset(seed=2)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    kept = env.save()
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    env.restore(kept)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    twin = pickle.loads(pickle.dumps(env))
    twin.step(int(np.flatnonzero(twin.action_masks())[0]))
    env.close()
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    first, second, third = records(tmp_path / "games")
    assert {first.over, second.over, third.over} <= {"no", "match"}
    learner = third.players.index("learner")
    assert next(s.action for s in third.steps if s.seat == learner) in {
        s.action for s in second.steps if s.seat == second.players.index("learner")
    }


def test_numbers_go_on_after_those_in_the_folder(tmp_path: Path) -> None:
    game = GAMES[0]
    for _ in range(2):
        env = record_games(CardTableEnv(game, **rules_of(game)), tmp_path)
        play_aec(env, 1, 1)
        env.close()
    (tmp_path / "game-notes.jsonl").touch()
    other = record_games(CardTableEnv(game, **rules_of(game)), tmp_path)
    Table(game).record(tmp_path / "game-00003.jsonl").close()  # another process was quicker
    play_aec(other, 1, 1)
    other.close()
    names = [path.name for path in sorted(tmp_path.glob("game-0*"))]
    assert names == [f"game-0000{n}.jsonl" for n in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"every": 0}, "every=0 is not possible"),
        ({"most": 0}, "most=0 is not possible"),
        ({"tables": True}, "tables=True is not possible"),
        ({"tables": 1.0}, r"tables=1\.0 is not possible; it is a whole number, at least 1"),
        ({"tables": 3}, "tables=3 is not possible: there are 2"),
    ],
)
def test_numbers_that_are_not_possible(options: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=says):
        record_games(RummyVectorEnv(GAMES[0], 2), tmp_path / "games", **options)
    assert not (tmp_path / "games").exists()


@pytest.mark.parametrize("thing", [3, None, Learners(GAMES[0], 1), gymnasium.make("CartPole-v1")])
def test_other_things_are_refused(thing: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="only environments of this package can be recorded"):
        record_games(thing, tmp_path)


def test_a_step_that_is_too_long_for_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAMES[0]
    envs = RummyVectorEnv(game, 1, opponents="greedy", autoreset_mode="SameStep", target=30)
    envs = record_games(envs, tmp_path)
    plain = play_vector(envs, 6, 40)
    monkeypatch.setattr("rummyzoo.envs.recording.MOST_LOGGED", 8)
    envs.close()
    folder = tmp_path / "again"
    envs = RummyVectorEnv(game, 1, opponents="greedy", autoreset_mode="SameStep", target=30)
    envs = record_games(envs, folder)
    with pytest.warns(UserWarning, match="was not recorded"):
        assert play_vector(envs, 6, 40) == plain
    envs.close()
    found = records(folder)
    assert found
    assert {record.over for record in found} <= {"no", "match"}


@games
def test_nothing_is_logged_where_nothing_is_recorded(game: str) -> None:
    envs = RummyVectorEnv(game, 2, **rules_of(game))
    play_vector(envs, 1, 10)
    assert envs.learners.log.shape[0] == 0
