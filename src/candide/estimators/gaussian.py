"""Bell curves, a column at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import MeasureMoments, Moments, Tally
from candide.errors import BadPrior
from candide.estimators.base import CountingClassifier
from candide.events import Gaussian
from candide.priors import Belief, Given, MaximumLikelihood, PluginNormal
from candide.scorecard import Floats


class GaussianNB(CountingClassifier):
    """Gaussian naive Bayes, a drop-in replacement for scikit-learn's.

    A NaN is a cell that is not known: it is counted in no class, and says nothing when classifying.

    >>> import numpy as np
    >>> X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    >>> GaussianNB().fit(X, ["low", "low", "high", "high"]).predict([[-1.5], [np.nan]]).tolist()
    ['low', 'high']
    """

    def __init__(self, *, priors: Any = None, var_smoothing: float = 1e-9) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing

    def _request(self) -> MeasureMoments:
        return MeasureMoments(self._columns())

    def _event(self, tally: Tally) -> Gaussian:
        return Gaussian(PluginNormal(self.var_smoothing))

    def _class_prior(self) -> Belief:
        return MaximumLikelihood() if self.priors is None else Given.named(self.priors, "priors")

    def _check_parameters(self) -> None:
        if not isinstance(self.var_smoothing, (int, float, np.number)) or not self.var_smoothing >= 0:
            raise BadPrior(f"var_smoothing is a number of at least 0, not {self.var_smoothing!r}.")

    def _refuse_parameters(self, tally: Tally) -> None:
        if self.priors is not None:
            self._class_prior().mean(tally.seen.weights, 1.0, len(tally.classes))
        tally[self._request()].refuse_distance()

    @property
    def _moments(self) -> Moments:
        moments: Moments = self._statistic()
        return moments

    @property
    def theta_(self) -> Floats:
        """Mean of each column in each class."""
        return self._moments.mean

    @property
    def epsilon_(self) -> float:
        """What is added to every variance: a share of the largest variance of a column over all rows seen."""
        return float(self._learnt().prior.epsilon(self._moments.pooled()[2]))

    @property
    def var_(self) -> Floats:
        """Variance of each column in each class, smoothing included."""
        return np.asarray(self._learnt().estimates(self._moments)[1] + self.epsilon_)

    @property
    def class_prior_(self) -> NDArray[Any]:
        """P(class)."""
        return self.model_.class_prior

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
