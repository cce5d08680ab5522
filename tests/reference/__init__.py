"""Naive reference engines: written from the rules alone, they import nothing of `rummyzoo`.

The real engine is played in lock step with them. They are meant to be read and audited by a
card player, so they prefer plain lists, dicts and searching over anything clever.

`tests/reference/<game>.py` has ``random_options(rng)``, options of the game by lot, and a class
``Reference(**options)`` with:

* ``start(hands, stock, pile, dealer, scores)`` and ``next_hand(hands, stock, pile)`` to begin the
  match and its next hand with the cards as they were dealt, stock top first, pile bottom first
  (what follows from the deal, such as the card turned up, the reference works out itself);
  ``load(...)`` to set up any position;
* ``legal()``, the texts of the legal actions, and ``play(text)``;
* ``num_players``, ``rules`` (the options filled in), ``full_pack()``;
* ``turn``, ``phase``, ``over`` ("no", "hand", "match" or "truncated"), ``winner``, ``dealer``;
* ``hands`` and ``known`` (what all know of them), sorted by suit and rank; ``melds``, ``pile``,
  ``stock``; ``melded``, ``hand_scores``, ``scores``;
* ``also()``, what else of the position both engines must agree on: the name of a field of the
  engine's state -> the number there, or a list of the first numbers there (one for each seat, say);
* if need be, ``lively(rng, careful)``: an action by lot, for hands that would drag on otherwise.

`match.py` and `table.py` hold what the references share.
"""

from importlib import import_module
from types import ModuleType
from typing import Any


def reference_of(game: str) -> ModuleType:
    """The module of a game's reference engine."""
    return import_module(f"{__name__}.{game}")


def reference_at(case: Any, table: Any) -> Any:
    """The reference engine at the position of a rule case, which `table` was set up with."""
    options = {k: v for k, v in case.options.items() if k not in ("preset", "pad_players")}
    preset = table.game.PRESETS[case.options["preset"]] if "preset" in case.options else {}
    engine = reference_of(case.game).Reference(**{**preset, **options})
    hands = [table.hand(seat) for seat in range(table.num_players)]
    melds = [(list(meld.cards), meld.owners[0]) for meld in table.melds]
    place = {"turn": (table.dealer + 1) % table.num_players, "dealer": table.dealer}
    for name in ("turn", "phase", "scores", "melded", "boxes", "upcard"):
        if name in case.position:
            place[name] = case.position[name]
    engine.load(hands, melds, table.pile, table.stock, **place)
    return engine
