"""The options of basic Rummy and its presets."""

from typing import Any, NamedTuple

from ...rules import merge, one_of, settle_hand_size, settle_pack, whole

MAX_PLAYERS = 6


class Rules(NamedTuple):
    """The options of basic Rummy; ``"auto"`` is filled in by `make_rules`."""

    num_players: int = 2
    """Seats at the table, counted clockwise."""
    hand_size: int | str = "auto"
    """Cards dealt to each. ``"auto"``: 10 for two players, 7 for three or four, else 6; in a small
    pack fewer."""
    ace_in_runs: str = "low"
    """Where an ace may stand in a run: ``"low"`` (A 2 3), or ``"both"`` (Q K A as well); it never
    joins K and 2."""
    ace_value: int = 1
    """Points of an ace."""
    max_melds_per_turn: int | None = None
    """Melds that a player may lay down in a turn; None: any number."""
    layoff_requires_own_meld: bool = False
    """Whether only a player with cards on the table may lay off."""
    going_out: str = "discard_optional"
    """How the last card leaves a hand. ``"discard_optional"``: in any way; ``"discard_required"``:
    as a discard."""
    max_recycles: int | None = None
    """How often the pile may be turned over in a hand; None: any number of times."""
    rummy_multiplier: int = 2
    """By what the payment is multiplied when somebody goes rummy."""
    rummy_needs_pure: bool = False
    """Whether a turn that lays a card on a meld with another's card in it is no rummy."""
    next_dealer: str = "auto"
    """Who deals the next hand: the ``"winner"``, or the player on the ``"left"``. ``"auto"``: the
    winner for two players, else left."""
    num_ranks: int = 13
    """Ranks of the pack, from the ace upwards."""
    num_suits: int = 4
    """Suits of the pack, in the order clubs, diamonds, hearts, spades."""
    target: int | None = None
    """Points that end a match, if one player alone has most then; None: a single hand."""
    max_turns: int | str = "auto"
    """Turns after which a hand is cut off. ``"auto"``: four for each card of the pack."""
    max_hands: int = 100
    """Hands after which a match is cut off."""
    pad_players: int = 0
    """Observations and actions are laid out for a table of so many players, so that one network can
    play at all smaller ones; 0: for `num_players`."""


PRESETS: dict[str, dict[str, Any]] = {
    "RUMMY": {},
    "RUMMY_BLOCK": {"max_recycles": 0},
    "RUMMY_ONE_MELD": {"max_melds_per_turn": 1},
}


def make_rules(preset: str | None = None, **options: Any) -> Rules:
    """The rules with these options on top of a preset, every ``"auto"`` filled in.

    >>> make_rules(num_players=4).hand_size
    7

    Raises:
        RulesError: an unknown preset or option, or a value that is not possible; the sentence says
            what is.
    """
    o = merge(Rules, PRESETS, preset, options)
    pack = settle_pack(o, MAX_PLAYERS)
    players = o["num_players"]
    settle_hand_size(o, pack, 10 if players == 2 else 7 if players < 5 else 6)
    one_of(o, "ace_in_runs", ("low", "both"))
    one_of(o, "ace_value", (1, 15))
    whole(o, "max_melds_per_turn", 1, 99, none=True)
    whole(o, "max_recycles", 0, 10_000, none=True)
    one_of(o, "layoff_requires_own_meld", (False, True))
    one_of(o, "going_out", ("discard_optional", "discard_required"))
    whole(o, "rummy_multiplier", 1, 10)
    one_of(o, "rummy_needs_pure", (False, True))
    if o["next_dealer"] == "auto":
        o["next_dealer"] = "winner" if players == 2 else "left"
    one_of(o, "next_dealer", ("winner", "left"))
    whole(o, "target", 1, 10_000, none=True)
    if o["max_turns"] == "auto":
        o["max_turns"] = 4 * pack
    whole(o, "max_turns", 1, 10_000)
    whole(o, "max_hands", 1, 10_000)
    return Rules(**o)
