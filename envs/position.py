"""Any position of a table, set up from text: who holds what, what lies where, whose turn it is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .cards import JOKER, NOBODY, SUITS, card_text, parse_card, parse_played
from .chance import seed_word
from .kit import at_position
from .melds import RUN_KEY
from .observe import PHASE, TABLE, TURNS
from .state import add_card


class PositionError(ValueError):
    """A position that cannot be; one sentence says why."""


def set_up(
    game: Any,
    states: np.ndarray,
    kits: np.ndarray,
    *,
    hands: Mapping[int, Sequence[str]] | None = None,
    table: Sequence[tuple[Sequence[str], int]] = (),
    pile: Sequence[str] = (),
    stock: Sequence[str] = (),
    stock_rest: bool = True,
    dealer: int | None = None,
    scores: Sequence[int] | None = None,
    melded: Sequence[int] | None = None,
    turn: int | None = None,
    phase: str = "draw",
    discarder: int | None = None,
    upcard: str | None = None,
    seed: int = 0,
) -> None:
    """Set up table 0 (see `Table.from_position` for the arguments)."""
    k, s = kits[0], states[0]
    n = int(k.num_players)
    hands = hands or {}
    dealer = n - 1 if dealer is None else dealer
    turn = (dealer + 1) % n if turn is None else turn
    discarder = (turn - 1) % n if discarder is None else discarder
    seats = [*hands, dealer, turn, discarder, *(owner for _, owner in table)]
    if any(not 0 <= seat < n for seat in seats):
        raise PositionError(f"there are seats 0 to {n - 1} only")
    if phase not in game.PHASES:
        raise PositionError(f"phase {phase!r} is not one of {', '.join(game.PHASES)}")
    if game.PHASES.index(phase) >= k.offset[TURNS] - k.offset[PHASE]:
        raise PositionError(f"the phase {phase!r} does not come up under these rules")
    if table and k.offset[TABLE] < 0:
        raise PositionError("no melds lie on the table during a hand under these rules")
    if upcard is not None and "upcard" not in game.STATE.names:
        raise PositionError(f"no upcard is noted in {game.TITLE}")
    if phase == "call" and discarder == turn:
        raise PositionError(f"seat {turn} may not call what it has discarded itself")
    if phase == "play" and turn in hands and not hands[turn]:
        raise PositionError(f"seat {turn} has no cards left to play")
    for name, numbers in (("scores", scores), ("melded", melded)):
        if numbers is not None and len(numbers) != n:
            raise PositionError(f"{name} needs {n} numbers, one for each seat")
    left = full_pack(k)
    if upcard is not None and parse_card(upcard) not in left:
        raise PositionError(f"{upcard} cannot be the upcard: it is no card of this pack")
    held = {seat: [_take(left, card) for card in cards] for seat, cards in hands.items()}
    on_pile = [_take(left, card) for card in pile]
    on_stock = [_take(left, card) for card in stock]
    game.new_match(states, 0, kits, np.uint64(seed_word(seed)))
    game.clear_hand(s)
    if table:
        _lay(s, k, table, left)
    rest = sorted(left.elements())
    np.random.default_rng(seed).shuffle(rest)
    for seat in range(n):
        if seat not in held:
            if len(rest) < k.hand_size:
                raise PositionError(f"not enough cards are left to deal seat {seat} a hand")
            held[seat] = [rest.pop() for _ in range(int(k.hand_size))]
        for card in held[seat]:
            add_card(s, seat, card)
    under = rest if stock_rest else []
    order = [*under, *reversed(on_stock)]
    s.stock[: len(order)] = order
    s.stock_size = len(order)
    s.pile[: len(on_pile)] = on_pile
    s.pile_size = len(on_pile)
    s.dealer, s.turn, s.phase = dealer, turn, game.PHASES.index(phase)
    if scores is not None:
        s.scores[:n] = scores
    if melded is not None:
        s.melded[:n] = melded
    if phase == "call":
        s.discarder = discarder
    if "upcard" in game.STATE.names:
        turned_up = on_pile[0] if on_pile else NOBODY
        s.upcard = turned_up if upcard is None else parse_card(upcard)
    game.settle_position(states, 0, kits)


def full_pack(k: Any) -> Counter[int]:
    """The cards of the pack of a kit's record, counted by face."""
    pack = Counter({f: int(k.num_decks) for f in range(52) if int(k.pack) >> f & 1})
    if k.jokers:
        pack[JOKER] = int(k.jokers)
    return pack


def _take(left: Counter[int], text: str) -> int:
    card = parse_card(text)
    if card not in left:
        raise PositionError(f"{card_text(card)} is not in the pack")
    if left[card] <= 0:
        raise PositionError(f"{card_text(card)} is named more often than the pack holds it")
    left[card] -= 1
    return card


def _lay(s: Any, k: Any, table: Sequence[tuple[Sequence[str], int]], left: Counter[int]) -> None:
    """Put melds on the table, with the points and cards of those who laid them."""
    for m, (cards, owner) in enumerate(table):
        played = [parse_played(card) for card in cards]
        for card, _ in played:
            _take(left, card_text(card))
        if any(card == JOKER and name is None for card, name in played):
            raise PositionError(
                f"{' '.join(cards)}: a joker on the table says what it stands for, "
                "like JK(5C) in a run or JK(5) in a set"
            )
        naturals = [card for card, _ in played if card != JOKER]
        if not naturals or len(played) < 3:
            raise PositionError(f"{' '.join(cards)} is no meld")
        shown = [name or card_text(card) for card, name in played]
        ranks = {name[0] for name in shown}
        if len(ranks) == 1:
            spots = _set_spots(played, cards)
            key = naturals[0] % 13
        else:
            spots = _run_spots(shown, k, cards)
            key = RUN_KEY + naturals[0] // 13
        s.meld_key[m] = key
        for (card, _), spot in zip(played, spots, strict=True):
            s.meld_cards[m] |= 1 << spot
            if card == JOKER:
                s.meld_jokers[m] |= 1 << spot
                s.laid_jokers[owner] += 1
            else:
                bit = 1 << card
                s.laid_two[owner] |= int(s.laid_one[owner]) & bit
                s.laid_one[owner] |= bit
                if key >= RUN_KEY:
                    s.in_runs_two |= int(s.in_runs) & bit
                    s.in_runs |= bit
            s.meld_owner[m] |= owner << (4 * spot)
            low_ace = key >= RUN_KEY and spot == 0 and card != JOKER
            s.melded[owner] += k.low_ace if low_ace else k.value[card]
        s.num_melds = m + 1


def _set_spots(played: Sequence[tuple[int, str | None]], cards: Sequence[str]) -> list[int]:
    spots, jokers = [], 4
    for card, _ in played:
        if card == JOKER:
            spots.append(jokers)
            jokers += 1
        else:
            spots.append(card // 13)
    if len(set(spots)) < len(spots) or len(spots) > 4:
        raise PositionError(
            f"{' '.join(cards)} is no set: three or four cards, all suits different"
        )
    return spots


def _run_spots(shown: Sequence[str], k: Any, cards: Sequence[str]) -> list[int]:
    ranks, length = int(k.num_ranks), len(shown)
    suit = SUITS.index(shown[0][1]) if len(shown[0]) == 2 else 0
    for start in range(int(k.min_pos), int(k.max_pos) - length + 2):
        if [at_position(start + n, suit, ranks) for n in range(length)] == list(shown):
            return list(range(start, start + length))
    raise PositionError(f"{' '.join(cards)} is no meld (a run is written upwards)")
