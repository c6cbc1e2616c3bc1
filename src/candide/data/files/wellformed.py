"""CSV as everybody reads it: quotes stand around whole cells and nowhere else, lines end in a newline."""

from __future__ import annotations

import codecs
import io
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

PIECE = 1 << 18  # bytes that are looked at together, in the cache
QUOTE, NEWLINE, ZERO, X = b'"\n0x'
LOWER = 0x20  # the bit of a letter that tells it from its capital


class Strange(OSError):
    """Bytes that readers of CSV may take in different ways."""


class Rest(io.RawIOBase):
    """The bytes of a file below its header, for as long as they are well-formed; then `Strange`.

    A quote opens if a separator or a line end stands before it, it closes if one stands behind it. Say that every quote
    does one of the two, that everywhere as many have opened as have closed, or one more, and that a reader of the bytes
    has found no quote within a cell. Then all quotes part cells, and every other reader finds the same: a quote that
    ended a cell too early, amid letters, would be one that opens, and from there on two too many would be open.
    """

    def __init__(self, path: str, lines: int, mark: str) -> None:
        super().__init__()
        self._file = open(path, "rb")  # noqa: SIM115, closed by `close`
        self._header = b"".join(self._file.readline() for _ in range(lines))
        self._start, self._size = self._file.tell(), os.fstat(self._file.fileno()).st_size
        self._mark = ord(mark)
        self._tail = np.array([NEWLINE], dtype=np.uint8)  # the last two bytes
        self._open = 0

    @property
    def share(self) -> float:
        """How much of the file was read."""
        return self._file.tell() / max(self._size, 1)

    def glance(self, most: int) -> bytes:
        """The first whole lines, to be read again."""
        head = self._file.read(most)
        self._file.seek(self._start)
        return head[: head.rfind(b"\n") + 1]

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        first = self._file.tell() == self._start
        found = self._file.read(size)
        if first:
            self._check(self._header)
            if self._open or found.startswith(codecs.BOM_UTF8):  # Arrow would drop such a mark
                raise Strange
        self._check(found)
        return found

    def close(self) -> None:
        self._file.close()
        super().close()

    def _check(self, found: bytes) -> None:
        if b"\r" in found or b"\0" in found:
            raise Strange
        raw = np.frombuffer(found, dtype=np.uint8)
        edge = raw[:2] if len(raw) else np.array([NEWLINE], dtype=np.uint8)  # the end of a file ends a line
        pieces = [np.concatenate([self._tail, edge])]
        pieces += [raw[start : start + PIECE + 2] for start in range(0, len(raw) - 2, PIECE)]
        for piece in pieces:
            if ((piece[:-1] == ZERO) & (piece[1:] | LOWER == X)).any():  # 0x1F is a number to some
                raise Strange
            self._quotes(piece)
        self._tail = np.concatenate([self._tail, raw[-2:]])[-2:]

    def _quotes(self, raw: NDArray[Any]) -> None:
        """Look at all bytes but the first and the last."""
        quotes = raw == QUOTE
        if not quotes.any():
            return
        edges = raw == self._mark
        edges |= raw == NEWLINE
        quotes = quotes[1:-1]
        before, behind = edges[:-2] & quotes, edges[2:] & quotes
        opened, closed = np.count_nonzero(before), np.count_nonzero(behind)
        if opened + closed != np.count_nonzero(quotes) or (before & behind).any():
            raise Strange
        self._open += int(opened) - int(closed)
        if self._open not in (0, 1):
            raise Strange
