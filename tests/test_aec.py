"""The PettingZoo environment: its API, episodes, rewards, copies; for every game."""

import copy
import importlib
import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from about import about
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)
from slow_play import GAMES_AND_PLAYERS

from rummyzoo.envs import GAMES, IllegalAction, RulesError, Table, load_game, registration
from rummyzoo.envs.aec import CardTableEnv
from rummyzoo.envs.cards import JOKER, NOBODY, card_text, parse_card
from rummyzoo.envs.layout import layout_of, split
from rummyzoo.envs.rewards import outcomes, points
from rummyzoo.envs.saving import pack, unpack
from rummyzoo.envs.state import MATCH_OVER
from rummyzoo.envs.wrappers import Checked

tables = pytest.mark.parametrize(("game", "players"), GAMES_AND_PLAYERS)
games = pytest.mark.parametrize("game", GAMES)
masks = pytest.mark.parametrize("mask_in", ["observation", "info"])


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    EnvLogger.suppress_output()
    yield
    EnvLogger.unsuppress_output()
    EnvLogger.flush()


def module_of(game: str) -> ModuleType:
    module = load_game(game)
    return importlib.import_module(f"rummyzoo.envs.{module.ENVIRONMENT}_v{module.VERSION}")


def raw_env(game: str, players: int = 2, **options: Any) -> CardTableEnv:
    return CardTableEnv(game, num_players=players, **options)


def short(game: str, players: int = 2, **options: Any) -> CardTableEnv:
    """With hands that end soon, and are won, also when they are played by lot."""
    return raw_env(game, players, **about(game).SHORT, **options)


def mask_of(env: Any) -> np.ndarray:
    observation, *_, info = env.last()
    return observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]


def play(env: Any, steps: int, rng: np.random.Generator) -> None:
    """Random legal actions, at most so many, at most to the end of the match."""
    for _ in range(steps):
        if over(env):
            return
        env.step(int(rng.choice(np.flatnonzero(mask_of(env)))))


def over(env: Any) -> bool:
    agent = env.agent_selection
    return not env.agents or env.terminations[agent] or env.truncations[agent]


def view(env: Any) -> list[Any]:
    """All that an environment tells, in a form that can be compared."""
    seen: list[Any] = [[_plain(env.observe(agent)) for agent in env.possible_agents]]
    for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
        seen.append(dict(getattr(env, name)))
    infos = {agent: {k: _plain(v) for k, v in info.items()} for agent, info in env.infos.items()}
    return [*seen, infos, list(env.agents), env.agent_selection]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value.tobytes() if isinstance(value, np.ndarray) else value


# --- PettingZoo's own tests ---


@tables
@masks
def test_api(game: str, players: int, mask_in: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = module_of(game).env(num_players=players, target=None, mask_in=mask_in)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=60)
    assert "Passed" in capsys.readouterr().out
    told = {str(warning.message) for warning in caught}
    if mask_in == "observation":  # of these two PettingZoo excepts only its own environments
        told.discard("Observation is not a NumPy array")
        told -= {text for text in told if "probably should be gymnasium.spaces.box" in text}
    assert not told


@tables
def test_seeds(game: str, players: int) -> None:
    seed_test(lambda: module_of(game).env(num_players=players, target=None), num_cycles=60)


@tables
def test_spaces_names_and_metadata(game: str, players: int) -> None:
    env = module_of(game).env(num_players=players)
    name = f"{load_game(game).ENVIRONMENT}_v{load_game(game).VERSION}"
    assert str(env) == str(env.unwrapped) == env.metadata["name"] == name
    assert env.possible_agents == [f"player_{seat}" for seat in range(players)]
    assert env.metadata["is_parallelizable"] is False
    assert {"ansi", "rgb_array", "human"} == set(env.metadata["render_modes"])
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert isinstance(space, Dict)
        assert list(space) == ["action_mask", "observation"]
        assert all(isinstance(part, Box) and part.dtype == np.int8 for part in space.values())
        assert space is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert space["action_mask"].shape == (env.action_space(agent).n,)
    plain = CardTableEnv(game, mask_in="info", num_players=players)
    assert plain.observation_space("player_0") == space["observation"]


