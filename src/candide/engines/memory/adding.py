"""Sums of one class at a time, which are put away when the next class comes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts.occurrences import LOGS, Occurrences
from candide.engines.memory.words import kernels
from candide.kernels.threads import run, thread_count

FIRST = 1 << 12  # things there is room for in the beginning


class Adding:
    """What the documents of a thread, in the order of their classes, add to each thing."""

    def __init__(self, k: int, documents: bool) -> None:
        self.documents, self.c, self.many, self.kernels = documents, -1, 0, kernels()
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
        self.many = self.kernels.count_ids(
            ids, ends, lo, hi, weights, self.times, self.sums[0], *rest, self.touched, self.many, LOGS
        )

    def end(self) -> None:
        """Put the sums of the class away."""
        if self.many:
            self.found[self.c].append(self.kernels.moved_out(self.touched[: self.many], self.sums))
        self.many = 0

    def _widen(self, size: int) -> None:
        room = max(size, 2 * len(self.times))
        sums, touched = np.zeros((len(self.sums), room)), np.empty(room, np.int32)
        sums[:, : self.sums.shape[1]], touched[: self.many] = self.sums, self.touched[: self.many]
        self.sums, self.times, self.touched = sums, np.zeros(room, np.int32), touched


def joined(parts: Sequence[Adding], places: Sequence[NDArray[np.int64]], size: int, k: int) -> Occurrences:
    """The sums of all parts, whose things have these numbers among `size`."""
    found = [
        [(renamed, *held) for part, renamed in zip(parts, places, strict=True) for held in part.found[c]]
        for c in range(k)
    ]
    cost, text = max(1, sum(len(ids) for held in found for _, ids, _ in held) // max(1, k)), kernels()

    def sizes(lo: int, hi: int) -> list[int]:
        return [_marked(held, size)[1] for held in found[lo:hi]]

    block = -(-k // (4 * thread_count()))
    starts = np.cumsum([0, *chain.from_iterable(run(sizes, k, row_cost=cost, block=block))])
    ids, values = np.empty(int(starts[-1]), dtype=np.int64), np.zeros((int(starts[-1]), 3))

    def fill(lo: int, hi: int) -> None:
        ranks = np.empty(_words(size), np.int32)
        for c in range(lo, hi):
            some = slice(starts[c], starts[c + 1])
            bits, _ = _marked(found[c], size)
            text.list_marked(bits, ranks, ids[some])
            for renamed, own, added in found[c]:
                text.lay(own, renamed, added, bits, ranks, values[some])

    run(fill, k, row_cost=cost, block=block)
    return Occurrences(starts.astype(np.int64), ids, values)


def _marked(found: Sequence[tuple[Any, Any, Any]], size: int) -> tuple[NDArray[np.uint64], int]:
    """A bit for each thing that has a sum, and how many are set."""
    bits, mark = np.zeros(_words(size), np.uint64), kernels().mark
    return bits, sum(mark(own, renamed, bits) for renamed, own, _ in found)


def _words(size: int) -> int:
    return (size + 63) // 64
