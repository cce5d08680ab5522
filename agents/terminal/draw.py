"""A table as it is drawn in the terminal, from what a seat may see of it.

What is hidden is left out by `rummyzoo.envs.render.show`, as in all texts and pictures.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.text import Text

from ...envs.cards import in_rank_order, parse_card
from ...envs.render import Seat, Shown, Who, show, task
from .moves import Group, groups, numbered, pile_places
from .screen import Screen, flow, labelled, short
from .sitting import YOU, Sitting
from .words import Event, by_turns

INDENT = 7
"""Where what stands behind a label begins."""
MOST_JOKER_MOVES = 12
"""So many melds and lay-offs with jokers are listed, unless all moves are asked for."""
_NAME, _LABEL = 14, 12
_SAID = ("draw ", "take ", "call ", "knock with ", "meld ", "lay ", "discard ")  # by the group


def draw_table(screen: Screen, sitting: Sitting, order: str) -> None:
    """Draw the whole: headline, seats, pile, melds, what was done, and hands.

    Args:
        order: of the hands: ``"suit"`` or ``"rank"``.
    """
    table = sitting.table
    shown = show(table.game, table.states, 0, table.kits, table.rules, sitting.see)
    screen.rule(_headline(screen, sitting))
    screen.print(*_seats(screen, sitting, shown))
    screen.print(*_pile(screen, shown, _numbers(sitting)))
    if shown.melds:
        screen.print("", *_melds(screen, sitting, shown))
    recent = latest(sitting)
    if recent:
        screen.print("", *draw_events(screen, sitting, recent))
    for seat, own in enumerate(shown.seats):
        if own.cards and sees_hand(sitting.see, seat):
            screen.print("", *_hand(screen, sitting, seat, own, order))


def sees_hand(see: Who, seat: int) -> bool:
    """Whether a whole hand is shown."""
    return see in ("all", seat)


def _headline(screen: Screen, sitting: Sitting) -> Text:
    table = sitting.table
    playing = table.over in ("no", "truncated")
    words = f"{table.game.TITLE}, hand {int(table.state.hands) + playing}"
    if table.rules.target:
        words += f" of a match to {table.rules.target}"
    words += f", turn {int(table.state.turns) + (table.over == 'no')}"
    return Text(short(words, screen.width - 6), "bold")


def _seats(screen: Screen, sitting: Sitting, shown: Shown) -> list[Text]:
    """A line for each seat: cards held, points, and the cards that are known to be held."""
    counts = shown.seats[0].played is not None
    known_of = [
        [] if sees_hand(sitting.see, p) else seat.cards for p, seat in enumerate(shown.seats)
    ]
    head = f"   {'seat, (d) deals':<{_NAME + 2}}  cards{'  played' if counts else ''}   score"
    found = [Text(head + ("  known cards" if any(known_of) else ""), "dim")]
    for p, (seat, known) in enumerate(zip(shown.seats, known_of, strict=True)):
        name = short(sitting.titles[p], _NAME - 4 if seat.dealer else _NAME)
        name += " (d)" if seat.dealer else ""
        played = "" if seat.played is None else f"  {seat.played:6}"
        cards = len(seat.cards) + seat.hidden
        line = (
            f" {'>' if seat.acts else ' '} {p} {name:<{_NAME}}  {cards:5}{played}  {seat.score:6}"
        )
        text = Text(line + "  ", "bold" if seat.acts else "")
        room = screen.width - text.cell_len
        found += labelled(text, flow(map(screen.card, known), room, 1), text.cell_len)
    return found


def _numbers(sitting: Sitting) -> dict[int, int]:
    """Places of the pile from which the person may take: the number of that move in the list."""
    table = sitting.table
    if sitting.me is None or table.turn != sitting.me:
        return {}
    number = {table.texts[action]: n for n, action in enumerate(numbered(table), 1)}
    return {place: number[text] for place, text in pile_places(table).items()}


def _pile(screen: Screen, shown: Shown, taking: dict[int, int]) -> list[Text]:
    """The stock and the pile, its top last; below a card that may be taken, that move's number."""
    count = len(shown.pile)
    head = [Text(f"stock {shown.stock}", "" if shown.stock else "bold")]
    if not count:
        return [Text(), head[0].append(", the pile is empty")]
    head[0].append(", pile of " + (f"{count}, the top last:" if count > 1 else "1:"))
    found = [Text(), *head]
    in_row = (screen.width - INDENT) // 5
    for first in range(0, count, in_row):
        row = range(first, min(first + in_row, count))
        cards, numbers = Text(" " * INDENT), Text(" " * INDENT)
        for n in row:
            card = screen.card(shown.pile[n], "underline" if n in taking else "")
            cards.append(" " * (5 - card.cell_len)).append_text(card)
            numbers.append(f"{taking.get(n, ''):>5}", "dim")
        found += [cards, numbers] if any(n in taking for n in row) else [cards]
    return found


