"""Centred moments of each class and column, summed so exactly that a row can be taken away again."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, classes, doubles, floats, kernel
from candide.kernels.compiled.lanes import (
    LANES,
    choose,
    first,
    fma,
    greater,
    is_nan,
    larger,
    load,
    load_some,
    some,
    spread,
    store,
)
from candide.kernels.compiled.rows import get, put, two_sum

__all__ = ["moments"]

ROWS_A_CLASS = 128
FAR = 2.0**24  # squares so many times the mean square before them are summed exactly, row by row


def moments(
    X: Array, y: Array, w: Floats | None, pivot: Floats, n: Floats, s1: Floats, e1: Floats, s2: Floats, e2: Floats
) -> None:
    """Add n += w, s1+e1 += w u, s2+e2 += w u² per class and column, u = x - pivot; a NaN cell counts as not seen.

    s + e is a double-double sum (Ogita, Rump & Oishi 2005): taking the same rows away again cancels to about 1e-30.
    """
    weights = None if w is None else doubles(w)
    k, d = pivot.shape
    width = -(-d // LANES) * LANES
    about, plain1, plain2 = aligned_zeros(3, k, width)
    about[:, :d] = pivot
    _moments(floats(X), classes(y), weights, about, plain1, plain2, n, s1, e1, s2, e2, 1.0)


def aligned_zeros(count: int, k: int, width: int) -> Floats:
    """Arrays whose eight lanes never lie in two cache lines."""
    flat = np.zeros(count * k * width + LANES)
    skip = -flat.ctypes.data % 64 // 8
    return flat[skip : skip + count * k * width].reshape(count, k, width)


@kernel
def _moments(
    X: Array,
    y: Array,
    w: Any,
    about: Floats,
    plain1: Floats,
    plain2: Floats,
    n: Floats,
    s1: Floats,
    e1: Floats,
    s2: Floats,
    e2: Floats,
    unit: float,
) -> None:
    """Chunks of rows in the order of memory; each chunk's plain sums enter the totals class by class."""
    k = len(about)
    weight = np.zeros(k)
    step = ROWS_A_CLASS * max(2, k)
    for lo in range(0, len(X), step):
        hi = min(len(X), lo + step)
        _sum_rows(X, y, w, lo, hi, about, plain1, plain2, weight)
        for c in range(k):
            if weight[np.uint64(c)] != 0.0:
                _enter(X, y, w, lo, hi, c, about, plain1, plain2, weight[np.uint64(c)], n, s1, e1, s2, e2, unit)
                weight[np.uint64(c)] = 0.0


@kernel
def _sum_rows(
    X: Array, y: Array, w: Any, lo: int, hi: int, about: Floats, plain1: Floats, plain2: Floats, weight: Floats
) -> None:
    """Σ w u and Σ w u² of rows lo..hi-1, by class; the columns are filled up to a multiple of eight."""
    d, width = X.shape[1], about.shape[1]
    whole, mask = d - d % LANES, first(d % LANES)
    for i in range(lo, hi):
        c = np.uint64(y[np.uint64(i)])
        q, at = np.int64(c) * width, i * d
        if w is None:
            weight[c] += 1.0
            for j in range(0, whole, LANES):
                u = load(X, at + j) - load(about, q + j)
                store(plain1, q + j, load(plain1, q + j) + u)
                store(plain2, q + j, fma(u, u, load(plain2, q + j)))
            if whole < d:
                u = load_some(X, at + whole, mask) - load(about, q + whole)
                store(plain1, q + whole, load(plain1, q + whole) + u)
                store(plain2, q + whole, fma(u, u, load(plain2, q + whole)))
        elif w[np.uint64(i)] != 0.0:
            weight[c] += w[np.uint64(i)]
            wi = spread(w[np.uint64(i)])
            for j in range(0, width, LANES):
                u = get(X, at + j, mask, j < whole) - load(about, q + j)
                v = u * wi
                store(plain1, q + j, load(plain1, q + j) + v)
                store(plain2, q + j, fma(u, v, load(plain2, q + j)))


@kernel
def _enter(
    X: Array,
    y: Array,
    w: Any,
    lo: int,
    hi: int,
    c: int,
    about: Floats,
    plain1: Floats,
    plain2: Floats,
    weight: float,
    n: Floats,
    s1: Floats,
    e1: Floats,
    s2: Floats,
    e2: Floats,
    unit: float,
) -> None:
    """Add the plain sums of class c to its totals, and clear them.

    What plain sums round off is a share of the chunk's own squares. Where these are so much larger than the squares
    before them that it would show, where nothing came before, or where a cell is missing, the rows are added again one
    by one, exactly.
    """
    d, width = X.shape[1], about.shape[1]
    one, zero, far = spread(unit), spread(0.0), spread(FAR)
    for j in range(0, d, LANES):
        q, p, mask, whole = c * d + j, c * width + j, first(d - j), j + LANES <= d
        x, y2 = load(plain1, p), load(plain2, p)
        store(plain1, p, zero)
        store(plain2, p, zero)
        a, b = get(s1, q, mask, whole), get(e1, q, mask, whole)
        f, g, seen = get(s2, q, mask, whole), get(e2, q, mask, whole), get(n, q, mask, whole)
        if some(is_nan(x)) or some(greater(y2 * larger(seen, one), f * far)):
            pivot = load(about, p)
            for i in range(lo, hi):
                if y[np.uint64(i)] == c and (w is None or w[np.uint64(i)] != 0.0):
                    u = get(X, i * d + j, mask, whole) - pivot
                    wi = one if w is None else spread(w[np.uint64(i)])
                    missing = is_nan(u)
                    a, b = two_sum(a, b, choose(missing, zero, u * wi), one)
                    f, g = two_sum(f, g, choose(missing, zero, u * u * wi), one)
                    seen = seen + choose(missing, zero, wi)
        else:
            a, b = two_sum(a, b, x, one)
            f, g = two_sum(f, g, y2, one)
            seen = seen + spread(weight)
        put(n, q, seen, mask, whole)
        put(s1, q, a, mask, whole)
        put(e1, q, b, mask, whole)
        put(s2, q, f, mask, whole)
        put(e2, q, g, mask, whole)
