"""What there is to see of a table: the seats, the cards, the scores, what is legal."""

from typing import Any, NamedTuple

import numpy as np

from .cards import NOBODY, card_text
from .hands import cards_of
from .melds import RUN_KEY
from .numbers import as_whole
from .render import meld_cards, table_text
from .setting import setting
from .state import HAND_OVER, MATCH_OVER, TRUNCATED

ENDS = {HAND_OVER: "hand", MATCH_OVER: "match", TRUNCATED: "truncated"}


class Meld(NamedTuple):
    """A meld on the table: ``"set"`` or ``"run"``, its cards as text, and who laid each."""

    kind: str
    cards: tuple[str, ...]
    owners: tuple[int, ...]


class Facts:
    """A table as one looks at it; `rummyzoo.envs.table.Table` can be played at, too.

    Attributes:
        game, rules, kits: the game, its options, and what follows from these for its kernels.
        states: the table's state, one record.
        texts: the actions as text, by number.
    """

    def _set_rules(self, rules: Any, game: str) -> None:
        where = setting(game, rules)
        self.game, self.rules, self.kits = where.game, where.rules, where.kits
        self.states = np.zeros(1, self.game.STATE)
        self.texts = list(where.actions)
        self._work = np.zeros(self.game.WORK, np.int64)
        self._mask = np.zeros(len(self.texts), np.int8)
        self._observation = np.zeros(int(self.kits[0].observation_size), np.int8)

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

    def _fact(self, name: str, otherwise: int) -> int:
        """A field that not all games have."""
        return int(self.state[name]) if name in self.game.STATE.names else otherwise

    def _seats(self, name: str) -> list[int]:
        return [int(x) for x in self.state[name][: self.num_players]]

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

    def text(self, seat: int | str = "all") -> str:
        """The table as text: what a seat may see of it, or ``"public"``, or ``"all"``."""
        return table_text(self.game, self.states, 0, self.kits, self.rules, seat)

    def __str__(self) -> str:
        return self.text()
