"""What the naive reference engines share: options, hands, what is known of them, the match."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from reference.table import JOKER, ORDER, Cards, Meld, Pack, Table, count, listed, named, without

# Option -> (default, allowed values). None as allowed values: any whole number (or "auto"/None).
Options = dict[str, tuple[Any, Sequence[Any] | None]]


class Match(ABC):
    """One match. `start` or `load`, then `play` one of `legal` until over; then `next_hand`.

    A game adds `load` and what can be done in a turn: `_find_options` and `_act`.
    """

    OPTIONS: ClassVar[Options]
    first_phase = "draw"
    hand_number: int  # of this match, from 1

    def __init__(self, **options: Any) -> None:
        for name, value in options.items():
            if name not in self.OPTIONS:
                raise ValueError(f"unknown option {name!r}")
            allowed = self.OPTIONS[name][1]
            if allowed is not None and value not in allowed:
                raise ValueError(f"{name}={value!r}: not one of {list(allowed)}")
        defaults = {name: default for name, (default, _) in self.OPTIONS.items()}
        self.rules: dict[str, Any] = defaults | options
        self.num_players: int = self.rules.get("num_players", 2)
        self._settle()
        aces = self.rules.get("ace_in_runs", "low")
        self.pack = Pack(self.rules["num_ranks"], self.rules["num_suits"], aces)

    # --- what a game says about itself ---

    @abstractmethod
    def _settle(self) -> None:
        """Fill in the options that are "auto"."""

    @abstractmethod
    def next_dealer(self) -> int:
        """Who deals after the hand that has just ended."""

    def also(self) -> dict[str, Any]:
        """Fields of the real engine's state, and what should stand there."""
        return {"turns": self._turns}

    @abstractmethod
    def _find_options(self) -> dict[str, Any]:
        """Legal actions while the hand goes on: text -> whatever `_act` needs to carry it out."""

    @abstractmethod
    def _act(self, verb: str, what: Any) -> None:
        """Carry out a legal action; `verb` is the first word of its text."""

    # --- options ---

    def _auto(self, name: str, value: Any) -> None:
        if self.rules[name] in ("auto", None):
            self.rules[name] = value

    def _auto_hand_size(self, usual: int) -> None:
        """The usual hand; of a small pack at least a third is not dealt."""
        size = len(self.full_pack())
        if self.rules["num_ranks"] * self.rules["num_suits"] < 52:
            third = -(-size // 3)
            usual = max(1, min(usual, (size - third) // self.num_players))
        self._auto("hand_size", usual)

    def full_pack(self) -> list[str]:
        """All cards of the game, unshuffled."""
        one = Pack(self.rules["num_ranks"], self.rules["num_suits"], "low").cards
        one = one + [JOKER] * self.rules.get("jokers_per_deck", 0)
        return one * self.rules.get("num_decks", 1)

    # --- beginning a hand ---

    @abstractmethod
    def load(self, *args: Any, **kwargs: Any) -> None:
        """Set up any position: hands, table, pile, stock, turn, phase, dealer, scores, and what a
        game adds to these."""

    def start(
        self,
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        pile: Sequence[str],
        dealer: int,
        scores: Sequence[int] | None = None,
    ) -> None:
        """Begin a match with this deal: stock top first, pile bottom first."""
        left = (dealer + 1) % self.num_players
        self.load(hands, (), pile, stock, left, self.first_phase, dealer, scores)

    def next_hand(
        self, hands: Sequence[Sequence[str]], stock: Sequence[str], pile: Sequence[str]
    ) -> None:
        """The next deal of the match."""
        if self.over != "hand":
            raise ValueError("the match has no next hand now")
        number = self.hand_number + 1
        self.start(hands, stock, pile, self.next_dealer(), self.scores)
        self.hand_number = number

    def _lay_out(
        self,
        hands: Sequence[Sequence[str]] | Mapping[int, Sequence[str]],
        table: Sequence[tuple[Sequence[str], int]],
        pile: Sequence[str],
        stock: Sequence[str],
        dealer: int | None,
        scores: Sequence[int] | None,
    ) -> None:
        """The cards of a position, and a hand with nothing done yet."""
        n = self.num_players
        if len(hands) != n:
            raise ValueError(f"{len(hands)} hands for {n} players")
        self.dealer: int = n - 1 if dealer is None else dealer
        self.scores: list[int] = list(scores) if scores is not None else [0] * n
        self.hand_scores: list[int] = [0] * n
        self.melded: list[int] = [0] * n
        self.over = "no"  # or "hand", "match", "truncated"
        self.winner: int | None = None
        self.hand_number = 1
        self._hands: list[Cards] = [count(hands[seat]) for seat in range(n)]
        self._seen: list[Cards] = [{} for _ in range(n)]  # the part of the hands that all know
        self.pile, self.stock = list(pile), list(stock)
        melds = (self._read_meld(tuple(cards), owner) for cards, owner in table)
        self._table = Table(self.pack, tuple(melds))
        self._turns = 0  # complete turns of this hand
        self._seat, self._phase = 0, self.first_phase
        self._options_cache: dict[str, Any] | None = None

    def _read_meld(self, cards: tuple[str, ...], owner: int) -> Meld:
        owners, names = (owner,) * len(cards), [named(card) for card in cards]
        if len({name[0] for name in names}) == 1:
            cards = tuple(sorted(cards, key=lambda card: ORDER.get(card, 99)))
            return Meld("set", cards, owners, -1)
        low = self.pack.ranks.index(names[0][0])
        at = [p for p in self.pack.positions if low <= p < low + len(cards)]
        if names != [self.pack.faces[names[0][1]][p] for p in at]:
            raise ValueError(f"not a meld (runs are written upwards): {' '.join(cards)}")
        return Meld("run", cards, owners, low)

    # --- looking at it ---

    @property
    def turn(self) -> int | None:
        return self._seat if self.over == "no" else None

    @property
    def phase(self) -> str:
        return self._phase if self.over == "no" else "over"

    @property
    def hands(self) -> list[list[str]]:
        return [listed(hand) for hand in self._hands]

    @property
    def known(self) -> list[list[str]]:
        return [listed(cards) for cards in self._seen]

    @property
    def melds(self) -> list[Meld]:
        return list(self._table.melds)

    def legal(self) -> list[str]:
        return list(self._options())

    def _options(self) -> dict[str, Any]:
        if self.over != "no":
            return {}
        if self._options_cache is None:
            self._options_cache = self._find_options()
        return self._options_cache

    # --- playing ---

    def play(self, action: str) -> None:
        """Play one of the legal actions; ValueError (and nothing changed) for any other."""
        if action not in self._options():
            raise ValueError(f"not legal here: {action}")
        what = self._options()[action]
        self._options_cache = None
        self._act(action.split()[0], what)

    def _give(self, seat: int, cards: Sequence[str], seen: bool) -> None:
        """Cards come into a hand; `seen` when all know which."""
        self._hands[seat] = count([*listed(self._hands[seat]), *cards])
        if seen:
            self._seen[seat] = count([*listed(self._seen[seat]), *cards])

    def _forget(self, seat: int, cards: Iterable[str]) -> None:
        """Cards have left a hand: all know that they are no longer there."""
        for card in cards:
            if card in self._seen[seat]:
                self._seen[seat] = without(self._seen[seat], [card])

    def _count_hand(self, hand_scores: Sequence[int]) -> None:
        """The hand is over with these scores. Is the match?"""
        self.hand_scores = list(hand_scores)
        self.scores = [s + h for s, h in zip(self.scores, self.hand_scores, strict=True)]
        best, target = max(self.scores), self.rules["target"]
        alone = self.scores.count(best) == 1
        if target is None or (best >= target and alone):
            self.over, self.winner = "match", self.scores.index(best) if alone else None
        elif self.hand_number >= self.rules["max_hands"]:
            self.over = "truncated"
        else:
            self.over = "hand"
