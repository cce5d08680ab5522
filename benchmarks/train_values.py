"""Train what `search` goes by: what a table is worth, and how likely a world is.

Both are networks over all cards of a table (see `rummyzoo.agents.values`), for two players and for
more. They learn from hands that the game's heuristic players play inside a kernel, as many as are
asked for, each seen once:

* value: at the beginning of turns, what the end of the hand will be worth to a seat, in a single
  hand or in a match, with the player of the rollouts at all seats from there on. Before, all styles
  play and now and then an action is drawn by lot, so that unusual tables are known too. Most of
  what happens later is luck; so what is learned is not the end itself but a mean of what the
  network expects at the following turns and of the end, TD(lambda) (Sutton, 1988).
* odds: to tell true tables from those that `resample` deals from what a seat knows. Where it does
  that as well as possible, its logit is how much more likely a world is than others that agree with
  what the seat saw, given how the players play (classifiers as ratios of densities: Sugiyama,
  Suzuki and Kanamori, 2012). Some of them play by whim now and then: else nothing would be learned
  of players who do what no heuristic player does.

The same seed gives the same numbers on the same machine.

    python benchmarks/train_values.py rummy500                   # all of a game
    python benchmarks/train_values.py rummy500 --only two_odds   # one of them; the others stay
    python benchmarks/train_values.py rummy500 --rows 1e6 --out try.npz
"""

import argparse
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from rummyzoo.agents import random as lots
from rummyzoo.agents import values
from rummyzoo.agents.heuristics import module_for, rollout_style
from rummyzoo.agents.values.network import RANKS, SUITS
from rummyzoo.agents.values.planes import CARDS
from rummyzoo.agents.values.worth import worth
from rummyzoo.envs.chance import draw_below
from rummyzoo.envs.games import load_game
from rummyzoo.envs.jit import bind, kernel
from rummyzoo.envs.state import DRAW, HAND_OVER, TRUNCATED

TWO_AT_RUMMY_500: list[tuple[dict[str, Any], float]] = [
    ({"jokers_per_deck": 0}, 0.4),
    ({}, 0.3),
    ({"preset": "RUMMY_500_BICYCLE"}, 0.05),
    ({"preset": "RUMMY_500_FLOATING"}, 0.05),
    ({"preset": "RUMMY_500_5_10_15"}, 0.05),
    ({"preset": "RUMMY_500_BOATHOUSE"}, 0.05),
    ({"deep_pick_timing": "before_discard", "deep_pick_uses_picked": False}, 0.05),
    ({"stock_out": "immediate"}, 0.05),
]
MORE_AT_RUMMY_500: list[tuple[dict[str, Any], float]] = [
    ({"num_players": 3}, 0.2),
    ({"num_players": 3, "jokers_per_deck": 0}, 0.15),
    ({"num_players": 4}, 0.2),
    ({"num_players": 4, "jokers_per_deck": 0}, 0.15),
    ({"num_players": 5}, 0.1),
    ({"num_players": 6}, 0.1),
    ({"num_players": 8}, 0.1),
]
AT_GIN: list[tuple[dict[str, Any], float]] = [
    ({}, 0.7),
    ({"preset": "GIN_CLASSIC"}, 0.1),
    ({"preset": "OKLAHOMA"}, 0.15),
    ({"preset": "STRAIGHT_GIN"}, 0.05),
]
TWO_AT_RUMMY: list[tuple[dict[str, Any], float]] = [
    ({}, 0.7),
    ({"preset": "RUMMY_BLOCK"}, 0.1),
    ({"going_out": "discard_required"}, 0.1),
    ({"ace_in_runs": "both"}, 0.1),
]
MORE_AT_RUMMY: list[tuple[dict[str, Any], float]] = [
    ({"num_players": players}, share) for players, share in ((3, 0.3), (4, 0.3), (5, 0.2), (6, 0.2))
]


def matches(tables: list[tuple[dict[str, Any], float]]) -> list[tuple[dict[str, Any], float]]:
    """The same tables, for hands of a match."""
    return [({"target": 100} | options, share) for options, share in tables]


