"""Train what `search` goes by: what a table is worth, and how likely a world is.

Both are networks over all cards of a table (see `rummyzoo.agents.values`), for two players and for
more. In the first round they learn from hands that the game's heuristic players play inside a
kernel, as many as are asked for, each seen once:

* value: at the beginning of turns, what the end of the hand will be worth to a seat, in a single
  hand or in a match, with the players of the rollouts at all seats from there on. Before, all
  styles play and now and then an action is drawn by lot, so that unusual tables are known too. Most
  of what happens later is luck; so what is learned is not the end itself but a mean of what the
  network expects at the following turns and of the end, TD(lambda) (Sutton, 1988).
* odds: to tell true tables from those that `resample` deals from what a seat knows. Where it does
  that as well as possible, its logit is how much more likely a world is than others that agree with
  what the seat saw, given how the players play (classifiers as ratios of densities: Sugiyama,
  Suzuki and Kanamori, 2012). Some of them play by whim now and then: else nothing would be learned
  of players who do what no heuristic player does.

In the second round some of them learn further, from hands in which `search` has one seat and plays
by what was learned so far: what a table is worth to who plays on as well as that, and how likely
worlds are in the positions that search comes to (policy iteration: Howard, 1960). These hands take
far longer to play, so there are fewer, and each row is learned from twice. The round may be played
again, with another seed, for a search that plays by its outcome.

The same seed gives the same numbers on the same machine.

    python benchmarks/train_values.py rummy500                   # all of a game
    python benchmarks/train_values.py rummy500 --round 2 --seed 2          # the second, once more
    python benchmarks/train_values.py rummy500 --only two_odds   # one of them; the others stay
    python benchmarks/train_values.py rummy500 --rows 1e6 --out try.npz
"""

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from played_hands import Hands, inputs_of
from searched_hands import searched
from values_network import Network

from rummyzoo.agents import values
from rummyzoo.agents.values.network import MOST_UNITS, RANKS, SUITS
from rummyzoo.envs.jit import kernel
from rummyzoo.envs.machine import LANES

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


class Round(NamedTuple):
    """What learns further from hands in which search plays: two networks; and how many hands."""

    value: str
    odds: str
    hands: int


SECOND: dict[str, tuple[Round, ...]] = {
    "rummy500": (Round("two_hand_value", "two_odds", 40_000),),
    "rummy": (),
    "gin": (Round("match_value", "odds", 20_000), Round("hand_value", "odds", 20_000)),
}
"""What the second round is made of. For the networks in force it was played once in Gin. In Rummy
500 the value went through it three times, of which the last changed little; the odds once, by the
hands of another time. Basic Rummy was played no better after it, and matches worse."""
EPOCHS = 2
"""How often each row of the second round is learned from; it is dear, and the first is not."""
SLOW = 5e-4
"""The rate of learning there."""
HELD_OUT = 0.05
"""The share of its hands by which its progress is told."""
LAMBDA = 0.7
UNITS = {("rummy500", "two_odds"): MOST_UNITS}
"""How many units the layers of a network have, where they are not `LANES`."""
CHUNK = 50_000
"""Rows that are played and learned from at a time."""
BATCH = 1024
RATE = 1.5e-3


