"""Answers to requests, counted in memory: one scan a block, row blocks in threads, one table a thread, then +."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import (
    ClassWeights,
    CoMoments,
    MeasureCoMoments,
    MeasureMoments,
    Moments,
    SumTotals,
    Totals,
)
from candide.counts.double import Double
from candide.data import Source, is_sparse
from candide.engines.memory.rows import (
    amid,
    as_numbers,
    dense,
    part_of,
    refuse_infinite,
    refuse_nan,
    refuse_size,
    stored,
)
from candide.errors import NegativeValue, TooLarge, TooSmall
from candide.kernels import for_work
from candide.kernels.threads import run
from candide.labels import Labels

Floats = NDArray[np.float64]

BLOCK = 1 << 16  # labels looked at together
NEAR = 2.0**20  # a pivot so many times the spread away leaves cells 32 bits below the spread
SQUARES_AT_MOST = 1e290  # beyond it, sums in two floats overflow
SQUARES_AT_LEAST = 1e-290  # below it, they lose their lower half


def class_weights(source: Source) -> ClassWeights:
    """The number of rows of each class, or the sum of their weights."""
    kernel = for_work(len(source.y))

    def block(lo: int, hi: int) -> Floats:
        weights = np.zeros(len(source.classes))
        for start in range(lo, hi, BLOCK):
            at = slice(start, min(hi, start + BLOCK))
            kernel.class_weights(source.y[at], part_of(source.weights, at), weights)
        return weights

    return ClassWeights(source.classes, reduce(add, run(block, len(source.y))))


def moments(request: MeasureMoments, source: Source, old: Moments | None) -> Moments:
    """Number, and sums about a pivot amid the rows, of each class and column."""
    X, y = dense(source.numbers(request.columns)), source.y
    shape = (len(source.classes), len(request.columns))
    pivot = _pivot(X, source, old)
    kernel = for_work(X.size)

    def block(lo: int, hi: int) -> Moments:
        n, s1, e1, s2, e2 = (np.zeros(shape) for _ in range(5))
        for part, at in as_numbers(X, lo, hi):
            kernel.moments(part, y[at], part_of(source.weights, at), pivot, n, s1, e1, s2, e2)
        with np.errstate(invalid="ignore"):
            return Moments(request, source.classes, pivot, n, Double.joined(s1, e1), Double.joined(s2, e2))

    with np.errstate(invalid="ignore"):
        counted = reduce(add, run(block, len(X), row_cost=max(1, shape[1])))
    _refuse_overflow(X, source, pivot, counted.second.high)
    _refuse_underflow(counted, counted.second.high)
    return counted


def comoments(request: MeasureCoMoments, source: Source, old: CoMoments | None) -> CoMoments:
    """The same with the full scatter of each class."""
    X, y = dense(source.numbers(request.columns)), source.y
    k, d = len(source.classes), len(request.columns)
    refuse_size(k * d * d, f"{k} scatter matrices of {d} columns")
    pivot = _pivot(X, source, old)
    kernel = for_work(X.size * d)

    def block(lo: int, hi: int) -> CoMoments:
        n, s1, e1, s2, e2 = np.zeros(k), np.zeros((k, d)), np.zeros((k, d)), np.zeros((k, d, d)), np.zeros((k, d, d))
        for part, at in as_numbers(X, lo, hi):
            kernel.comoments(part, y[at], part_of(source.weights, at), pivot, n, s1, e1, s2, e2)
        with np.errstate(invalid="ignore"):
            second = Double.joined(_mirrored(s2), _mirrored(e2))
            return CoMoments(request, source.classes, pivot, n, Double.joined(s1, e1), second)

    with np.errstate(invalid="ignore"):
        counted = reduce(add, run(block, len(X), row_cost=max(1, d * d)))
    _refuse_overflow(X, source, pivot, counted.second.high, gaps=False)
    _refuse_underflow(counted, np.einsum("cjj->cj", counted.second.high))
    return counted


def totals(request: SumTotals, source: Source, old: Totals | None) -> Totals:
    """Sums of columns, dense or sparse, and the refusal of negative cells."""
    X = source.numbers(request.columns)
    k, d = len(source.classes), len(request.columns)
    refuse_size(k * d, f"{k} classes times {d} columns")
    sums, least = (_sparse_totals if is_sparse(X) else _dense_totals)(request, source, X, np.zeros((k, d)))
    if not np.isfinite(sums.sum()) or np.isnan(least):
        if source.weights is not None and not source.weights.all():  # what does not count need not be a number
            return totals(request, source.take(np.flatnonzero(source.weights)), old)
        refuse_nan(X, source.weights)
        refuse_infinite(X, source.weights)
        raise TooLarge("the values of a column add up to more than a float can hold; scale them down.")
    if least < 0 and request.above is None:
        raise NegativeValue.passed_to("a model of counts")
    return Totals(request, source.classes, sums)


def _dense_totals(request: SumTotals, source: Source, X: NDArray[Any], zeros: Floats) -> tuple[Floats, float]:
    kernel = for_work(X.size)

    def block(lo: int, hi: int) -> tuple[Floats, float]:
        sums, least = np.zeros_like(zeros), np.inf
        for part, at in as_numbers(X, lo, hi, native="fiu"):
            found = kernel.totals(part, source.y[at], part_of(source.weights, at), request.above, sums)
            least = min(least, found) if found == found else found
        return sums, least

    parts = run(block, len(X), row_cost=max(1, X.shape[1]))
    return reduce(add, [sums for sums, _ in parts]), float(np.min([least for _, least in parts]))


def _sparse_totals(request: SumTotals, source: Source, X: Any, zeros: Floats) -> tuple[Floats, float]:
    kernel = for_work(X.nnz)
    least = kernel.sparse_totals(X.indptr, X.indices, stored(X), source.y, source.weights, request.above, zeros)
    return zeros, float(least)


def _pivot(X: NDArray[Any], source: Source, old: Moments | CoMoments | None) -> Floats:
    """The pivot of what was counted before, where it is near beside the spread of these rows; else a value amid them.

    About the same pivot rows are rounded alike whenever they come and go, and cancel to the last bit. But a pivot far
    from them, an outlier that came first, would round away what they differ in.
    """
    pivot, spread = amid(X, source.y, len(source.classes), source.weights)
    if old is None:
        return pivot
    held = _over_just(old, source.classes)
    spread = np.where(spread > 0, spread, np.abs(pivot))  # of a row alone we know nothing but its size
    near = (np.abs(held.pivot - pivot) <= NEAR * spread) | (spread == 0)  # 0 is not rounded
    return np.where((held.seen > 0) & near, held.pivot, pivot)


def _over_just(old: Any, classes: Labels) -> Any:
    return old.over(old.classes | classes).only(classes)


def _mirrored(upper: Floats) -> Floats:
    return np.triu(upper) + np.swapaxes(np.triu(upper, 1), 1, 2)


def _refuse_overflow(X: NDArray[Any], source: Source, pivot: Floats, squares: Floats, gaps: bool = True) -> None:
    if np.all(np.abs(squares) <= SQUARES_AT_MOST):
        return
    if not gaps:
        refuse_nan(X, source.weights)
    refuse_infinite(X, source.weights)
    counting = X if source.weights is None else X[source.weights != 0]
    largest = np.float64(np.nanmax(np.abs(counting)))
    with np.errstate(over="ignore"):
        alone = (largest + np.abs(pivot).max()) ** 2 * len(X)
    if alone <= SQUARES_AT_MOST:
        heaviest = 1.0 if source.weights is None else source.weights.max()
        raise TooLarge(
            f"sample weights up to {heaviest:.3g} times squares of cells up to {largest:.3g} add up to more than a sum "
            "of floats can hold. Scale the weights down, or the column (any change of unit gives the same model)."
        )
    raise TooLarge(
        f"Input X contains a value too large: {largest:.3g}, whose square no sum of floats can hold. "
        "Scale the column (any change of unit gives the same model) or mark the value as missing."
    )


def _refuse_underflow(counted: Moments | CoMoments, squares: Floats) -> None:
    """Cells that differ, while the squares of all differences are zero, would pass for a constant column."""
    apart = np.ptp(counted.pivot, axis=0)
    varies = (counted.first.high != 0).any(axis=0) | (apart != 0)
    rows = counted.seen.sum(axis=0)
    mean_square = squares.sum(axis=0) / np.where(rows > 0, rows, 1.0)
    lost = varies & (mean_square < SQUARES_AT_LEAST) & (apart < np.sqrt(SQUARES_AT_LEAST))
    if lost.any():
        name = counted.request.columns[int(np.argmax(lost))]
        raise TooSmall(
            f"column {name!r} varies by so little that the squares vanish (below 1e-145); scale it up (any change of "
            "unit gives the same model)."
        )
