"""Tables that are kept: saved, restored, compared; and worlds that a seat cannot tell apart."""

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from about import about
from walks import GAMES_AND_WALKS, cards_of, facts, full_pack, marks, some_positions, walk

from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.saving import pack, unpack
from rummyzoo.envs.state import NOBODY_SEES, OWNER

games = pytest.mark.parametrize("game", GAMES)


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_what_was_kept_goes_on_as_it_would_have(
    game: str, options: dict[str, Any], tmp_path: Path
) -> None:
    for table in some_positions(Table(game, 7, **options), 5, seed=7, hands=2):
        file = tmp_path / "table"
        saved = table.save(file)
        assert file.read_bytes() == saved
        kept = {
            "bytes": Table.restore(saved),
            "file": Table.restore(file),
            "file's name": Table.restore(str(file)),
            "pickle": pickle.loads(pickle.dumps(table)),
            "deepcopy": copy.deepcopy(table),
            "copy": copy.copy(table),
        }
        future = [position.save() for position in walk(table.copy(), 1, hands=2)]
        for name, twin in kept.items():
            assert twin == table, name
            assert twin.rules == table.rules
            assert [position.save() for position in walk(twin, 1, hands=2)] == future, name
            assert table.save() == saved, f"playing on with the {name} changed the original"


@games
def test_a_pickled_table_can_take_back(game: str) -> None:
    table = Table(game, seed=1)
    before = table.save()
    table.play(int(table.legal_actions()[-1]))
    for twin in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        twin.undo()
        assert twin.save() == before


@games
def test_equality(game: str) -> None:
    table = Table(game, seed=1)
    assert table == Table(game, seed=1)
    assert table != Table(game, seed=2)
    assert table != Table(game, seed=1, target=400)
    assert table != "a table"
    other = table.copy()
    other.play(int(other.legal_actions()[-1]))
    assert other != table
    other.undo()
    assert other == table
    assert len({id(t): t for t in (table, other)}) == 2
    with pytest.raises(TypeError):
        hash(table)


def altered(saved: bytes, **header: Any) -> bytes:
    """A saved table with another header."""
    kept, body = unpack("table", saved)
    return pack("table", kept | header, body)


def lines(saved: bytes) -> bytes:
    """The first two lines, which stand before the header."""
    return b"\n".join(saved.split(b"\n")[:2]) + b"\n"


NOT_TABLES: list[tuple[str, Callable[[bytes, str], bytes], str]] = [
    # what is wrong, how it comes about (saved table, game), what the sentence says
    ("nothing", lambda s, g: b"", "not a saved table"),
    ("foreign", lambda s, g: b"PK\x03\x04 something else", "not a saved table"),
    ("foreign text", lambda s, g: b"rummyzoo environment 1\n{}", "not a saved table"),
    ("cut in the first line", lambda s, g: s[:10], "cut off"),
    ("cut in the header", lambda s, g: s[:60], "cut off"),
    ("cut after the header", lambda s, g: s[: s.index(b"}\n") + 2], "cut off"),
    (
        "an option in the header",
        lambda s, g: s.replace(b'"num_players": 2', b'"num_players": 3'),
        "damaged",
    ),
    ("cut in the state", lambda s, g: s[:-1], r"cut off: \d*[1-9] of \d+ bytes are there"),
    ("more behind it", lambda s, g: s + b"\0", "damaged"),
    (
        "a byte of the state",
        lambda s, g: s[:-300] + bytes([s[-300] ^ 1]) + s[-299:],
        "damaged: its checksum",
    ),
    ("no header", lambda s, g: lines(s) + b"zzz\n", "damaged"),
    ("a list for a header", lambda s, g: lines(s) + b"[]\n", "damaged"),
    ("bytes for a header", lambda s, g: lines(s) + b"\xff\xfe\n", "damaged"),
    ("rules that are none", lambda s, g: altered(s, rules=3), "damaged"),
    ("another game", lambda s, g: altered(s, game=g + "x"), "no game '{0}x'; did you mean '{0}'"),
    ("another version", lambda s, g: altered(s, version=7), "saved by version 7 of {0}; this is"),
    ("an unknown option", lambda s, g: altered(s, rules={"luck": 1}), "no option 'luck'"),
]


@games
@pytest.mark.parametrize(
    ("change", "why"), [case[1:] for case in NOT_TABLES], ids=[case[0] for case in NOT_TABLES]
)
def test_what_is_no_saved_table_is_refused(
    game: str, change: Callable[[bytes, str], bytes], why: str
) -> None:
    saved = Table(game, seed=5).save()
    assert Table.restore(saved).save() == saved
    with pytest.raises(ValueError, match=why.replace("{0}", game)) as refusal:
        Table.restore(change(saved, game))
    assert "\n" not in str(refusal.value)


