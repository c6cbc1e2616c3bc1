"""Counting levels: whole numbers are their own codes, everything else is given codes first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import CountLevels, Counts
from candide.data import Matrix, Source
from candide.data.columns import encoded
from candide.engines.memory.rows import dense, part_of, refuse_infinite, refuse_nan, refuse_size
from candide.errors import NegativeValue
from candide.kernels import for_work
from candide.kernels.threads import run
from candide.labels import Labels, is_missing

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WIDEST = 1 << 16  # a column of whole numbers below this is counted in a table of that width
HEAD = 4096  # rows that suggest how wide the tables must be
CELLS = 1 << 24  # of the tables of all columns together, or as many as the data have
INTEGERS = {np.dtype(name) for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")}


def levels(request: CountLevels, source: Source, old: Counts | None) -> Counts:
    """Counts of levels, by the quickest way the data allow."""
    if are_numbers(request.columns, source):
        return _of_numbers(request, source, dense(source.numbers(request.columns)))
    columns = request.columns
    counted = run(
        lambda lo, hi: [_counted(source, *source.encoded(columns[j])) for j in range(lo, hi)],
        len(columns),
        row_cost=source.n_rows,
        block=1,
    )
    pairs = [pair for part in counted for pair in part]
    return Counts.seen(request, source.classes, tuple(names for names, _ in pairs), tuple(table for _, table in pairs))


def are_numbers(columns: Sequence[Any], source: Source) -> bool:
    """Whether these columns are a matrix of numbers already."""
    return isinstance(source, Matrix) and source.is_numeric and not any(isinstance(name, tuple) for name in columns)


def _of_numbers(request: CountLevels, source: Source, X: NDArray[Any]) -> Counts:
    """A matrix of codes: one pass where all are whole and small, else column by column where not."""
    wide = np.zeros(X.shape[1], dtype=bool)
    if len(X):
        _refuse_negative(X[:HEAD])
        k = len(source.classes)
        refuse_size(k * X.shape[1], f"tables of {X.shape[1]} columns and {k} classes")
        widths = X[:HEAD].max(axis=0).astype(np.float64)
        tables = _tables(source, X, widths) if _fit(widths, X, k) else None
        if tables is None:
            widths, wide = _exact_widths(X)
            wide |= _too_wide(widths, X, k)
            tables = _tables(source, np.where(wide, 0, X) if wide.any() else X, np.where(wide, 0, widths))
            assert tables is not None, "widths are exact, so no code is beyond them"
    else:
        tables = [np.zeros((0, len(source.classes)))] * X.shape[1]
    names = [Labels(np.arange(len(table))) for table in tables]
    cells = 0
    for j in np.flatnonzero(wide):
        names[j], tables[j] = _counted(source, *encoded(_whole_if_it_is(X[:, j])))
        cells += tables[j].size
        refuse_size(cells, "tables of levels and classes")
    return Counts.seen(request, source.classes, tuple(names), tuple(tables))


def _tables(source: Source, X: NDArray[Any], highest: NDArray[Any]) -> list[Floats] | None:
    """A table of counts a column, or None if a row holds a code beyond the highest (or below 0, or between two)."""
    widths = highest.astype(np.int64) + 1
    ends = np.cumsum(widths)
    offsets, k = ends - widths, len(source.classes)
    kernel = for_work(X.size)

    def block(lo: int, hi: int) -> tuple[Floats, bool]:
        table = np.zeros((int(ends[-1]), k))
        for codes, at in _as_codes(X, lo, hi):
            if codes is None:
                return table, False
            counted = kernel.level_counts(codes, source.y[at], part_of(source.weights, at), offsets, widths, table)
            if counted < len(codes):
                return table, False
        return table, True

    parts = run(block, len(X), row_cost=max(1, X.shape[1]))
    if not all(done for _, done in parts):
        return None
    return np.split(reduce(add, [table for table, _ in parts]), ends[:-1])


def _as_codes(X: NDArray[Any], lo: int, hi: int) -> Any:
    """Blocks of whole numbers; None in place of a block that holds a fraction or a gap."""
    if X.dtype in INTEGERS and X.flags.c_contiguous:
        yield X[lo:hi], slice(lo, hi)
        return
    for start in range(lo, hi, HEAD):
        at = slice(start, min(hi, start + HEAD))
        part = X[at]
        with np.errstate(invalid="ignore"):
            codes = np.ascontiguousarray(part, dtype=np.int64)
        yield (codes if np.array_equal(codes, part) else None), at


def _fit(highest: NDArray[Any], X: NDArray[Any], k: int) -> bool:
    return bool(np.all(highest < WIDEST) and (highest + 1).sum() * k <= max(CELLS, X.size))


def _too_wide(highest: NDArray[Any], X: NDArray[Any], k: int) -> NDArray[np.bool_]:
    """Columns wider than an even share of the cells there may be, where all of them together do not fit."""
    if _fit(np.where(highest < WIDEST, highest, 0), X, k):
        return np.zeros(len(highest), dtype=bool)
    return np.asarray((highest > 0) & ((highest + 1) * k * len(highest) > max(CELLS, X.size)))


def _exact_widths(X: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """The highest code of each column, and the columns whose codes are fractions or too far apart for a table."""
    highest, fraction = np.zeros(X.shape[1]), np.zeros(X.shape[1], dtype=bool)
    for lo in range(0, len(X), HEAD):
        part = X[lo : lo + HEAD]
        _refuse_negative(part)
        if part.dtype.kind == "f":
            fraction |= (part != np.floor(part)).any(axis=0)
        highest = np.maximum(highest, part.max(axis=0))
    return highest, fraction | (highest >= WIDEST)


def _refuse_negative(part: NDArray[Any]) -> None:
    if part.dtype.kind == "f":
        refuse_nan(part)
        refuse_infinite(part)
    if part.dtype.kind in "fi" and part.size and part.min() < 0:
        raise NegativeValue.passed_to("a model of levels")


def _whole_if_it_is(cells: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers are whole numbers, whatever they are held in."""
    if cells.dtype.kind != "f" or not ((cells == np.floor(cells)) & (cells < 1 << 62)).all():
        return cells
    return cells.astype(np.int64)