def test_registries() -> None:
    assert sorted(game for game, _ in registration.NAMES.values()) == sorted(GAMES)
    before = dict(gymnasium.registry)
    registration.register()  # a second time, quietly
    assert gymnasium.registry == before
    for module, (game, title) in registration.NAMES.items():
        name, version = module.split("_v")
        assert (name, int(version)) == (load_game(game).ENVIRONMENT, load_game(game).VERSION)
        spec = gymnasium.spec(f"rummyzoo/{title}-v{version}")
        assert spec.max_episode_steps is None
        assert spec.kwargs == {"game": game}
        assert spec.vector_entry_point is not None
        if hasattr(pettingzoo, "make"):
            env = pettingzoo.make("aec", f"rummyzoo/{name}-v{version}", target=None)
            assert isinstance(env, Checked)
            assert env.unwrapped.rules.target is None


@games
def test_unknown_options_are_refused(game: str) -> None:
    module = module_of(game)
    with pytest.raises(RulesError, match="did you mean 'render_mode'"):
        module.env(rendr_mode="ansi")
    with pytest.raises(RulesError, match="did you mean 'num_players'"):
        module.raw_env(num_player=2)
    with pytest.raises(RulesError, match="there is no reward 'score'"):
        module.raw_env(reward="score")
    with pytest.raises(RulesError, match="mask_in"):
        module.raw_env(mask_in="both")
    with pytest.raises(ValueError, match="render_seat=2"):
        module.raw_env(render_seat=2, num_players=2)


# --- what a seat sees ---


@tables
def test_every_seat_sees_its_cards_and_all_that_is_public(game: str, players: int) -> None:
    env = short(game, players, target=None)
    layout, table = layout_of(env.game, env.rules), table_of(env)
    rng = np.random.default_rng(players)
    for seed in range(2):
        env.reset(seed=seed)
        while not over(env):
            play(env, 7, rng)
            table.states[:] = env._states
            for seat, agent in enumerate(env.possible_agents):
                told = split(env.observe(agent)["observation"], layout)
                assert cards_in(told["hand"]) == sorted(map(parse_card, table.hand(seat)))
                public(told, table, seat)


def table_of(env: CardTableEnv) -> Table:
    """A table under the same rules, at the same position."""
    table = Table(env.game.NAME, seed=0, **env.rules._asdict())
    table.states[:] = env._states
    return table


def cards_in(plane: np.ndarray) -> list[int]:
    return np.repeat(np.arange(len(plane)), plane).tolist()


def public(told: dict[str, np.ndarray], table: Table, seat: int) -> None:
    """The observation of a seat tells all that lies open."""
    n = table.num_players
    pile = {int(told["pile"][c, f]): f for c, f in zip(*told["pile"].nonzero(), strict=True)}
    pile |= {int(place): JOKER for place in told.get("pile_jokers", ()) if place}
    assert [card_text(pile[place]) for place in sorted(pile, reverse=True)] == table.pile
    assert told["stock_size"] == table.stock_count
    assert told["pile_size"] == len(table.pile)
    assert table.dealer == (seat + told["dealer"].argmax()) % n
    acts = (seat + told["turn"].argmax()) % n if told["turn"].any() else None
    assert acts == table.turn
    assert told["turns"] @ [100, 1] == table.state.turns
    assert told["hands"] @ [100, 1] == table.state.hands
    laid: dict[int, list[int]] = {p: [] for p in range(n)}
    for meld in table.melds:
        for card, owner in zip(meld.cards, meld.owners, strict=True):
            laid[owner].append(JOKER if card.startswith("JK") else parse_card(card))
    for p in range(n):
        r = (p - seat) % n
        assert told["hand_sizes"][r] == len(table.hand(p))
        assert told["scores"][r] @ [100, 1] == table.scores[p]
        if "melded" in told:
            assert told["melded"][r] @ [100, 1] == table.melded[p]
        if "table" in told:
            assert cards_in(told["table"][r]) == sorted(laid[p])
        if r:
            assert cards_in(told["known"][r - 1]) == sorted(map(parse_card, table.known(p)))


