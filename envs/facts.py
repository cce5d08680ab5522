"""What can be read of a table without playing at it: `TableFacts`, the part of `Table` that looks.

What lies where and who is to act, what a seat observes, which actions are legal and why others are
not, the table as text. Nothing here changes the state; `Table` does.
"""

from typing import Any, NamedTuple

import numpy as np

from .cards import NOBODY, card_text
from .hands import cards_of
from .melds import RUN_KEY
from .numbers import as_whole
from .render import meld_cards, table_text
from .setting import setting
from .state import HAND_OVER, MATCH_OVER, TRUNCATED
from .text import IllegalAction, examples

ENDS = {HAND_OVER: "hand", MATCH_OVER: "match", TRUNCATED: "truncated"}


class Meld(NamedTuple):
    """A meld on the table: ``"set"`` or ``"run"``, its cards as text, and who laid each."""

    kind: str
    cards: tuple[str, ...]
    owners: tuple[int, ...]


class TableFacts:
    """The state of a game under its rules, and what can be read of it."""

    def _set_rules(self, rules: Any, game: str) -> None:
        where = setting(game, rules)
        self.game, self.rules, self.kits = where.game, where.rules, where.kits
        self.states = np.zeros(1, self.game.STATE)
        self.texts = list(where.actions)
        self._numbers = {text: n for n, text in enumerate(where.actions)}
        self._work = np.zeros(self.game.WORK, np.int64)
        self._mask = np.zeros(len(self.texts), np.int8)
        self._observation = np.zeros(int(self.kits[0].observation_size), np.int8)

    # --- what lies where, and who is to act ---

    @property
    def state(self) -> Any:
        """The state's record; everything, hidden cards too."""
        return self.states[0]

    @property
    def num_players(self) -> int:
        """How many seats there are."""
        return int(self.rules.num_players)

    @property
    def turn(self) -> int | None:
        """The seat to act, None when the hand is over."""
        return int(self.state.turn) if self.state.phase < HAND_OVER else None

    @property
    def phase(self) -> str:
        """What is to be done: one of the game's ``PHASES`` (``"draw"``, ``"play"``, and others), or
        ``"over"``.
        """
        phase = int(self.state.phase)
        return self.game.PHASES[phase] if phase < HAND_OVER else "over"

    @property
    def over(self) -> str:
        """``"no"``, ``"hand"`` (the match goes on with `next_hand`), ``"match"`` or
        ``"truncated"``.
        """
        return ENDS.get(int(self.state.phase), "no")

    @property
    def winner(self) -> int | None:
        """The seat that won the match; None while it goes on, and after a tie."""
        return None if self.state.winner == NOBODY else int(self.state.winner)

    @property
    def dealer(self) -> int:
        """The seat that dealt this hand."""
        return int(self.state.dealer)

    @property
    def discarder(self) -> int | None:
        """While players are asked to call: whose discard it is about."""
        discarder = int(self._fact("discarder", NOBODY))
        return None if discarder == NOBODY else discarder

    @property
    def stock_count(self) -> int:
        """How many cards are in the stock."""
        return int(self.state.stock_size)

    @property
    def stock(self) -> list[str]:
        """The stock, top first: nobody at the table may see it."""
        return [card_text(c) for c in reversed(self.state.stock[: self.stock_count].tolist())]

    @property
    def pile(self) -> list[str]:
        """The discard pile from the bottom to the top."""
        return [card_text(c) for c in self.state.pile[: self.state.pile_size].tolist()]

    @property
    def scores(self) -> list[int]:
        """The scores of the match, without the hand being played."""
        return self._seats("scores")

    @property
    def melded(self) -> list[int]:
        """The points each seat has played in this hand."""
        return self._seats("melded")

    @property
    def boxes(self) -> list[int]:
        """The boxes that each seat has won in this match; 0 in games that count none."""
        return self._seats("boxes") if "boxes" in self.game.STATE.names else [0] * self.num_players

    @property
    def hand_scores(self) -> list[int]:
        """The scores of the last hand that ended."""
        return self._seats("hand_scores")

    def check_seat(self, seat: Any) -> int:
        """The seat, if there is such a one.

        Raises:
            ValueError: there is not.
        """
        last = self.num_players - 1
        number = as_whole(seat)
        if number is None or not 0 <= number <= last:
            raise ValueError(f"there is no seat {seat!r}; seats are 0 to {last}")
        return number

    def hand(self, seat: int) -> list[str]:
        """A seat's cards by suit and rank, jokers last."""
        return cards_of(self.state, self.check_seat(seat))

    def known(self, seat: int) -> list[str]:
        """The cards in a seat's hand that all have seen."""
        return cards_of(self.state, self.check_seat(seat), "known_")

    @property
    def melds(self) -> list[Meld]:
        """The melds in the order they were laid; jokers with what they stand for."""
        found = []
        for m in range(int(self.state.num_melds)):
            kind = "set" if self.state.meld_key[m] < RUN_KEY else "run"
            cards, owners = zip(*meld_cards(self.state, m, int(self.rules.num_ranks)), strict=True)
            found.append(Meld(kind, cards, owners))
        return found

    def _fact(self, name: str, otherwise: int) -> int:
        """A field that not all games have."""
        return int(self.state[name]) if name in self.game.STATE.names else otherwise

    def _seats(self, name: str) -> list[int]:
        return [int(x) for x in self.state[name][: self.num_players]]

    # --- what a seat observes, and what it may do ---

    def observation(self, seat: int) -> np.ndarray:
        """What a seat may see: int8 of shape (size,); see `rummyzoo.envs.observation_layout`."""
        self.game.observe(self.states, 0, self.check_seat(seat), self.kits, self._observation)
        return self._observation.copy()

    def mask(self) -> np.ndarray:
        """Which actions are legal: int8 of shape (actions,); all zero when the hand is over."""
        seat = int(self.state.turn)
        self.game.look(self.states, 0, seat, self.kits, self._work, self._observation, self._mask)
        return self._mask.copy()

    def legal_actions(self) -> np.ndarray:
        """The numbers of the legal actions, int64, ascending."""
        return np.flatnonzero(self.mask())

    def legal(self) -> list[str]:
        """The legal actions as text."""
        return [self.texts[n] for n in self.legal_actions()]

    def number(self, action: str | int) -> int:
        """The number of an action.

        Args:
            action: the number itself, or its text in the game's own form, as `legal` gives it.

        Raises:
            IllegalAction: there is no such action in this game.
        """
        if isinstance(action, str):
            if action not in self._numbers:
                raise IllegalAction(
                    f"no action in this game is called {action!r}; {self._examples()}"
                )
            return self._numbers[action]
        number = as_whole(action)
        if number is None or not 0 <= number < len(self.texts):
            raise IllegalAction(
                f"there is no action {action!r}; actions are 0 to {len(self.texts) - 1}"
            )
        return number

    def _examples(self) -> str:
        return f"actions read like: {examples(self.kits[0])}"

    def _legal(self, action: int) -> int:
        number = self.number(action)
        if not self.mask()[number]:
            raise IllegalAction(self.why_not(number))
        return number

    def why_not(self, action: int) -> str:
        """One sentence that says why an action may not be played now.

        Raises:
            IndexError: there is no action of this number.
        """
        if not 0 <= action < len(self.texts):
            raise IndexError(f"there is no action {action}; actions are 0 to {len(self.texts) - 1}")
        if self.mask()[action]:
            return f"{self.texts[action]}: this is legal"
        if self.turn is None:
            then = "deal with next_hand()" if self.over == "hand" else "the match is over"
            return f"{self.texts[action]}: the hand is over; {then}"
        return f"{self.texts[action]}: {self.game.why_not(self.states, self.kits, action)}"

    # --- the whole of it ---

    def text(self, seat: int | str = "all") -> str:
        """The table as text: what a seat may see of it, or ``"public"``, or ``"all"``."""
        return table_text(self.game, self.states, 0, self.kits, self.rules, seat)

    def __str__(self) -> str:
        return self.text()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TableFacts):
            return NotImplemented
        return self.rules == other.rules and self.states.tobytes() == other.states.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        doing = (
            f"seat {self.turn} to {self.phase}" if self.turn is not None else f"{self.over} over"
        )
        return f"<Table {self.game.NAME}, {self.num_players} players, {doing}>"
