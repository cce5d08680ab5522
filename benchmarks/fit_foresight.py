"""Fit the weights of ``far_sighted``, the style of Rummy 500 that foresees; measure them.

Two greedy players play hands. Now and then one of them stops before a draw, before a play or before
a discard: every choice that it has is made, and played out by greedy players with the cards as they
lie. An outcome is half the points ahead, and 50 for a hand won. Then least squares say how the
outcomes hang together with what the player saw (`Foresight`), within each position: what is lost or
won there whatever the choice does not count, and choices that the greedy player finds far worse
than its best count little. All of it is done for packs without and with jokers; the same seed gives
the same weights.

The terms are not written down here. The value of a choice is the sum of weights times terms; so the
kernels of the player itself, asked with a weight of one for one term and zero for all others, say
what that term is.

    python benchmarks/fit_foresight.py                        # fits, then measures
    python benchmarks/fit_foresight.py --pack plain --positions 20000
    python benchmarks/fit_foresight.py --positions 0          # measures those in force
"""

import argparse
import types
from typing import Any

import numpy as np
from tqdm import tqdm  # type: ignore[import-untyped]
from tune_heuristics import Trial, measure, words

from rummyzoo.agents.heuristics import rummy500
from rummyzoo.agents.heuristics.appraise import find_unseen
from rummyzoo.agents.heuristics.foresight import (
    PLAIN,
    WITH_JOKERS,
    Foresight,
    after_discard,
    after_draw,
    after_play,
    for_taking,
)
from rummyzoo.agents.rollouts import pass_over
from rummyzoo.envs import kit
from rummyzoo.envs.chance import draw_below
from rummyzoo.envs.games import load_game
from rummyzoo.envs.games.rummy500.state import CALL
from rummyzoo.envs.jit import helper, kernel
from rummyzoo.envs.state import DRAW, HAND_OVER, TRUNCATED

PACKS: dict[str, tuple[dict[str, Any], Foresight]] = {
    "plain": ({"jokers_per_deck": 0}, PLAIN),
    "with_jokers": ({"jokers_per_deck": 2}, WITH_JOKERS),
}
"""Options of two players for a pack, and the weights in force."""

NAMES = Foresight._fields
DRAWS, PLAYS, DISCARDS = np.int64(0), np.int64(1), np.int64(2)
STARTS = (NAMES.index("draw"), NAMES.index("play"), NAMES.index("discard"), len(NAMES))
"""Where the terms of each kind of choice begin; the first of them is the greedy player's value."""
SPREAD = (12.0, 15.0, 8.0)
"""By how many points of the greedy player's value a choice of each kind must be worse than the best
to count e times less ..."""
FLOOR = 0.03
"""... and how much every choice counts anyway."""
RIDGE = 1e-5
"""Some terms are nearly sums of others: this keeps their weights small."""
WON = 50.0
CHUNK = 4000
"""Rows that are collected at a time, and ..."""
MOST = 64
"""... as many as one position may need."""
ONE_IN = 3
"""One in so many positions is played out: neighbours are much alike."""

WANTED, SEEN, TERMS = 0, 1, 2
"""What stands in the notes: which choice is asked for, how many were seen, its terms."""
CHOSEN = 1e6
_UNITS = np.eye(len(NAMES))
_FIRST_PLAY, _FIRST_DISCARD, _END = STARTS[1:]
_game: Any = load_game("rummy500")
new_match, legal, step, choose = _game.new_match, _game.legal, _game.step, rummy500.choose


@helper
def note_draw(note, value, late, ahead, points, rest, left):
    """In the place of `after_draw`: note the terms of the draw that is asked for, and choose it."""
    note[SEEN] += 1
    if note[SEEN] != note[WANTED] + 1:
        return -CHOSEN
    for n in range(_FIRST_PLAY):
        note[TERMS + n] = after_draw(_UNITS[n], value, late, ahead, points, rest, left)
    return CHOSEN


@helper
def note_taking(k, s, note, cards, brings):
    """In the place of `for_taking`, which follows `after_draw`."""
    if note[SEEN] == note[WANTED] + 1:
        for n in range(_FIRST_PLAY):
            note[TERMS + n] += for_taking(k, s, _UNITS[n], cards, brings)
    return 0.0


@helper
def note_play(note, gain, late, ahead, hidden, value, shown, alone):
    """In the place of `after_play`, which is asked last of the best play: note its terms. The play
    pays if the first choice is asked for; else only one that is forced is made.
    """
    for n in range(_FIRST_PLAY, _FIRST_DISCARD):
        note[TERMS + n] = after_play(_UNITS[n], gain, late, ahead, hidden, value, shown, alone)
    return CHOSEN if note[WANTED] == 0 else -CHOSEN


