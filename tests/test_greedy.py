"""The greedy player: always legal, blind to hidden cards, and no fool."""

import random

import numpy as np
import pytest
from reference.rummy500 import random_options

from rummyzoo import agents
from rummyzoo.agents import random as lots
from rummyzoo.agents.evaluate import duel
from rummyzoo.agents.heuristics import rummy500 as greedy
from rummyzoo.envs import Table
from rummyzoo.envs.chance import seed_word
from rummyzoo.envs.games import load_game
from rummyzoo.envs.jit import kernel
from rummyzoo.envs.rules import RulesError
from rummyzoo.envs.setting import setting
from rummyzoo.envs.state import HAND_OVER

GAME = load_game("rummy500")
WEIGHTS = np.array(greedy.STYLES["greedy"])


class Play:
    """A match under some options, with the greedy player's choice at hand."""

    def __init__(self, options, seed):
        self.rules = GAME.make_rules(**options)
        self.kits = GAME.make_kit(self.rules)
        self.states = np.zeros(1, GAME.STATE)
        self.work = np.zeros(GAME.WORK, np.int64)
        self.seen = np.zeros(int(self.kits[0].observation_size), np.int8)
        self.mask = np.zeros(int(self.kits[0].num_actions), np.int8)
        GAME.new_match(self.states, 0, self.kits, np.uint64(seed_word(seed)))

    def legal(self, states):
        seat = int(states[0].turn)
        GAME.look(states, 0, seat, self.kits, self.work, self.seen, self.mask)
        return np.flatnonzero(self.mask).tolist()

    def choice(self, states=None, weights=WEIGHTS):
        states = self.states if states is None else states
        legal = self.legal(states)
        words = self.work[0].copy()
        rngs = np.ones(1, np.uint64)
        action = greedy.choose(states, 0, self.kits, self.work, weights, rngs, 0)
        assert (self.work[0] == words).all()
        assert rngs[0] == 1
        assert action in legal
        return action

    def step(self, action):
        GAME.step(self.states, 0, action, self.kits)
        if self.states[0].phase == HAND_OVER:
            GAME.next_hand(self.states, 0, self.kits)

    @property
    def over(self):
        return self.states[0].phase > HAND_OVER


def some_options(seed):
    rng = random.Random(seed)
    while True:
        options = random_options(rng)
        try:
            GAME.make_rules(**options)
        except RulesError:
            continue
        return options


@pytest.mark.parametrize(
    ("style", "seed", "more"),
    [
        *(("greedy", seed, {}) for seed in range(40)),
        *(("far_sighted", seed, {"num_players": 2}) for seed in range(20)),
        ("far_sighted", 0, {"num_players": 4}),
    ],
)
def test_legal_and_blind_under_any_rules(style, seed, more):
    play = Play(some_options(seed) | more, seed)
    weights = np.array(greedy.STYLES[style])
    rng = random.Random(seed)
    for n in range(400):
        if play.over:
            break
        action = play.choice(weights=weights)
        assert play.choice(weights=weights) == action
        if n % 3 == 0:
            other = play.states.copy()
            seat = int(other[0].turn)
            word = np.uint64(seed_word(seed * 1000 + n))
            assert GAME.resample(other, 0, seat, play.kits, play.work, word)
            assert play.choice(other, weights) == action
        if rng.random() < 0.15:  # positions that the player would not come into by itself
            action = rng.choice(play.legal(play.states))
        play.step(action)


def say(table):
    """What the greedy player does at a table, as text; and does it."""
    where = setting("rummy500", table.rules)
    player = agents.load("greedy", "rummy500", table.rules)
    view = agents.View(where, table.states, 0, table.turn)
    action = where.actions[player.act(view, np.random.default_rng(0))]
    table.play(action)
    return action


def turn_of(table):
    """All that the greedy player does in the rest of a turn."""
    seat, said = table.turn, []
    while table.over == "no" and table.turn == seat:
        said.append(say(table))
    return said


def position(mine, **others):
    others = {"jokers_per_deck": 0, "num_players": 2} | others
    return Table.from_position(hands={0: mine.split()}, turn=0, seed=5, **others)


def test_takes_a_deep_card_that_melds_and_plays_it_first():
    table = position("7C 7D KD 2H 9S 4H 5H", pile=["7S", "KH", "KC", "QC"])
    assert say(table) == "take 7S"
    assert say(table) == "meld 7C 7D 7S"


def test_leaves_a_pile_that_brings_little():
    assert (
        say(position("2C 2D KS QH 9S", pile=["2S", "TC", "9H", "JD", "5C", "7H", "KD"]))
        == "draw stock"
    )


def test_does_not_discard_what_the_pile_makes_a_meld_of():
    table = position("9H 4C 2S QD", pile=["9C", "9D", "KS"], phase="play")
    assert say(table) != "discard 9H"