@kernel
def returns(expected, y, follow):
    """Replace what each hand came to by the mean of it and of what was `expected` on the way."""
    for r in range(len(y) - 2, -1, -1):
        if follow[r]:
            y[r] = (1 - LAMBDA) * expected[r + 1] + LAMBDA * y[r + 1]


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
    units = UNITS.get((args.game, name), LANES)
    network = Network(cards // (SUITS * RANKS), numbers, units, scale)
    mean = averaged(network)
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
        rate = RATE * min(1, 2.5 * (1 - chunk / chunks) + 0.01)
        for batch in torch.randperm(len(x)).split(BATCH):
            learn(optimizer, rate, loss(network(inputs[batch]), wanted[batch]))
            mean.update_parameters(network)
        if (chunk + 1) % max(1, chunks // 10) == 0:
            with torch.no_grad():
                error = float(loss(mean(torch.from_numpy(test_x)), torch.from_numpy(test_y)))
            spent = time.process_time() - begin
            print(
                f"{name} {(chunk + 1) * CHUNK:9} rows {spent:6.0f} s  loss {error:.4f}",
                flush=True,
            )
    found: np.ndarray = mean.module.pack()
    return found


def learn(optimizer: torch.optim.Optimizer, rate: float, error: torch.Tensor) -> None:
    """Make an error a little less."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    error.backward()
    optimizer.step()


def averaged(network: Network) -> Any:
    """A network whose parameters are the mean of those that `network` had of late."""
    return torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99)
    )


def refine(args: argparse.Namespace, again: Round, found: dict[str, np.ndarray]) -> None:
    """Let networks learn further, in `found`, from hands that search plays by them."""
    tables, hands = TABLES[args.game][again.value], int(args.hands or again.hands)
    seen = list(searched(args.game, tuple(tables), found, hands, args.seed))
    turns, ends, choices = map(np.concatenate, zip(*seen, strict=True))
    refit(args, again.value, found, turns, ends, torch.nn.MSELoss())
    true = (np.arange(len(choices)) % 2 == 0).astype(np.float32)
    refit(args, again.odds, found, choices, true, torch.nn.BCEWithLogitsLoss())


def refit(
    args: argparse.Namespace,
    name: str,
    found: dict[str, np.ndarray],
    x: np.ndarray,
    y: np.ndarray,
    loss: torch.nn.Module,
) -> None:
    """Let a network learn further, in `found`: what is wanted for the inputs `x` is `y`."""
    cards, numbers = inputs_of(args.game)
    learned = int(len(x) * (1 - HELD_OUT))
    some = x[:CHUNK, cards:].astype(np.float64)
    scale = np.array([some.mean(0), np.maximum(some.std(0), 1e-2)])
    torch.manual_seed(args.seed)
    network = Network.unpack(found[name], cards // (SUITS * RANKS), numbers, scale)
    mean = averaged(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=SLOW)
    inputs, wanted = torch.from_numpy(x), torch.from_numpy(y)

    def report(when: str) -> None:
        with torch.no_grad():
            parts = [mean(part.float()) for part in inputs[learned:].split(CHUNK)]
            error = float(loss(torch.cat(parts), wanted[learned:]))
        print(f"{name} {learned:9} rows of search, {when}  loss {error:.4f}", flush=True)

    report("before")
    batches = [b for _ in range(EPOCHS) for b in torch.randperm(learned).split(BATCH)]
    for step, batch in enumerate(batches):
        rate = SLOW * (1 - step / len(batches))
        learn(optimizer, rate, loss(network(inputs[batch].float()), wanted[batch]))
        mean.update_parameters(network)
    report(f"seen {EPOCHS} times")
    found[name] = mean.module.pack()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("game", choices=TABLES)
    parser.add_argument("--rows", type=float, help="for each network of the first; see ROWS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="the first round of one network; the others stay")
    parser.add_argument("--round", type=int, choices=(1, 2), help="only one of the two rounds")
    parser.add_argument("--hands", type=float, help="in the second round; by default, see SECOND")
    parser.add_argument("--out", type=Path, help="the file; by default the one in force")
    args = parser.parse_args()
    if args.only not in (None, *TABLES[args.game]):
        known = ", ".join(TABLES[args.game])
        parser.error(f"--only {args.only} is not a network of {args.game}; it is one of {known}")
    torch.set_num_threads(1)  # the sums, and with them the numbers, depend on it
    out = args.out or values.file_of(args.game)
    kept = out if out.exists() else values.file_of(args.game)
    found = dict(values.read(kept)) if args.only or args.round == 2 else {}
    for name in TABLES[args.game]:
        if args.only in (None, name) and args.round != 2:
            found[name] = train(args, name)
            values.write(out, found)
    for again in SECOND[args.game]:
        if not args.only and args.round != 1:
            refine(args, again, found)
            values.write(out, found)


if __name__ == "__main__":
    main()
