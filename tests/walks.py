"""Walks through games at random, and what a position is in plain words: for tests of any game."""

import random
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from rummyzoo.envs import Table
from rummyzoo.envs.cards import JOKER, card_text
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.rules import RulesError

_SHARED: dict[str, Any] = {
    "num_ranks": st.integers(3, 13),
    "num_suits": st.integers(1, 4),
    "hand_size": st.integers(1, 13),
    "target": st.sampled_from((None, 20, 100, 500)),
    "max_turns": st.integers(1, 60),
    "max_hands": st.sampled_from((None, 1, 3)),
}
_OF_GAME: dict[str, dict[str, Any]] = {
    "rummy500": {
        "num_players": st.integers(2, 8),
        "num_decks": st.sampled_from((1, 2)),
        "jokers_per_deck": st.integers(0, 2),
        "scoring": st.sampled_from(("face", "5_10_15")),
        "ace_in_runs": st.sampled_from(("both", "low", "high")),
        "ace_low_value": st.sampled_from((1, 5, 15)),
        "top_discard_must_meld": st.booleans(),
        "deep_pick_timing": st.sampled_from(("first", "before_discard")),
        "deep_pick_uses_picked": st.booleans(),
        "calling_rummy": st.booleans(),
        "rummy_persistent": st.booleans(),
        "going_out": st.sampled_from(("discard_optional", "discard_required", "float")),
        "final_discard_unplayable": st.booleans(),
        "stock_out": st.sampled_from(("until_declined", "immediate")),
        "pad_players": st.sampled_from((0, 8)),
    }
}
WALKS: dict[str, list[dict[str, Any]]] = {
    "rummy500": [
        {"num_players": 2},
        {"num_players": 3, "jokers_per_deck": 0, "rummy_persistent": False, "target": 150},
        {"num_players": 4, "deep_pick_timing": "before_discard", "deep_pick_uses_picked": False},
        {"num_players": 5, "going_out": "float", "target": 60},
        {"num_players": 8, "jokers_per_deck": 1, "deep_pick_uses_picked": False},
        {"num_players": 3, "pad_players": 8, "going_out": "discard_required", "target": None},
        {"num_players": 3, "num_ranks": 5, "num_suits": 3, "target": 60, "hand_size": 3},
    ]
}
"""Options for each game that lead through all of its phases."""

GAMES_AND_WALKS = [(game, options) for game in GAMES for options in WALKS.get(game, [{}])]


@st.composite
def tables(draw: st.DrawFn, game: str | None = None) -> Table:
    """A table of a game with options by lot: few at first, so that failures shrink to few."""
    name = game or draw(st.sampled_from(GAMES))
    optional = {**_SHARED, **_OF_GAME.get(name, {})}
    chosen = draw(st.fixed_dictionaries({}, optional=optional))
    seed = draw(st.integers(0, 2**32))
    for left_out in ((), ("hand_size",), ("hand_size", "num_ranks", "num_suits", "pad_players")):
        options = {key: value for key, value in chosen.items() if key not in left_out}
        try:
            return Table(name, seed, **options)
        except RulesError:  # the pack is too small for so many players, say
            continue
    return Table(name, seed)


def walk(table: Table, seed: int = 0, hands: int = 1) -> Iterator[Table]:
    """Play some hands at a table, eager to lay cards down; the table before every action and at the
    end of every hand. Changing the table in between is at one's own risk.
    """
    rng = random.Random(seed)
    for _ in range(hands):
        while table.turn is not None:
            yield table
            table.play(choose(table, rng))
        yield table
        if table.over != "hand":
            return
        table.next_hand()


def choose(table: Table, rng: random.Random) -> int:
    """One of the legal actions by lot, more often one that is rare."""
    legal = table.legal_actions().tolist()
    if rng.random() < 0.6:
        rare = [n for n in legal if not table.texts[n].startswith(("discard", "draw", "pass"))]
        legal = rare or legal
    return int(rng.choice(legal))


