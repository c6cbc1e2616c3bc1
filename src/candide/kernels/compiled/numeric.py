"""Scores of numeric columns: Gaussian and Student densities, always about the mean itself.

An expansion into x², x and a constant would let matrix products do the work, and would be wrong by whole units as soon
as the means of two classes are far apart beside their deviations.
"""

from __future__ import annotations

from math import isnan, log1p

import numpy as np

from candide.kernels.compiled import elementary
from candide.kernels.compiled.base import Array, Floats, doubles, floats, kernel, sealed
from candide.kernels.compiled.lanes import LANES, first, fma, load, spread, store, total, totals_of
from candide.kernels.compiled.rows import get

__all__ = ["add_full_quadratic", "add_quadratic", "add_student"]

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
    return sealed(whole.reshape(d, -1, LANES).transpose(1, 0, 2))


@kernel
def _seen(X: Array, i: int, mean: Floats, precision: Floats, log_norm: Floats, c: int) -> float:
    """The score of row i in class c, cell by cell."""
    s = 0.0
    for j in range(X.shape[1]):
        if not isnan(X[i, j]):
            u = np.float64(X[i, j]) - mean[c, j]
            s += log_norm[c, j] - 0.5 * precision[c, j] * (u * u)
    return s


@kernel
def _quadratic_columns(X: Array, mean: Floats, precision: Floats, log_norm: Floats, base: Floats, out: Floats) -> None:
    """Eight rows against one class: the parameters are loaded once for eight rows."""
    r, d = X.shape
    sums = np.empty(LANES)
    for i in range(0, r, LANES):
        last = r - 1
        m = min(LANES, r - i)
        # Behind the last row that row is read again.
        r0, r1, r2, r3 = i * d, min(i + 1, last) * d, min(i + 2, last) * d, min(i + 3, last) * d
        r4, r5, r6, r7 = min(i + 4, last) * d, min(i + 5, last) * d, min(i + 6, last) * d, min(i + 7, last) * d
        for c in range(len(mean)):
            s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = spread(0.0)
            for j in range(0, d, LANES):
                mask, whole = first(d - j), j + LANES <= d
                a, v = get(mean, c * d + j, mask, whole), get(precision, c * d + j, mask, whole)
                u = get(X, r0 + j, mask, whole) - a
                s0 = fma(u * v, u, s0)
                u = get(X, r1 + j, mask, whole) - a
                s1 = fma(u * v, u, s1)
                u = get(X, r2 + j, mask, whole) - a
                s2 = fma(u * v, u, s2)
                u = get(X, r3 + j, mask, whole) - a
                s3 = fma(u * v, u, s3)
                u = get(X, r4 + j, mask, whole) - a
                s4 = fma(u * v, u, s4)
                u = get(X, r5 + j, mask, whole) - a
                s5 = fma(u * v, u, s5)
                u = get(X, r6 + j, mask, whole) - a
                s6 = fma(u * v, u, s6)
                u = get(X, r7 + j, mask, whole) - a
                s7 = fma(u * v, u, s7)
            store(sums, 0, fma(totals_of(s0, s1, s2, s3, s4, s5, s6, s7), spread(-0.5), spread(base[c])))
            for q in range(m):
                s = sums[q]
                out[i + q, c] += _seen(X, i + q, mean, precision, log_norm, c) if isnan(s) else s


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
    """Four rows against eight classes."""
    (r, d), k = X.shape, len(mean)
    flat = X.reshape(X.size)
    sums = np.empty((4, LANES))
    for i in range(0, r, 4):
        last = r - 1
        r0, r1, r2, r3 = i * d, min(i + 1, last) * d, min(i + 2, last) * d, min(i + 3, last) * d
        for c in range(0, k, LANES):
            s0 = s1 = s2 = s3 = spread(0.0)
            for j in range(d):
                at = (c * d) + j * LANES
                a, v = load(means, at), load(precisions, at)
                u = spread(np.float64(flat[np.uint64(r0 + j)])) - a
                s0 = fma(u * v, u, s0)
                u = spread(np.float64(flat[np.uint64(r1 + j)])) - a
                s1 = fma(u * v, u, s1)
                u = spread(np.float64(flat[np.uint64(r2 + j)])) - a
                s2 = fma(u * v, u, s2)
                u = spread(np.float64(flat[np.uint64(r3 + j)])) - a
                s3 = fma(u * v, u, s3)
            store(sums, 0, s0)
            store(sums, LANES, s1)
            store(sums, 2 * LANES, s2)
            store(sums, 3 * LANES, s3)
            for q in range(min(4, r - i)):
                for b in range(min(LANES, k - c)):
                    s = base[c + b] - 0.5 * sums[q, b]
                    out[i + q, c + b] += _seen(X, i + q, mean, precision, log_norm, c + b) if isnan(s) else s


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
            score = base[c] - total(s)
            if isnan(score):
                score = _student_seen(X, i, mean, precision, half, log_norm, c)
            out[i, c] += score


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
    flat = z.reshape(z.size)
    for i in range(0, r, 4):
        m = min(4, r - i)
        for c in range(k):
            for q in range(m):
                for j in range(d):
                    z[q, j] = np.float64(X[i + q, j]) - mean[c, j]
            t0 = t1 = t2 = t3 = spread(0.0)
            for p in range(whiten.shape[1]):
                s0 = s1 = s2 = s3 = spread(0.0)
                at = (c * whiten.shape[1] + p) * d * LANES
                for j in range(min(d, (p + 1) * LANES)):
                    a = load(whiten, at + j * LANES)
                    s0 = fma(spread(flat[np.uint64(j)]), a, s0)
                    s1 = fma(spread(flat[np.uint64(d + j)]), a, s1)
                    s2 = fma(spread(flat[np.uint64(2 * d + j)]), a, s2)
                    s3 = fma(spread(flat[np.uint64(3 * d + j)]), a, s3)
                t0, t1, t2, t3 = fma(s0, s0, t0), fma(s1, s1, t1), fma(s2, s2, t2), fma(s3, s3, t3)
            out[i, c] += constant[c] - 0.5 * total(t0)
            if m > 1:
                out[i + 1, c] += constant[c] - 0.5 * total(t1)
            if m > 2:
                out[i + 2, c] += constant[c] - 0.5 * total(t2)
            if m > 3:
                out[i + 3, c] += constant[c] - 0.5 * total(t3)
