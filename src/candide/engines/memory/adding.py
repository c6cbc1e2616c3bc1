"""Sums of one class at a time, which are put away when the next class comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts.occurrences import LOGS, Occurrences
from candide.engines.memory.words import kernels

FIRST = 1 << 12  # things there is room for in the beginning


class Adding:
    """What the documents of a thread, in the order of their classes, add to each thing."""

    def __init__(self, k: int, documents: bool) -> None:
        self.documents, self.c, self.many = documents, -1, 0
        self.found: list[list[tuple[NDArray[Any], NDArray[np.float64]]]] = [[] for _ in range(k)]
        self.sums = np.zeros((3 if documents else 1, FIRST))
        self.times, self.touched = np.zeros(FIRST, np.int32), np.empty(FIRST, np.int32)

    def add(self, ids: Any, ends: Any, lo: int, hi: int, weights: Any, c: int, size: int) -> None:
        """Documents lo to hi of a block, all of class c, of `size` things in all."""
        if c != self.c:
            self.end()
            self.c = c
        if size > len(self.times):
            self._widen(size)
        rest = self.sums[1:] if self.documents else (None, None)
        self.many = kernels().count_ids(
            ids, ends, lo, hi, weights, self.times, self.sums[0], *rest, self.touched, self.many, LOGS
        )

    def end(self) -> None:
        """Put the sums of the class away."""
        ids = self.touched[: self.many].copy()
        if len(ids):
            self.found[self.c].append((ids, self.sums[:, ids]))
            self.sums[:, ids] = 0.0
        self.many = 0

    def _widen(self, size: int) -> None:
        room = max(size, 2 * len(self.times))
        sums, touched = np.zeros((len(self.sums), room)), np.empty(room, np.int32)
        sums[:, : self.sums.shape[1]], touched[: self.many] = self.sums, self.touched[: self.many]
        self.sums, self.times, self.touched = sums, np.zeros(room, np.int32), touched


def joined(parts: Sequence[Adding], places: Sequence[NDArray[np.int64]], size: int, k: int) -> Occurrences:
    """The sums of all parts, whose things have these numbers among `size`."""
    width = len(parts[0].sums)
    sums, starts = np.zeros((width, size)), np.zeros(k + 1, dtype=np.int64)
    ids: list[NDArray[np.int64]] = []
    values: list[NDArray[np.float64]] = []
    for c in range(k):
        for part, renamed in zip(parts, places, strict=True):
            for own, added in part.found[c]:
                where = renamed[own]
                for row, more in zip(sums, added, strict=True):
                    row[where] += more
        some = np.flatnonzero(sums[0])
        ids.append(some)
        values.append(sums[:, some])
        sums[:, some] = 0.0
        starts[c + 1] = starts[c] + len(some)
    found = np.zeros((int(starts[-1]), 3))
    if len(found):
        found[:, :width] = np.concatenate(values, axis=1).T
    return Occurrences(starts, np.concatenate(ids) if ids else np.zeros(0, dtype=np.int64), found)
