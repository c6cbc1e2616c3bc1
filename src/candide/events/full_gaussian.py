"""Numbers with a bell-shaped cloud, correlations and all: the linear and the quadratic discriminant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from candide.counts import ClassWeights, Columns, CoMoments, MeasureCoMoments
from candide.errors import BadPrior, SingularCovariance
from candide.scorecard import Floats, FullQuadratic

LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, slots=True)
class FullGaussian:
    """x | c ~ N(μ_c, Σ_c), or one Σ for all classes (`shared`), whose boundary is linear.

    `shrinkage` moves Σ towards a multiple of the identity: a number from 0 to 1, or "auto" for the oracle
    approximating rule, which needs nothing but Σ and the number of rows (Chen, Wiesel, Eldar & Hero 2010).
    `ddof` is taken from the number of rows, per class or, if shared, in all.
    """

    shared: bool = True
    shrinkage: float | Literal["auto"] | None = None
    ddof: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.shrinkage, str):
            if self.shrinkage != "auto":
                raise BadPrior(f"shrinkage is None, 'auto' or a number from 0 to 1, not {self.shrinkage!r}.")
        elif self.shrinkage is not None and not 0 <= self.shrinkage <= 1:
            raise BadPrior(f"shrinkage is None, 'auto' or a number from 0 to 1, not {self.shrinkage!r}.")

    def needs(self, columns: Columns) -> MeasureCoMoments:
        return MeasureCoMoments(columns)

    def covariances(self, statistic: CoMoments) -> Floats:
        """One matrix a class, or a single one if shared; shrunk if asked."""
        if self.shared:
            return self._shrunk(statistic.pooled() / self._divisor(statistic.n.sum()), statistic.n.sum())[None]
        pairs = zip(statistic.scatter, statistic.n, strict=True)
        return np.stack([self._shrunk(scatter / self._divisor(n), n) for scatter, n in pairs])

    def _divisor(self, n: float) -> float:
        return max(float(n) - self.ddof, 1.0) if n > 0 else 1.0

    def _shrunk(self, covariance: Floats, n: float) -> Floats:
        d = len(covariance)
        if self.shrinkage is None or d == 0:
            return covariance
        share = oracle_shrinkage(covariance, n) if self.shrinkage == "auto" else float(self.shrinkage)
        return np.asarray((1 - share) * covariance + share * np.trace(covariance) / d * np.eye(d))

    def term(self, statistic: CoMoments, seen: ClassWeights) -> FullQuadratic:
        covariances = self.covariances(statistic)
        used = [j for j in range(covariances.shape[-1]) if not _never_varies(statistic, j)]
        names = [None] if self.shared else list(statistic.classes)
        whiten = np.zeros_like(covariances)
        constant = np.zeros(len(covariances))
        for c, (covariance, name) in enumerate(zip(covariances, names, strict=True)):
            block = np.ix_(used, used)
            whiten[c][block], constant[c] = _inverse_factor(covariance[block], name, statistic)
        k = len(statistic.classes)
        return FullQuadratic(
            statistic.request.columns,
            statistic.mean,
            np.ascontiguousarray(np.broadcast_to(whiten, (k, *whiten.shape[1:]))),
            np.broadcast_to(constant, (k,)).copy(),
        )

    def parameters(self, statistic: CoMoments) -> int:
        """d means a class, and d(d + 1)/2 numbers a covariance matrix."""
        k, d = statistic.pivot.shape
        return int(k * d + (1 if self.shared else k) * d * (d + 1) // 2)


def oracle_shrinkage(covariance: Floats, n: float) -> float:
    """The oracle approximating share of the identity."""
    d = len(covariance)
    trace, square = float(np.trace(covariance)), float(np.sum(covariance * covariance))
    over = (n + 1 - 2 / d) * (square - trace * trace / d)
    return 1.0 if over <= 0 else min(1.0, ((1 - 2 / d) * square + trace * trace) / over)


def _never_varies(statistic: CoMoments, j: int) -> bool:
    values = statistic.mean[statistic.n > 0, j]
    return bool(np.all(statistic.scatter[:, j, j] == 0) and (len(values) == 0 or np.ptp(values) == 0))


def _inverse_factor(covariance: Floats, name: object, statistic: CoMoments) -> tuple[Floats, float]:
    """L⁻¹ with LLᵀ = Σ, and −½ log|2πΣ|. Scaled to correlations first, so that units do not decide what is singular."""
    spread = np.sqrt(np.diagonal(covariance))
    if len(spread) == 0:
        return covariance, 0.0
    who = "the pooled covariance" if name is None else f"the covariance of class {name!r}"
    if np.any(spread <= 0):
        raise _singular(who, statistic, "a column that does not vary there")
    correlation = covariance / np.outer(spread, spread)
    if np.linalg.eigvalsh(correlation)[0] < 1e-12 * len(spread):
        raise _singular(who, statistic, "columns that are combinations of others")
    factor = np.linalg.cholesky(correlation)
    whiten = np.linalg.solve(factor, np.diag(1 / spread))
    log_norm = -0.5 * len(spread) * LOG_2PI - float(np.sum(np.log(np.diagonal(factor))) + np.sum(np.log(spread)))
    return np.tril(whiten), log_norm


def _singular(who: str, statistic: CoMoments, why: str) -> SingularCovariance:
    rows = ", ".join(f"{label}: {n:g}" for label, n in zip(statistic.classes, statistic.n, strict=True))
    return SingularCovariance(
        f"{who} cannot be inverted ({len(statistic.request.columns)} columns; rows {rows}): {why}. Set "
        "shrinkage='auto' or a number, leave columns out, or use covariance='diagonal'."
    )
