"""The moves of a person: which there are, by number, and what a line means.

A line is an action as `Table.play` takes it, or something shorter: the number of a listed move, the
beginning of a verb (``d 7C``, ``disc 7c``), a lay-off without its place where there is only one
(``lay 7H``), cards without a verb for a meld (``7C 7D 7S``), jokers without what they stand for
(``meld 5C JK 7C``), ``take`` for the top of the pile.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...envs import kit
from ...envs.cards import RANKS, SUITS, CardError, parse_card, parse_played
from ...envs.kit import at_position
from ...envs.table import Table
from ...envs.text import IllegalAction

_SIGNS = str.maketrans("♣♦♥♠♧♢♡♤", "CDHSCDHS")
_VERBS = {"p": "pass", "t": "take", "c": "call", "m": "meld", "l": "lay", "k": "knock", "g": "gin"}
_GROUPS = {
    "draw": (kit.A_DRAW, kit.A_TURN),
    "take": (kit.A_TAKE,),
    "call": (kit.A_CALL,),
    "pass": (kit.A_PASS,),
    "gin": (kit.A_BIG_GIN, kit.A_GIN),
    "knock with": (kit.A_KNOCK,),
    "meld": (kit.A_SET, kit.A_RUN),
    "lay off": (kit.A_LAY_SET, kit.A_LAY_LOW, kit.A_LAY_HIGH),
    "discard": (kit.A_DISCARD,),
}
_JOKERS = "with jokers"


class Group(NamedTuple):
    """Legal moves of one kind: what they are called, and the numbers of their actions."""

    name: str
    actions: list[int]


def groups(table: Table) -> list[Group]:
    """All legal moves by kind; melds and lay-offs with jokers apart, since they are many."""
    found: dict[str, list[int]] = {name: [] for name in _GROUPS}
    jokers: list[int] = []
    names = {kind: name for name, kinds in _GROUPS.items() for kind in kinds}
    for action in table.legal_actions().tolist():
        name = names[int(table.kits[0].act[action, 0])]
        joker = name in ("meld", "lay off") and "JK" in table.texts[action]
        (jokers if joker else found[name]).append(action)
    depth = {text: -place for place, text in pile_places(table).items()}
    for name in ("take", "call"):
        found[name].sort(key=lambda action: depth[table.texts[action]])
    discards = found.pop("discard")
    everything = {**found, _JOKERS: jokers, "discard": discards}
    return [Group(name, actions) for name, actions in everything.items() if actions]


def numbered(table: Table) -> list[int]:
    """The actions of the legal moves in the order in which they are listed, from number 1."""
    return [action for group in groups(table) for action in group.actions]


def pile_places(table: Table) -> dict[int, str]:
    """What may be taken or called from the pile: place in it from the bottom -> action as text."""
    found = {}
    for text in table.legal():
        verb, *rest = text.split()
        if verb in ("take", "call"):
            places = [n for n, card in enumerate(table.pile) if card == rest[0]]
            found[places[-1 if len(rest) == 1 else -int(rest[1])]] = text
    return found


def read_move(text: str, table: Table) -> list[int]:
    """The actions that a line means, in order; nothing is played.

    Raises:
        IllegalAction: it means none, or one that may not be played now; says why.
    """
    words = text.translate(_SIGNS).replace(",", " ").split()
    if len(words) == 1 and words[0].isascii() and words[0].isdigit():
        return [_by_number(int(words[0]), table)]
    words = [_card(word) for word in words]
    if words and all(map(_is_card, words)):
        if len(words) < 3:
            raise IllegalAction(f"say what to do with {' and '.join(words)}, like discard or lay")
        words = ["meld", *words]
    verb = find_verb(words[0] if words else "", table, len(words) > 1)
    if verb is None:
        raise IllegalAction(f"{text!r} is neither a move nor a command; help lists both")
    rest = words[1:]
    match verb:
        case "take" | "call" if len(rest) == 1:
            return _from_pile(verb, rest[0], table)
        case "take" if not rest and table.pile:
            return table.read(f"take {table.pile[-1]}")
        case "draw" | "turn" | "big" if not rest:
            return table.read({"draw": "draw stock", "turn": "turn pile", "big": "big gin"}[verb])
        case "knock" | "gin":
            return _ending(verb, rest[1:] if rest[:1] == ["with"] else rest, table)
        case "lay" if rest and "on" not in rest:
            return _lay_somewhere(rest, table)
        case "lay" if "JK" in rest:
            return _lay_joker(rest, table)
        case "meld" if "JK" in rest:
            return table.read(" ".join(["meld", *_stand_for(rest, table)]))
    return table.read(" ".join([verb, *rest]))


def find_verb(word: str, table: Table, more: bool) -> str | None:
    """The verb that a word begins, if there is just one; `more`: whether other words follow."""
    word = word.lower()
    verbs = verbs_of(table)
    if word in verbs:
        return word
    if word == "d":
        return "discard" if more else "draw"
    if word in _VERBS:
        return _VERBS[word] if _VERBS[word] in verbs else None
    begun = [verb for verb in verbs if word and verb.startswith(word)]
    return begun[0] if len(begun) == 1 else None


def verbs_of(table: Table) -> list[str]:
    """The words that moves of the game begin with."""
    return sorted({text.split()[0] for text in table.texts})


def _by_number(number: int, table: Table) -> int:
    listed = numbered(table)
    if not 1 <= number <= len(listed):
        raise IllegalAction(f"there is no move {number}; moves are 1 to {len(listed)}")
    return listed[number - 1]


def _card(word: str) -> str:
    """A word as the game writes it, if it is a card."""
    if re.fullmatch(r"joker|jo?k?", word, re.IGNORECASE) and word.lower() != "j":
        return "JK"
    upper = word.upper().replace("10", "T")
    return upper if _is_card(upper) else word.lower()


def _is_card(word: str) -> bool:
    try:
        parse_played(word)
    except CardError:
        return False
    return True


def _from_pile(verb: str, word: str, table: Table) -> list[int]:
    """A card of the pile, or the number of the move, which stands below the card."""
    if not word.isdigit():
        return table.read(f"{verb} {word}")
    action = _by_number(int(word), table)
    if table.texts[action].split()[0] != verb:
        raise IllegalAction(f"{word} is another move: {table.texts[action]}")
    return [action]


def _ending(verb: str, rest: Sequence[str], table: Table) -> list[int]:
    """Knock or gin with a card, which need not be named where only one will do."""
    if rest:
        return table.read(" ".join([verb, "with", *rest]))
    legal = [text for text in table.legal() if text.startswith(f"{verb} with")]
    if len(legal) == 1:
        return table.read(legal[0])
    if not legal:
        raise IllegalAction(_never(f"{verb} with", table))
    raise IllegalAction(f"say with which discard: {_either(legal)}")


def _never(start: str, table: Table) -> str:
    """Why no action that begins so may be played: what is said of one with a card that is held."""
    seat = table.turn
    held = set(table.hand(seat)) if seat is not None else set()
    texts = [n for n, text in enumerate(table.texts) if text.startswith(start)]
    own = [n for n in texts if table.texts[n].split()[2] in held]
    return table.why_not((own or texts)[0])


def _lay_somewhere(cards: Sequence[str], table: Table) -> list[int]:
    """Lay cards off, each where it fits, if that is one place only."""
    trial, found = table.copy(), []
    for card in cards:
        if not _is_card(card):
            raise IllegalAction("a lay-off is written like: lay 7S, or lay 7S on 8S")
        found.append(_only(_lay_offs(card, "", trial), f"no meld on the table takes {card}", trial))
        trial.play(found[-1])
    return found


def _lay_joker(rest: Sequence[str], table: Table) -> list[int]:
    """Lay a joker off on a meld, where it is not said what it stands for."""
    where = " ".join(rest[rest.index("on") + 1 :])
    if list(rest[: rest.index("on")]) != ["JK"]:
        raise IllegalAction("lay a joker off by itself, or say what it stands for, like JK(9H)")
    return [_only(_lay_offs("JK", where, table), f"no joker can be laid on {where}", table)]


def _lay_offs(card: str, where: str, table: Table) -> list[str]:
    """The legal lay-offs of a card, on a card that is named or anywhere."""
    start = "lay JK(" if card == "JK" else f"lay {card} on "
    legal = [text for text in table.legal() if text.startswith(start)]
    return [text for text in legal if not where or text.endswith(f" on {where}")]


def _only(texts: Sequence[str], never: str, table: Table) -> int:
    if not texts:
        raise IllegalAction(never)
    if len(texts) > 1:
        raise IllegalAction(f"say where: {_either(texts)}")
    return table.read(texts[0])[0]


def _either(texts: Sequence[str]) -> str:
    return f"{', '.join(texts[:-1])} or {texts[-1]}"


def _stand_for(cards: Sequence[str], table: Table) -> list[str]:
    """The cards of a meld with what its jokers stand for: in a run, what is written tells."""
    faces = {n: parse_card(card) for n, card in enumerate(cards) if _is_natural(card)}
    if not faces or len(faces) + cards.count("JK") < len(cards):
        return list(cards)
    some = RANKS[next(iter(faces.values())) % 13]
    if len(faces) == 1:
        raise IllegalAction(
            f"say what the jokers stand for: JK({some}) twice in a set, or in a run like JK(5C)"
        )
    if len({face % 13 for face in faces.values()}) == 1:
        return [f"JK({some})" if card == "JK" else card for card in cards]
    n, face = next((n, face) for n, face in faces.items() if face % 13)
    low, ranks = face % 13 - n, int(table.kits[0].num_ranks)
    if low < 0 or low + len(cards) - 1 > ranks:
        raise IllegalAction("the cards are not in sequence as they are written")
    suit = face // 13
    return [
        f"JK({at_position(low + i, suit, ranks)})" if card == "JK" else card
        for i, card in enumerate(cards)
    ]


def _is_natural(card: str) -> bool:
    return card[-1:] in SUITS and _is_card(card)
