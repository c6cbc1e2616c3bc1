"""Blocks of rows as the kernels want them: C-contiguous, of a type they know, without copying what already is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.data import is_sparse
from candide.errors import NotFinite, NotSupported, TooLarge

Floats = NDArray[np.float64]

CELLS_AT_MOST = 1 << 31  # of a table of floats: 16 GB
COPY_ROWS = 4096  # a matrix that must be converted is converted in blocks of this many rows
PIVOT_ROWS = 5  # the median of so many rows of a class lies amid them, whatever two of them are


def stored(X: Any) -> NDArray[Any]:
    """The stored values of a CSR matrix, of a type that kernels know."""
    data: NDArray[Any] = X.data
    known = data.dtype.kind in "iu" or (data.dtype.kind == "f" and data.dtype.itemsize in (4, 8))
    return data if known and data.dtype.isnative else data.astype(np.float64)


def dense(X: Any) -> NDArray[Any]:
    """The matrix itself, unless it is stored by its non-zero cells."""
    if is_sparse(X):
        raise NotSupported("a sparse matrix can be summed, and no more; make it dense to measure it: X.toarray().")
    return np.asarray(X)


def as_numbers(X: NDArray[Any], lo: int, hi: int, native: str = "f") -> Iterator[tuple[NDArray[Any], slice]]:
    """Rows lo to hi in blocks fit for a kernel, with their places. `native` lists the kinds that need no conversion."""
    known = X.dtype.kind in native and (X.dtype.kind != "f" or X.dtype.itemsize in (4, 8)) and X.dtype.isnative
    if known and X.flags.c_contiguous:
        yield X[lo:hi], slice(lo, hi)
        return
    step = max(1, COPY_ROWS * 64 // max(64, X.shape[1]))
    for start in range(lo, hi, step):
        at = slice(start, min(hi, start + step))
        yield np.ascontiguousarray(X[at], dtype=X.dtype.newbyteorder("=") if known else np.float64), at


def part_of(weights: Floats | None, at: slice) -> Floats | None:
    """The weights of a block of rows."""
    return None if weights is None else weights[at]


def amid(X: NDArray[Any], y: NDArray[Any], k: int, weights: Floats | None = None) -> tuple[Floats, Floats]:
    """A value amid the rows of each class, column by column: the lower median of the first few; and their range.

    Cells that are not known, and rows that do not count, are passed over.
    """
    some = np.full((k, PIVOT_ROWS, X.shape[1]), np.nan)
    counting = None if weights is None or weights.all() else np.flatnonzero(weights)
    rows, places, ranks = _first_rows(y if counting is None else y[counting], k)
    with np.errstate(invalid="ignore", over="ignore"):
        some[places, ranks] = np.asarray(X[rows if counting is None else counting[rows]], dtype=np.float64)
    some[~np.isfinite(some)] = np.nan
    unknown = np.isnan(some).all(axis=1)
    if len(rows) and unknown.any():
        _find_later(X, y, weights, unknown, some)
    some.sort(axis=1)  # NaN goes last
    last = np.maximum((~np.isnan(some)).sum(axis=1) - 1, 0)
    low, middle, high = (
        np.take_along_axis(some, place[:, None, :], axis=1)[:, 0] for place in (np.zeros_like(last), last // 2, last)
    )
    with np.errstate(over="ignore"):
        spread = high - low
    return np.where(np.isnan(middle), 0.0, middle), np.where(np.isnan(spread), 0.0, spread)


def _first_rows(y: NDArray[Any], k: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Up to PIVOT_ROWS rows of each class: their numbers, classes and ranks within the class."""
    head = y[: max(4096, 8 * k)]
    absent = np.flatnonzero(np.bincount(head, minlength=k) == 0)
    if len(absent) > 64:
        rows = np.arange(len(y))
    else:
        later = [np.flatnonzero(y == c)[:PIVOT_ROWS] for c in absent] if len(head) < len(y) else []
        rows = np.concatenate([np.arange(len(head)), *later]).astype(np.int64)
    places = y[rows].astype(np.int64)
    order, ranks = _ranked(places)
    kept = ranks < PIVOT_ROWS
    return rows[order[kept]], places[order[kept]], ranks[kept]


