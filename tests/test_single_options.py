"""The Gymnasium environment for one learner: its arguments, and wrong ones."""

import copy
from typing import Any

import numpy as np
import pytest
from about import about
from gymnasium.error import ResetNeeded
from single_episodes import follow, games, play
from slow_play import (
    any_of,
    legal_action,
    same,
    wayward,
)

from rummyzoo.agents import View
from rummyzoo.envs import RulesError, Table
from rummyzoo.envs.games import load_game
from rummyzoo.envs.single import SingleEnv


@games
def test_forced_moves_are_skipped(game: str) -> None:
    plain, quick = (
        SingleEnv(game, opponents="greedy", seat=0, target=None, hand_size=1, skip_forced=skip)
        for skip in (False, True)
    )
    lengths = [0, 0]
    for seed in range(5):
        sums = []
        for n, env in enumerate((plain, quick)):
            observation, info = env.reset(seed=seed)
            gained, done = 0.0, False
            while not done:
                legal = np.flatnonzero(info["action_mask"])
                assert len(legal) > 1 or n == 0
                observation, reward, terminated, truncated, info = env.step(
                    any_of(legal, observation)
                )
                gained += reward
                done = terminated or truncated
                lengths[n] += 1
            sums.append(gained)
        assert sums[0] == pytest.approx(sums[1])
    assert lengths[0] > lengths[1]


@games
def test_shaping(game: str) -> None:
    options: dict[str, Any] = {"opponents": "random", "target": None, "num_players": 2}
    plain, shaped = SingleEnv(game, **options), SingleEnv(game, shaping=True, **options)
    half = SingleEnv(game, shaping=True, discount=0.5, **options)

    table = Table(game, **plain.rules._asdict())

    def potential(env: SingleEnv) -> float:
        table.states[:] = env.learners.states
        return float(about(game).potential(table, int(env.learners.rows["seat"][0])))

    for seed in range(3):
        envs = (plain, shaped, half)
        infos = [env.reset(seed=seed)[1] for env in envs]
        first = potential(plain)
        assert first < 0
        sums = np.zeros(2)
        done = False
        rng = np.random.default_rng(seed)
        while not done:
            before = potential(plain)
            action = legal_action(infos[0], rng)
            steps = [env.step(action) for env in envs]
            infos = [step[-1] for step in steps]
            done = steps[0][2] or steps[0][3]
            after = 0.0 if done else potential(plain)
            assert steps[1][1] == pytest.approx(steps[0][1] + after - before)
            assert steps[2][1] == pytest.approx(steps[0][1] + after / 2 - before)
            sums += [step[1] for step in steps[:2]]
        assert sums[1] == pytest.approx(sums[0] - first)


@games
def test_seats(game: str) -> None:
    env = SingleEnv(game, opponents="random", num_players=2)
    env.reset(seed=0)
    seats = [env.reset()[1]["seat"] for _ in range(200)]
    assert 60 < sum(seats) < 140
    assert all(env.reset(seed=7)[1]["seat"] == env.reset(seed=7)[1]["seat"] for _ in range(3))
    with pytest.raises(ValueError, match="seat=2"):
        SingleEnv(game, opponents="random", seat=2, num_players=2)


@games
def test_opponents(game: str) -> None:
    asked: set[str] = set()

    def first(view: View, rng: np.random.Generator) -> int:
        asked.add("first")
        return wayward(view, rng)

    def second(view: View, rng: np.random.Generator) -> int:
        asked.add("second")
        return wayward(view, rng)

    most = load_game(game).MAX_PLAYERS
    mixed: list[Any] = [
        first,
        {"random": 1, second: 1},
        second,
        "greedy",
        "random",
        first,
        "greedy",
    ]
    env = SingleEnv(game, opponents=mixed[: most - 1], num_players=most, target=None)
    for seed in range(5):
        play(env, seed)
    assert asked == ({"first", "second"} if most > 2 else {"first"})

    asked.clear()
    env.set_opponents("random")  # goes on against the old ones, then against the new
    for _ in range(3):
        play(env)
    assert not asked
    env.reset(seed=2)
    env.set_opponents(second)
    copied = copy.deepcopy(env)
    info = {"action_mask": env.learners.masks[0].copy()}
    rng = np.random.default_rng(0)
    done = False
    while not done:
        _, _, terminated, truncated, info = env.step(legal_action(info, rng))
        done = terminated or truncated
    assert not asked
    play(env)
    assert asked == {"second"}
    same(follow(copied, 0)[-1][0], copied._observation())

    counts = {"one": 0, "two": 0}

    def one(view: View, rng: np.random.Generator) -> int:
        counts["one"] += 1
        return int(view.legal_actions()[-1])

    def two(view: View, rng: np.random.Generator) -> int:
        counts["two"] += 1
        return int(view.legal_actions()[-1])

    env = SingleEnv(game, opponents={one: 0.9, two: 0.1}, num_players=2, max_turns=2)
    for seed in range(60):
        play(env, seed)
    assert counts["one"] > 3 * counts["two"] > 0


@games
def test_mistakes_are_named(game: str) -> None:
    with pytest.raises(RulesError, match="did you mean 'greedy'"):
        SingleEnv(game, opponents="gredy")
    with pytest.raises(ValueError, match="one for each seat but the learner's: 1 here, not 2"):
        SingleEnv(game, opponents=["random", "random"], num_players=2)
    with pytest.raises(ValueError, match=r"has the weight -1\.0; a weight is a number, 0 or more"):
        SingleEnv(game, opponents={"random": -1.0, "greedy": 2.0})
    with pytest.raises(TypeError, match="a player is"):
        SingleEnv(game, opponents=5)
    with pytest.raises(RulesError, match="did you mean 'opponents'"):
        SingleEnv(game, oponents="random")
    with pytest.raises(RulesError, match="reward"):
        SingleEnv(game, opponents="random", reward="chips")
    with pytest.raises(RulesError, match="mask_in"):
        SingleEnv(game, opponents="random", mask_in="pocket")
    with pytest.raises(RulesError, match="render mode"):
        SingleEnv(game, opponents="random", render_mode="braille")

    def cheat(view: View, rng: np.random.Generator) -> int:
        return int(np.flatnonzero(view.mask == 0)[0])

    env = SingleEnv(game, opponents=cheat, num_players=2)
    with pytest.raises(RuntimeError, match=r"opponent 'cheat' at seat \d chose '.*', which is not"):
        play(env, 0)


@games
def test_after_an_opponent_failed_only_a_reset_helps(game: str) -> None:
    faults = iter([True, False])

    def flaky(view: Any, rng: np.random.Generator) -> int:
        if next(faults, False):
            raise KeyError("out of ideas")
        return int(view.legal_actions()[-1])

    env = SingleEnv(game, opponents=flaky, seat=0, num_players=2, target=None)

    def play() -> None:
        for seed in range(20):
            env.reset(seed=seed)
            for _ in range(6):
                env.step(int(np.flatnonzero(env.action_masks())[-1]))

    with pytest.raises(KeyError, match="out of ideas"):
        play()
    with pytest.raises(ResetNeeded):
        env.step(1)
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.action_masks())[-1]))


@pytest.mark.parametrize("option", [{"discount": float("nan")}, {"discount": 2}, {"shaping": "no"}])
@games
def test_shaping_that_makes_no_sense(game: str, option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(option))}=.* is not possible"):
        SingleEnv(game, **option)
