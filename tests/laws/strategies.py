"""Random labelled tables, and the tallies that count them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from candide.counts import (
    CountCells,
    CountLevels,
    CountTokens,
    KeepRows,
    MeasureCoMoments,
    MeasureMoments,
    SumTotals,
    Tally,
)
from candide.data import Table
from candide.engines import Memory
from candide.labels import Labels
from candide.text.analyzer import Analyzer

NUMBERS = ("height", "width")
LEVELS = ("city", "job")
REQUESTS = (
    CountLevels(LEVELS),
    CountLevels((LEVELS,)),
    MeasureMoments(NUMBERS),
    MeasureCoMoments(NUMBERS),
    SumTotals(("clicks", "visits")),
    SumTotals(("clicks", "visits"), above=1.0),
    CountCells(NUMBERS, most=4),
    KeepRows(LEVELS, NUMBERS, most=5, texts=("note",)),
    CountTokens(("note",), (Analyzer.of(ngrams=(1, 2)),)),
)
CLASSES = ("a", "b", "c")
NAMES = (*LEVELS, *NUMBERS, "clicks", "visits", "note")


@dataclass(frozen=True)
class Rows:
    """A labelled table as lists, so that parts can be put together again."""

    labels: list[str]
    cells: list[tuple[Any, ...]]
    weights: list[float]

    def __add__(self, other: Rows) -> Rows:
        return Rows(self.labels + other.labels, self.cells + other.cells, self.weights + other.weights)

    def __len__(self) -> int:
        return len(self.labels)

    def repeated(self) -> Rows:
        """Every row as often as its weight says, at weight 1."""
        times = [int(weight) for weight in self.weights]
        return Rows(
            [label for label, n in zip(self.labels, times, strict=True) for _ in range(n)],
            [row for row, n in zip(self.cells, times, strict=True) for _ in range(n)],
            [1.0] * sum(times),
        )

    def table(self) -> Table:
        bare = Table.of(NAMES, self.cells)
        classes, y = Labels.encode(np.array(self.labels, dtype=object))
        return Table(bare.cells, classes, y, np.array(self.weights, dtype=float))

    def tally(self, old: Tally | None = None) -> Tally:
        return Memory().collect(REQUESTS, self.table(), old)


def numbers(offset: float) -> st.SearchStrategy[float]:
    return st.floats(-100, 100, allow_nan=False).map(lambda x: offset + round(x, 9))


NOTES = st.none() | st.lists(st.sampled_from(["ice", "Ice", "fox", "öl", "x"]), max_size=6).map(" ".join)


def rows(offset: float = 0.0, weights: st.SearchStrategy[Any] = st.just(1), size: int = 12) -> st.SearchStrategy[Rows]:
    """Up to `size` rows; classes and levels differ from table to table."""
    row = st.tuples(
        st.sampled_from(CLASSES),
        st.tuples(
            st.sampled_from(["Rome", "Oslo", "Kyiv", None]),
            st.sampled_from(["smith", "nurse", "clerk"]),
            numbers(offset),
            numbers(offset),
            st.integers(0, 5),
            st.integers(0, 5),
            NOTES,
        ),
        weights,
    )
    return st.lists(row, min_size=1, max_size=size).map(
        lambda listed: Rows([r[0] for r in listed], [r[1] for r in listed], [float(r[2]) for r in listed])
    )


WHOLE = st.integers(1, 4)
FRACTIONS = st.sampled_from([0.1, 0.25, 0.3, 1.0, 1.7])
OFFSETS = (0.0, 1e8)
