"""Arguments of odd types and values are refused in a sentence that says what would be right."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rummyzoo.agents.evaluate import duel
from rummyzoo.agents.random import choose as choose_by_lot
from rummyzoo.agents.tournament import tournament
from rummyzoo.envs import Table
from rummyzoo.envs.aec import CardTableEnv
from rummyzoo.envs.check import check_game
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.rules import RulesError
from rummyzoo.envs.single import SingleEnv
from rummyzoo.envs.text import IllegalAction
from rummyzoo.envs.vector import RummyVectorEnv

games = pytest.mark.parametrize("game", GAMES)


def make_vec_env(seed: Any) -> None:
    from rummyzoo.agents.sb3 import RummyVecEnv

    RummyVecEnv("gin", 2, opponents="random", seed=seed).reset()


TAKES_A_SEED: dict[str, Callable[[Any], Any]] = {
    "table": lambda seed: Table("gin", seed),
    "position": lambda seed: Table.from_position("gin", seed=seed),
    "copy": lambda seed: Table("gin", 1).copy(seed=seed),
    "resample": lambda seed: Table("gin", 1).resample(0, seed),
    "aec": lambda seed: CardTableEnv("gin").reset(seed=seed),
    "single": lambda seed: SingleEnv("gin", opponents="random").reset(seed=seed),
    "vector": lambda seed: RummyVectorEnv("gin", 2, opponents="random").reset(seed=seed),
    "vector made": lambda seed: RummyVectorEnv("gin", 2, opponents="random", seed=seed).reset(),
    "vector of seeds": lambda seed: RummyVectorEnv("gin", 2, opponents="random").reset(
        seed=[1, seed]
    ),
    "sb3": make_vec_env,
    "check": lambda seed: check_game("gin", steps=1, seed=seed),
    "duel": lambda seed: duel("random", "random", "gin", 1, seed=seed),
    "tournament": lambda seed: tournament(["random", "random"], "gin", 1, seed=seed),
}
takes_a_seed = pytest.mark.parametrize("what", TAKES_A_SEED)


@takes_a_seed
@pytest.mark.parametrize(
    "seed", [-1, 1.0, float("nan"), "1", True, np.True_, np.int64(-3), b"1", {1: 2}, Table]
)
def test_seeds_that_are_none(what: str, seed: Any) -> None:
    sentence = f"seed={seed!r} is not possible; a seed is a whole number, 0 or more"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        TAKES_A_SEED[what](seed)


@takes_a_seed
def test_seeds(what: str) -> None:
    for seed in (0, np.int64(7), np.uint8(7), np.array(7), (1 << 64) + 7):
        TAKES_A_SEED[what](seed)


def test_the_same_seed_in_another_type_deals_the_same() -> None:
    small: Any = np.uint8(7)
    assert Table("gin", 7) == Table("gin", small) != Table("gin", 8)
    env = CardTableEnv("gin")
    env.reset(seed=7)
    deal = env.state().tolist()
    env.reset(seed=np.int16(7))  # type: ignore[arg-type]
    assert env.state().tolist() == deal


@pytest.mark.parametrize("seeds", [[1], [1, 2, 3], np.arange(3), ()])
def test_a_seed_for_each_table(seeds: Any) -> None:
    envs = RummyVectorEnv("gin", 2, opponents="random")
    with pytest.raises(ValueError, match=f"one for each of the 2 tables, not {len(seeds)}"):
        envs.reset(seed=seeds)


@games
@pytest.mark.parametrize("option", ["hand_size", "num_players", "target", "max_turns"])
@pytest.mark.parametrize("value", [np.array([5, 6]), [5], 5.0, np.float64(5), np.True_, {}, b"5"])
def test_options_of_odd_types(game: str, option: str, value: Any) -> None:
    with pytest.raises(RulesError, match=f"^{option}=.* is not possible; {option} is "):
        load_game(game).make_rules(**{option: value})


@games
def test_options_as_numbers_of_numpy(game: str) -> None:
    usual = load_game(game).make_rules()
    for name, value in usual._asdict().items():
        if isinstance(value, int):
            same = load_game(game).make_rules(**{name: np.array(value)[()]})
            assert same == usual
            assert type(getattr(same, name)) is type(value)


@pytest.mark.parametrize("name", [None, 5, ["gin"], {}, b"gin"])
def test_names_that_are_no_text(name: Any) -> None:
    with pytest.raises(RulesError, match=r"^there is no game "):
        Table(name)
    with pytest.raises(RulesError, match=r"^there is no reward "):
        SingleEnv("gin", reward=name)
    if name is not None:
        with pytest.raises(RulesError, match=r"^there is no preset "):
            Table("gin", 1, preset=name)


@pytest.mark.parametrize("count", [0, -1, 2.0, "2", None, True])
def test_numbers_of_tables_that_cannot_be(count: Any) -> None:
    with pytest.raises(ValueError, match=f"^num_envs={count!r} is not possible; a whole number, 1"):
        RummyVectorEnv("gin", count)


@pytest.mark.parametrize("seat", [2, -1, 0.0, "first", None, True, [0], np.array([0, 1])])
def test_seats_that_cannot_be(seat: Any) -> None:
    with pytest.raises(ValueError, match=r"is not possible; seat is 0 to 1 or 'random'$"):
        SingleEnv("gin", opponents="random", seat=seat)
    with pytest.raises(ValueError, match=r"^there is no seat .*; seats are 0 to 1$"):
        Table("gin", 1).hand(seat)


@pytest.mark.parametrize("discount", [-0.1, 1.1, float("nan"), "1", None, True])
def test_discounts_that_cannot_be(discount: Any) -> None:
    with pytest.raises(ValueError, match=f"^discount={discount!r} is not possible; it is a number"):
        SingleEnv("gin", opponents="random", discount=discount)


@games
@pytest.mark.parametrize("action", [-1, 10_000, 1.0, None, [0], np.array([1, 2])])
def test_actions_that_there_are_not(game: str, action: Any) -> None:
    table = Table(game, 1)
    before = table.save()
    with pytest.raises(IllegalAction, match=r"^there is no action "):
        table.play(action)
    assert table.save() == before


WEIGHTS: list[tuple[Any, str]] = [
    ({}, "to 0$"),
    ({"random": 0}, "to 0$"),
    ({"random": 0.0, "greedy": 0}, "to 0$"),
    ({"random": 1e308, "greedy": 1e308}, "to inf$"),
    ({"random": -1}, "'random' has the weight -1; a weight is a number, 0 or more"),
    ({"random": 1, "greedy": float("nan")}, "'greedy' has the weight nan; a weight is a number, 0"),
    ({"random": float("inf")}, "'random' has the weight inf; a weight is a number, 0 or more"),
    ({"random": "1"}, "'random' has the weight '1'; a weight is a number, 0 or more"),
    ({"random": None}, "'random' has the weight None; a weight is a number, 0 or more"),
    ({"random": [0.5, 0.5]}, r"'random' has the weight \[0.5, 0.5\]; a weight is a number, 0 or m"),
    ({"random": True}, "'random' has the weight True; a weight is a number, 0 or more"),
    ([], "names one for each seat but the learner's: 1 here, not 0"),
    (["random", "random"], "names one for each seat but the learner's: 1 here, not 2"),
]


@pytest.mark.parametrize(("opponents", "why"), WEIGHTS)
def test_opponents_that_cannot_be_drawn(opponents: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        SingleEnv("gin", opponents=opponents)


@games
def test_weights_of_a_heuristic_that_it_cannot_play_by(game: str) -> None:
    from rummyzoo.agents.base import KernelAgent
    from rummyzoo.agents.heuristics import module_for

    module = module_for(game)
    usual = module.STYLES["greedy"]
    wrong: list[tuple[Any, str]] = [
        (usual[1:], f" weights, not {len(usual) - 1}$"),
        ((*usual, 0.0), f" weights, not {len(usual) + 1}$"),
        ((*usual[1:], float("nan")), "the weights of a player are numbers, not"),
        ((*usual[1:], "1"), "the weights of a player are numbers, not"),
    ]
    for weights, why in wrong:
        with pytest.raises(ValueError, match=why):
            KernelAgent("mine", game, None, module.choose, weights)
    same = KernelAgent("mine", game, None, module.choose, np.array(usual))
    assert same.weights.tolist() == list(usual)
    assert KernelAgent("lots", game, None, choose_by_lot).weights.size == 0
