"""A rule set as the kernels read it: one record with the options as numbers and every table made
from them.

A game extends `FIELDS` by its own options and calls `build`. The record also fixes the *action
space*: actions are numbered in blocks (pass and draw, take, call, sets, runs, lay-offs, discards,
knocks), and what the pack or the rules make impossible has no number. A kernel says what is legal
as *words* (see `rummyzoo.envs.bits`), one word for each kind of action and joker pattern, bit by
face, by rank or by the start of a run; `write_mask` turns them into the mask.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .bits import ALL, lowest, spread, squeeze
from .cards import JOKER, RANKS, SUITS, card_text, face
from .jit import helper
from .machine import put, zero

# The words of legal actions. "By position": bit 13 * suit + position for a low end, 13 * suit +
# position - 1 for a high end,
# so that the high ace (position num_ranks) has a bit of its own.
PASS_DRAW = 0  # bit 0 pass, bit 1 draw from the stock, bit 2 turn the pile over and draw
TAKE = 1  # by face: the copy nearest the top; TAKE + 1: the second copy; TAKE + 2: jokers, by copy
CALL = 4  # likewise
SET = 7  # 13 * triple of suits + rank
SET_JOKER = 8  # 13 * pair of suits + rank; the first three pairs here, the others in SET_JOKER + 1
SET_JOKERS = 10  # two jokers and the natural card, by face
RUN = 11  # by start
RUN_JOKER = 12  # one joker at offset 0, 1, 2: three words by start
RUN_JOKERS = 15  # two jokers, the natural card at offset 0, 1, 2: three words by start
LAY_SET = 18  # by face
LAY_LOW = 19  # by position
LAY_HIGH = 20  # by position
JOKER_SET = 21  # by rank
JOKER_LOW = 22  # by position
JOKER_HIGH = 23  # by position
DISCARD = 24  # by face, the joker at bit 52
KNOCK = 25  # by the face discarded
GIN = 26  # likewise
BIG_GIN = 27  # bit 0
NUM_WORDS = 28
FIRST_PLAY, LAST_PLAY = SET, JOKER_HIGH

# The kinds of action, and what a, b, c of an action's row mean.
A_PASS, A_DRAW = 0, 1
A_TAKE, A_CALL = 2, 3  # face, copy
A_SET = 4  # rank, natural suits as bits, number of jokers
A_RUN = 5  # suit, start, offsets of the jokers as bits
A_LAY_SET = 6  # face, rank
A_LAY_LOW, A_LAY_HIGH = 7, 8  # face, suit, position
A_DISCARD = 9  # face
A_KNOCK, A_GIN = 10, 11  # face
A_BIG_GIN = 12
A_TURN = 13

TRIPLES = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
PAIRS = ((0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3))

WORK = (16, NUM_WORDS)
"""The usual shape of the scratch space of a game; players use the rows after the first."""

MAX_PLAYERS = 8
MAX_PACK = 108
MAX_ACTIONS = 1100
MAX_SEGMENTS = 40
MAX_PIECES = 48

FIELDS: list[Any] = [
    ("num_players", "i8"),
    ("num_decks", "i8"),
    ("jokers", "i8"),  # in the whole pack
    ("hand_size", "i8"),
    ("num_ranks", "i8"),
    ("num_suits", "i8"),
    ("min_pos", "i8"),  # of a run: 0 where the ace may be low, else 1
    ("max_pos", "i8"),  # num_ranks where the ace may be high, else num_ranks - 1
    ("high_ace", "i8"),
    ("target", "i8"),  # 0: none, one hand
    ("max_turns", "i8"),
    ("max_hands", "i8"),
    ("layout_players", "i8"),  # what observations and actions are laid out for
    ("layout_decks", "i8"),
    ("layout_jokers", "i8"),
    ("pack_size", "i8"),
    ("pack", "i8"),  # the faces in the pack as a word
    ("starts", "i8"),  # where a run of three may start, by start
    ("lows", "i8"),  # where a card may be laid at a low end, by position
    ("highs", "i8"),  # ... at a high end, by position
    ("value", "i8", (53,)),  # points of a face
    ("low_ace", "i8"),  # points of an ace at the low end of a run
    ("num_actions", "i8"),
    ("act", "i2", (MAX_ACTIONS, 4)),  # kind, a, b, c
    ("num_segments", "i8"),
    ("segment", "i2", (MAX_SEGMENTS, 5)),  # word, first bit, bits a lane, lanes, first action
    ("of_word", "i2", (NUM_WORDS,)),  # the segment that holds a word's faces, or -1
    ("includes", "i8", (53, NUM_WORDS)),  # which plays contain a face, as words
    ("observation_size", "i8"),
    ("offset", "i8", (MAX_PIECES,)),  # where the pieces of the observation begin, or -1
]


class Action(NamedTuple):
    """One row of the action space; the kinds are the ``A_...`` numbers of this module."""

    kind: int
    a: int = 0
    b: int = 0
    c: int = 0


def build(
    rules: Any, fields: Sequence[Any], blocks: Iterable[str], values: Sequence[int]
) -> np.ndarray:
    """The record for a rule set: shape (1,), its own options (`fields` beyond `FIELDS`) still zero.

    Args:
        rules: a resolved ``Rules`` tuple with the options that all games have. Without options
            about them there is one pack and no joker, aces are low, and nothing is padded.
        fields: the fields of the record, `FIELDS` first.
        blocks: the blocks of actions that the game has, in order.
        values: 54 numbers: the points of the 53 faces, then of a low ace.
    """
    assert not any(hasattr(np.record, name) for name, *_ in fields), "taken by NumPy"
    kits = np.zeros(1, np.dtype((np.record, np.dtype(list(fields), align=True))))
    kit = kits[0]
    ranks, suits = rules.num_ranks, rules.num_suits
    decks, jokers = getattr(rules, "num_decks", 1), getattr(rules, "jokers_per_deck", 0)
    padded, aces = getattr(rules, "pad_players", 0), getattr(rules, "ace_in_runs", "low")
    for name in ("num_players", "hand_size", "num_ranks", "num_suits", "max_turns"):
        kit[name] = getattr(rules, name)
    kit.num_decks = decks
    kit.jokers = decks * jokers
    kit.layout_players = padded or rules.num_players
    kit.layout_decks = 2 if padded > 4 and hasattr(rules, "num_decks") else decks
    kit.layout_jokers = kit.layout_decks * jokers
    kit.target = rules.target or 0
    kit.max_hands = rules.max_hands
    kit.min_pos = 1 if aces == "high" else 0
    kit.high_ace = aces != "low"
    kit.max_pos = ranks if kit.high_ace else ranks - 1
    faces = [face(rank, suit) for suit in range(suits) for rank in range(ranks)]
    kit.pack = sum(1 << f for f in faces)
    kit.pack_size = len(faces) * decks + kit.jokers
    low, high = int(kit.min_pos), int(kit.max_pos)
    kit.starts = _lanes(suits, range(low, high - 1))
    kit.lows = _lanes(suits, range(low, high - 2))
    kit.highs = _lanes(suits, range(low + 2, high))
    kit.value = values[:53]
    kit.low_ace = values[53]
    kit.of_word = -1
    rows: list[Action] = []
    for n, (word, first, width, lanes, actions) in enumerate(_segments(kit, blocks)):
        kit.segment[n] = (word, first, width, lanes, len(rows))
        if first < 52:
            kit.of_word[word] = n
        rows += actions
        kit.num_segments = n + 1
    kit.num_actions = len(rows)
    kit.act[: len(rows)] = rows
    lows, highs = int(kit.lows), int(kit.highs)
    includes = [_includes(card, ranks, low, high, lows, highs) for card in [*faces, JOKER]]
    kit.includes[[*faces, JOKER]] = includes
    return kits


def _lanes(suits: int, bits: Iterable[int]) -> int:
    return sum(1 << (13 * suit + bit) for suit in range(suits) for bit in bits)


_Segment = tuple[int, int, int, int, list[Action]]


def _segments(kit: Any, blocks: Iterable[str]) -> Iterable[_Segment]:
    """Runs of actions that stand side by side: word, first bit, bits a lane, lanes, the actions."""
    ranks, suits, jokers = int(kit.num_ranks), int(kit.num_suits), int(kit.layout_jokers)
    faces = [face(rank, suit) for suit in range(suits) for rank in range(ranks)]
    low, high = int(kit.min_pos), int(kit.max_pos)
    starts = range(low, high - 1)
    suit_bits = [1 << s for s in range(4)]

    def cards_by_copy(word: int, kind: int) -> Iterable[_Segment]:
        for copy in range(int(kit.layout_decks)):
            yield word + copy, 0, ranks, suits, [Action(kind, f, copy) for f in faces]
        if jokers:
            yield word + 2, 0, jokers, 1, [Action(kind, JOKER, copy) for copy in range(jokers)]

    def sets(word: int, groups: Sequence[Sequence[int]], num_jokers: int) -> Iterable[_Segment]:
        groups = [g for g in groups if max(g) < suits]
        if groups:
            actions = [
                Action(A_SET, rank, sum(suit_bits[s] for s in group), num_jokers)
                for group in groups
                for rank in range(ranks)
            ]
            yield word, 0, ranks, len(groups), actions

    def runs(word: int, joker_bits: int) -> Iterable[_Segment]:
        actions = [
            Action(A_RUN, suit, start, joker_bits) for suit in range(suits) for start in starts
        ]
        if actions:
            yield word, low, len(starts), suits, actions

    def ends(word: int, kind: int, positions: range, shift: int, joker: bool) -> Iterable[_Segment]:
        actions = [
            Action(kind, JOKER if joker else face(p % ranks, suit), suit, p)
            for suit in range(suits)
            for p in positions
        ]
        if actions:
            yield word, positions.start - shift, len(positions), suits, actions

    low_ends, high_ends = range(low, high - 2), range(low + 3, high + 1)
    for block in blocks:
        if block == "pass":
            yield PASS_DRAW, 0, 2, 1, [Action(A_PASS), Action(A_DRAW)]
        elif block == "turn":
            yield PASS_DRAW, 1, 2, 1, [Action(A_DRAW), Action(A_TURN)]
        elif block == "pass, turn":
            yield PASS_DRAW, 0, 3, 1, [Action(A_PASS), Action(A_DRAW), Action(A_TURN)]
        elif block == "take":
            yield from cards_by_copy(TAKE, A_TAKE)
        elif block == "call":
            yield from cards_by_copy(CALL, A_CALL)
        elif block == "set":
            yield from sets(SET, TRIPLES, 0)
            if jokers >= 1:
                yield from sets(SET_JOKER, PAIRS[:3], 1)
                yield from sets(SET_JOKER + 1, PAIRS[3:], 1)
            if jokers >= 2:
                yield from sets(SET_JOKERS, [(s,) for s in range(4)], 2)
        elif block == "run":
            yield from runs(RUN, 0)
            for offset in range(3 if jokers >= 1 else 0):
                yield from runs(RUN_JOKER + offset, 1 << offset)
            for offset in range(3 if jokers >= 2 else 0):
                yield from runs(RUN_JOKERS + offset, 7 & ~(1 << offset))
        elif block == "lay":
            yield LAY_SET, 0, ranks, suits, [Action(A_LAY_SET, f, f % 13) for f in faces]
            yield from ends(LAY_LOW, A_LAY_LOW, low_ends, 0, False)
            yield from ends(LAY_HIGH, A_LAY_HIGH, high_ends, 1, False)
            if jokers:
                yield JOKER_SET, 0, ranks, 1, [Action(A_LAY_SET, JOKER, r) for r in range(ranks)]
                yield from ends(JOKER_LOW, A_LAY_LOW, low_ends, 0, True)
                yield from ends(JOKER_HIGH, A_LAY_HIGH, high_ends, 1, True)
        elif block == "discard":
            yield DISCARD, 0, ranks, suits, [Action(A_DISCARD, f) for f in faces]
            if jokers:
                yield DISCARD, 52, 1, 1, [Action(A_DISCARD, JOKER)]
        elif block == "knock":
            yield KNOCK, 0, ranks, suits, [Action(A_KNOCK, f) for f in faces]
        elif block == "gin":
            yield GIN, 0, ranks, suits, [Action(A_GIN, f) for f in faces]
        elif block == "big gin":
            yield BIG_GIN, 0, 1, 1, [Action(A_BIG_GIN)]
        else:
            raise ValueError(f"no block of actions is called {block!r}")


def _includes(
    card: int, ranks: int, min_pos: int, max_pos: int, lows: int, highs: int
) -> list[int]:
    """For each word of plays, the plays that contain a card of this face."""
    words = [0] * NUM_WORDS
    if card == JOKER:
        sets, runs = range(SET_JOKER, RUN), range(RUN_JOKER, LAY_SET)
        for word in (*sets, *runs, JOKER_SET, JOKER_LOW, JOKER_HIGH):
            words[word] = ALL
        return words
    suit, rank = divmod(card, 13)
    for n, triple in enumerate(TRIPLES):
        words[SET] |= (suit in triple) << (13 * n + rank)
    for n, pair in enumerate(PAIRS):
        words[SET_JOKER + n // 3] |= (suit in pair) << (13 * (n % 3) + rank)
    words[SET_JOKERS] = 1 << card
    positions = {rank, ranks} if rank == 0 else {rank}
    for position in positions & set(range(min_pos, max_pos + 1)):
        for offset in range(3):
            if not min_pos <= position - offset <= max_pos - 2:
                continue
            bit = 1 << (13 * suit + position - offset)
            words[RUN] |= bit
            for joker in range(3):
                words[RUN_JOKER + joker] |= bit if joker != offset else 0
            words[RUN_JOKERS + offset] |= bit
        words[LAY_LOW] |= 1 << (13 * suit + position) & lows if position < 13 else 0
        words[LAY_HIGH] |= 1 << (13 * suit + position - 1) & highs if position else 0
    words[LAY_SET] = 1 << card
    return words


def texts(kit: Any) -> list[str]:
    """The action space as text, in the order of the numbers."""
    ranks = int(kit.num_ranks)
    rows = kit.act[: int(kit.num_actions)].tolist()
    return [action_text(Action(*row), ranks) for row in rows]


def at_position(position: int, suit: int, num_ranks: int) -> str:
    """The card at a position of a suit's run, as text."""
    return RANKS[position if position < num_ranks else 0] + SUITS[suit]


