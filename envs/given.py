"""What a position is given as, read part by part: a wrong part is told of in one sentence."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .cards import parse_card
from .numbers import as_whole, check_seed


class PositionError(ValueError):
    """A position that cannot be; one sentence says why."""


class Given(NamedTuple):
    """A position as it was read: cards as faces, but those of melds as text."""

    hands: dict[int, list[int]]
    table: list[tuple[list[str], int]]
    pile: list[int]
    stock: list[int]
    stock_rest: bool
    dealer: int
    turn: int
    discarder: int | None
    phase: int
    scores: list[int] | None
    melded: list[int] | None
    boxes: list[int] | None
    upcard: int | None
    seed: int


def read(game: Any, num_players: int, given: Mapping[str, Any]) -> Given:
    """Read a position.

    Args:
        game: the module of the game.
        num_players: at the table.
        given: the arguments of `Table.from_position`.

    Raises:
        PositionError: a part that cannot be read.
        CardError: a text that does not name a card.
        ValueError: a seed that is not possible.
    """
    n, of_seats = num_players, _Seats(num_players)
    dealer = n - 1 if given["dealer"] is None else of_seats.read("dealer", given["dealer"])
    turn = (dealer + 1) % n if given["turn"] is None else of_seats.read("turn", given["turn"])
    discarder, upcard, phase = given["discarder"], given["upcard"], given["phase"]
    if not isinstance(phase, str) or phase not in game.PHASES:
        raise PositionError(f"phase {phase!r} is not one of {', '.join(game.PHASES)}")
    if not isinstance(given["stock_rest"], bool | np.bool_):
        raise PositionError(
            f"stock_rest={given['stock_rest']!r} is not possible; stock_rest is True or False"
        )
    return Given(
        of_seats.hands(given["hands"]),
        of_seats.melds(given["table"]),
        _faces("pile", given["pile"]),
        _faces("stock", given["stock"]),
        bool(given["stock_rest"]),
        dealer,
        turn,
        None if discarder is None else of_seats.read("discarder", discarder),
        game.PHASES.index(phase),
        of_seats.numbers("scores", given["scores"], -1_000_000, 1_000_000),
        of_seats.numbers("melded", given["melded"], 0, 10_000),
        of_seats.numbers("boxes", given["boxes"], 0, 1_000_000),
        None if upcard is None else parse_card(upcard),
        check_seed(given["seed"]),
    )


def _cards(what: str, cards: Any) -> list[Any]:
    """A list of cards, not looked at yet."""
    if isinstance(cards, str) or not isinstance(cards, Sequence):
        raise PositionError(f"{what} is a list of cards like ['7S', 'KD'], not {cards!r}")
    return list(cards)


def _faces(what: str, cards: Any) -> list[int]:
    return [parse_card(card) for card in _cards(what, cards)]


class _Seats:
    """Reads what is given by seat, at a table of so many."""

    def __init__(self, count: int) -> None:
        self.count = count

    def read(self, what: str, seat: Any) -> int:
        """A seat."""
        number = as_whole(seat)
        if number is None or not 0 <= number < self.count:
            raise PositionError(
                f"{what} names seat {seat!r}, but there are seats 0 to {self.count - 1} only"
            )
        return number

    def hands(self, hands: Any) -> dict[int, list[int]]:
        """The cards of the seats that are named."""
        if hands is None:
            return {}
        if not isinstance(hands, Mapping):
            raise PositionError(
                "hands is a dictionary of seats and their cards like {0: ['7S', 'KD']}, "
                f"not {hands!r}"
            )
        return {
            self.read("hands", seat): _faces(f"the hand of seat {seat}", cards)
            for seat, cards in hands.items()
        }

    def melds(self, table: Any) -> list[tuple[list[str], int]]:
        """Melds, each with the seat that laid it."""
        example = "a meld is its cards and the seat that laid it, like (['4H', '5H', '6H'], 0)"
        if isinstance(table, str) or not isinstance(table, Sequence):
            raise PositionError(f"table is a list of melds, not {table!r}; {example}")
        melds = []
        for meld in table:
            if isinstance(meld, str) or not isinstance(meld, Sequence) or len(meld) != 2:
                raise PositionError(f"{example}, not {meld!r}")
            melds.append((_cards("a meld", meld[0]), self.read("table", meld[1])))
        return melds

    def numbers(self, what: str, numbers: Any, low: int, high: int) -> list[int] | None:
        """A whole number for each seat."""
        if numbers is None:
            return None
        listed = numbers.tolist() if isinstance(numbers, np.ndarray) else numbers
        if isinstance(listed, str) or not isinstance(listed, Sequence):
            raise PositionError(f"{what} is a list of {self.count} numbers, not {numbers!r}")
        if len(listed) != self.count:
            raise PositionError(f"{what} needs {self.count} numbers, one for each seat")
        found = [as_whole(number) for number in listed]
        for number, one in zip(listed, found, strict=True):
            if one is None or not low <= one <= high:
                raise PositionError(
                    f"{what} holds {number!r}; it takes whole numbers from {low} to {high}"
                )
        return found  # type: ignore[return-value]