def _counted(source: Source, names: Labels, codes: Ints) -> tuple[Labels, Floats]:
    """Levels and counts of a column of labels; missing cells are left out."""
    table = np.zeros((len(names), len(source.classes)))
    for_work(len(codes)).count_labels(codes, source.y, source.weights, table)
    return names, table


def places_among(levels: Labels, source: Source, column: Any, size: int | None) -> Ints:
    """The places of a column's cells as `codes_among` gives them."""
    names, codes = source.encoded(column)
    return missing_last(codes_among(levels, names.values, size))[codes]


def missing_last(places: Ints) -> Ints:
    """Places of labels, and −2 where −1, a missing cell, looks for its own."""
    return np.append(places, -2)


def codes_among(levels: Labels, cells: NDArray[Any], size: int | None) -> Ints:
    """Places among the levels; −1 unseen, −2 missing, −3 a whole number below `size` that no row had."""
    codes = levels.codes(cells)
    rest = np.flatnonzero(codes < 0)
    if not len(rest):
        return codes
    strange = cells[rest]
    if strange.dtype == object:
        missing = np.array([is_missing(cell) for cell in strange.tolist()])
        whole = np.array([_is_level(cell, size) for cell in strange.tolist()])
    elif strange.dtype.kind in "iuf":
        missing = strange != strange  # NaN alone differs from itself
        whole = (size is not None) & (strange >= 0) & (strange < (size or 0)) & (np.floor(strange) == strange)
    else:
        return codes
    codes[rest[missing]] = -2
    codes[rest[whole]] = -3
    return codes


def _is_level(cell: Any, size: int | None) -> bool:
    return size is not None and isinstance(cell, (int, float)) and 0 <= cell < size and float(cell).is_integer()
