"""One of several levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.counts import ClassWeights, Columns, CountLevels, Counts
from candide.priors import Belief, Dirichlet
from candide.scorecard import Lookup, safe_log


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

    def empty(self, statistic: Counts, j: int) -> Any:
        """log P(level | class) of a level that no row had; nothing if every level was seen."""
        if len(statistic.levels[j]) == self.size(statistic, j):
            return np.zeros(len(statistic.classes))
        totals = statistic.tables[j].sum(axis=0)[:, None]
        return safe_log(self.prior.mean(np.zeros_like(totals), totals, self.size(statistic, j))[:, 0])

    def parameters(self, statistic: Counts) -> int:
        """J − 1 free probabilities a column and class."""
        free = sum(self.size(statistic, j) - 1 for j in range(len(statistic.levels)))
        return free * len(statistic.classes)
