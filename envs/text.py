"""Actions from text: the canonical words, and the liberal ones a person writes.

The canonical text of an action needs no state (``lay 9S on 8S``); `parse` also takes any card of
the meld meant (``lay 9S on 6S``), an end where both fit (``lay AS on 2S low``), melds of more than
three cards and several cards laid off at once, which are played as several actions, one after the
other.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from .cards import JOKER, RANKS, SUITS, CardError, card_text, parse_card, parse_played
from .kit import Action, action_text, at_position
from .melds import RUN_KEY


class IllegalAction(ValueError):
    """An action that may not be played now; the sentence says why. Nothing has changed."""


def split_steps(text: str, s: Any, k: Any) -> list[list[str]]:
    """The ways to read a line as canonical actions in order: usually one way of one action.

    Several ways remain where cards of a long meld may be laid in any order; the first that is legal
    is meant.

    Args:
        text: what was written.
        s: the state's record.
        k: the kit's record.

    Raises:
        IllegalAction: the line names no action.
    """
    words = text.split()
    if not words:
        raise IllegalAction("an empty line is not an action; write for example: draw stock")
    verb, rest = words[0].lower(), words[1:]
    try:
        match verb:
            case "meld" if len(rest) >= 3:
                return read_meld(rest, k)
            case "lay" if "on" in (low := [w.lower() for w in rest]):
                at = low.index("on")
                return read_lay(rest[:at], rest[at + 1 :], s, k)
            case "take" | "call" if len(rest) in (1, 2):
                copy = f" {which_copy(rest[1])}" if len(rest) == 2 and rest[1] != "1" else ""
                return [[f"{verb} {card_text(parse_card(rest[0]))}{copy}"]]
            case "discard" if len(rest) == 1:
                return [[f"discard {card_text(parse_card(rest[0]))}"]]
            case "knock" | "gin" if len(rest) == 2 and rest[0].lower() == "with":
                return [[f"{verb} with {card_text(parse_card(rest[1]))}"]]
            case "draw" | "pass" | "turn" | "big":
                return [[" ".join(w.lower() for w in words)]]
    except CardError as error:
        raise IllegalAction(f"{error} (in {text!r})") from None
    except IllegalAction:
        raise
    except ValueError as error:
        raise IllegalAction(f"{text!r} cannot be read: {error}") from None
    raise IllegalAction(f"{text!r} is not an action; actions read like: {examples(k)}")


def which_copy(text: str) -> int:
    """Which copy of a card in the pile is meant, counted from the top."""
    if text not in ("2", "3", "4"):  # two packs have two cards of a face, and four jokers
        raise ValueError(f"{text!r} is not a copy of a card: the second from the top is 2")
    return int(text)


def examples(k: Any) -> str:
    """An action of every kind that there is, as text."""
    rows = [tuple(map(int, row)) for row in k.act[: int(k.num_actions)]]
    kinds = {row[0]: row for row in reversed(rows)}
    return ", ".join(action_text(Action(*kinds[kind]), int(k.num_ranks)) for kind in sorted(kinds))


def read_meld(cards: Sequence[str], k: Any) -> list[list[str]]:
    """A meld of three or more cards: three to begin with, then the others laid on it."""
    played = [parse_played(card) for card in cards]
    naturals = [card for card, _ in played if card != JOKER]
    if not naturals:
        raise ValueError("a meld needs at least one natural card")
    ranks = {card % 13 for card in naturals}
    stands_for = [name for card, name in played if card == JOKER]
    if None in stands_for:
        raise ValueError(
            "a joker in a meld says what it stands for, like JK(5C) in a run or JK(5) in a set"
        )
    if len(ranks) == 1 and all(name in RANKS for name in map(str, stands_for)):
        if any(name != RANKS[min(ranks)] for name in stands_for):
            raise ValueError("a joker in a set stands for the rank of the set")
        return read_set(cards, next(iter(ranks)), naturals, len(stands_for))
    return read_run(played, k)


def read_set(
    cards: Sequence[str], rank: int, naturals: Sequence[int], jokers: int
) -> list[list[str]]:
    """A set: which three first makes no difference but to what must be played first, so all ways
    are given.
    """
    name = RANKS[rank]
    if len(cards) > 4:
        raise ValueError("a set holds three or four cards")
    ways = []
    items = [card_text(card) for card in sorted(naturals)] + [f"JK({name})"] * jokers
    for left_out in range(len(items)) if len(items) == 4 else [None]:
        first = [item for n, item in enumerate(items) if n != left_out]
        way = ["meld " + " ".join(first)]
        if left_out is not None:
            way.append(f"lay {items[left_out]} on {name}")
        if way not in ways and not all(item.startswith("JK") for item in first):
            ways.append(way)
    return ways


def read_run(played: Sequence[tuple[int, str | None]], k: Any) -> list[list[str]]:
    """A run, written upwards or in any order: every window of three may be laid first."""
    ranks, low, high = int(k.num_ranks), int(k.min_pos), int(k.max_pos)
    names = [str(name) if card == JOKER else card_text(card) for card, name in played]
    if any(len(name) != 2 for name in names):
        raise ValueError("a joker in a run says which card it stands for, like JK(5C)")
    suits = {name[1] for name in names}
    if len(suits) != 1:
        raise ValueError("the cards are neither of one rank nor of one suit")
    suit = SUITS.index(suits.pop())
    written = {name: card for (card, _), name in zip(played, names, strict=True)}
    length = len(played)
    fits = [
        [at_position(spot, suit, ranks) for spot in range(start, start + length)]
        for start in range(low, high - length + 2)
    ]
    fits = [wanted for wanted in fits if sorted(wanted) == sorted(names)]
    if not fits:
        raise ValueError("these cards are not in sequence")
    # In a pack of three ranks A 2 3 and 2 3 A are two runs: the one that was written.
    wanted = names if names in fits else fits[0]
    if len(written) < length:  # an ace at both ends
        jokers = [card == JOKER for card, _ in played]
    else:
        jokers = [written[name] == JOKER for name in wanted]
    shown = [f"JK({name})" if joker else name for name, joker in zip(wanted, jokers, strict=True)]
    ways = []
    for first in range(length - 2):
        way = ["meld " + " ".join(shown[first : first + 3])]
        if all(jokers[first : first + 3]):
            continue
        way += [f"lay {shown[n]} on {wanted[n + 1]}" for n in range(first - 1, -1, -1)]
        way += [f"lay {shown[n]} on {wanted[n - 1]}" for n in range(first + 3, length)]
        ways.append(way)
    return ways


def read_lay(cards: Sequence[str], where: Sequence[str], s: Any, k: Any) -> list[list[str]]:
    """Cards laid off, in the order that fits, on the meld that holds a card."""
    if not cards or not where or len(where) > 2:
        raise ValueError("a lay-off is written like: lay 7S on 8S")
    end = where[1].lower() if len(where) == 2 else None
    if end not in (None, "low", "high"):
        raise ValueError(f"{where[1]!r} is not an end of a run; write low or high")
    played = [parse_played(card) for card in cards]
    target = where[0].upper().replace("10", "T")
    found: list[list[str]] = []
    for way in lay_ways(played, target, end, s, k):
        if way not in found:
            found.append(way)
    if not found:
        raise IllegalAction(
            f"no meld that holds {target} can take {' '.join(cards)}"
            + (f" at its {end} end" if end else "")
        )
    return found


def lay_ways(
    played: Sequence[tuple[int, str | None]], target: str, end: str | None, s: Any, k: Any
) -> Iterator[list[str]]:
    """The ways to lay cards off on a meld that holds the target (a card, or a set's rank), in
    whatever order.
    """
    ranks = int(k.num_ranks)
    for m in range(int(s.num_melds)):
        key, cards = int(s.meld_key[m]), int(s.meld_cards[m])
        if key < RUN_KEY:
            rank = RANKS[key]
            members = {rank + SUITS[suit] for suit in range(4) if cards >> suit & 1} | {rank}
            if cards >> 4:
                members |= {f"JK({rank})", "JK"}
            fits = all(name == rank if card == JOKER else card % 13 == key for card, name in played)
            if target in members and fits and end is None and len(played) < 4:
                shown = [f"JK({rank})" if card == JOKER else card_text(card) for card, _ in played]
                for order in permutations(shown):
                    yield [f"lay {name} on {rank}" for name in order]
            continue
        suit = key - RUN_KEY
        spots = [spot for spot in range(14) if cards >> spot & 1]
        members = {at_position(spot, suit, ranks) for spot in spots}
        members |= {f"JK({name})" for name in members}
        if target not in members:
            continue
        names = [
            (str(name) if card == JOKER else card_text(card), card == JOKER)
            for card, name in played
        ]
        yield from ways_at_ends(names, suit, (spots[0], spots[-1]), target, end, k)


def ways_at_ends(
    names: Sequence[tuple[str, bool]],
    suit: int,
    spots: tuple[int, int],
    target: str,
    end: str | None,
    k: Any,
) -> list[list[str]]:
    """The ways to lay cards (name, whether it is a joker) on a run: at the end that is named, by
    word or by the card beside it; else at one end; else at both.
    """
    beside = [
        side
        for side, spot in zip(("low", "high"), spots, strict=True)
        if at_position(spot, suit, int(k.num_ranks)) in target
    ]
    tries = [(end,)] if end else [(side,) for side in beside] or [("low",), ("high",)]
    found = [ways for ends in tries if (ways := list(run_ways(names, suit, spots, ends, k)))]
    if len(found) > 1:
        raise ValueError(f"{names[0][0]} fits both ends of the run; add low or high")
    if found or end:
        return found[0] if found else []
    ends = ("low", "high")
    one_end = [ways for side in ends if (ways := list(run_ways(names, suit, spots, (side,), k)))]
    return one_end[0] if one_end else list(run_ways(names, suit, spots, ends, k))


def neighbour(spots: tuple[int, int], suit: int, end: str, k: Any) -> str | None:
    """The card that an end of a run wants next, as text."""
    spot = spots[0] - 1 if end == "low" else spots[-1] + 1
    if not int(k.min_pos) <= spot <= int(k.max_pos):
        return None
    return at_position(spot, suit, int(k.num_ranks))


def run_ways(
    names: Sequence[tuple[str, bool]],
    suit: int,
    spots: tuple[int, int],
    ends: Sequence[str],
    k: Any,
) -> Iterator[list[str]]:
    """The ways to lay cards (name, whether it is a joker) on the ends of a run, in any order."""
    if not names:
        yield []
        return
    for n, (name, joker) in enumerate(names):
        if (name, joker) in names[:n]:
            continue
        rest = [*names[:n], *names[n + 1 :]]
        for end in ends:
            if name != neighbour(spots, suit, end, k):
                continue
            low = end == "low"
            beside = at_position(spots[0] if low else spots[1], suit, int(k.num_ranks))
            further = (spots[0] - 1, spots[1]) if low else (spots[0], spots[1] + 1)
            step = f"lay {f'JK({name})' if joker else name} on {beside}"
            for way in run_ways(rest, suit, further, ends, k):
                yield [step, *way]
