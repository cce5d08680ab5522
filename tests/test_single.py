"""The Gymnasium environment for one learner."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from about import about
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from slow_play import (
    GAMES_AND_PLAYERS,
    GAMES_AND_RULES,
    Moment,
    any_of,
    legal_action,
    same,
    slow_episode,
    wayward,
)

from rummyzoo.agents import View
from rummyzoo.envs import RulesError, Table
from rummyzoo.envs.episode import FACTS
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.single import SingleEnv

rounds = pytest.mark.parametrize(("game", "players"), GAMES_AND_PLAYERS)
games = pytest.mark.parametrize("game", GAMES)


def play(env: SingleEnv, seed: int | None = None, action_seed: int = 0) -> list[Any]:
    """All that an episode gives to a learner that plays by lot."""
    rng = np.random.default_rng(action_seed)
    moments: list[Any] = [env.reset(seed=seed)]
    done = False
    while not done:
        moments.append(env.step(legal_action(moments[-1][-1], rng)))
        done = moments[-1][2] or moments[-1][3]
    return moments


def total(moments: list[Any]) -> float:
    return sum(moment[1] for moment in moments[1:])


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


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "save", "save to a file"])
@pytest.mark.parametrize("opponent", ["random", wayward])
@games
def test_copies(game: str, opponent: Any, way: str, tmp_path: Any) -> None:
    options: dict[str, Any] = {"opponents": opponent, "num_players": 2, "target": 100}
    options |= about(game).SHORT
    env = SingleEnv(game, **options)
    rng = np.random.default_rng(0)
    info = env.reset(seed=4)[1]
    for _ in range(20):
        info = env.step(legal_action(info, rng))[-1]
    if way == "deepcopy":
        other = copy.deepcopy(env)
    elif way == "pickle":
        other = pickle.loads(pickle.dumps(env))
    else:
        other = SingleEnv(game, **options)
        kept = env.save(tmp_path / "moment" if "file" in way else None)
        other.restore(tmp_path / "moment" if "file" in way else kept)
    before = env.learners.states.copy()
    np.testing.assert_array_equal(other.action_masks(), env.action_masks())
    same(follow(other, 7), follow(copy.deepcopy(env), 7))
    assert (env.learners.states == before).all()


def follow(env: SingleEnv, seed: int) -> list[Any]:
    """The rest of an episode, and all of the next."""
    rng = np.random.default_rng(seed)
    info = {"action_mask": env.learners.masks[0].copy()}
    moments: list[Any] = []
    done = False
    while not done:
        moments.append(env.step(legal_action(info, rng)))
        info = moments[-1][-1]
        done = moments[-1][2] or moments[-1][3]
    return moments + play(env)


@games
def test_restore_refuses_what_does_not_fit(game: str) -> None:
    env = SingleEnv(game, opponents="random")
    env.reset(seed=0)
    kept = env.save()
    with pytest.raises(ValueError, match="save"):
        env.restore(b"something else")
    with pytest.raises(ValueError, match="cut off"):
        env.restore(kept[:-1])
    with pytest.raises(ValueError, match="rules"):
        SingleEnv(game, opponents="random", target=77).restore(kept)
    with pytest.raises(ValueError, match="opponents"):
        SingleEnv(game, opponents="greedy").restore(kept)


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
