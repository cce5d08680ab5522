"""What a player is, and what it may know.

A player is an `Agent`: an object with a ``name`` and a method ``act(view, rng)``. What it is shown
is a `View`: a copy of the table in which everything that its seat may not see is blanked, by the
visibility column of the game's ``STATE_FIELDS``.

A module of this package that offers players by name has a function ``make(game, rules, argument)``,
where `argument` is what follows the colon in a text such as ``search:128``. A player that is a
kernel is wrapped in a `KernelAgent`:

    choose(states, i, kits, work, weights, rngs, r) -> action

with the words of the legal actions in ``work[0]`` (see `rummyzoo.envs.kit`; the other rows are
free), float64 `weights` of any number, and all chance from the generator word ``rngs[r]``. It reads
the public fields of ``states[i]`` and the cards of the seat to act, and nothing else.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from ..envs.games import load_game
from ..envs.jit import bind
from ..envs.numbers import as_real
from ..envs.setting import Setting, scratch, setting

if TYPE_CHECKING:
    from ..envs.table import Table

legal: Any = None  # names that `bind` fills in
choose: Any = None


@runtime_checkable
class Agent(Protocol):
    """A player.

    A player may also have ``act_batch(states, indices, seats, out, rngs)``: choose for the tables
    ``states[indices]``, where seats ``seats`` are to act, and write the numbers of the actions into
    `out` (int64, as long as `indices`). All chance is to come from `rngs`: a generator word for
    each of all tables, uint64 of shape ``(len(states),)``, to draw from and to advance. Such a
    player is given whole states: that it looks at no hidden card is up to it. `ask` asks a player
    in the one way or the other.

    A player that can tell what it thinks also has ``explain(view, rng) -> Opinion``, which
    `opinion_of` asks for: records of games keep it, and whoever plays at the terminal is told.
    """

    name: str

    def act(self, view: "View", rng: np.random.Generator) -> int:
        """Choose an action: its number, one where ``view.mask`` is 1."""
        ...


class Opinion(NamedTuple):
    """What a player thinks of a position where it is to act; empty where it has nothing to say.

    Attributes:
        probabilities: action -> how likely it is to be chosen; they add up to 1.
        values: action -> what the player expects of it at the end of the hand, or beside the action
            that it would take without thinking. Actions that were not looked into are left out.
            In a match, points ahead of the mean of the others; in a single hand, for a player that
            plays to win it, 100 for a win and -100 for a loss.
        value: what it expects of the position, likewise.
    """

    probabilities: Mapping[int, float] = MappingProxyType({})
    values: Mapping[int, float] = MappingProxyType({})
    value: float | None = None


class FunctionAgent:
    """A function ``f(view, rng) -> action`` as a player."""

    def __init__(self, function: Callable[["View", np.random.Generator], int]) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self._function = function

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FunctionAgent) and self._function == other._function

    def __hash__(self) -> int:
        return hash(self._function)

    def act(self, view: "View", rng: np.random.Generator) -> int:
        """What the function says."""
        return self._function(view, rng)


class View:
    """What one seat knows of a table.

    Attributes:
        setting: the game under its rules (see `Setting`).
        seat: the seat whose view this is.
        states: shape (1,): a copy of the table's record in which the others' cards, the stock and
            the generator are zero.
    """

    def __init__(self, where: Setting, states: np.ndarray, i: int, seat: int) -> None:
        self.setting = where
        self.seat = int(seat)
        self.states = states[i : i + 1].copy()
        record = self.states[0]
        for name in where.hidden:
            record[name] = 0
        for name in where.owners:
            own = record[name][seat].copy()
            record[name] = 0
            record[name][seat] = own
        self._seen: tuple[np.ndarray, np.ndarray] | None = None

    @classmethod
    def of(cls, table: "Table", seat: int) -> "View":
        """What a seat knows of a `Table`."""
        where = setting(table.game.NAME, table.rules)
        return cls(where, table.states, 0, table.check_seat(seat))

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.setting.game.NAME

    @property
    def rules(self) -> Any:
        """The rules, a ``Rules`` tuple of the game."""
        return self.setting.rules

    @property
    def actions(self) -> tuple[str, ...]:
        """All actions of the game under these rules as text, by number."""
        return self.setting.actions

    @property
    def observation(self) -> np.ndarray:
        """The observation, int8."""
        return self._look()[0]

    @property
    def pieces(self) -> dict[str, np.ndarray]:
        """The pieces of the observation by name; see `rummyzoo.envs.layout`."""
        from ..envs.layout import split  # not above, as for the table below

        return split(self.observation, _layout(self.game, self.rules))

    @property
    def mask(self) -> np.ndarray:
        """1 for each legal action, int8; all zero when the seat is not to act."""
        return self._look()[1]

    def legal_actions(self) -> np.ndarray:
        """The numbers of the legal actions, int64, ascending."""
        return np.flatnonzero(self.mask)

    def legal(self) -> list[str]:
        """The legal actions as text."""
        return [self.actions[a] for a in self.legal_actions()]

    def resample(self, rng: np.random.Generator) -> "Table":
        """A table that agrees with all that the seat knows, with the rest dealt afresh."""
        table = _blank_table(self.game, self.rules).copy()
        table.states[:] = self.states
        return table.resample(self.seat, rng)

    def _look(self) -> tuple[np.ndarray, np.ndarray]:
        if self._seen is None:
            game, kits = self.setting.game, self.setting.kits
            obs = np.zeros(int(kits[0].observation_size), np.int8)
            mask = np.zeros(int(kits[0].num_actions), np.int8)
            game.look(self.states, 0, self.seat, kits, scratch(game), obs, mask)
            self._seen = obs, mask
        return self._seen


@lru_cache(maxsize=64)
def _layout(game: str, rules: Any) -> Any:
    """How observations are laid out under these rules."""
    from ..envs.layout import layout_of

    return layout_of(load_game(game), rules)


@lru_cache(maxsize=64)
def _blank_table(game: str, rules: Any) -> "Table":
    """A table under these rules, to copy: making one takes its time."""
    from ..envs.table import Table  # not above: the cache of kernels goes by all that is there

    return Table(game, 0, **rules._asdict())


class KernelAgent:
    """A player that is a kernel, with its weights.

    Args:
        name: what it is called.
        game: the name of the game it plays.
        rules: the rules it plays by in batches; None for the game's usual rules.
        choose: the kernel (see above).
        weights: its numbers, if it has any.
        seed: of the chance it draws in batches that bring none of their own.

    Raises:
        ValueError: weights that are not numbers, or not as many as the game's heuristic has.
    """

    def __init__(
        self, name: str, game: str, rules: Any, choose: Any, weights: Any = (), seed: int = 0
    ) -> None:
        self.name = name
        self.setting = setting(game, rules)
        self.choose = choose
        self.weights = _weights(weights, game, choose)
        self._choose_all = _batched(game, choose)
        self._rng = np.random.default_rng(seed)

    def __reduce__(self) -> Any:
        # The kernel by its name: another process is to know it for the same that it has itself.
        kernel = getattr(self.choose, "py_func", self.choose)
        where = (kernel.__module__, kernel.__qualname__)
        return _unpickled, (self.name, self.setting, where, self.weights)

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Choose an action.

        Raises:
            ValueError: the seat is not to act.
        """
        if not view.mask.any():
            raise ValueError(f"seat {view.seat} is not to act")
        out = np.zeros(1, np.int64)
        where = view.setting
        self._choose_all(
            view.states,
            np.zeros(1, np.int64),
            where.kits,
            scratch(where.game),
            self.weights,
            generator_words(rng, 1),
            out,
        )
        return int(out[0])

    def act_batch(
        self,
        states: np.ndarray,
        indices: np.ndarray,
        seats: np.ndarray,
        out: np.ndarray,
        rngs: np.ndarray | None = None,
    ) -> None:
        """Choose for many tables; see `Agent`."""
        if rngs is None:
            rngs = generator_words(self._rng, len(states))
        where = self.setting
        work = scratch(where.game)
        self._choose_all(states, indices, where.kits, work, self.weights, rngs, out)