def action_text(action: Action, num_ranks: int) -> str:
    """An action in its canonical words; the same for every state."""
    kind, a, b, c = action
    if kind == A_PASS:
        return "pass"
    if kind == A_DRAW:
        return "draw stock"
    if kind in (A_TAKE, A_CALL):
        copy = f" {b + 1}" if b else ""
        return ("take " if kind == A_TAKE else "call ") + card_text(a) + copy
    if kind == A_SET:
        cards = [card_text(face(a, s)) for s in range(4) if b >> s & 1] + [f"JK({RANKS[a]})"] * c
        return "meld " + " ".join(cards)
    if kind == A_RUN:
        cards = [at_position(b + o, a, num_ranks) for o in range(3)]
        return "meld " + " ".join(f"JK({t})" if c >> o & 1 else t for o, t in enumerate(cards))
    if kind == A_LAY_SET:
        return f"lay {card_text(a) if a != JOKER else f'JK({RANKS[b]})'} on {RANKS[b]}"
    if kind in (A_LAY_LOW, A_LAY_HIGH):
        card = at_position(c, b, num_ranks)
        beside = at_position(c + 1 if kind == A_LAY_LOW else c - 1, b, num_ranks)
        return f"lay {f'JK({card})' if a == JOKER else card} on {beside}"
    if kind == A_TURN:
        return "turn pile"
    if kind == A_BIG_GIN:
        return "big gin"
    return {A_DISCARD: "discard ", A_KNOCK: "knock with ", A_GIN: "gin with "}[kind] + card_text(a)