@helper
def note_discard(k, s, p, note, value, card, work, use, late, unseen, known, hidden):
    """In the place of `after_discard`: as `note_draw`."""
    note[SEEN] += 1
    if note[SEEN] != note[WANTED] + 1:
        return -CHOSEN
    for n in range(_FIRST_DISCARD, _END):
        note[TERMS + n] = after_discard(
            k, s, p, _UNITS[n], value, card, work, use, late, unseen, known, hidden
        )
    return CHOSEN


def noting(chooser: Any, **notes: Any) -> Any:
    """The code of a helper of the player, in which the given names are kernels of this file: it
    takes the notes in the place of `Foresight`. (`bind` would keep it in the cache of the package,
    which knows nothing of edits here.)
    """
    plain = getattr(chooser, "py_func", chooser)
    scope = plain.__globals__ | notes | {"__name__": __name__}
    return helper(types.FunctionType(plain.__code__, scope, plain.__name__))


noting_draw = noting(rummy500.choose_draw, after_draw=note_draw, for_taking=note_taking)
noting_play = noting(rummy500.choose_play, after_play=note_play)
noting_discard = noting(rummy500.choose_discard, after_discard=note_discard)
choose_discard: Any = rummy500.choose_discard


@helper
def is_open(s, k, action, kind):
    """Whether the seat has a choice of that kind, where the greedy player does `action`."""
    if kind == DRAWS:
        return s.phase == DRAW and s.stock_size > 0
    if s.phase == DRAW or s.phase == CALL:
        return False
    return kind == PLAYS or k.act[action, 0] == kit.A_DISCARD


@helper
def choice(s, k, work, weights, note, kind, n):
    """The choice number `n`, or -1 if there is none. `note` gets its terms: all zero for number 1
    of two, where number 0 is the best play, and 1 to discard instead.
    """
    p = np.int64(s.turn)
    words = work[0]
    unseen, known, pile = find_unseen(k, s, p)
    note[:] = 0.0
    note[WANTED] = n
    if kind == DRAWS:
        action = noting_draw(k, s, p, words, weights, note, unseen)
        return action if note[SEEN] > n else np.int64(-1)
    if kind == DISCARDS:
        action = noting_discard(k, s, p, work, weights, note, unseen, known)
        return action if note[SEEN] > n else np.int64(-1)
    if n == 0:
        note[WANTED] = 1.0
        if noting_play(k, s, p, words, weights, note, unseen, known, pile) >= 0:
            return np.int64(-1)  # forced, or the player goes out
        note[WANTED] = 0.0
        return noting_play(k, s, p, words, weights, note, unseen, known, pile)
    if n == 1:
        return choose_discard(k, s, p, work, weights, weights[:0], unseen, known)
    return np.int64(-1)


@helper
def play_out(table, kits, work, weights, rngs, action):
    """What the hand comes to for the seat to act, if it does `action` and all go on greedily."""
    s = table[0]
    seat = np.int64(s.turn)
    while True:
        step(table, 0, action, kits)
        if s.phase >= HAND_OVER:
            break
        kind = kits[0].act[action, 0]
        if kind == kit.A_TAKE or kind == kit.A_CALL:
            pass_over(s)
        legal(table, 0, kits, work)
        action = choose(table, 0, kits, work, weights, rngs, 0)
    if s.phase == TRUNCATED:
        return 0.0
    ahead = np.int64(s.hand_scores[seat]) - np.int64(s.hand_scores[1 - seat])
    return 0.5 * ahead + WON * ((ahead > 0) - np.int64(ahead < 0))


@kernel
def collect(states, spare, kits, work, weights, rngs, kind, note, terms, outcomes, first):
    """Play hands until the rows are full, and play out the choices of that kind.

    Args:
        terms: gets what `Foresight` weighs of each choice, shape (rows, terms).
        outcomes: gets what each comes to.
        first: gets 1 in the row where a position begins.

    Returns:
        How many rows there are.
    """
    s = states[0]
    k = kits[0]
    row = np.int64(0)
    while True:
        draw_below(rngs, 0, 2)
        new_match(states, 0, kits, rngs[0])
        while s.phase < HAND_OVER:
            legal(states, 0, kits, work)
            action = choose(states, 0, kits, work, weights, rngs, 0)
            if is_open(s, k, action, kind) and draw_below(rngs, 0, ONE_IN) == 0:
                if row + MOST > len(terms):
                    return row
                start = row
                while row < start + MOST:
                    legal(states, 0, kits, work)
                    chosen = choice(s, k, work, weights, note, kind, row - start)
                    if chosen < 0:
                        break
                    for n in range(_END):
                        terms[row, n] = note[TERMS + n]
                    spare[0] = states[0]
                    outcomes[row] = play_out(spare, kits, work, weights, rngs, chosen)
                    first[row] = row == start
                    row += 1
                if row == start + 1:  # no choice
                    row = start
            step(states, 0, action, kits)


