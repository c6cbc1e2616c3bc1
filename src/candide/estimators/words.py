"""The three classifiers of sparse counts: yes or no, words, and the other classes' words."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.counts import SumTotals, Tally, Totals
from candide.counts.base import frozen
from candide.engines import Memory
from candide.errors import BadPrior
from candide.estimators.discrete import DiscreteClassifier, log
from candide.events import Bernoulli, Complement, Multinomial
from candide.priors import Dirichlet
from candide.scorecard import Floats


class WordClassifier(DiscreteClassifier):
    """Sums of non-negative columns, dense or sparse."""

    def _takes_sparse(self) -> bool:
        return True

    def _request(self) -> SumTotals:
        return SumTotals(self._columns())

    @property
    def _totals(self) -> Totals:
        totals: Totals = self._statistic()
        return totals

    @property
    def feature_count_(self) -> Floats:
        """Σ of each column in each class."""
        return frozen(self._totals.sums)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


class MultinomialNB(WordClassifier):
    """Multinomial naive Bayes on counts (or any non-negative numbers), a drop-in replacement for scikit-learn's.

    >>> MultinomialNB().fit([[2, 0], [0, 3]], ["tea", "coffee"]).predict([[1, 0]]).tolist()
    ['tea']
    """

    def __init__(
        self, *, alpha: Any = 1.0, force_alpha: bool = True, fit_prior: bool = True, class_prior: Any = None
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _event(self, tally: Tally) -> Multinomial:
        return Multinomial(Dirichlet(self._check_alpha()))

    @property
    def feature_log_prob_(self) -> Floats:
        """log P(column | class)."""
        return log(self._learnt().shares(self._totals))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


class ComplementNB(WordClassifier):
    """Complement naive Bayes (Rennie et al. 2003), a drop-in replacement for scikit-learn's.

    As there, a class prior that is merely counted plays no part. One that is given in `class_prior` does: its logarithm
    is added to the scores, where scikit-learn leaves it out in silence.
    """

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm

    def _event(self, tally: Tally) -> Complement:
        return Complement(Dirichlet(self._check_alpha()), self.norm)

    @property
    def feature_all_(self) -> Floats:
        """Σ of each column over all classes."""
        return np.asarray(self._totals.sums.sum(axis=0))

    @property
    def feature_log_prob_(self) -> Floats:
        """The weights of the columns, a row a class."""
        return np.asarray(self._learnt().weights(self._totals))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


class BernoulliNB(WordClassifier):
    """Bernoulli naive Bayes on yes and no, a drop-in replacement for scikit-learn's.

    A cell is a yes if it is greater than `binarize`; with `binarize=None` cells must be 0 or 1 already.
    """

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _request(self) -> SumTotals:
        return SumTotals(self._columns(), self.binarize)

    def _check_parameters(self) -> None:
        if self.binarize is not None and not (
            isinstance(self.binarize, (int, float, np.number)) and self.binarize == self.binarize
        ):
            raise BadPrior(f"binarize is a threshold or None, not {self.binarize!r}.")

    def _event(self, tally: Tally) -> Bernoulli:
        alpha = self._check_alpha()
        return Bernoulli(Dirichlet(alpha[:, None] if np.ndim(alpha) else alpha), self.binarize)

    def _matrix(self, X: Any, reset: bool) -> Any:
        X = super()._matrix(X, reset)
        Memory().refuse_unknown(X)  # NaN > threshold would be a silent no
        above = self._learnt().above if not reset and "model_" in vars(self) else self.binarize
        if above is not None and above < 0 and not isinstance(X, np.ndarray):
            raise BadPrior(
                f"Cannot binarize a sparse matrix with threshold < 0 (binarize={above}): every cell that is "
                "not stored would be a yes."
            )
        return X

    @property
    def feature_log_prob_(self) -> Floats:
        """log P(yes | class) of each column."""
        event, seen = self._learnt(), self.tally_.seen.weights
        return np.stack([log(event.shares(yes, n))[:, 1] for yes, n in zip(self._totals.sums, seen, strict=True)])
