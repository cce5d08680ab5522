"""Many tables at once as a Gymnasium vector environment."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from slow_play import GAMES_AND_RULES, same, wayward

from rummyzoo.agents import View
from rummyzoo.envs.episode import FACTS
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.single import SingleEnv
from rummyzoo.envs.vector import RummyVectorEnv

games = pytest.mark.parametrize("game", GAMES)

OPPONENTS: list[Any] = ["random", "greedy", wayward, {"random": 0.5, "greedy": 0.5}]


def choices(infos: dict[str, Any], rng: np.random.Generator) -> np.ndarray:
    """A legal action by lot for each table; 0 where an episode is over."""
    masks = infos["action_mask"]
    return np.array([rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in masks])


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize(
    ("game", "rules", "opponents"),
    [(*case, OPPONENTS[n % len(OPPONENTS)]) for n, case in enumerate(GAMES_AND_RULES)],
)
def test_same_as_single_tables(
    game: str, rules: dict[str, Any], opponents: Any, mode: AutoresetMode
) -> None:
    """Card for card, over many episodes, with illegal actions among the others."""
    mask_in = "observation" if len(rules) % 2 else "info"
    options = {"opponents": opponents, "skip_forced": len(rules) > 2, "mask_in": mask_in, **rules}
    many = RummyVectorEnv(game, 5, autoreset_mode=mode, **options)
    each = SyncVectorEnv([lambda: SingleEnv(game, **options)] * 5, autoreset_mode=mode)
    assert many.metadata["autoreset_mode"] == each.metadata["autoreset_mode"]
    assert many.observation_space == each.observation_space
    assert many.action_space == each.action_space
    rng = np.random.default_rng(0)
    ours: Any = many.reset(seed=30)
    theirs: Any = each.reset(seed=30)
    same(ours, theirs)
    ends = 0
    for n in range(250):
        actions = choices(ours[-1], rng)
        if n % 50 == 7:
            actions[n % 5] = np.argmin(ours[-1]["action_mask"][n % 5])
        ours, theirs = many.step(actions), each.step(actions)
        same(ours, theirs)
        assert ours[0] in many.observation_space
        ends += int((ours[2] | ours[3]).sum())
    assert ends > 5
    same(many.reset(), each.reset())
    same(many.reset(seed=[4, None, 6, 2, 2]), each.reset(seed=[4, None, 6, 2, 2]))


@games
def test_reset_of_some_tables(game: str) -> None:
    options: dict[str, Any] = {"opponents": "random", "num_players": 2, "target": None}
    mode = AutoresetMode.DISABLED
    many = RummyVectorEnv(game, 3, autoreset_mode=mode, **options)
    each = SyncVectorEnv([lambda: SingleEnv(game, **options)] * 3, autoreset_mode=mode)
    rng = np.random.default_rng(0)
    with pytest.raises(ResetNeeded):
        many.reset(options={"reset_mask": np.array([True, False, False])})
    ours: Any = many.reset(seed=1)
    theirs: Any = each.reset(seed=1)
    for _ in range(300):
        actions = choices(ours[-1], rng)
        if many.learners.rows["end"].any():
            with pytest.raises(ResetNeeded):
                many.step(actions)
            where = many.learners.rows["end"] != 0
            masks = ({"reset_mask": where.copy()}, {"reset_mask": where.copy()})
            ours, theirs = many.reset(options=masks[0]), each.reset(options=masks[1])
            same(ours[0], theirs[0])
            assert (ours[1]["_action_mask"] == where).all()
            same(ours[1]["action_mask"][where], theirs[1]["action_mask"][where])
            ours = (ours[0], ours[1] | {"action_mask": many.learners.masks.copy()})
            actions = choices(ours[-1], rng)
        ours, theirs = many.step(actions), each.step(actions)
        same(ours, theirs)
    for wrong in (np.ones(2, bool), [True] * 3, np.ones(3)):
        with pytest.raises(ValueError, match="reset_mask"):
            many.reset(options={"reset_mask": wrong})


@games
def test_what_is_given_out_stays(game: str) -> None:
    envs = RummyVectorEnv(game, 4, opponents="random", autoreset_mode="SameStep", max_turns=8)
    rng = np.random.default_rng(0)
    results: list[Any] = [envs.reset(seed=0)]
    copies = [copy.deepcopy(results[0])]
    for _ in range(30):
        results.append(envs.step(choices(results[-1][-1], rng)))
        copies.append(copy.deepcopy(results[-1]))
    same(results, copies)
    assert envs.action_masks().dtype == np.bool_
    assert any("final_info" in result[-1] for result in results)
    for result in results[1:]:
        assert result[1].dtype == np.float64
        assert result[2].dtype == result[3].dtype == np.bool_
        assert {name.removeprefix("_") for name in result[-1]} <= {
            "action_mask", "final_obs", "final_info", *FACTS,
        }  # fmt: skip


@games
def test_ends(game: str) -> None:
    """Truncation is no termination, and the last observation is the real last one."""
    envs = RummyVectorEnv(
        game, 8, opponents="random", max_turns=4, seat=0, num_players=2, autoreset_mode="SameStep"
    )
    rng = np.random.default_rng(0)
    result: Any = envs.reset(seed=0)
    truncations = 0
    for _ in range(60):
        result = envs.step(choices(result[-1], rng))
        assert not (result[2] & result[3]).any()
        truncations += int(result[3].sum())
        for i in np.flatnonzero(result[2] | result[3]):
            assert result[-1]["final_obs"][i].any()
            assert not result[-1]["final_info"]["action_mask"][i].any()
            assert result[-1]["final_info"]["turns"][i] + result[-1]["final_info"]["hands"][i] > 0
    assert truncations > 10


@games
def test_seeds(game: str) -> None:
    options: dict[str, Any] = {"opponents": "random", "num_players": 2}
    envs = RummyVectorEnv(game, 3, seed=9, **options)
    same(envs.reset(), RummyVectorEnv(game, 3, **options).reset(seed=9))
    assert not np.array_equal(
        envs.reset()[0], RummyVectorEnv(game, 3, seed=9, **options).reset()[0]
    )
    same(envs.reset(seed=9), RummyVectorEnv(game, 3, seed=9, **options).reset())
    first = RummyVectorEnv(game, 3, **options).reset()[0]
    assert not np.array_equal(first, RummyVectorEnv(game, 3, **options).reset()[0])
    assert not np.array_equal(first[0], first[1])
    with pytest.raises(ValueError, match="3 tables, not 2"):
        envs.reset(seed=[1, 2])


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "save"])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@games
def test_copies(game: str, mode: AutoresetMode, way: str) -> None:
    options: dict[str, Any] = {"opponents": {"random": 1, "greedy": 1}, "target": None}
    envs = RummyVectorEnv(game, 6, autoreset_mode=mode, **options)
    rng = np.random.default_rng(0)
    result: Any = envs.reset(seed=0)
    for _ in range(41):
        result = envs.step(choices(result[-1], rng))
    if way == "deepcopy":
        other = copy.deepcopy(envs)
    elif way == "pickle":
        other = pickle.loads(pickle.dumps(envs))
    else:
        other = RummyVectorEnv(game, 6, autoreset_mode=mode, **options)
        other.restore(envs.save())
    before, ours = envs.learners.states.copy(), result
    taken = []
    for _ in range(100):
        taken.append(choices(ours[-1], rng))
        ours = other.step(taken[-1])
    assert (envs.learners.states == before).all()
    for actions in taken:
        result = envs.step(actions)
    same(result, ours)


@games
def test_batches_of_opponents(game: str) -> None:
    """Players outside the kernels are asked for all tables at once, and about the true tables."""

    class Batched:
        name = "batched"
        calls = rows = 0

        def act(self, view: View, rng: np.random.Generator) -> int:
            raise AssertionError("act_batch is there")

        def act_batch(
            self,
            states: np.ndarray,
            indices: np.ndarray,
            seats: np.ndarray,
            out: np.ndarray,
            rngs: np.ndarray,
        ) -> None:
            type(self).calls += 1
            type(self).rows += len(indices)
            assert (states["turn"][indices] == seats).all()
            for n, i in enumerate(indices.tolist()):
                view = View(envs.learners.setting, states, i, int(seats[n]))
                out[n] = wayward(view, np.random.default_rng(0))

    envs = RummyVectorEnv(game, 20, opponents=Batched(), num_players=2, target=None)
    other = RummyVectorEnv(game, 20, opponents=wayward, num_players=2, target=None)
    rng = np.random.default_rng(0)
    result: Any = envs.reset(seed=0)
    same(result, other.reset(seed=0))
    for _ in range(60):
        actions = choices(result[-1], rng)
        result = envs.step(actions)
        same(result, other.step(actions))
    assert Batched.rows > 4 * Batched.calls


@games
def test_new_opponents(game: str) -> None:
    """They sit down with the next episode of each table; those there finish theirs."""
    envs = RummyVectorEnv(game, 10, opponents="random", num_players=2, target=None, seat=0)
    rng = np.random.default_rng(0)
    result: Any = envs.reset(seed=0)
    plays = 0

    def new(view: View, rng: np.random.Generator) -> int:
        nonlocal plays
        plays += 1
        return wayward(view, rng)

    envs.set_opponents(new)
    twin = RummyVectorEnv(game, 10, opponents="random", num_players=2, target=None, seat=0)
    expected: Any = twin.reset(seed=0)
    ended = np.zeros(10, bool)
    for _ in range(400):
        actions = choices(result[-1], rng)
        result = envs.step(actions)
        expected = twin.step(np.where(ended, np.argmax(twin.learners.masks, axis=1), actions))
        ended |= result[2] | result[3]
        same(result[0][~ended], expected[0][~ended])
        if ended.all():
            break
        envs.set_opponents(new)  # as often as one likes
    for _ in range(5):
        result = envs.step(choices(result[-1], rng))
    assert plays > 0
    assert len(envs.learners.opponents.agents) <= 3


@games
def test_mistakes_are_named(game: str) -> None:
    envs = RummyVectorEnv(game, 3, opponents="random", num_players=2)
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros(3, int))
    envs.reset(seed=0)
    for wrong in (np.zeros(2, int), np.zeros(3), [[0], [0], [0]]):
        with pytest.raises(ValueError, match="actions are 3 whole numbers"):
            envs.step(wrong)
    with pytest.raises(ValueError, match="num_envs=0"):
        RummyVectorEnv(game, 0, opponents="random")


@games
def test_rendering(game: str) -> None:
    envs = RummyVectorEnv(game, 2, opponents="random", num_players=2, render_mode="ansi")
    envs.reset(seed=0)
    texts = envs.render()
    assert texts is not None
    assert all("??" in text for text in texts)
    assert RummyVectorEnv(game, 2, opponents="random").render() is None
    envs.close()
    envs.close()
