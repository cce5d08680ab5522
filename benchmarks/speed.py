"""How fast the environments are: writes speed.md beside this file.

A decision is: observation and mask of whoever is to act, a random legal action, the step; what is
over begins anew. All figures of one run come from one machine, one after the other; quote ratios.
Seconds are those of the processor, so that others at work on the machine count for less.
"""

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np

import rummyzoo.envs
from rummyzoo.agents.random import choose
from rummyzoo.envs import Table, gin_rummy_v0, load_game, rummy500_v0, rummy_v0
from rummyzoo.envs.chance import draw_below, seed_word
from rummyzoo.envs.jit import bind, kernel
from rummyzoo.envs.state import MATCH_OVER
from rummyzoo.envs.vector import RummyVectorEnv

HERE = Path(__file__).parent
RIVALS = HERE.parent / ".venv-rivals" / "bin" / "python"
TABLES = 1024
ROLLOUT = 128
GIN = "Gin"
RUMMY_500 = "Rummy 500, 2 players, no jokers"


class Measured(NamedTuple):
    """What is played: a game, its module for PettingZoo, its name for Gymnasium, its options."""

    game: str
    module: Any
    title: str
    options: dict[str, Any]


MEASURED = {
    RUMMY_500: Measured("rummy500", rummy500_v0, "Rummy500", {"jokers_per_deck": 0}),
    "... with jokers": Measured("rummy500", rummy500_v0, "Rummy500", {}),
    "... 4 players": Measured("rummy500", rummy500_v0, "Rummy500", {"num_players": 4}),
    "... 6 players, two packs": Measured("rummy500", rummy500_v0, "Rummy500", {"num_players": 6}),
    "Rummy, 2 players": Measured("rummy", rummy_v0, "Rummy", {}),
    GIN: Measured("gin", gin_rummy_v0, "GinRummy", {}),
}

advance: Any = None  # names that `bind` fills in
look: Any = None
new_match: Any = None


# --- loops of Python ---


def pick(mask: np.ndarray, rng: np.random.Generator) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[int(rng.random() * len(legal))])


def table_loop(what: Measured) -> Iterator[int]:
    """`Table`: mask, observation, play by number."""
    rng = np.random.default_rng(0)
    seed = 0
    while True:
        table = Table(what.game, seed=seed, **what.options)
        seed += 1
        while table.over in ("no", "hand"):
            if table.turn is None:
                table.next_hand()
                continue
            table.observation(table.turn)
            table.play(pick(table.mask(), rng))
            yield 1


def aec_loop(what: Measured, raw: bool) -> Iterator[int]:
    """The PettingZoo environment: last, choose, step."""
    env = (what.module.raw_env if raw else what.module.env)(**what.options)
    rng = np.random.default_rng(0)
    while True:
        env.reset(seed=int(rng.integers(2**31)))
        for _ in env.agent_iter(2**31):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(pick(observation["action_mask"], rng))
            yield 1


def single_loop(what: Measured) -> Iterator[int]:
    """The Gymnasium environment of one learner; its own decisions count, not its opponents'."""
    name = f"rummyzoo/{what.title}-v0"
    env: Any = gymnasium.make(name, opponents="random", seat=0, **what.options)
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    while True:
        _, _, terminated, truncated, _ = env.step(pick(env.unwrapped.action_masks(), rng))
        if terminated or truncated:
            env.reset()
        yield 1


def vector_loop(what: Measured, opponents: str) -> Iterator[int]:
    """`RummyVectorEnv`; the learners' decisions count. Choosing for all tables is part of it."""
    env = RummyVectorEnv(
        what.game, num_envs=TABLES, opponents=opponents, seat=0, seed=0, **what.options
    )
    env.reset(seed=0)
    actions = np.zeros(TABLES, np.int64)
    word = np.array([seed_word(1)], np.uint64)
    while True:
        pick_all(env.action_masks(), word, actions)
        env.step(actions)
        yield TABLES


