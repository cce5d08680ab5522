"""The PettingZoo environment: illegal actions, rewards, and how episodes end."""

from typing import Any

import numpy as np
import pytest
from about import about
from aec_envs import (  # noqa: F401
    cards_in,
    games,
    mask_of,
    masks,
    module_of,
    over,
    plain,
    play,
    quiet,
    raw_env,
    short,
    table_of,
    tables,
    view,
)
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from rummyzoo.envs import IllegalAction, Table
from rummyzoo.envs.aec import CardTableEnv
from rummyzoo.envs.cards import NOBODY, parse_card
from rummyzoo.envs.layout import layout_of, split
from rummyzoo.envs.rewards import outcomes, points
from rummyzoo.envs.state import MATCH_OVER
from rummyzoo.envs.wrappers import Checked

# --- illegal actions ---


@games
def test_illegal_actions_of_the_plain_environment(game: str) -> None:
    env = raw_env(game)
    env.reset(seed=5)
    play(env, 9, np.random.default_rng(5))
    before, seen = env.save(), view(env)
    mask = mask_of(env)
    for action in np.flatnonzero(mask == 0):
        with pytest.raises(IllegalAction, match=env.action_texts[action].split()[0]):
            env.step(int(action))
    for nonsense in (-1, len(mask), 1.0, None, "draw stock", np.array([1])):
        with pytest.raises(IllegalAction, match="action"):
            env.step(nonsense)
    assert (env.save(), view(env)) == (before, seen)
    legal = int(np.flatnonzero(mask)[0])
    for same in (np.int32(legal), np.int64(legal), np.array(legal)):
        env.restore(before)
        env.step(same)
        after = env.save()
        env.restore(before)
        env.step(legal)
        assert env.save() == after


@tables
@masks
def test_an_illegal_action_ends_the_episode(game: str, players: int, mask_in: str) -> None:
    env = module_of(game).env(num_players=players, mask_in=mask_in)
    fresh = module_of(game).env(num_players=players, mask_in=mask_in)
    for seed in range(3):
        env.reset(seed=seed)
        fresh.reset(seed=seed)
        assert view(env) == view(fresh)  # also after an episode that ended so
        assert env.agent_selection == fresh.agent_selection
        play(env, 11 * seed, np.random.default_rng(seed))
        culprit = env.agent_selection
        env.step(int(np.flatnonzero(mask_of(env) == 0)[0]))
        assert set(env.terminations.values()) == {True}
        assert env.rewards == {a: -1.0 if a == culprit else 0.0 for a in env.possible_agents}
        assert all(type(reward) is float for reward in env.rewards.values())
        for agent in env.agent_iter():
            observation, reward, terminated, _, _ = env.last()
            assert terminated
            assert reward == (-1.0 if agent == culprit else 0.0)
            assert env.observation_space(agent).contains(observation)
            assert not mask_of(env).any()
            env.step(None)
        assert env.agents == []


def stock_wrappers(raw: CardTableEnv) -> OrderEnforcingWrapper:
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw, -1)))


@games
@masks
def test_the_short_way_through_the_wrappers_changes_nothing(game: str, mask_in: str) -> None:
    """Lock step with PettingZoo's own wrappers, through mistakes of all kinds."""
    one = Checked(raw_env(game, mask_in=mask_in, target=None, hand_size=5))
    two = stock_wrappers(raw_env(game, mask_in=mask_in, target=None, hand_size=5))
    rng = np.random.default_rng(0)
    size = len(one.unwrapped.action_texts)
    names = ("agents", "agent_selection", "rewards", "infos", "num_agents", "terminations")
    calls = [lambda env, name=name: getattr(env, name) for name in names]
    for call in [
        *calls,
        *(lambda env, name=name: getattr(env, name)() for name in ("last", "state", "render")),
        lambda env: env.step(0),
        lambda env: env.observe("player_0"),
        lambda env: list(env.agent_iter()),
    ]:
        assert outcome(call, one) == outcome(call, two)
    ends: set[str] = set()
    for seed in range(20):
        for env in (one, two):
            env.reset(seed=seed)
        for number in range(100):
            assert view(one) == view(two)
            if not one.agents:
                ends.add("empty")
            action: Any = None
            if one.agents and not over(one):
                action = int(rng.choice(np.flatnonzero(mask_of(two))))
            if rng.random() < 0.05:
                odd = [None, int(rng.integers(size)), size, -1, 2.5, np.int64(0)]
                action = odd[int(rng.integers(len(odd)))]
            if rng.random() < 0.5:
                assert outcome(lambda env: env.last(), one) == outcome(lambda env: env.last(), two)
            results = [outcome(lambda env, a=action: env.step(a), env) for env in (one, two)]
            assert results[0] == results[1], (seed, number, action)
            ends.add(str(results[0])[:9])
            ends |= {"illegal" for a in one.agents if one.terminations[a] and one.truncations[a]}
            if not one.agents and rng.random() < 0.7:
                break
    assert ends == {"None", "(<class '", "empty", "illegal"}


