"""Hands to learn from that heuristic players play, watched inside a kernel.

See ``train_values.py``, which learns from them.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from rummyzoo.agents import random as lots
from rummyzoo.agents import values
from rummyzoo.agents.heuristics import module_for, rollout_styles, weights_of
from rummyzoo.agents.values.planes import CARDS
from rummyzoo.agents.values.worth import worth
from rummyzoo.envs.chance import draw_below
from rummyzoo.envs.games import load_game
from rummyzoo.envs.jit import bind, kernel
from rummyzoo.envs.state import DRAW, HAND_OVER, TRUNCATED

LOOSE = 24
"""Up to so many turns of a hand are played by all styles and, one action in `DRAWN`, by lot."""
DRAWN = 8
ALWAYS = 10_000
"""A turn that no hand comes to."""

# Names that `bind` fills in.
_new_match: Any = None
_legal: Any = None
_step: Any = None
_choose: Any = None
_random: Any = None
_describe: Any = None
_recall: Any = None
_resample: Any = None
_play: Any = None
_deal: Any = None
_compare: Any = None


def play(states, kits, work, styles, own, loose, seat, theirs, lot, rngs):
    """Play one action at the table: that of style 0 at `seat`, and of style `theirs` elsewhere;
    before turn `own`, that of the seat's own style by `lot`; before turn `loose` now and then any.
    """
    _legal(states, 0, kits, work)
    s = states[0]
    if s.turns < loose and draw_below(rngs, 0, DRAWN) == 0:
        _step(states, 0, _random(states, 0, kits, work, styles[0], rngs, 0), kits)
        return
    style = np.int64(0) if s.turn == seat else np.int64(theirs)
    if s.turns < own:
        drawn = (lot >> (3 * np.int64(s.turn))) % 8
        style = (drawn - 3 if drawn >= 3 else np.int64(1)) % len(styles)
    _step(states, 0, _choose(states, 0, kits, work, styles[style], rngs, 0), kits)


def deal(states, kits, rngs):
    """Begin a hand; returns the turn from which on nobody plays as the lot says."""
    draw_below(rngs, 0, 2)
    _new_match(states, 0, kits, rngs[0])
    draw_below(rngs, 0, 2)
    return draw_below(rngs, 0, LOOSE) - LOOSE // 6


def watch_turns(states, spare, kits, work, styles, others, asked, rngs, x, y, follow):
    """Fill `x` with the beginnings of turns as one seat has them, hand by hand.

    Args:
        y: gets what the end is worth to the seat.
        follow: gets 1 where the next row is the next turn of the same hand.

    Returns:
        How many rows there are.
    """
    s = states[0]
    n = kits[0].num_players
    row = np.int64(0)
    while row < len(x):
        loose = _deal(states, kits, rngs)
        lot = draw_below(rngs, 0, 1 << 24)
        seat = draw_below(rngs, 0, n)
        theirs = others[draw_below(rngs, 0, len(others))]
        first = row
        turn = np.int64(-1)
        while s.phase < HAND_OVER:
            fresh = s.phase == DRAW and s.turns != turn and s.turns >= loose
            if fresh and row < len(x):
                turn = np.int64(s.turns)
                _describe(states, 0, seat, kits, work, x, row)
                follow[row] = 1
                row += 1
            _play(states, kits, work, styles, loose, loose, seat, theirs, lot, rngs)
        if s.phase == TRUNCATED:
            row = first
        if row > first:
            follow[row - 1] = 0
        for r in range(first, row):
            y[r] = worth(kits[0], s, seat)
    return row


def begin(states, kits, work, styles, loose, rngs):
    """Play up to turn `loose`."""
    lot = draw_below(rngs, 0, 1 << 24)
    while states[0].phase < HAND_OVER and states[0].turns < loose:
        _play(states, kits, work, styles, loose, loose, 0, 0, lot, rngs)


def answer(states, kits, work, weights, seat, rngs):
    """Let a style play until the seat is to act, a turn begins, or the hand is over."""
    while states[0].phase < HAND_OVER and states[0].turn != seat:
        _legal(states, 0, kits, work)
        _step(states, 0, _choose(states, 0, kits, work, weights, rngs, 0), kits)
        if states[0].phase == DRAW:
            break


def compare(states, spare, seat, kits, work, asked, rngs, word, x, row):
    """Write a table as a seat has it into ``x[row]``, and one dealt afresh into the next row;
    returns how many rows were written.
    """
    spare[0] = states[0]
    if not _resample(spare, 0, seat, kits, work, word):
        return 0
    _describe(states, 0, seat, kits, work, x, row)
    _recall(states, 0, seat, spare[1:], kits, work, asked, rngs, x, row)
    _describe(spare, 0, seat, kits, work, x, row + 1)
    _recall(spare, 0, seat, spare[1:], kits, work, asked, rngs, x, row + 1)
    return 2


@kernel
def worth_at(kits, states, seat):
    """What a hand that is over is worth to a seat."""
    return worth(kits[0], states[0], seat)


def watch_choices(states, spare, kits, work, styles, others, asked, rngs, x, y, follow):
    """Fill `x` with tables as the seat that is to act has them: a true one (`y` is 1), then one
    dealt afresh (0), in turn. Only one in four is taken, so that they differ more.
    """
    s = states[0]
    row = np.int64(0)
    while row < len(x):
        # In half of the hands all play alike; in a quarter nobody is free of whims.
        kind = _deal(states, kits, rngs) % 4
        own = ALWAYS * (kind % 2)
        loose = ALWAYS * (kind == 3)
        lot = draw_below(rngs, 0, 1 << 24)
        while s.phase < HAND_OVER:
            if row + 1 < len(x) and draw_below(rngs, 0, 4) == 0:
                seat = np.int64(s.turn)
                word = rngs[0]
                if _compare(states, spare, seat, kits, work, asked, rngs, word, x, row):
                    y[row] = 1
                    y[row + 1] = 0
                    row += 2
            _play(states, kits, work, styles, own, loose, 0, 0, lot, rngs)
        if row + 1 >= len(x):
            break
    return row


@lru_cache
def watchers(name: str) -> dict[str, Any]:
    """The kernels that play and watch hands of a game."""
    game, heuristics, described = load_game(name), module_for(name), values.module_for(name)
    acts: dict[str, Any] = {"_legal": game.legal, "_step": game.step, "_choose": heuristics.choose}
    common: dict[str, Any] = {
        "_deal": bind(deal, _new_match=game.new_match),
        "_play": bind(play, _random=lots.choose, **acts),
    }
    compares = bind(
        compare,
        _resample=game.resample,
        _describe=described.describe,
        _recall=described.recall,
    )
    return {
        "value": bind(watch_turns, _describe=described.describe, **common),
        "odds": bind(watch_choices, _compare=compares, **common),
        "deal": common["_deal"],
        "begin": bind(begin, _play=common["_play"]),
        "answer": bind(answer, **acts),
        "describe": described.describe,
        "compare": compares,
        "worth": worth_at,
    }


def inputs_of(name: str) -> tuple[int, int]:
    """How many inputs of a game's networks are planes of cards, and how many other numbers."""
    found = values.module_for(name)
    return CARDS, found.NUMBERS


