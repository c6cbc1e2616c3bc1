"""Messages one after the other in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

DAYS = rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
FROM = re.compile(rb"From \S.*\b" + DAYS + rb"\b.*\d:\d\d.*\b\d{4}\b")
LINE = 1 << 16  # bytes read at a time, where a line is longer


def messages(file: IO[bytes], most: int) -> Iterator[tuple[bytes, int]]:
    """Each message, of which `most` bytes at least are kept, and how many bytes it takes in the file.

    A message begins with a line `From sender date` at the start of the file or after an empty line; such a line without
    a date is part of a text. `>From`, as programs write that begin a line of a text so, loses its sign.
    """
    kept: list[bytes] = []
    size = held = 0
    is_blank, is_start, is_first = True, True, True
    while line := file.readline(LINE):
        is_from = is_start and is_blank and line.startswith(b"From ") and (is_first or FROM.match(line) is not None)
        if is_from and not is_first:
            if size:
                yield b"".join(kept), size
            kept, size, held = [], 0, 0
        if held < most and not is_from:
            plain = line[1:] if is_start and line.startswith(b">") and line.lstrip(b">").startswith(b"From ") else line
            kept.append(plain)
            held += len(plain)
        size += len(line)
        is_blank = is_start and not line.strip(b"\r\n")
        is_start = line.endswith(b"\n")
        is_first = False
    if size:
        yield b"".join(kept), size
