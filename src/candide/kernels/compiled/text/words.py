"""The words of documents as numbers of a table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.kernels.compiled.base import Array, Ints, kernel, sealed
from candide.kernels.compiled.lanes import integer
from candide.kernels.compiled.text.inline import NONE, inlined
from candide.kernels.compiled.text.lowering import AHEAD, lower_case
from candide.kernels.compiled.text.masks import BYTES, lowest
from candide.kernels.compiled.text.table import BATCH, Table, look_up
from candide.kernels.compiled.text.utf8 import width_of

__all__ = ["word_ids"]

GROUP = 1 << 14  # bytes of short documents that are cut together
ROOM = 192  # bytes beyond the lowered ones that are written or skipped

_ZERO, _ONE, _LAST = np.uint64(0), np.uint64(1), np.uint64(63)


def word_ids(
    data: Array,
    offsets: Ints,
    rows: Ints,
    at: int,
    lower: bool,
    short: bool,
    cases: NDArray[np.int32],
    table: Table,
    grow: bool,
    ids: NDArray[np.int32],
    ends: Ints,
) -> tuple[int, bool]:
    """The words of documents rows[at:], lowered if told so; how many documents, and whether the table had room.

    Document i of these has ids[ends[i] : ends[i + 1]]. A word is a run of \\w, of two characters or more unless
    `short`; −1 is a word that is not in the table, which may not grow. It ends before the document whose words may
    not fit into `ids` (half as many as its bytes, rounded up), or when `ends` is full.
    """
    edge = np.zeros(2 * AHEAD, np.uint8)
    read = sealed(data), sealed(offsets), sealed(rows)
    step, edges = np.uint8(32 * lower), (edge, sealed(edge))
    done, fitted = _word_ids(*read, at, step, short, cases, table, grow, ids, ends, *edges)
    return int(done), bool(fitted)


@kernel
def _word_ids(
    data: Array, offsets: Ints, rows: Ints, at: int, step: Any, short: bool, cases: Any, table: Table, grow: bool,
    ids: Any, ends: Ints, edge: Any, edge_read: Any,
) -> Any:  # fmt: skip
    """A group of documents at a time: their letters, then where words begin and end, then the numbers of these."""
    low, marks, stops = np.empty(4 * GROUP, np.uint8), np.empty(GROUP >> 4, np.uint64), np.empty(GROUP >> 6, np.int64)
    begins, lengths = np.empty(BATCH + BYTES, np.int64), np.empty(BATCH + BYTES, np.int64)
    keys = np.empty(BATCH + BYTES, np.uint64)
    done, used, most = NONE, NONE, min(len(rows) - at, len(ends) - 1)
    ends[0] = 0
    while done < most:
        size, count, bound = NONE, 0, used
        while done + count < most and size < GROUP and count < len(stops):
            i = rows[at + done + count]
            n = offsets[i + 1] - offsets[i]
            bound += (n + 1) >> 1
            if bound > len(ids) or (size and size + n + (n >> 1) + ROOM > len(low)):
                break
            if n + (n >> 1) + ROOM > len(low):
                low, marks = np.empty(2 * n + ROOM, np.uint8), np.empty((2 * n + ROOM) // BYTES + 2, np.uint64)
            size = lower_case(data, offsets[i], offsets[i + 1], step, cases, low, size, marks, edge, edge_read)
            size = (size + BYTES - 1) // BYTES * BYTES
            stops[count] = size // BYTES
            count += 1
        if count == 0:
            break
        first, waiting = 0, NONE
        for d in range(count):
            carry, start = _ZERO, NONE - 1
            for j in range(first, stops[d]):
                bits = marks[np.uint64(j)]
                turns = bits ^ ((bits << _ONE) | carry)
                carry = bits >> _LAST
                start, waiting = _cut(low, j * BYTES, turns, start, short, begins, lengths, waiting)
                if waiting >= BATCH:
                    if not look_up(low, begins, lengths, keys, waiting, table, grow, ids, used):
                        return done, False
                    used += waiting
                    waiting = NONE
            first = stops[d]
            if start >= 0:
                start, waiting = _cut(low, first * BYTES, _ONE, start, short, begins, lengths, waiting)
            ends[done + d + 1] = used + waiting
        if not look_up(low, begins, lengths, keys, waiting, table, grow, ids, used):
            return done, False
        used += waiting
        done += count
    return done, True


@inlined
def _cut(low: Any, at: int, turns: Any, start: Any, short: bool, begins: Ints, lengths: Ints, waiting: Any) -> Any:
    """List the words that end in the 64 bytes from `at` on, where bytes in words and others take turns.

    A word begins at `start` unless that is negative; where the last one begins that has not ended.
    """
    while turns != _ZERO:
        place = at + lowest(turns)
        turns &= turns - _ONE
        if start < 0:
            start = place
        else:
            n = place - start
            begins[np.uint64(waiting)], lengths[np.uint64(waiting)] = start, n
            waiting += np.int64(short or n > width_of(integer(low, start)))  # else it is written over
            start = NONE - 1
    return start, waiting
