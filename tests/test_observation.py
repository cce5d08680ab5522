"""Observations: everything that a person at the table sees can be read from them, within bounds."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from walks import GAMES_AND_WALKS, facts, full_pack, located, walk

from rummyzoo.envs import Table, actions, observation_layout, split
from rummyzoo.envs.cards import JOKER, NOBODY, RANKS, SUITS, card_text, parse_played
from rummyzoo.envs.games import GAMES, load_game
from rummyzoo.envs.layout import layout_of
from rummyzoo.envs.observe import bounds

PHASES = ("draw", "play", "call")


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


def read(pieces: dict[str, np.ndarray], seat: int, rules: Any) -> dict[str, Any]:
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
        "laid": by_seat(map(deck_of, pieces["table"])),
        "unseen": deck_of(pieces["unseen"]),
        "sizes": by_seat(map(int, pieces["hand_sizes"])),
        "stock": int(pieces["stock_size"][0]),
        "pile": [pile[place] for place in range(size, 0, -1)],
        "melded": by_seat(map(number, pieces["melded"])),
        "scores": by_seat(map(number, pieces["scores"])),
        "dealer": seat_at("dealer"),
        "turn": seat_at("turn"),
        "phase": "over" if phase is None else PHASES[phase],
        "turns": number(pieces["turns"]),
        "hands": number(pieces["hands"]),
        "sets": read_sets(pieces),
        "runs": read_runs(pieces, rules),
    }
    return picture | read_duties(pieces, seats)


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
            ends = run_ends(filled, low, high, rules) if rules.num_decks == 1 else None
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
    low_aces = [0] if rules.ace_in_runs == "high" else aces(places[1], bool(low[0]))
    high_aces = [0] if rules.ace_in_runs == "low" else aces(places[ranks - 1], bool(high[0]))
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


def aces(beside: int, wanted: bool) -> list[int]:
    """How many aces may lie beside so many cards, if one is still wanted there or not."""
    return list(range(beside)) if wanted else [beside]


def read_duties(pieces: dict[str, np.ndarray], seats: list[int]) -> dict[str, Any]:
    """What the turn obliges to, where the game has such rules."""
    duties: dict[str, Any] = {}
    for piece in ("due", "barred"):
        if piece in pieces:
            card = which(pieces[piece])
            duties[piece] = None if card is None else card_text(card)
    for piece in ("due_first", "from_pile", "played", "idle"):
        if piece in pieces:
            duties[piece] = int(pieces[piece][0])
    if "bridge" in pieces:
        duties["bridge"] = pieces["bridge"].tolist()
    if "frozen" in pieces:
        duties["frozen"] = deck_of(pieces["frozen"])
    if "discarder" in pieces:
        place = which(pieces["discarder"])
        duties["discarder"] = None if place is None else seats[place]
    for piece in ("callable", "chances"):
        if piece in pieces:
            flags = zip(pieces["pile"].ravel(), pieces[piece].ravel(), strict=True)
            jokers = zip(
                pieces.get("pile_jokers", ()), pieces.get(f"{piece}_jokers", ()), strict=True
            )
            duties[piece] = {int(place) for place, flag in [*flags, *jokers] if flag}
    return duties


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
        "due": None if state.due == NOBODY else card_text(state.due),
        "barred": None if state.barred == NOBODY else card_text(state.barred),
        "due_first": state.due_first,
        "from_pile": state.from_pile,
        "played": state.played,
        "idle": state.idle,
        "bridge": [0, 0, 0],
        "frozen": frozen_cards(state),
        "discarder": table.discarder if table.phase == "call" else None,
        "callable": places_of(state.callable, len(table.pile)),
        "chances": places_of(state.chances, len(table.pile)),
    }
    if state.bridge_step:
        picture["bridge"] = [state.bridge_step, state.bridge_suit + 1, state.bridge_place]
    return picture


def frozen_cards(state: Any) -> Counter[str]:
    words = (state.frozen_one, state.frozen_two)
    cards = Counter(card_text(f) for f in range(52) for word in words if word >> f & 1)
    cards["JK"] += state.frozen_jokers
    return +cards


def places_of(flags: list[int], size: int) -> set[int]:
    """Places in the pile from the top, 1 the top."""
    return {size - at for at in range(size) if flags[at // 54] >> (at % 54) & 1}


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
        int(rules.ace_in_runs == "high"),
        rules.num_ranks - (rules.ace_in_runs == "low"),
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
    if table.rules.num_decks == 2:
        return {suit: (*run[:4], None) for suit, run in runs.items()}
    return runs


ALWAYS_REACHED = (
    *("hand", "table", "fits_set", "fits_low", "fits_high", "fits_joker"),
    *("unseen", "seats", "dealer", "turn", "phase", "due", "due_first", "barred", "from_pile"),
    *("played", "discarder", "callable"),
)
"""Pieces whose bounds are met in a few hands of any game of a full pack."""

PUBLIC_GAMES = [
    *GAMES_AND_WALKS,
    ("rummy500", {"num_players": 5, "rummy_persistent": False, "deep_pick_uses_picked": False}),
    ("rummy500", {"num_players": 2, "pad_players": 8, "jokers_per_deck": 1}),
    ("rummy500", {"num_players": 5, "pad_players": 8, "target": 40}),
    ("rummy500", {"num_players": 2, "ace_in_runs": "low", "deep_pick_timing": "before_discard"}),
    ("rummy500", {"num_players": 2, "ace_in_runs": "high", "num_ranks": 6, "max_hands": 2}),
]


@pytest.mark.parametrize(("game", "options"), PUBLIC_GAMES)
def test_all_that_is_public_can_be_read(game: str, options: dict[str, Any]) -> None:
    layout = None
    for seed in range(2):
        for n, table in enumerate(walk(Table(game, seed, **options), seed, hands=2)):
            layout = layout or layout_of(table.game, table.rules)
            seat = n % table.num_players
            found = read(split(table.observation(seat), layout), seat, table.rules)
            there = look(table, seat)
            for name, value in found.items():
                assert value == there[name], f"{name} as seat {seat} sees it\n{table}"


@pytest.mark.parametrize("game", GAMES)
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
    if table.rules.pad_players or table.rules.num_ranks < 13:
        return  # what they are padded to is out of reach
    for name, part in layout_of(table.game, table.rules).items():
        if name in ALWAYS_REACHED:
            natural = (np.arange(part.slice.stop - part.slice.start) % part.shape[-1]) < JOKER
            assert seen_high[part.slice][natural].max() == part.high, f"{name} is never so high"
