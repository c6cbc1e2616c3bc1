"""Words weighed by how rare they are in all the *other* classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from candide.counts import ClassWeights, Columns, SumTotals, Totals
from candide.priors import Belief, Dirichlet
from candide.scorecard import Floats, Linear, by_column, safe_log


@dataclass(frozen=True, slots=True)
class Complement:
    """w_jc = −log θ̃_jc, where θ̃ is the multinomial of the classes other than c (Rennie et al. 2003).

    Steadier than the multinomial where classes differ much in size; its sum is a score, not a log joint.
    """

    prior: Belief = Dirichlet(1)
    norm: bool = False
    is_log_joint: ClassVar[bool] = False

    def needs(self, columns: Columns) -> SumTotals:
        return SumTotals(columns)

    def weights(self, statistic: Totals, classes: slice = slice(None)) -> Floats:
        """One row a class; with `norm`, divided by the row's sum of absolute weights."""
        others = statistic.sums.sum(axis=0) - statistic.sums[classes]
        weights = -safe_log(self.prior.mean(others, others.sum(axis=1, keepdims=True), others.shape[1]))
        if not self.norm:
            return weights
        length = np.abs(weights).sum(axis=1, keepdims=True)
        return np.asarray(weights / np.where(length > 0, length, 1.0))

    def term(self, statistic: Totals, seen: ClassWeights) -> Linear:
        k, d = statistic.sums.shape
        weights = by_column(lambda classes: self.weights(statistic, classes), k, d)
        return Linear.of_amounts(statistic.request.columns, weights, np.zeros(k))

    def parameters(self, statistic: Totals) -> int:
        """d − 1 free shares a class."""
        k, d = statistic.sums.shape
        return int(k * (d - 1))
