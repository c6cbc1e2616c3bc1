"""A number with a bell curve, columns independent within a class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from candide.counts import ClassWeights, Columns, MeasureMoments, Moments, Rows
from candide.counts.moments import pooled
from candide.priors import PluginNormal, WeakNormal
from candide.scorecard import Floats, Quadratic, StudentT

LOG_2PI = float(np.log(2 * np.pi))
LEAST = 1e-300  # a variance below this has no reciprocal


@dataclass(frozen=True, slots=True)
class Gaussian:
    """x | c ~ N(μ_c, σ²_c), a column at a time; with `shared`, one σ² for all classes, and a linear boundary.

    `PluginNormal` plugs the estimates in; `WeakNormal` averages over what is not known of them, which gives
    Student's t. A column without spread says nothing, and so does one that no row of any class had; a class that
    alone never had the column is lent the mean and variance of all rows.
    """

    prior: PluginNormal | WeakNormal = PluginNormal()
    shared: bool = False

    def needs(self, columns: Columns) -> MeasureMoments:
        return MeasureMoments(columns)

    def estimates(self, statistic: Moments) -> tuple[Floats, Floats]:
        """Maximum-likelihood means and variances, a row a class."""
        n, centre, variance = statistic.pooled()
        none = statistic.n <= 0
        means = np.where(none, centre, statistic.mean)
        if self.shared:
            within = statistic.scatter.sum(axis=0) / np.where(n > 0, n, 1.0)
            return means, np.repeat(within[None, :], len(means), axis=0)
        return means, np.where(none, variance, statistic.variance)

    def term(self, statistic: Moments, seen: ClassWeights) -> Quadratic | StudentT:
        if isinstance(self.prior, WeakNormal):
            return self._predictive(statistic, self.prior)
        return self._plugin(statistic, self.prior)

    def _plugin(self, statistic: Moments, prior: PluginNormal) -> Quadratic:
        means, variances = self.estimates(statistic)
        silent = _constant(statistic)
        variances = variances + prior.epsilon(statistic.pooled()[2])
        flat = (variances < LEAST) & ~silent
        if flat.any():
            c, j = np.argwhere(flat)[0]
            raise prior.refuse_zero(statistic.classes[c], statistic.request.columns[j], statistic.n[c, j])
        safe = np.where(silent, 1.0, variances)
        precision = np.where(silent, 0.0, 1.0 / safe)
        widened = np.where(variances > 0, variances, 1.0)
        log_norm = np.where(variances > 0, -0.5 * (LOG_2PI + np.log(widened)), 0.0)  # equal in all classes where silent
        return Quadratic(statistic.request.columns, means, precision, log_norm)

    def _predictive(self, statistic: Moments, prior: WeakNormal) -> StudentT:
        _, centre, variance = statistic.pooled()
        silent = np.broadcast_to(variance <= 0, statistic.n.shape)
        safe = np.where(variance > 0, variance, 1.0)
        scatter = self._spread(statistic.n, statistic.scatter)
        middle, scale, degrees = _student(prior, statistic.n, statistic.mean, scatter, centre, safe)
        return StudentT(
            statistic.request.columns,
            np.asarray(middle),
            np.where(silent, 0.0, 1.0 / (degrees * scale)),
            np.where(silent, 0.0, 0.5 * (degrees + 1)),
            np.where(silent, 0.0, _student_norm(scale, degrees)),
        )

    def _spread(self, n: Floats, scatter: Floats) -> Floats:
        """The scatter of each class, or its part of that of all."""
        if not self.shared:
            return scatter
        total = n.sum(axis=0)
        return np.asarray(n * (scatter.sum(axis=0) / np.where(total > 0, total, 1.0)))

    def left_out(self, statistic: Moments, seen: ClassWeights, rows: Rows) -> Floats:
        """The sum of the evidence of each row's cells, as if the row had never been counted."""
        if not isinstance(self.prior, WeakNormal):
            raise TypeError("a Gaussian with plugged-in estimates has no evidence without a row; use WeakNormal.")
        out = np.zeros((len(rows), len(statistic.classes)))
        for j, name in enumerate(statistic.request.columns):
            x = rows.numbers[:, list(rows.request.numbers).index(name)]
            known = np.flatnonzero(~np.isnan(x))
            out[known] += self._one_left_out(statistic, j, x[known], rows.y[known], rows.weights[known], self.prior)
        return out

    def _one_left_out(
        self, statistic: Moments, j: int, x: Floats, y: np.ndarray, weights: Floats, prior: WeakNormal
    ) -> Floats:
        n, mean, scatter = statistic.without(j, x, y, np.minimum(weights, 1.0))
        _, centre, variance = pooled(n, mean, scatter)
        safe = np.where(variance > 0, variance, 1.0)
        middle, scale, degrees = _student(prior, n, mean, self._spread(n, scatter), centre, safe)
        evidence = _student_norm(scale, degrees)
        evidence -= 0.5 * (degrees + 1) * np.log1p((x - middle) ** 2 / (degrees * scale))
        return np.where(variance > 0, evidence, 0.0).T

    def parameters(self, statistic: Moments) -> int:
        """A mean a column and class, and a variance each, or one a column."""
        k, d = statistic.n.shape
        return int(k * d + (d if self.shared else k * d))


def _student(
    prior: WeakNormal, n: Floats, mean: Floats, scatter: Floats, centre: Floats, variance: Floats
) -> tuple[Floats, Floats, Floats]:
    """Location, squared scale and degrees of freedom of the next value, a row a class."""
    belief = prior.posterior(n, np.where(n > 0, mean, centre), scatter, centre, variance)
    return belief.predictive()


def _student_norm(scale: Floats, degrees: Floats) -> Floats:
    """log of Student's density at its location."""
    from scipy.special import gammaln

    half = 0.5 * (degrees + 1)
    return np.asarray(gammaln(half) - gammaln(0.5 * degrees) - 0.5 * np.log(np.pi * degrees * scale))


def _constant(statistic: Moments) -> np.ndarray:
    """Columns that never vary over all rows."""
    return np.broadcast_to(statistic.pooled()[2] <= 0, statistic.n.shape)
