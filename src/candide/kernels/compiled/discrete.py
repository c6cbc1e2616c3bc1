"""Scores that are sums of rows of a table: levels, dense weights, sparse weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, Ints, doubles, kernel, numbers, sealed, unsigned
from candide.kernels.compiled.lanes import (
    LANES,
    choose,
    first,
    fma,
    greater,
    load,
    load_some,
    prefetch,
    spread,
    store,
    store_some,
    total,
)
from candide.kernels.compiled.numeric import FEW, panels
from candide.kernels.compiled.rows import get, put

__all__ = ["add_linear", "add_lookup", "add_sparse_linear"]

AHEAD = 16  # stored values between asking for a row of weights and using it


def add_lookup(X: Array, offsets: Ints, widths: Ints, table: Floats, unseen: Floats, out: Floats) -> None:
    """Add Σ_j table[offsets[j] + x_j], or unseen[j] where the code lies outside [0, width)."""
    codes, limits = unsigned(X, widths)
    starts = sealed(offsets.astype(np.int64, copy=False))
    _lookup(codes, starts, limits, doubles(table), doubles(unseen), out)


@kernel
def _lookup(X: Array, starts: Ints, limits: Ints, table: Floats, unseen: Floats, out: Floats) -> None:
    """The positions of a row first, then sixteen classes at a time."""
    (r, d), k = X.shape, table.shape[1]
    at = np.zeros(d + 1, np.int64)
    flat = table.reshape(table.size)
    for i in range(r):
        x = X[i]
        bad = 0
        for j in range(d):
            at[j] = (starts[j] + np.int64(x[j])) * k
            bad |= np.uint64(x[j]) >= np.uint64(limits[j])
        if bad != 0:
            _lookup_unseen(x, starts, limits, table, unseen, out[i])
        elif k == 2:
            _pairs(at, d, flat, out[i])
        else:
            for c in range(0, k, 2 * LANES):
                _classes(at, d, flat, c, k - c, out, i * k + c)


@kernel
def _lookup_unseen(x: Array, starts: Ints, limits: Ints, table: Floats, unseen: Floats, out: Floats) -> None:
    """One row, cell by cell."""
    for j in range(len(starts)):
        seen = np.uint64(x[j]) < np.uint64(limits[j])
        row = table[starts[j] + np.int64(x[j])] if seen else unseen[j]
        for c in range(len(out)):
            out[c] += row[c]


@kernel
def _pairs(at: Ints, d: int, flat: Floats, out: Floats) -> None:
    """Two classes; two chains of sums each."""
    a = b = e = f = 0.0
    for j in range(0, d - 1, 2):
        p, q = np.uint64(at[np.uint64(j)]), np.uint64(at[np.uint64(j + 1)])
        a += flat[p]
        b += flat[p + np.uint64(1)]
        e += flat[q]
        f += flat[q + np.uint64(1)]
    if d % 2:
        p = np.uint64(at[np.uint64(d - 1)])
        a += flat[p]
        b += flat[p + np.uint64(1)]
    out[0] += a + e
    out[1] += b + f


@kernel
def _classes(at: Ints, d: int, flat: Floats, c: int, left: int, out: Floats, to: int) -> None:
    """Sixteen classes from c on, or the `left` that there are."""
    low, high = first(left), first(left - LANES)
    s = t = spread(0.0)
    if left >= 2 * LANES:
        for j in range(d):
            q = at[np.uint64(j)] + c
            s, t = s + load(flat, q), t + load(flat, q + LANES)
    elif left > LANES:
        for j in range(d):
            q = at[np.uint64(j)] + c
            s, t = s + load(flat, q), t + load_some(flat, q + LANES, high)
    else:
        for j in range(0, d - 1, 2):
            s = s + load_some(flat, at[np.uint64(j)] + c, low)
            t = t + load_some(flat, at[np.uint64(j + 1)] + c, low)
        if d % 2:
            s = s + load_some(flat, at[np.uint64(d - 1)] + c, low)
        s, t = s + t, spread(0.0)
    store_some(out, to, load_some(out, to, low) + s, low)
    if left > LANES:
        store_some(out, to + LANES, load_some(out, to + LANES, high) + t, high)


def add_linear(X: Array, weights: Floats, above: float | None, out: Floats) -> None:
    """Add Σ_j x_j weights[j], or Σ_j [x_j > above] weights[j]."""
    if weights.shape[1] <= FEW:
        _linear_columns(numbers(X), doubles(weights.T), above, out)
    else:
        _linear_classes(numbers(X), panels(weights), above, out)


@kernel
def _linear_columns(X: Array, weights: Floats, above: Any, out: Floats) -> None:
    """A row against a class, lanes along the columns."""
    (r, d), k = X.shape, len(weights)
    for i in range(r):
        for c in range(k):
            s = spread(0.0)
            for j in range(0, d, LANES):
                mask, whole = first(d - j), j + LANES <= d
                x = get(X, i * d + j, mask, whole)
                if above is not None:
                    x = choose(greater(x, spread(above)), spread(1.0), spread(0.0))
                s = fma(x, get(weights, c * d + j, mask, whole), s)
            out[i, c] += total(s)


@kernel
def _value(x: Any, above: Any) -> float:
    """x, or whether it is above."""
    if above is None:
        return np.float64(x)
    return 1.0 if np.float64(x) > above else 0.0


@kernel
def _linear_classes(X: Array, weights: Floats, above: Any, out: Floats) -> None:
    """Four rows against eight classes."""
    (r, d), k = X.shape, out.shape[1]
    flat = X.reshape(X.size)
    for i in range(0, r, 4):
        last = r - 1
        r0, r1, r2, r3 = i * d, min(i + 1, last) * d, min(i + 2, last) * d, min(i + 3, last) * d
        for c in range(0, k, LANES):
            s0 = s1 = s2 = s3 = spread(0.0)
            for j in range(d):
                a = load(weights, c * d + j * LANES)
                s0 = fma(spread(_value(flat[np.uint64(r0 + j)], above)), a, s0)
                s1 = fma(spread(_value(flat[np.uint64(r1 + j)], above)), a, s1)
                s2 = fma(spread(_value(flat[np.uint64(r2 + j)], above)), a, s2)
                s3 = fma(spread(_value(flat[np.uint64(r3 + j)], above)), a, s3)
            _raise(out, i, c, k, s0)
            if i + 1 < r:
                _raise(out, i + 1, c, k, s1)
            if i + 2 < r:
                _raise(out, i + 2, c, k, s2)
            if i + 3 < r:
                _raise(out, i + 3, c, k, s3)


@kernel
def _raise(out: Floats, i: int, c: int, k: int, s: Any) -> None:
    """Add eight scores, or those that there are."""
    mask, whole, at = first(k - c), c + LANES <= k, i * k + c
    put(out, at, get(out, at, mask, whole) + s, mask, whole)


def add_sparse_linear(
    indptr: Array, indices: Array, data: Array, weights: Floats, above: float | None, out: Floats
) -> None:
    """`add_linear` of a CSR matrix; `indptr` may be a slice of a longer one."""
    starts = sealed(indptr.astype(np.int64, copy=False))
    _sparse_linear(starts, sealed(indices), numbers(data), doubles(weights), above, out)


@kernel
def _sparse_linear(starts: Ints, indices: Array, data: Array, weights: Floats, above: Any, out: Floats) -> None:
    """Up to 24 classes stay in registers; more are added to the row of scores, which stays in the first-level cache."""
    k = out.shape[1]
    one, two, three = first(k), first(k - LANES), first(k - 2 * LANES)
    for i in range(len(starts) - 1):
        lo, hi, to = starts[np.uint64(i)], starts[np.uint64(i + 1)], i * k
        if k > 3 * LANES:
            for p in range(lo, hi):
                v, q = spread(_value(data[np.uint64(p)], above)), np.int64(indices[np.uint64(p)]) * k
                for c in range(0, k - LANES + 1, LANES):
                    store(out, to + c, fma(v, load(weights, q + c), load(out, to + c)))
                c = k // LANES * LANES
                mask = first(k - c)
                store_some(out, to + c, fma(v, load_some(weights, q + c, mask), load_some(out, to + c, mask)), mask)
            continue
        a = b = c3 = spread(0.0)
        if k > 2 * LANES:
            for p in range(lo, hi):
                ahead = np.int64(indices[np.uint64(min(p + AHEAD, len(indices) - 1))]) * k
                prefetch(weights, ahead)
                prefetch(weights, ahead + LANES)
                prefetch(weights, ahead + 2 * LANES)
                v, q = spread(_value(data[np.uint64(p)], above)), np.int64(indices[np.uint64(p)]) * k
                a = fma(v, load(weights, q), a)
                b = fma(v, load(weights, q + LANES), b)
                c3 = fma(v, load_some(weights, q + 2 * LANES, three), c3)
            store_some(out, to + 2 * LANES, load_some(out, to + 2 * LANES, three) + c3, three)
        elif k > LANES:
            for p in range(lo, hi):
                ahead = np.int64(indices[np.uint64(min(p + AHEAD, len(indices) - 1))]) * k
                prefetch(weights, ahead)
                prefetch(weights, ahead + LANES)
                v, q = spread(_value(data[np.uint64(p)], above)), np.int64(indices[np.uint64(p)]) * k
                a = fma(v, load(weights, q), a)
                b = fma(v, load_some(weights, q + LANES, two), b)
        else:
            for p in range(lo, hi):
                prefetch(weights, np.int64(indices[np.uint64(min(p + AHEAD, len(indices) - 1))]) * k)
                v, q = spread(_value(data[np.uint64(p)], above)), np.int64(indices[np.uint64(p)]) * k
                a = fma(v, load_some(weights, q, one), a)
        store_some(out, to, load_some(out, to, one) + a, one)
        if k > LANES:
            store_some(out, to + LANES, load_some(out, to + LANES, two) + b, two)
