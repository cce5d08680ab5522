"""The options of Rummy 500 and its presets."""

from typing import Any, NamedTuple

from ...rules import RulesError, merge, one_of, settle_hand_size, settle_pack, whole

MAX_PLAYERS = 8


class Rules(NamedTuple):
    """The options of Rummy 500; ``"auto"`` is filled in by `make_rules`."""

    num_players: int = 2
    """Seats at the table, counted clockwise."""
    num_decks: int | str = "auto"
    """Packs of cards. ``"auto"``: one for two to four players, else two."""
    jokers_per_deck: int = 2
    """Jokers in each pack."""
    hand_size: int | str = "auto"
    """Cards dealt to each. ``"auto"``: 13 for two players, else 7; in a small pack fewer."""
    scoring: str = "face"
    """What cards count. ``"face"``: two to ten by their number, court cards 10; ``"5_10_15"``: two
    to nine 5, ten to king 10. Aces and jokers count 15 in both."""
    ace_in_runs: str = "both"
    """Where an ace may stand in a run: ``"low"`` (A 2 3), ``"high"`` (Q K A), or ``"both"``; it
    never joins K and 2."""
    ace_low_value: int | str = "auto"
    """Points of an ace at the low end of a run. ``"auto"``: 1, and 5 with ``scoring="5_10_15"``."""
    top_discard_must_meld: bool = False
    """Whether even a single card taken from the pile must be played at once."""
    deep_pick_timing: str = "first"
    """When the deepest of several cards taken must be played: ``"first"``, before anything else, or
    ``"before_discard"``, at any time in the turn."""
    deep_pick_uses_picked: bool = True
    """Whether the cards taken along with the deepest one may help to play it."""
    calling_rummy: bool = True
    """Whether players may call rummy (with two players nobody is ever asked)."""
    rummy_persistent: bool = True
    """Whether every card of the pile that could be played may be called; else only those for which
    the last turn made the chance."""
    going_out: str = "discard_optional"
    """How the last card leaves a hand. ``"discard_optional"``: in any way; ``"discard_required"``:
    as a discard; ``"float"``: who plays it floats, and only a discard ends the hand."""
    final_discard_unplayable: bool = False
    """Whether the discard that ends the hand must be a card that could not be laid off."""
    stock_out: str = "until_declined"
    """When an empty stock ends the hand. ``"until_declined"``: once a player declines the pile;
    ``"immediate"``: at the end of the turn that took its last card."""
    num_ranks: int = 13
    """Ranks of the pack, from the ace upwards."""
    num_suits: int = 4
    """Suits of the pack, in the order clubs, diamonds, hearts, spades."""
    target: int | None = 500
    """Points that end a match, if one player alone has most then; None: a single hand."""
    max_turns: int | str = "auto"
    """Turns after which a hand is cut off. ``"auto"``: four for each card of the pack."""
    max_hands: int = 100
    """Hands after which a match is cut off."""
    pad_players: int = 0
    """Observations and actions are laid out for a table of so many players, so that one network can
    play at all smaller ones; 0: for `num_players`."""


PRESETS: dict[str, dict[str, Any]] = {
    "RUMMY_500": {},
    "RUMMY_500_NO_JOKERS": {"jokers_per_deck": 0},
    "RUMMY_500_BICYCLE": {
        "jokers_per_deck": 0,
        "top_discard_must_meld": True,
        "calling_rummy": False,
    },
    "RUMMY_500_FLOATING": {"going_out": "float"},
    "RUMMY_500_5_10_15": {"scoring": "5_10_15"},
    "RUMMY_500_BOATHOUSE": {"going_out": "discard_required"},
}


def make_rules(preset: str | None = None, **options: Any) -> Rules:
    """The rules with these options on top of a preset, every ``"auto"`` filled in.

    >>> make_rules(num_players=5).num_decks
    2

    Raises:
        RulesError: an unknown preset or option, or a value that is not possible; the sentence says
            what is.
    """
    o = merge(Rules, PRESETS, preset, options)
    pack = settle_pack(o, MAX_PLAYERS)
    settle_hand_size(o, pack, 13 if o["num_players"] == 2 else 7)
    one_of(o, "scoring", ("face", "5_10_15"))
    one_of(o, "ace_in_runs", ("both", "low", "high"))
    if o["ace_low_value"] == "auto":
        o["ace_low_value"] = 5 if o["scoring"] == "5_10_15" else 1
    one_of(o, "ace_low_value", (1, 5, 15))
    one_of(o, "deep_pick_timing", ("first", "before_discard"))
    one_of(o, "going_out", ("discard_optional", "discard_required", "float"))
    one_of(o, "stock_out", ("until_declined", "immediate"))
    for name in (
        "top_discard_must_meld",
        "deep_pick_uses_picked",
        "calling_rummy",
        "rummy_persistent",
        "final_discard_unplayable",
    ):
        one_of(o, name, (False, True))
    whole(o, "target", 1, 10_000, none=True)
    if o["max_turns"] == "auto":
        o["max_turns"] = 4 * pack
    whole(o, "max_turns", 1, 10_000)
    whole(o, "max_hands", 1, 10_000)
    if o["num_decks"] == 2 and 0 < o["pad_players"] < 5:
        raise RulesError(
            "pad_players below 5 pads for one pack; set num_decks=1 or pad_players to 5 or more"
        )
    return Rules(**o)