@tables
@masks
def test_masks(game: str, players: int, mask_in: str) -> None:
    env = short(game, players, mask_in=mask_in, target=None)
    env.reset(seed=4)
    table = table_of(env)
    rng = np.random.default_rng(4)
    phases = set()
    while True:
        table.states[:] = env._states
        phases.add(table.phase)
        legal = table.mask().tolist()
        for agent in env.possible_agents:
            given = env.observe(agent)
            mask = given["action_mask"] if mask_in == "observation" else None
            if mask is None:
                assert isinstance(given, np.ndarray)
                mask = env.infos[agent]["action_mask"]
            assert mask.dtype == np.int8
            assert mask.shape == (env.action_space(agent).n,)
            live = agent == env.agent_selection and not over(env)
            assert mask.tolist() == (legal if live else [0] * len(mask))
            assert mask.any() == live
            if live:
                assert mask[env.action_space(agent).sample(mask)]
        if over(env):
            break
        play(env, 1, rng)
    assert about(game).reached(env.rules) & {*env.game.PHASES, "over"} <= phases


@tables
def test_arrays_given_out_stay_as_they_are(game: str, players: int) -> None:
    env = module_of(game).env(num_players=players, target=None)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    given: list[tuple[Any, str]] = []
    for _ in range(60):
        for agent in env.agents:
            given += [(env.observe(agent), ""), (env.infos[agent], ""), (env.state(), "")]
        given = [(value, text or repr(_plain(value))) for value, text in given]
        play(env, 1, rng)
    for value, text in given:
        assert repr(_plain(value)) == text


@games
@masks
def test_writing_into_arrays_given_out_is_harmless(game: str, mask_in: str) -> None:
    one, other = (raw_env(game, mask_in=mask_in) for _ in range(2))
    for env in (one, other):
        env.reset(seed=1)
    for step in range(50):
        mask = mask_of(other)
        action = int(np.flatnonzero(mask)[step % int(mask.sum())])
        observation, *_ = one.last()
        for array in observation.values() if mask_in == "observation" else [observation]:
            array[:] = 1
        mask_of(one)[:] = 1
        if mask_in == "observation":
            assert view(one) == view(other)
        with pytest.raises(IllegalAction):
            one.step(int(np.flatnonzero(mask == 0)[0]))
        one.step(action)
        other.step(action)
    assert one.save() == other.save()


@tables
def test_state_is_the_whole_table(game: str, players: int) -> None:
    env = short(game, players, target=None)
    with pytest.raises(ResetNeeded):
        env.state()
    env.reset(seed=2)
    table = table_of(env)
    rng = np.random.default_rng(2)
    while not over(env):
        play(env, 9, rng)
        state = env.state()
        assert env.state_space.contains(state)
        table.states[:] = env._states
        hands = state[: 53 * players].reshape(players, 53)
        assert [cards_in(hand) for hand in hands] == [
            sorted(map(parse_card, table.hand(seat))) for seat in range(players)
        ]
        stock = state[53 * players :][: int(env.kits[0].pack_size)]
        assert [card_text(card) for card in stock if card >= 0] == table.stock
        tail = env.observe("player_0")["observation"]
        assert np.array_equal(state[-len(tail) :], tail)


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
        return _plain(call(env))
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


# --- resets ---


@games
def test_options_survive_resets(game: str) -> None:
    options = {"num_players": 2, "target": None, "max_turns": 9, "hand_size": 6}
    env = module_of(game).env(reward="win", mask_in="info", **options)
    rng = np.random.default_rng(0)
    for seed in (1, None, 2, None, None):
        env.reset(seed=seed, options={"num_players": 4})
        assert isinstance(env.observe("player_0"), np.ndarray)
        assert env.unwrapped._states["hand_size"][0, :2].tolist() == [6, 6]
        for name, value in options.items():
            assert getattr(env.unwrapped.rules, name) == value
        play(env, 5000, rng)
        assert env.infos["player_0"]["turns"] <= 9
        assert sum(env.rewards.values()) == 0
        assert set(map(abs, env.rewards.values())) <= {0, 1}


@games
def test_resets_go_on_from_the_seed(game: str) -> None:
    def deals(env: CardTableEnv, seed: int | None) -> list[bytes]:
        env.reset(seed=seed)
        made = [env.state().tobytes()]
        for _ in range(3):
            play(env, 30, np.random.default_rng(0))
            env.reset()
            made.append(env.state().tobytes())
        return made

    one, other = raw_env(game), raw_env(game)
    first = deals(one, 1)
    assert len(set(first)) == 4
    assert deals(other, 1) == first
    assert deals(one, 1) == first
    assert len({deals(one, seed)[0] for seed in range(10)}) == 10
    assert deals(raw_env(game), None)[0] != deals(raw_env(game), None)[0]
    other.reset(seed=np.int64(1))  # type: ignore[arg-type]
    assert other.state().tobytes() == first[0]


