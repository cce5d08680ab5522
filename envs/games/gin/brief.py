"""The rules in short, with the options in force, for whoever sits down to play."""

from .rules import Rules


def in_short(rules: Rules) -> list[str]:
    """The rules as a few paragraphs."""
    return [_cards(rules), _turn(rules), _knock(rules), _points(rules), _match(rules)]


def _cards(r: Rules) -> str:
    return (
        f"One pack of {r.num_ranks * r.num_suits}; {r.hand_size} cards each. Melds (three or four "
        "cards of one rank, three or more neighbours of one suit, aces low) stay in the hand. What "
        "is in no meld is deadwood: ace 1, two to ten by their number, court cards 10."
    )


def _turn(r: Rules) -> str:
    return (
        "First the card turned up is offered to the player who did not deal, then to the dealer. A "
        "turn: draw the top of the stock or take the top of the pile, then discard; a card just "
        "taken from the pile may not be discarded."
    )


def _knock(r: Rules) -> str:
    if r.knock_limit == 0:
        knock = "Only gin ends a hand: discard, and have no deadwood left"
    else:
        limit = f"{r.knock_limit} points or less"
        if r.knock_limit == "upcard":
            ace = "gin only" if r.oklahoma_ace == "gin_only" else "one point"
            limit = f"the points of the hand's upcard or less (an ace: {ace})"
        knock = (
            f"With deadwood of {limit} after the discard you may knock; the other then lays off on "
            "your melds. With none left you go gin, and nothing is laid off"
        )
    big = ""
    if r.big_gin_bonus is not None:
        big = f". Big gin: all {int(r.hand_size) + 1} cards in melds, without a discard"
    return f"{knock}{big}."


def _points(r: Rules) -> str:
    parts = [f"gin {r.gin_bonus} and the other's deadwood"]
    if r.big_gin_bonus is not None:
        parts.append(f"big gin {r.big_gin_bonus} and that")
    if r.knock_limit != 0:
        tie = "no less" if r.undercut_on_tie else "more"
        parts.append("a knock the difference")
        parts.append(
            f"but if the knocker has {tie} than the other, the other scores {r.undercut_bonus} and "
            "the difference"
        )
    wall = "; the other may take the last discard to end the hand"
    wall = wall if r.wall_rule == "opponent_may_knock" else ""
    spade = " If the upcard is a spade, all this counts twice." if r.spade_double else ""
    return (
        f"Points: {', '.join(parts)}. If two cards are left in the stock, nobody scores{wall}."
        f"{spade}"
    )


def _match(r: Rules) -> str:
    if not r.target:
        return "One hand is played."
    shutout = {
        "bonus+100": ", 100 more if the other has no points",
        "double": ", and twice its points if the other has none",
        "none": "",
    }[r.shutout]
    return (
        f"The first with {r.target} points wins the match and {r.game_bonus} points{shutout}; each "
        f"hand won is worth {r.box_bonus} points more at the end."
    )
