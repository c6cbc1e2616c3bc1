"""The engine for data that are in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import (
    CountCells,
    CountLevels,
    CountTokens,
    KeepRows,
    MeasureCoMoments,
    MeasureMoments,
    Rows,
    Statistic,
    SumTotals,
    Tally,
    Tokens,
)
from candide.data import Source
from candide.data.check import refuse_malformed
from candide.engines.memory import cells, collect, encode, finding, levels, rows, sample, score, tokens
from candide.errors import NotSupported, TooLarge
from candide.kernels.threads import run
from candide.labels import Labels
from candide.scorecard import Floats, FullQuadratic, Linear, Lookup, Scorecard

CELLS_AT_MOST = 1 << 29  # of evidence to be shown: 4 GB
CELLS_IN_FULL = 1 << 20

# How each kind of request is answered: (request, source, what was counted before or None) → statistic.
ANSWERS: dict[type, Callable[[Any, Source, Any], Statistic]] = {
    CountCells: cells.cells,
    CountLevels: levels.levels,
    CountTokens: tokens.tokens,
    KeepRows: sample.sample,
    MeasureCoMoments: collect.comoments,
    MeasureMoments: collect.moments,
    SumTotals: collect.totals,
}


@dataclass(frozen=True, slots=True)
class Memory:
    """Counts and scores rows that are arrays in this process."""

    def can(self, request: Any) -> bool:
        return type(request) in ANSWERS

    def encode(self, values: NDArray[Any]) -> tuple[Labels, NDArray[Any]]:
        """The labels of a column, and the place of each row's label among them."""
        return encode.encode(values)

    def least(self, X: NDArray[Any]) -> float:
        """The smallest cell of a matrix."""
        return min(run(lambda lo, hi: float(X[lo:hi].min()), len(X), row_cost=X.shape[1]))

    def refuse_unknown(self, X: Any) -> None:
        """Say where the first NaN or infinity of a matrix is, if there is one."""
        rows.refuse_unknown(X)

    def collect(self, requests: Iterable[Any], source: Source, old: Tally | None = None) -> Tally:
        """Answer every request. What was counted before (`old`) lends its pivots; it is not added."""
        refuse_malformed(source)
        return self.count(requests, source, old)

    def count(self, requests: Iterable[Any], source: Source, old: Tally | None = None) -> Tally:
        """As `collect`, of rows whose labels and weights are known to be in order."""
        requests, held = list(requests), {} if old is None else old.statistics
        for request in requests:
            if not self.can(request):
                raise NotSupported(f"the memory engine cannot answer {request!r} (a {type(request).__name__}).")
        answers = {request: ANSWERS[type(request)](request, source, held.get(request)) for request in requests}
        return Tally(collect.class_weights(source), answers)

    def found(self, rows: Rows, tokens: Tokens) -> Rows:
        """Rows that were kept, with the words of their texts."""
        return finding.found(rows, tokens)

    def visit(self, scorecard: Scorecard, source: Source, look: Callable[[int, int, Floats], None]) -> None:
        """Call look(lo, hi, scores) for blocks of rows, from several threads; the scores are not kept."""
        score.visit(scorecard, source, look)

    def score(self, scorecard: Scorecard, source: Source, finish: Callable[[Floats], None] | None = None) -> Floats:
        """prior + Σ evidence, a column a class; `finish` changes each block of rows while it is in the cache."""
        out = np.empty((source.n_rows, len(scorecard.classes)))
        score.visit(scorecard, source, lambda lo, hi, scores: finish(scores) if finish else None, out)
        return out

    def parts(self, scorecard: Scorecard, source: Source) -> list[NDArray[Any]]:
        """The evidence before it is summed: for each term an array (rows, columns, classes)."""
        cells = source.n_rows * _width(scorecard) * len(scorecard.classes)
        if cells > CELLS_AT_MOST:
            raise TooLarge(
                f"the evidence of {source.n_rows:,} rows, {_width(scorecard):,} columns and {len(scorecard.classes):,} "
                f"classes takes {cells * 8 / 1e9:,.0f} GB; explain a few rows at a time."
            )
        return [term.parts(score.values_of(term, source)) for term in scorecard.terms]

    def in_full(self, scorecard: Scorecard, source: Source) -> NDArray[np.longdouble]:
        """The same sums with the widest exponent at hand, for rows whose scores overflow a float."""
        step = max(1, CELLS_IN_FULL // max(1, _width(scorecard) * len(scorecard.classes)))
        places = [np.arange(lo, min(source.n_rows, lo + step)) for lo in range(0, max(1, source.n_rows), step)]
        return np.concatenate([_in_full(scorecard, source.take(some)) for some in places])

    def refuse_strange(self, scorecard: Scorecard, source: Source) -> None:
        """Name the NaN or the infinity that made a score no number."""
        for term in scorecard.terms:
            if isinstance(term, (Linear, FullQuadratic)):
                rows.refuse_nan(source.numbers(term.columns))
            if not isinstance(term, Lookup):
                rows.refuse_infinite(source.numbers(term.columns))


def _width(scorecard: Scorecard) -> int:
    return sum(len(term.columns) for term in scorecard.terms)


def _in_full(scorecard: Scorecard, source: Source) -> NDArray[np.longdouble]:
    total = np.repeat(scorecard.start.astype(np.longdouble)[None], source.n_rows, axis=0)
    for term in scorecard.terms:
        values = score.values_of(term, source)
        wide = values.astype(np.longdouble) if values.dtype.kind == "f" else values
        with np.errstate(over="ignore", invalid="ignore"):
            total += term.parts(wide).sum(axis=1)
    return total
