"""Counts of levels by class."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, Ints, classes, doubles, kernel, sealed, unsigned
from candide.kernels.compiled.lanes import count_up, integer, item, number, put_number

__all__ = ["fits", "level_counts", "rows_checked"]


def level_counts(X: Array, y: Array, w: Floats | None, offsets: Ints, widths: Ints, table: Floats) -> int:
    """Add w[i] to table[offsets[j] + x[i, j], y[i]] up to the first row with a code not in [0, width); return that row.

    Nothing of that row is counted; the answer is the number of rows when every row was counted.
    """
    if X.size == 0 or widths.min() < 1:
        return 0 if X.size else len(X)
    codes, last = unsigned(X, widths)
    starts = sealed(offsets.astype(np.int64, copy=False))
    if w is not None or codes.size < 2 * table.size:
        return int(_weigh(codes, classes(y), None if w is None else doubles(w), starts, last, table))
    # A table has a row a class here. Neighbouring rows of X often meet in one cell: with two tables the second need
    # not wait for the first one's store.
    even, odd = np.zeros((2, table.shape[1], len(table)), np.int32)
    stop = int(_count(codes, classes(y), starts, last, np.tile(last, rows_checked(X)), even, odd))
    even += odd
    table += even.T
    return stop


def rows_checked(X: Array) -> int:
    """How many rows are checked together: an even number, for some two kilobytes of codes."""
    bytes_of_row: int = X.shape[1] * X.itemsize
    return max(2, 8192 // max(1, bytes_of_row) // 2 * 2)


@kernel
def fits(X: Array, at: int, count: int, last: Array) -> bool:
    """Whether none of `count` codes from flat position `at` on is larger than its last one."""
    bad = False  # a truth value, not a number: LLVM makes wide comparisons of that
    for q in range(count):
        bad |= item(X, at + q) > item(last, q)
    return not bad


@kernel
def _count(X: Array, y: Array, starts: Ints, last: Array, pattern: Array, even: Array, odd: Array) -> Any:
    """Count rows in pairs, the second of each pair in a table of its own; check the codes of several rows at once."""
    (r, d), size = X.shape, even.shape[1]
    step = len(pattern) // d
    for lo in range(0, r, step):
        hi = min(r, lo + step)
        good = hi
        if not fits(X, lo * d, (hi - lo) * d, pattern):
            good = lo
            while fits(X, good * d, d, last):
                good += 1
        for i in range(lo, good - 1, 2):
            a, b = integer(y, i) * size, integer(y, i + 1) * size
            for j in range(d):
                start = integer(starts, j)
                count_up(even, a + start + integer(X, i * d + j))
                count_up(odd, b + start + integer(X, i * d + d + j))
        if (good - lo) % 2:
            for j in range(d):
                count_up(even, integer(y, good - 1) * size + integer(starts, j) + integer(X, (good - 1) * d + j))
        if good < hi:
            return good
    return r


@kernel
def _weigh(X: Array, y: Array, w: Any, starts: Ints, last: Array, table: Floats) -> Any:
    """Straight into the table, in row order: with weights, or where the table is as large as the data."""
    (r, d), k = X.shape, table.shape[1]
    for i in range(r):
        if not fits(X, i * d, d, last):
            return i
        wi = 1.0 if w is None else number(w, i)
        for j in range(d):
            at = (integer(starts, j) + integer(X, i * d + j)) * k + integer(y, i)
            put_number(table, at, number(table, at) + wi)
    return r