def _weights(weights: Any, game: str, choose: Any) -> np.ndarray:
    """The weights of a kernel, which does not check them."""
    from .heuristics import module_for  # which imports this module

    listed = [as_real(weight) for weight in np.atleast_1d(np.asarray(weights, object)).ravel()]
    if None in listed:
        raise ValueError(f"the weights of a player are numbers, not {weights!r}")
    heuristic = module_for(game)
    known = sorted({len(style) for style in heuristic.STYLES.values()})
    if choose is heuristic.choose and len(listed) not in known:
        wanted = " or ".join(map(str, known))
        raise ValueError(f"the heuristic of {game} has {wanted} weights, not {len(listed)}")
    return np.array(listed, np.float64)


def ask(
    player: Agent,
    where: Setting,
    states: np.ndarray,
    indices: np.ndarray,
    seats: np.ndarray,
    rngs: np.ndarray,
) -> np.ndarray:
    """What a player does at some tables: by its ``act_batch``, or else by one view after another.

    Args:
        player: see `Agent`.
        where: the game and its rules.
        states: all tables, shape (tables,).
        indices: the tables where it is to act, int64 (n,).
        seats: its seat at each of these, int64 (n,).
        rngs: a generator word for each of all tables, uint64 (tables,); those used move on.

    Returns:
        Its actions, int64 (n,), as it gave them: whoever plays them must see if they are legal.

    Raises:
        TypeError: ``act`` gave something that is not a whole number.
    """
    out = np.full(len(indices), -1, np.int64)
    act_batch = getattr(player, "act_batch", None)
    if act_batch is not None:
        act_batch(states, indices, seats, out, rngs)
        return out
    for n, (i, seat) in enumerate(zip(indices.tolist(), seats.tolist(), strict=True)):
        rng = np.random.default_rng(int(rngs[i]))
        rngs[i] = generator_words(rng, 1)[0]
        out[n] = index(player.act(View(where, states, i, seat), rng))
    return out


def opinion_of(player: Agent, view: View, rng: np.random.Generator) -> Opinion:
    """What a player thinks of a position; an empty `Opinion` if it cannot tell.

    Args:
        player: see `Agent`.
        view: of the seat that is to act.
        rng: any chance that it takes. With the generator that ``act`` would get, players think the
            same as when they act.
    """
    explain = getattr(player, "explain", None)
    return Opinion() if explain is None else explain(view, rng)


def _unpickled(
    name: str, setting: Setting, where: tuple[str, str], weights: np.ndarray
) -> KernelAgent:
    choose = getattr(import_module(where[0]), where[1])
    return KernelAgent(name, setting.game.NAME, setting.rules, choose, weights)


@lru_cache
def _batched(game: str, choose: Any) -> Any:
    """A kernel player's choice at many tables."""
    return bind(_choose_all, legal=load_game(game).legal, choose=choose)


def _choose_all(states, indices, kits, work, weights, rngs, out):
    for n in range(len(indices)):
        i = indices[n]
        legal(states, i, kits, work)
        out[n] = choose(states, i, kits, work, weights, rngs, i)


def generator_words(rng: np.random.Generator, count: int) -> np.ndarray:
    """Words for the generators of kernels, uint64, none of them zero."""
    return rng.integers(1, 1 << 64, count, dtype=np.uint64)
