"""Counts of things drawn: words in a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.counts import ClassWeights, Columns, SumTotals, Totals
from candide.priors import Belief, Dirichlet
from candide.scorecard import Linear, by_column, safe_log


@dataclass(frozen=True, slots=True)
class Multinomial:
    """θ_jc = (Σ counts + a) / (Σ all counts + ad); a row with counts x contributes Σ x_j log θ_jc.

    The multinomial coefficient m!/Πx_j! is the same for every class and left out.
    """

    prior: Belief = Dirichlet(1)

    def needs(self, columns: Columns) -> SumTotals:
        return SumTotals(columns)

    def shares(self, statistic: Totals, classes: slice = slice(None)) -> Any:
        """θ, a row a class."""
        sums = statistic.sums[classes]
        return self.prior.mean(sums, sums.sum(axis=1, keepdims=True), sums.shape[1])

    def term(self, statistic: Totals, seen: ClassWeights) -> Linear:
        k, d = statistic.sums.shape
        weights = by_column(lambda classes: safe_log(self.shares(statistic, classes)), k, d)
        return Linear.of_amounts(statistic.request.columns, weights, np.zeros(k))

    def parameters(self, statistic: Totals) -> int:
        """d − 1 free shares a class."""
        k, d = statistic.sums.shape
        return int(k * (d - 1))
