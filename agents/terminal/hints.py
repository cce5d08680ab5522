"""What other players would do in the person's place: from what the person's seat may know."""

from ...envs.table import Table
from .. import load, players
from ..base import Agent, Opinion, View, opinion_of
from .screen import Screen, flow, labelled, short
from .sitting import YOU, Sitting

_SILENT = ("random", "cheating_oracle")  # with nothing to learn from, or more than one may know
_FIRST_TIME = "; the first time, it may be compiled for a minute"
_MOST = 4
"""So many of a player's thoughts are told."""


class Hints:
    """The players that can be asked: those of the game, and those at the table.

    Attributes:
        players: by name; None: not asked yet.
    """

    def __init__(self, sitting: Sitting) -> None:
        names = [name for name in players(sitting.table.game.NAME) if name not in _SILENT]
        names += [name for name in sitting.names if name not in (YOU, *_SILENT)]
        slow_last = sorted(dict.fromkeys(names), key=lambda name: name.startswith("search"))
        self.players: dict[str, Agent | None] = dict.fromkeys(slow_last)

    def draw(self, screen: Screen, sitting: Sitting) -> None:
        """Ask all, and write what they would do."""
        table, seat = sitting.table, sitting.table.turn
        if seat is None:
            screen.print("Nobody is to act.")
            return
        view = View.of(table, seat)
        for name in self.players:
            asked = self.players[name]
            with screen.patience(f"{name} is thinking{'' if asked else _FIRST_TIME}"):
                player = asked or load(name, table.game.NAME, table.rules)
                self.players[name] = player
                action = int(player.act(view, sitting.lots()))
                opinion = opinion_of(player, view, sitting.lots())
            says = screen.words(table.texts[action], "bold")
            thoughts = [screen.words(text, "dim") for text in _thoughts(table, opinion)]
            label = f"  {short(player.name, 16)}"
            screen.print(*labelled(label, flow([says, *thoughts], screen.width - 20), 20))


def _thoughts(table: Table, opinion: Opinion) -> list[str]:
    """What a player thinks, best first."""
    found = []
    if opinion.value is not None:
        found.append(f"expects {opinion.value:+.0f};")
    if opinion.values:
        best = sorted(opinion.values.items(), key=lambda item: -item[1])[:_MOST]
        found += [f"{table.texts[action]} {value:+.1f};" for action, value in best]
    if len(opinion.probabilities) > 1:
        likely = sorted(opinion.probabilities.items(), key=lambda item: -item[1])[:_MOST]
        found += [f"{table.texts[action]} {share:.0%};" for action, share in likely if share > 0.01]
    if found:
        found[-1] = found[-1][:-1]
    return found
