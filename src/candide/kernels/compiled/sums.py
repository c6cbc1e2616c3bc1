"""Weighted sums of the rows of each class, dense and sparse."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, Ints, classes, doubles, kernel, numbers, sealed
from candide.kernels.compiled.lanes import (
    LANES,
    choose,
    first,
    fma,
    greater,
    integer,
    is_nan,
    number,
    prefetch,
    put_number,
    smaller,
    spread,
    store,
)
from candide.kernels.compiled.rows import get, put
from candide.kernels.threads import run, thread_count

__all__ = ["class_order", "sparse_totals", "totals"]

AHEAD = 2  # rows between asking for one and adding it
STEP = 16  # stored values in two cache lines of doubles, or one of column numbers


def totals(X: Array, y: Array, w: Floats | None, above: float | None, sums: Floats) -> float:
    """Add to sums[c] Σ w x over the rows of class c, or Σ w [x > above]; return the smallest x (inf if none).

    A NaN makes its sum NaN, whatever is added.
    """
    return float(_totals(numbers(X), classes(y), None if w is None else doubles(w), above, sums))


@kernel
def _totals(X: Array, y: Array, w: Any, above: Any, sums: Floats) -> Any:
    """A row at a time, eight columns at a time; NaN compares as no smaller, so it shows in the sums only."""
    (r, d), zero, one = X.shape, spread(0.0), spread(1.0)
    least = spread(np.inf)
    for i in range(r):
        base = integer(y, i) * d
        wi = one if w is None else spread(number(w, i))
        for j in range(0, d, LANES):
            mask, whole = first(d - j), j + LANES <= d
            x = get(X, i * d + j, mask, whole)
            least = smaller(choose(mask, x, least), least)
            if above is not None:
                x = choose(is_nan(x), x, choose(greater(x, spread(above)), one, zero))
            put(sums, base + j, fma(x, wi, get(sums, base + j, mask, whole)), mask, whole)
    kept = np.empty(LANES)
    store(kept, 0, least)
    return kept.min()


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
        c = integer(y, i)
        order[place[c]] = i
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
    """Add the stored values of rows order[lo:hi] to one dense row; return the smallest of them.

    Rows in class order lie apart, where no processor looks for the next one by itself: each step asks for its like in
    a row to come.
    """
    least: Any = np.inf
    for q in range(lo, hi):
        i = integer(order, q)
        start, end = integer(starts, i), integer(starts, i + 1)
        away = integer(starts, integer(order, min(q + AHEAD, hi - 1))) - start
        for part in range(start, end, STEP):
            prefetch(data, part + away)
            prefetch(data, part + away + STEP // 2)
            prefetch(indices, part + away)
            for p in range(part, min(end, part + STEP)):
                v = number(data, p)
                least = min(v, least)
                if above is not None:
                    v = (1.0 if v > above else 0.0) if v == v else v
                if w is not None:
                    v *= number(w, i)
                at = integer(indices, p)
                put_number(row, at, number(row, at) + v)
    return least  # type: ignore[no-any-return]
