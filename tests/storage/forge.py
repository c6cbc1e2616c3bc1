"""Files that are signed as they should be and hold what they should not."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIGNATURE = re.compile(rb'"candide\.sha256":"([0-9a-f]{64})"')


def parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the bytes of the arrays."""
    length = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def signed(text: bytes, arrays: bytes) -> bytes:
    """A file of this header and these arrays with the checksum that belongs to it."""
    raw = len(text).to_bytes(8, "little") + text
    place = SIGNATURE.search(raw)
    if place is None:
        return raw + arrays
    start, end = place.span(1)
    digest = hashlib.sha256(raw[:start] + b"0" * 64 + raw[end:] + arrays).hexdigest().encode()
    return raw[:start] + digest + raw[end:] + arrays


def forged(data: bytes, change: Callable[[dict[str, Any]], Any]) -> bytes:
    """The file with its header changed, padded and signed."""
    header, arrays = parts(data)
    change(header)
    text = json.dumps(header, separators=(",", ":")).encode()
    return signed(text + b" " * (-len(text) % 8), arrays)


def retold(data: bytes, change: Callable[[Any], Any]) -> bytes:
    """The file with its tree changed; `change` gives the new one."""

    def rewrite(header: dict[str, Any]) -> None:
        metadata = header["__metadata__"]
        metadata["candide.model"] = json.dumps(change(json.loads(metadata["candide.model"])))

    return forged(data, rewrite)


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path
