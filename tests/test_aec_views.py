"""The PettingZoo environment: what a seat sees, masks, arrays given out, the whole state."""

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
from gymnasium.error import ResetNeeded

from rummyzoo.envs import IllegalAction, Table
from rummyzoo.envs.cards import JOKER, card_text, parse_card
from rummyzoo.envs.layout import layout_of, split


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
        given = [(value, text or repr(plain(value))) for value, text in given]
        play(env, 1, rng)
    for value, text in given:
        assert repr(plain(value)) == text


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