def rate(make: Callable[[], Iterator[int]], seconds: float, repeats: int) -> float:
    """Decisions per second: the median of several repeats, after one that warms up."""
    loop = make()
    next(loop)
    rates = []
    for _ in range(repeats + 1):
        count, start = 0, time.process_time()
        while (now := time.process_time()) < start + seconds:
            for _ in range(8):
                count += next(loop)
        rates.append(count / (now - start))
    return statistics.median(rates[1:])


# --- the batch ---


@kernel
def pick_all(masks, word, actions):
    """A random legal action for each row of masks."""
    for i in range(len(actions)):
        count = 0
        for a in range(masks.shape[1]):
            count += np.int64(masks[i, a])
        left = draw_below(word, 0, count)
        for a in range(masks.shape[1]):
            if masks[i, a]:
                if left == 0:
                    actions[i] = a
                    break
                left -= 1


def play_batch(states, actions, kits, work, rngs, weights, observations, masks):
    """A decision at every table: step, mask, observation, and the next random choice."""
    for i in range(len(states)):
        advance(states, i, actions[i], kits, work, observations[i], masks[i])
        s = states[i]
        if s.phase >= MATCH_OVER:
            new_match(states, i, kits, s.rng)
            look(states, i, np.int64(s.turn), kits, work, observations[i], masks[i])
        actions[i] = choose(states, i, kits, work, weights, rngs, i)


def replay_batch(states, actions, kits, work, observations, masks):
    """As `play_batch`, without a choice: the actions are given."""
    for i in range(len(states)):
        advance(states, i, actions[i], kits, work, observations[i], masks[i])
        s = states[i]
        if s.phase >= MATCH_OVER:
            new_match(states, i, kits, s.rng)
            look(states, i, np.int64(s.turn), kits, work, observations[i], masks[i])


def begin_batch(states, actions, kits, work, rngs, weights, observations, masks):
    """Deal a match at every table, and choose for whoever begins; the generators are the seeds."""
    for i in range(len(states)):
        new_match(states, i, kits, rngs[i])
        seat = np.int64(states[i].turn)
        look(states, i, seat, kits, work, observations[i], masks[i])
        actions[i] = choose(states, i, kits, work, weights, rngs, i)


class Batch:
    """`TABLES` tables that write their rows into a rollout of some length, as training does."""

    def __init__(self, what: Measured, length: int) -> None:
        game = load_game(what.game)
        self.kits = game.make_kit(game.make_rules(**what.options))
        k = self.kits[0]
        steps = {"advance": game.advance, "look": game.look, "new_match": game.new_match}
        self.play_batch = bind(play_batch, **steps)
        self.replay_batch = bind(replay_batch, **steps)
        self.states = np.zeros(TABLES, game.STATE)
        self.work = np.zeros(game.WORK, np.int64)
        self.actions = np.zeros(TABLES, np.int64)
        self.rngs = np.array([seed_word(i) for i in range(TABLES)], np.uint64)
        self.weights = np.zeros(1)
        shape = (length, TABLES)
        self.observations = np.zeros((*shape, int(k.observation_size)), np.int8)
        self.masks = np.zeros((*shape, int(k.num_actions)), np.int8)
        bind(begin_batch, look=game.look, new_match=game.new_match)(*self.tables(0))
        for _ in range(60):  # into the middle of hands
            self.play(0)

    def tables(self, t: int) -> tuple[np.ndarray, ...]:
        common = (self.states, self.actions, self.kits, self.work, self.rngs, self.weights)
        return (*common, self.observations[t], self.masks[t])

    def play(self, t: int) -> None:
        self.play_batch(*self.tables(t))

    def loop(self) -> Iterator[int]:
        while True:
            for t in range(len(self.masks)):
                self.play(t)
                yield TABLES

    def again(self) -> Iterator[int]:
        """Decisions that were played before, with the same actions, so that nothing is chosen."""
        begun, actions = self.states.copy(), np.zeros((ROLLOUT, TABLES), np.int64)
        for t, row in enumerate(actions):
            row[:] = self.actions
            self.play(t % len(self.masks))
        # At tables of its own: `self.actions` are legal only where they were chosen.
        states = np.empty_like(begun)
        while True:
            states[:] = begun
            for t, row in enumerate(actions):
                rows = self.observations[t % len(self.masks)], self.masks[t % len(self.masks)]
                self.replay_batch(states, row, self.kits, self.work, *rows)
                yield TABLES

    def copies(self) -> Iterator[int]:
        """The same bytes copied, from one row set (in cache) to the rollout."""
        observations, masks = self.observations[0].copy(), self.masks[0].copy()
        while True:
            for t in range(len(self.masks)):
                np.copyto(self.observations[t], observations)
                np.copyto(self.masks[t], masks)
                yield TABLES


