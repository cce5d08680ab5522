"""`Table`: one game to play with, look at, copy and undo, in text or numbers.

How tables are made, played at, dealt anew and kept is here; what can be read of them is inherited
from `rummyzoo.envs.facts`.
"""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .chance import seed_word
from .deal import reseed
from .facts import Meld, TableFacts
from .games import load_game
from .numbers import check_seed
from .position import set_up
from .saving import pack, unpack
from .text import IllegalAction, split_steps

if TYPE_CHECKING:
    from .record import Recorder

__all__ = ["Meld", "Table"]


class Table(TableFacts):
    """A game in progress.

    >>> table = Table("rummy500", seed=7, jokers_per_deck=0)
    >>> table.phase, table.stock_count
    ('draw', 25)
    >>> table.play("draw stock")
    >>> table.copy().legal() == table.legal()
    True

    Args:
        game: the name of a game.
        seed: of the shuffling, a whole number of 0 or more; None for one by chance.
        preset: a named set of options.
        options: the game's options (see its ``Rules``).

    Attributes:
        seed: that the match was dealt from; None where it began otherwise.

    Raises:
        RulesError: an unknown game, preset or option, or a value that is not possible.
        ValueError: a seed that is not possible.
    """

    seed: int | None = None

    def __init__(
        self,
        game: str = "rummy500",
        seed: int | None = None,
        preset: str | None = None,
        **options: Any,
    ) -> None:
        self._set_rules(load_game(game).make_rules(preset, **options), game)
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self.seed = check_seed(seed)
        self.game.new_match(self.states, 0, self.kits, np.uint64(seed_word(self.seed)))

    def _set_rules(self, rules: Any, game: str) -> None:
        super()._set_rules(rules, game)
        self._past: list[bytes] = []
        self._recorder: Recorder | None = None

    @classmethod
    def from_position(
        cls,
        game: str = "rummy500",
        *,
        preset: str | None = None,
        hands: Mapping[int, Sequence[str]] | None = None,
        table: Sequence[tuple[Sequence[str], int]] = (),
        pile: Sequence[str] = (),
        stock: Sequence[str] = (),
        stock_rest: bool = True,
        dealer: int | None = None,
        scores: Sequence[int] | None = None,
        melded: Sequence[int] | None = None,
        boxes: Sequence[int] | None = None,
        turn: int | None = None,
        phase: str = "draw",
        discarder: int | None = None,
        upcard: str | None = None,
        seed: int = 0,
        **options: Any,
    ) -> Self:
        """A table at any position.

        Args:
            hands: by seat; a seat that is not named is dealt a hand from the cards not named.
            table: melds (runs written upwards, jokers as ``JK(5C)`` or ``JK(5)``), each with the
                seat that laid it.
            pile: bottom to top.
            stock: top first; with `stock_rest` the cards not named lie below, shuffled.
            dealer: by default the last seat.
            scores: of the match, by seat.
            melded: points of this hand, by seat; by default what lies on the table.
            boxes: in Gin, boxes of the match, by seat; by default none.
            turn: by default the seat on the dealer's left.
            phase: one of the game's; ``"play"``: the seat has drawn from the stock.
            discarder: in the call phase, whose discard it is about; by default the seat before.
            upcard: in Gin, the card that was turned up at the deal; by default the pile's lowest.
                If a player took it, all know that it is in that hand.
            seed: of the cards that are not named.

        Raises:
            RulesError: options that are not possible.
            PositionError: a position that cannot be, or a part of one that cannot be read.
            CardError: a text that does not name a card.
            ValueError: a seed that is not possible.
        """
        made = cls.__new__(cls)
        made._set_rules(load_game(game).make_rules(preset, **options), game)
        set_up(
            made.game,
            made.states,
            made.kits,
            hands=hands,
            table=table,
            pile=pile,
            stock=stock,
            stock_rest=stock_rest,
            dealer=dealer,
            scores=scores,
            melded=melded,
            boxes=boxes,
            turn=turn,
            phase=phase,
            discarder=discarder,
            upcard=upcard,
            seed=seed,
        )
        return made

    # --- playing ---

    def play(self, action: str | int) -> None:
        """Play an action: its number, or text such as ``meld 7C 7D 7S``.

        Raises:
            IllegalAction: it may not be played now, and why; nothing has changed.
        """
        numbers = self.read(action) if isinstance(action, str) else [self._legal(action)]
        self._past.append(self.states.tobytes())
        for number in numbers:
            self.game.step(self.states, 0, number, self.kits)
        self._note(numbers)

    def read(self, text: str) -> list[int]:
        """The actions, by number and in order, that `play` makes of a text; nothing is played.

        >>> table = Table("rummy500", seed=7)
        >>> [table.texts[number] for number in table.read("Draw  stock")]
        ['draw stock']

        Raises:
            IllegalAction: there is no such action, or it may not be played now, and why.
        """
        before = self.states.tobytes()
        refusals = []
        for way in split_steps(text, self.state, self.kits[0]):
            numbers, refusal = self._try(way)
            self._set_bytes(before)
            if refusal is None:
                return numbers
            refusals.append(refusal)
        raise IllegalAction(refusals[-1])

    def _try(self, way: Sequence[str]) -> tuple[list[int], str | None]:
        """Play canonical actions in order: their numbers, and why the first illegal one is."""
        mover, numbers = self.turn, []
        for step in way:
            try:
                number = self.number(step)
            except IllegalAction as error:
                return [], str(error)
            if self.turn != mover or not self.mask()[number]:
                return [], self.why_not(number)
            self.game.step(self.states, 0, number, self.kits)
            numbers.append(number)
        return numbers, None

    def next_hand(self) -> None:
        """Deal the next hand of the match.

        Raises:
            IllegalAction: the hand is not over, or the match is.
        """
        if self.over != "hand":
            state = "the hand is still being played" if self.over == "no" else "the match is over"
            raise IllegalAction(f"there is no next hand to deal: {state}")
        self._past.append(self.states.tobytes())
        self.game.next_hand(self.states, 0, self.kits)

    def undo(self) -> None:
        """Take back the last `play` or `next_hand`.

        Raises:
            IllegalAction: nothing has been played.
        """
        if not self._past:
            raise IllegalAction("there is nothing to undo: nothing has been played at this table")
        self._set_bytes(self._past.pop())
        if self._recorder is not None and not self._recorder.closed:
            self._recorder.go_back_to(self)

    def forget(self) -> None:
        """Let nothing of what was played so far be taken back."""
        self._past = []

    def copy(self, seed: int | None = None) -> Self:
        """An independent table at the same position; with a seed it goes on to draw other cards."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.states = self.states.copy()
        other._past, other._recorder = list(self._past), None
        for name in ("_work", "_mask", "_observation"):
            setattr(other, name, getattr(self, name).copy())
        if seed is not None:
            reseed(other.states, 0, np.uint64(seed_word(check_seed(seed))))
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy()

    def resample(self, seat: int, rng: np.random.Generator | int) -> Self:
        """A table that looks the same from a seat, with all that the seat cannot see dealt anew.

        The other hands and the stock are drawn evenly from the cards that the seat has not located;
        the true deal is not consulted, except for whether a player in the middle of a turn could go
        on.
        """
        seat = self.check_seat(seat)
        if not isinstance(rng, np.random.Generator):
            rng = np.random.default_rng(check_seed(rng))
        other = self.copy()
        other._past = []
        word = np.uint64(seed_word(int(rng.integers(1 << 62))))
        if not self.game.resample(other.states, 0, seat, self.kits, self._work, word):
            raise RuntimeError(f"no deal was found in which seat {self.turn} could end its turn")
        return other

    # --- keeping ---

    def save(self, path: str | Path | None = None) -> bytes:
        """The table as bytes, also written to a file if a path is given."""
        about = {
            "game": self.game.NAME,
            "version": self.game.VERSION,
            "rules": self.rules._asdict(),
        }
        return pack("table", about, self.states.tobytes(), path)

    @classmethod
    def restore(cls, source: bytes | str | Path) -> Self:
        """The table that `save` kept.

        Raises:
            ValueError: it is not a saved table, is cut off or damaged, or is of another version.
        """
        about, body = unpack("table", source)
        try:
            game, version, options = about["game"], about["version"], dict(about["rules"])
        except (KeyError, TypeError, ValueError):
            raise ValueError("this saved table is damaged: its header cannot be read") from None
        module = load_game(game)
        if version != module.VERSION or len(body) != module.STATE.itemsize:
            raise ValueError(
                f"this table was saved by version {version} of {game}; "
                f"this is version {module.VERSION}"
            )
        table = cls.__new__(cls)
        table._set_rules(module.make_rules(**options), game)
        table._set_bytes(body)
        return table

    def record(
        self,
        path: str | PathLike[str],
        players: Sequence[str] | None = None,
        *,
        about: Mapping[str, Any] | None = None,
        replace: bool = False,
    ) -> "Recorder":
        """Record what is played from here on; copies of the table do not go on with it.

        Args:
            path, players, about, replace: see `rummyzoo.envs.record.Recorder`.

        Returns:
            The recorder, to be closed in the end, or to be used in a ``with`` statement.
        """
        from .record import Recorder  # not above: it plays at tables

        if self._recorder is not None:
            self._recorder.close()
        self._recorder = Recorder(path, self, players, about=about, replace=replace)
        return self._recorder

    def _note(self, numbers: Sequence[int]) -> None:
        """Record some actions that were played, if the game is recorded."""
        if self._recorder is not None and not self._recorder.closed:
            for number in numbers:
                self._recorder.play(number)

    def _set_bytes(self, data: bytes) -> None:
        self.states[:] = np.frombuffer(data, self.game.STATE)

    def __getstate__(self) -> dict[str, Any]:
        return {"saved": self.save(), "past": self._past, "seed": self.seed}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(type(self).restore(kept["saved"]).__dict__)
        self._past, self.seed = kept["past"], kept["seed"]
