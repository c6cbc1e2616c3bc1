"""What several kernels do with lanes: columns that do not fill eight, exact sums, rows in class order."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, kernel
from candide.kernels.compiled.lanes import LANES, first, fma, fms, load, load_some, store, store_some


@kernel
def class_lists(y: Array, w: Any, lo: int, hi: int, start: Array, rows: Array) -> None:
    """List rows lo..hi-1 by class, those of weight zero left out: class c has rows[start[c] : start[c + 1]]."""
    k = len(start) - 2
    start[:] = 0
    for i in range(lo, hi):
        if w is None or w[np.uint64(i)] != 0.0:
            start[np.uint64(y[np.uint64(i)]) + np.uint64(2)] += 1
    for c in range(2, k + 1):
        start[np.uint64(c + 1)] += start[np.uint64(c)]
    for i in range(lo, hi):
        if w is None or w[np.uint64(i)] != 0.0:
            place = np.uint64(y[np.uint64(i)]) + np.uint64(1)
            rows[np.uint64(start[place])] = i
            start[place] += 1


@kernel
def two_sum(s: Any, e: Any, x: Any, one: Any) -> Any:
    """s + e + x, the rounding error of s + x going to e (Knuth); products by one employ the multipliers, too."""
    total = fma(s, one, x)
    part = total - s
    error = fma(s - (total - part), one, fms(x, one, part))
    return total, e + error


@kernel
def get(array: Array, at: int, mask: Any, whole: bool) -> Any:
    """Eight columns, or those of the mask."""
    return load(array, at) if whole else load_some(array, at, mask)


@kernel
def put(array: Floats, at: int, value: Any, mask: Any, whole: bool) -> None:
    """Write eight columns, or those of the mask."""
    if whole:
        store(array, at, value)
    else:
        store_some(array, at, value, mask)


@kernel
def raise_by(out: Floats, i: int, c: int, s: Any) -> None:
    """Add eight scores to row i from class c on, or as many as there are classes."""
    k = out.shape[1]
    mask, whole, at = first(k - c), c + LANES <= k, i * k + c
    put(out, at, get(out, at, mask, whole) + s, mask, whole)