def batch_rows(what: Measured, seconds: float, repeats: int) -> dict[str, float]:
    """Decisions per second of the batch, with the choice and with actions given, and rows per
    second of the copy, taken in turn; and the medians of their ratios.
    """
    figures, ratios = {}, {}
    for name, length in (("in cache", 1), ("rollout", ROLLOUT)):
        batch = Batch(what, length)
        loops = {"batch": batch.loop, "actions given": batch.again, "copy": batch.copies}
        rates: dict[str, list[float]] = {row: [] for row in loops}
        for _ in range(repeats):
            for row, loop in loops.items():
                rates[row].append(rate(loop, seconds / 2, 1))
        for row, found in rates.items():
            figures[f"{row}, {name}"] = statistics.median(found)
            if row != "copy":
                shares = [a / b for a, b in zip(found, rates["copy"], strict=True)]
                ratios[f"{row} / copy, {name}"] = statistics.median(shares)
        figures["bytes"] = batch.observations.shape[2] + batch.masks.shape[2]
    return figures | ratios


# --- start-up ---

FIRST_STEP = """
import resource, time
start = time.perf_counter()
from rummyzoo.envs import rummy500_v0
imported = time.perf_counter()
env = rummy500_v0.env()
env.reset(seed=1)
observation, *_ = env.last()
env.step(int(observation["action_mask"].argmax()))
done = time.perf_counter()
print(imported - start, done - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def start_up(repeats: int) -> dict[str, dict[str, float]]:
    """Seconds of import, seconds until the first step is done, and MiB: cold and warm cache."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        for name, count in (("cold", 1), ("warm", repeats)):
            runs = []
            for _ in range(count):
                out = subprocess.run(
                    [sys.executable, "-c", FIRST_STEP],
                    env=environment,
                    capture_output=True,
                    text=True,
                    check=True,
                )
                runs.append([float(x) for x in out.stdout.split()])
            middle = [statistics.median(column) for column in zip(*runs, strict=True)]
            figures[name] = dict(zip(("import", "first step", "MiB"), middle, strict=True))
    return figures


# --- the page ---


def rivals(seconds: float, repeats: int) -> dict[str, Any] | None:
    """The other environments, in an environment of their own (`make rivals`)."""
    if not RIVALS.exists():
        return None
    command = [str(RIVALS), str(HERE / "rivals.py")]
    command += ["--seconds", str(seconds), "--repeats", str(repeats)]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(out.stdout)
    return found


def short(number: float) -> str:
    """Three digits: 3.21 M, 45.6 k."""
    for size, name in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{name}"
    return f"{number:.3g}"


def measure(seconds: float, repeats: int) -> dict[str, Any]:
    """All figures."""
    figures: dict[str, Any] = {"rivals": rivals(seconds, repeats), "start": start_up(repeats)}
    for name, what in MEASURED.items():
        print(f"measuring {name} ...", flush=True)
        loops: dict[str, Callable[[], Iterator[int]]] = {
            "Table": lambda w=what: table_loop(w),  # type: ignore[misc]
            "AEC, env()": lambda w=what: aec_loop(w, raw=False),  # type: ignore[misc]
            "AEC, raw_env()": lambda w=what: aec_loop(w, raw=True),  # type: ignore[misc]
            "single, random opponents": lambda w=what: single_loop(w),  # type: ignore[misc]
            "vector, random opponents": lambda w=what: vector_loop(w, "random"),  # type: ignore[misc]
            "vector, greedy opponents": lambda w=what: vector_loop(w, "greedy"),  # type: ignore[misc]
        }
        rates = {row: rate(make, seconds, repeats) for row, make in loops.items()}
        figures[name] = rates | batch_rows(what, seconds, repeats)
    return figures


