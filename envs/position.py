"""Any position of a table, set up from text: who holds what, what lies where, whose turn it is."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from .cards import JOKER, NOBODY, SUITS, card_text, parse_played
from .chance import seed_word
from .given import Given, PositionError, read
from .kit import at_position
from .melds import RUN_KEY
from .observe import MELDED, PHASE, TABLE, TURNS
from .state import add_card

__all__ = ["PositionError", "full_pack", "set_up"]


def set_up(game: Any, states: np.ndarray, kits: np.ndarray, **given: Any) -> None:
    """Set up table 0 (see `Table.from_position` for what is given).

    Raises:
        PositionError: a position that cannot be.
    """
    k, s = kits[0], states[0]
    where = read(game, int(k.num_players), given)
    _check(game, k, where)
    left = full_pack(k)
    hands = {seat: [_take(left, card) for card in cards] for seat, cards in where.hands.items()}
    for card in (*where.pile, *where.stock):
        _take(left, card)
    game.new_match(states, 0, kits, np.uint64(seed_word(where.seed)))
    game.clear_hand(s)
    _lay(s, k, where.table, left)
    rest = sorted(left.elements())
    np.random.default_rng(where.seed).shuffle(rest)
    for seat in range(int(k.num_players)):
        if seat not in hands:
            if len(rest) < k.hand_size:
                raise PositionError(f"not enough cards are left to deal seat {seat} a hand")
            hands[seat] = [rest.pop() for _ in range(int(k.hand_size))]
        for card in hands[seat]:
            add_card(s, seat, card)
    order = [*(rest if where.stock_rest else []), *reversed(where.stock)]
    s.stock[: len(order)] = order
    s.stock_size = len(order)
    s.pile[: len(where.pile)] = where.pile
    s.pile_size = len(where.pile)
    _note(game, s, k, where)
    placed = states.copy()
    game.settle_position(states, 0, kits)
    why = game.why_impossible(placed[0], states[0], k)
    if why:
        raise PositionError(why)


def _check(game: Any, k: Any, where: Given) -> None:
    """Refuse what cannot be in any game, or what this one does not have."""
    phase, turn, names = game.PHASES[where.phase], where.turn, game.STATE.names
    if where.phase >= k.offset[TURNS] - k.offset[PHASE]:
        raise PositionError(f"the phase {phase!r} does not come up under these rules")
    if where.table and k.offset[TABLE] < 0:
        raise PositionError("no melds lie on the table during a hand under these rules")
    if where.upcard is not None:
        _check_upcard(game, k, where)
    if where.discarder is not None and phase != "call":
        raise PositionError(f"a discarder is named in the phase 'call', not in {phase!r}")
    if where.discarder == turn:
        raise PositionError(f"seat {turn} may not call what it has discarded itself")
    if phase == "play" and where.hands.get(turn) == []:
        raise PositionError(f"seat {turn} has no cards left to play")
    if where.melded is not None and k.offset[MELDED] < 0:
        raise PositionError(f"cards do not score as they are played in {game.TITLE}")
    if where.boxes is not None and "boxes" not in names:
        raise PositionError(f"no boxes are counted in {game.TITLE}")
    scores = where.scores or [0]
    if not k.target and any(scores):
        raise PositionError("with target=None there is one hand, and no scores before it")
    if k.target and max(scores) >= k.target and scores.count(max(scores)) == 1:
        raise PositionError(
            f"the match is over: seat {scores.index(max(scores))} has {max(scores)} points, "
            f"and the target is {k.target}"
        )


def _check_upcard(game: Any, k: Any, where: Given) -> None:
    name = card_text(where.upcard)  # type: ignore[arg-type]
    if "upcard" not in game.STATE.names:
        raise PositionError(f"no upcard is noted in {game.TITLE}")
    if where.upcard not in full_pack(k):
        raise PositionError(f"{name} cannot be the upcard: it is not in this pack")
    laid = [parse_played(card)[0] for cards, _ in where.table for card in cards]
    if not any(where.upcard in cards for cards in (where.pile, laid, *where.hands.values())):
        raise PositionError(
            f"{name} was turned up, so it is not in the stock: put it in the pile, or in the hand "
            "of the player who took it"
        )


def _note(game: Any, s: Any, k: Any, where: Given) -> None:
    """Write down what there is beside the cards."""
    s.dealer, s.turn, s.phase = where.dealer, where.turn, where.phase
    for name in ("scores", "melded", "boxes"):
        numbers = getattr(where, name)
        if numbers is not None:
            s[name][: len(numbers)] = numbers
    if game.PHASES[where.phase] == "call":
        before = (where.turn - 1) % int(k.num_players)
        s.discarder = before if where.discarder is None else where.discarder
    if "upcard" in game.STATE.names:
        turned_up = where.pile[0] if where.pile else NOBODY
        s.upcard = turned_up if where.upcard is None else where.upcard


def full_pack(k: Any) -> Counter[int]:
    """The cards of the pack of a kit's record, counted by face."""
    pack = Counter({f: int(k.num_decks) for f in range(52) if int(k.pack) >> f & 1})
    if k.jokers:
        pack[JOKER] = int(k.jokers)
    return pack


def _take(left: Counter[int], card: int) -> int:
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
            _take(left, card)
        key, spots = _read_meld(k, cards, played)
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


def _read_meld(
    k: Any, cards: Sequence[str], played: Sequence[tuple[int, str | None]]
) -> tuple[int, list[int]]:
    """The key of a meld, and the places that its cards take."""
    if any(card == JOKER and name is None for card, name in played):
        raise PositionError(
            f"{' '.join(cards)}: a joker on the table says what it stands for, "
            "like JK(5C) in a run or JK(5) in a set"
        )
    naturals = [card for card, _ in played if card != JOKER]
    if not naturals or len(played) < 3:
        raise PositionError(
            f"{' '.join(cards)} is not a meld: three cards or more, and not only jokers"
        )
    shown = [name or card_text(card) for card, name in played]
    if len({name[0] for name in shown}) == 1:
        return naturals[0] % 13, _set_spots(played, cards)
    return RUN_KEY + naturals[0] // 13, _run_spots(shown, k, cards)


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
            f"{' '.join(cards)} is not a set: three or four cards, all suits different"
        )
    return spots


def _run_spots(shown: Sequence[str], k: Any, cards: Sequence[str]) -> list[int]:
    ranks, length = int(k.num_ranks), len(shown)
    suit = SUITS.index(shown[0][1]) if len(shown[0]) == 2 else 0
    for start in range(int(k.min_pos), int(k.max_pos) - length + 2):
        if [at_position(start + n, suit, ranks) for n in range(length)] == list(shown):
            return list(range(start, start + length))
    raise PositionError(f"{' '.join(cards)} is not a meld (a run is written upwards)")
