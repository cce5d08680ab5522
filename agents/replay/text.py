"""A record as text: all hands, all moves, all scores."""

from collections.abc import Iterator, Sequence

from ...envs.record import Record
from ...envs.table import Table
from .frames import Moment, moments

_ENDED = {
    "no": "The record ends here; the game was not over.",
    "hand": "The match was stopped after this hand.",
    "truncated": "The match was cut off.",
}

_LONGEST = 41
"""So many letters of a name are shown."""


def game_text(record: Record) -> str:
    """A game that was recorded as text, with the hidden cards."""
    return "\n".join(_lines(record)) + "\n"


def shown_names(record: Record) -> list[str]:
    """The names of the players, without what would move the cursor or change colours, and without
    the middle of those that are very long, as paths may be."""
    names = [
        "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name)
        for name in record.players
    ]
    half = (_LONGEST - 3) // 2
    return [x if len(x) <= _LONGEST else f"{x[:half]}...{x[-half:]}" for x in names]


def told_apart(names: Sequence[str]) -> list[str]:
    """Names that tell the seats apart: with the seat's number where several are alike."""
    return [f"{name} {seat}" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def _lines(record: Record) -> Iterator[str]:
    names = [f"seat {seat}, {name}" for seat, name in enumerate(shown_names(record))]
    players = told_apart(shown_names(record))
    table = record.table()
    yield f"{table.game.TITLE}: {'; '.join(names)}"
    for number, moment in enumerate(moments(record)):
        table = moment.table
        if moment.step is None:
            yield from _deal(table, players, begins=number == 0)
        else:
            yield f"  {players[moment.step.seat]}: {_move(moment)}"
        if table.over != "no":
            yield ""
            yield f"scores of the hand: {_scores(players, table.hand_scores)}"
            yield f"scores of the match: {_scores(players, table.scores)}"
    yield ""
    if record.over == "match":
        won = record.winner
        yield "A tie." if won is None else f"Won by {players[won]}."
    else:
        yield _ENDED[record.over]


def _deal(table: Table, names: Sequence[str], begins: bool) -> Iterator[str]:
    yield ""
    dealt = table.state.turns == 0 and not table.melds
    what = f"dealt by {names[table.dealer]}" if dealt else f"turn {int(table.state.turns) + 1}"
    if begins and any(table.scores):
        what += f"; scores: {_scores(names, table.scores)}"
    yield f"hand {int(table.state.hands) + 1}, {what}"
    for seat, name in enumerate(names):
        yield f"  {name}: {' '.join(table.hand(seat)) or 'no cards'}"
    for meld in table.melds:
        yield f"  on the table: {' '.join(meld.cards)}"
    yield f"  pile: {' '.join(table.pile) or 'empty'}"
    yield ""


def _move(moment: Moment) -> str:
    assert moment.step is not None
    text = moment.step.action + (f" ({moment.drawn})" if moment.drawn else "")
    chances, value = moment.step.probabilities, moment.step.value
    thought = []
    if len(chances) > 1 and moment.step.action in chances:  # others are sure
        thought.append(f"{chances[moment.step.action]:.0%}")
    if value is not None:
        thought.append(f"expects {value:+.0f}")
    return f"{text}  [{', '.join(thought)}]" if thought else text


def _scores(names: Sequence[str], scores: Sequence[int]) -> str:
    return ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
