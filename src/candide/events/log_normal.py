"""A positive number whose logarithm has a bell curve."""

from __future__ import annotations

from dataclasses import dataclass

from candide.counts import ClassWeights, Columns, MeasureMoments, Moments, Rows
from candide.events.gaussian import Gaussian
from candide.priors import WeakNormal
from candide.scorecard import Floats, Quadratic, StudentT


@dataclass(frozen=True, slots=True)
class LogNormal:
    """log x | c ~ N(μ_c, σ²_c). Its columns hold logarithms already; dx/x is the same for every class and left out."""

    prior: WeakNormal = WeakNormal()

    def needs(self, columns: Columns) -> MeasureMoments:
        return MeasureMoments(columns)

    def term(self, statistic: Moments, seen: ClassWeights) -> Quadratic | StudentT:
        return Gaussian(self.prior).term(statistic, seen)

    def left_out(self, statistic: Moments, seen: ClassWeights, rows: Rows) -> Floats:
        """The sum of the evidence of each row's cells, as if the row had never been counted."""
        return Gaussian(self.prior).left_out(statistic, seen, rows)

    def parameters(self, statistic: Moments) -> int:
        """A mean and a variance a column and class."""
        return Gaussian(self.prior).parameters(statistic)