TABLES: dict[str, dict[str, list[tuple[dict[str, Any], float]]]] = {
    "rummy500": {
        "two_hand_value": TWO_AT_RUMMY_500,
        "two_match_value": matches(TWO_AT_RUMMY_500),
        "two_odds": TWO_AT_RUMMY_500,
        "more_hand_value": MORE_AT_RUMMY_500,
        "more_match_value": matches(MORE_AT_RUMMY_500),
        "more_odds": MORE_AT_RUMMY_500,
    },
    "rummy": {
        "two_hand_value": TWO_AT_RUMMY,
        "two_match_value": matches(TWO_AT_RUMMY),
        "two_odds": TWO_AT_RUMMY,
        "more_hand_value": MORE_AT_RUMMY,
        "more_match_value": matches(MORE_AT_RUMMY),
        "more_odds": MORE_AT_RUMMY,
    },
    "gin": {
        "hand_value": AT_GIN,
        "match_value": matches(AT_GIN),
        "odds": AT_GIN,
    },
}
"""What is played, and how much of it; by the name of the network. One hand, without a target, if
none is named."""

ROWS = {
    "rummy500": {"two_hand_value": 10e6, "two_match_value": 8e6, "two_odds": 8e6},
    "rummy": {"more_hand_value": 3e6, "more_match_value": 3e6, "more_odds": 3e6},
    "gin": {"hand_value": 6e6, "match_value": 6e6, "odds": 5e6},
}
"""How many rows each network learns from, where they are not `USUAL_ROWS`."""
USUAL_ROWS = 4e6
LAMBDA = 0.7
UNITS = 64
CHUNK = 50_000
"""Rows that are played and learned from at a time."""
BATCH = 1024
RATE = 1.5e-3
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


def play(states, kits, work, styles, own, loose, lot, rngs):
    """Play one action at the table: that of the style that comes first; before turn `own`, that of
    the seat's own style by `lot`; before turn `loose` now and then any.
    """
    _legal(states, 0, kits, work)
    s = states[0]
    if s.turns < loose and draw_below(rngs, 0, DRAWN) == 0:
        _step(states, 0, _random(states, 0, kits, work, styles[0], rngs, 0), kits)
        return
    style = np.int64(0)
    if s.turns < own:
        drawn = (lot >> (3 * np.int64(s.turn))) % 8
        style = (drawn - 3 if drawn >= 3 else np.int64(1)) % len(styles)
    _step(states, 0, _choose(states, 0, kits, work, styles[style], rngs, 0), kits)


def deal(states, kits, rngs):
    """Begin a hand; returns the turn from which on everybody plays as the greedy player does."""
    draw_below(rngs, 0, 2)
    _new_match(states, 0, kits, rngs[0])
    draw_below(rngs, 0, 2)
    return draw_below(rngs, 0, LOOSE) - LOOSE // 6


def watch_turns(states, spare, kits, work, styles, rngs, x, y, follow):
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
        first = row
        turn = np.int64(-1)
        while s.phase < HAND_OVER:
            fresh = s.phase == DRAW and s.turns != turn and s.turns >= loose
            if fresh and row < len(x):
                turn = np.int64(s.turns)
                _describe(states, 0, seat, kits, work, x, row)
                follow[row] = 1
                row += 1
            _play(states, kits, work, styles, loose, loose, lot, rngs)
        if s.phase == TRUNCATED:
            row = first
        if row > first:
            follow[row - 1] = 0
        for r in range(first, row):
            y[r] = worth(kits[0], s, seat)
    return row


def watch_choices(states, spare, kits, work, styles, rngs, x, y, follow):
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
                spare[0] = states[0]
                if _resample(spare, 0, seat, kits, work, rngs[0]):
                    _describe(states, 0, seat, kits, work, x, row)
                    _recall(states, 0, seat, kits, work, x, row)
                    _describe(spare, 0, seat, kits, work, x, row + 1)
                    _recall(spare, 0, seat, kits, work, x, row + 1)
                    y[row] = 1
                    y[row + 1] = 0
                    row += 2
            _play(states, kits, work, styles, own, loose, lot, rngs)
        if row + 1 >= len(x):
            break
    return row


