"""Counts of levels by class."""

from __future__ import annotations

import numpy as np

from candide.kernels.compiled.base import Array, Floats, Ints, classes, doubles, kernel, sealed, unsigned

__all__ = ["level_counts"]


def level_counts(X: Array, y: Array, w: Floats | None, offsets: Ints, widths: Ints, table: Floats) -> int:
    """Add w[i] to table[offsets[j] + x[i, j], y[i]] up to the first row with a code not in [0, width); return that row.

    Nothing of that row is counted; the answer is the number of rows when every row was counted.
    """
    codes, limits = unsigned(X, widths)
    starts = sealed(offsets.astype(np.int64, copy=False) * table.shape[1])
    flat = table.reshape(-1)
    if w is not None:
        return int(_weigh(codes, classes(y), doubles(w), starts, limits, table.shape[1], flat))
    if codes.size < 2 * table.size:
        return int(_count(codes, classes(y), starts, limits, table.shape[1], flat, flat))
    # Neighbouring rows often meet in one cell; two tables spare the second the wait for the first one's store.
    even, odd = np.zeros((2, table.size), np.int32)
    stop = int(_count(codes, classes(y), starts, limits, table.shape[1], even, odd))
    flat += even
    flat += odd
    return stop


@kernel
def _fits(x: Array, limits: Ints) -> bool:
    """Whether each code is below its limit."""
    bad = 0
    for j in range(len(limits)):
        bad |= np.uint64(x[j]) >= np.uint64(limits[j])
    return bad == 0


@kernel
def _count(X: Array, y: Array, starts: Ints, limits: Ints, k: int, even: Array, odd: Array) -> int:
    """Count rows in pairs, the second of each pair in a table of its own."""
    r, d = X.shape
    i = 0
    while i + 1 < r:
        a, b = X[i], X[i + 1]
        if not (_fits(a, limits) and _fits(b, limits)):
            break
        p, q = np.int64(y[np.uint64(i)]), np.int64(y[np.uint64(i + 1)])
        for j in range(d):
            even[np.uint64(starts[j] + np.int64(a[j]) * k + p)] += 1
            odd[np.uint64(starts[j] + np.int64(b[j]) * k + q)] += 1
        i += 2
    while i < r and _fits(X[i], limits):
        x, p = X[i], np.int64(y[i])
        for j in range(d):
            even[np.uint64(starts[j] + np.int64(x[j]) * k + p)] += 1
        i += 1
    return i


@kernel
def _weigh(X: Array, y: Array, w: Floats, starts: Ints, limits: Ints, k: int, table: Floats) -> int:
    """As `_count` with weights, in row order."""
    r, d = X.shape
    for i in range(r):
        x = X[i]
        if not _fits(x, limits):
            return i
        for j in range(d):
            table[np.uint64(starts[j] + np.int64(x[j]) * k + np.int64(y[np.uint64(i)]))] += w[i]
    return r