@helper
def action_of(k, word, bit):
    """The number of the action at a bit of a word."""
    n = k.of_word[word]
    if word == DISCARD and bit == JOKER:
        n += 1
        return k.segment[n, 4]
    width = k.segment[n, 2]
    low = k.segment[n, 1]
    if word >= TAKE and k.segment[n, 3] == 1:
        return k.segment[n, 4] + bit - low
    lane = bit // 13
    return k.segment[n, 4] + lane * width + bit - 13 * lane - low


@helper(forceinline=True)
def filled(words):
    """Which words have bits, as bits by the word's number."""
    found = np.int64(0)
    for w in range(NUM_WORDS):
        found |= np.int64(words[w] != 0) << w
    return found


@helper(forceinline=True)
def write_mask(k, words, mask):
    """Write the mask of the legal actions that the words hold."""
    zero(mask)
    left = filled(words)
    while left:
        w = lowest(left)
        left &= left - 1
        word = words[w]
        n = np.int64(k.of_word[w])
        first = np.int64(k.segment[n, 1])
        width = np.int64(k.segment[n, 2])
        lanes = np.int64(k.segment[n, 3])
        word = word >> first if lanes == 1 else squeeze(word, lanes, first, width)
        spread(word, width * lanes, mask, np.int64(k.segment[n, 4]))
    if (words[DISCARD] >> JOKER) & 1:  # which has a segment of its own
        put(mask, action_of(k, np.int64(DISCARD), np.int64(JOKER)), 1)
