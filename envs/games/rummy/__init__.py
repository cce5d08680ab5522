"""Basic Rummy: the rules, the state, and the moves.

Two to six players collect sets and runs, lay them down, and lay single cards off on anybody's
melds. Who first has no card left wins the hand, and is paid by each of the others the points that
they still hold, whether or not those cards match.

**The deal.** One pack, no jokers: ten cards each for two players, seven for three or four, six for
five or six. The next card is turned up and begins the pile. The player on the dealer's left begins.

**A turn.** Draw the top of the stock, or take the top card of the pile, and only that one; a card
so taken need not be used, but may not be discarded this turn. Then lay down any number of melds and
lay off any number of cards (`max_melds_per_turn` limits the melds, `layoff_requires_own_meld` the
lay-offs to players with cards on the table), and discard one card, unless the last card was played
(with `going_out="discard_required"` the last card must be discarded).

**Aces** are low in runs; with `ace_in_runs="both"` also high, but never round the corner.

**When the stock is empty** the player whose turn it is takes the top of the pile or turns the pile
over, unshuffled, and draws the first card of it: the card that was discarded first. A card so drawn
may be discarded at once. Everybody has seen the cards of a stock that was turned over, and their
order, and knows who draws them. After `max_recycles` turnings in a hand a player may pass instead:
the hand is blocked. Then whoever alone holds the fewest points is paid the difference by each of
the others; if several hold the fewest, nobody is paid.

**Going rummy.** Who goes out in one turn, without a card on the table before it, is paid double
(`rummy_multiplier`), with or without a final discard. With `rummy_needs_pure` that turn may not
have a lay-off on a meld with another player's card in it.

**No dead ends.** A play after which the turn could not be ended is itself illegal: when only the
card just taken would be left, and it fits nothing on the table. `max_turns` (four turns for each
card of the pack unless set) and `max_hands` bound what is left; reaching them truncates, and an
unfinished hand scores nothing.

**Points.** Ace 1 (`ace_value`), two to ten by their number, court cards 10. The scores of a hand
sum to zero. A match is won by whoever alone has most once somebody has the `target`.

**The deal passes**, for two players, to the winner of the hand, after a blocked hand without a
winner to the same dealer; for more players to the left. `next_dealer` sets either.

**Sources.** Bicycle's Rummy, for the deal, the turn, the pile turned over unshuffled, the payment
and going rummy. The options are variants that Bicycle or Pagat's page on basic Rummy mention: aces
high, one meld in a turn, a last card that must be discarded, a limit to turning the pile over
(block rummy, ``RUMMY_BLOCK``, is without any).

Version history: 0, the first.
"""

from ...fused import fuse
from ...kit import WORK
from .brief import in_short
from .explain import hand_note, turn_notes, why_impossible, why_not
from .kit import make_kit
from .legal import legal
from .moves import clear_hand, new_match, next_hand, potential, settle_position, step
from .observation import observe, pieces, resample
from .rules import MAX_PLAYERS, PRESETS, Rules, make_rules
from .state import PHASES, STATE, STATE_FIELDS

NAME = "rummy"
ENVIRONMENT = "rummy"
TITLE = "Rummy"
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
