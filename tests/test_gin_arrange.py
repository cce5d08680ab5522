"""Gin's arrangements and lay-offs, against trying everything."""

import itertools
import random
from collections.abc import Iterator
from functools import cache

import pytest

from rummyzoo.envs.bits import ALL
from rummyzoo.envs.cards import card_text, parse_card
from rummyzoo.envs.games.gin.arrange import arrange, endings, lay_off

Cards = frozenset[int]

# Ranks and suits: a whole pack, and smaller ones, whose hands make many melds.
PACKS = [
    (range(13), 4),
    (range(5), 4),
    (range(8, 13), 4),
    (range(13), 2),
    (range(4), 4),
    (range(9, 13), 4),
    (range(7), 3),
]


def word(cards: Cards) -> int:
    return sum(1 << card for card in cards)


def cards_in(number: int) -> Cards:
    return frozenset(card for card in range(52) if number >> card & 1)


def points(cards: Cards) -> int:
    return sum(min(card % 13 + 1, 10) for card in cards)


@cache
def melds_with(hand: Cards, card: int) -> list[Cards]:
    """All melds that a hand can make with one of its cards."""
    rank, suit = card % 13, card // 13
    same = [c for c in hand if c % 13 == rank]
    melds = [frozenset(m) for n in (3, 4) for m in itertools.combinations(same, n)]
    for low, high in itertools.combinations(range(13), 2):
        run = frozenset(13 * suit + r for r in range(low, high + 1))
        if len(run) >= 3 and run <= hand:
            melds.append(run)
    return [meld for meld in melds if card in meld]


@cache
def least_deadwood(hand: Cards) -> int:
    """The least points outside melds: each card is deadwood, or in one of the melds it could be."""
    if not hand:
        return 0
    card = min(hand)
    ways = [points(frozenset([card])) + least_deadwood(hand - {card})]
    ways += [least_deadwood(hand - meld) for meld in melds_with(hand, card)]
    return min(ways)


def choices_of_sets(hand: Cards) -> Iterator[Cards]:
    """All sets of cards that may lie in sets at once."""
    by_rank = [[c for c in hand if c % 13 == rank] for rank in range(13)]
    ways = [[(), *(m for n in (3, 4) for m in itertools.combinations(same, n))] for same in by_rank]
    for parts in itertools.product(*ways):
        yield frozenset(itertools.chain.from_iterable(parts))


def runs_of(cards: Cards) -> list[Cards]:
    """The longest runs that cards make."""
    runs = []
    for card in sorted(cards):
        if card % 13 == 0 or card - 1 not in cards:
            length = 1
            while (card + length) % 13 and card + length in cards:
                length += 1
            if length >= 3:
                runs.append(frozenset(range(card, card + length)))
    return runs


def sets_of(in_sets: Cards) -> list[Cards]:
    by_rank = [frozenset(c for c in in_sets if c % 13 == rank) for rank in range(13)]
    return [same for same in by_rank if same]


def fits(card: int, meld: Cards) -> bool:
    """Whether a card can be laid off on a meld."""
    low, high = min(meld), max(meld)
    if high % 13 == low % 13:
        return card % 13 == low % 13 and card not in meld
    return (card == high + 1 and card % 13 != 0) or (card == low - 1 and low % 13 != 0)


def best_arrangement(hand: Cards, faces: Cards) -> tuple[int, int]:
    ways = []
    for in_sets in choices_of_sets(hand):
        melds = sets_of(in_sets) + runs_of(hand - in_sets)
        lay_offs = [card for card in faces if any(fits(card, meld) for meld in melds)]
        ways.append((points(hand.difference(*melds)), len(lay_offs), word(in_sets)))
    points_left, _, sets = min(ways)
    return points_left, sets


def best_lay_off(hand: Cards, melds: tuple[Cards, ...]) -> tuple[int, int, int]:
    """By trying all orders of laying cards off, one at a time."""
    tables = {melds}
    todo = [melds]
    while todo:
        table = todo.pop()
        rest = hand.difference(*table)
        for n, meld in enumerate(table):
            for card in rest:
                if fits(card, meld):
                    after = (*table[:n], meld | {card}, *table[n + 1 :])
                    if after not in tables:
                        tables.add(after)
                        todo.append(after)
    laid_off = {hand.intersection(itertools.chain(*table)) for table in tables}
    ways = [(least_deadwood(hand - laid), len(laid), word(laid)) for laid in laid_off]
    least, _, laid = min(ways)
    return least, laid, best_arrangement(hand - cards_in(laid), frozenset())[1]


