"""A number in bins of any width: the evidence is averaged over all ways of cutting the column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from candide.counts import Cells, ClassWeights, Columns, CountCells, Rows
from candide.events.partitions import Intervals, intervals
from candide.scorecard import Floats, Steps

AT_ONCE = 256  # rows whose weights of intervals are held together


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
        grids = [self.grid(statistic, j) for j in range(len(statistic.request.columns))]
        tables = tuple(np.log(grid.intervals.shares()) - np.log(grid.base) for grid in grids)
        return Steps(statistic.request.columns, tuple(grid.cuts for grid in grids), tables, len(statistic.classes))

    def grid(self, statistic: Cells, j: int) -> Grid:
        """The fine bins of a column, and what is believed of its intervals."""
        cuts, counts = fine_bins(statistic, j, self.bins)
        k = len(statistic.classes)
        seen = statistic.tables[j].sum(axis=0)
        base = (seen + 1) / (seen.sum() + k)
        if not len(counts):
            counts = np.zeros((1, k))
        return Grid(cuts, intervals(counts, self.strength * k * base), base)

    def left_out(self, statistic: Cells, seen: ClassWeights, rows: Rows) -> Floats:
        """The sum of the evidence of each row's cells, as if the row had never been counted; bins and α stay."""
        out = np.zeros((len(rows), len(statistic.classes)))
        weights = np.minimum(rows.weights, 1.0)
        for j, name in enumerate(statistic.request.columns):
            x = rows.numbers[:, list(rows.request.numbers).index(name)]
            known = np.flatnonzero(x == x)
            if len(known):
                out[known] += self.grid(statistic, j).left_out(x[known], rows.y[known], weights[known])
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
            for lo in range(0, len(x), AT_ONCE):
                at = slice(lo, lo + AT_ONCE)
                shares[at] = self.intervals.without(bins[at], y[at], weights[at])
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
        middle = above / 2 + below / 2
    return np.where(np.isfinite(middle), middle, np.where(np.isfinite(below), below, above))
