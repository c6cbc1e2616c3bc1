"""Scores of documents: the weights of their words, added."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.kernels.compiled.base import Array, Floats, Ints, doubles, floats, kernel, sealed
from candide.kernels.compiled.lanes import LANES, first, fma, integer, number, prefetch, put_number, spread
from candide.kernels.compiled.rows import get, put
from candide.kernels.compiled.text.counting import log_of, logs, longest, tally
from candide.kernels.compiled.text.inline import NONE, inlined

__all__ = ["COUNT", "LOG", "ONCE", "weigh"]

COUNT, ONCE, LOG = 0, 1, 2  # what a word that occurs tf times counts: tf, 1, log(1 + tf)
AHEAD = 12  # words between asking for a row of weights and adding it
LINE = 64  # bytes of a cache line
FEW = 4 * LANES  # classes whose sums stay in registers, eight at a time


def weigh(
    ids: NDArray[np.int32],
    ends: Ints,
    weights: Array,
    kind: int,
    unit_length: bool,
    power: float,
    start: Floats,
    times: NDArray[np.int32],
    out: Floats,
) -> None:
    """out[d] = start + (1 + L)^power Σ x_v weights[v] over the distinct known words v of document d, L = Σ x_v.

    x is tf, 1 or log(1 + tf), as `kind` says, divided by √Σ x² if `unit_length`. `times` holds as many zeros as there
    are words, and does so afterwards; −1 is no known word.
    """
    rows, read = floats(weights), (sealed(ids), sealed(ends))
    if kind == COUNT and not unit_length and power == 0.0:
        _add(*read, rows, doubles(start), out)
    else:
        _weigh(*read, rows, kind, unit_length, power, doubles(start), times, out)


@inlined
def _ask(weights: Array, v: int, k: int, step: int) -> None:
    """Ask for a row of weights, or the beginning of a long one."""
    for c in range(0, min(k, 8 * step), step):
        prefetch(weights, v * k + c)


@kernel
def _add(ids: Any, ends: Ints, weights: Array, start: Floats, out: Floats) -> None:
    """Word by word, as often as it occurs; the sums of few classes stay in registers."""
    k, step, every = out.shape[1], LINE // weights.itemsize, len(ids) - 1
    for d in range(len(ends) - 1):
        at, lo, hi = d * k, integer(ends, d), integer(ends, d + 1)
        for c in range(0, k if k <= FEW else 0, LANES):
            mask, whole = first(k - c), c + LANES <= k
            total = get(start, c, mask, whole)
            for q in range(lo, hi):
                if c == 0:
                    _ask(weights, max(0, integer(ids, min(q + AHEAD, every))), k, step)
                v = integer(ids, q)
                if v >= 0:
                    total += get(weights, v * k + c, mask, whole)
            put(out, at + c, total, mask, whole)
        if k <= FEW:
            continue
        for c in range(k):
            put_number(out, at + c, number(start, c))
        for q in range(lo, hi):
            _ask(weights, max(0, integer(ids, min(q + AHEAD, every))), k, step)
            v = integer(ids, q)
            if v >= 0:
                for c in range(0, k, LANES):
                    mask, whole = first(k - c), c + LANES <= k
                    put(out, at + c, get(out, at + c, mask, whole) + get(weights, v * k + c, mask, whole), mask, whole)


@kernel
def _weigh(
    ids: Any, ends: Ints, weights: Array, kind: int, unit_length: bool, power: float, start: Floats, times: Any,
    out: Floats,
) -> None:  # fmt: skip
    """Distinct word by distinct word."""
    k, step, n = out.shape[1], LINE // weights.itemsize, len(ends) - 1
    distinct, table = np.empty(longest(ends, NONE, n), np.int32), logs()
    x = np.empty(len(distinct))
    for d in range(n):
        many = tally(ids, ends[d], ends[d + 1], times, distinct)
        length = square = 0.0
        for q in range(many):
            v = integer(distinct, q)
            tf = integer(times, v)
            times[np.uint64(v)] = 0
            x[q] = tf if kind == COUNT else 1.0 if kind == ONCE else log_of(tf, table)
            length += x[q]
            square += x[q] * x[q]
        scale = 1.0 / sqrt(square) if unit_length and many else 1.0
        factor = spread(scale * (1.0 + length * scale) ** power if power != 0.0 else scale)
        at, zero = d * k, spread(0.0)
        for c in range(0, k, LANES):
            mask, whole = first(k - c), c + LANES <= k
            put(out, at + c, zero, mask, whole)
        for q in range(many):
            _ask(weights, integer(distinct, min(q + AHEAD, many - 1)), k, step)
            row, xq = integer(distinct, q) * k, spread(number(x, q))
            for c in range(0, k, LANES):
                mask, whole = first(k - c), c + LANES <= k
                total = get(out, at + c, mask, whole)
                put(out, at + c, fma(get(weights, row + c, mask, whole), xq, total), mask, whole)
        for c in range(0, k, LANES):
            mask, whole = first(k - c), c + LANES <= k
            put(out, at + c, fma(get(out, at + c, mask, whole), factor, get(start, c, mask, whole)), mask, whole)
