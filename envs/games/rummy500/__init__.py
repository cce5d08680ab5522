"""Rummy 500: the rules, the state, and the moves.

Two to eight players collect sets and runs, lay them down for points, lay single cards off on
anybody's melds for points of their own, and may take not only the top of the discard pile but any
card in it, with all cards above, if they play that card at once. When somebody goes out, or the
stock is used up and a player declines the pile, every player scores the cards played less the cards
held. Hands are played until someone has 500 points.

**A turn.** Draw the top of the stock, or take the top discard, or take a deeper discard with all
cards above it. Then play any number of melds and lay-offs, then discard one card (unless the last
card was played).

**Taking from the pile.** A player who takes only the top card need not use it, but may not discard
that face this turn (nor its twin from a second pack). A player who takes several must play the
deepest of them; until then (`deep_pick_timing="first"`) only plays with that card are legal.
Several cards laid on one end of one run count as one play: the cards that lead up to the deep card
may be laid first, and once begun the lay-off is carried on at that end. With `"before_discard"`
other plays may come first as long as the card can still be played. With
`deep_pick_uses_picked=False` the cards taken along are frozen until it is played. A card counts as
played when a card of its face is played.

**Calling rummy** (three players or more). After a discard that leaves the pile with a card that
could be played with nothing but the cards above it and the melds on the table, everyone but the
discarder is asked in turn, from the discarder's left. The caller takes that card and all above it,
must play it first (other cards of the hand may help; nothing taken is frozen), may not discard a
single card so taken, and finishes the turn; play goes on at the caller's left. There is no call
after a discard that ends the hand, nor after a floating turn, in which nothing is discarded.

**Jokers** stand for any card: in a run for the card of their place, in a set for no suit in
particular; there they stay. A meld has at least one natural card.

**The end of a hand.** Somebody has no cards left (with `going_out="discard_required"` the last card
must be discarded; with `"float"` a player who plays the last card floats: the turn ends, the hand
goes on, and only a discarded last card ends it); a player passes with an empty stock; stock and
pile are both empty; with `stock_out="immediate"` the turn that empties the stock ends it. With an
empty stock, as many turns as there are players, each of which took from the pile and played
nothing, count as declining.

**No dead ends.** Whatever is legal leaves a way to end the turn: a pick, call or play after which
neither a discard nor further plays could end it is itself illegal. `max_turns` (four turns for each
card of the pack unless set) and `max_hands` bound what is left; reaching them truncates, and an
unfinished hand scores nothing.

**Points.** Two to ten by their number, court cards 10, ace 15 (at the low end of a run 1), joker
15; `scoring="5_10_15"`: two to nine 5, ten to king 10, low ace 5.

**Sources.** The defaults, calling rummy, and the variants without jokers, with floating, with
5-10-15 points and with an unplayable last discard are those of Rummy 500 at gamerules.com. That an
ace may be high (Q K A) is from Pagat's and Bicycle's 500 Rum. Bicycle plays without jokers and
calls, and wants even a single card from the pile played at once (``RUMMY_500_BICYCLE``); that the
last card must be discarded is Wikipedia's Boathouse rum (``RUMMY_500_BOATHOUSE``). Where they are
silent, the first dealer is drawn by lot, the deal passes to the left, and no call can stop a player
who is going out.

Version history: 0, the first.
"""

from ...fused import fuse
from .brief import in_short
from .explain import hand_note, turn_notes, why_impossible, why_not
from .kit import make_kit
from .legal import legal
from .lookahead import WORK
from .moves import clear_hand, new_match, next_hand, potential, settle_position, step
from .observation import observe, pieces, resample
from .rules import MAX_PLAYERS, PRESETS, Rules, make_rules
from .state import PHASES, STATE, STATE_FIELDS

NAME = "rummy500"
ENVIRONMENT = "rummy500"
TITLE = "Rummy 500"
VERSION = 0

look, advance, advance_all = fuse(legal, step, next_hand, observe)

__all__ = [
    "ENVIRONMENT",
    "MAX_PLAYERS",
    "NAME",
    "PHASES",
    "PRESETS",
    "STATE",
    "STATE_FIELDS",
    "TITLE",
    "VERSION",
    "WORK",
    "Rules",
    "advance",
    "advance_all",
    "clear_hand",
    "hand_note",
    "in_short",
    "legal",
    "look",
    "make_kit",
    "make_rules",
    "new_match",
    "next_hand",
    "observe",
    "pieces",
    "potential",
    "resample",
    "settle_position",
    "step",
    "turn_notes",
    "why_impossible",
    "why_not",
]
