"""A number in bins of any width: the evidence is averaged over all ways of cutting the column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from candide.counts import Cells, ClassWeights, Columns, CountCells, Rows
from candide.events.partitions import Intervals, intervals
from candide.scorecard import Floats, Steps

CELLS_AT_MOST = 1 << 22  # of the counts of all intervals of a column: with more classes bins are fewer
_GRIDS: WeakKeyDictionary[Cells, dict[Any, Any]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Binned:
    """P(c | x) / P(c), averaged over every partition of up to `bins` fine bins into intervals, by their evidence.

    The partition of one interval is among them: a column that says nothing falls silent by itself. `strength` virtual
    rows a class, in the shares of the classes, are believed in before an interval is seen.
    """

    bins: int = 128
    strength: float = 0.5

    def needs(self, columns: Columns) -> CountCells:
        return CountCells(columns)

    def term(self, statistic: Cells, seen: ClassWeights) -> Steps:
        grids = self.grids(statistic)
        tables = tuple(np.log(grid.intervals.shares()) - np.log(grid.base) for grid in grids)
        return Steps(statistic.request.columns, tuple(grid.cuts for grid in grids), tables, len(statistic.classes))

    def grids(self, statistic: Cells) -> list[Grid]:
        """The fine bins of each column, and what is believed of their intervals; kept as long as the statistic is."""
        kept = _GRIDS.setdefault(statistic, {})
        if self not in kept:
            kept[self] = self._grids(statistic)
        found: list[Grid] = kept[self]
        return found

    def _grids(self, statistic: Cells) -> list[Grid]:
        k = len(statistic.classes)
        most = max(2, min(self.bins, int((CELLS_AT_MOST / max(1, k)) ** 0.5)))
        bins = [fine_bins(statistic, j, most) for j in range(len(statistic.keys))]
        seen = [table.sum(axis=0) for table in statistic.tables]
        bases = [(n + 1) / (n.sum() + k) for n in seen]
        counts = [table if len(table) else np.zeros((1, k)) for _, table in bins]
        found = intervals([(table, self.strength * k * base) for table, base in zip(counts, bases, strict=True)])
        return [Grid(cuts, one, base) for (cuts, _), one, base in zip(bins, found, bases, strict=True)]

    def left_out(self, statistic: Cells, seen: ClassWeights, rows: Rows) -> Floats:
        """The sum of the evidence of each row's cells, as if the row had never been counted; bins and α stay."""
        out = np.zeros((len(rows), len(statistic.classes)))
        weights, grids = np.minimum(rows.weights, 1.0), self.grids(statistic)
        for j, name in enumerate(statistic.request.columns):
            x = rows.numbers[:, list(rows.request.numbers).index(name)]
            known = np.flatnonzero(x == x)
            if len(known):
                out[known] += grids[j].left_out(x[known], rows.y[known], weights[known])
        return out

    def parameters(self, statistic: Cells) -> int:
        """A share a fine bin and class; the average over partitions frees far fewer."""
        widths = [len(fine_bins(statistic, j, self.bins)[1]) for j in range(len(statistic.request.columns))]
        return sum(max(0, width - 1) for width in widths) * len(statistic.classes)


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Fine bins between `cuts`, the intervals made of them, and the shares of the classes in the column."""

    cuts: Floats
    intervals: Intervals
    base: Floats

    def left_out(self, x: Floats, y: NDArray[np.int64], weights: Floats) -> Floats:
        """Evidence of cells that had been counted, without themselves."""
        bins = np.searchsorted(self.cuts, x, side="right")
        shares = np.empty((len(x), len(self.base)))
        if np.all(weights == 1.0):
            for c in np.unique(y):
                shares[y == c] = self.intervals.without_one(int(c))[bins[y == c]]
        else:
            shares = self.intervals.without(bins, y, weights)
        return np.asarray(np.log(shares) - np.log(self.base))


def fine_bins(statistic: Cells, j: int, most: int) -> tuple[Floats, Floats]:
    """Cuts between at most `most` bins of about equal weight, and the counts in them; a heavy value is its own bin."""
    table = statistic.tables[j]
    low, high = statistic.edges(j)
    ends = np.arange(1, len(table) + 1)
    if len(table) > most:
        reached = np.cumsum(table.sum(axis=1))
        wanted = reached[-1] * np.arange(1, most) / most
        ends = np.unique(np.append(np.searchsorted(reached, wanted * (1 - 1e-12)) + 1, len(table)))
    cuts = _between(high[ends[:-1] - 1], low[ends[:-1]])
    starts = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
    return cuts, np.add.reduceat(table, starts, axis=0) if len(table) else table


def _between(above: Floats, below: Floats) -> Floats:
    """Half way between two cells, or the edge they share; finite beside an infinity."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = np.clip(above / 2 + below / 2, above, below)  # the least floats have no halves
    return np.where(np.isfinite(middle), middle, np.where(np.isfinite(below), below, above))