class Hands:
    """Where hands of a game are played under some rules, and watched."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        game = load_game(name)
        options = {"target": None} | options
        rules = self.rules = game.make_rules(options.pop("preset", None), **options)
        self.kits = game.make_kit(rules)
        self.tables = np.zeros(1, game.STATE), np.zeros(2, game.STATE)
        self.work = np.zeros(game.WORK, np.int64)
        own, *others = rollout_styles(name, rules)
        styles = sorted(module_for(name).STYLES, key=lambda style: style != own)
        self.styles = weights_of(name, styles)
        self.others = np.array([styles.index(style) for style in others])
        self.inputs = sum(inputs_of(name))
        self.asked = weights_of(name, values.module_for(name).ASKED)
        self.kernels = watchers(name)

    def rows(self, what: str, count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """About `count` rows: the inputs, what is to be learned, and `follow`."""
        x, y = np.zeros((count, self.inputs), np.float32), np.zeros(count, np.float32)
        follow = np.zeros(count, np.int8)
        rngs = np.random.default_rng(seed).integers(1, 1 << 63, 1, dtype=np.uint64)
        players = self.styles, self.others, self.asked
        n = self.kernels[what](*self.tables, self.kits, self.work, *players, rngs, x, y, follow)
        return x[:n], y[:n], follow[:n]
