"""Records of the games that players play to be measured.

Which games are recorded depends on nothing but their numbers, and so does what is in the records:
they are the same in every run, with however many processes.
"""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

import numpy as np

from ..envs.record import Recorder
from ..envs.setting import Setting
from ..envs.table import Table
from .base import Agent, View, opinion_of
from .file_errors import make_folder


class Records:
    """The records of some games of a duel or a tournament.

    A file is called after the lineup (in tournaments), the deal, and the seat of the place that
    comes first in the lineup: ``deal-00007-seat-1.jsonl``.

    Args:
        folder: where they go; files of the same names are replaced.
        most: how many games are recorded, all lineups together: first deals first.
        lineups: how many lineups there are.
    """

    def __init__(self, folder: str | PathLike[str], most: int, lineups: int = 1) -> None:
        self.folder, self.most, self.lineups = Path(folder), most, lineups
        self.lineup = 0
        self._open: dict[int, Recorder] = {}  # by the number of the table
        self._rngs: dict[int, np.random.Generator] = {}

    def begin(self, where: Setting, names: Sequence[str], deals: range, first: int) -> None:
        """The games of some deals begin: each deal at as many tables as there are seats.

        Args:
            where: the game and its rules.
            names: of the players, by their place in the lineup.
            deals: the numbers of the deals.
            first: the seed of deal 0; the others follow it.
        """
        self.close()
        n = int(where.rules.num_players)
        for number, deal in enumerate(deals):
            for rotation in range(n):
                if (deal * self.lineups + self.lineup) * n + rotation >= self.most:
                    continue
                table = Table(where.game.NAME, first + deal, **where.rules._asdict())
                seated = [names[(seat - rotation) % n] for seat in range(n)]
                name = f"deal-{deal:05d}-seat-{rotation}.jsonl"
                if self.lineups > 1:
                    name = f"lineup-{self.lineup:03d}-{name}"
                make_folder(self.folder)
                i = number * n + rotation
                self._open[i] = Recorder(self.folder / name, table, seated, replace=True)
                self._rngs[i] = np.random.default_rng((first + deal, rotation))

    def play(self, player: Agent, tables: np.ndarray, actions: np.ndarray) -> None:
        """A player acts at some tables; where its answer is illegal, the first legal action is
        played.
        """
        if not self._open:
            return
        for i, action in zip(tables.tolist(), actions.tolist(), strict=True):
            if i in self._open:
                self._record(player, i, action)

    def _record(self, player: Agent, i: int, action: int) -> None:
        recorder = self._open[i]
        table = recorder.table
        if table.over == "hand":
            table = table.copy()
            table.next_hand()
        view = View.of(table, int(table.state.turn))
        legal = view.legal_actions().tolist()
        opinion = opinion_of(player, view, self._rngs[i]) if len(legal) > 1 else None
        thought = {} if opinion is None else opinion._asdict()
        recorder.play(action if action in legal else legal[0], **thought)

    def close(self) -> None:
        """The games are over."""
        for recorder in self._open.values():
            recorder.close()
        self._open, self._rngs = {}, {}
