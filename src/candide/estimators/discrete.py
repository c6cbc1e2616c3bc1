"""What the classifiers that count have in common: pseudo-counts, and a class prior that is counted, given or even."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import Tally
from candide.errors import BadPrior, NegativeValue
from candide.estimators.base import CountingClassifier
from candide.labels import Labels
from candide.priors import Belief, Given, MaximumLikelihood, Uniform
from candide.scorecard import Floats

ALPHA_MIN = 1e-10
ALPHA_MAX = 1e150


class DiscreteClassifier(CountingClassifier):
    """`alpha` virtual examples of everything that can be counted."""

    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any

    def _class_prior(self) -> Belief:
        if self.class_prior is not None:
            return Given.named(self.class_prior, "class_prior")
        return MaximumLikelihood() if self.fit_prior else Uniform()

    def _refuse_parameters(self, tally: Tally) -> None:
        if self.class_prior is not None:
            self._class_prior().mean(tally.seen.weights, 1.0, len(tally.classes))

    def _count(self, X: Any, classes: Labels, codes: NDArray[Any], weights: Floats | None, old: Tally | None) -> Tally:
        try:
            return super()._count(X, classes, codes, weights, old)
        except NegativeValue:
            raise NegativeValue.passed_to(type(self).__name__) from None

    def _check_alpha(self) -> Any:
        """alpha as it is used: at least 1e-10 unless `force_alpha`."""
        try:
            alpha = np.asarray(self.alpha, dtype=float)
        except (TypeError, ValueError):
            raise BadPrior(f"alpha is a number of virtual examples, or one a column, not {self.alpha!r}.") from None
        if alpha.ndim and alpha.shape != (self.n_features_in_,):
            raise BadPrior(
                f"When alpha is an array, it should contains `n_features`. Got {alpha.size} elements instead of "
                f"{self.n_features_in_}."
            )
        if not (alpha < ALPHA_MAX).all():
            raise BadPrior(f"alpha is a number of virtual examples, not {alpha.max():g}.")
        if not (alpha >= 0).all():
            raise BadPrior(f"All values in alpha must be greater than 0. The least is {alpha.min():g}.")
        if alpha.min(initial=np.inf) < ALPHA_MIN and not self.force_alpha:
            warnings.warn(
                f"alpha too small will result in numeric errors, setting alpha = {ALPHA_MIN:.1e}. Use "
                "`force_alpha=True` to keep alpha unchanged.",
                stacklevel=4,
            )
            alpha = np.maximum(alpha, ALPHA_MIN)
        return alpha if alpha.ndim else float(alpha)

    @property
    def class_log_prior_(self) -> NDArray[Any]:
        """log P(class)."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.model_.class_prior))


def log(shares: NDArray[Any]) -> Floats:
    """log p, −∞ for what is impossible."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(shares), dtype=float)