def positions(options: dict[str, Any], kind: int, count: int, seed: int) -> list[np.ndarray]:
    """At least so many positions: `terms` of that kind, `outcomes` and `first` as `collect` has
    them.
    """
    kits = _game.make_kit(_game.make_rules(**options, target=None))
    states, spare = np.zeros(1, _game.STATE), np.zeros(1, _game.STATE)
    work, note = np.zeros(_game.WORK, np.int64), np.zeros(TERMS + _END)
    rngs = words(np.random.default_rng((seed, kind)), 1)
    weights = np.array(rummy500.STYLES["greedy"])
    columns = slice(*STARTS[kind : kind + 2])
    parts = []
    with tqdm(total=count, unit=" positions", desc=NAMES[STARTS[kind]]) as bar:
        while bar.n < count:
            terms, outcomes = np.zeros((CHUNK, _END), np.float32), np.zeros(CHUNK)
            first = np.zeros(CHUNK, np.int8)
            n = collect(
                states,
                spare,
                kits,
                work,
                weights,
                rngs,
                np.int64(kind),
                note,
                terms,
                outcomes,
                first,
            )
            parts.append((terms[:n, columns], outcomes[:n], first[:n]))
            bar.update(int(first[:n].sum()))
    return [np.concatenate(part) for part in zip(*parts, strict=True)]


def regress(terms: Any, outcomes: Any, first: Any, spread: float) -> tuple[Any, Any]:
    """The weights of terms, and halves of their 95 % intervals, by position."""
    starts = np.flatnonzero(first)
    counts = np.diff(np.append(starts, len(first)))

    def spreads(of_positions: Any) -> Any:
        return np.repeat(of_positions, counts, axis=0)

    value = terms[:, 0].astype(np.float64)
    share = np.exp((value - spreads(np.maximum.reduceat(value, starts))) / spread) + FLOOR
    total = np.add.reduceat(share, starts)

    def within(x: Any) -> Any:
        """Less the mean of the position; times the root of what the choice counts."""
        mean = np.add.reduceat(x * share[:, None], starts) / total[:, None]
        return (x - spreads(mean)) * np.sqrt(share)[:, None]

    x, y = within(terms.astype(np.float64)), within(outcomes[:, None])[:, 0]
    scale = np.sqrt((x * x).sum(0) / share.sum()) + 1e-9
    x /= scale
    inverse = np.linalg.inv(x.T @ x + RIDGE * share.sum() * np.eye(x.shape[1]))
    found = inverse @ (x.T @ y)
    errors = np.add.reduceat(x * (y - x @ found)[:, None], starts)
    half = 1.96 * np.sqrt(np.diag(inverse @ (errors.T @ errors) @ inverse))
    return found / scale, half / scale


def fit(pack: str, args: argparse.Namespace) -> Foresight:
    """The weights for a pack; prints them beside those in force."""
    options, present = PACKS[pack]
    found: list[float] = []
    for kind, spread in enumerate(SPREAD):
        terms, outcomes, first = positions(options, kind, args.positions, args.seed)
        weights, errors = regress(terms, outcomes, first, spread)
        for weight, error in zip(weights, errors, strict=True):
            name = NAMES[len(found)]
            print(f"{name:12} {weight:8.3g} ± {error:<8.2g} now {getattr(present, name):g}")
            found.append(float(f"{weight:.3g}"))
    return Foresight(*found)


def as_text(pack: str, far: Foresight) -> str:
    """The weights as `foresight.py` holds them."""
    lines = (f"    {name}={value:g},\n" for name, value in far._asdict().items())
    return f"{pack.upper()} = Foresight(\n{''.join(lines)})"


def report(pack: str, far: Foresight, args: argparse.Namespace) -> None:
    """Print how the weights fare against the greedy player and against those in force."""
    table = Trial("rummy500", **PACKS[pack][0])
    mine = (*rummy500.Weights(), *far, *far)
    table.margins(np.array(mine), np.array(mine), words(np.random.default_rng(0), 2))  # compiles
    for name in ("greedy", "far_sighted"):
        result = measure(table, mine, rummy500.STYLES[name], args.hands, args.seed + 1)
        print(f"{pack} vs {name:11} {result}", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--pack", choices=[*PACKS, "both"], default="both")
    parser.add_argument(
        "--positions",
        type=int,
        default=200_000,
        help="positions of each kind that are played out (default: %(default)s); 0: do not fit",
    )
    parser.add_argument(
        "--hands", type=int, default=20_000, help="hands for each line of the report; 0: none"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if min(args.positions, args.hands, args.seed) < 0:
        parser.error("--positions, --hands and --seed must be 0 or more")
    packs = PACKS if args.pack == "both" else [args.pack]
    fitted = {p: fit(p, args) if args.positions else PACKS[p][1] for p in packs}
    for pack, far in fitted.items():
        print(as_text(pack, far), flush=True)
    for pack, far in fitted.items():
        if args.hands:
            report(pack, far, args)


if __name__ == "__main__":
    main()