def outcome(call: Any, env: Any) -> Any:
    try:
        return plain(call(env))
    except Exception as error:
        return type(error), str(error)


# --- rewards and ends ---


def test_rewards_by_hand() -> None:
    assert points([60, 0, 30]) == pytest.approx([0.45, -0.45, 0.0])
    assert points([-10, 25]) == pytest.approx([-0.35, 0.35])
    assert outcomes([500, 480], 0) == [1, -1]
    assert outcomes([500, 480, 3, 4], 0) == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
    assert outcomes([70, 10, 70], NOBODY) == pytest.approx([0.25, -0.5, 0.25])
    assert outcomes([7, 7], NOBODY) == [0, 0]


@tables
@pytest.mark.parametrize("reward", ["points", "win"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_rewards_of_a_match(game: str, players: int, reward: str, wrapped: bool) -> None:
    env: Any = short(game, players, reward=reward, target=40, max_hands=6)
    raw = env
    if wrapped:
        env = Checked(env)
    rng = np.random.default_rng(0)
    kinds = set()
    for seed in range(6 if players < 5 else 2):
        env.reset(seed=seed)
        owed = np.zeros(players)  # by the scores of the match alone
        told = np.zeros(players)
        for agent in env.agent_iter():
            observation, paid, terminated, truncated, _ = env.last()
            told[int(agent[-1])] += paid
            assert (type(paid), type(terminated), type(truncated)) == (float, bool, bool)
            if terminated or truncated:
                assert not (terminated and truncated)
                kinds.add(terminated)
                env.step(None)
                continue
            hands = raw._states["hands"][0]
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            assert set(env.terminations.values()) | set(env.truncations.values()) <= {False, True}
            assert len(set(env.terminations.values())) == len(set(env.truncations.values())) == 1
            if raw._states["hands"][0] > hands:
                hand = raw._states["hand_scores"][0, :players].astype(float)
                others = (hand.sum() - hand) / (players - 1)
                owed += (hand - others) / 100 if reward == "points" else 0
                infos = [env.infos[a] for a in env.possible_agents]
                assert [i["hand_score"] for i in infos] == hand.tolist()
                assert [i["score"] for i in infos] == raw._states["scores"][0, :players].tolist()
                assert {i["hands"] for i in infos} == {int(raw._states["hands"][0])}
            else:
                assert set(env.rewards.values()) == {0.0}
        if reward == "win" and kinds and raw._states["phase"][0] == MATCH_OVER:
            owed = np.full(players, -1 / (players - 1))
            owed[raw._states["winner"][0]] = 1
        assert told == pytest.approx(owed)
        assert abs(told.sum()) < 1e-9
    assert True in kinds


@tables
@pytest.mark.parametrize("reward", ["points", "win"])
def test_the_cap_on_turns_truncates(game: str, players: int, reward: str) -> None:
    env = raw_env(game, players, reward=reward, max_turns=players + 1)
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    while env._states["hands"][0] == 0 and not over(env):
        play(env, 1, rng)
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert set(env.rewards.values()) == {0.0}
    assert [env.infos[agent]["score"] for agent in env.agents] == [0] * players
    layout, table = layout_of(env.game, env.rules), table_of(env)
    for seat, agent in enumerate(env.possible_agents):
        given = env.observe(agent)
        hand = split(given["observation"], layout)["hand"]
        assert cards_in(hand) == sorted(map(parse_card, table.hand(seat))) != []
        assert not given["action_mask"].any()


@games
def test_a_hand_that_is_cut_off_pays_nothing_after_one_that_paid(game: str) -> None:
    env = short(game, target=10_000)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    while not any(env.rewards.values()):
        assert not over(env)
        play(env, 1, rng)
    env._states["turns"] = env.rules.max_turns - 1
    play(env, 100, rng)
    assert set(env.truncations.values()) == {True}
    assert set(env.rewards.values()) == {0.0}


@tables
def test_the_cap_on_hands_truncates(game: str, players: int) -> None:
    env = short(game, players, max_hands=2, target=10_000)
    env.reset(seed=3)
    play(env, 10_000, np.random.default_rng(3))
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert env.infos["player_0"]["hands"] == 2
    hand = env._states["hand_scores"][0, :players].tolist()
    assert [env.rewards[agent] for agent in env.possible_agents] == points(hand)
    won = short(game, players, max_hands=2, target=10_000, reward="win")
    won.reset(seed=3)
    play(won, 10_000, np.random.default_rng(3))
    assert set(won.truncations.values()) == {True}
    assert set(won.rewards.values()) == {0.0}


@games
def test_a_tie_in_a_single_hand_is_shared(game: str) -> None:
    where, action = about(game).TIE
    table = Table.from_position(game, **where)
    env = CardTableEnv(game, reward="win", **table.rules._asdict())
    env.reset(seed=0)
    env._states[:] = table.states
    env._look()
    env.step(env.action_texts.index(action))
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
    assert set(env.terminations.values()) == {True}
