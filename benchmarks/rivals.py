"""Decisions per second of other Rummy environments, driven from Python.

Run it with the environment that `make rivals` makes: .venv-rivals/bin/python benchmarks/rivals.py
One decision is: observation (as an array) and mask of the seat to move, a random legal action, the
step; episodes are reset as they end. Prints one JSON object.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version

import numpy as np

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


def pettingzoo_gin(seed: int) -> Iterator[None]:
    """PettingZoo's gin_rummy_v4 (rlcard inside), by its AEC loop."""
    from pettingzoo.classic import gin_rummy_v4

    env = gin_rummy_v4.env()
    rng = np.random.default_rng(seed)
    while True:
        env.reset(seed=int(rng.integers(2**31)))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(rng.random() * len(legal))]))
            yield


def open_spiel_gin(seed: int) -> Iterator[None]:
    """OpenSpiel's gin_rummy (C++), by its Python states; chance nodes are part of the next turn."""
    import pyspiel

    game = pyspiel.load_game("gin_rummy")
    rng = np.random.default_rng(seed)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                cards = state.legal_actions()  # all equally likely
                state.apply_action(cards[int(rng.random() * len(cards))])
                continue
            seat = state.current_player()
            np.asarray(state.observation_tensor(seat), dtype=np.float32)
            legal = np.flatnonzero(state.legal_actions_mask(seat))
            state.apply_action(int(legal[int(rng.random() * len(legal))]))
            yield


def rate(play: Callable[[int], Iterator[None]], seconds: float, repeats: int) -> dict[str, float]:
    """Decisions per second: the median, the least and the most of several timed repeats."""
    rates = []
    for seed in range(repeats + 1):
        decisions = play(seed)
        count = 0
        end = (start := time.process_time()) + seconds
        while (now := time.process_time()) < end:
            for _ in range(16):
                next(decisions)
            count += 16
        rates.append(count / (now - start))
    rates = rates[1:]  # the first one warms up
    return {"median": statistics.median(rates), "min": min(rates), "max": max(rates)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a repeat")
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    result = {
        "seconds": args.seconds,
        "repeats": args.repeats,
        "python": platform.python_version(),
        "versions": {
            name: version(name) for name in ("pettingzoo", "rlcard", "open-spiel", "numpy")
        },
        "decisions_per_second": {
            "pettingzoo gin_rummy_v4": rate(pettingzoo_gin, args.seconds, args.repeats),
            "open_spiel gin_rummy": rate(open_spiel_gin, args.seconds, args.repeats),
        },
    }
    json.dump(result, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