def _melds(screen: Screen, sitting: Sitting, shown: Shown) -> list[Text]:
    """The melds with who laid their cards."""
    cells: list[Text] = []
    room = screen.width - INDENT
    for meld in shown.melds:
        parts = []
        for owner, cards in groupby(meld, key=lambda item: item[1]):
            laid = screen.cards(card for card, _ in cards)
            parts.append(laid.append(f" ({_owner(sitting, owner)})", "dim"))
        cells += Text(" ").join(parts).wrap(screen.console, room)
    return labelled("melds", flow(cells, room, 3), INDENT)


def _owner(sitting: Sitting, seat: int) -> str:
    """Who laid a card, in a few columns."""
    if seat == sitting.me or sitting.table.num_players > 2:
        return YOU if seat == sitting.me else str(seat)
    return _label(sitting, seat)


def _label(sitting: Sitting, seat: int) -> str:
    """What a player is called, in a few columns; what tells the seats apart is kept."""
    title = sitting.titles[seat]
    number = sitting.labels[seat].removeprefix(title)
    return short(title, _LABEL - len(number)) + number


def draw_events(screen: Screen, sitting: Sitting, events: Iterable[Event]) -> list[Text]:
    """What was done, a line or more for each turn."""
    found = []
    for seat, done in by_turns(events):
        me = seat == sitting.me
        words = [screen.words(event.text(me)) for event in done]
        cells = [word.append("," if n + 1 < len(words) else "") for n, word in enumerate(words)]
        label = Text(_label(sitting, seat), "dim italic")
        indent = max(INDENT, label.cell_len + 1)
        found += labelled(label, flow(cells, screen.width - indent, 1), indent)
    return found


def latest(sitting: Sitting) -> list[Event]:
    """What was done since the person's last turn, and in this one; without a person, the last
    turn.
    """
    if not sitting.events:
        return []
    hand = sitting.events[-1].hand
    if sitting.table.over == "no" and hand != int(sitting.table.state.hands) + 1:
        return []  # a new hand was dealt
    turns = by_turns(event for event in sitting.events if event.hand == hand)
    if sitting.me is None:
        return turns[-1][1]
    mine = [n for n, (seat, _) in enumerate(turns) if seat == sitting.me]
    if mine and mine[-1] == len(turns) - 1:
        mine.pop()
    first = mine[-1] + 1 if mine else 0
    return [event for _, done in turns[first:] for event in done]


def _hand(screen: Screen, sitting: Sitting, seat: int, own: Seat, order: str) -> list[Text]:
    table = sitting.table
    note = table.game.hand_note(table.state, table.kits[0], seat)
    whose = "your hand" if seat == sitting.me else sitting.labels[seat]
    count = len(own.cards)
    head = f"{whose}: {count} card{'s' * (count != 1)}, {note}"
    room = screen.width - INDENT
    cells = []
    for group in sort_hand(own.cards, order):
        for first in range(0, len(group), 13):
            cells.append(screen.cards(group[first : first + 13], "bold"))
    return [Text(head), *labelled("", flow(cells, room, 3), INDENT)]


def sort_hand(cards: Sequence[str], order: str) -> list[list[str]]:
    """Cards by suit, or by rank; jokers last."""
    by_rank = order == "rank"

    def key(card: str) -> tuple[int, int]:
        rank, suit = in_rank_order(parse_card(card))
        return (rank, suit) if by_rank else (suit, rank)

    def part(card: str) -> tuple[bool, int]:
        return card == "JK", key(card)[0]

    ordered = sorted(cards, key=lambda card: (card == "JK", key(card)))
    return [list(group) for _, group in groupby(ordered, key=part)]


def draw_moves(screen: Screen, sitting: Sitting, everything: bool = False) -> None:
    """List the legal moves by number, and say what is to be done."""
    table, number = sitting.table, 1
    screen.say(f"Your turn: {task(table.game, table.state)}", "bold")
    for group in groups(table):
        cells, indent = [], max(INDENT, len(group.name) + 2)
        for n, action in enumerate(group.actions):
            if group.name == "with jokers" and n >= MOST_JOKER_MOVES and not everything:
                left = len(group.actions) - n
                cells.append(Text(f"and {left} more; moves lists all", "dim"))
                break
            cells.append(_move(screen, sitting, group, number + n, action))
        number += len(group.actions)
        screen.print(*labelled(group.name, flow(cells, screen.width - indent), indent))


def _move(screen: Screen, sitting: Sitting, group: Group, number: int, action: int) -> Text:
    """A listed move: its number and what its group does not say."""
    table, text = sitting.table, sitting.table.texts[action]
    words = text
    for start in _SAID:
        words = words.removeprefix(start)
    cell = Text().append(f"{number} ", "dim").append_text(screen.words(words))
    if group.name in ("take", "call"):
        above = next(len(table.pile) - 1 - n for n, t in pile_places(table).items() if t == text)
        cell.append(f" +{above}" if above else "")
    return cell
