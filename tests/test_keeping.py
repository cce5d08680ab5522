"""Tables that are kept: saved, restored, compared; and worlds that a seat cannot tell apart."""

import copy
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from walks import GAMES_AND_WALKS, cards_of, facts, full_pack, some_positions, walk

from rummyzoo.envs import Table
from rummyzoo.envs.games import GAMES
from rummyzoo.envs.saving import pack, unpack
from rummyzoo.envs.state import NOBODY_SEES, OWNER


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


def test_a_pickled_table_can_take_back() -> None:
    table = Table(seed=1)
    before = table.save()
    table.play("draw stock")
    for twin in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        twin.undo()
        assert twin.save() == before


def test_equality() -> None:
    table = Table(seed=1)
    assert table == Table(seed=1)
    assert table != Table(seed=2)
    assert table != Table(seed=1, target=400)
    assert table != "a table"
    other = table.copy()
    other.play("draw stock")
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


SAVED = Table(seed=5).save()
NOT_TABLES = [
    ("nothing", b"", "not a saved table"),
    ("foreign", b"PK\x03\x04 something else", "not a saved table"),
    ("foreign text", b"rummyzoo environment 1\n{}", "not a saved table"),
    ("cut in the first line", SAVED[:10], "cut off"),
    ("cut in the header", SAVED[:60], "cut off"),
    ("cut after the header", SAVED[: SAVED.index(b"}\n") + 2], "cut off"),
    ("an option in the header", SAVED.replace(b'"num_players": 2', b'"num_players": 3'), "damaged"),
    ("cut in the state", SAVED[:-1], "cut off: 1295 of 1296 bytes"),
    ("more behind it", SAVED + b"\0", "damaged"),
    ("a byte of the state", SAVED[:-300] + bytes([SAVED[-300] ^ 1]) + SAVED[-299:], "damaged"),
    ("no header", b"\n".join(SAVED.split(b"\n")[:2]) + b"\nzzz\n", "damaged"),
    ("a list for a header", b"\n".join(SAVED.split(b"\n")[:2]) + b"\n[]\n", "damaged"),
    ("bytes for a header", b"\n".join(SAVED.split(b"\n")[:2]) + b"\n\xff\xfe\n", "damaged"),
    ("rules that are none", altered(SAVED, rules=3), "damaged"),
    ("another game", altered(SAVED, game="rumy500"), "no game 'rumy500'; did you mean 'rummy500'"),
    ("another version", altered(SAVED, version=7), "saved by version 7 of rummy500; this is"),
    ("an unknown option", altered(SAVED, rules={"jokers": 1}), "no option 'jokers'"),
]


@pytest.mark.parametrize(
    ("data", "why"), [n[1:] for n in NOT_TABLES], ids=[n[0] for n in NOT_TABLES]
)
def test_what_is_no_saved_table_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why) as refusal:
        Table.restore(data)
    assert "\n" not in str(refusal.value)


def test_the_name_of_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Table.restore(tmp_path / "nothing")


@pytest.mark.parametrize("game", GAMES)
def test_equal_tables_are_saved_as_equal_bytes(game: str) -> None:
    table = Table(game, 3)
    for position in walk(table, 3):
        twins = [position.copy() for _ in range(3)] + [Table.restore(position.save())]
        assert {twin.save() for twin in twins} == {position.save()}


# --- resample ---


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_a_resampled_table_looks_the_same(game: str, options: dict[str, Any]) -> None:
    met: set[tuple[str, bool, bool]] = set()
    for seed in range(3):
        rng = np.random.default_rng(seed)
        for n, table in enumerate(walk(Table(game, seed, **options), seed, hands=2)):
            seat = n % table.num_players
            before = table.save()
            other = table.resample(seat, rng)
            assert table.save() == before
            compare(table, other, seat)
            due = facts(table).due != 255
            met.add((table.phase, seat == table.turn, due))
    wanted = {("draw", True, False), ("draw", False, False), ("play", True, False)}
    wanted |= {("play", False, False), ("play", True, True), ("play", False, True)}
    if options.get("num_ranks", 13) == 13:
        assert wanted <= met
        assert not table.kits[0].calling or ("call", False, False) in met


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


def test_all_hidden_deals_are_equally_likely() -> None:
    """Six cards: two are held, one lies open; the other player holds two of the other three."""
    options: dict[str, Any] = {"num_ranks": 3, "num_suits": 2, "jokers_per_deck": 0, "hand_size": 2}
    table = Table("rummy500", 1, **options)
    rng = np.random.default_rng(1)
    count = Counter(" ".join(table.resample(0, rng).hand(1)) for _ in range(3000))
    assert len(count) == 3
    assert all(850 < n < 1150 for n in count.values()), count  # 1000, give or take 5.8 sigma


def test_the_true_deal_is_no_likelier_than_another() -> None:
    table = Table("rummy500", 2, jokers_per_deck=0)
    held = set(table.hand(1))
    rng = np.random.default_rng(2)
    hits = [len(held & set(table.resample(0, rng).hand(1))) for _ in range(400)]
    # 13 of the 38 cards that seat 0 has not seen: on average 13 * 13 / 38 of them are the same.
    assert abs(np.mean(hits) - 13 * 13 / 38) < 0.4
    assert max(hits) < 13


def test_resample_takes_a_seed_or_a_generator() -> None:
    table = Table(seed=3)
    assert table.resample(0, 5) == table.resample(0, np.random.default_rng(5))
    assert table.resample(0, 5) != table.resample(0, 6)
    rng = np.random.default_rng(5)
    assert table.resample(0, rng) != table.resample(0, rng)
    for seat in (-1, 2):
        with pytest.raises(ValueError, match=f"there is no seat {seat}; seats are 0 to 1"):
            table.resample(seat, 1)


def test_cards_seen_on_their_way_stay_where_they_are() -> None:
    """What a player took from the pile is in that hand in every world, until it is played."""
    table = Table.from_position(
        "rummy500",
        hands={0: ["7C", "7D", "2H", "9S"]},
        pile=["5H", "7S", "TC"],
        jokers_per_deck=0,
    )
    for action in ("take 7S", "meld 7C 7D 7S", "discard 2H"):
        table.play(action)
    assert table.known(0) == ["TC"]
    for seed in range(20):
        other = table.resample(1, seed)
        assert "TC" in other.hand(0)
        assert len(other.hand(0)) == 2


def test_a_player_in_the_middle_of_a_turn_can_go_on() -> None:
    """Seat 0 has taken the deep 7S, so that it must hold what it takes to play it."""
    table = Table.from_position(
        "rummy500",
        hands={0: ["7C", "7D", "2H", "9S", "QD"]},
        pile=["5H", "7S", "TC"],
        jokers_per_deck=0,
    )
    table.play("take 7S")
    worlds = [table.resample(1, seed) for seed in range(40)]
    assert all(any("7S" in action for action in world.legal()) for world in worlds)
    assert len({tuple(world.hand(0)) for world in worlds}) > 30
