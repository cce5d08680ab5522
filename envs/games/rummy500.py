"""Rummy 500: the rules, the state, and the moves.

Two to eight players collect sets and runs, lay them down for points, lay single cards off on anybody's melds for points of their own, and may
take not only the top of the discard pile but any card in it, with all cards above, if they play that card at once. When somebody
goes out, or the stock is used up and a player declines the pile, every player scores the cards played less the cards
held. Hands are played until someone has 500 points.

**A turn.** Draw the top of the stock, or take the top discard, or take a deeper discard with all cards above it. Then play any
number of melds and lay-offs, then discard one card (unless the last card was played).

**Taking from the pile.** Who takes only the top card need not use it, but may not discard that face this turn (nor its twin from a second
pack). Who takes several must play the deepest of them; until then (`deep_pick_timing="first"`) only plays with that card
are legal. Several cards laid on one end of one run count as one play: the cards that lead up to the deep card may be laid first, and
once begun the lay-off is carried on at that end. With `"before_discard"` other plays may come first as long as the card can still be played. With
`deep_pick_uses_picked=False` the cards taken along are frozen until it is played. A card counts as played when a card of its
face is played.

**Calling rummy** (three players or more). After a discard that leaves the pile with a card that could be played with nothing but the cards above
it and the melds on the table, everyone but the discarder is asked in turn, from the discarder's left. Who calls takes that card and all
above it, must play it first (other cards of the hand may help; nothing taken is frozen), may not discard a single card so taken, and finishes the turn;
play goes on at the caller's left. There is no call after a discard that ends the hand, nor after a floating turn, in which nothing is discarded.

**Jokers** stand for any card: in a run for the card of their place, in a set for no suit in particular; there they stay. A meld has at least one natural card.

**The end of a hand.** Somebody has no cards left (with `going_out="discard_required"` the last card must be discarded; with `"float"` a player who plays the last
card floats: the turn ends, the hand goes on, and only a discarded last card ends it); a player passes with an empty stock; stock and pile are
both empty; with `stock_out="immediate"` the turn that empties the stock ends it. With an empty stock, as many turns as there are players, each of
which took from the pile and played nothing, count as declining.

**No dead ends.** Whatever is legal leaves a way to end the turn: a pick, call or play after which neither a discard nor further plays could end it is itself
illegal. `max_turns` (four turns for each card of the pack unless set) and `max_hands` bound what is left; reaching them truncates, and an unfinished hand scores nothing.

**Points.** Two to ten by their number, court cards 10, ace 15 (at the low end of a run 1), joker 15; `scoring="5_10_15"`: two to nine 5, ten to king 10, low ace 5.

Version history: 0, the first.
"""

from typing import Any, NamedTuple

import numpy as np

from .. import kit, melds
from ..bits import lowest
from ..cards import JOKER, NOBODY, card_text
from ..deal import below, shuffle
from ..jit import helper, kernel
from ..observe import (
    NUM_CORE,
    Piece,
    core_pieces,
    lay_out,
    observe_core,
    redeal,
    seats_left,
    write_cards,
)
from ..rules import RulesError, merge, one_of, settle_hand_size, settle_pack, whole
from ..state import (
    CALL,
    CORE,
    DRAW,
    HAND_OVER,
    MATCH_OVER,
    PLAY,
    PUBLIC,
    TRUNCATED,
    Field,
    add_card,
    add_known,
    copies_in_hand,
    drop_card,
    forget_card,
    left_of,
    points_of,
    state_dtype,
)

NAME = "rummy500"
TITLE = "Rummy 500"
VERSION = 0
MAX_PLAYERS = 8

NO, YES, UNDECIDED = 0, 1, 2
WORK = (32, kit.NUM_WORDS)
"""The shape of the scratch space: two rows for each play of a look ahead (a run has fourteen places)."""


class Rules(NamedTuple):
    """The options of Rummy 500; ``"auto"`` is filled in by `make_rules`."""

    num_players: int = 2
    num_decks: int | str = "auto"  # 1 for two to four players, else 2
    jokers_per_deck: int = 2
    hand_size: int | str = "auto"  # 13 for two players, else 7
    scoring: str = "face"  # "5_10_15"
    ace_in_runs: str = "both"  # "low", "high"
    ace_low_value: int | str = "auto"  # 1; 5 with scoring="5_10_15"
    top_discard_must_meld: bool = False
    deep_pick_timing: str = "first"  # "before_discard"
    deep_pick_uses_picked: bool = True
    calling_rummy: bool = True
    rummy_persistent: bool = True
    going_out: str = "discard_optional"  # "discard_required", "float"
    final_discard_unplayable: bool = False
    stock_out: str = "until_declined"  # "immediate"
    num_ranks: int = 13
    num_suits: int = 4
    target: int | None = 500
    max_turns: int | str = "auto"  # four turns for each card of the pack
    max_hands: int | None = 100
    pad_players: int = 0  # spaces as large as for so many players; 0: for num_players


PRESETS: dict[str, dict[str, Any]] = {
    "RUMMY_500": {},
    "RUMMY_500_NO_JOKERS": {"jokers_per_deck": 0},
    "RUMMY_500_BICYCLE": {
        "jokers_per_deck": 0,
        "top_discard_must_meld": True,
        "calling_rummy": False,
    },
    "RUMMY_500_FLOATING": {"going_out": "float"},
    "RUMMY_500_5_10_15": {"scoring": "5_10_15"},
    "RUMMY_500_BOATHOUSE": {"going_out": "discard_required"},
}


