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
    content = json.dumps(header | {"size": len(body)}).encode() + b"\n" + body
    data = _magic(kind) + b"%08x\n" % zlib.crc32(content) + content
    if path is not None:
        Path(path).write_bytes(data)
    return data


def unpack(kind: str, source: bytes | str | Path) -> tuple[dict[str, Any], bytes]:
    """The header and the states that `pack` put together.

    Raises:
        ValueError: the bytes are something else, cut off, or damaged.
    """
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    magic = _magic(kind)
    if not data.startswith(magic):
        cut = data and magic.startswith(data)
        raise ValueError(f"this saved {kind} is cut off" if cut else f"this is not a saved {kind}")
    checksum, _, content = data[len(magic) :].partition(b"\n")
    head, newline, body = content.partition(b"\n")
    if not newline:
        raise ValueError(f"this saved {kind} is cut off")
    try:
        header = dict(json.loads(head))
        size = int(header.pop("size"))
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"this saved {kind} is damaged: its header cannot be read") from None
    if len(body) < size:
        raise ValueError(f"this saved {kind} is cut off: {len(body)} of {size} bytes are there")
    if checksum != b"%08x" % zlib.crc32(content):
        raise ValueError(f"this saved {kind} is damaged: its checksum is not right")
    return header, body


def _magic(kind: str) -> bytes:
    return b"rummyzoo " + kind.encode() + b" 1\n"