# --- copies ---


@tables
@pytest.mark.parametrize("wrapped", [False, True])
def test_copies_at_any_moment(game: str, players: int, wrapped: bool, tmp_path: Path) -> None:
    def make(**options: Any) -> Any:
        env = short(game, players, target=None, **options)
        return Checked(env) if wrapped else env

    env = make(render_mode="rgb_array")
    env.reset(seed=6)
    rng = np.random.default_rng(6)
    steps = 0
    while env.agents:
        if steps % 10 == 0 or over(env):
            if steps % 50 == 0:
                env.render()  # a live painter cannot be copied, and need not be
            env.save(path := tmp_path / "moment")
            restored = [make(), make()]
            restored[0].restore(path)
            restored[1].restore(str(path))
            again = make()
            again.reset(seed=1)
            play(again, 3, rng)
            again.restore(env.save())
            copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), again, *restored]
            seen = view(env)
            for twin in copies:
                assert view(twin) == seen
            action = None if over(env) else int(rng.choice(np.flatnonzero(mask_of(env))))
            after = []
            for twin in copies:
                twin.step(action)
                play(twin, 10, np.random.default_rng(0))
                after.append(view(twin))
                assert view(env) == seen
            assert all(one == after[0] for one in after)
            if not over(env):
                env.step(action)
                play(env, 10, np.random.default_rng(0))
                assert view(env) == after[0]
                env.restore(path)
                assert view(env) == seen
        if over(env):
            env.step(None)
        else:
            play(env, 1, rng)
        steps += 1


@games
def test_copies_sample_as_the_original(game: str) -> None:
    env = module_of(game).env()
    env.action_space("player_0").seed(3)
    twins = [env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]  # before any reset
    assert len({twin.action_space("player_0").sample() for twin in twins}) == 1
    for twin in twins:
        twin.reset(seed=1)
    assert view(twins[0]) == view(twins[1]) == view(twins[2])


def altered(data: bytes, **header: Any) -> bytes:
    """A saved environment with something else in its header, and the checksum for that."""
    kept, body = unpack("environment", data)
    return pack("environment", kept | header, body)


@games
def test_what_cannot_be_restored_is_refused(game: str) -> None:
    env = raw_env(game)
    with pytest.raises(ResetNeeded):
        env.save()
    env.reset(seed=1)
    data, before = env.save(), view(env)
    for bad, why in [
        (b"", "not a saved environment"),
        (data.replace(b"{", b"["), "damaged"),
        (data[:-1] + bytes([data[-1] ^ 1]), "damaged"),
        (data[:-1], "cut off"),
        (data.replace(b'"num_players": 2', b'"num_players": 3'), "damaged"),
        (altered(data, num_players=3), "num_players=3"),
        (altered(data, environment="chess_v0"), "environment='chess_v0'"),
        (altered(data, kept={}), "another kind"),
    ]:
        with pytest.raises(ValueError, match=why):
            env.restore(bad)
    assert view(env) == before
    with pytest.raises(ValueError, match=r"max_turns=.*, but here it is 9"):
        raw_env(game, max_turns=9).restore(data)


# --- before a reset, and without a display ---


@games
def test_before_reset(game: str) -> None:
    env = raw_env(game, render_mode="ansi")
    for name in ("agents", "rewards", "agent_selection"):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(env, name)
    with pytest.raises(AttributeError, match="no attribute 'agentz'"):
        env.agentz  # noqa: B018
    with pytest.raises(AttributeError, match="before reset"):
        env.step(0)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.observe("player_0")
    with pytest.raises(ResetNeeded, match="call reset"):
        env.render()
    env.close()
    env.close()


@pytest.mark.slow
@games
def test_play_needs_no_pygame_and_no_display(game: str) -> None:
    code = f"""
import sys, importlib
env = importlib.import_module("rummyzoo.envs.{module_of(game).__name__.split(".")[-1]}").env(
    target=None, render_mode="ansi")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, _, terminated, truncated, _ = env.last()
    over = terminated or truncated
    env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert isinstance(env.render(), str)
assert not {{"pygame", "torch"}} & set(sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
