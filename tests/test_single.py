"""The Gymnasium environment for one learner: its episodes, and what it tells."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from about import about
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from single_episodes import games, play, rounds, total
from slow_play import (
    GAMES_AND_RULES,
    Moment,
    any_of,
    legal_action,
    same,
    slow_episode,
    wayward,
)

from rummyzoo.envs import Table
from rummyzoo.envs.episode import FACTS
from rummyzoo.envs.single import SingleEnv


@rounds
@pytest.mark.parametrize("mask_in", ["info", "observation"])
def test_gymnasium_check(game: str, players: int, mask_in: str) -> None:
    env = SingleEnv(game, opponents="random", num_players=players, mask_in=mask_in)
    check_env(env, skip_render_check=True)


@pytest.mark.parametrize("opponent", ["greedy", wayward])
@pytest.mark.parametrize("reward", ["points", "win"])
@pytest.mark.parametrize(("game", "rules"), GAMES_AND_RULES)
def test_same_as_slow_play(game: str, rules: dict[str, Any], reward: str, opponent: Any) -> None:
    """For every seat: deals, views, masks, ends, and all the learner earns on others' turns."""
    for seat in range(Table(game, **rules).num_players):
        env = SingleEnv(game, opponents=opponent, seat=seat, reward=reward, **rules)
        seed, slow = first_episode(game, rules, seat, opponent, reward)
        observation, info = env.reset(seed=seed)
        got: Any = (0.0, False, False)
        for expected in slow:
            np.testing.assert_array_equal(observation, expected[0])
            np.testing.assert_array_equal(info["action_mask"], expected[1])
            assert got == (pytest.approx(expected[2]), *expected[3:])
            assert info["seat"] == seat
            if not got[1] and not got[2]:
                action = any_of(np.flatnonzero(info["action_mask"]), observation)
                observation, *got, info = env.step(action)
                got = tuple(got)
        assert got[1] or got[2]


def first_episode(
    game: str, rules: dict[str, Any], seat: int, opponent: Any, reward: str
) -> tuple[int, list[Moment]]:
    """A seed and its episode. Where a match is over before the learner was asked, the environment
    would go on with another: not that one.
    """
    for seed in range(100 + seat, 200):
        episode = list(slow_episode(game, rules, seed, seat, opponent, reward))
        if len(episode) > 1:
            return seed, episode
    raise AssertionError("the learner is never asked")


@rounds
def test_sum_of_rewards(game: str, players: int) -> None:
    env = SingleEnv(game, opponents="greedy", num_players=players, target=150, **about(game).SHORT)
    for seed in range(8):
        moments = play(env, seed)
        if moments[-1][2]:
            scores = env.learners.states[0]["scores"][:players]
            seat = moments[-1][-1]["seat"]
            others = (scores.sum() - scores[seat]) / (players - 1)
            assert total(moments) == pytest.approx((scores[seat] - others) / 100)
            assert moments[-1][-1]["score"] == scores[seat]
            assert moments[-1][-1]["rival_score"] == max(np.delete(scores, seat))
            assert moments[-1][-1]["won"] == (scores[seat] > max(np.delete(scores, seat)))


@games
def test_seeds(game: str) -> None:
    options: dict[str, Any] = {"opponents": "random", "reward": "win", "target": 50}
    options |= about(game).SHORT
    env, twin = SingleEnv(game, **options), SingleEnv(game, **options)
    one = [play(env, 5), play(env), play(env)]
    same(one, [play(twin, 5), play(twin), play(twin)])
    same(one, [play(env, 5), play(env), play(env)])
    assert any(not np.array_equal(one[0][0][0], episode[0][0]) for episode in one[1:])
    for moments in one:  # what was asked for survives resets, with and without a seed
        assert total(moments) in (1.0, -1.0)
        assert max(moments[-1][-1]["score"], moments[-1][-1]["rival_score"]) >= 50
    assert env.rules.target == 50
    # Without a seed, chance is chance, and does not come from NumPy's global generator.
    np.random.seed(0)  # noqa: NPY002
    first = SingleEnv(game, **options).reset()[0]
    np.random.seed(0)  # noqa: NPY002
    assert not np.array_equal(first, SingleEnv(game, **options).reset()[0])


@games
def test_deals_do_not_depend_on_who_plays(game: str) -> None:
    def deals(opponents: Any, action_seed: int) -> list[bytes]:
        env = SingleEnv(game, opponents=opponents, target=None, num_players=2, seat=0)
        found = []
        for n in range(4):
            env.reset(seed=9 if n == 0 else None)
            word = env.learners.states["rng"].copy()  # where the generator is after the deal
            found.append(word.tobytes())
            rng = np.random.default_rng(action_seed)
            done = False
            while not done:
                action = legal_action({"action_mask": env.learners.masks[0]}, rng)
                _, _, terminated, truncated, _ = env.step(action)
                done = terminated or truncated
        return found

    reference = deals("random", 0)
    assert len(set(reference)) == 4
    assert deals("random", 1) == reference
    assert deals("greedy", 0) == reference
    assert deals(wayward, 0) == reference
    assert deals({"greedy": 1, "random": 2}, 0) == reference