@kernel
def returns(expected, y, follow):
    """Replace what each hand came to by the mean of it and of what was `expected` on the way."""
    for r in range(len(y) - 2, -1, -1):
        if follow[r]:
            y[r] = (1 - LAMBDA) * expected[r + 1] + LAMBDA * y[r + 1]


described: Any = values.module_for


@lru_cache
def watchers(name: str) -> dict[str, Any]:
    """The kernels that watch a game, by what is to be learned."""
    game, heuristics = load_game(name), module_for(name)
    common: dict[str, Any] = {
        "_describe": described(name).describe,
        "_deal": bind(deal, _new_match=game.new_match),
        "_play": bind(
            play,
            _legal=game.legal,
            _step=game.step,
            _choose=heuristics.choose,
            _random=lots.choose,
        ),
    }
    return {
        "value": bind(watch_turns, **common),
        "odds": bind(
            watch_choices, _resample=game.resample, _recall=described(name).recall, **common
        ),
    }


def inputs_of(name: str) -> tuple[int, int]:
    """How many inputs of a game's networks are planes of cards, and how many other numbers."""
    found = described(name)
    return CARDS, found.NUMBERS


class Hands:
    """Where hands of a game are played under some rules, and watched."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        game = load_game(name)
        options = {"target": None} | options
        rules = game.make_rules(options.pop("preset", None), **options)
        self.kits = game.make_kit(rules)
        self.tables = np.zeros(1, game.STATE), np.zeros(1, game.STATE)
        self.work = np.zeros(game.WORK, np.int64)
        first = rollout_style(name, rules)
        styles = [
            w for _, w in sorted(module_for(name).STYLES.items(), key=lambda i: i[0] != first)
        ]
        self.styles = np.zeros((len(styles), max(map(len, styles))))
        for row, weights in zip(self.styles, styles, strict=True):
            row[: len(weights)] = weights
        self.inputs = sum(inputs_of(name))
        self.watch = watchers(name)

    def rows(self, what: str, count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """About `count` rows: the inputs, what is to be learned, and `follow`."""
        x, y = np.zeros((count, self.inputs), np.float32), np.zeros(count, np.float32)
        follow = np.zeros(count, np.int8)
        rngs = np.random.default_rng(seed).integers(1, 1 << 63, 1, dtype=np.uint64)
        watch = self.watch[what]
        n = watch(*self.tables, self.kits, self.work, self.styles, rngs, x, y, follow)
        return x[:n], y[:n], follow[:n]


class Network(torch.nn.Module):
    """What `rummyzoo.agents.values.network` computes, to be trained.

    Args:
        planes, numbers: how many inputs of each kind there are.
        scale: mean and standard deviation of the numbers, float64 (2, numbers): they are learned
            from as deviations in such units.
    """

    mean: torch.Tensor
    unit: torch.Tensor

    def __init__(self, planes: int, numbers: int, units: int, scale: np.ndarray) -> None:
        super().__init__()
        linear = torch.nn.Linear
        self.width = planes * RANKS
        self.suit = linear(self.width, units, bias=False)
        self.sum = linear(self.width, units, bias=False)
        self.rest = linear(numbers, units)
        self.second = linear(units, units)
        self.last = linear(units, 1, bias=False)
        self.line = linear(numbers, 1)
        for layer in (self.last, self.line):
            torch.nn.init.zeros_(layer.weight)
        torch.nn.init.zeros_(self.line.bias)
        self.scale = scale
        self.register_buffer("mean", torch.tensor(scale[0], dtype=torch.float32))
        self.register_buffer("unit", torch.tensor(scale[1], dtype=torch.float32))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The network's values, shape (n,), for inputs of shape (n, all inputs)."""
        cards = x[:, : SUITS * self.width].view(-1, SUITS, self.width)
        numbers = (x[:, SUITS * self.width :] - self.mean) / self.unit
        common = self.sum(cards.sum(1)) + self.rest(numbers)
        first = torch.relu(self.suit(cards) + common[:, None]).sum(1)
        return (self.last(torch.relu(self.second(first))) + self.line(numbers))[:, 0]

    def pack(self) -> np.ndarray:
        """All its numbers as the kernel reads them, float32 (see `rows_for`)."""

        def of(parameter: torch.Tensor) -> np.ndarray:
            return parameter.detach().double().numpy()

        mean, unit = self.scale
        rest, line = of(self.rest.weight) / unit, of(self.line.weight)[0] / unit
        units, numbers = rest.shape
        rows = [
            of(self.suit.weight).T,
            of(self.sum.weight).T,
            rest.T,
            of(self.rest.bias)[None] - rest @ mean,
            of(self.second.weight).T,
            of(self.second.bias)[None],
            of(self.last.weight),
            np.pad(line, (0, -numbers % units)).reshape(-1, units),
            np.pad(of(self.line.bias) - line @ mean, (0, units - 1))[None],
        ]
        return np.concatenate(rows).astype(np.float32)