def test_does_not_discard_what_others_are_known_to_want():
    table = Table.from_position(
        hands={
            0: ["8C", "KH", "8H", "3H", "QS", "2H", "5D"],
            1: ["KC", "KD", "2C", "4S", "TS", "7H", "JC"],
        },
        turn=1,
        pile=["8D"],
        stock=["QC"],
        jokers_per_deck=0,
    )
    table.play("take 8D")
    table.play("discard 2C")
    turn = turn_of(table)
    assert turn[-1] not in ("discard 8C", "discard 8H")


def test_lays_off_rather_than_discards():
    table = position("7H 2C", table=[(["4H", "5H", "6H"], 1)], phase="play", pile=["KD"])
    assert turn_of(table) == ["lay 7H on 6H", "discard 2C"]


@pytest.mark.parametrize("jokers", [0, 2])
def test_calls_rummy(jokers):
    table = Table.from_position(
        hands={1: ["2C", "9D", "KS", "QD"]},
        num_players=3,
        jokers_per_deck=jokers,
        table=[(["4H", "5H", "6H"], 2)],
        pile=["KD", "3C", "7H"],
        turn=1,
        phase="call",
        discarder=0,
    )
    assert say(table) == "call 7H"
    assert say(table) == "lay 7H on 6H"


def test_goes_out_when_it_can():
    table = position("7C 7D 7S 7H 8H 9H 2C", phase="play", pile=["KD"])
    assert turn_of(table)[-1] == "discard 2C"
    assert table.hand_scores[0] == 21 + 24


def test_goes_out_with_the_cards_that_conflict_well_arranged():
    table = position("4H 5H 6H 7H 7C 7D KS", phase="play", pile=["2D"])
    turn_of(table)
    assert table.hand_scores[0] == 15 + 21


def test_never_discards_a_joker_of_its_own_accord():
    table = position("JK 2C 9D KS 5H", jokers_per_deck=2, phase="play", pile=["QD"])
    assert "JK" not in turn_of(table)[-1]


@pytest.mark.parametrize(("melded", "says"), [([90, 0], "pass"), ([0, 90], "take 7S")])
def test_an_empty_stock_ends_the_hand_when_that_pays(melded, says):
    table = position("2C 9D", pile=["KS", "7S"], stock_rest=False, melded=melded)
    assert say(table) == says


def test_takes_from_the_pile_rather_than_end_the_hand():
    table = position("7C 7D 9H", pile=["7S", "2H"], stock_rest=False, melded=[90, 0])
    assert say(table) == "take 7S"


def test_lays_down_when_an_opponent_is_nearly_out():
    table = position("KC KD KH 2C 5D 9S 3H QS", phase="play", pile=["7D"])
    table.states[0].hand_size[1] = 1  # a public number: nothing else of that hand is read
    assert say(table) == "meld KC KD KH"


def test_players_by_name():
    assert agents.load("greedy", "rummy500").name == "greedy"
    with pytest.raises(ValueError, match="no argument"):
        agents.load("greedy:3", "rummy500")


legal, step, new_match, greedy_choose, random_choose = (
    GAME.legal,
    GAME.step,
    GAME.new_match,
    greedy.choose,
    lots.choose,
)


@kernel
def against_random(states, kits, work, weights, rngs, deals, seat):
    """How many hands the greedy player wins at a seat, a tie counting half."""
    won = 0.0
    s = states[0]
    for n in range(len(deals)):
        new_match(states, 0, kits, deals[n])
        while s.phase < HAND_OVER:
            legal(states, 0, kits, work)
            if np.int64(s.turn) == seat:
                action = greedy_choose(states, 0, kits, work, weights, rngs, 0)
            else:
                action = random_choose(states, 0, kits, work, weights, rngs, 0)
            step(states, 0, action, kits)
        margin = np.int64(s.hand_scores[seat]) - np.int64(s.hand_scores[1 - seat])
        won += 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
    return won


@pytest.mark.parametrize("jokers", [0, 2])
def test_beats_the_random_player(jokers):
    kits = GAME.make_kit(GAME.make_rules(jokers_per_deck=jokers, target=None))
    rng = np.random.default_rng(3)
    deals = rng.integers(1, 1 << 64, 1000, dtype=np.uint64)
    states, work = np.zeros(1, GAME.STATE), np.zeros(GAME.WORK, np.int64)
    rngs = deals[:1].copy()
    won = [against_random(states, kits, work, WEIGHTS, rngs, deals, seat) for seat in (0, 1)]
    rate = sum(won) / 2000
    assert rate - 1.96 * (rate * (1 - rate) / 2000) ** 0.5 > 0.95


@pytest.mark.parametrize("jokers", [0, 2])
def test_far_sighted_beats_greedy(jokers):
    found = duel(
        "far_sighted", "greedy", "rummy500", 2000, seed=4, target=None, jokers_per_deck=jokers
    )
    assert found.wins.low > 52
    assert found.points.low > 0


def test_far_sighted_plays_as_greedy_among_several():
    found = duel("far_sighted", "greedy", "rummy500", 50, seed=4, target=None, num_players=3)
    assert found.points.mean == 0
