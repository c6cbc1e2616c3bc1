"""Numbers with a bell-shaped cloud, correlations and all: the linear and the quadratic discriminant."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Literal

import numpy as np

from candide.counts import ClassWeights, Columns, CoMoments, MeasureCoMoments
from candide.errors import BadPrior, SingularCovariance, SingularWarning
from candide.scorecard import Floats, FullQuadratic

LOG_2PI = float(np.log(2 * np.pi))
SINGULAR_BELOW = 1e-12  # the least eigenvalue of a correlation matrix that can be trusted to differ from zero
SINGULAR = (
    "the covariance of {d} columns over {n:g} rows cannot be inverted: columns are combinations of others, or rows are "
    "few. Its correlations were shrunk as with shrinkage='auto'; set that, or leave columns out, to say you mean it."
)


@dataclass(frozen=True, slots=True)
class FullGaussian:
    """x | c ~ N(μ_c, Σ_c), or one Σ for all classes (`shared`), whose boundary is linear.

    `shrinkage` is a share, 0 to 1, of a multiple of the identity in Σ. With "auto" correlations, not units, are shrunk
    towards none, by the oracle approximating rule, which needs nothing but Σ and the number of rows (Chen, Wiesel,
    Eldar & Hero 2010); so they are, with a warning, where Σ could not be inverted otherwise. `ddof` is taken from the
    number of rows, per class or, if shared, in all.
    """

    shared: bool = True
    shrinkage: float | Literal["auto"] | None = None
    ddof: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.ddof, (int, np.integer)) or self.ddof < 0:
            raise BadPrior(f"ddof is a whole number of at least 0, not {self.ddof!r}.")
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
        total = statistic.n.sum()
        lent = statistic.pooled() / self._divisor(total)  # to a class that has no rows
        pairs = zip(statistic.scatter, statistic.n, strict=True)
        return np.stack(
            [self._shrunk(*((scatter / self._divisor(n), n) if n > 0 else (lent, total))) for scatter, n in pairs]
        )

    def _divisor(self, n: float) -> float:
        if n > 0 and n <= self.ddof:
            raise BadPrior(f"ddof={self.ddof} leaves nothing of {n:g} rows to divide by; use ddof=0 or more rows.")
        return float(n) - self.ddof if n > 0 else 1.0

    def _shrunk(self, covariance: Floats, n: float) -> Floats:
        d = len(covariance)
        if d == 0:
            return covariance
        if self.shrinkage == "auto" or (self.shrinkage is None and _is_singular_without_need(covariance)):
            if self.shrinkage is None:
                warnings.warn(SINGULAR.format(d=d, n=n), SingularWarning, stacklevel=2)
            return towards_independence(covariance, n)
        share = float(self.shrinkage or 0.0)
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


def towards_independence(covariance: Floats, n: float) -> Floats:
    """Σ with its correlations shrunk by the oracle approximating share; variances stay as they are."""
    d = len(covariance)
    spread = np.sqrt(np.diagonal(covariance))
    scale = np.outer(spread, spread)
    correlation = covariance / np.where(scale > 0, scale, 1.0)
    trace, square = float(np.trace(correlation)), float(np.sum(correlation * correlation))
    over = (n + 1 - 2 / d) * (square - trace * trace / d)
    share = 1.0 if over <= 0 else min(1.0, ((1 - 2 / d) * square + trace * trace) / over)
    return np.asarray(np.where(np.eye(d, dtype=bool), covariance, (1 - share) * covariance))


def _is_singular_without_need(covariance: Floats) -> bool:
    """Some columns that vary are combinations of others."""
    spread = np.sqrt(np.diagonal(covariance))
    used = spread > 0
    if not used.any():
        return False
    correlation = covariance[np.ix_(used, used)] / np.outer(spread[used], spread[used])
    return bool(np.linalg.eigvalsh(correlation)[0] < SINGULAR_BELOW * used.sum())


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
    if np.linalg.eigvalsh(correlation)[0] < SINGULAR_BELOW * len(spread):
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
