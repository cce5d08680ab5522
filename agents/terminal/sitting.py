"""A match being played: the table, who sits at it, what was done, and its record."""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import index
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from ...envs.games import load_game
from ...envs.record import Recorder, RecordError, read_record
from ...envs.render import Who
from ...envs.table import Table
from ...envs.text import IllegalAction
from .. import load
from ..base import Agent, Opinion, View, opinion_of
from ..file_errors import make_folder
from ..replay import told_apart
from .words import Event, tell

YOU = "you"
"""What the person is called, among the names of players."""


class Result(NamedTuple):
    """A hand that has ended, by seat: its score, what was played in it, the match after it."""

    scores: list[int]
    played: list[int]
    total: list[int]


class Sitting:
    """A match, or the part of it that has been played.

    Args:
        table: where it begins.
        names: of the players by seat, as `rummyzoo.agents.load` takes them; the person is `YOU`.
        players: by seat; None is the person.
        see: for whom it is written down what was drawn; by default the person, or nobody.
        chance: the seed of the players' own chance; by default that of the table.

    Attributes:
        table: the table as it is.
        names: as given.
        me: the person's seat, or None.
        titles: what the players are called, by seat.
        labels: the same with the seat where it takes that to tell them apart.
        actions: the numbers of all actions so far.
        events: what they did, one each.
        results: the hands that have ended.
    """

    def __init__(
        self,
        table: Table,
        names: Sequence[str],
        players: Sequence[Agent | None],
        see: Who | None = None,
        chance: int | None = None,
    ) -> None:
        self.table, self.names = table, list(names)
        self.chance = (table.seed or 0) if chance is None else chance
        self.me = self.names.index(YOU) if YOU in self.names else None
        self.see = see if see is not None else "public" if self.me is None else self.me
        self.players = list(players)
        self.titles = [player.name if player else YOU for player in self.players]
        self.labels = told_apart(self.titles)
        self.actions: list[int] = []
        self.events: list[Event] = []
        self.results: list[Result] = []
        self.recorder: Recorder | None = None
        self._decisions: list[int] = []  # how many actions there were before each of the person's

    # --- playing ---

    def ask(self, seat: int) -> tuple[int, Opinion]:
        """What the player at a seat does, and what it thinks of it, if there is a record to keep.

        Its chance depends on the seed and on how much was played, so that a match that was stopped
        goes on as it would have gone.

        Raises:
            ValueError: it chose something that is not legal.
        """
        player = self.players[seat]
        assert player is not None
        view = View.of(self.table, seat)
        opinion = Opinion()
        if self.recorder is not None:
            opinion = opinion_of(player, view, self.lots())
        sure = [action for action, share in opinion.probabilities.items() if share == 1]
        action = sure[0] if sure else index(player.act(view, self.lots()))
        if not 0 <= action < len(view.mask) or not view.mask[action]:
            raise ValueError(f"{self.labels[seat]} chose action {action}, which is not legal")
        return action, opinion

    def lots(self) -> np.random.Generator:
        """The chance of whoever is asked now."""
        return np.random.default_rng([self.chance, len(self.actions)])

    def decide(self, actions: Sequence[int]) -> None:
        """Play what the person has decided: legal actions, one after the other."""
        self._decisions.append(len(self.actions))
        for action in actions:
            self.play(action)

    @property
    def decided(self) -> bool:
        """Whether the person has done anything."""
        return bool(self._decisions)

    def play(self, action: int, opinion: Opinion | None = None) -> None:
        """Play an action, and write down what it did, and what the player thought.

        Raises:
            IllegalAction: it may not be played now; nothing has changed.
        """
        before = self.table.copy()
        self.table.play(action)
        if self.recorder is not None:
            self.recorder.play(action, **(opinion or Opinion())._asdict())
        self.actions.append(action)
        self.events.append(tell(before, action, self.table, self.see in ("all", before.turn)))
        if self.table.over in ("hand", "match"):
            table = self.table
            self.results.append(Result(table.hand_scores, table.melded, table.scores))

    def warm_up(self) -> None:
        """Compile what the first moves need: ask all players, and play on at a copy."""
        table = self.table.copy()
        if table.turn is None:
            return
        view = View.of(table, table.turn)
        for player in {player.name: player for player in self.players if player}.values():
            player.act(view, self.lots())
        table.play(int(view.legal_actions()[0]))

    # --- taking back ---

    def undo(self) -> list[Event]:
        """Go back to the person's decision before this one; returns what was taken back.

        Raises:
            IllegalAction: that may not be taken back, and why.
        """
        first = self._way_back()
        before = self.table.copy()
        for _ in self.actions[first:]:
            before.undo()
        seen = in_sight(self.table, self.me) - in_sight(before, self.me)
        if seen:
            raise IllegalAction(
                f"you have seen {' '.join(seen.elements())} since, which was hidden, and a card "
                "that was seen cannot be unseen"
            )
        self.table = before
        taken = self.events[first:]
        for _ in taken if self.recorder is not None else ():
            self.recorder.undo()  # type: ignore[union-attr]
        del self.events[first:], self.actions[first:], self._decisions[-1]
        return taken

    def _way_back(self) -> int:
        """Where the last decision was; raises IllegalAction if there is no way back to it."""
        if self.table.over != "no":
            raise IllegalAction("the hand is over, and all have seen how it ended")
        hand = int(self.table.state.hands) + 1
        if not any((event.seat, event.hand) == (self.me, hand) for event in self.events):
            raise IllegalAction("you have done nothing in this hand yet")
        first = self._decisions[-1]
        if any(event.seat != self.me for event in self.events[first:]):
            raise IllegalAction(
                "the others have gone on since, and what they did tells of their cards"
            )
        return first

    # --- keeping ---

    def keep(self, path: Path) -> None:
        """Keep a record from now on, in a new file.

        Raises:
            ValueError: the file exists.
            OSError: it cannot be written.
        """
        check_new(path)
        make_folder(path.parent)
        about = {"players": self.names, "chance": self.chance}
        self.recorder = Recorder(path, self.table, self.labels, about={"sitting": about})

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Go on with a match that was kept.

        Raises:
            RecordError: there is no such match in this file.
            ValueError: its players cannot be found any more.
            OSError: the file cannot be read.
        """
        record = read_record(path)
        about: Any = record.about.get("sitting")
        try:
            names, chance = [str(name) for name in about["players"]], index(about["chance"])
        except (KeyError, TypeError):
            names, chance = [], 0
        if YOU not in names:
            raise RecordError(
                f"{path} is the record of a game that nobody plays from a terminal; "
                f"look at it with: rummyzoo replay {path}"
            )
        table = record.table()
        if len(names) != table.num_players:
            raise RecordError(f"{path} names {len(names)} players for {table.num_players} seats")
        made = cls(table, names, load_players(names, table.game.NAME, table.rules), chance=chance)
        for step in record.steps:
            if table.over == "hand":
                table.next_hand()
            if step.seat == made.me:
                made._decisions.append(len(made.actions))
            made.play(table.number(step.action))
        if table.over not in ("match", "truncated"):
            made.recorder = Recorder.resume(path)
        return made

    def close(self) -> None:
        """Close the record."""
        if self.recorder is not None:
            self.recorder.close()


def in_sight(table: Table, seat: int | None) -> Counter[str]:
    """The cards that a seat sees: its own, those known of the others, the pile, the melds."""
    cards = Counter(table.pile)
    for other in range(table.num_players):
        cards.update(table.hand(other) if other == seat else table.known(other))
    for meld in table.melds:
        cards.update("JK" if card.startswith("JK") else card for card in meld.cards)
    return cards


class Plan(NamedTuple):
    """What a new match is to be: the game, its rules, and who sits where (see `Sitting`)."""

    game: str
    rules: Any
    names: list[str]
    players: list[Agent | None]

    def sit(self, seed: int | None = None, see: Who | None = None) -> Sitting:
        """Begin it; `seed`: of the cards, by default by chance."""
        return Sitting(
            Table(self.game, seed, **self.rules._asdict()), self.names, self.players, see
        )


def make_plan(
    game: str,
    options: Mapping[str, Any],
    names: Sequence[str],
    person: int | None = None,
    seats: int | None = None,
) -> Plan:
    """Plan a match.

    Args:
        options: of the game, and its ``preset``.
        names: of the players but the person: one for all seats, or one for each.
        person: the seat of the person, if one plays.
        seats: how many there are; by default as many as the options or the names say.

    Raises:
        ValueError: something of it is not possible.
    """
    if seats is not None and options.get("num_players", seats) != seats:
        raise ValueError(
            f"--players {seats} and num_players={options['num_players']} contradict each other; "
            "give one of them"
        )
    if seats is None and "num_players" not in options and len(names) > 1:
        seats = len(names) + (person is not None)
    chosen = dict(options) | ({} if seats is None else {"num_players": seats})
    rules = load_game(game).make_rules(**chosen)
    seated = at_seats(names, rules.num_players, person)
    return Plan(game, rules, seated, load_players(seated, game, rules))


def check_new(path: Path) -> None:
    """Refuse a file for a record that exists."""
    if path.exists():
        raise ValueError(f"{path} exists; name a new file for the record")


def check_seed(seed: int | None) -> None:
    """Refuse a seed that is none."""
    if seed is not None and seed < 0:
        raise ValueError(f"seed={seed} is not possible; a whole number, at least 0")


def at_seats(names: Sequence[str], seats: int, person: int | None = None) -> list[str]:
    """Who sits where: the person (`YOU`) at a seat, the others from the left of it on; else all
    from seat 0 on.

    Args:
        names: of the others: one for all of them, or one for each.

    Raises:
        ValueError: so many there are not.
    """
    count, what = (seats, "player") if person is None else (seats - 1, "opponent")
    if person is not None and not 0 <= person < seats:
        raise ValueError(f"seat {person} is not possible; seats are 0 to {seats - 1}")
    if len(names) not in (1, count):
        raise ValueError(
            f"{len(names)} {what}s for {count} seat{'s' * (count > 1)}: name one for all, or each"
        )
    others = list(names) * (count if len(names) == 1 else 1)
    if person is None:
        return others
    behind = seats - 1 - person  # to the left of the person, before seat 0
    return [*others[behind:], YOU, *others[:behind]]


def load_players(names: Sequence[str], game: str, rules: Any) -> list[Agent | None]:
    """The players of these names; None for the person.

    Raises:
        ValueError: there is no such player, or it cannot play here.
    """
    found: dict[str, Agent | None] = {YOU: None}
    for name in names:
        if name not in found:
            found[name] = player = load(name, game, rules)
            if getattr(player, "cheats", False):
                raise ValueError(
                    f"{name} sees all hidden cards, and plays only in duels and tournaments"
                )
    return [found[name] for name in names]
