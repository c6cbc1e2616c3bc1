"""Weighted sums of the rows of each class, dense and sparse."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, Ints, classes, doubles, kernel, loose_kernel, numbers, sealed
from candide.kernels.threads import run, thread_count

__all__ = ["class_order", "sparse_totals", "totals"]


def totals(X: Array, y: Array, w: Floats | None, above: float | None, sums: Floats) -> float:
    """Add to sums[c] Σ w x over the rows of class c, or Σ w [x > above]; return the smallest x (inf if none)."""
    return float(_totals(numbers(X), classes(y), None if w is None else doubles(w), above, sums))


@loose_kernel
def _totals(X: Array, y: Array, w: Any, above: Any, sums: Floats) -> float:
    """A row at a time; NaN compares as no smaller, so it shows in the sums only."""
    d = X.shape[1]
    least = np.full(d, np.inf)
    for i in range(len(X)):
        x, s = X[i], sums[np.int64(y[i])]
        wi = 1.0 if w is None else w[i]
        for j in range(d):
            v: Any = np.float64(x[j])
            least[j] = v if v < least[j] else least[j]
            if above is not None:
                v = 1.0 if v > above else 0.0
            s[j] += v if w is None else wi * v
    return least.min() if d else np.inf


def sparse_totals(
    indptr: Array, indices: Array, data: Array, y: Array, w: Floats | None, above: float | None, sums: Floats
) -> float:
    """`totals` of a CSR matrix; return the smallest stored value (inf if there is none).

    `indptr` may be a slice of a longer one: its entries are positions in `indices` and `data`. Rows are taken in the
    order of the classes, so that one row of `sums` at a time is written; threads share the rows, wherever a class ends.
    """
    k, d = sums.shape
    starts, columns, values = sealed(indptr.astype(np.int64, copy=False)), sealed(indices), numbers(data)
    codes, weights = classes(y), None if w is None else doubles(w)
    order, ends = class_order(codes, k)

    def part(lo: int, hi: int) -> list[tuple[int, Floats | None, float]]:
        """The classes between two positions of `order`; a class that others share gets a row of its own."""
        found = []
        first_class = int(np.searchsorted(ends, lo, "right")) - 1
        for c in range(first_class, k):
            a, b = max(lo, int(ends[c])), min(hi, int(ends[c + 1]))
            if a >= b:
                if int(ends[c]) >= hi:
                    break
                continue
            own = a > ends[c]
            row = np.zeros(d) if own else sums[c]
            least = float(_gather(starts, columns, values, weights, above, order, a, b, row))
            found.append((c, row if own else None, least))
        return found

    cost = int(indptr[-1] - indptr[0]) // max(1, len(y)) + 1
    parts = run(part, len(y), row_cost=cost, cuts=_even_cuts(starts, order))
    least = np.inf
    for c, row, low in (piece for pieces in parts for piece in pieces):
        if row is not None:
            sums[c] += row
        least = min(least, low)
    return least


def class_order(y: Array, k: int) -> tuple[Ints, Ints]:
    """The row numbers by class, in order, and where each class begins (k + 1 positions)."""
    order, ends = np.empty(len(y), np.int64), np.zeros(k + 1, np.int64)
    _class_order(y, order, ends)
    return order, ends


@kernel
def _class_order(y: Array, order: Ints, ends: Ints) -> None:
    """Counting sort."""
    k = len(ends) - 1
    for i in range(len(y)):
        ends[np.uint64(y[i]) + np.uint64(1)] += 1
    for c in range(k):
        ends[c + 1] += ends[c]
    place = ends[:k].copy()
    for i in range(len(y)):
        c = np.uint64(y[i])
        order[np.uint64(place[c])] = i
        place[c] += 1


def _even_cuts(starts: Ints, order: Ints) -> list[int]:
    """Positions in `order` that give each thread about as many stored values."""
    threads = thread_count()
    if threads == 1:
        return [0, len(order)]
    seen = np.cumsum(np.diff(starts)[order])
    each = (int(seen[-1]) if len(seen) else 0) / threads
    inner = np.searchsorted(seen, [each * t for t in range(1, threads)])
    return [0, *(int(p) for p in inner), len(order)]


@kernel
def _gather(
    starts: Ints, indices: Array, data: Array, w: Any, above: Any, order: Ints, lo: int, hi: int, row: Floats
) -> float:
    """Add the stored values of rows order[lo:hi] to one dense row; return the smallest of them."""
    least = np.inf
    for q in range(lo, hi):
        i = np.uint64(order[np.uint64(q)])
        for p in range(np.uint64(starts[i]), np.uint64(starts[i + np.uint64(1)])):
            v = np.float64(data[p])
            least = min(v, least)
            if above is not None:
                v = 1.0 if v > above else 0.0
            if w is not None:
                v *= w[i]
            row[np.uint64(indices[p])] += v
    return least
