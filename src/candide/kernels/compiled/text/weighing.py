"""Scores of documents: the weights of their words, added."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.kernels.compiled.base import Array, Floats, Ints, floats, kernel, sealed
from candide.kernels.compiled.lanes import LANES, first, fma, integer, number, prefetch, spread
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
    times: NDArray[np.int32],
    out: Floats,
    lengths: Floats,
) -> None:
    """out[d] += Σ x_v weights[v] over the distinct known words v of document d; lengths[d] = Σ x of all words.

    x is tf, 1 or log(1 + tf), as `kind` says, divided by √Σ x² if `unit_length`; each number below 0 is a word
    that is not known and occurs once. `times` holds as many zeros as there are words, then and afterwards.
    """
    rows, read = floats(weights), (sealed(ids), sealed(ends))
    if kind == COUNT and not unit_length:
        lengths[:] = np.diff(ends)
        _add(*read, rows, out)
    else:
        _weigh(*read, rows, kind, unit_length, times, out, lengths)


@inlined
def _ask(weights: Array, v: int, k: int, step: int) -> None:
    """Ask for a row of weights, or the beginning of a long one."""
    for c in range(0, min(k, 8 * step), step):
        prefetch(weights, v * k + c)


@kernel
def _add(ids: Any, ends: Ints, weights: Array, out: Floats) -> None:
    """Word by word, as often as it occurs; the sums of few classes stay in registers."""
    k, step, every = out.shape[1], LINE // weights.itemsize, len(ids) - 1
    for d in range(len(ends) - 1):
        at, lo, hi = d * k, integer(ends, d), integer(ends, d + 1)
        for c in range(0, k if k <= FEW else 0, LANES):
            mask, whole = first(k - c), c + LANES <= k
            total = get(out, at + c, mask, whole)
            for q in range(lo, hi):
                if c == 0:
                    _ask(weights, max(0, integer(ids, min(q + AHEAD, every))), k, step)
                v = integer(ids, q)
                if v >= 0:
                    total += get(weights, v * k + c, mask, whole)
            put(out, at + c, total, mask, whole)
        if k <= FEW:
            continue
        for q in range(lo, hi):
            _ask(weights, max(0, integer(ids, min(q + AHEAD, every))), k, step)
            v = integer(ids, q)
            if v >= 0:
                for c in range(0, k, LANES):
                    mask, whole = first(k - c), c + LANES <= k
                    put(out, at + c, get(out, at + c, mask, whole) + get(weights, v * k + c, mask, whole), mask, whole)


@kernel
def _weigh(
    ids: Any, ends: Ints, weights: Array, kind: int, unit_length: bool, times: Any, out: Floats, lengths: Floats,
) -> None:  # fmt: skip
    """Distinct word by distinct word."""
    k, step, n = out.shape[1], LINE // weights.itemsize, len(ends) - 1
    distinct, table = np.empty(longest(ends, NONE, n), np.int32), logs()
    x = np.empty(len(distinct))
    for d in range(n):
        many = tally(ids, ends[d], ends[d + 1], times, distinct)
        length = square = 0.0
        strange = ends[d + 1] - ends[d]
        for q in range(many):
            v = integer(distinct, q)
            tf = integer(times, v)
            times[np.uint64(v)] = 0
            strange -= tf
            x[q] = tf if kind == COUNT else 1.0 if kind == ONCE else log_of(tf, table)
            length += x[q]
            square += x[q] * x[q]
        one = log_of(1, table) if kind == LOG else 1.0
        length += strange * one
        square += strange * one * one
        scale = 1.0 / sqrt(square) if unit_length and square > 0.0 else 1.0
        lengths[np.uint64(d)] = length * scale
        at = d * k
        for q in range(many):
            _ask(weights, integer(distinct, min(q + AHEAD, many - 1)), k, step)
            row, xq = integer(distinct, q) * k, spread(number(x, q) * scale)
            for c in range(0, k, LANES):
                mask, whole = first(k - c), c + LANES <= k
                total = get(out, at + c, mask, whole)
                put(out, at + c, fma(get(weights, row + c, mask, whole), xq, total), mask, whole)
