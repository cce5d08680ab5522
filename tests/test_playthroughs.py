"""Golden playthroughs: short games written down action by action, to be reviewed when they change.

``UPDATE_GOLDEN=1`` (``make golden``) writes the files anew. Each line of a file is an action (seat
and text) and what there is after it: cards in each hand, points played, stock and pile, how many
actions are legal, a digest of all observations and of the mask, and what the next player sees:
who is to act, cards known, what fits the table, and what the turn obliges to.
"""

import os
import random
import zlib
from pathlib import Path

import numpy as np
import pytest
from about import about
from walks import choose

from rummyzoo.envs import Table, split
from rummyzoo.envs.cards import card_text
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.layout import layout_of

FOLDER = Path(__file__).parent / "playthroughs"
MOST_LINES = 150

PLAYTHROUGHS = {
    name: (game, *how) for game in GAMES for name, how in about(game).PLAYTHROUGHS.items()
}
"""File -> game, seed, how many hands, options."""


def write(name: str, actions: list[str] | None = None) -> list[str]:
    """A playthrough with these actions; None: with new ones."""
    game, seed, hands, options = PLAYTHROUGHS[name]
    table, rng = Table(game, seed, **options), random.Random(seed)
    settings = " ".join(f"{key}={value}" for key, value in options.items())
    lines = [f"# {game}, seed {seed}, {settings}"]
    lines += ["# seat action | cards in hand | points played | stock, pile | legal | digest | seen"]
    left = None if actions is None else iter(actions)
    for hand in range(hands):
        if hand:
            table.next_hand()
        lines += deal(table)
        while table.turn is not None:
            seat = table.turn
            action = table.texts[choose(table, rng)] if left is None else next(left, "")
            if action not in table.legal():
                return [*lines, f"{seat} {action}: not legal"]
            table.play(action)
            lines.append(f"{seat} {action:<22} | {after(table)}")
            if action.startswith(("knock", "gin", "big")):
                lines += [f"+ table: {' '.join(meld.cards)}" for meld in table.melds]
        lines.append(f"= {table.over} {'over' if table.over != 'truncated' else ''}".rstrip()
                     + f", scores {spaced(table.scores)}, winner {table.winner}")  # fmt: skip
        if table.over != "hand":
            break
    return lines


def deal(table: Table) -> list[str]:
    hands = [f"+ hand {seat}: {' '.join(table.hand(seat))}" for seat in range(table.num_players)]
    return [f"+ dealer {table.dealer}, pile {' '.join(table.pile)}", *hands]


def after(table: Table) -> str:
    """What there is after an action."""
    sizes = [len(table.hand(seat)) for seat in range(table.num_players)]
    mask = table.mask()
    seen = [table.observation(seat) for seat in range(table.num_players)]
    digest = zlib.crc32(b"".join(o.tobytes() for o in [*seen, mask]))
    columns = (
        spaced(sizes),
        spaced(table.melded),
        f"{table.stock_count:2} {len(table.pile):2}",
        f"{int(mask.sum()):3}",
        f"{digest:08x}",
        named_slices(table),
    )
    return " | ".join(columns).rstrip(" |")


def named_slices(table: Table) -> str:
    """Some pieces of the observation of who is to act, as words."""
    if table.turn is None:
        return ""
    pieces = split(table.observation(table.turn), layout_of(table.game, table.rules))
    words = [f"{table.turn} to {table.phase}"]
    for piece, word in (("due", "due"), ("barred", "barred"), ("frozen", "frozen")):
        if piece in pieces and pieces[piece].any():
            words.append(f"{word} {cards(pieces[piece])}")
    for place, known in enumerate(pieces["known"], 1):
        if known.any():
            words.append(f"{(table.turn + place) % table.num_players} has {cards(known)}")
    if "turned" in pieces and pieces["turned"].any():
        order = pieces["turned"].argsort()[pieces["turned"].tolist().count(0) :]
        words.append(f"turned {' '.join(card_text(int(face)) for face in order)}")
    if "wall" in pieces and pieces["wall"][0]:
        words.append("at the wall")
    if "deadwood" in pieces:
        words.append(f"deadwood {pieces['deadwood'] @ [100, 1]}")
    laid = ("fits_set", "fits_low", "fits_high")
    fits = [cards(pieces[piece]) for piece in laid if piece in pieces]
    if any(fits):
        words.append("fits " + " / ".join(text or "-" for text in fits))
    if "callable" in pieces and pieces["callable"].any():
        words.append(f"callable {cards(pieces['callable'].sum(0))}")
    return ", ".join(words)


def cards(counts: np.ndarray) -> str:
    return " ".join(card_text(face) for face, n in enumerate(counts) for _ in range(n))


def spaced(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        lines = write(name)
        assert len(lines) <= MOST_LINES, f"{len(lines)} lines are too many to review"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    written = path.read_text(encoding="utf-8").splitlines()
    assert len(written) <= MOST_LINES
    played = [line[2:25].strip() for line in written if line[0].isdigit()]
    now = write(name, played)
    for number, (old, new) in enumerate(zip(written, now, strict=False), 1):
        assert new == old, f"{path.name}:{number}; if that is meant: make golden, and review it"
    assert len(now) == len(written)


def test_every_game_has_a_playthrough_and_every_file_is_one() -> None:
    assert {game for game, *_ in PLAYTHROUGHS.values()} == set(GAMES)
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PLAYTHROUGHS)