def make_rules(preset: str | None = None, **options: Any) -> Rules:
    """The rules with these options on top of a preset, every ``"auto"`` filled in.

    >>> make_rules(num_players=5).num_decks
    2

    Raises:
        RulesError: an unknown preset or option, or a value that is not possible; the sentence says what is.
    """
    o = merge(Rules, PRESETS, preset, options)
    pack = settle_pack(o, MAX_PLAYERS)
    settle_hand_size(o, pack, 13 if o["num_players"] == 2 else 7)
    one_of(o, "scoring", ("face", "5_10_15"))
    one_of(o, "ace_in_runs", ("both", "low", "high"))
    if o["ace_low_value"] == "auto":
        o["ace_low_value"] = 5 if o["scoring"] == "5_10_15" else 1
    one_of(o, "ace_low_value", (1, 5, 15))
    one_of(o, "deep_pick_timing", ("first", "before_discard"))
    one_of(o, "going_out", ("discard_optional", "discard_required", "float"))
    one_of(o, "stock_out", ("until_declined", "immediate"))
    for name in (
        "top_discard_must_meld",
        "deep_pick_uses_picked",
        "calling_rummy",
        "rummy_persistent",
        "final_discard_unplayable",
    ):
        one_of(o, name, (False, True))
    whole(o, "target", 1, 10_000, none=True)
    if o["max_turns"] == "auto":
        o["max_turns"] = 4 * pack
    whole(o, "max_turns", 1, 10_000)
    whole(o, "max_hands", 1, 10_000, none=True)
    if o["num_decks"] == 2 and 0 < o["pad_players"] < 5:
        raise RulesError(
            "pad_players below 5 pads for one pack; set num_decks=1 or pad_players to 5 or more"
        )
    return Rules(**o)


STATE_FIELDS = (
    *CORE,
    Field("due", "u1", (), PUBLIC, "the face that must be played this turn, or 255"),
    Field("due_first", "u1", (), PUBLIC, "1: before any other play"),
    Field(
        "bridge_step",
        "i1",
        (),
        PUBLIC,
        "1, -1: a lay-off that leads up to the due card goes on up, down; 0: none",
    ),
    Field("bridge_suit", "u1", (), PUBLIC, "... on a run of this suit"),
    Field("bridge_place", "u1", (), PUBLIC, "... at this position"),
    Field("barred", "u1", (), PUBLIC, "the face that may not be discarded this turn, or 255"),
    Field("frozen_one", "i8", (), PUBLIC, "faces that may not be played before the due card"),
    Field("frozen_two", "i8", (), PUBLIC, "... twice"),
    Field("frozen_jokers", "u1", (), PUBLIC, "... jokers"),
    Field("from_pile", "u1", (), PUBLIC, "1: this turn began with a card from the pile"),
    Field("played", "u1", (), PUBLIC, "1: something was played this turn"),
    Field("idle", "u1", (), PUBLIC, "turns since the stock ran out in which nothing was played"),
    Field("discarder", "u1", (), PUBLIC, "who discarded last, while others are asked to call"),
    Field(
        "callable",
        "i8",
        (2,),
        PUBLIC,
        "pile cards that may be called now, 54 bits a word from the bottom",
    ),
    Field(
        "chances",
        "i8",
        (2,),
        PUBLIC,
        "pile cards that could be played as the last discard was made",
    ),
)
STATE = state_dtype(STATE_FIELDS)

KIT_FIELDS = (
    *kit.FIELDS,
    ("top_must_meld", "i8"),
    ("before_discard", "i8"),
    ("uses_picked", "i8"),
    ("calling", "i8"),
    ("persistent", "i8"),
    ("discard_required", "i8"),
    ("floating", "i8"),
    ("final_unplayable", "i8"),
    ("immediate", "i8"),
)


