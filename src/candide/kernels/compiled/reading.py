"""From scores to posteriors, their logarithms, and labels."""

from __future__ import annotations

from math import isfinite, isnan, log

import numpy as np

from candide.kernels.compiled import elementary
from candide.kernels.compiled.base import Floats, Ints, kernel
from candide.kernels.compiled.lanes import LANES, first, load, load_some, store, store_some

__all__ = ["first_best", "log_normalise", "normalise"]

BLOCK = 2048  # scores between one pass over them and the next

_exp = elementary.exp


def normalise(out: Floats) -> None:
    """Softmax of each row in place: exp(s - max) / Σ exp(s - max)."""
    if out.shape[1] == 2:
        _normalise_pairs(out)
    else:
        _normalise(out)


def log_normalise(out: Floats) -> None:
    """Log-softmax of each row in place: s - max - log Σ exp(s - max)."""
    _log_normalise(out)


def first_best(out: Floats, tie: float, labels: Ints) -> None:
    """labels[i] = the first class whose score is at least best - tie max(1, |best|); -1 where a score is NaN."""
    _first_best(out, float(tie), labels)


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
    r = len(out)
    e = np.empty(BLOCK)
    for lo in range(0, r, BLOCK):
        part = out[lo : min(r, lo + BLOCK)]
        m = len(part)
        for i in range(m):
            e[i] = -abs(part[i, 0] - part[i, 1])
        _exps(e, 0, m)
        for i in range(m):
            big = 1.0 / (1.0 + e[i])
            small = e[i] * big
            swap = part[i, 0] < part[i, 1]
            part[i, 0] = small if swap else big
            part[i, 1] = big if swap else small


@kernel
def _normalise(out: Floats) -> None:
    """A block of rows at a time, three times over it."""
    r, k = out.shape
    step = max(1, BLOCK // k)
    for lo in range(0, r, step):
        hi = min(r, lo + step)
        for i in range(lo, hi):
            s = out[i]
            best = s[0]
            for c in range(1, k):
                best = s[c] if s[c] > best else best
            for c in range(k):
                s[c] -= best
        _exps(out, lo * k, hi * k)
        for i in range(lo, hi):
            s = out[i]
            sum_ = 0.0
            for c in range(k):
                sum_ += s[c]
            scale = 1.0 / sum_
            for c in range(k):
                s[c] *= scale


@kernel
def _log_normalise(out: Floats) -> None:
    """As `_normalise`, the exponentials in a block of their own."""
    r, k = out.shape
    step = max(1, BLOCK // k)
    e = np.empty(step * k)
    for lo in range(0, r, step):
        hi = min(r, lo + step)
        for i in range(lo, hi):
            s = out[i]
            best = s[0]
            for c in range(1, k):
                best = s[c] if s[c] > best else best
            for c in range(k):
                s[c] -= best
                e[(i - lo) * k + c] = s[c]
        _exps(e, 0, (hi - lo) * k)
        for i in range(lo, hi):
            sum_ = 0.0
            for c in range(k):
                sum_ += e[(i - lo) * k + c]
            offset = log(sum_)
            for c in range(k):
                out[i, c] -= offset


@kernel
def _first_best(out: Floats, tie: float, labels: Ints) -> None:
    """The best score first, then the first class that is as good."""
    r, k = out.shape
    for i in range(r):
        s = out[i]
        best, check = s[0], 0.0
        for c in range(k):
            best = s[c] if s[c] > best else best
            check += 1.0 if isnan(s[c]) else 0.0
        if check > 0.0:
            labels[i] = -1
            continue
        least = best - tie * max(1.0, abs(best)) if isfinite(best) else best
        c = 0
        while s[c] < least:
            c += 1
        labels[i] = c
