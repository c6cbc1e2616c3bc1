"""How often each word occurs in the documents of a class."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.kernels.compiled.base import Floats, Ints, doubles, kernel, sealed
from candide.kernels.compiled.lanes import integer, number, prefetch, put_number

__all__ = ["SHARE", "count_ids", "mapped"]

SHARE = 2.0**24  # shares are whole multiples of its inverse, so that their sums are exact and may be taken apart
LOGS = 64  # logarithms that are looked up


def count_ids(
    ids: NDArray[np.int32],
    ends: Ints,
    lo: int,
    hi: int,
    weights: Floats | None,
    times: NDArray[np.int32],
    counts: Floats,
    documents: Floats | None,
    shares: Floats | None,
    touched: NDArray[np.int32],
    n_touched: int,
    logs: Ints,
) -> int:
    """Count documents lo..hi-1, all of one class; list the words counted for the first time; how many are listed now.

    With tf times word v in a document d of weight w: counts[v] += w tf, documents[v] += w, and
    shares[v] += w round(2²⁴ logs[tf] / √Σ logs²[tf]), over the words of d; the last of `logs` serves all greater tf,
    and all are whole numbers, so that every machine rounds alike. Only counts, much quicker, where `documents` and
    `shares` are None; a number below 0 is no word. `times` holds as many zeros as there are words, now and afterwards.
    A word is listed when its count is 0, so weights are positive; documents of weight 0 are left out.
    """
    w = np.ones(hi - lo) if weights is None else doubles(weights[lo:hi])
    read = sealed(ids), sealed(ends)
    if documents is None or shares is None:
        return int(_count(*read, lo, hi, sealed(w), counts, touched, n_touched))
    return int(_count_all(*read, lo, hi, sealed(w), times, counts, documents, shares, touched, n_touched, sealed(logs)))


@kernel
def _count(ids: Any, ends: Ints, lo: int, hi: int, w: Any, counts: Floats, touched: Any, n_touched: int) -> int:
    for d in range(lo, hi):
        weight = number(w, d - lo)
        if weight == 0.0:
            continue
        for q in range(integer(ends, d), integer(ends, d + 1)):
            v = integer(ids, q)
            if v < 0:
                continue
            before = number(counts, v)
            if before == 0.0:
                touched[np.uint64(n_touched)] = v
                n_touched += 1
            put_number(counts, v, before + weight)
    return n_touched


@kernel
def tally(ids: Any, start: int, stop: int, times: Any, distinct: Any) -> int:
    """List the distinct words among ids[start:stop] and count them in `times`, which held zeros; how many there are."""
    many = 0
    for q in range(start, stop):
        v = integer(ids, q)
        if v < 0:
            continue
        if times[np.uint64(v)] == 0:
            distinct[np.uint64(many)] = v
            many += 1
        times[np.uint64(v)] += np.int32(1)
    return many


@kernel
def longest(ends: Ints, lo: int, hi: int) -> int:
    """The number of words in the longest of the documents."""
    most = 0
    for d in range(lo, hi):
        most = max(most, ends[d + 1] - ends[d])
    return most


@kernel
def logs() -> Floats:
    """log(1 + tf) of few occurrences."""
    table = np.empty(LOGS)
    for tf in range(LOGS):
        table[tf] = log(1.0 + tf)
    return table


@kernel
def log_of(tf: int, table: Floats) -> float:
    """log(1 + tf)."""
    return number(table, tf) if tf < LOGS else log(1.0 + tf)


@kernel
def _count_all(
    ids: Any, ends: Ints, lo: int, hi: int, w: Any, times: Any, counts: Floats, documents: Floats, shares: Floats,
    touched: Any, n_touched: int, logs: Any,
) -> int:  # fmt: skip
    """A document twice over: how often each word occurs, then what that adds."""
    distinct, most = np.empty(longest(ends, lo, hi), np.int32), len(logs) - 1
    for d in range(lo, hi):
        weight = number(w, d - lo)
        if weight == 0.0:
            continue
        many, square = tally(ids, ends[d], ends[d + 1], times, distinct), np.int64(0)
        for q in range(many):
            v = integer(distinct, q)
            prefetch(counts, v)
            prefetch(documents, v)
            prefetch(shares, v)
            x = integer(logs, min(integer(times, v), most))
            square += x * x
        norm = sqrt(float(square))
        for q in range(many):
            v = integer(distinct, q)
            tf = integer(times, v)
            times[np.uint64(v)] = 0
            if number(counts, v) == 0.0:
                touched[np.uint64(n_touched)] = v
                n_touched += 1
            put_number(counts, v, number(counts, v) + weight * tf)
            put_number(documents, v, number(documents, v) + weight)
            share = np.rint(SHARE * float(integer(logs, min(tf, most))) / norm)
            put_number(shares, v, number(shares, v) + weight * share)
    return n_touched


def mapped(ids: NDArray[np.int32], ends: Ints, forms: NDArray[np.int32]) -> int:
    """Replace each id by forms[id], in place, and drop those that become −1; how many are left.

    An unknown word, whose id or form is another negative number, or whose id is −1, stays: it parts its neighbours.
    """
    return int(_mapped(ids, ends, sealed(forms)))


@kernel
def _mapped(ids: Any, ends: Ints, forms: Any) -> int:
    """Without a branch: whatever is dropped is written over."""
    kept, start = 0, ends[0]
    for d in range(len(ends) - 1):
        stop = ends[d + 1]
        for q in range(start, stop):
            v = integer(ids, q)
            form = integer(forms, max(v, 0))
            ids[np.uint64(kept)] = form if v >= 0 else -1
            kept += (form != -1) | (v < 0)
        start = stop
        ends[d + 1] = kept
    return kept