def make_kit(rules: Rules) -> np.ndarray:
    """The rules as the kernels read them (see `rummyzoo.envs.kit`)."""
    if rules.scoring == "face":
        by_rank = [15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    else:
        by_rank = [15] + [5] * 8 + [10] * 4
    calling = rules.calling_rummy and max(rules.num_players, rules.pad_players) > 2
    blocks = ["pass", "take", *(["call"] if calling else []), "set", "run", "lay", "discard"]
    values = [*by_rank * 4, 15, rules.ace_low_value]
    kits = kit.build(rules, KIT_FIELDS, blocks, values)  # type: ignore[arg-type]
    k = kits[0]
    k.top_must_meld = rules.top_discard_must_meld
    k.before_discard = rules.deep_pick_timing == "before_discard"
    k.uses_picked = rules.deep_pick_uses_picked
    k.calling = rules.calling_rummy and rules.num_players > 2
    k.persistent = rules.rummy_persistent
    k.discard_required = rules.going_out == "discard_required"
    k.floating = rules.going_out == "float"
    k.final_unplayable = rules.final_discard_unplayable
    k.immediate = rules.stock_out == "immediate"
    lay_out(k, pieces(rules, k))
    return kits


def pieces(rules: Rules, k: Any) -> list[Piece]:
    """The pieces of the observation, in order; `k` is the kit's record."""
    decks, jokers = int(k.layout_decks), int(k.layout_jokers)
    cards = 53 if jokers else 52
    players = int(k.layout_players)
    asked = players if rules.calling_rummy and players > 2 else 0
    frozen = 0 if rules.deep_pick_uses_picked else cards
    chances = 0 if rules.rummy_persistent or not asked else 1
    return [
        *core_pieces(k, 3),
        Piece("due", (cards,), 0, 1, "the face that must be played this turn", 1),
        Piece("due_first", (1,), 0, 1, "whether before any other play"),
        Piece(
            "bridge",
            (3,),
            -1,
            14,
            "a lay-off under way to the due card: direction, suit from 1, position",
        ),
        Piece("barred", (cards,), 0, 1, "the face that may not be discarded this turn", 1),
        Piece(
            "frozen",
            (frozen,),
            0,
            decks,
            "cards that may not be played before the due card",
            jokers,
        ),
        Piece("from_pile", (1,), 0, 1, "whether this turn began with the pile"),
        Piece("played", (1,), 0, 1, "whether something was played this turn"),
        Piece("idle", (1,), 0, players, "turns without a play since the stock ran out"),
        Piece("discarder", (asked,), 0, 1, "whose discard may be called"),
        Piece(
            "callable",
            (decks if asked else 0, 52),
            0,
            1,
            "pile cards that may be called, top copy in row 0",
        ),
        Piece(
            "callable_jokers",
            (jokers if asked else 0,),
            0,
            1,
            "jokers in the pile that may be called",
        ),
        Piece(
            "chances",
            (decks * chances, 52),
            0,
            1,
            "pile cards that could be played at the last discard",
        ),
        Piece("chances_jokers", (jokers * chances,), 0, 1, "... jokers"),
    ]


# --- what is legal ---


@kernel
def legal(states, i, kits, work):
    """Write the words of all legal actions of table `i` into ``work[0]``; all zero when the hand is over.

    `work` is scratch space, int64 of shape ``WORK``.
    """
    s = states[i]
    k = kits[0]
    words = work[0]
    words[:] = 0
    p = np.int64(s.turn)
    if s.phase == DRAW:
        words[kit.PASS_DRAW] = 1 if s.stock_size == 0 else 2
        legal_takes(k, s, p, work)
    elif s.phase == PLAY:
        legal_plays(k, s, p, work)
        legal_discards(k, s, p, words)
    elif s.phase == CALL:
        words[kit.PASS_DRAW] = 1
        legal_calls(k, s, p, work)


@helper
def legal_takes(k, s, p, work):
    """What may be taken from the pile in a draw: the top card, or a deeper one that can be played at once."""
    words = work[0]
    above = np.int64(0)
    jokers_above = np.int64(0)
    for at in range(np.int64(s.pile_size) - 1, -1, -1):
        card = np.int64(s.pile[at])
        if may_take(k, s, p, at, card, above, jokers_above, work):
            if card == JOKER:
                words[kit.TAKE + 2] |= 1 << jokers_above
            elif (above >> card) & 1:
                words[kit.TAKE + 1] |= 1 << card
            else:
                words[kit.TAKE] |= 1 << card
        if card == JOKER:
            jokers_above += 1
        else:
            above |= 1 << card


@helper
def may_take(k, s, p, at, card, above, jokers_above, work):
    """Whether taking the pile from index `at` up leaves a turn that can be ended."""
    single = at == np.int64(s.pile_size) - 1
    call = s.phase == CALL
    if single and not call and not k.top_must_meld:
        others = np.int64(s.hand_size[p]) - copies_in_hand(s, p, card)
        if others > 0:
            return True
    else:
        hand = s.one[p]
        jokers = np.int64(s.jokers[p])
        if k.uses_picked or call:
            hand |= above
            jokers += jokers_above
        if not melds.playable(k, s, card, hand, jokers):
            return False
        if not k.discard_required and not single:
            return True
        if np.int64(s.hand_size[p]) + np.int64(s.pile_size) - at >= 8:
            return True
    one = s.one[p]
    two = s.two[p]
    jokers = s.jokers[p]
    size = s.hand_size[p]
    for n in range(at, np.int64(s.pile_size)):
        add_card(s, p, np.int64(s.pile[n]))
    oblige(k, s, at)
    ends = can_end(k, s, p, np.int64(-1), work)
    release(s)
    s.barred = NOBODY
    s.one[p] = one
    s.two[p] = two
    s.jokers[p] = jokers
    s.hand_size[p] = size
    return ends


@helper
def legal_calls(k, s, p, work):
    """Which cards of the pile a player may call."""
    words = work[0]
    above = np.int64(0)
    jokers_above = np.int64(0)
    for at in range(np.int64(s.pile_size) - 1, -1, -1):
        card = np.int64(s.pile[at])
        if (s.callable[at // 54] >> (at % 54)) & 1:
            if may_take(k, s, p, at, card, above, jokers_above, work):
                if card == JOKER:
                    words[kit.CALL + 2] |= 1 << jokers_above
                elif (above >> card) & 1:
                    words[kit.CALL + 1] |= 1 << card
                else:
                    words[kit.CALL] |= 1 << card
        if card == JOKER:
            jokers_above += 1
        else:
            above |= 1 << card


@kernel
def usable(s, p):
    """The faces of a hand that may be played: all but the frozen ones."""
    return (s.one[p] & ~s.frozen_one) | (s.two[p] & ~s.frozen_two)


@helper
def candidate_plays(k, s, p, words):
    """The plays that hand, table and obligation allow, whether or not the turn could be ended after them."""
    hand = usable(s, p)
    jokers = np.int64(s.jokers[p]) - np.int64(s.frozen_jokers)
    due = np.int64(s.due)
    if due == NOBODY or not s.due_first:
        melds.plays(k, s, hand, jokers, words)
        return
    # What there is beside the due card.
    others = hand
    other_jokers = jokers
    if due == JOKER:
        other_jokers -= 1
    elif not (s.two[p] >> due) & 1:
        others &= ~(np.int64(1) << due)
    if s.bridge_step == 0:
        melds.plays(k, s, hand, jokers, words)
        for w in range(kit.FIRST_PLAY, kit.LAST_PLAY + 1):
            words[w] &= k.includes[due, w]
        melds.bridges(k, s, due, others, other_jokers, words)
        return
    melds.no_plays(words)
    suit = np.int64(s.bridge_suit)
    spot = np.int64(s.bridge_place)
    step = np.int64(s.bridge_step)
    have = melds.positions(k, others, suit)
    melds.bridge(k, due, suit, spot, step, have, other_jokers, words)
    bit = 1 << (13 * suit + (spot - 1 if step > 0 else spot))
    if due == JOKER:
        words[kit.JOKER_HIGH if step > 0 else kit.JOKER_LOW] |= bit
    elif spot == melds.first_position(k, due) or spot == melds.last_position(k, due):
        words[kit.LAY_HIGH if step > 0 else kit.LAY_LOW] |= bit


@helper
def legal_plays(k, s, p, work):
    """The plays after which the turn can be ended."""
    words = work[0]
    candidate_plays(k, s, p, words)
    narrow = k.discard_required or s.barred != NOBODY
    if s.due == NOBODY:
        if not narrow:
            return
        barred = np.int64(0)
        if s.barred != NOBODY:
            barred = copies_in_hand(s, p, np.int64(s.barred))
        # A play takes at most three cards; two that may be discarded are enough to go on with.
        if np.int64(s.hand_size[p]) - barred >= 5:
            return
    elif s.due_first and not narrow:
        return
    for w in range(kit.FIRST_PLAY, kit.LAST_PLAY + 1):
        left = words[w]
        while left:
            bit = lowest(left)
            left &= left - 1
            if not can_end(k, s, p, kit.action_of(k, w, bit), work):
                words[w] &= ~(np.int64(1) << bit)


@helper
def legal_discards(k, s, p, words):
    """Which cards may be discarded."""
    if s.due != NOBODY:
        return
    if k.final_unplayable and s.hand_size[p] == 1 and fits_table(k, s, p):
        return
    cards = s.one[p]
    joker = s.jokers[p] > 0
    if s.barred == JOKER:
        joker = False
    elif s.barred != NOBODY:
        cards &= ~(np.int64(1) << np.int64(s.barred))
    words[kit.DISCARD] = cards | (np.int64(joker) << JOKER)


@helper
def fits_table(k, s, p):
    """Whether the only card of a hand could be laid off."""
    if s.jokers[p]:
        return melds.places_for(k, s, np.int64(JOKER)) > 0
    return melds.places_for(k, s, lowest(s.one[p])) > 0


@helper
def can_end(k, s, p, action, work):
    """Whether the turn can be ended after a play (-1: from here); the state is as before when this returns.

    A search by depth without recursion (which a disk cache does not survive): row ``2 * depth`` of `work` holds the plays that
    are left to try, the row after it what the play that led there has changed.
    """
    depth = 1
    if action >= 0:
        try_play(k, s, p, action, work[3])
    verdict = judge(k, s, p, work[2])
    while verdict == UNDECIDED:
        further = next_play(k, work[2 * depth])
        if further >= 0:
            depth += 1
            try_play(k, s, p, further, work[2 * depth + 1])
            verdict = judge(k, s, p, work[2 * depth])
            if verdict == NO:
                undo_play(s, p, work[2 * depth + 1])
                depth -= 1
                verdict = UNDECIDED
        elif depth > 1:
            undo_play(s, p, work[2 * depth + 1])
            depth -= 1
        else:
            verdict = NO
    while depth > 1:
        undo_play(s, p, work[2 * depth + 1])
        depth -= 1
    if action >= 0:
        undo_play(s, p, work[3])
    return verdict == YES


@helper
def next_play(k, words):
    """Take the first play out of some words; -1 when there is none left."""
    for w in range(kit.FIRST_PLAY, kit.LAST_PLAY + 1):
        if words[w]:
            bit = lowest(words[w])
            words[w] &= words[w] - 1
            return kit.action_of(k, w, bit)
    return np.int64(-1)


@helper
def try_play(k, s, p, action, before):
    """Lay down a play for a look ahead; what it changes is kept in `before` for `undo_play`."""
    before[0] = s.one[p]
    before[1] = s.two[p]
    before[2] = s.jokers[p]
    before[3] = s.hand_size[p]
    before[4] = s.due
    before[5] = s.due_first
    before[6] = s.bridge_step
    before[7] = s.bridge_suit
    before[8] = s.bridge_place
    before[9] = s.frozen_one
    before[10] = s.frozen_two
    before[11] = s.frozen_jokers
    before[12] = s.open_set
    before[13] = s.open_low
    before[14] = s.open_high
    before[15] = s.open_joker
    kind = np.int64(k.act[action, 0])
    a = np.int64(k.act[action, 1])
    b = np.int64(k.act[action, 2])
    c = np.int64(k.act[action, 3])
    m, spot = melds.place(k, s, p, kind, a, b, c)
    settle(k, s, kind, a, b, c)
    before[16] = m
    before[17] = spot


@helper
def undo_play(s, p, before):
    """Take a play back that `try_play` laid down."""
    melds.take_back(s, before[16], before[17])
    s.one[p] = before[0]
    s.two[p] = before[1]
    s.jokers[p] = before[2]
    s.hand_size[p] = before[3]
    s.due = before[4]
    s.due_first = before[5]
    s.bridge_step = before[6]
    s.bridge_suit = before[7]
    s.bridge_place = before[8]
    s.frozen_one = before[9]
    s.frozen_two = before[10]
    s.frozen_jokers = before[11]
    s.open_set = before[12]
    s.open_low = before[13]
    s.open_high = before[14]
    s.open_joker = before[15]


@helper
def judge(k, s, p, words):
    """Whether the turn can be ended from here, as far as that can be seen without trying plays.

    Where it cannot, the plays to try are left in `words`. A card that is due is played, if at all, in a meld of three, or as
    the end of a lay-off; no other play can make that possible, for what it would lay down comes from the same hand.
    """
    size = np.int64(s.hand_size[p])
    narrow = k.discard_required or s.barred != NOBODY
    if s.due == NOBODY:
        barred = np.int64(0)
        if s.barred != NOBODY:
            barred = copies_in_hand(s, p, np.int64(s.barred))
        if size == 0:
            ends = k.discard_required == 0
        elif barred == size:
            ends = k.discard_required == 0 and melds.places_for(k, s, np.int64(s.barred)) >= size
        elif size >= 2 or not k.final_unplayable or not k.discard_required:
            ends = True
        else:
            ends = not fits_table(k, s, p)
        return YES if ends else NO
    candidate_plays(k, s, p, words)
    if s.due_first:
        any_play = False
        for w in range(kit.FIRST_PLAY, kit.LAST_PLAY + 1):
            if words[w]:
                any_play = True
    else:
        due = np.int64(s.due)
        jokers = np.int64(s.jokers[p]) - np.int64(s.frozen_jokers)
        if due == JOKER:
            jokers -= 1
        any_play = melds.playable(k, s, due, usable(s, p), jokers)
    if not any_play:
        return NO
    # Three cards at most play the due card; of the five or more that are left, two may be discarded.
    if not narrow or (size >= 8 and s.bridge_step == 0):
        return YES
    return UNDECIDED


@helper
def oblige(k, s, at):
    """What taking the pile from index `at` up obliges a player to."""
    card = s.pile[at]
    call = s.phase == CALL
    single = at == np.int64(s.pile_size) - 1
    if single:
        s.barred = card
    if single and not call and not k.top_must_meld:
        return
    s.due = card
    s.due_first = 1 if call or not k.before_discard else 0
    if k.uses_picked or call:
        return
    for n in range(at + 1, np.int64(s.pile_size)):
        other = np.int64(s.pile[n])
        if other == JOKER:
            s.frozen_jokers += 1
        else:
            s.frozen_two |= s.frozen_one & (np.int64(1) << other)
            s.frozen_one |= np.int64(1) << other


@helper
def release(s):
    """Nothing is due any more."""
    s.due = NOBODY
    s.due_first = 0
    s.bridge_step = 0
    s.bridge_suit = 0
    s.bridge_place = 0
    s.frozen_one = 0
    s.frozen_two = 0
    s.frozen_jokers = 0


@helper
def settle(k, s, kind, a, b, c):
    """What a play does to the obligation: fulfils it, or begins or goes on with a lay-off that leads up to it."""
    if s.due == NOBODY:
        return
    if melds.contains(k, kind, a, b, c, np.int64(s.due)):
        release(s)
    elif s.due_first:
        step = 1 if kind == kit.A_LAY_HIGH else -1
        s.bridge_step = step
        s.bridge_suit = b
        s.bridge_place = c + step


# --- the moves ---


@kernel
def new_match(states, i, kits, word):
    """Begin a match at table `i`: generator word, a dealer by lot, the first hand."""
    s = states[i]
    k = kits[0]
    s.rng = word
    s.scores[:] = 0
    s.hand_scores[:] = 0
    s.hands = 0
    s.winner = NOBODY
    s.dealer = below(s, k.num_players)
    deal_hand(k, s)


@kernel
def next_hand(states, i, kits):
    """Deal the next hand of a match; the deal moves left."""
    s = states[i]
    k = kits[0]
    s.dealer = left_of(np.int64(s.dealer), k.num_players)
    deal_hand(k, s)


@helper
def deal_hand(k, s):
    """Shuffle, deal, and turn up the first discard."""
    clear_hand(s)
    size = np.int64(0)
    for card in range(53):
        count = k.num_decks
        if card == JOKER:
            count = k.jokers
        elif not (k.pack >> card) & 1:
            count = 0
        for _ in range(count):
            s.stock[size] = card
            size += 1
    shuffle(s, s.stock, size)
    for _ in range(k.hand_size):
        p = np.int64(s.dealer)
        for _ in range(k.num_players):
            p = left_of(p, k.num_players)
            size -= 1
            add_card(s, p, np.int64(s.stock[size]))
            s.stock[size] = 0
    size -= 1
    s.pile[0] = s.stock[size]
    s.stock[size] = 0
    s.pile_size = 1
    s.stock_size = size
    begin_turn(k, s, left_of(np.int64(s.dealer), k.num_players))


@kernel
def clear_hand(s):
    """Empty the table: no cards, no melds, nothing obliged."""
    s.one[:] = 0
    s.two[:] = 0
    s.jokers[:] = 0
    s.known_one[:] = 0
    s.known_two[:] = 0
    s.known_jokers[:] = 0
    s.hand_size[:] = 0
    s.stock[:] = 0
    s.stock_size = 0
    s.pile[:] = 0
    s.pile_size = 0
    s.num_melds = 0
    s.meld_key[:] = 0
    s.meld_cards[:] = 0
    s.meld_jokers[:] = 0
    s.meld_owner[:] = 0
    s.open_set = 0
    s.open_low = 0
    s.open_high = 0
    s.open_joker = 0
    s.laid_one[:] = 0
    s.laid_two[:] = 0
    s.laid_jokers[:] = 0
    s.in_runs = 0
    s.in_runs_two = 0
    s.melded[:] = 0
    s.turns = 0
    s.idle = 0
    s.chances[:] = 0
    forget_turn(s)


@helper
def forget_turn(s):
    """Forget what holds for one turn only."""
    release(s)
    s.barred = NOBODY
    s.from_pile = 0
    s.played = 0
    s.discarder = NOBODY
    s.callable[:] = 0


@kernel
def step(states, i, action, kits):
    """Play a legal action at table `i`."""
    s = states[i]
    k = kits[0]
    p = np.int64(s.turn)
    kind = np.int64(k.act[action, 0])
    a = np.int64(k.act[action, 1])
    b = np.int64(k.act[action, 2])
    if kind == kit.A_DISCARD:
        drop_card(s, p, a)
        forget_card(s, p, a)
        s.pile[s.pile_size] = a
        s.pile_size += 1
        if s.hand_size[p] == 0:
            end_hand(k, s)
        else:
            end_turn(k, s, p)
    elif kind == kit.A_DRAW:
        s.stock_size -= 1
        top = np.int64(s.stock_size)
        add_card(s, p, np.int64(s.stock[top]))
        s.stock[top] = 0
        s.phase = PLAY
    elif kind == kit.A_TAKE or kind == kit.A_CALL:
        take(k, s, p, a, b)
    elif kind == kit.A_PASS:
        decline(k, s, p)
    else:
        play(k, s, p, kind, a, b, np.int64(k.act[action, 3]))


@helper
def decline(k, s, p):
    """Pass: leave the call to the next player, or with an empty stock leave the pile, which ends the hand."""
    if s.phase == DRAW:
        end_hand(k, s)
        return
    following = left_of(p, k.num_players)
    if following == s.discarder:
        begin_turn(k, s, left_of(following, k.num_players))
    else:
        s.turn = following


@helper
def take(k, s, p, card, copy):
    """Take a copy of a card (0 is nearest the top) and all above it from the pile."""
    at = np.int64(s.pile_size)
    while copy >= 0:
        at -= 1
        if s.pile[at] == card:
            copy -= 1
    oblige(k, s, at)
    for n in range(at, np.int64(s.pile_size)):
        add_known(s, p, np.int64(s.pile[n]))
        s.pile[n] = 0
    s.pile_size = at
    for w in range(2):
        kept = min(max(at - 54 * w, 0), 54)
        s.chances[w] &= (np.int64(1) << kept) - 1
    s.callable[:] = 0
    s.discarder = NOBODY
    s.from_pile = 1
    s.phase = PLAY


@helper
def play(k, s, p, kind, a, b, c):
    """Lay a meld or a single card on the table."""
    melds.place(k, s, p, kind, a, b, c)
    settle(k, s, kind, a, b, c)
    s.played = 1
    s.melded[p] += melds.play_points(k, kind, a, b, c)
    run = kind != kit.A_SET and kind != kit.A_LAY_SET
    for n in range(melds.num_cards(kind)):
        card = melds.card_of(k, kind, a, b, c, n)
        forget_card(s, p, card)
        if card == JOKER:
            s.laid_jokers[p] += 1
            continue
        bit = np.int64(1) << card
        s.laid_two[p] |= s.laid_one[p] & bit
        s.laid_one[p] |= bit
        if run:
            s.in_runs_two |= s.in_runs & bit
            s.in_runs |= bit
    if s.hand_size[p] == 0:
        if k.floating:
            end_turn(k, s, p)
        else:
            end_hand(k, s)


@helper
def end_turn(k, s, p):
    """A turn is over and the hand may go on: see whether it ends all the same, and who is next."""
    n = k.num_players
    idle = s.from_pile and not s.played and s.stock_size == 0
    s.idle = np.int64(s.idle) + 1 if idle else 0
    s.turns += 1
    forget_turn(s)
    if s.stock_size == 0 and (k.immediate or s.idle >= n):
        end_hand(k, s)
        return
    if s.turns >= k.max_turns:
        s.phase = TRUNCATED
        return
    following = left_of(p, n)
    # Who has no card left floats, and has not discarded.
    if k.calling and s.hand_size[p] > 0:
        find_calls(k, s)
        if s.callable[0] or s.callable[1]:
            s.discarder = p
            s.turn = following
            s.phase = CALL
            return
    begin_turn(k, s, following)


@helper
def find_calls(k, s):
    """Which cards of the pile could be played with nothing but the cards above them and the table."""
    above = np.int64(0)
    jokers = np.int64(0)
    low = np.int64(0)
    high = np.int64(0)
    for at in range(np.int64(s.pile_size) - 1, -1, -1):
        card = np.int64(s.pile[at])
        if melds.playable(k, s, card, above, jokers):
            if at < 54:
                low |= np.int64(1) << at
            else:
                high |= np.int64(1) << (at - 54)
        if card == JOKER:
            jokers += 1
        else:
            above |= np.int64(1) << card
    s.callable[0] = low
    s.callable[1] = high
    if not k.persistent:
        s.callable[0] &= ~s.chances[0]
        s.callable[1] &= ~s.chances[1]
    s.chances[0] = low
    s.chances[1] = high


@helper
def begin_turn(k, s, p):
    """A player's turn to draw; with neither stock nor pile the hand is over."""
    s.turn = p
    s.phase = DRAW
    s.discarder = NOBODY
    s.callable[:] = 0
    if s.stock_size == 0 and s.pile_size == 0:
        end_hand(k, s)


@helper
def end_hand(k, s):
    """Score the hand: cards played less cards held; and see whether the match is won."""
    n = k.num_players
    for p in range(n):
        held = points_of(k, s.one[p], s.two[p], np.int64(s.jokers[p]))
        s.hand_scores[p] = np.int64(s.melded[p]) - held
        s.scores[p] += s.hand_scores[p]
    s.hands += 1
    forget_turn(s)
    best = np.int64(0)
    alone = True
    for p in range(1, n):
        if s.scores[p] > s.scores[best]:
            best = p
            alone = True
        elif s.scores[p] == s.scores[best]:
            alone = False
    if k.target == 0:
        s.phase = MATCH_OVER
        s.winner = best if alone else NOBODY
    elif alone and s.scores[best] >= k.target:
        s.phase = MATCH_OVER
        s.winner = best
    elif k.max_hands and s.hands >= k.max_hands:
        s.phase = TRUNCATED
    else:
        s.phase = HAND_OVER


# --- what a seat sees ---

(
    DUE,
    DUE_FIRST,
    BRIDGE,
    BARRED,
    FROZEN,
    FROM_PILE,
    PLAYED,
    IDLE,
    DISCARDER,
    CALLABLE,
    CALLABLE_JOKERS,
    CHANCES,
    CHANCES_JOKERS,
) = range(NUM_CORE, NUM_CORE + 13)


@kernel
def observe(states, i, seat, kits, obs):
    """Write what a seat sees of table `i` into ``obs``, int8 of the layout's size."""
    s = states[i]
    k = kits[0]
    observe_core(k, s, seat, obs)
    if s.due != NOBODY:
        obs[k.offset[DUE] + s.due] = 1
        obs[k.offset[DUE_FIRST]] = s.due_first
    if s.bridge_step != 0:
        obs[k.offset[BRIDGE]] = s.bridge_step
        obs[k.offset[BRIDGE] + 1] = s.bridge_suit + 1
        obs[k.offset[BRIDGE] + 2] = s.bridge_place
    if s.barred != NOBODY:
        obs[k.offset[BARRED] + s.barred] = 1
    if k.offset[FROZEN] >= 0:
        write_cards(s.frozen_one, s.frozen_two, np.int64(s.frozen_jokers), obs, k.offset[FROZEN])
    obs[k.offset[FROM_PILE]] = s.from_pile
    obs[k.offset[PLAYED]] = s.played
    obs[k.offset[IDLE]] = s.idle
    if k.offset[CALLABLE] >= 0:
        if s.phase == CALL:
            n = k.num_players
            obs[k.offset[DISCARDER] + seats_left(np.int64(s.discarder), seat, n)] = 1
        write_chances(s, s.callable, obs, k.offset[CALLABLE], k.offset[CALLABLE_JOKERS])
    if k.offset[CHANCES] >= 0:
        write_chances(s, s.chances, obs, k.offset[CHANCES], k.offset[CHANCES_JOKERS])


@helper
def write_chances(s, chances, obs, at, at_jokers):
    """Write which cards of the pile are in a set of pile places."""
    above = np.int64(0)
    jokers = 0
    for n in range(np.int64(s.pile_size) - 1, -1, -1):
        card = np.int64(s.pile[n])
        chance = (chances[n // 54] >> (n % 54)) & 1
        if card == JOKER:
            obs[at_jokers + jokers] = chance
            jokers += 1
        else:
            obs[at + card + (52 if (above >> card) & 1 else 0)] = chance
            above |= np.int64(1) << card


@kernel
def resample(states, i, seat, kits, work, word):
    """Deal table `i` anew where a seat cannot see, from a generator word; False if no such deal was found.

    A deal in which another player in the middle of a turn could not go on is drawn again.
    """
    s = states[i]
    k = kits[0]
    s.rng = word
    for _ in range(100_000):
        redeal(k, s, seat)
        if s.phase != PLAY or s.turn == seat:
            return True
        legal(states, i, kits, work)
        for w in range(kit.NUM_WORDS):
            if work[0, w]:
                return True
    return False


# --- one call for a whole step ---


@kernel
def look(states, i, seat, kits, work, obs, mask):
    """Write the observation of a seat and its mask: all zero where the seat is not to act."""
    s = states[i]
    observe(states, i, seat, kits, obs)
    if s.phase < HAND_OVER and s.turn == seat:
        legal(states, i, kits, work)
        kit.write_mask(kits[0], work[0], mask)
    else:
        mask[:] = 0


@kernel
def advance(states, i, action, kits, work, obs, mask):
    """Play a legal action, deal the next hand if one ended within a match, and write the view of who is to act.

    A hand ended if the state's count of hands grew; its scores are in ``hand_scores``.
    """
    step(states, i, action, kits)
    s = states[i]
    if s.phase == HAND_OVER:
        next_hand(states, i, kits)
    look(states, i, np.int64(s.turn), kits, work, obs, mask)


@kernel
def advance_all(states, actions, kits, work, obs, masks):
    """`advance` for every table: actions (n,), obs (n, size) int8, masks (n, actions) int8."""
    for i in range(len(actions)):
        advance(states, i, actions[i], kits, work, obs[i], masks[i])


@kernel
def settle_position(states, i, kits):
    """Work out what follows from a position that was set up by hand: open ends, calls, a hand already over."""
    s = states[i]
    k = kits[0]
    melds.find_open_ends(k, s)
    find_calls(k, s)
    if s.phase == CALL:
        s.callable[:] = s.chances
    else:
        s.callable[:] = 0
    if s.phase == DRAW:
        begin_turn(k, s, np.int64(s.turn))


# --- why not ---


def why_not(states: np.ndarray, kits: np.ndarray, action: int) -> str:
    """One sentence on why an action is illegal for the seat to act at table 0; of hidden cards it tells only that seat's."""
    s, k = states[0], kits[0]
    p = int(s.turn)
    kind, a, b, c = (int(x) for x in k.act[action])
    if s.phase == DRAW:
        return _why_no_draw(s, k, p, kind, a, b)
    if s.phase == CALL:
        return _why_no_call(s, k, p, kind, a, b)
    if kind in (kit.A_DRAW, kit.A_TAKE, kit.A_CALL):
        return "you have drawn already; play or discard"
    if kind == kit.A_PASS:
        return "a turn ends with a discard"
    if kind == kit.A_DISCARD:
        return _why_no_discard(s, k, p, a)
    return _why_no_play(s, k, p, kind, a, b, c)


def _in_pile(s: Any, card: int, copy: int) -> int:
    """The place of a copy of a card in the pile, -1 if there is none."""
    places = [n for n in reversed(range(int(s.pile_size))) if s.pile[n] == card]
    return places[copy] if copy < len(places) else -1


def _why_no_draw(s: Any, k: Any, p: int, kind: int, a: int, b: int) -> str:
    if kind == kit.A_DRAW:
        return "the stock is empty; take from the pile, or pass"
    if kind == kit.A_PASS:
        return (
            "you may pass only once the stock is empty; draw from the stock or take from the pile"
        )
    if kind != kit.A_TAKE:
        return "draw first: from the stock, or from the pile"
    at = _in_pile(s, a, b)
    if at < 0:
        return f"the pile does not hold {'a second ' if b else ''}{card_text(a)}"
    if at == int(s.pile_size) - 1 and not k.top_must_meld:
        return (
            f"you could neither play {card_text(a)} nor discard it this turn, and have nothing else"
        )
    return f"you could not play {card_text(a)} at once, as whoever takes it must, and end your turn"


def _why_no_call(s: Any, k: Any, p: int, kind: int, a: int, b: int) -> str:
    if kind != kit.A_CALL:
        return f"player {int(s.discarder)} has discarded, and you are asked whether you call rummy; call or pass"
    at = _in_pile(s, a, b)
    if at < 0:
        return f"the pile does not hold {'a second ' if b else ''}{card_text(a)}"
    if not int(s.callable[at // 54]) >> (at % 54) & 1:
        if int(s.chances[at // 54]) >> (at % 54) & 1:
            return f"the last turn did not make {card_text(a)} playable, it was so before"
        return f"{card_text(a)} cannot be played with the cards above it and the table alone"
    return f"with {card_text(a)} taken you could not end your turn"


def _why_no_discard(s: Any, k: Any, p: int, a: int) -> str:
    if not copies_in_hand(s, p, a):
        return f"you do not hold {card_text(a)}"
    if s.due != NOBODY:
        return f"you took {card_text(int(s.due))} from the pile and must play it first"
    if a == s.barred:
        return f"you took {card_text(a)} alone from the pile; it may not go back this turn"
    return f"the discard that ends the hand may not be one that fits the table, and {card_text(a)} does"


def _why_no_play(s: Any, k: Any, p: int, kind: int, a: int, b: int, c: int) -> str:
    cards = [int(melds.card_of(k, kind, a, b, c, n)) for n in range(melds.num_cards(kind))]
    for card in cards:
        if copies_in_hand(s, p, card) < cards.count(card):
            jokers = cards.count(card)
            return f"you do not hold {card_text(card) if jokers < 2 else f'{jokers} jokers'}"
    if len(cards) == 1 and melds.meld_for(k, s, kind, a, b, c) < 0:
        return f"no meld on the table takes {card_text(a)} there"
    if s.due != NOBODY:
        due = card_text(int(s.due))
        hand = usable(s, p)
        if any(card != JOKER and not int(hand) >> card & 1 for card in cards):
            return f"cards taken along with {due} may not be played before it"
        if s.bridge_step != 0:
            return f"go on at the same end of the run until {due} is laid"
        if s.due_first and not melds.contains(k, kind, a, b, c, int(s.due)):
            return f"you took {due} from the pile and must play it first"
        if not melds.contains(k, kind, a, b, c, int(s.due)):
            return f"after this {due}, which you must play this turn, could not be played"
    if s.barred != NOBODY:
        return f"after this you could not end your turn: {card_text(int(s.barred))} may not be discarded"
    return "after this you would have no card left that you may discard"
