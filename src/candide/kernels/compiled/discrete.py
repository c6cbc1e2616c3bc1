"""Scores that are sums of rows of a table: levels, dense weights, sparse weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, Ints, doubles, kernel, numbers, sealed, unsigned
from candide.kernels.compiled.counts import fits, rows_checked
from candide.kernels.compiled.lanes import (
    LANES,
    choose,
    first,
    fma,
    greater,
    integer,
    is_nan,
    load,
    load_some,
    number,
    prefetch,
    put_number,
    spread,
    store,
    store_some,
    totals_of,
)
from candide.kernels.compiled.numeric import FEW, panels
from candide.kernels.compiled.rows import get, raise_by

__all__ = ["add_linear", "add_lookup", "add_sparse_linear"]

AHEAD = 16  # stored values between asking for a row of weights and using it


def add_lookup(X: Array, offsets: Ints, widths: Ints, table: Floats, unseen: Floats, out: Floats) -> None:
    """Add Σ_j table[offsets[j] + x_j], or unseen[j] where the code lies outside [0, width)."""
    empty = widths < 1
    if empty.any():  # one level, whose row is that of the unseen ones
        extra = len(table) + np.cumsum(empty) - 1
        table, offsets, widths = (
            np.vstack([table, unseen[empty]]),
            np.where(empty, extra, offsets),
            np.maximum(widths, 1),
        )
    codes, last = unsigned(X, widths)
    starts = sealed(offsets.astype(np.int64, copy=False))
    _lookup(codes, starts, last, np.tile(last, rows_checked(X)), doubles(table), doubles(unseen), out)


@kernel
def _lookup(X: Array, starts: Ints, last: Array, pattern: Array, table: Floats, unseen: Floats, out: Floats) -> None:
    """Blocks of rows, whose codes are checked together."""
    (r, d), k = X.shape, table.shape[1]
    step = len(pattern) // max(1, d)
    at = np.zeros(d + 1, np.int64)
    for lo in range(0, r, step):
        hi = min(r, lo + step)
        if not fits(X, lo * d, (hi - lo) * d, pattern):
            for i in range(lo, hi):
                _lookup_row(X[i], starts, last, table, unseen, out[i])
        elif k == 2:
            for i in range(lo, hi, 2):
                _pairs(X, i, min(i + 1, hi - 1), starts, table, out)
        else:
            for i in range(lo, hi):
                for j in range(d):
                    at[j] = (integer(starts, j) + integer(X, i * d + j)) * k
                for c in range(0, k, 2 * LANES):
                    _classes(at, d, table, c, k - c, out, i * k + c)


@kernel
def _lookup_row(x: Array, starts: Ints, last: Array, table: Floats, unseen: Floats, out: Floats) -> None:
    """One row, cell by cell."""
    for j in range(len(starts)):
        row = table[starts[j] + np.int64(x[j])] if x[j] <= last[j] else unseen[j]
        for c in range(len(out)):
            out[c] += row[c]


@kernel
def _pairs(X: Array, i: int, other: int, starts: Ints, table: Floats, out: Floats) -> None:
    """Two classes, lying side by side, for two rows (or twice the same), whose sums need not wait for each other."""
    d = X.shape[1]
    a = b = e = f = 0.0
    for j in range(d):
        start = integer(starts, j)
        p, q = 2 * (start + integer(X, i * d + j)), 2 * (start + integer(X, other * d + j))
        a += number(table, p)
        b += number(table, p + 1)
        e += number(table, q)
        f += number(table, q + 1)
    put_number(out, 2 * i, number(out, 2 * i) + a)
    put_number(out, 2 * i + 1, number(out, 2 * i + 1) + b)
    if other > i:
        put_number(out, 2 * other, number(out, 2 * other) + e)
        put_number(out, 2 * other + 1, number(out, 2 * other + 1) + f)


@kernel
def _classes(at: Ints, d: int, table: Floats, c: int, left: int, out: Floats, to: int) -> None:
    """Sixteen classes from c on, or the `left` that there are."""
    low, high = first(left), first(left - LANES)
    s = t = spread(0.0)
    if left >= 2 * LANES:
        for j in range(d):
            q = integer(at, j) + c
            s, t = s + load(table, q), t + load(table, q + LANES)
    elif left > LANES:
        for j in range(d):
            q = integer(at, j) + c
            s, t = s + load(table, q), t + load_some(table, q + LANES, high)
    else:
        for j in range(0, d - 1, 2):
            s = s + load_some(table, integer(at, j) + c, low)
            t = t + load_some(table, integer(at, j + 1) + c, low)
        if d % 2:
            s = s + load_some(table, integer(at, d - 1) + c, low)
        s, t = s + t, spread(0.0)
    store_some(out, to, load_some(out, to, low) + s, low)
    if left > LANES:
        store_some(out, to + LANES, load_some(out, to + LANES, high) + t, high)


def add_linear(X: Array, weights: Floats, above: float | None, origin: Floats | None, out: Floats) -> None:
    """Add Σ_j (x_j - origin[j]) weights[j], or Σ_j [x_j > above] weights[j]; a row with a NaN becomes NaN."""
    start = None if origin is None else doubles(origin)
    if weights.shape[1] <= FEW:
        _linear_columns(numbers(X), doubles(weights.T), above, start, out)
    else:
        _linear_classes(numbers(X), panels(weights), above, start, out)


@kernel
def _linear_columns(X: Array, weights: Floats, above: Any, origin: Any, out: Floats) -> None:
    """Eight rows against a class, lanes along the columns; the sums over the lanes of eight rows are taken together."""
    (r, d), k = X.shape, len(weights)
    sums = np.empty(LANES)
    for i in range(0, r, LANES):
        count, last = min(LANES, r - i), r - 1
        r0, r1, r2, r3 = i * d, min(i + 1, last) * d, min(i + 2, last) * d, min(i + 3, last) * d
        r4, r5, r6, r7 = min(i + 4, last) * d, min(i + 5, last) * d, min(i + 6, last) * d, min(i + 7, last) * d
        for c in range(k):
            s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = spread(0.0)
            for j in range(0, d, LANES):
                mask, whole = first(d - j), j + LANES <= d
                a = get(weights, c * d + j, mask, whole)
                s0 = fma(_cells(X, r0 + j, mask, whole, above, origin, j), a, s0)
                s1 = fma(_cells(X, r1 + j, mask, whole, above, origin, j), a, s1)
                s2 = fma(_cells(X, r2 + j, mask, whole, above, origin, j), a, s2)
                s3 = fma(_cells(X, r3 + j, mask, whole, above, origin, j), a, s3)
                s4 = fma(_cells(X, r4 + j, mask, whole, above, origin, j), a, s4)
                s5 = fma(_cells(X, r5 + j, mask, whole, above, origin, j), a, s5)
                s6 = fma(_cells(X, r6 + j, mask, whole, above, origin, j), a, s6)
                s7 = fma(_cells(X, r7 + j, mask, whole, above, origin, j), a, s7)
            store(sums, 0, totals_of(s0, s1, s2, s3, s4, s5, s6, s7))
            for q in range(count):
                at = (i + q) * k + c
                put_number(out, at, number(out, at) + number(sums, q))


@kernel
def _cells(X: Array, at: int, mask: Any, whole: bool, above: Any, origin: Any, j: int) -> Any:
    """Eight cells of a row: less their origin, or whether they are above."""
    x = get(X, at, mask, whole)
    if origin is not None:
        x = x - get(origin, j, mask, whole)
    if above is not None:
        x = choose(is_nan(x), x, choose(greater(x, spread(above)), spread(1.0), spread(0.0)))
    return x


@kernel
def _value(x: float, above: Any) -> float:
    """x, or whether it is above; NaN stays NaN."""
    if above is None or x != x:
        return x
    return 1.0 if x > above else 0.0


@kernel
def _cell(X: Array, at: int, above: Any, origin: Any, j: int) -> Any:
    """One cell in all lanes."""
    x = number(X, at)
    if origin is not None:
        x -= number(origin, j)
    return spread(_value(x, above))


@kernel
def _linear_classes(X: Array, weights: Floats, above: Any, origin: Any, out: Floats) -> None:
    """Four rows against eight classes."""
    (r, d), k = X.shape, out.shape[1]
    for i in range(0, r, 4):
        last = r - 1
        r0, r1, r2, r3 = i * d, min(i + 1, last) * d, min(i + 2, last) * d, min(i + 3, last) * d
        for c in range(0, k, LANES):
            s0 = s1 = s2 = s3 = spread(0.0)
            for j in range(d):
                a = load(weights, c * d + j * LANES)
                s0 = fma(_cell(X, r0 + j, above, origin, j), a, s0)
                s1 = fma(_cell(X, r1 + j, above, origin, j), a, s1)
                s2 = fma(_cell(X, r2 + j, above, origin, j), a, s2)
                s3 = fma(_cell(X, r3 + j, above, origin, j), a, s3)
            raise_by(out, i, c, s0)
            if i + 1 < r:
                raise_by(out, i + 1, c, s1)
            if i + 2 < r:
                raise_by(out, i + 2, c, s2)
            if i + 3 < r:
                raise_by(out, i + 3, c, s3)


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
        lo, hi, to = integer(starts, i), integer(starts, i + 1), i * k
        if k > 3 * LANES:
            for p in range(lo, hi):
                v, q = spread(_value(number(data, p), above)), integer(indices, p) * k
                for c in range(0, k - LANES + 1, LANES):
                    store(out, to + c, fma(v, load(weights, q + c), load(out, to + c)))
                c = k // LANES * LANES
                mask = first(k - c)
                store_some(out, to + c, fma(v, load_some(weights, q + c, mask), load_some(out, to + c, mask)), mask)
            continue
        a = b = c3 = spread(0.0)
        if k > 2 * LANES:
            for p in range(lo, hi):
                ahead = integer(indices, min(p + AHEAD, len(indices) - 1)) * k
                prefetch(weights, ahead)
                prefetch(weights, ahead + LANES)
                prefetch(weights, ahead + 2 * LANES)
                v, q = spread(_value(number(data, p), above)), integer(indices, p) * k
                a = fma(v, load(weights, q), a)
                b = fma(v, load(weights, q + LANES), b)
                c3 = fma(v, load_some(weights, q + 2 * LANES, three), c3)
            store_some(out, to + 2 * LANES, load_some(out, to + 2 * LANES, three) + c3, three)
        elif k > LANES:
            for p in range(lo, hi):
                ahead = integer(indices, min(p + AHEAD, len(indices) - 1)) * k
                prefetch(weights, ahead)
                prefetch(weights, ahead + LANES)
                v, q = spread(_value(number(data, p), above)), integer(indices, p) * k
                a = fma(v, load(weights, q), a)
                b = fma(v, load_some(weights, q + LANES, two), b)
        else:
            for p in range(lo, hi):
                prefetch(weights, integer(indices, min(p + AHEAD, len(indices) - 1)) * k)
                v, q = spread(_value(number(data, p), above)), integer(indices, p) * k
                a = fma(v, load_some(weights, q, one), a)
        store_some(out, to, load_some(out, to, one) + a, one)
        if k > LANES:
            store_some(out, to + LANES, load_some(out, to + LANES, two) + b, two)
