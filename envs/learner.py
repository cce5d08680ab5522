"""One learner among opponents, at many tables: what the Gymnasium environments are made of.

A step plays the learner's action and then everything up to its next decision: the opponents' turns,
ends of hands, and the deals of new ones. The rewards of a step count all of that.

**Rewards.** ``"points"``: after each hand, the learner's score of the hand less the mean of the
others', over 100. ``"win"``: at the end of a match, 1 if the learner has won it and -1/(n-1) if
another has; seats that tie share. A hand that is truncated pays nothing.

**Shaping** (off unless asked for) adds ``discount * potential(after) - potential(before)`` to each
step, where the potential is how the learner stands in its hand, over 100 (in Rummy 500 the points
it has played less the points it holds less the mean of the points the others have played; see
``potential`` in each game), and 0 when the episode is over (Ng, Harada and Russell, 1999). It
tells a learner early what a hand is going to pay, and changes nothing about which
policies are best, if `discount` is the learner's own. The sum of rewards is then no longer the
result.

**Illegal actions** end the episode with a reward of -1 and ``illegal`` set in the info; the game is
left as it was.

**Chance.** A table seeded with `s` deals its first match as all environments do with that seed.
Each episode draws its deal, the learner's seat, its opponents, and the generator of the opponents
from one chain of words; so deals are the same whatever anybody plays. An episode that is over
before the learner has made a decision is dealt anew.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete, Space

from .episode import (
    ACT,
    ASK,
    BAD_ACTION,
    BEGIN,
    CONFIG,
    CUT_OFF,
    FACTS,
    GIVEN,
    ILLEGAL,
    MOST_LOGGED,
    NO_DECISION,
    NOTHING,
    ROW,
    RUNNING,
    TERMINATED,
    play_all,
)
from .games import load_game
from .numbers import as_real, as_whole
from .observe import bounds
from .rewards import REWARDS
from .rules import check_name
from .saving import pack, unpack
from .setting import scratch, setting

if TYPE_CHECKING:
    from .recording import LearnersDiary

MASKS = ("info", "observation")
OPTIONS = ("opponents", "seat", "reward", "shaping", "discount", "skip_forced", "mask_in", "preset")
"""The options that all environments for learners have."""

_KEPT = ("states", "rows", "rngs", "masks", "observations", "last", "facts")
_MOST = (1 << 64) - 1


class Learners:
    """Many tables of one game, with a learner at each.

    Args:
        game: the name of a game.
        num_envs: how many tables.
        opponents: who else plays (see `rummyzoo.agents.opponents`).
        seat: the learner's seat, or ``"random"`` for one by lot in each episode.
        reward: ``"points"`` or ``"win"``.
        shaping: whether to shape the rewards, with `discount`.
        skip_forced: whether to make a move that is the only legal one without asking the learner.
        same_step: whether a new episode begins in the step that ends one.
        preset: a named set of options of the game.
        rules: the game's options.

    Attributes:
        setting: the game under its rules.
        states: the records of the tables, (n,).
        rows: what is kept beside them (`rummyzoo.envs.episode.ROW`), (n,): ``reward``, ``ended``
            ...
        masks: the legal actions of the learners, int8 (n, actions); zero where an episode is over.
        observations: what the learners see, int8 (n, size).
        last: with `same_step`, the observations with which the last episodes ended.
        facts: int64 (2, n, `FACTS`): as things are, and as the last episodes ended.
        diary: where games are recorded, if they are (see `rummyzoo.envs.recording`).
        log: for it, what was played at the first tables in the last step.

    Raises:
        ValueError: an option or an opponent that there is not, or a value that is not possible.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        opponents: Any = "greedy",
        seat: int | str = "random",
        reward: str = "points",
        shaping: bool = False,
        discount: float = 1.0,
        skip_forced: bool = False,
        same_step: bool = False,
        preset: str | None = None,
        rules: dict[str, Any] | None = None,
    ) -> None:
        check_name("reward", reward, REWARDS)
        module = load_game(game)
        for name in rules or {}:
            check_name("option", name, (*module.Rules._fields, *OPTIONS, "render_mode"))
        self.setting = setting(game, module.make_rules(preset, **rules or {}))
        players = int(self.setting.rules.num_players)
        own = -1 if isinstance(seat, str) and seat == "random" else as_whole(seat)
        if own is None or not (own < players and (own >= 0 or isinstance(seat, str))):
            raise ValueError(
                f"seat={seat!r} is not possible; seat is 0 to {players - 1} or 'random'"
            )
        tables = as_whole(num_envs)
        if tables is None or tables < 1:
            raise ValueError(f"num_envs={num_envs!r} is not possible; a whole number, 1 or more")
        for name, value in (("shaping", shaping), ("skip_forced", skip_forced)):
            if not isinstance(value, bool | np.bool_):
                raise ValueError(f"{name}={value!r} is not possible; {name} is True or False")
        if as_real(discount) is None or not 0 <= discount <= 1:
            raise ValueError(f"discount={discount!r} is not possible; it is a number from 0 to 1")
        self._failed = False  # an opponent raised an error in the middle of a step
        self.config = np.zeros(1, CONFIG)
        self.config[0] = (
            own,
            REWARDS.index(reward),
            shaping,
            discount,
            skip_forced,
            same_step,
        )
        k = self.setting.kits[0]
        n, size, actions = tables, int(k.observation_size), int(k.num_actions)
        self.num_envs, self.num_actions = n, actions
        self.states = np.zeros(n, self.setting.game.STATE)
        self.rows = np.zeros(n, ROW)
        self.rows["slots"] = -1
        self.rngs = np.zeros(n, np.uint64)
        self.masks = np.zeros((n, actions), np.int8)
        self.observations = np.zeros((n, size), np.int8)
        self.last = np.zeros((n if same_step else 0, size), np.int8)
        self.facts = np.zeros((2, n, len(FACTS)), np.int64)
        self.diary: LearnersDiary | None = None
        self.record(None)
        self.opponents = self._opponents(opponents)
        self._attach()

    def _opponents(self, spec: Any) -> Any:
        # Players are beside the environments, not below them; here they are needed by name only.
        from ..agents.opponents import Opponents

        return Opponents(spec, self.setting)

    def _attach(self) -> None:
        """Set what copies and pickles leave out."""
        self._play_all = play_all(self.setting.game.NAME)
        self._work = scratch(self.setting.game)
        self._spare = np.zeros(self.num_actions, np.int8)
        self._actions = np.zeros(self.num_envs, np.int64)

    # --- playing ---

    @property
    def ended(self) -> np.ndarray:
        """How episodes have ended in the last step: RUNNING, TERMINATED, CUT_OFF or ILLEGAL."""
        return self.rows["ended"]

    @property
    def terminated(self) -> np.ndarray:
        """Where an episode has terminated in the last step, bool (n,)."""
        return (self.ended == TERMINATED) | (self.ended == ILLEGAL)

    @property
    def truncated(self) -> np.ndarray:
        """Where an episode was cut off in the last step, bool (n,)."""
        return self.ended == CUT_OFF

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Seed tables; those with None go on with the chance they have."""
        for row, seed in zip(self.rows, seeds, strict=True):
            if seed is not None:
                row["stream"] = seed & _MOST

    def reset(self, where: np.ndarray | None = None) -> None:
        """Begin new episodes at all tables, or at those where a bool array (n,) is True."""
        if where is None:
            self._failed = False
        self.rows["todo"] = BEGIN if where is None else np.where(where, BEGIN, NOTHING)
        self._play()

    def step(self, actions: Any) -> None:
        """Play an action of every learner; where an episode was over, begin the next instead.

        Raises:
            ValueError: other than one whole number for each table.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"actions are {self.num_envs} whole numbers, not {actions.dtype} of shape "
                f"{actions.shape}"
            )
        self._actions[:] = actions
        self.rows["todo"] = np.where(self.rows["end"] == RUNNING, ACT, BEGIN)
        self._play()

    def _play(self) -> None:
        if self._failed:
            raise ResetNeeded("an opponent failed in the middle of a step; call reset()")
        self._failed = True
        self._play_on()
        self._failed = False

    def _play_on(self) -> None:
        others = self.opponents
        while True:
            asked = self._play_all(
                self.states,
                self.rows,
                self.rngs,
                self._actions,
                self.setting.kits,
                self.config,
                others.chances,
                others.kinds,
                others.weights,
                self._work,
                self.masks,
                self.observations,
                self.last,
                self.facts,
                self._spare,
                self.log,
            )
            if self.diary is not None:
                self.diary.read(self)
            if asked == 0:
                return
            if asked == NO_DECISION:
                raise RuntimeError(
                    "under these rules every episode ends before the learner may act"
                )
            if asked == BAD_ACTION:
                raise self._bad_action()
            self._ask()

    def _ask(self) -> None:
        """Have the opponents outside choose where they are to act."""
        todo = self.rows["todo"]
        tables = np.flatnonzero(todo == ASK)
        seats = self.states["turn"][tables].astype(np.int64)
        slots = self.rows["slots"][tables, seats]
        for slot in np.unique(slots):
            here = slots == slot
            self._actions[tables[here]] = self.opponents.ask(
                int(slot), self.states, tables[here], seats[here], self.rngs
            )
        todo[tables] = GIVEN

    def _bad_action(self) -> RuntimeError:
        first = int(np.flatnonzero(self.rows["todo"] == GIVEN)[0])
        seat, action = int(self.states["turn"][first]), int(self._actions[first])
        name = self.opponents.agents[self.rows["slots"][first, seat]].name
        what = f"{action}, which is not an action"
        if 0 <= action < self.num_actions:
            what = f"{self.setting.actions[action]!r}, which is not legal now"
        return RuntimeError(f"the opponent {name!r} at seat {seat} chose {what}")

    def set_opponents(self, spec: Any) -> None:
        """Change who plays against the learner, from the next episode of each table on.

        Raises:
            ValueError: see `rummyzoo.agents.opponents.Opponents`.
        """
        new = self._opponents(spec)
        slots = self.rows["slots"]
        used = np.unique(slots[slots >= 0])
        moved = np.full(len(self.opponents.agents) + 1, -1)
        moved[used] = new.keep([self.opponents.agents[slot] for slot in used])
        self.rows["slots"] = moved[slots]
        self.opponents = new

    def record(self, diary: "LearnersDiary | None") -> None:
        """Have the games at the first tables recorded from here on; None: no more."""
        if self.diary is not None:
            self.diary.close()
        self.diary = diary
        tables = 0 if diary is None else diary.tables
        self.log = np.zeros((tables, MOST_LOGGED), np.int16)

    # --- keeping ---

    def save(self, path: str | Path | None = None) -> bytes:
        """All tables at this moment and the chance to come as bytes, also written to a file."""
        parts = [getattr(self, name).tobytes() for name in _KEPT]
        return pack("environment", self._kind(), b"".join(parts), path)

    def restore(self, source: bytes | str | Path) -> None:
        """Go on from what `save` kept, here or in tables made with the same arguments.

        Raises:
            ValueError: it is not what `save` made, is cut off or damaged, or of other tables.
        """
        kind, body = unpack("environment", source)
        for name, own in self._kind().items():
            if kind.get(name) != own:
                raise ValueError(
                    f"this was saved with {name} {kind.get(name)!r}, but here it is {own!r}"
                )
        arrays = [getattr(self, name) for name in _KEPT]
        if len(body) != sum(array.nbytes for array in arrays):
            raise ValueError("this saved environment is cut off")
        for array in arrays:
            array[...] = np.frombuffer(body[: array.nbytes], array.dtype).reshape(array.shape)
            body = body[array.nbytes :]
        if self.diary is not None:
            self.diary.begin_anew(self)

    def _kind(self) -> dict[str, Any]:
        """What saved tables must agree with."""
        game = self.setting.game
        return {
            "game": f"{game.NAME} {game.VERSION}",
            "rules": self.setting.rules._asdict(),
            "num_envs": self.num_envs,
            "options": [list(self.config[0].item())],
            "opponents": [agent.name for agent in self.opponents.agents],
            "chances": self.opponents.chances.tolist(),
        }

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_play_all", "_work", "_spare", "_actions", "diary", "log")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept | {"diary": None})
        self.record(None)
        self._attach()


def spaces(learners: Learners, mask_in: str) -> tuple[Space[Any], Discrete]:
    """The spaces of one learner's observations and actions.

    Args:
        mask_in: ``"info"``: the observation is the plain vector; ``"observation"``: a Dict of
            ``observation`` and ``action_mask``.
    """
    check_name("value of mask_in", mask_in, MASKS)
    where = learners.setting
    low, high = bounds(where.game.pieces(where.rules, where.kits[0]))
    box: Space[Any] = Box(low, high, dtype=np.int8)
    if mask_in == "observation":
        mask = Box(0, 1, (learners.num_actions,), np.int8)
        box = Dict({"observation": box, "action_mask": mask})
    return box, Discrete(learners.num_actions)
