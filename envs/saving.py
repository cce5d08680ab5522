"""Saved games as bytes: what they are of, a header, and the states; accidents are noticed.

The states go to kernels that do not check them, so a file that was cut off or damaged must not get
that far. A checksum tells; it is no protection against a file that was forged.
"""

import json
import zlib
from pathlib import Path
from typing import Any


def pack(kind: str, header: dict[str, Any], body: bytes, path: str | Path | None = None) -> bytes:
    """The bytes to keep, also written to a file if a path is given.

    Args:
        kind: what is saved, in a word or two.
        header: what a reader must know first; JSON.
        body: the states.
    """
    about = header | {"size": len(body), "crc": zlib.crc32(body)}
    data = b"rummyzoo " + kind.encode() + b" 1\n" + json.dumps(about).encode() + b"\n" + body
    if path is not None:
        Path(path).write_bytes(data)
    return data


def unpack(kind: str, source: bytes | str | Path) -> tuple[dict[str, Any], bytes]:
    """The header and the states that `pack` put together.

    Raises:
        ValueError: the bytes are something else, cut off, or damaged.
    """
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    magic = b"rummyzoo " + kind.encode() + b" 1\n"
    if not data.startswith(magic):
        cut = data and magic.startswith(data)
        raise ValueError(f"this saved {kind} is cut off" if cut else f"this is not a saved {kind}")
    head, newline, body = data[len(magic) :].partition(b"\n")
    if not newline:
        raise ValueError(f"this saved {kind} is cut off")
    try:
        header = dict(json.loads(head))
        size, crc = header.pop("size"), header.pop("crc")
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"this saved {kind} is damaged: its header cannot be read") from None
    if len(body) < size:
        raise ValueError(f"this saved {kind} is cut off: {len(body)} of {size} bytes are there")
    if len(body) > size or zlib.crc32(body) != crc:
        raise ValueError(f"this saved {kind} is damaged: its checksum is not right")
    return header, body
