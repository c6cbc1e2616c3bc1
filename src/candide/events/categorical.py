"""One of several levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.counts import ClassWeights, Columns, CountLevels, Counts, Rows
from candide.priors import Belief, Dirichlet
from candide.scorecard import Floats, Lookup, safe_log


@dataclass(frozen=True, slots=True)
class Categorical:
    """P(x = l | c) = (n_lc + a) / (n_c + aJ), with J levels and n_c the rows of the class whose cell is not missing.

    A value that no row had is no evidence for any class: all of them get 1/(J + 1). Where `sizes` gives the number
    of levels of each column, the whole numbers below it are levels, seen or not.
    """

    prior: Belief = Dirichlet(1)
    sizes: tuple[int, ...] | None = None

    def needs(self, columns: Columns) -> CountLevels:
        return CountLevels(columns)

    def size(self, statistic: Counts, j: int) -> int:
        """J, the number of levels of a column."""
        return len(statistic.levels[j]) if self.sizes is None else self.sizes[j]

    def shares(self, statistic: Counts, j: int) -> Any:
        """P(level | class) of one column, a row a class."""
        counts = statistic.tables[j].T
        return self.prior.mean(counts, counts.sum(axis=1, keepdims=True), self.size(statistic, j))

    def term(self, statistic: Counts, seen: ClassWeights) -> Lookup:
        places, k = range(len(statistic.levels)), len(statistic.classes)
        tables = tuple(np.ascontiguousarray(safe_log(self.shares(statistic, j)).T) for j in places)
        unseen = np.repeat([[-np.log(self.size(statistic, j) + 1.0)] for j in places], k, axis=1).reshape(-1, k)
        empty = None if self.sizes is None else np.stack([self.empty(statistic, j) for j in places])
        return Lookup(statistic.request.columns, statistic.levels, tables, unseen, self.sizes, empty)

    def left_out(self, statistic: Counts, seen: ClassWeights, rows: Rows) -> Floats:
        """The sum of the evidence of each row's cells, as if the row had never been counted."""
        out = np.zeros((len(rows), len(statistic.classes)))
        for j, name in enumerate(statistic.request.columns):
            place = list(rows.request.levels).index(name)
            codes = np.append(statistic.levels[j].codes(rows.names[place].values), -1)[rows.levels[:, place]]
            known = np.flatnonzero(codes >= 0)
            out[known] += self.one_left_out(statistic, j, codes[known], rows.y[known], rows.weights[known])
        return out

    def one_left_out(self, statistic: Counts, j: int, codes: np.ndarray, y: np.ndarray, weights: Floats) -> Floats:
        """Of one column: log (n_lc − w + a) / (n_c − w + aJ) in the row's own class; a level of its own is none."""
        own, w = np.arange(len(codes)), np.minimum(weights, 1.0)
        table = statistic.tables[j]
        n, totals = table[codes], np.repeat(table.sum(axis=0)[None], len(codes), axis=0)
        alone = n.sum(axis=1) - w <= 1e-9 * w
        n[own, y] = np.maximum(n[own, y] - w, 0.0)
        totals[own, y] = np.maximum(totals[own, y] - w, 0.0)
        shares = self.prior.mean(n, totals, self.size(statistic, j))
        return np.where(alone[:, None], 0.0, safe_log(shares))

    def empty(self, statistic: Counts, j: int) -> Any:
        """log P(level | class) of a level that no row had; nothing if every level was seen."""
        if len(statistic.levels[j]) == self.size(statistic, j):
            return np.zeros(len(statistic.classes))
        return safe_log(self.empty_shares(statistic, j))

    def empty_shares(self, statistic: Counts, j: int) -> Any:
        """P(level | class) of a level that no row had."""
        totals = statistic.tables[j].sum(axis=0)[:, None]
        return self.prior.mean(np.zeros_like(totals), totals, self.size(statistic, j))[:, 0]

    def parameters(self, statistic: Counts) -> int:
        """J − 1 free probabilities a column and class."""
        free = sum(self.size(statistic, j) - 1 for j in range(len(statistic.levels)))
        return free * len(statistic.classes)