def _find_later(
    X: NDArray[Any], y: NDArray[Any], weights: Floats | None, unknown: NDArray[np.bool_], some: Floats
) -> None:
    """Fill in the first known cells of columns and classes of which the first few rows knew none."""
    k, unknown = len(unknown), unknown.copy()
    unknown[np.bincount(y, minlength=k) == 0] = False
    lo = 0
    while lo < len(X) and unknown.any():
        hi = min(len(X), lo + COPY_ROWS)
        wanted = np.take(unknown.any(axis=1), y[lo:hi])
        if weights is not None:
            wanted &= weights[lo:hi] != 0
        rows = lo + np.flatnonzero(wanted)
        known = np.isfinite(X[lo:hi] if len(rows) == hi - lo else X[rows])
        columns = np.flatnonzero(unknown.any(axis=0) & known.any(axis=0))
        i, j = np.nonzero(known[:, columns] & unknown[np.ix_(y[rows], columns)])
        i, j = rows[i], columns[j]
        order, ranks = _ranked(j * k + y[i].astype(np.int64))
        first = ranks < PIVOT_ROWS
        i, j, ranks = i[order[first]], j[order[first]], ranks[first]
        some[y[i], ranks, j] = X[i, j]
        unknown[y[i], j] = False
        lo = hi


def _ranked(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The order that brings equal keys together, and the rank of each among its equals."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    return order, np.arange(len(keys)) - np.searchsorted(ordered, ordered)


def refuse_infinite(X: Any, weights: Floats | None = None) -> None:
    """Say where the first infinity is, among the rows that count."""
    for place, column, value in _cells_like(X, weights, np.isinf):
        raise NotFinite(
            f"Input X contains infinity or a value too large for dtype('float64'): {value} in row {place}, column "
            f"{column}. Mark what is not known as NaN where gaps are allowed, or leave the row out."
        )


def refuse_nan(X: Any, weights: Floats | None = None) -> None:
    """Say where the first NaN is."""
    for place, column, _ in _cells_like(X, weights, np.isnan):
        raise NotFinite(
            f"Input X contains NaN in row {place}, column {column}: this model cannot leave a cell out. Fill it, leave "
            "the row out, or use a model that allows gaps (GaussianNB, GaussianDiscriminant(covariance='diagonal'))."
        )


def refuse_unknown(X: Any) -> None:
    """Both of these; a look at the sum tells whether there is anything to refuse."""
    cells = X.data if is_sparse(X) else X
    with np.errstate(invalid="ignore", over="ignore"):
        if cells.dtype.kind == "f" and not np.isfinite(cells.sum(dtype=np.float64)):
            refuse_nan(X)
            refuse_infinite(X)


def _cells_like(X: Any, weights: Floats | None, test: Any) -> Iterator[tuple[int, int, Any]]:
    """The first cell of each row block that passes the test: row, column, value."""
    if is_sparse(X):
        found = np.flatnonzero(test(X.data)) if X.data.dtype.kind == "f" else np.zeros(0, dtype=int)
        if len(found):
            row = int(np.searchsorted(X.indptr, found[0], side="right")) - 1
            yield row, int(X.indices[found[0]]), X.data[found[0]]
        return
    if X.dtype.kind != "f":
        return
    for lo in range(0, X.shape[0], COPY_ROWS):
        hits = test(X[lo : lo + COPY_ROWS])
        if weights is not None:
            hits &= (weights[lo : lo + COPY_ROWS] != 0)[:, None]
        if hits.any():
            i, j = np.argwhere(hits)[0]
            yield lo + int(i), int(j), X[lo + i, j]


def refuse_size(cells: int, what: str) -> None:
    """Say so before the memory is asked for."""
    if cells > CELLS_AT_MOST:
        raise TooLarge(f"{what} need {cells * 8 / 1e9:,.0f} GB; use fewer columns, or a model with fewer numbers.")
