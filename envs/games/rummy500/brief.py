"""The rules in short, with the options in force, for whoever sits down to play."""

from .rules import Rules

_GOING_OUT = {
    "discard_optional": "The hand ends when somebody has no card left, with or without a discard",
    "discard_required": "The hand ends when somebody discards the last card; it may not be laid",
    "float": "Who plays the last card floats: turns go on, and only a discarded last card ends the "
    "hand",
}
_ACES = {
    "both": "Aces are low or high in runs, never in between",
    "low": "Aces are low in runs",
    "high": "Aces are high in runs",
}


def in_short(rules: Rules) -> list[str]:
    """The rules as a few paragraphs."""
    return [_cards(rules), _turn(rules), _pile(rules), *_calling(rules), _points(rules)]


def _cards(r: Rules) -> str:
    jokers = int(r.num_decks) * r.jokers_per_deck
    pack = f"{'Two packs' if r.num_decks == 2 else 'One pack'} of {r.num_ranks * r.num_suits}"
    pack += f" and {jokers} joker{'s' * (jokers != 1)}" if jokers else ", no jokers"
    wild = ". A joker stands for any card, and stays what it is" if jokers else ""
    return (
        f"{pack}; {r.hand_size} cards for each of {r.num_players} players. A meld is three or four "
        "cards of one rank, or three or more neighbours of one suit. "
        f"{_ACES[r.ace_in_runs]}{wild}."
    )


def _turn(r: Rules) -> str:
    return (
        "A turn: draw the top of the stock, or take from the pile. Then lay melds and lay single "
        "cards off on anybody's melds, as many as you like; each card counts for whoever lays it. "
        "Then discard one card."
    )


def _pile(r: Rules) -> str:
    top = "must be played" if r.top_discard_must_meld else "may not be discarded in the same turn"
    when = "before anything else" if r.deep_pick_timing == "first" else "before the discard"
    frozen = "" if r.deep_pick_uses_picked else "; the others may not be played before it"
    return (
        f"The pile: the top card alone {top}. A deeper card comes with all cards above it; the "
        f"deepest card taken must be played {when}{frozen}."
    )


def _calling(r: Rules) -> list[str]:
    if not r.calling_rummy or r.num_players == 2:
        return []
    fresh = "" if r.rummy_persistent else ", if it could not before"
    return [
        "Calling rummy: after a discard the others are asked in turn, if some card of the pile "
        f"could be played with the cards above it and the melds on the table alone{fresh}. Who "
        "calls takes it with all above, must play it, and finishes the turn."
    ]


def _points(r: Rules) -> str:
    last = "; that discard may not fit a meld" if r.final_discard_unplayable else ""
    stock = {
        "until_declined": "or once the stock is empty and somebody passes",
        "immediate": "or with the turn that takes the last card of the stock",
    }[r.stock_out]
    cards = "two to ten by their number, court cards 10, aces and jokers 15"
    if r.scoring == "5_10_15":
        cards = "two to nine 5, ten to king 10, aces and jokers 15"
    low = "" if r.ace_in_runs == "high" else f" (an ace at the low end of a run {r.ace_low_value})"
    match = f"The first with {r.target} points wins" if r.target else "One hand is played"
    return (
        f"{_GOING_OUT[r.going_out]}{last}, {stock}. Everybody scores the cards played less the "
        f"cards held: {cards}{low}. {match}."
    )
