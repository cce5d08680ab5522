"""The lines of a game record: how they are written and chained, and what the first ones say.

See `rummyzoo.envs.record` for what a record is.
"""

import base64
import hashlib
import json
import platform
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple, Self

from .. import __version__
from .cards import JOKER, NOBODY
from .hands import faces_of
from .melds import RUN_KEY
from .position import full_pack
from .state import HAND_OVER, MATCH_OVER, MAX_MELDS, TRUNCATED
from .table import Table

FORMAT = "rummyzoo record 1"
MOST_BYTES = 64 << 20
"""No record is larger than this: a hundred times the longest match."""
_MOST_TABLE = 1 << 20  # bytes of a saved table
_SEATS = ("winner", "discarder", "knocker", "hand_winner")  # fields of games that hold a seat
_FACES = ("due", "barred", "upcard")  # and those that hold a card


class RecordError(ValueError):
    """This is not a record of a game, or one that cannot be trusted; one sentence says why."""


class Chain:
    """Lines of JSON that hang together: each ends with a checksum of all that stands before it.

    ``"sum"``, the last entry of a line, is the first eight hexadecimal digits of the SHA-256 of
    everything in the file before ``,"sum"``.
    """

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    @property
    def digest(self) -> str:
        """The SHA-256 of all lines so far."""
        return self._hash.hexdigest()

    def copy(self) -> Self:
        """The chain as it is now."""
        other = type(self)()
        other._hash = self._hash.copy()
        return other

    def write(self, says: Mapping[str, Any]) -> bytes:
        """The next line."""
        text = json.dumps(says, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        head = text.encode()[:-1]
        return head + self._tail(head)

    def read(self, line: bytes, number: int) -> dict[str, Any]:
        """What the next line says.

        Raises:
            RecordError: it is not as it was written.
        """
        end = len(line) - len(self.copy()._tail(b""))
        head = line[: max(end, 0)]
        if line[len(head) :] != self._tail(head):
            raise RecordError(f"line {number} is damaged, or something before it was changed")
        try:
            found = json.loads(head + b"}")
        except (ValueError, RecursionError):
            raise RecordError(f"line {number} is damaged: it is no JSON") from None
        if not isinstance(found, dict):
            raise RecordError(f"line {number} is damaged: it is no JSON object")
        return found

    def _tail(self, head: bytes) -> bytes:
        self._hash.update(head)
        tail = b',"sum":"%s"}\n' % self._hash.hexdigest()[:8].encode()
        self._hash.update(tail)
        return tail


class Mark(NamedTuple):
    """Where a line begins: in the file, and in the chain."""

    at: int
    chain: Chain


def read_lines(data: bytes, chain: Chain) -> Iterator[tuple[int, Mark, dict[str, Any]]]:
    """The lines of a record: the number of each, where it begins, and what it says.

    Args:
        data: the record.
        chain: a new one; in the end it is where the record ends.

    Raises:
        RecordError: a line is cut off, or not as it was written.
    """
    at = 0
    for number, line in enumerate(data.split(b"\n"), 1):
        if at + len(line) == len(data):
            if line:
                raise RecordError(f"it is cut off within line {number}")
            return
        mark = Mark(at, chain.copy())
        yield number, mark, chain.read(line + b"\n", number)
        at += len(line) + 1


@lru_cache
def versions(*packages: str) -> dict[str, str]:
    """The versions of rummyzoo, Python and some packages ("none": not installed)."""
    found = {"rummyzoo": __version__, "python": platform.python_version()}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    return found


def header(table: Table, players: Sequence[str], about: Mapping[str, Any]) -> dict[str, Any]:
    """What the first line says of a game that begins at a table."""
    return {
        "format": FORMAT,
        "game": table.game.NAME,
        "version": table.game.VERSION,
        "rules": table.rules._asdict(),
        "players": list(players),
        "begin": _beginning(table),
        "versions": versions("numpy", "numba"),
        "about": dict(about),
    }


def _beginning(table: Table) -> dict[str, Any]:
    if table.seed is not None and table == _dealt(table.game.NAME, table.seed, table.rules):
        return {"seed": table.seed}
    return {"table": base64.b64encode(zlib.compress(table.save(), 9)).decode()}


def _dealt(game: str, seed: int, rules: Any) -> Table:
    return Table(game, seed, **rules._asdict())


def begin(says: Mapping[str, Any]) -> Table:
    """The table where a game begins, from its first line.

    Raises:
        RecordError: no such game, rules or table are known here; the sentence says which.
    """
    game, rules = says.get("game"), says.get("rules")
    if not isinstance(game, str) or not isinstance(rules, dict):
        raise RecordError("line 1 is damaged: it names no game and no rules")
    try:
        table = Table(game, 0, **rules)
    except (ValueError, TypeError) as error:
        raise RecordError(f"line 1 names a game that is not known here: {error}") from None
    if says.get("version") != table.game.VERSION:
        raise RecordError(
            f"this is a record of version {says.get('version')} of {game}; "
            f"this is version {table.game.VERSION}"
        )
    where = says.get("begin")
    match where:
        case {"seed": int(seed)}:
            try:
                return _dealt(game, seed, table.rules)
            except (ValueError, OverflowError) as error:
                raise RecordError(f"line 1 is damaged: {error}") from None
        case {"table": str(text)}:
            return _unpacked(text, table)
    raise RecordError("line 1 is damaged: it does not say how the table began")


def _unpacked(text: str, like: Table) -> Table:
    try:
        unzip = zlib.decompressobj()
        table = Table.restore(unzip.decompress(base64.b64decode(text), _MOST_TABLE))
    except (ValueError, zlib.error) as error:
        raise RecordError(f"line 1 is damaged: the table cannot be read ({error})") from None
    if table.rules != like.rules or table.game is not like.game or not plausible(table):
        raise RecordError("line 1 is damaged: there is no such table under its rules")
    return table


def plausible(table: Table) -> bool:
    """Whether a table that was kept can be played at: kernels do not check what they are given."""
    s, n, k = table.state, table.num_players, table.kits[0]
    if max(s.turn, s.dealer) >= n or s.pile_size > len(s.pile) or s.stock_size > len(s.stock):
        return False
    if s.phase >= len(table.game.PHASES) and s.phase not in (HAND_OVER, MATCH_OVER, TRUNCATED):
        return False
    for names, most in ((_SEATS, n), (_FACES, JOKER + 1)):
        if any(most <= s[name] < NOBODY for name in names if name in table.game.STATE.names):
            return False
    keys = s.meld_key[: s.num_melds].tolist() if s.num_melds <= MAX_MELDS else [-1]
    if any(not (0 <= x < k.num_ranks or 0 <= x - RUN_KEY < k.num_suits) for x in keys):
        return False
    if any(owner >= n for meld in table.melds for owner in meld.owners):
        return False
    cards = Counter(s.pile[: s.pile_size].tolist()) + Counter(s.stock[: s.stock_size].tolist())
    for prefix in ("", "laid_"):
        for seat in range(n):
            cards += Counter(faces_of(s, seat, prefix))
    return cards <= full_pack(k)


def hand_line(table: Table) -> dict[str, Any]:
    """What is said where a hand begins (or the record does): all cards but the stock's."""
    seats = range(table.num_players)
    return {
        "hand": int(table.state.hands) + 1,
        "dealer": table.dealer,
        "scores": table.scores,
        "hands": [" ".join(table.hand(seat)) for seat in seats],
        "pile": " ".join(table.pile),
    }


def end_line(table: Table, actions: int, digest: str) -> dict[str, Any]:
    """What the last line says."""
    return {
        "over": table.over,
        "winner": table.winner,
        "hand_scores": table.hand_scores,
        "scores": table.scores,
        "actions": actions,
        "digest": digest,
    }
