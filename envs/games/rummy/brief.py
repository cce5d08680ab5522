"""The rules in short, with the options in force, for whoever sits down to play."""

from .rules import Rules


def in_short(rules: Rules) -> list[str]:
    """The rules as a few paragraphs."""
    return [_cards(rules), _turn(rules), _stock(rules), _points(rules)]


def _cards(r: Rules) -> str:
    aces = "low in runs" if r.ace_in_runs == "low" else "low or high in runs, never in between"
    return (
        f"One pack of {r.num_ranks * r.num_suits}; {r.hand_size} cards for each of "
        f"{r.num_players} players. A meld is three or four cards of one rank, or three or more "
        f"neighbours of one suit. Aces are {aces}."
    )


def _turn(r: Rules) -> str:
    melds = "any number of melds"
    if r.max_melds_per_turn is not None:
        melds = f"{r.max_melds_per_turn} meld{'s' * (r.max_melds_per_turn > 1)} at most"
    own = " once you have a meld of your own there" if r.layoff_requires_own_meld else ""
    last = {
        "discard_optional": "the last card may be laid as well",
        "discard_required": "also the last card must be discarded",
    }[r.going_out]
    return (
        "A turn: draw the top of the stock or take the top of the pile, which may not be discarded "
        f"in the same turn. Then lay {melds}, lay off on anybody's melds{own}, and discard one "
        f"card; {last}."
    )


def _stock(r: Rules) -> str:
    over = "the pile is turned over, unshuffled, and its first card drawn"
    if r.max_recycles == 0:
        return (
            "When the stock is empty a player takes the top of the pile or passes: then the hand "
            "is blocked, and who alone holds the fewest points wins the difference from each."
        )
    often = ""
    if r.max_recycles is not None:
        often = (
            f", {r.max_recycles} time{'s' * (r.max_recycles > 1)} in a hand; then a player may "
            "pass, which blocks the hand: who alone holds the fewest points wins the difference"
        )
    return f"When the stock is empty {over}{often}."


def _points(r: Rules) -> str:
    pure = " and without laying off on others' melds" if r.rummy_needs_pure else ""
    times = {1: "", 2: ", twice over", 3: ", three times over"}.get(
        r.rummy_multiplier, f", {r.rummy_multiplier} times over"
    )
    rummy = f"; going out in one turn, with nothing laid before it{pure}, is rummy{times}"
    match = f"The first with {r.target} points wins" if r.target else "One hand is played"
    return (
        "Who has no card left first wins the points that the others hold: ace "
        f"{r.ace_value}, two to ten by their number, court cards 10"
        f"{rummy if times else ''}. {match}."
    )
