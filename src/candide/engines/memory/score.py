"""Adding up scorecards in memory: blocks of rows small enough to stay in the cache while term after term is added."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.data import Source, is_sparse
from candide.engines.memory import word_sums
from candide.engines.memory.levels import INTEGERS, are_numbers, codes_among, missing_last, places_among
from candide.engines.memory.rows import as_numbers, stored
from candide.errors import NotSupported
from candide.kernels import for_work
from candide.kernels.threads import rows_in_cache, run
from candide.scorecard import (
    SAME,
    FullQuadratic,
    Linear,
    Lookup,
    Quadratic,
    Scorecard,
    Slopes,
    Steps,
    StudentT,
    Term,
    WordSum,
    price,
)

Floats = NDArray[np.float64]
# The kernel that adds each kind of term to blocks of numbers, and what it is given besides them.
DENSE: dict[type, Callable[[Any], tuple[str, tuple[Any, ...]]]] = {
    Linear: lambda term: ("add_linear", (term.weights, term.above, term.origin)),
    Quadratic: lambda term: ("add_quadratic", (term.mean, term.precision, term.log_norm)),
    FullQuadratic: lambda term: ("add_full_quadratic", (term.mean, term.whiten, np.zeros(len(term.mean)))),
    Slopes: lambda term: ("", (term.slope, term.offset)),
    StudentT: lambda term: ("add_student", (term.mean, term.precision, term.half, term.log_norm)),
}

Add = Callable[[int, int, Floats], None]  # add a term's evidence of rows lo to hi

A_TEXT, FEW_TEXTS, PARTS = 1000, 64, 32  # operations, at least; texts of a block; blocks
WIDEST = 1 << 20  # a table of levels is laid out in full up to this many


def visit(
    scorecard: Scorecard, source: Source, look: Callable[[int, int, Floats], None], out: Floats | None = None
) -> None:
    """Call look(lo, hi, scores) for blocks of rows; it may change the scores. They are kept in `out`, or not at all."""
    k, n = len(scorecard.classes), source.n_rows
    width = sum(len(term.columns) for term in scorecard.terms)
    adders = [_adder(term, source, k) for term in scorecard.terms]
    nevers = [_adder(never, source, k) for never in map(_never, scorecard.terms) if never is not None]
    possible = scorecard.possible if scorecard.rules_out else None
    start, begin = scorecard.start, for_work(n * k).begin

    def block(lo: int, hi: int) -> None:
        scores = np.empty((hi - lo, k)) if out is None else out[lo:hi]
        begin(start, scores)
        for add in adders:
            add(lo, hi, scores)
        if nevers:
            _add_impossible(nevers, lo, hi, possible, scores)
        look(lo, hi, scores)

    if n and any(isinstance(term, WordSum) for term in scorecard.terms):  # each text is work, and some are much
        run(block, n, row_cost=A_TEXT, block=min(rows_in_cache(k), max(FEW_TEXTS, n // PARTS)))
    elif n:
        run(block, n, row_cost=max(1, width * k), block=rows_in_cache(k))


def _never(term: Term) -> Linear | None:
    """How much of a row is impossible in each class, as a term."""
    if not isinstance(term, Linear) or term.never is None:
        return None
    return Linear(term.columns, term.never, np.zeros_like(term.constant), term.above, term.origin)


@np.errstate(over="ignore", invalid="ignore")
def _add_impossible(adders: list[Add], lo: int, hi: int, possible: NDArray[np.bool_] | None, scores: Floats) -> None:
    """Price what is impossible; or put classes in which there is more of it than in another possible one behind it."""
    total = np.zeros_like(scores)
    for add in adders:
        amounts = np.zeros_like(scores)
        add(lo, hi, amounts)
        if possible is None:
            scores += amounts * price(amounts)
        total += amounts
    if possible is not None:
        most = SAME * np.abs(total).max(axis=1, keepdims=True)
        total -= total[:, possible].min(axis=1, keepdims=True)
        scores += 0.0 * total  # what is no number shows
        out = (total > most) & possible
        best = np.where(out, -np.inf, scores).max(axis=1, keepdims=True)
        scores[out] = (best + total * price(total))[out]


def values_of(term: Term, source: Source) -> NDArray[Any]:
    """The rows of a term's columns as its `parts` take them: numbers, or places among levels."""
    if isinstance(term, Lookup):
        sizes = term.sizes or (None,) * len(term.columns)
        triples = zip(term.columns, term.levels, sizes, strict=True)
        codes = [places_among(levels, source, name, size) for name, levels, size in triples]
        return np.stack(codes, axis=1) if len(codes) else np.zeros((source.n_rows, 0), dtype=np.int64)
    if isinstance(term, WordSum):
        return np.array([*source.texts(term.columns[0]).to_pylist(), None], dtype=object)[:-1, None]
    X = source.numbers(term.columns)
    return np.asarray(X.toarray() if is_sparse(X) else X)


