"""Gaussian classes with or without correlations, with one spread or one each: the discriminants."""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from candide.counts import CoMoments, MeasureCoMoments, MeasureMoments, Tally
from candide.data import Matrix
from candide.errors import BadPrior, NotLinear
from candide.estimators.base import CountingClassifier
from candide.events import Event, FullGaussian, Gaussian
from candide.priors import Belief, Given, MaximumLikelihood, PluginNormal
from candide.scorecard import Floats, Quadratic


class GaussianDiscriminant(CountingClassifier):
    """Gaussian classes: `shared=True` gives planes between them (linear discriminant), `shared=False` quadrics.

    With covariance="diagonal" the columns are independent within a class (shared: the naive Bayes whose posterior is
    a logistic function). Covariances are maximum-likelihood; `ddof=1` divides by one row less. `shrinkage` moves a full
    covariance towards a multiple of the identity: a share, or "auto".

    >>> X, y = [[0.0, 0.1], [1.0, 0.9], [0.2, 1.0], [5.0, 5.2], [6.0, 5.9], [5.1, 6.0]], [0, 0, 0, 1, 1, 1]
    >>> GaussianDiscriminant().fit(X, y).predict([[1.0, 1.0], [5.0, 5.0]]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        *,
        covariance: Literal["full", "diagonal"] = "full",
        shared: bool = True,
        shrinkage: float | Literal["auto"] | None = None,
        priors: Any = None,
        ddof: int = 0,
    ) -> None:
        self.covariance = covariance
        self.shared = shared
        self.shrinkage = shrinkage
        self.priors = priors
        self.ddof = ddof

    def _request(self) -> MeasureCoMoments | MeasureMoments:
        return (MeasureCoMoments if self._is_full() else MeasureMoments)(self._columns())

    def _event(self, tally: Tally) -> Event:
        if self._is_full():
            return FullGaussian(self.shared, self.shrinkage, self.ddof)
        return Gaussian(PluginNormal(0.0), self.shared)

    def _class_prior(self) -> Belief:
        return MaximumLikelihood() if self.priors is None else Given.named(self.priors, "priors")

    def _is_full(self) -> bool:
        return self.covariance == "full"

    def _check_parameters(self) -> None:
        if self.covariance not in ("full", "diagonal"):
            raise BadPrior(f"covariance is 'full' or 'diagonal', not {self.covariance!r}.")
        FullGaussian(self.shared, self.shrinkage, self.ddof)
        if not self._is_full() and (self.shrinkage is not None or self.ddof):
            raise BadPrior("shrinkage and ddof are for covariance='full'.")

    def _refuse_parameters(self, tally: Tally) -> None:
        if self.priors is not None:
            self._class_prior().mean(tally.seen.weights, 1.0, len(tally.classes))
        if not self._is_full():
            tally[self._request()].refuse_distance()

    @property
    def means_(self) -> Floats:
        """Mean of each column in each class."""
        return np.asarray(self._statistic().mean)

    @property
    def covariance_(self) -> Floats:
        """One matrix (or row of variances) if shared, else one a class."""
        statistic = self._statistic()
        if isinstance(statistic, CoMoments):
            covariances = self._learnt().covariances(statistic)
        else:
            covariances = self._learnt().estimates(statistic)[1]
        return np.asarray(covariances[0] if self._learnt().shared else covariances)

    @property
    def priors_(self) -> NDArray[Any]:
        """P(class)."""
        return self.model_.class_prior

    def decision_function(self, X: Any) -> Floats:
        """log P(class, row) up to something equal for all classes; for two classes the log-odds of the second."""
        rows = self._rows(X)
        if not self._learnt().shared:
            scores = self.model_.log_joint(rows).values
        elif self._is_full():
            scores = self.model_.relative(rows)
        else:
            scores = self._above_planes(rows)
        return np.asarray(scores[:, 1] - scores[:, 0]) if len(self.classes_) == 2 else scores

    def _above_planes(self, rows: Matrix) -> Floats:
        """The scores of independent columns, which may be missing, without what all classes share."""
        term = cast(Quadratic, self.model_.scorecard.terms[0])
        X = np.asarray(rows.numbers(term.columns), dtype=float)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = term.above_planes(X)
        if not np.isfinite(scores).all():
            self.model_.engine.refuse_strange(self.model_.scorecard, rows)
            wide = term.above_planes(X.astype(np.longdouble))
            scores = np.clip(wide, -np.finfo(float).max, np.finfo(float).max).astype(float)
        return scores + self.model_.scorecard.log_prior

    @property
    def coef_(self) -> Floats:
        """The weights of each class's linear score, Σ⁻¹μ; for two classes those of the plane between them."""
        return self._planes[0]

    @property
    def intercept_(self) -> Floats:
        """The constants that go with `coef_`, log P(class) − ½μᵀΣ⁻¹μ."""
        return self._planes[1]

    @property
    def _planes(self) -> tuple[Floats, Floats]:
        if not self._learnt().shared:
            raise NotLinear("classes with spreads of their own are not parted by planes; use shared=True.")
        term: Any = self.model_.scorecard.terms[0]
        means = self.means_
        precision = term.whiten[0].T @ term.whiten[0] if self._is_full() else np.diag(term.precision[0])
        weights = means @ precision
        constants = self.model_.scorecard.log_prior - 0.5 * np.sum(weights * means, axis=1)
        if len(means) != 2:
            return weights, constants
        middle = 0.5 * (means[0] + means[1])  # about the middle: large means do not cancel
        step = weights[1] - weights[0]
        log_prior = self.model_.scorecard.log_prior
        return step[None], np.array([log_prior[1] - log_prior[0] - step @ middle])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = not self._is_full()
        return tags
