"""Gin Rummy and Oklahoma: the rules, the state, and the moves.

Two players make sets and runs in their hands; nothing lies on the table before the end. Who has few
points outside melds may knock, or with none goes gin; then both hands are shown and compared.

**The deal.** One pack, no jokers, ten cards each. The next card is turned up. Whoever did not deal
may take it or pass, then the dealer may; if both pass, the player who did not deal draws from the
stock (and may not take the upcard any more). First dealer by lot.

**A turn.** Draw the top of the stock or take the top of the pile; then discard a card, but not the
one taken from the pile this turn: neither to go on, nor to knock or gin.

**Deadwood.** A set is three or four cards of a rank, a run three or more neighbours of a suit; aces
are low. Cards in no meld are deadwood: ace 1, two to ten by their number, court cards 10. It is
always counted by the best arrangement of the hand.

**Knocking.** Who discards a card and is left with deadwood of `knock_limit` or less may knock with
that card, which goes on the pile; left with none, the player goes gin. Gin is never counted as a
knock. Who has all cards in melds, and none too many, may declare big gin instead of discarding
(not with `big_gin_bonus=None`). With `knock_limit=0` only gin ends a hand.

**Oklahoma** (`knock_limit="upcard"`). The limit of a hand is the points of its upcard; an ace means
gin only (`oklahoma_ace="one"`: one point). It stays when that card is taken. With `spade_double`,
Oklahoma or not, everything that is scored in a hand counts twice if its upcard is a spade; the box
counts once.

**The hands are shown.** The player who ended the hand lays it down in melds: arranged for the least
deadwood; if that leaves a choice, so that the fewest cards fit its melds (none that it held itself,
nor its discard); then with the lowest cards in sets (by suit clubs, diamonds, hearts, spades, then
by rank). After a knock the other player lays cards off on these melds, also several in a row,
but not on deadwood, and melds the rest. With `layoff="auto"` that is done in the best way: so that
the least deadwood is left, then with the fewest cards laid off, then the lowest; a card that fits a
run and a set goes on the run. With `layoff="choose"` the player lays off card by card, or passes;
when nothing fits any more this is over by itself; the rest is melded in the best way. After gin and
big gin nothing is laid off. What is left in either hand is deadwood, for all to see.

**The score of a hand.** Gin: `gin_bonus` and the other's deadwood. Big gin: `big_gin_bonus` and the
other's deadwood. A knock: the difference, if the knocker has less. If not, the other has undercut
the knocker, and scores `undercut_bonus` and the difference. With `undercut_on_tie=False` a tie is
no undercut: the knocker has won the hand, with 0 points.

**Dead hands.** If a turn ends with a plain discard and two cards or fewer are left in the stock,
the hand is dead: nobody scores. With `wall_rule="opponent_may_knock"` the other player may first
take that discard, if it can then knock, gin or declare big gin, and must; or passes. If the upcard
is passed twice and there is no stock (small packs), the hand is dead as well.

**The match.** Each hand won is a box (`undercut_boxes` and `gin_boxes` add more for an undercut,
and for gin and big gin). Who reaches the `target` has won the match; then `game_bonus` is added to
the winner's score and `box_bonus` for each box to everybody's. If the loser has no points before
that, the winner scores 100 more (`shutout="double"`: its points count twice before the other
bonuses; `"none"`: nothing). These are in the match scores, not in those of the last hand. Without a
target (`target=None`) one hand is all, without boxes and bonuses; whoever won it has won, also with
0 points.

**The deal passes** to the winner of the hand (`next_dealer="loser"`: to the loser; `"alternate"`:
to the other player each time); after a dead hand the same player deals again.

**Ends.** `max_turns` (four turns for each card of the pack unless set) and `max_hands`, dead hands
counted, truncate; an unfinished hand scores nothing.

**Sources.** Pagat's Gin Rummy for the play; its scores, those of older books (gin 20, undercut 10,
box 20, no big gin), are ``GIN_CLASSIC``. The defaults are the scores used today, as at ginrummy.com
(gin 25, undercut 25, big gin 31, box 25). Bicycle's Oklahoma Gin for the limit by the upcard, the
ace and the spades. Where books differ there are options: who deals, whether equal deadwood is an
undercut, and whether the last discard of a hand that runs out of stock may still be taken to knock,
as in OpenSpiel.

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

NAME = "gin"
ENVIRONMENT = "gin_rummy"
TITLE = "Gin Rummy"
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