def train(args: argparse.Namespace, name: str) -> np.ndarray:
    """One network, by its name."""
    tables, what = TABLES[args.game][name], name.rpartition("_")[2]
    hands = [(Hands(args.game, options), share) for options, share in tables]
    cards, numbers = inputs_of(args.game)

    def rows(count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        parts = [h.rows(what, int(count * s), seed + 97 * n) for n, (h, s) in enumerate(hands)]
        x, y, follow = (np.concatenate(part) for part in zip(*parts, strict=True))
        return x, y, follow

    test_x, test_y, _ = rows(2 * CHUNK, args.seed)
    seen = test_x[:, cards:].astype(np.float64)
    scale = np.array([seen.mean(0), np.maximum(seen.std(0), 1e-2)])
    torch.manual_seed(args.seed)
    network = Network(cards // (SUITS * RANKS), numbers, UNITS, scale)
    mean = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99)
    )
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    loss = torch.nn.MSELoss() if what == "value" else torch.nn.BCEWithLogitsLoss()
    chunks = max(1, round((args.rows or ROWS[args.game].get(name, USUAL_ROWS)) / CHUNK))
    begin = time.process_time()
    for chunk in range(chunks):
        x, y, follow = rows(CHUNK, args.seed + 1000 * (chunk + 1))
        inputs = torch.from_numpy(x)
        if what == "value" and chunk >= chunks // 10:
            with torch.no_grad():
                returns(mean(inputs).numpy(), y, follow)
        wanted = torch.from_numpy(y)
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, 2.5 * (1 - chunk / chunks) + 0.01)
        for batch in torch.randperm(len(x)).split(BATCH):
            optimizer.zero_grad()
            loss(network(inputs[batch]), wanted[batch]).backward()
            optimizer.step()
            mean.update_parameters(network)
        if (chunk + 1) % max(1, chunks // 10) == 0:
            with torch.no_grad():
                error = float(loss(mean(torch.from_numpy(test_x)), torch.from_numpy(test_y)))
            spent = time.process_time() - begin
            print(
                f"{name} {(chunk + 1) * CHUNK:9} rows {spent:6.0f} s  loss {error:.4f}",
                flush=True,
            )
    averaged: Any = mean.module
    found: np.ndarray = averaged.pack()
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("game", choices=TABLES)
    parser.add_argument("--rows", type=float, help="for each network; by default, see ROWS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one network, such as odds; the others stay")
    parser.add_argument("--out", type=Path, help="the file; by default the one in force")
    args = parser.parse_args()
    if args.only not in (None, *TABLES[args.game]):
        known = ", ".join(TABLES[args.game])
        parser.error(f"--only {args.only} is not a network of {args.game}; it is one of {known}")
    torch.set_num_threads(1)  # the sums, and with them the numbers, depend on it
    out = args.out or values.file_of(args.game)
    found = dict(values.read(out)) if args.only and out.exists() else {}
    for name in TABLES[args.game]:
        if args.only in (None, name):
            found[name] = train(args, name)
    values.write(out, found)


if __name__ == "__main__":
    main()
