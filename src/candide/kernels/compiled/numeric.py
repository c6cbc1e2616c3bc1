"""Scores of numeric columns: Gaussian and Student densities, always about the mean itself.

An expansion into x², x and a constant would let matrix products do the work, and would be wrong by whole units as soon
as the means of two classes are far apart beside their deviations.
"""

from __future__ import annotations

from math import isnan, log1p

import numpy as np

from candide.kernels.compiled import elementary
from candide.kernels.compiled.base import Array, Floats, doubles, floats, kernel, sealed
from candide.kernels.compiled.lanes import (
    LANES,
    first,
    fma,
    is_nan,
    load,
    number,
    put_number,
    some,
    spread,
    store,
    total,
    totals_of,
)
from candide.kernels.compiled.rows import get, raise_by

__all__ = ["add_full_quadratic", "add_quadratic", "add_student"]

BLOCK_BYTES = 1 << 16
FEW = 4  # classes up to which lanes run along the columns, beyond which they run along the classes

_log1p = elementary.log1p


def add_quadratic(X: Array, mean: Floats, precision: Floats, log_norm: Floats, out: Floats) -> None:
    """Add Σ_j log_norm - ½ precision (x_j - mean)² per class, leaving out the columns where x is NaN."""
    x, m, v, norm, base = floats(X), doubles(mean), doubles(precision), doubles(log_norm), sealed(log_norm.sum(axis=1))
    if len(m) <= FEW:
        _quadratic_columns(x, m, v, norm, base, out)
    else:
        _quadratic_classes(x, panels(m.T), panels(v.T), m, v, norm, base, out)


def add_student(X: Array, mean: Floats, precision: Floats, half: Floats, log_norm: Floats, out: Floats) -> None:
    """Add Σ_j log_norm - half log(1 + precision (x_j - mean)²) per class, leaving out the columns where x is NaN."""
    base = sealed(log_norm.sum(axis=1))
    _student(floats(X), doubles(mean), doubles(precision), doubles(half), doubles(log_norm), base, out)


def add_full_quadratic(X: Array, mean: Floats, whiten: Floats, constant: Floats, out: Floats) -> None:
    """Add constant - ½ ‖whiten (x - mean)‖² per class, `whiten` lower triangular."""
    packed = sealed(np.stack([panels(a.T) for a in whiten]))
    _full_quadratic(floats(X), doubles(mean), packed, doubles(constant), out)


