"""Walks through games at random, and what a position is in plain words: for tests of any game."""

import random
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from about import about
from about.match import Move
from hypothesis import strategies as st

from rummyzoo.envs import Table
from rummyzoo.envs.cards import JOKER, card_text
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.rules import RulesError

_SHARED: dict[str, st.SearchStrategy[Any]] = {
    "num_ranks": st.integers(3, 13),
    "num_suits": st.integers(1, 4),
    "hand_size": st.integers(1, 13),
    "target": st.sampled_from((None, 20, 100, 500)),
    "max_turns": st.integers(1, 60),
    "max_hands": st.sampled_from((1, 3, 100)),
}

WALKS = {game: about(game).WALKS for game in GAMES}
GAMES_AND_WALKS = [(game, options) for game, walks in WALKS.items() for options in walks]


@st.composite
def options_by_lot(draw: st.DrawFn, game: str) -> dict[str, Any]:
    """Options of a game by lot, that go together: few at first, so that failures shrink to few."""
    module = load_game(game)
    optional = {**_SHARED, **about(game).OPTIONS}
    optional["num_players"] = st.integers(2, module.MAX_PLAYERS)
    if "pad_players" in module.Rules._fields:
        optional["pad_players"] = st.sampled_from((0, module.MAX_PLAYERS))
    chosen = draw(st.fixed_dictionaries({}, optional=optional))
    for left_out in ((), ("hand_size",), ("hand_size", "num_ranks", "num_suits", "pad_players")):
        options = {key: value for key, value in chosen.items() if key not in left_out}
        try:
            module.make_rules(**options)
        except RulesError:  # the pack is too small for so many players, say
            continue
        return options
    return {}


@st.composite
def tables(draw: st.DrawFn, game: str) -> Table:
    """A table of a game with options by lot."""
    options = draw(options_by_lot(game))
    return Table(game, draw(st.integers(0, 2**32)), **options)


def walk(table: Table, seed: int = 0, hands: int = 1) -> Iterator[Table]:
    """Play some hands at a table, eager to lay cards down; the table before every action and at the
    end of every hand. Changing the table in between is at one's own risk.
    """
    rng = random.Random(seed)
    for hand in range(hands):
        if hand:
            table.next_hand()
        while table.turn is not None:
            yield table
            table.play(choose(table, rng))
        yield table
        if table.over != "hand":
            return


def choose(table: Table, rng: random.Random) -> int:
    """One of the legal actions by lot, more often one that is rare."""
    legal = table.legal_actions().tolist()
    if rng.random() < 0.6:
        common = about(table.game.NAME).COMMON
        rare = [n for n in legal if not table.texts[n].startswith(common)]
        legal = rare or legal
    return int(rng.choice(legal))


def moves(table: Table, seed: int = 0, hands: int = 1) -> Iterator[tuple[Move, Table]]:
    """The same walk action by action: a copy of the table before it, the action; the table after
    it.
    """
    rng = random.Random(seed)
    for hand in range(hands):
        if hand:
            table.next_hand()
        while table.turn is not None:
            number = choose(table, rng)
            move = Move(table.copy(), table.texts[number])
            table.play(number)
            yield move, table
        if table.over != "hand":
            return


def position(
    game: str, hand: str, *table: str, options: dict[str, Any] | None = None, **more: Any
) -> Table:
    """Seat 0 holds a hand; melds are written with their owner: ``"7C 7D 7S by 1"``."""
    melds = [(meld[:-5].split(), int(meld[-1])) for meld in table]
    kept = {"pile": more.pop("pile", "").split(), "stock": more.pop("stock", "").split()}
    hands = {0: hand.split()} | {s: c.split() for s, c in more.pop("hands", {}).items()}
    kept |= {"phase": "play", **more}
    options = about(game).PLAIN | (options or {})
    return Table.from_position(game, hands=hands, table=melds, **kept, **options)


def some_positions(table: Table, count: int, seed: int = 0, hands: int = 1) -> list[Table]:
    """Copies of some of the positions that a walk passes."""
    seen = [position.copy() for position in walk(table, seed, hands)]
    return random.Random(seed).sample(seen, min(count, len(seen)))


# --- a position in plain words, worked out without the kernels ---


def facts(table: Table) -> SimpleNamespace:
    """The state of a table as plain numbers and lists, which are much quicker to read."""
    states = table.states
    return SimpleNamespace(**{name: states[name][0].tolist() for name in states.dtype.names or ()})


def marks(table: Table) -> set[str]:
    """What there is to notice: the phase, how the hand is over, what the game has of its own."""
    state = facts(table)
    special = about(table.game.NAME).MARKS.items()
    return {table.phase, table.over} | {
        name for name, usual in special if getattr(state, name) != usual
    }


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
    pack = Counter({face: int(table.kits[0].num_decks) for face in faces})
    pack[JOKER] = int(table.kits[0].jokers)
    return +pack


def located(table: Table, seat: int) -> Counter[int]:
    """The cards of which a seat knows where they are."""
    state = facts(table)
    found = Counter(state.pile[: state.pile_size])
    if state.open_stock:
        found += Counter(state.stock[: state.stock_size])
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
    if not state.open_stock:
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
