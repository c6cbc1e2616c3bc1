"""Scatter matrices of each class: rank-m updates of panels of eight columns, summed up exactly chunk by chunk."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, classes, doubles, floats, kernel
from candide.kernels.compiled.lanes import (
    LANES,
    first,
    fma,
    greater,
    larger,
    load,
    load_some,
    number,
    some,
    spread,
    store,
    store_some,
)
from candide.kernels.compiled.rows import class_lists, get, two_sum

__all__ = ["comoments"]

CHUNK = 128  # rows of one class summed plainly before their sum enters a double-double total
FAR = 2.0**24  # squares so many times the mean square before them are added row by row
UNUSUAL = 1e300  # of any square at all, where there was none before
TILE = 4  # rows of the matrix whose sums stay in registers together


def comoments(
    X: Array, y: Array, w: Floats | None, pivot: Floats, n: Floats, s1: Floats, e1: Floats, s2: Floats, e2: Floats
) -> None:
    """Add n += w, s1+e1 += w u, s2+e2 += w u uᵀ per class; only the upper triangle of s2 and e2 has a meaning."""
    weights = None if w is None else doubles(w)
    _comoments(floats(X), classes(y), weights, doubles(pivot), n, s1, e1, s2, e2)


@kernel
def _comoments(
    X: Array, y: Array, w: Any, pivot: Floats, n: Floats, s1: Floats, e1: Floats, s2: Floats, e2: Floats
) -> None:
    """Chunks of rows in class order; the rows of one class as panels of eight columns, then panel by panel."""
    k, d = pivot.shape
    panels = (d + LANES - 1) // LANES
    start = np.zeros(k + 2, np.int64)
    step = max(k, min(k * CHUNK, 8 * CHUNK))
    rows = np.zeros(min(step, len(X)), np.int64)
    u = np.zeros((panels, CHUNK, LANES))
    v = u if w is None else np.zeros((panels, CHUNK, LANES))
    usual = np.zeros(panels * LANES)
    for lo in range(0, len(X), step):
        class_lists(y, w, lo, min(len(X), lo + step), start, rows)
        for c in range(k):
            for at in range(start[c], start[c + 1], CHUNK):
                m = min(CHUNK, start[c + 1] - at)
                for j in range(d):
                    usual[j] = n[c] / (FAR * s2[c, j, j]) if s2[c, j, j] > 0.0 else UNUSUAL
                weight, far = _panels(X, w, rows, at, m, pivot, c, u, v, usual)
                if n[c] == 0.0 or far:
                    for i in range(m):
                        _panels(X, w, rows, at + i, 1, pivot, c, u, v, usual)
                        _enter(u, v, 1, d, c, s1, e1, s2, e2)
                else:
                    _enter(u, v, m, d, c, s1, e1, s2, e2)
                n[c] += weight


@kernel
def _enter(u: Floats, v: Floats, m: int, d: int, c: int, s1: Floats, e1: Floats, s2: Floats, e2: Floats) -> None:
    """Add the sums of m rows to the totals of a class."""
    _sums(v, m, d, c * d, s1, e1)
    for p in range(len(u)):
        for j in range(0, d, TILE):
            if j < (p + 1) * LANES:
                _tile(u, v, m, j, p, d, c * d * d, s2, e2)


@kernel
def _panels(
    X: Array, w: Any, rows: Array, at: int, m: int, pivot: Floats, c: int, u: Floats, v: Floats, usual: Floats
) -> Any:
    """u = x - pivot and v = w u as (panel, row, lane), columns past the last being 0.

    Return the weight of the rows, and whether a square is so large that it has to be added by itself: more than its
    column's reciprocal in `usual`.
    """
    d = X.shape[1]
    weight, worst = 0.0, spread(0.0)
    for i in range(m):
        r = rows[np.uint64(at + i)]
        wi = 1.0 if w is None else w[np.uint64(r)]
        weight += wi
        for j in range(0, d, LANES):
            q = j * CHUNK + i * LANES
            mask, whole = first(d - j), j + LANES <= d
            x = get(X, r * d + j, mask, whole) - get(pivot, c * d + j, mask, whole)
            store(u, q, x)
            worst = larger(x * x * load(usual, j), worst)
            if w is not None:
                store(v, q, x * spread(wi))
    return weight, some(greater(worst, spread(1.0)))


@kernel
def _commit(s: Floats, e: Floats, at: int, x: Any, count: int) -> None:
    """Add the first `count` lanes of x to the totals from flat position `at`."""
    mask = first(count)
    a, b = two_sum(load_some(s, at, mask), load_some(e, at, mask), x, spread(1.0))
    store_some(s, at, a, mask)
    store_some(e, at, b, mask)


@kernel
def _sums(v: Floats, m: int, d: int, base: int, s1: Floats, e1: Floats) -> None:
    """Add the column sums of v."""
    for j in range(0, d, LANES):
        total = spread(0.0)
        for i in range(m):
            total = total + load(v, j * CHUNK + i * LANES)
        _commit(s1, e1, base + j, total, d - j)


@kernel
def _tile(u: Floats, v: Floats, m: int, j: int, p: int, d: int, base: int, s2: Floats, e2: Floats) -> None:
    """Add rows j..j+3, columns 8p..8p+7 of vᵀ u; four chains of sums hide the latency of each other."""
    a = b = c = e = spread(0.0)
    at = (j // LANES) * CHUNK * LANES + j % LANES
    for i in range(m):
        x = load(u, p * CHUNK * LANES + i * LANES)
        q = at + i * LANES
        a = fma(spread(number(v, q)), x, a)
        b = fma(spread(number(v, q + 1)), x, b)
        c = fma(spread(number(v, q + 2)), x, c)
        e = fma(spread(number(v, q + 3)), x, e)
    left = d - p * LANES
    to = base + j * d + p * LANES
    _commit(s2, e2, to, a, left)
    if j + 1 < d:
        _commit(s2, e2, to + d, b, left)
    if j + 2 < d:
        _commit(s2, e2, to + 2 * d, c, left)
    if j + 3 < d:
        _commit(s2, e2, to + 3 * d, e, left)