def panels(matrix: Array) -> Floats:
    """A (d, k) matrix as sealed (panel, d, 8): eight columns side by side, and zeros behind the last one."""
    d, k = matrix.shape
    whole = np.zeros((d, -(-k // LANES) * LANES))
    whole[:, :k] = matrix
    return sealed(whole.reshape(d, whole.shape[1] // LANES, LANES).transpose(1, 0, 2))


@kernel
def _cell_by_cell(
    X: Array,
    lo: int,
    hi: int,
    first_class: int,
    end: int,
    mean: Floats,
    precision: Floats,
    log_norm: Floats,
    out: Floats,
) -> None:
    """Rows lo..hi-1 against some classes, without their missing cells."""
    for i in range(lo, hi):
        for c in range(first_class, end):
            for j in range(X.shape[1]):
                if not isnan(X[i, j]):
                    u = np.float64(X[i, j]) - mean[c, j]
                    out[i, c] += log_norm[c, j] - 0.5 * precision[c, j] * (u * u)


@kernel
def _quadratic_columns(X: Array, mean: Floats, precision: Floats, log_norm: Floats, base: Floats, out: Floats) -> None:
    """Four rows against two classes; behind the last row or class that one is taken again."""
    (r, d), k = X.shape, len(mean)
    sums, half = np.empty(LANES), spread(-0.5)
    for i in range(0, r, 4):
        last, m = r - 1, min(4, r - i)
        r0, r1, r2, r3 = i * d, min(i + 1, last) * d, min(i + 2, last) * d, min(i + 3, last) * d
        for c in range(0, k, 2):
            s0 = s1 = s2 = s3 = t0 = t1 = t2 = t3 = spread(0.0)
            p, q = c * d, min(c + 1, k - 1) * d
            for j in range(0, d, LANES):
                mask, whole = first(d - j), j + LANES <= d
                a, v = get(mean, p + j, mask, whole), get(precision, p + j, mask, whole)
                b, w = get(mean, q + j, mask, whole), get(precision, q + j, mask, whole)
                x = get(X, r0 + j, mask, whole)
                s0, t0 = fma((x - a) * v, x - a, s0), fma((x - b) * w, x - b, t0)
                x = get(X, r1 + j, mask, whole)
                s1, t1 = fma((x - a) * v, x - a, s1), fma((x - b) * w, x - b, t1)
                x = get(X, r2 + j, mask, whole)
                s2, t2 = fma((x - a) * v, x - a, s2), fma((x - b) * w, x - b, t2)
                x = get(X, r3 + j, mask, whole)
                s3, t3 = fma((x - a) * v, x - a, s3), fma((x - b) * w, x - b, t3)
            score = totals_of(s0, t0, s1, t1, s2, t2, s3, t3) * half
            if some(is_nan(score)):
                _cell_by_cell(X, i, i + m, c, min(c + 2, k), mean, precision, log_norm, out)
                continue
            store(sums, 0, score)
            for b_ in range(min(2, k - c)):
                for a_ in range(m):
                    at = (i + a_) * k + c + b_
                    put_number(out, at, number(out, at) + (number(base, c + b_) + number(sums, 2 * a_ + b_)))


@kernel
def _quadratic_classes(
    X: Array,
    means: Floats,
    precisions: Floats,
    mean: Floats,
    precision: Floats,
    log_norm: Floats,
    base: Floats,
    out: Floats,
) -> None:
    """Eight classes at a time, whose parameters stay in the first-level cache, against rows that stay in the second."""
    (r, d), k = X.shape, len(mean)
    step = max(4, BLOCK_BYTES // max(1, d * X.itemsize) // 4 * 4)
    for lo in range(0, r, step):
        for c in range(0, k, LANES):
            for i in range(lo, min(r, lo + step), 4):
                _quadratic_tile(X, i, c, means, precisions, mean, precision, log_norm, base, out)


@kernel
def _quadratic_tile(
    X: Array,
    i: int,
    c: int,
    means: Floats,
    precisions: Floats,
    mean: Floats,
    precision: Floats,
    log_norm: Floats,
    base: Floats,
    out: Floats,
) -> None:
    """Four rows from i on (behind the last row that row is read again) against eight classes from c on."""
    (r, d), k = X.shape, len(mean)
    last = r - 1
    r0, r1, r2, r3 = i * d, min(i + 1, last) * d, min(i + 2, last) * d, min(i + 3, last) * d
    s0 = s1 = s2 = s3 = spread(0.0)
    for j in range(d):
        at = (c * d) + j * LANES
        a, v = load(means, at), load(precisions, at)
        u = spread(number(X, r0 + j)) - a
        s0 = fma(u * v, u, s0)
        u = spread(number(X, r1 + j)) - a
        s1 = fma(u * v, u, s1)
        u = spread(number(X, r2 + j)) - a
        s2 = fma(u * v, u, s2)
        u = spread(number(X, r3 + j)) - a
        s3 = fma(u * v, u, s3)
    mask, whole, minus = first(k - c), c + LANES <= k, spread(-0.5)
    norm = get(base, c, mask, whole)
    s0, s1, s2, s3 = fma(s0, minus, norm), fma(s1, minus, norm), fma(s2, minus, norm), fma(s3, minus, norm)
    if some(is_nan(s0 + s1 + s2 + s3)):
        _cell_by_cell(X, i, min(i + 4, r), c, min(c + LANES, k), mean, precision, log_norm, out)
        return
    raise_by(out, i, c, s0)
    if i + 1 < r:
        raise_by(out, i + 1, c, s1)
    if i + 2 < r:
        raise_by(out, i + 2, c, s2)
    if i + 3 < r:
        raise_by(out, i + 3, c, s3)


@kernel
def _student(
    X: Array, mean: Floats, precision: Floats, half: Floats, log_norm: Floats, base: Floats, out: Floats
) -> None:
    """Lanes along the columns; the logarithms are the work."""
    (r, d), k = X.shape, len(mean)
    for i in range(r):
        for c in range(k):
            s = spread(0.0)
            for j in range(0, d, LANES):
                mask, whole, q = first(d - j), j + LANES <= d, c * d + j
                u = get(X, i * d + j, mask, whole) - get(mean, q, mask, whole)
                s = fma(get(half, q, mask, whole), _log1p(u * u * get(precision, q, mask, whole)), s)
            score = number(base, c) - total(s)
            if isnan(score):
                score = _student_seen(X, i, mean, precision, half, log_norm, c)
            put_number(out, i * k + c, number(out, i * k + c) + score)


@kernel
def _student_seen(X: Array, i: int, mean: Floats, precision: Floats, half: Floats, log_norm: Floats, c: int) -> float:
    """The Student score of row i in class c, cell by cell."""
    s = 0.0
    for j in range(X.shape[1]):
        if not isnan(X[i, j]):
            u = np.float64(X[i, j]) - mean[c, j]
            s += log_norm[c, j] - half[c, j] * log1p(precision[c, j] * (u * u))
    return s


@kernel
def _full_quadratic(X: Array, mean: Floats, whiten: Floats, constant: Floats, out: Floats) -> None:
    """Four rows against eight rows of the triangle, which end at the diagonal."""
    (r, d), k = X.shape, len(mean)
    z = np.zeros((4, d))
    for i in range(0, r, 4):
        m = min(4, r - i)
        for c in range(k):
            for q in range(m):
                for j in range(d):
                    put_number(z, q * d + j, number(X, (i + q) * d + j) - number(mean, c * d + j))
            t0 = t1 = t2 = t3 = spread(0.0)
            for p in range(whiten.shape[1]):
                s0 = s1 = s2 = s3 = spread(0.0)
                at = (c * whiten.shape[1] + p) * d * LANES
                for j in range(min(d, (p + 1) * LANES)):
                    a = load(whiten, at + j * LANES)
                    s0 = fma(spread(number(z, j)), a, s0)
                    s1 = fma(spread(number(z, d + j)), a, s1)
                    s2 = fma(spread(number(z, 2 * d + j)), a, s2)
                    s3 = fma(spread(number(z, 3 * d + j)), a, s3)
                t0, t1, t2, t3 = fma(s0, s0, t0), fma(s1, s1, t1), fma(s2, s2, t2), fma(s3, s3, t3)
            out[i, c] += constant[c] - 0.5 * total(t0)
            if m > 1:
                out[i + 1, c] += constant[c] - 0.5 * total(t1)
            if m > 2:
                out[i + 2, c] += constant[c] - 0.5 * total(t2)
            if m > 3:
                out[i + 3, c] += constant[c] - 0.5 * total(t3)