TWO: dict[str, Any] = {"jokers_per_deck": 0}
THREE: dict[str, Any] = {"jokers_per_deck": 0, "num_players": 3}


def position(hand: str, *table: str, options: dict[str, Any] | None = None, **more: Any) -> Table:
    """Seat 0 holds a hand; melds are written with their owner: ``"7C 7D 7S by 1"``."""
    melds = [(meld[:-5].split(), int(meld[-1])) for meld in table]
    kept = {"pile": more.pop("pile", "").split(), "stock": more.pop("stock", "").split()}
    hands = {0: hand.split()} | {s: c.split() for s, c in more.pop("hands", {}).items()}
    kept |= {"phase": "play", **more}
    return Table.from_position("rummy500", hands=hands, table=melds, **kept, **(options or TWO))


def some_positions(table: Table, count: int, seed: int = 0, hands: int = 1) -> list[Table]:
    """Copies of some of the positions that a walk passes."""
    seen = [position.copy() for position in walk(table, seed, hands)]
    return random.Random(seed).sample(seen, min(count, len(seen)))


# --- a position in plain words, worked out without the kernels ---


def facts(table: Table) -> SimpleNamespace:
    """The state of a table as plain numbers and lists, which are much quicker to read."""
    states = table.states
    return SimpleNamespace(**{name: states[name][0].tolist() for name in states.dtype.names or ()})


def cards_of(state: SimpleNamespace, prefix: str, seat: int) -> Counter[int]:
    """The faces in one of the triples of words of a seat ("", "known_", "laid_"), counted."""
    one, two = getattr(state, f"{prefix}one")[seat], getattr(state, f"{prefix}two")[seat]
    assert not two & ~one, "a card that is there twice must be there once"
    counts = Counter[int]()
    while one:
        face = one.bit_length() - 1
        counts[face] = 1 + (two >> face & 1)
        one ^= 1 << face
    if jokers := getattr(state, f"{prefix}jokers")[seat]:
        counts[JOKER] = jokers
    return counts


def full_pack(table: Table) -> Counter[int]:
    """All cards of a table's pack."""
    rules = table.rules
    faces = [13 * s + r for s in range(rules.num_suits) for r in range(rules.num_ranks)]
    pack = Counter({face: int(rules.num_decks) for face in faces})
    pack[JOKER] = int(table.kits[0].jokers)
    return +pack


def located(table: Table, seat: int) -> Counter[int]:
    """The cards of which a seat knows where they are."""
    state = facts(table)
    found = Counter(state.pile[: state.pile_size])
    for other in range(table.num_players):
        found += cards_of(state, "laid_", other)
        found += cards_of(state, "" if other == seat else "known_", other)
    return found


def dealt_anew(table: Table, seat: int, seed: int) -> Table:
    """A copy in which all that a seat cannot see is dealt anew, card by card, in plain Python."""
    other = table.copy()
    record, state, rng = other.state, facts(table), random.Random(seed)
    cards = sorted((full_pack(table) - located(table, seat)).elements())
    rng.shuffle(cards)
    for q in range(table.num_players):
        if q == seat:
            continue
        hand = cards_of(state, "known_", q)
        while hand.total() < state.hand_size[q]:
            hand[cards.pop()] += 1
        record.one[q] = sum(1 << f for f in hand if f != JOKER)
        record.two[q] = sum(1 << f for f, n in hand.items() if f != JOKER and n == 2)
        record.jokers[q] = hand[JOKER]
    assert len(cards) == state.stock_size
    record.stock[: len(cards)] = cards
    record.rng = rng.getrandbits(63) | 1
    return other


def observations(table: Table) -> np.ndarray:
    """What each seat sees, (players, size)."""
    return np.stack([table.observation(seat) for seat in range(table.num_players)])


def spelled(counts: Counter[int]) -> str:
    """Cards as text, for messages."""
    return " ".join(card_text(c) for c in sorted(counts.elements()))
