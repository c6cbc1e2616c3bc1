"""A number with a bell curve, columns independent within a class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from candide.counts import ClassWeights, Columns, MeasureMoments, Moments
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
        n, centre, variance = statistic.pooled()
        silent = np.broadcast_to(variance <= 0, statistic.n.shape)
        scatter, rows = (statistic.scatter, statistic.n)
        safe = np.where(variance > 0, variance, 1.0)
        if self.shared:
            within = statistic.scatter.sum(axis=0) / np.where(n > 0, n, 1.0)
            scatter = rows * within
        belief = prior.posterior(rows, np.where(rows > 0, statistic.mean, centre), scatter, centre, safe)
        middle, scale, degrees = belief.predictive()
        half = 0.5 * (degrees + 1)
        norm = gammaln(half) - gammaln(0.5 * degrees) - 0.5 * np.log(np.pi * degrees * scale)
        return StudentT(
            statistic.request.columns,
            np.asarray(middle),
            np.where(silent, 0.0, 1.0 / (degrees * scale)),
            np.where(silent, 0.0, half),
            np.where(silent, 0.0, norm),
        )

    def parameters(self, statistic: Moments) -> int:
        """A mean a column and class, and a variance each, or one a column."""
        k, d = statistic.n.shape
        return int(k * d + (d if self.shared else k * d))


def _constant(statistic: Moments) -> np.ndarray:
    """Columns that never vary over all rows."""
    return np.broadcast_to(statistic.pooled()[2] <= 0, statistic.n.shape)
