"""Tune the weights of a game's heuristic players by the cross-entropy method; measure them.

All candidates play the same hands, each deal once from every seat: for two players mainly, against
hand-set weights, against two of the means on the way (a player that beats one opponent best may
lose to another) and, a little, against the random player. They are compared by the hands they win
and the points they win them by. Whole hands run inside a kernel. The same seed gives the same
weights.

    python benchmarks/tune_heuristics.py rummy500                     # tunes, then measures
    python benchmarks/tune_heuristics.py rummy500 --generations 0     # measures those in force
"""

import argparse
import time
from typing import Any, NamedTuple

import numpy as np

from rummyzoo.agents import random as lots
from rummyzoo.agents.heuristics import module_for
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.jit import bind
from rummyzoo.envs.state import HAND_OVER, TRUNCATED

RANDOM = np.zeros(0)
"""In the place of weights: the random player."""


class Plan(NamedTuple):
    """How the players of a game are tuned.

    Attributes:
        untuned: weights set by hand, where they differ from those of ``greedy``: where the search
            begins, and what the result is compared with.
        points: how many points ahead in a hand count as much as half a hand won.
        tables: options to play with, and the share of each in what counts.
        report: options to measure the result with.
    """

    untuned: dict[str, float]
    points: float
    tables: list[tuple[dict[str, Any], float]]
    report: list[dict[str, Any]]


PLANS = {
    "rummy500": Plan(
        {
            "draw": 4.0,
            "card": 1.0,
            "outs": 4.0,
            "out": 20.0,
            "hold": 0.2,
            "few_cards": 1.0,
            "few_turns": 1.0,
            "keep": 1.0,
            "live": 0.1,
            "again": 0.3,
            "danger": 2.0,
            "bait": 1.0,
            "deep": 0.05,
            "lay": 0.5,
            "rush": 1.0,
            "open": 0.5,
            "joker": 10.0,
            "behind": 60.0,
        },
        100.0,
        [
            ({"jokers_per_deck": 0}, 0.45),
            ({"jokers_per_deck": 2}, 0.35),
            ({"num_players": 3}, 0.1),
            ({"num_players": 4}, 0.1),
        ],
        [
            {"jokers_per_deck": 0},
            {"jokers_per_deck": 2},
            {"num_players": 3},
            {"num_players": 4},
            {"num_players": 4, "jokers_per_deck": 0},
            {"num_players": 6},
            {"going_out": "float"},
            {"going_out": "discard_required"},
            {"top_discard_must_meld": True},
            {"deep_pick_timing": "before_discard", "deep_pick_uses_picked": False},
            {"scoring": "5_10_15"},
            {"num_ranks": 8, "jokers_per_deck": 0},
        ],
    ),
    "rummy": Plan(
        {
            "draw": 4.0,
            "outs": 3.0,
            "out": 20.0,
            "hold": 0.3,
            "few_cards": 1.0,
            "base": 3.0,
            "keep": 1.0,
            "live": 0.15,
            "again": 0.02,
            "danger": 0.5,
            "table": 0.2,
            "lay": 0.5,
            "open": 0.2,
            "rummy": 4.0,
            "patience": 4.0,
        },
        30.0,
        [({}, 0.6), ({"num_players": 3}, 0.2), ({"num_players": 4}, 0.2)],
        [
            {},
            {"num_players": 3},
            {"num_players": 4},
            {"num_players": 6},
            {"ace_in_runs": "both"},
            {"going_out": "discard_required"},
            {"max_melds_per_turn": 1},
            {"max_recycles": 0},
            {"num_ranks": 8},
        ],
    ),
    "gin": Plan(
        {
            "draw": 3.0,
            "pair": 1.0,
            "keep": 3.0,
            "live": 0.2,
            "danger": 3.0,
            "high": 0.1,
            "knock": 3.0,
            "later": 0.1,
            "last": 5.0,
        },
        3.0,
        [({}, 0.8), ({"preset": "OKLAHOMA"}, 0.2)],
        [
            {},
            {"preset": "GIN_CLASSIC"},
            {"preset": "OKLAHOMA"},
            {"preset": "STRAIGHT_GIN"},
            {"wall_rule": "opponent_may_knock"},
            {"layoff": "choose"},
            {"num_ranks": 8},
        ],
    ),
}