def page(figures: dict[str, Any], command: str) -> str:
    """The figures as Markdown."""
    names = list(MEASURED)
    rows = [row for row in figures[names[0]] if row != "bytes"]
    packages = ", ".join(f"{p} {version(p)}" for p in ("numpy", "numba", "pettingzoo", "gymnasium"))
    lines = [
        "# Speed",
        "",
        f"Made by `{command}` on {date.today()}; {platform.processor() or platform.machine()}, "
        f"one core; Python {platform.python_version()}, {packages}.",
        "",
        "Decisions per second of processor time, each with observation, mask and the choice of a",
        f"random legal action. *Batch* is the engine at {TABLES} tables, every seat's decisions;",
        "*actions given* is the same without the choice. *Vector* is `RummyVectorEnv` with as",
        "many tables, counting the learners' decisions only (a learner's step plays its opponents'",
        "turns too). *Copy* is the rate of copying the same bytes as a batch writes: into one set",
        f"of rows that stays in the cache, and into a rollout of {ROLLOUT} steps.",
        "",
        "| | " + " | ".join(names) + " |",
        "|---|" + "---|" * len(names),
    ]
    for row in rows:
        shown = "{:.2f}".format if "/" in row else short
        lines.append(f"| {row} | " + " | ".join(shown(figures[n][row]) for n in names) + " |")
    sizes = " | ".join(str(figures[n]["bytes"]) for n in names)
    lines.append(f"| bytes of observation and mask | {sizes} |")
    lines += ["", "## Beside other environments", ""]
    if figures["rivals"]:
        known = figures["rivals"]["versions"]
        about = ", ".join(f"{p} {v}" for p, v in known.items())
        lines += [
            f"Driven from Python in the same run ({about}). How many times as fast ours is:",
            "`env()`, and the batch in cache, of Gin and of Rummy 500 (two players, no jokers).",
            "",
            "| | decisions/s | Gin, env() | Gin, batch | Rummy 500, env() | Rummy 500, batch |",
            "|---|---|---|---|---|---|",
        ]
        for name, found in figures["rivals"]["decisions_per_second"].items():
            per_second = found["median"]
            times = [
                f"{figures[game][row] / per_second:.{digits}f} x"
                for game in (GIN, RUMMY_500)
                for row, digits in (("AEC, env()", 1), ("batch, in cache", 0))
            ]
            lines.append(f"| {name} | {short(per_second)} | {' | '.join(times)} |")
    else:
        lines.append("Not measured: `make rivals` makes their environment.")
    lines += [
        "",
        "## Start",
        "",
        "A fresh process: import, then the first step of a PettingZoo environment, with an empty",
        "and with a filled cache of compiled kernels.",
        "",
        "| cache | import, s | first step done, s | memory, MiB |",
        "|---|---|---|---|",
    ]
    for name, found in figures["start"].items():
        cells = f"{found['import']:.2f} | {found['first step']:.2f} | {found['MiB']:.0f}"
        lines.append(f"| {name} | {cells} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a repeat")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=Path, default=HERE / "speed.md")
    args = parser.parse_args()
    figures = measure(args.seconds, args.repeats)
    given = " ".join(sys.argv[1:])
    args.out.write_text(page(figures, f'make bench ARGS="{given}"' if given else "make bench"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"wrote {args.out} ({len(rummyzoo.envs.GAMES)} games, {peak:.0f} MiB used)")


if __name__ == "__main__":
    main()
