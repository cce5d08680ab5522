"""What the header of a policy file says, and whether a policy fits a game and its rules."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..envs.setting import Setting, setting

FORMAT = "rummyzoo policy 1"

FREE = ("target", "max_hands", "max_turns")
"""Options under which a policy may play whatever it was trained with."""

PADDED = ("num_players", "num_decks", "hand_size")
"""Options that may differ too where both rules have the same padding (`pad_players`)."""


def make_header(where: Setting, network: Mapping[str, Any], **about: Any) -> dict[str, str]:
    """The header of a policy for a game under its rules; `about`: more to say there."""
    says = {
        "format": FORMAT,
        **layout(where),
        "rules": where.rules._asdict(),
        "network": dict(network),
        **about,
    }
    return {"rummyzoo": json.dumps(says)}


def read_header(path: Path, data: bytes) -> dict[str, Any]:
    """The header in the content of a safetensors file.

    Raises:
        ValueError: it is not the header of a policy, or of another version; says which.
    """
    size = int.from_bytes(data[:8], "little")
    try:
        says = json.loads(json.loads(data[8 : 8 + size])["__metadata__"]["rummyzoo"])
        version = says["format"]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} holds weights, but no player of rummyzoo") from error
    if version != FORMAT:
        raise ValueError(f"{path} is written as {version!r}; this version reads {FORMAT!r}")
    missing = {"game", "version", "observation", "actions", "rules", "network"} - says.keys()
    if missing:
        raise ValueError(f"{path} does not say its {', '.join(sorted(missing))}")
    return says


def fit(
    path: Path, header: Mapping[str, Any], game: str | None, rules: Any
) -> tuple[Setting, Setting]:
    """The setting that a policy is to play in, if it can, and the one it was trained in."""
    if game is not None and header["game"] != game:
        raise ValueError(f"{path} plays {header['game']}, not {game}")
    trained = header["rules"]
    module = setting(header["game"], None).game
    unknown = sorted(trained.keys() ^ set(module.Rules._fields))
    if unknown:
        raise ValueError(f"{path} is for other options of {header['game']}: {', '.join(unknown)}")
    school = setting(header["game"], module.make_rules(**trained))
    rules = school.rules if rules is None else rules
    wanted = rules._asdict()
    padded = wanted.get("pad_players", 0) == trained.get("pad_players", 0) > 0
    free = FREE + (PADDED if padded else ())
    other = [name for name in wanted if wanted[name] != trained[name] and name not in free]
    if other:
        ours, theirs = (", ".join(f"{n}={x[n]!r}" for n in other) for x in (wanted, trained))
        raise ValueError(f"{path} was trained with {theirs}, but is to play with {ours}")
    for name, value in layout(school).items():
        if header[name] != value:
            raise ValueError(
                f"{path} was trained with another version of the environment: "
                f"its {name} is {header[name]}, here it is {value}"
            )
    return setting(header["game"], rules), school


def layout(where: Setting) -> dict[str, Any]:
    """What a network depends on: the game's version, what each input means and each action."""
    k = where.kits[0]
    pieces = where.game.pieces(where.rules, k)
    shown = [(p.name, p.shape, p.low, p.high) for p in pieces]
    digests = (hashlib.sha256(repr(what).encode()).hexdigest() for what in (shown, where.actions))
    return {
        "game": where.game.NAME,
        "version": int(where.game.VERSION),
        "observation": f"{int(k.observation_size)} entries, layout {next(digests)[:12]}",
        "actions": f"{int(k.num_actions)}, list {next(digests)[:12]}",
    }
