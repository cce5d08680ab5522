"""Observations: everything that a person at the table sees can be read from them, within bounds."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from about import about
from walks import GAMES_AND_WALKS, facts, full_pack, located, walk

from rummyzoo.envs import Table, actions, observation_layout, split
from rummyzoo.envs.cards import JOKER, RANKS, SUITS, card_text, parse_played
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.layout import layout_of
from rummyzoo.envs.observe import NUM_CORE, bounds
from rummyzoo.envs.state import PUBLIC


def observed(table: Table, seat: int) -> dict[str, np.ndarray]:
    return split(table.observation(seat), layout_of(table.game, table.rules))


def deck_of(row: np.ndarray) -> Counter[str]:
    """Counts by face as cards."""
    return Counter({card_text(f): int(n) for f, n in enumerate(row) if n})


def number(pair: np.ndarray) -> int:
    """A number that is split into hundreds and rest."""
    return 100 * int(pair[0]) + int(pair[1])


def which(row: np.ndarray) -> int | None:
    """The one entry that is set, if any."""
    return int(np.argmax(row)) if row.any() else None


# --- what a person sees, from the observation alone ---


def read(pieces: dict[str, np.ndarray], seat: int, game: Any, rules: Any) -> dict[str, Any]:
    """What an observation says, with seats as they are numbered at the table."""
    n = int(pieces["seats"].sum())
    seats = [(seat + place) % n for place in range(n)]

    def by_seat(rows: Any) -> list[Any]:
        return [row for _, row in sorted(zip(seats, rows, strict=False), key=lambda pair: pair[0])]

    def seat_at(piece: str) -> int | None:
        place = which(pieces[piece])
        return None if place is None else seats[place]

    size = int(pieces["pile_size"][0])
    pile = {int(place): card_text(f) for row in pieces["pile"] for f, place in enumerate(row)}
    for place in pieces.get("pile_jokers", ()):
        pile[int(place)] = "JK"
    phase = which(pieces["phase"])
    picture = {
        "hand": deck_of(pieces["hand"]),
        "known": by_seat([Counter[str](), *map(deck_of, pieces["known"])]),
        "unseen": deck_of(pieces["unseen"]),
        "sizes": by_seat(map(int, pieces["hand_sizes"])),
        "stock": int(pieces["stock_size"][0]),
        "pile": [pile[place] for place in range(size, 0, -1)],
        "scores": by_seat(map(number, pieces["scores"])),
        "dealer": seat_at("dealer"),
        "turn": seat_at("turn"),
        "phase": "over" if phase is None else game.PHASES[phase],
        "turns": number(pieces["turns"]),
        "hands": number(pieces["hands"]),
    }
    if "table" in pieces:
        picture["laid"] = by_seat(map(deck_of, pieces["table"]))
        picture["sets"] = read_sets(pieces)
        picture["runs"] = read_runs(pieces, rules)
    if "melded" in pieces:
        picture["melded"] = by_seat(map(number, pieces["melded"]))
    for piece, kind in about(game.NAME).PIECES.items():
        if piece in pieces and kind in READ:
            picture[piece] = READ[kind](piece, pieces, seats)
    return picture


def read_sets(pieces: dict[str, np.ndarray]) -> dict[str, Any]:
    """The sets of each rank together: their cards, how many sets, what they have room for."""
    naturals = pieces["table"][:, :52].sum(0) - pieces["in_runs"]
    jokers = pieces.get("jokers_in_sets", np.zeros(13, int))
    with_room = pieces.get("fits_joker", np.zeros(13, int))
    sets: dict[str, Any] = {}
    for rank, name in enumerate(RANKS):
        cards = deck_of(np.where(np.arange(52) % 13 == rank, naturals, 0))
        count = cards.total() + int(jokers[rank])
        if count:
            # Three or four cards to a set: their number gives the number of sets.
            fits = {SUITS[s] for s in range(4) if pieces["fits_set"][13 * s + rank]}
            room = count % 4 > 0 if "fits_joker" not in pieces else bool(with_room[rank])
            sets[name] = (cards, int(jokers[rank]), (count + 3) // 4, fits, room)
    return sets


def read_runs(pieces: dict[str, np.ndarray], rules: Any) -> dict[str, Any]:
    """The runs of each suit together: their cards and which ends are open, which is all that makes
    a difference to anybody; in one pack, where each run begins and ends.
    """
    jokers = pieces.get("jokers_in_runs", np.zeros(52, int))
    runs: dict[str, Any] = {}
    for suit, name in enumerate(SUITS):
        lane = slice(13 * suit, 13 * suit + 13)
        cards = [int(n) for n in pieces["in_runs"][lane]]
        stand_ins = [int(n) for n in jokers[lane]]
        low, high = (pieces[piece][lane].tolist() for piece in ("fits_low", "fits_high"))
        if any(cards) or any(stand_ins):
            filled = [a + b for a, b in zip(cards, stand_ins, strict=True)]
            one_pack = getattr(rules, "num_decks", 1) == 1
            ends = run_ends(filled, low, high, rules) if one_pack else None
            runs[name] = (cards, stand_ins, low, high, ends)
    return runs


def run_ends(filled: list[int], low: list[int], high: list[int], rules: Any) -> Any:
    """Where runs begin and where they end, from how many cards lie at each rank and what fits.

    One more card at a place than at the one below means that a run begins there. Where one ends
    just below another that begins, what fits at the ends tells.
    """
    ranks = int(rules.num_ranks)
    places = [0, *filled[1:ranks], 0]
    # An ace lies low or high: beside a two, or a king, beside which none is wanted.
    low_aces = [0] if aces_of(rules) == "high" else aces(places[1], bool(low[0]))
    high_aces = [0] if aces_of(rules) == "low" else aces(places[ranks - 1], bool(high[0]))
    ways = [(a, b) for a in low_aces for b in high_aces if a + b == filled[0]]
    assert len(ways) == 1
    places[0], places[ranks] = ways[0]
    begins, ends = Counter({0: places[0]}), Counter({ranks: places[ranks]})
    for place in range(1, ranks + 1):
        change = places[place] - places[place - 1]
        both = low[place - 1] and high[place % ranks]
        begins[place] = max(change, 0) + (1 if both else 0)
        ends[place - 1] = begins[place] - change
    return +begins, +ends


def aces_of(rules: Any) -> str:
    return str(getattr(rules, "ace_in_runs", "low"))


def aces(beside: int, wanted: bool) -> list[int]:
    """How many aces may lie beside so many cards, if one is still wanted there or not."""
    return list(range(beside)) if wanted else [beside]


def read_card(piece: str, pieces: dict[str, np.ndarray], seats: list[int]) -> str | None:
    card = which(pieces[piece])
    return None if card is None else card_text(card)


def read_order(piece: str, pieces: dict[str, np.ndarray], seats: list[int]) -> list[str]:
    places = {int(place): card_text(face) for face, place in enumerate(pieces[piece]) if place}
    assert sorted(places) == list(range(1, len(places) + 1))
    return [places[place] for place in sorted(places)]


def read_seat(piece: str, pieces: dict[str, np.ndarray], seats: list[int]) -> int | None:
    place = which(pieces[piece])
    return None if place is None else seats[place]


def read_by_seat(piece: str, pieces: dict[str, np.ndarray], seats: list[int]) -> list[int]:
    return [int(pieces[piece][seats.index(seat)]) for seat in range(len(seats))]


def read_split_by_seat(piece: str, pieces: dict[str, np.ndarray], seats: list[int]) -> list[int]:
    return [number(pieces[piece][seats.index(seat)]) for seat in range(len(seats))]


def read_places(piece: str, pieces: dict[str, np.ndarray], seats: list[int]) -> set[int]:
    flags = zip(pieces["pile"].ravel(), pieces[piece].ravel(), strict=True)
    jokers = zip(pieces.get("pile_jokers", ()), pieces.get(f"{piece}_jokers", ()), strict=True)
    return {int(place) for place, flag in [*flags, *jokers] if flag}


READ: dict[str, Any] = {
    "card": read_card,  # at most one card
    "cards": lambda piece, pieces, seats: deck_of(pieces[piece]),  # cards by face, counted
    "order": read_order,  # the place of each card
    "number": lambda piece, pieces, seats: int(pieces[piece][0]),
    "numbers": lambda piece, pieces, seats: pieces[piece].tolist(),
    "split": lambda piece, pieces, seats: number(pieces[piece]),
    "seat": read_seat,  # at most one seat
    "by seat": read_by_seat,  # a number for each seat
    "split by seat": read_split_by_seat,
    "places": read_places,  # some of the pile, jokers in a piece of their own
}
"""How the kinds of pieces are read that games have of their own."""


# --- what a person sees, from the table ---


def look(table: Table, seat: int) -> dict[str, Any]:
    """The same picture, from the table itself."""
    state, n = facts(table), table.num_players
    known = [Counter(table.known(q) if q != seat else []) for q in range(n)]
    laid = [Counter[str]() for _ in range(n)]
    for meld in table.melds:
        for card, owner in zip(meld.cards, meld.owners, strict=True):
            laid[owner]["JK" if card.startswith("JK") else card] += 1
    unseen = full_pack(table) - located(table, seat)
    picture = {
        "hand": Counter(table.hand(seat)),
        "known": known,
        "laid": laid,
        "unseen": Counter({card_text(f): c for f, c in unseen.items()}),
        "sizes": [len(table.hand(q)) for q in range(n)],
        "stock": table.stock_count,
        "pile": table.pile,
        "melded": table.melded,
        "scores": table.scores,
        "dealer": table.dealer,
        "turn": table.turn,
        "phase": table.phase,
        "turns": state.turns,
        "hands": state.hands,
        "sets": look_at_sets(table),
        "runs": look_at_runs(table),
    }
    return picture | about(table.game.NAME).told(table, seat)


def look_at_sets(table: Table) -> dict[str, Any]:
    sets: dict[str, Any] = {}
    for meld in table.melds:
        if meld.kind == "set":
            played = [parse_played(card) for card in meld.cards]
            rank = next(RANKS[card % 13] for card, _ in played if card != JOKER)
            cards, jokers, count, fits, room = sets.get(rank, (Counter(), 0, 0, set(), False))
            naturals = [card_text(card) for card, _ in played if card != JOKER]
            suits = set(SUITS[: table.rules.num_suits]) - {card[1] for card in naturals}
            has_room = len(played) < 4
            sets[rank] = (
                cards + Counter(naturals),
                jokers + len(played) - len(naturals),
                count + 1,
                fits | (suits if has_room else set()),
                room or has_room,
            )
    return sets


def look_at_runs(table: Table) -> dict[str, Any]:
    rules, state = table.rules, facts(table)
    lowest, highest = (
        int(aces_of(rules) == "high"),
        rules.num_ranks - (aces_of(rules) == "low"),
    )
    runs: dict[str, Any] = {}
    for m in range(state.num_melds):
        if state.meld_key[m] < 16:
            continue
        suit = SUITS[state.meld_key[m] - 16]
        places = [p for p in range(14) if state.meld_cards[m] >> p & 1]
        new = ([0] * 13, [0] * 13, [0] * 13, [0] * 13, (Counter[int](), Counter[int]()))
        cards, stand_ins, low, high, ends = runs.setdefault(suit, new)
        for place in places:
            joker = state.meld_jokers[m] >> place & 1
            (stand_ins if joker else cards)[place % rules.num_ranks] += 1
        if places[0] > lowest:
            low[places[0] - 1] = 1
        if places[-1] < highest:
            high[(places[-1] + 1) % rules.num_ranks] = 1
        ends[0][places[0]] += 1
        ends[1][places[-1]] += 1
    if table.kits[0].num_decks == 2:
        return {suit: (*run[:4], None) for suit, run in runs.items()}
    return runs


ALWAYS_REACHED = (
    *("hand", "table", "fits_set", "fits_low", "fits_high", "fits_joker"),
    *("unseen", "seats", "dealer", "turn", "phase", "due", "due_first", "barred", "from_pile"),
    *("played", "discarder", "callable", "shown"),
)
"""Pieces whose bounds are met in a few hands of any game of a full pack."""

GAMES_AND_MORE_WALKS = [
    *GAMES_AND_WALKS,
    *((game, options) for game in GAMES for options in about(game).MORE_WALKS),
]


@pytest.mark.parametrize(("game", "options"), GAMES_AND_MORE_WALKS)
def test_all_that_is_public_can_be_read(game: str, options: dict[str, Any]) -> None:
    layout = None
    for seed in range(2):
        for n, table in enumerate(walk(Table(game, seed, **options), seed, hands=2)):
            layout = layout or layout_of(table.game, table.rules)
            seat = n % table.num_players
            found = read(split(table.observation(seat), layout), seat, table.game, table.rules)
            there = look(table, seat)
            for name, value in found.items():
                assert value == there[name], f"{name} as seat {seat} sees it\n{table}"


CORE_FIELDS = (
    *("known_one", "known_two", "known_jokers", "hand_size", "stock_size", "open_stock", "pile"),
    *("pile_size", "num_melds", "meld_key", "meld_cards", "meld_jokers", "meld_owner"),
    *("open_set", "open_low", "open_high", "open_joker", "laid_one", "laid_two", "laid_jokers"),
    *("in_runs", "in_runs_two", "melded", "scores", "hands", "turns", "dealer", "turn", "phase"),
)
"""Public fields of all games that `read` finds again, or what makes a difference of them."""


@pytest.mark.parametrize("game", GAMES)
def test_no_public_field_and_no_piece_is_forgotten(game: str) -> None:
    """What is new in a state or an observation must be read above, too."""
    module, known = load_game(game), about(game)
    public = {field.name for field in module.STATE_FIELDS if field.visibility == PUBLIC}
    public -= {*CORE_FIELDS, "hand_scores", "winner"}  # these two are in infos, or for the end
    shown = {known.SHOWN_AS.get(name, name) for name in public}
    assert shown == {name for name in known.PIECES if name in shown} | known.NOT_SHOWN.keys()
    rules = module.make_rules()
    pieces = {piece.name for piece in module.pieces(rules, module.make_kit(rules)[0])[NUM_CORE:]}
    assert pieces == known.PIECES.keys()


PADDED = [game for game in GAMES if "pad_players" in load_game(game).Rules._fields]


@pytest.mark.parametrize("game", PADDED)
def test_padded_tables_of_all_sizes_have_the_same_spaces(game: str) -> None:
    most = load_game(game).MAX_PLAYERS
    kinds = []
    for players in range(2, most + 1):
        options = {"num_players": players, "pad_players": most}
        module = load_game(game)
        rules = module.make_rules(**options)
        low, high = bounds(module.pieces(rules, module.make_kit(rules)[0]))
        layout = observation_layout(game, **options)
        kinds.append((actions(game, **options), layout, low.tolist(), high.tolist()))
    for kind in kinds[1:]:
        assert kind == kinds[0]


@pytest.mark.parametrize(("game", "options"), GAMES_AND_MORE_WALKS)
def test_nothing_is_written_beyond_the_arrays(game: str, options: dict[str, Any]) -> None:
    """Kernels write eight bytes at a time, which no check of Numba sees."""
    for table in walk(Table(game, 3, **options), 3, hands=2):
        arrays = []
        for size in (table.observation(0).size, table.mask().size):
            around = np.full(size + 32, 77, np.int8)
            arrays.append((around, around[16:-16]))
        (around_observation, observation), (around_mask, mask) = arrays
        seat, work = table.turn or 0, np.zeros(table.game.WORK, np.int64)
        table.game.look(table.states, 0, seat, table.kits, work, observation, mask)
        for around in (around_observation, around_mask):
            assert (around[:16] == 77).all()
            assert (around[-16:] == 77).all()
        np.testing.assert_array_equal(observation, table.observation(seat))
        np.testing.assert_array_equal(mask, table.mask())


@pytest.mark.parametrize(("game", "options"), GAMES_AND_WALKS)
def test_observations_lie_within_bounds(game: str, options: dict[str, Any]) -> None:
    table = Table(game, 0, **options)
    low, high = bounds(table.game.pieces(table.rules, table.kits[0]))
    seen_low, seen_high = np.zeros_like(low), np.zeros_like(high)
    for seed in range(12):
        for position in walk(Table(game, seed, **options), seed, hands=2):
            observation = position.observation(position.turn or 0)
            np.minimum(seen_low, observation, out=seen_low)
            np.maximum(seen_high, observation, out=seen_high)
    assert (low <= seen_low).all()
    assert (seen_high <= high).all()
    if table.rules.num_ranks < 13 or getattr(table.rules, "pad_players", 0):
        return  # what they are padded to is out of reach
    for name, part in layout_of(table.game, table.rules).items():
        if name in ALWAYS_REACHED:
            natural = (np.arange(part.slice.stop - part.slice.start) % part.shape[-1]) < JOKER
            assert seen_high[part.slice][natural].max() == part.high, f"{name} is never so high"
