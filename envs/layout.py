"""What the numbers mean: the action space as text, and the pieces of an observation."""

from typing import Any, NamedTuple

import numpy as np

from .games import load_game
from .kit import texts


class Part(NamedTuple):
    """Where a piece of the observation lies and what it says."""

    slice: slice
    shape: tuple[int, ...]
    low: int | tuple[int, ...]
    high: int | tuple[int, ...]
    meaning: str


def actions(game: str = "rummy500", preset: str | None = None, **options: Any) -> list[str]:
    """The actions of a rule set as text, in the order of their numbers.

    >>> len(actions("rummy500")), actions("rummy500")[:3]
    (868, ['pass', 'draw stock', 'take AC'])
    """
    module = load_game(game)
    return texts(module.make_kit(module.make_rules(preset, **options))[0])


def observation_layout(
    game: str = "rummy500", preset: str | None = None, **options: Any
) -> dict[str, Part]:
    """The pieces of an observation by name, in order; empty ones are left out.

    >>> observation_layout("rummy500", jokers_per_deck=0)["hand"].shape
    (52,)
    """
    module = load_game(game)
    rules = module.make_rules(preset, **options)
    return layout_of(module, rules)


def layout_of(module: Any, rules: Any) -> dict[str, Part]:
    """As `observation_layout`, for a game's module and resolved rules."""
    parts, at = {}, 0
    for piece in module.pieces(rules, module.make_kit(rules)[0]):
        size = int(np.prod(piece.shape))
        if size:
            meaning = piece.meaning
            parts[piece.name] = Part(
                slice(at, at + size), piece.shape, piece.low, piece.high, meaning
            )
        at += size
    return parts


def split(observation: np.ndarray, layout: dict[str, Part]) -> dict[str, np.ndarray]:
    """The pieces of an observation (or of a batch: leading axes are kept) as views.

    Card pieces end in an axis of 52 or 53 entries; ``piece[..., :52].reshape(*piece.shape[:-1], 4,
    13)`` is a plane of suits by ranks, and entry 52 counts the jokers.
    """
    lead = observation.shape[:-1]
    return {
        name: observation[..., part.slice].reshape(*lead, *part.shape)
        for name, part in layout.items()
    }
