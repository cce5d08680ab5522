"""Options: how a rule set is named, checked and filled in. Every game's ``Rules`` tuple goes
through here.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

import numpy as np

from .numbers import as_whole

R = TypeVar("R", bound=tuple[Any, ...])


class RulesError(ValueError):
    """An option that a game does not have, or a value it cannot take."""


def check_name(what: str, name: str, known: Mapping[str, Any] | tuple[str, ...]) -> None:
    """Refuse a name that is not among the known ones, with a suggestion.

    >>> check_name("game", "rumy500", ("rummy500", "gin"))
    Traceback (most recent call last):
    rummyzoo.envs.rules.RulesError: there is no game 'rumy500'; did you mean 'rummy500'?
    """
    if isinstance(name, str) and name in known:
        return
    by_case = {other.lower(): other for other in known}
    close = [by_case[n] for n in get_close_matches(str(name).lower(), by_case, n=1)]
    hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(known)}"
    raise RulesError(f"there is no {what} {name!r}; {hint}")


def merge(
    rules: type[R],
    presets: Mapping[str, Mapping[str, Any]],
    preset: str | None,
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """The options of a preset with others on top; unknown names are refused."""
    fields: tuple[str, ...] = rules._fields  # type: ignore[attr-defined]
    chosen: dict[str, Any] = dict(rules._field_defaults)  # type: ignore[attr-defined]
    if preset is not None:
        check_name("preset", preset, presets)
        chosen.update(presets[preset])
    for name, value in options.items():
        check_name("option", name, fields)
        # Numbers of NumPy as Python's; an array becomes a list, which no option takes.
        chosen[name] = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    return chosen


def one_of(options: Mapping[str, Any], name: str, allowed: tuple[Any, ...]) -> None:
    """Refuse a value that is not among the allowed ones (1 is not True here)."""
    value = options[name]
    if not any(type(value) is type(a) and value == a for a in allowed):
        listed = ", ".join(map(repr, allowed))
        raise RulesError(f"{name}={value!r} is not possible; {name} is one of {listed}")


def whole(options: dict[str, Any], name: str, low: int, high: int, none: bool = False) -> None:
    """Refuse a value that is not a whole number in a range."""
    value = options[name]
    if value is None and none:
        return
    number = as_whole(value)
    if number is None or not low <= number <= high:
        also = " or None" if none else ""
        what = f"{low}" if low == high else f"a whole number from {low} to {high}{also}"
        raise RulesError(f"{name}={value!r} is not possible; {name} is {what}")
    options[name] = number


def settle_pack(options: dict[str, Any], max_players: int) -> int:
    """Check the options about players and pack, as far as a game has them; fills in `num_decks`;
    returns the size of the pack.
    """
    whole(options, "num_players", 2, max_players)
    whole(options, "num_ranks", 3, 13)
    whole(options, "num_suits", 1, 4)
    if "pad_players" in options:
        whole(options, "pad_players", 0, max_players)
        if 0 < options["pad_players"] < options["num_players"]:
            raise RulesError(
                f"pad_players={options['pad_players']} is too few for "
                f"{options['num_players']} players: leave it 0 for no padding"
            )
    faces = int(options["num_ranks"] * options["num_suits"])
    if "num_decks" not in options:
        return faces
    if options["num_decks"] == "auto":
        options["num_decks"] = 2 if options["num_players"] >= 5 else 1
    one_of(options, "num_decks", (1, 2))
    one_of(options, "jokers_per_deck", (0, 1, 2))
    return int(options["num_decks"] * (faces + options["jokers_per_deck"]))


def settle_hand_size(options: dict[str, Any], pack: int, usual: int) -> None:
    """Fill in and check `hand_size`: the usual one; in a small pack no more than leaves a third of
    it undealt.
    """
    players = options["num_players"]
    most = (pack - 1) // players
    if options["hand_size"] == "auto":
        small = options["num_ranks"] * options["num_suits"] < 52
        options["hand_size"] = (
            max(1, min(usual, (pack - -(-pack // 3)) // players)) if small else usual
        )
    whole(options, "hand_size", 1, 99)
    if options["hand_size"] > most:
        raise RulesError(
            f"hand_size={options['hand_size']} for {players} players needs more than the "
            f"{pack} cards of the pack; at most {most}"
        )