def hands(
    seed: int, count: int, most: int = 11
) -> Iterator[tuple[list[int], Cards, random.Random]]:
    """Packs, and hands from them."""
    rng = random.Random(seed)
    for n in range(count):
        ranks, suits = PACKS[n % len(PACKS)]
        pack = [13 * suit + rank for suit in range(suits) for rank in ranks]
        size = rng.randint(1, min(11, len(pack)))
        yield pack, frozenset(rng.sample(pack, size)), rng


@pytest.mark.parametrize("seed", range(4))
def test_arrangement(seed: int) -> None:
    for pack, hand, rng in hands(seed, 700):
        for faces in (frozenset(), frozenset(pack) - hand - {rng.choice(pack)}):
            least, in_sets = arrange(word(hand), word(faces))
            assert (least, in_sets) == best_arrangement(hand, faces), sorted(map(card_text, hand))
            assert least == least_deadwood(hand)


@pytest.mark.parametrize("seed", range(4))
def test_endings(seed: int) -> None:
    for _, hand, rng in hands(seed, 500):
        barred = frozenset(rng.sample(sorted(hand), rng.random() < 0.5))
        limit = rng.choice([0, 1, 5, 10, 30, 100])
        left = {card: least_deadwood(hand - {card}) for card in hand - barred}
        knock = frozenset(card for card in left if 1 <= left[card] <= limit)
        gin = frozenset(card for card in left if left[card] == 0)
        big = least_deadwood(hand) == 0
        assert endings(word(hand), word(barred), limit) == (word(knock), word(gin), big)


@pytest.mark.parametrize("seed", range(4))
def test_lay_off(seed: int) -> None:
    laid_off = 0
    for pack, hand, rng in hands(seed, 600):
        rest = sorted(set(pack) - hand)
        knocker = frozenset(rng.sample(rest, min(10, len(rest))))
        _, in_sets = best_arrangement(knocker, frozenset())
        runs = runs_of(knocker - cards_in(in_sets))
        found = lay_off(word(hand), in_sets, word(frozenset().union(*runs)))
        assert found == best_lay_off(hand, (*sets_of(cards_in(in_sets)), *runs))
        laid_off += found[1] != 0
    assert laid_off > 100


def test_large_hands() -> None:
    """Hands up to half a pack, as `hand_size` allows them."""
    rng = random.Random(7)
    for _ in range(60):
        pack = rng.sample(range(52), 51)
        hand, knocker = frozenset(pack[:26]), frozenset(pack[26:])
        least, in_sets = arrange(word(hand), ALL & ~word(hand))
        assert (least, in_sets) == best_arrangement(hand, frozenset(range(52)) - hand)
        assert least == least_deadwood(hand)
        least_deadwood.cache_clear()
        _, in_sets = arrange(word(knocker), 0)
        runs = runs_of(knocker - cards_in(in_sets))
        melds = (*sets_of(cards_in(in_sets)), *runs)
        small = frozenset(pack[:14])
        found = lay_off(word(small), in_sets, word(frozenset().union(*runs)))
        assert found == best_lay_off(small, melds)
    # The most choices of sets that a hand can have.
    six_ranks = frozenset(13 * suit + rank for suit in range(4) for rank in range(6))
    assert arrange(word(six_ranks), 0)[0] == 0
    assert endings(word(six_ranks | {12}), 0, 10) == (word(six_ranks), 1 << 12, 0)


@pytest.mark.parametrize(
    ("hand", "least"),
    [
        ("4S 5S 6S KH KD KC 9C 9D 9H AD", 1),
        ("QH KH AH", 21),  # not round the corner
        ("AH 2H 3H", 0),
        ("7C 7D 7H 7S 8S 9S", 0),  # three of the four
        ("5C 5D 5H 6C 6D 6H 7C 7D 7H", 0),
        ("5C 5D 5H 5S 6S 7S 4S", 0),
    ],
)
def test_examples(hand: str, least: int) -> None:
    cards = frozenset(map(parse_card, hand.split()))
    assert arrange(word(cards), 0)[0] == least


def test_fewest_lay_offs() -> None:
    """Of two arrangements that leave the same, the knocker shows the one that helps less."""
    hand = word(frozenset(13 * suit + rank for suit in range(3) for rank in (4, 5, 6)))
    # As three sets they take three fourth cards, as three runs six cards at their ends.
    assert arrange(hand, ALL & ~hand) == (0, hand)
    assert arrange(hand, 0) == (0, 0)
