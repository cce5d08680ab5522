"""A table as text, and what there is to draw: `show` leaves out the hidden cards, nothing else
does.

Who looks is a seat (its own cards, and what all know of the others'), ``"public"`` (what all know),
or ``"all"``.
"""

from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from .cards import NOBODY, RANKS, SUITS, card_text
from .hands import cards_of
from .kit import at_position
from .melds import RUN_KEY
from .observe import MELDED
from .state import HAND_OVER, MATCH_OVER, TRUNCATED

Who = int | str
"""A seat, ``"public"`` or ``"all"``."""

_DOING = {
    "draw": "to draw",
    "play": "to play or discard",
    "call": "may call",
    "upcard": "may take the upcard",
    "layoff": "may lay off",
}


class Seat(NamedTuple):
    """One seat as it is drawn; `hidden` counts the cards that are seen from the back; `played` is
    None where cards do not score as they are played."""

    cards: list[str]
    hidden: int
    score: int
    played: int | None
    dealer: bool
    acts: bool


class Shown(NamedTuple):
    """What there is to draw; the pile from the bottom to the top, each meld's cards with their
    owners."""

    headline: str
    seats: list[Seat]
    stock: int
    pile: list[str]
    melds: list[list[tuple[str, int]]]


def show(
    game: ModuleType, states: np.ndarray, i: int, kits: np.ndarray, rules: Any, who: Who
) -> Shown:
    """What table `i` looks like to someone (see the top of this module)."""
    if who not in ("all", "public", *range(int(rules.num_players))):
        last = int(rules.num_players) - 1
        raise ValueError(f"{who!r} is not a seat (0 to {last}), and not 'public' or 'all'")
    s = states[i]
    counts = kits[0].offset[MELDED] >= 0
    phase, turn, playing = int(s.phase), int(s.turn), int(s.phase) < HAND_OVER
    seats = []
    for p in range(int(rules.num_players)):
        cards = cards_of(s, p, "" if who in ("all", p) else "known_")
        hidden = int(s.hand_size[p]) - len(cards)
        score, played = int(s.scores[p]), int(s.melded[p]) if counts else None
        seats.append(Seat(cards, hidden, score, played, p == s.dealer, playing and p == turn))
    if playing:
        doing = f"seat {turn} {task(game, s)}"
    elif phase == MATCH_OVER:
        doing = "nobody has won" if s.winner == NOBODY else f"won by seat {s.winner}"
    else:
        doing = "cut off" if phase == TRUNCATED else "the hand is over"
    # A hand that was cut off is not among those that have ended; the last of a match may be.
    hand = min(int(s.hands) + (playing or phase == TRUNCATED), int(rules.max_hands))
    turn_now = f", turn {int(s.turns) + 1}" if playing else ""
    return Shown(
        f"{game.TITLE}, hand {max(hand, 1)}{turn_now}: {doing}",
        seats,
        int(s.stock_size),
        [card_text(card) for card in s.pile[: s.pile_size].tolist()],
        [list(meld_cards(s, m, int(kits[0].num_ranks))) for m in range(int(s.num_melds))],
    )


def task(game: ModuleType, s: Any) -> str:
    """What the seat to act is to do: ``to draw``, with what else everybody knows of the turn."""
    return f"{_DOING[game.PHASES[int(s.phase)]]}{game.turn_notes(s)}"


def meld_cards(s: Any, m: int, num_ranks: int) -> Iterator[tuple[str, int]]:
    key, cards, jokers, owner = (
        int(a[m]) for a in (s.meld_key, s.meld_cards, s.meld_jokers, s.meld_owner)
    )
    for spot in range(14):
        if cards >> spot & 1:
            if key >= RUN_KEY:
                name = at_position(spot, key - RUN_KEY, num_ranks)
            else:
                name = RANKS[key] + (SUITS[spot] if spot < 4 else "")
            yield f"JK({name})" if jokers >> spot & 1 else name, owner >> (4 * spot) & 15


def table_text(
    game: ModuleType, states: np.ndarray, i: int, kits: np.ndarray, rules: Any, seat: Who = "all"
) -> str:
    """Table `i` in words, as someone may see it: a seat, ``"public"``, or ``"all"``."""
    shown = show(game, states, i, kits, rules, seat)
    pile = " ".join(shown.pile) or "empty"
    lines = [shown.headline, f"stock {shown.stock}; pile, the top last: {pile}"]
    for p, own in enumerate(shown.seats):
        mark = ">" if own.acts else " "
        played = "" if own.played is None else f", played {own.played}"
        counts = f"score {own.score}{played}" + (", dealer" if own.dealer else "")
        cards = " ".join([*own.cards, *["??"] * own.hidden])
        lines.append(f"{mark} seat {p} ({counts}): {cards or 'no cards'}")
    for meld in shown.melds:
        parts: list[str] = []
        for n, (card, owner) in enumerate(meld):
            if n and owner != meld[n - 1][1]:
                parts[-1] += f" by {meld[n - 1][1]},"
            parts.append(card)
        lines.append("    " + " ".join(parts) + f" by {meld[-1][1]}")
    return "\n".join(lines)