@games
def test_masks(game: str) -> None:
    env = SingleEnv(game, opponents="random", num_players=2, target=None)
    rng = np.random.default_rng(3)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        done = False
        while not done:
            mask = info["action_mask"]
            assert mask.dtype == np.int8
            assert mask.shape == (env.learners.num_actions,)
            assert mask.any()
            own = env.action_masks()
            assert own.dtype == np.bool_
            np.testing.assert_array_equal(own, mask == 1)
            action = env.action_space.sample(mask) if rng.random() < 0.5 else 0
            if not mask[action]:
                action = legal_action(info, rng)
            kept = mask.copy()
            _, _, terminated, truncated, info = env.step(action)
            np.testing.assert_array_equal(mask, kept)  # given out, and left alone since
            done = terminated or truncated
        assert not info["action_mask"].any()
        assert not env.action_masks().any()
        assert info["illegal"] == 0


@games
@pytest.mark.parametrize("which", ["masked", "negative", "too large"])
def test_illegal_actions(game: str, which: str) -> None:
    env = SingleEnv(game, opponents="random", num_players=2)
    observation, info = env.reset(seed=1)
    action = {
        "masked": int(np.flatnonzero(info["action_mask"] == 0)[0]),
        "negative": -1,
        "too large": env.learners.num_actions,
    }[which]
    before = env.learners.states.copy()
    after, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, 1)
    assert not info["action_mask"].any()
    assert (env.learners.states == before).all()
    np.testing.assert_array_equal(after, observation)
    with pytest.raises(ResetNeeded):
        env.step(action)
    again, info = env.reset(seed=1)
    np.testing.assert_array_equal(again, observation)
    assert info["illegal"] == 0
    assert info["action_mask"].any()


@games
def test_step_needs_reset(game: str) -> None:
    env = SingleEnv(game, opponents="random")
    for call in (lambda: env.step(0), env.save):
        with pytest.raises(ResetNeeded):
            call()


@games
def test_truncation(game: str) -> None:
    env = SingleEnv(game, opponents="random", num_players=2, max_turns=6, seat=1)
    for seed in range(10):
        moments = play(env, seed)
        observation, _, terminated, truncated, _ = moments[-1]
        where = env.learners.setting
        expected = np.zeros_like(observation)
        where.game.observe(env.learners.states, 0, 1, where.kits, expected)
        np.testing.assert_array_equal(observation, expected)
        assert observation.any()
        if truncated:
            assert not terminated
            assert total(moments) == 0
            break
    else:
        pytest.fail("nothing was truncated")


@games
def test_environments_leave_each_other_alone(game: str) -> None:
    options: list[dict[str, Any]] = [
        {"opponents": "random"},
        {"opponents": "greedy", "num_players": 2, "target": None},
    ]
    alone = [play(SingleEnv(game, **o), 3, 1)[:30] for o in options]
    envs = [SingleEnv(game, **o) for o in options]
    rngs = [np.random.default_rng(1), np.random.default_rng(1)]
    together: list[Any] = [[env.reset(seed=3)] for env in envs]
    for _ in range(29):
        for env, rng, moments in zip(envs, rngs, together, strict=True):
            if len(moments[-1]) == 2 or not (moments[-1][2] or moments[-1][3]):
                moments.append(env.step(legal_action(moments[-1][-1], rng)))
    same(together, alone)


@games
def test_info(game: str) -> None:
    env = SingleEnv(game, opponents="random", num_players=2, target=100)
    moments = play(env, 0)
    for moment in moments:
        info = moment[-1]
        assert list(info) == ["action_mask", *FACTS]
        assert all(type(info[name]) is int for name in FACTS)
    env.reset(seed=3)
    other = env.learners.setting
    blind = env.learners.states.copy()
    blind["stock"][0, : blind["stock_size"][0]] = blind["stock"][0, : blind["stock_size"][0]][::-1]
    obs = np.zeros_like(env.learners.observations[0])
    other.game.observe(blind, 0, env.learners.rows["seat"][0], other.kits, obs)
    np.testing.assert_array_equal(obs, env.learners.observations[0])


@games
def test_rendering(game: str) -> None:
    env = SingleEnv(game, opponents="random", num_players=2, render_mode="ansi", seat=0)
    with pytest.raises(ResetNeeded):
        env.render()
    env.reset(seed=0)
    text = env.render()
    assert isinstance(text, str)
    assert "??" in text  # the opponent's cards
    everything = SingleEnv(
        game, opponents="random", num_players=2, render_mode="ansi", seat=0, render_seat="all"
    )
    everything.reset(seed=0)
    assert "??" not in everything.render()
    copied = copy.deepcopy(env)
    assert copied.render() == text
    env.close()
    env.close()

    silent = SingleEnv(game, opponents="random")
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert silent.render() is None


@games
def test_drawing(game: str) -> None:
    pytest.importorskip("pygame")
    env = SingleEnv(game, opponents="random", num_players=2, render_mode="rgb_array")
    env.reset(seed=0)
    picture = env.render()
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert picture.shape[2] == 3
    copied = pickle.loads(pickle.dumps(env))
    np.testing.assert_array_equal(copied.render(), picture)
    env.close()
    copied.close()


def names() -> list[str]:
    return [name for name in gymnasium.registry if name.startswith("rummyzoo/")]


@pytest.mark.parametrize("name", names())
def test_registered(name: str) -> None:
    env = gymnasium.make(name, opponents="random", num_players=2, target=None)
    check_env(env.unwrapped, skip_render_check=True)
    _, info = env.reset(seed=0)
    np.testing.assert_array_equal(
        env.get_wrapper_attr("action_masks")(), info["action_mask"].astype(bool)
    )
    many = gymnasium.make_vec(name, 3, opponents="random", num_players=2, target=None)
    assert many.num_envs == 3
    each = gymnasium.make_vec(
        name, 3, vectorization_mode="sync", opponents="random", num_players=2, target=None
    )
    same(many.reset(seed=0), each.reset(seed=0))
    many.close()
    each.close()
