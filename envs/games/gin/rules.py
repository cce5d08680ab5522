"""The options of Gin and its presets."""

from typing import Any, NamedTuple

from ...rules import RulesError, merge, one_of, settle_hand_size, settle_pack, whole

MAX_PLAYERS = 2


class Rules(NamedTuple):
    """The options of Gin; ``"auto"`` is filled in by `make_rules`."""

    num_players: int = 2
    """Gin is for two."""
    hand_size: int | str = "auto"
    """Cards dealt to each. ``"auto"``: 10; in a small pack fewer."""
    knock_limit: int | str = 10
    """The most deadwood to knock with. 0: only gin ends a hand; ``"upcard"``: the points of the
    first upcard (Oklahoma)."""
    oklahoma_ace: str = "gin_only"
    """What an ace as upcard means in Oklahoma: ``"gin_only"``, or ``"one"`` for a limit of one
    point."""
    spade_double: bool = False
    """Whether a hand counts twice if its upcard is a spade."""
    gin_bonus: int = 25
    """Points for gin, beside the other's deadwood."""
    undercut_bonus: int = 25
    """Points for an undercut, beside the difference."""
    undercut_on_tie: bool = True
    """Whether equal deadwood is an undercut; else the knocker has won the hand, with 0 points."""
    big_gin_bonus: int | None = 31
    """Points for big gin, beside the other's deadwood; None: there is no big gin."""
    box_bonus: int = 25
    """Points at the end of a match for each hand that a player has won."""
    game_bonus: int = 100
    """Points at the end of a match for its winner."""
    shutout: str = "bonus+100"
    """What the winner gets if the loser has no points at all: ``"bonus+100"``, 100 points more;
    ``"double"``, the points so far once more; ``"none"``."""
    undercut_boxes: int = 0
    """Boxes for an undercut, beside the one for the hand."""
    gin_boxes: int = 0
    """Boxes for gin or big gin, beside the one for the hand."""
    wall_rule: str = "dead"
    """What happens when two cards of the stock are left. ``"dead"``: nobody scores;
    ``"opponent_may_knock"``: the other player may first take the last discard to end the hand."""
    next_dealer: str = "winner"
    """Who deals the next hand: the ``"winner"``, the ``"loser"``, or both by turns
    (``"alternate"``)."""
    layoff: str = "auto"
    """Who lays off after a knock: ``"auto"``, the engine in the best way, or ``"choose"``, the
    player, card by card."""
    num_ranks: int = 13
    """Ranks of the pack, from the ace upwards."""
    num_suits: int = 4
    """Suits of the pack, in the order clubs, diamonds, hearts, spades."""
    target: int | None = 100
    """Points that end a match; None: a single hand."""
    max_turns: int | str = "auto"
    """Turns after which a hand is cut off. ``"auto"``: four for each card of the pack."""
    max_hands: int = 100
    """Hands after which a match is cut off, dead hands counted."""


PRESETS: dict[str, dict[str, Any]] = {
    "GIN": {},
    "GIN_CLASSIC": {"gin_bonus": 20, "undercut_bonus": 10, "big_gin_bonus": None, "box_bonus": 20},
    "OKLAHOMA": {"knock_limit": "upcard", "spade_double": True, "target": 150},
    "STRAIGHT_GIN": {"knock_limit": 0},
}


def make_rules(preset: str | None = None, **options: Any) -> Rules:
    """The rules with these options on top of a preset, every ``"auto"`` filled in.

    >>> make_rules("OKLAHOMA").target
    150

    Raises:
        RulesError: an unknown preset or option, or a value that is not possible; the sentence says
            what is.
    """
    o = merge(Rules, PRESETS, preset, options)
    pack = settle_pack(o, MAX_PLAYERS)
    settle_hand_size(o, pack, 10)
    limit = o["knock_limit"]
    if isinstance(limit, str):
        if limit != "upcard":
            raise RulesError(
                f"knock_limit={limit!r} is not possible; knock_limit is a whole number from 0 to "
                "100, or 'upcard'"
            )
    else:
        whole(o, "knock_limit", 0, 100)
    one_of(o, "oklahoma_ace", ("gin_only", "one"))
    for name in ("gin_bonus", "undercut_bonus", "box_bonus", "game_bonus"):
        whole(o, name, 0, 1000)
    whole(o, "big_gin_bonus", 0, 1000, none=True)
    for name in ("undercut_boxes", "gin_boxes"):
        whole(o, name, 0, 10)
    for name in ("spade_double", "undercut_on_tie"):
        one_of(o, name, (False, True))
    one_of(o, "shutout", ("bonus+100", "double", "none"))
    one_of(o, "wall_rule", ("dead", "opponent_may_knock"))
    one_of(o, "next_dealer", ("winner", "loser", "alternate"))
    one_of(o, "layoff", ("auto", "choose"))
    whole(o, "target", 1, 10_000, none=True)
    if o["max_turns"] == "auto":
        o["max_turns"] = 4 * pack
    whole(o, "max_turns", 1, 10_000)
    whole(o, "max_hands", 1, 10_000)
    return Rules(**o)