# Names that `bind` fills in.
_new_match: Any = None
_legal: Any = None
_step: Any = None
_choose: Any = None
_random: Any = None


def play_hands(states, kits, work, weights, others, rngs, deals, seat, margins):
    """Play a hand of each deal; returns how many decisions that took.

    Args:
        weights, others: the weights at one seat and at all others.
        deals: generator words, one a hand.
        margins: gets the seat's score less the best of the others'; 0 for a hand cut short.
    """
    s = states[0]
    decisions = 0
    for n in range(len(deals)):
        _new_match(states, 0, kits, deals[n])
        while s.phase < HAND_OVER:
            _legal(states, 0, kits, work)
            mine = weights if np.int64(s.turn) == seat else others
            if len(mine):
                action = _choose(states, 0, kits, work, mine, rngs, 0)
            else:
                action = _random(states, 0, kits, work, mine, rngs, 0)
            _step(states, 0, action, kits)
            decisions += 1
        best = -1_000_000
        for p in range(kits[0].num_players):
            if p != seat:
                best = max(best, np.int64(s.hand_scores[p]))
        margins[n] = 0 if s.phase == TRUNCATED else np.int64(s.hand_scores[seat]) - best
    return decisions


class Trial:
    """Where hands are played: a game, its rules, and room for a state."""

    def __init__(self, name: str, **options: Any) -> None:
        game = load_game(name)
        self.rules = game.make_rules(**options | {"target": None})
        self.kits = game.make_kit(self.rules)
        self.states = np.zeros(1, game.STATE)
        self.work = np.zeros(game.WORK, np.int64)
        self.play_hands = bind(
            play_hands,
            _new_match=game.new_match,
            _legal=game.legal,
            _step=game.step,
            _choose=module_for(name).choose,
            _random=lots.choose,
        )

    def margins(self, weights: np.ndarray, others: np.ndarray, deals: np.ndarray) -> Any:
        """By how much `weights` beat the best of the others, and the number of decisions.

        The margins are int64 of shape (players, deals), one row for each seat of `weights`.
        """
        rngs = deals[:1].copy()
        margins = np.zeros((self.rules.num_players, len(deals)), np.int64)
        decisions = 0
        for seat, row in enumerate(margins):
            decisions += self.play_hands(
                self.states, self.kits, self.work, weights, others, rngs, deals, seat, row
            )
        return margins, decisions


class Result(NamedTuple):
    """Win rate in percent (ties count half) and points ahead of the best opponent.

    The errors are halves of 95 % intervals, clustered by deal.
    """

    win: float
    win_error: float
    margin: float
    margin_error: float
    decisions_a_second: float

    def __str__(self) -> str:
        return (
            f"{self.win:5.1f} ± {self.win_error:.1f} %  "
            f"{self.margin:+6.1f} ± {self.margin_error:.1f} points  "
            f"({self.decisions_a_second / 1e6:.2f} M decisions/s of CPU time)"
        )


