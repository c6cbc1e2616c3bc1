"""Centred moments of each class and column, summed so exactly that a row can be taken away again."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, classes, doubles, floats, kernel
from candide.kernels.compiled.lanes import LANES, choose, first, is_nan, prefetch, some, spread
from candide.kernels.compiled.rows import class_lists, get, put, two_sum

__all__ = ["moments"]

CHUNK_BYTES = 1 << 18  # rows brought into class order at a time; this chunk and the next stay in the second-level cache
GROUP = 32  # rows of one class between loading and storing the accumulators


def moments(
    X: Array, y: Array, w: Floats | None, pivot: Floats, n: Floats, s1: Floats, e1: Floats, s2: Floats, e2: Floats
) -> None:
    """Add n += w, s1+e1 += w u, s2+e2 += w u² per class and column, u = x - pivot; a NaN cell counts as not seen.

    s + e is a double-double sum (Ogita, Rump & Oishi 2005): taking a row away again cancels to about 1e-30.
    """
    weights = None if w is None else doubles(w)
    _moments(floats(X), classes(y), weights, doubles(pivot), n, s1, e1, s2, e2, 1.0)


@kernel
def _moments(
    X: Array, y: Array, w: Any, pivot: Floats, n: Floats, s1: Floats, e1: Floats, s2: Floats, e2: Floats, unit: float
) -> None:
    """Chunks of rows in class order, groups of rows of one class; while one chunk is summed the next is fetched."""
    k, d = pivot.shape
    start = np.zeros(k + 2, np.int64)
    step = max(k, 64, CHUNK_BYTES // max(1, d * X.itemsize))
    rows = np.zeros(min(step, len(X)), np.int64)
    for lo in range(0, len(X), step):
        class_lists(y, w, lo, min(len(X), lo + step), start, rows)
        ahead = (lo + step) * d
        for c in range(k):
            for at in range(start[c], start[c + 1], GROUP):
                m = min(GROUP, start[c + 1] - at)
                ahead = _group(X, w, rows, at, m, c, pivot, n, s1, e1, s2, e2, unit, ahead)


@kernel
def _group(
    X: Array,
    w: Any,
    rows: Array,
    at: int,
    m: int,
    c: int,
    pivot: Floats,
    n: Floats,
    s1: Floats,
    e1: Floats,
    s2: Floats,
    e2: Floats,
    unit: float,
    ahead: int,
) -> int:
    """Add m rows of class c, eight columns at a time with their accumulators in registers."""
    d = X.shape[1]
    one, zero = spread(unit), spread(0.0)
    for j in range(0, d, LANES):
        q, mask, whole = c * d + j, first(d - j), j + LANES <= d
        p, a, b = get(pivot, q, mask, whole), get(s1, q, mask, whole), get(e1, q, mask, whole)
        f, g = get(s2, q, mask, whole), get(e2, q, mask, whole)
        seen = zero
        for i in range(at, at + m):
            r = rows[np.uint64(i)]
            prefetch(X, ahead)  # in the order of memory, which sets the hardware's own fetching going
            ahead += LANES
            u = get(X, r * d + j, mask, whole) - p
            v = u * u
            if w is None:
                seen = seen + one
            else:
                wi = spread(w[np.uint64(r)])
                u, v, seen = u * wi, v * wi, seen + wi
            a, b = two_sum(a, b, u, one)
            f, g = two_sum(f, g, v, one)
        if some(is_nan(a)):
            # A missing cell, or inf - inf: once more from the stored sums, cell by cell.
            a, b = get(s1, q, mask, whole), get(e1, q, mask, whole)
            f, g = get(s2, q, mask, whole), get(e2, q, mask, whole)
            seen = zero
            for i in range(at, at + m):
                r = rows[np.uint64(i)]
                u = get(X, r * d + j, mask, whole) - p
                wi = one if w is None else spread(w[np.uint64(r)])
                missing = is_nan(u)
                a, b = two_sum(a, b, choose(missing, zero, u * wi), one)
                f, g = two_sum(f, g, choose(missing, zero, u * u * wi), one)
                seen = seen + choose(missing, zero, wi)
        put(n, q, get(n, q, mask, whole) + seen, mask, whole)
        put(s1, q, a, mask, whole)
        put(e1, q, b, mask, whole)
        put(s2, q, f, mask, whole)
        put(e2, q, g, mask, whole)
    return ahead
