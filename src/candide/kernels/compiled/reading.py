"""From scores to posteriors, their logarithms, and labels."""

from __future__ import annotations

from math import isfinite, log

import numpy as np

from candide.kernels.compiled import elementary
from candide.kernels.compiled.base import Floats, Ints, kernel
from candide.kernels.compiled.lanes import LANES, first, load, load_some, number, put_number, store, store_some

__all__ = ["begin", "first_best", "log_normalise", "normalise"]

BLOCK = 2048  # scores between one pass over them and the next

_exp = elementary.exp


def begin(start: Floats, out: Floats) -> None:
    """Every row of `out` becomes `start`."""
    _begin(start, out)


def normalise(out: Floats) -> None:
    """Softmax of each row in place: exp(s - max) / Σ exp(s - max)."""
    if out.shape[1] == 2:
        _normalise_pairs(out)
    else:
        _normalise(out)


def log_normalise(out: Floats) -> None:
    """Log-softmax of each row in place: s - max - log Σ exp(s - max)."""
    _log_normalise(out)


def first_best(out: Floats, tie: float, size: float, labels: Ints) -> None:
    """labels[i] = the first class whose score is at least best - tie max(size, |best|).

    It is -1 where a score is NaN or the best is not finite.
    """
    if out.shape[1] == 2:
        _better_of_two(out, float(tie), float(size), labels)
    else:
        _first_best(out, float(tie), float(size), labels)


@kernel
def _begin(start: Floats, out: Floats) -> None:
    """Row by row."""
    r, k = out.shape
    for i in range(r):
        for c in range(k):
            put_number(out, i * k + c, start[np.uint64(c)])


@kernel
def _exps(values: Floats, lo: int, hi: int) -> None:
    """exp of each of a flat range, in place."""
    for at in range(lo, hi - LANES + 1, LANES):
        store(values, at, _exp(load(values, at)))
    rest = (hi - lo) % LANES
    if rest:
        mask = first(rest)
        store_some(values, hi - rest, _exp(load_some(values, hi - rest, mask)), mask)


@kernel
def _normalise_pairs(out: Floats) -> None:
    """Two classes need one exponential: 1 / (1 + e) and e / (1 + e) with e = exp(-|s - t|)."""
    e = np.empty(BLOCK)
    for lo in range(0, len(out), BLOCK):
        m = min(BLOCK, len(out) - lo)
        for i in range(m):
            e[i] = -abs(number(out, 2 * (lo + i)) - number(out, 2 * (lo + i) + 1))
        _exps(e, 0, m)
        for i in range(m):
            at = 2 * (lo + i)
            big = 1.0 / (1.0 + e[i])
            small = e[i] * big
            swap = number(out, at) < number(out, at + 1)
            put_number(out, at, small if swap else big)
            put_number(out, at + 1, big if swap else small)


@kernel
def _centre(out: Floats, lo: int, hi: int) -> None:
    """Take the largest score of each row away from it."""
    k = out.shape[1]
    for at in range(lo * k, hi * k, k):
        best = number(out, at)
        for q in range(at + 1, at + k):
            best = number(out, q) if number(out, q) > best else best
        for q in range(at, at + k):
            put_number(out, q, number(out, q) - best)


@kernel
def _row_sum(values: Floats, at: int, k: int) -> float:
    """The sum of k values; two chains."""
    a = b = 0.0
    for q in range(at, at + k - 1, 2):
        a += number(values, q)
        b += number(values, q + 1)
    return a + b + (number(values, at + k - 1) if k % 2 else 0.0)


@kernel
def _normalise(out: Floats) -> None:
    """A block of rows at a time, three times over it."""
    r, k = out.shape
    step = max(1, BLOCK // k)
    for lo in range(0, r, step):
        hi = min(r, lo + step)
        _centre(out, lo, hi)
        _exps(out, lo * k, hi * k)
        for at in range(lo * k, hi * k, k):
            scale = 1.0 / _row_sum(out, at, k)
            for q in range(at, at + k):
                put_number(out, q, number(out, q) * scale)


@kernel
def _log_normalise(out: Floats) -> None:
    """As `_normalise`, the exponentials in a block of their own."""
    r, k = out.shape
    step = max(1, BLOCK // k)
    e = np.empty(step * k)
    for lo in range(0, r, step):
        hi = min(r, lo + step)
        _centre(out, lo, hi)
        for q in range((hi - lo) * k):
            put_number(e, q, number(out, lo * k + q))
        _exps(e, 0, (hi - lo) * k)
        for i in range(hi - lo):
            offset = log(_row_sum(e, i * k, k))
            for q in range((lo + i) * k, (lo + i + 1) * k):
                put_number(out, q, number(out, q) - offset)


@kernel
def _better_of_two(out: Floats, tie: float, size: float, labels: Ints) -> None:
    """Without a branch, so that many rows are looked at together."""
    for i in range(len(out)):
        a, b = number(out, 2 * i), number(out, 2 * i + 1)
        best = a if a > b else b
        least = best - tie * max(size, abs(best))
        c = 0 if a >= least else 1
        finite = (best - best == 0.0) & (a == a) & (b == b)
        labels[np.uint64(i)] = c if finite else -1


@kernel
def _first_best(out: Floats, tie: float, size: float, labels: Ints) -> None:
    """The best score first, then the first class that is as good."""
    r, k = out.shape
    for i in range(r):
        at = i * k
        best, whole = number(out, at), True
        for q in range(at, at + k):
            s = number(out, q)
            best = s if s > best else best
            whole = whole and s == s  # NaN is not
        least = best - tie * max(size, abs(best))
        c = -1
        if whole and isfinite(best):
            c = 0
            while number(out, at + c) < least:
                c += 1
        labels[i] = c