def measure(table: Trial, weights: Any, others: Any, hands: int, seed: int) -> Result:
    """Play about `hands` hands: every deal once from each seat."""
    count = max(2, hands // table.rules.num_players)
    start = time.process_time()
    margins, decisions = table.margins(
        np.array(weights), np.array(others), words(np.random.default_rng(seed), count)
    )
    seconds = time.process_time() - start
    won = wins(margins).mean(0) * 100
    points = margins.mean(0)
    errors = [1.96 * x.std(ddof=1) / count**0.5 for x in (won, points)]
    return Result(won.mean(), errors[0], points.mean(), errors[1], decisions / seconds)


def wins(margins: np.ndarray) -> np.ndarray:
    """1 for a hand won, 0.5 for a tie."""
    return (margins > 0) + 0.5 * (margins == 0)


def words(rng: np.random.Generator, count: int) -> np.ndarray:
    """Generator words."""
    return rng.integers(1, 1 << 64, count, dtype=np.uint64)


def untuned_weights(game: str) -> np.ndarray:
    """The weights set by hand."""
    return np.array(module_for(game).Weights(**PLANS[game].untuned))


def tune(start: np.ndarray, args: argparse.Namespace) -> np.ndarray:
    """The weights that the cross-entropy method arrives at: the mean of its last quarter's."""
    rng = np.random.default_rng(args.seed)
    plan = PLANS[args.game]
    tables = {Trial(args.game, **o): share for o, share in plan.tables}
    untuned = untuned_weights(args.game)
    scale = np.maximum(np.abs(untuned), 0.2)
    mean, spread = start.copy(), 0.5 * scale
    pool = [start.copy()]
    last = np.zeros((0, len(mean)))
    begin = time.process_time()
    for generation in range(args.generations):
        done = (generation + 1) / args.generations
        candidates = np.maximum(rng.normal(mean, spread, (args.population, len(mean))), 0)
        candidates[0] = mean
        total = np.zeros(len(candidates))
        middle = pool[len(pool) // 2]
        for table, share in tables.items():
            # Few hands against the random player: strength shows against good players.
            for others, part in ((untuned, 0.3), (middle, 0.25), (pool[-1], 0.4), (RANDOM, 0.05)):
                count = (0.5 + done) * args.deals * part * 2 / table.rules.num_players
                deals = words(rng, max(2, round(count)))
                for n, candidate in enumerate(candidates):
                    margins, _ = table.margins(candidate, others, deals)
                    total[n] += (
                        share * part * (wins(margins).mean() + margins.mean() / (2 * plan.points))
                    )
        elite = candidates[np.argsort(-total)[: args.population // 4]]
        mean += 0.6 * (elite.mean(0) - mean)
        spread += 0.6 * (elite.std(0) - spread)
        # The elite is partly lucky: without a floor that sinks slowly the search would end early.
        spread = np.maximum(spread, (0.2 * (1 - done) + 0.02) * scale)
        if generation % 4 == 3:
            pool.append(mean.copy())
        if done > 0.75:
            last = np.vstack([last, mean])
        spent = time.process_time() - begin
        print(
            f"{generation + 1:3} {spent:5.0f} s  {total.max():.3f}  {as_text(args.game, mean)}",
            flush=True,
        )
    return np.array([float(f"{w:.3g}") for w in last.mean(0)])


def as_text(game: str, weights: Any) -> str:
    """The weights by name."""
    names = module_for(game).Weights._fields
    return " ".join(f"{n}={w:.3g}" for n, w in zip(names, weights, strict=True))


def report(weights: Any, args: argparse.Namespace) -> None:
    """Print how the weights fare against the random player and against the untuned weights."""
    untuned = untuned_weights(args.game)
    for options in PLANS[args.game].report:
        table = Trial(args.game, **options)
        for name, others in (("random", RANDOM), ("untuned", untuned)):
            result = measure(table, weights, others, args.hands, args.seed + 1)
            print(f"{options!s:75} vs {name:8} {result}", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--style", default="greedy", help="whose weights are measured")
    parser.add_argument("--generations", type=int, default=80, help="0: do not tune")
    parser.add_argument("--population", type=int, default=32)
    parser.add_argument("--deals", type=int, default=300, help="deals for a candidate and table")
    parser.add_argument(
        "--hands", type=int, default=10_000, help="hands for each line of the report"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--from-repository", action="store_true", help="begin with the weights in force"
    )
    args = parser.parse_args()
    weights = np.array(module_for(args.game).STYLES[args.style])
    if args.generations:
        weights = tune(weights if args.from_repository else untuned_weights(args.game), args)
        print(as_text(args.game, weights))
    Trial(args.game).margins(weights, RANDOM, words(np.random.default_rng(0), 2))  # compiles
    report(weights, args)


if __name__ == "__main__":
    main()
