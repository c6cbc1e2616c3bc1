"""Numbers of events in equal spans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from candide.counts import ClassWeights, Columns, MeasureMoments, Moments, Rows
from candide.counts.moments import pooled
from candide.errors import BadPrior
from candide.scorecard import Floats, Slopes


@dataclass(frozen=True, slots=True)
class Poisson:
    """x | c ~ Poisson(λ_c), λ_c = (Σx + r·m) / (n_c + r): `rows` virtual rows r with the column's own mean m.

    A cell contributes x log λ − λ; log x! is the same for every class and left out.
    """

    rows: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.rows) and self.rows > 0):
            raise BadPrior(f"a weak prior is worth a positive number of rows, not {self.rows!r}.")

    def needs(self, columns: Columns) -> MeasureMoments:
        return MeasureMoments(columns)

    def term(self, statistic: Moments, seen: ClassWeights) -> Slopes:
        centre, rates = statistic.pooled()[1], self.rates(statistic)
        silent = centre <= 0
        slope = np.where(silent, 0.0, np.log(np.where(rates > 0, rates, 1.0)))
        return Slopes(statistic.request.columns, slope, np.where(silent, 0.0, -rates))

    def rates(self, statistic: Moments) -> Floats:
        """λ, a row a class."""
        return self._believed(statistic.n, statistic.mean, statistic.pooled()[1])

    def _believed(self, n: Floats, mean: Floats, centre: Floats) -> Floats:
        return np.asarray((n * mean + self.rows * centre) / (n + self.rows))

    def left_out(self, statistic: Moments, seen: ClassWeights, rows: Rows) -> Floats:
        """The sum of the evidence of each row's cells, as if the row had never been counted."""
        out = np.zeros((len(rows), len(statistic.classes)))
        for j, name in enumerate(statistic.request.columns):
            x = rows.numbers[:, list(rows.request.numbers).index(name)]
            known = np.flatnonzero(~np.isnan(x))
            out[known] += self._one_left_out(statistic, j, x[known], rows.y[known], rows.weights[known])
        return out

    def _one_left_out(self, statistic: Moments, j: int, x: Floats, y: NDArray[np.int64], weights: Floats) -> Floats:
        n, mean, scatter = statistic.without(j, x, y, np.minimum(weights, 1.0))
        centre = pooled(n, mean, scatter)[1]
        rates = self._believed(n, mean, centre)
        evidence = x * np.log(np.where(rates > 0, rates, 1.0)) - rates
        return np.where(centre > 0, evidence, 0.0).T

    def parameters(self, statistic: Moments) -> int:
        """A rate a column and class."""
        return int(statistic.n.size)