def _adder(term: Term, source: Source, k: int) -> Add:
    if isinstance(term, Lookup):
        return _lookup(term, source, k)
    if isinstance(term, Steps):
        return _steps(term, source, k)
    if isinstance(term, WordSum):
        return word_sums.adder(term, source, k)
    X = source.numbers(term.columns)
    if is_sparse(X):
        return _sparse_linear(term, X, k)
    return _dense(term, X, k)


def _dense(term: Term, X: NDArray[Any], k: int) -> Add:
    if type(term) not in DENSE:
        raise NotSupported(f"the memory engine cannot add {type(term).__name__}.")
    name, numbers = DENSE[type(term)](term)
    sums: Callable[..., None] = _slopes if isinstance(term, Slopes) else getattr(for_work(X.size * k), name)

    def add(lo: int, hi: int, scores: Floats) -> None:
        for part, at in as_numbers(X, lo, hi):
            sums(part, *numbers, scores[at.start - lo : at.stop - lo])

    return add


def _steps(term: Steps, source: Source, k: int) -> Add:
    kernel = for_work(source.n_rows * len(term.columns) * k)
    columns = [np.ascontiguousarray(source.numbers((name,))[:, 0], dtype=np.float64) for name in term.columns]

    def add(lo: int, hi: int, scores: Floats) -> None:
        for x, cuts, table in zip(columns, term.cuts, term.tables, strict=True):
            kernel.add_steps(x[lo:hi], cuts, table, scores)

    return add


def _slopes(X: NDArray[Any], slope: Floats, offset: Floats, scores: Floats) -> None:
    known = X == X
    scores += np.where(known, X, 0.0) @ slope.T + known @ offset.T


def _sparse_linear(term: Term, X: Any, k: int) -> Add:
    if not isinstance(term, Linear):
        raise NotSupported(f"{type(term).__name__} needs dense rows: X.toarray().")
    kernel = for_work(X.nnz * k)
    data = stored(X)

    def add(lo: int, hi: int, scores: Floats) -> None:
        kernel.add_sparse_linear(X.indptr[lo : hi + 1], X.indices, data, term.weights, term.above, scores)

    return add


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """The tables of a lookup one under the other."""

    offsets: NDArray[np.int64]
    widths: NDArray[np.int64]
    table: Floats


def _lookup(term: Lookup, source: Source, k: int) -> Add:
    kernel = for_work(source.n_rows * len(term.columns) * k)
    direct = _direct(term, source)
    if direct is not None:
        layout, codes = direct
    else:
        layout, codes = _with_extra_levels(term, k), _extended(term, source)

    def add(lo: int, hi: int, scores: Floats) -> None:
        part = codes[lo:hi]
        kernel.add_lookup(np.ascontiguousarray(part), layout.offsets, layout.widths, layout.table, term.unseen, scores)

    return add


def _direct(term: Lookup, source: Source) -> tuple[_Layout, NDArray[Any]] | None:
    """Whole numbers in a matrix can be their own places, if the tables are laid out in full."""
    if term.sizes is None or term.empty is None or not are_numbers(term.columns, source):
        return None
    X = source.numbers(term.columns)
    if X.dtype not in INTEGERS or not 0 < sum(term.sizes) <= WIDEST:
        return None
    tables = []
    for j, (levels, size) in enumerate(zip(term.levels, term.sizes, strict=True)):
        if levels.values.dtype.kind not in "iu":
            return None
        full = np.repeat(term.empty[j][None], size, axis=0)
        full[levels.values] = term.tables[j]
        tables.append(full)
    return _stacked(tables), X


def _with_extra_levels(term: Lookup, k: int) -> _Layout:
    """Each table with two more rows: nothing, for a missing cell, and a level that no row had."""
    empty = np.zeros((len(term.columns), k)) if term.empty is None else term.empty
    silent = np.zeros((1, k))
    return _stacked([np.concatenate([table, silent, empty[j : j + 1]]) for j, table in enumerate(term.tables)])


def _extended(term: Lookup, source: Source) -> NDArray[np.int32]:
    """The row of each cell in tables with two more rows, a column a thread."""
    sizes = term.sizes or (None,) * len(term.columns)
    out = np.empty((source.n_rows, len(term.columns)), dtype=np.int32)

    def columns(lo: int, hi: int) -> None:
        for j in range(lo, hi):
            names, codes = source.encoded(term.columns[j])
            rows, last = missing_last(codes_among(term.levels[j], names.values, sizes[j])), len(term.levels[j])
            rows[rows == -2], rows[rows == -3] = last, last + 1
            out[:, j] = rows[codes]

    run(columns, len(term.columns), row_cost=source.n_rows, block=1)
    return out


def _stacked(tables: list[Floats]) -> _Layout:
    widths = np.array([len(table) for table in tables], dtype=np.int64)
    return _Layout(np.cumsum(widths) - widths, widths, np.concatenate(tables) if tables else np.zeros((0, 0)))