def test_the_name_of_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Table.restore(tmp_path / "nothing")


@games
def test_equal_tables_are_saved_as_equal_bytes(game: str) -> None:
    table = Table(game, 3)
    for position in walk(table, 3):
        twins = [position.copy() for _ in range(3)] + [Table.restore(position.save())]
        assert {twin.save() for twin in twins} == {position.save()}


# --- resample ---


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_a_resampled_table_looks_the_same(game: str, options: dict[str, Any]) -> None:
    met: set[tuple[str, bool]] = set()
    for seed in range(3):
        rng = np.random.default_rng(seed)
        for n, table in enumerate(walk(Table(game, seed, **options), seed, hands=2)):
            seats = [n % table.num_players]
            if table.turn is not None and table.phase not in ("draw", "play"):  # these are rarer
                seats += [(table.turn + 1) % table.num_players] * 4
            before = table.save()
            for seat in seats:
                compare(table, table.resample(seat, rng), seat)
                met |= {(mark, seat == table.turn) for mark in marks(table)}
            assert table.save() == before
    wanted = about(game).reached(table.rules)
    assert {(mark, False) for mark in wanted} <= met
    assert {("draw", True), ("play", True)} <= met


def compare(table: Table, other: Table, seat: int) -> None:
    """Another world that a seat cannot tell from this one, with the same pack of cards."""
    old, new = facts(table), facts(other)
    for field in table.game.STATE_FIELDS:
        a, b = getattr(old, field.name), getattr(new, field.name)
        if field.visibility == OWNER:
            assert a[seat] == b[seat], field.name
        elif field.visibility != NOBODY_SEES:
            assert a == b, field.name
    np.testing.assert_array_equal(table.observation(seat), other.observation(seat))
    assert table.text(seat) == other.text(seat)
    if old.open_stock:
        assert new.stock == old.stock, "all have seen in which order it lies"
    found = Counter(new.pile[: new.pile_size]) + Counter(new.stock[: new.stock_size])
    for q in range(other.num_players):
        hand = cards_of(new, "", q)
        assert cards_of(new, "known_", q) <= hand
        assert hand.total() == new.hand_size[q]
        found += hand + cards_of(new, "laid_", q)
    assert found == full_pack(table)
    if table.turn == seat:
        np.testing.assert_array_equal(table.mask(), other.mask())
    elif table.turn is not None:
        assert other.mask().any(), "who is to act has nothing to do in this world"
        assert about(table.game.NAME).possible(other)


@games
def test_all_hidden_deals_are_equally_likely(game: str) -> None:
    """Six cards: two are held, one lies open; the other player holds two of the other three."""
    options = {"num_ranks": 3, "num_suits": 2, "hand_size": 2, **about(game).PLAIN}
    table = Table(game, 1, **options)
    rng = np.random.default_rng(1)
    count = Counter(" ".join(table.resample(0, rng).hand(1)) for _ in range(3000))
    assert len(count) == 3
    assert all(850 < n < 1150 for n in count.values()), count  # 1000, give or take 5.8 sigma


@games
def test_the_true_deal_is_no_likelier_than_another(game: str) -> None:
    table = Table(game, 2, **about(game).PLAIN)
    held = set(table.hand(1))
    rng = np.random.default_rng(2)
    hits = [len(held & set(table.resample(0, rng).hand(1))) for _ in range(400)]
    # Of the cards that seat 0 has not seen, so many are in the hand and come there again.
    size = len(held)
    assert abs(np.mean(hits) - size * size / (size + table.stock_count)) < 0.4
    assert max(hits) < size


@games
def test_resample_takes_a_seed_or_a_generator(game: str) -> None:
    table = Table(game, seed=3, num_players=2)
    assert table.resample(0, 5) == table.resample(0, np.random.default_rng(5))
    assert table.resample(0, 5) != table.resample(0, 6)
    rng = np.random.default_rng(5)
    assert table.resample(0, rng) != table.resample(0, rng)
    for seat in (-1, 2):
        with pytest.raises(ValueError, match=f"there is no seat {seat}; seats are 0 to 1"):
            table.resample(seat, 1)


@games
def test_a_player_in_the_middle_of_a_turn_can_go_on(game: str) -> None:
    """What binds that player binds it in every world; the rest of its hand is anything."""
    where, actions, needed = about(game).BOUND
    table = Table.from_position(game, **where)
    for action in actions:
        table.play(action)
    worlds = [table.resample(1, seed) for seed in range(40)]
    assert all(any(needed in action for action in world.legal()) for world in worlds)
    assert all(Counter(table.known(0)) <= Counter(world.hand(0)) for world in worlds)
    assert len({tuple(world.hand(0)) for world in worlds}) > 30
