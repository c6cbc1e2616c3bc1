"""One of several levels in every column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import CountLevels, Counts, Tally
from candide.engines import Memory
from candide.errors import BadPrior, NegativeValue, TooLarge
from candide.estimators.discrete import DiscreteClassifier, log
from candide.events import Categorical
from candide.labels import Labels
from candide.priors import Dirichlet
from candide.scorecard import Floats

WIDEST = 1 << 26  # cells of a table that is shown in full


class CategoricalNB(DiscreteClassifier):
    """Categorical naive Bayes on codes 0, 1, 2, …, a drop-in replacement for scikit-learn's.

    A column has as many categories as its highest code and one, or `min_categories` if that is more. A code beyond
    them is no evidence when classifying. Where a column holds fractions, each distinct value is a category.
    """

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def _request(self) -> CountLevels:
        return CountLevels(self._columns())

    def _event(self, tally: Tally) -> Categorical:
        if np.ndim(self.alpha):
            raise BadPrior(f"alpha of CategoricalNB is one number for all columns, not {self.alpha!r}.")
        least = self._least_sizes()
        sizes = [max(_size(levels), least[j]) for j, levels in enumerate(tally[self._request()].levels)]
        return Categorical(Dirichlet(self._check_alpha()), tuple(sizes))

    def _least_sizes(self) -> list[int]:
        if self.min_categories is None:
            return [0] * self.n_features_in_
        least = np.asarray(self.min_categories)
        if least.dtype.kind not in "iu":
            raise BadPrior(f"'min_categories' should have integral type. Got {least.dtype} instead.")
        if least.ndim and least.shape != (self.n_features_in_,):
            raise BadPrior(
                f"'min_categories' should have shape ({self.n_features_in_},) when an array-like is provided. Got "
                f"{least.shape} instead."
            )
        return [int(size) for size in np.broadcast_to(least, (self.n_features_in_,))]

    def _matrix(self, X: Any, reset: bool) -> Any:
        X = super()._matrix(X, reset)
        Memory().refuse_unknown(X)
        if not reset and X.dtype.kind in "if" and Memory().least(X) < 0:
            raise NegativeValue.passed_to(type(self).__name__)
        return X

    @property
    def _counts(self) -> Counts:
        counts: Counts = self._statistic()
        return counts

    @property
    def n_categories_(self) -> NDArray[Any]:
        """The number of categories of each column."""
        sizes = self._learnt().sizes
        return np.array(sizes, dtype=np.int64 if max(sizes) <= np.iinfo(np.int64).max else object)

    @property
    def category_count_(self) -> list[Floats]:
        """For each column, the weight of each category (columns) in each class (rows)."""
        return [self._in_full(j, self._counts.tables[j].T, 0.0) for j in range(self.n_features_in_)]

    @property
    def feature_log_prob_(self) -> list[Floats]:
        """For each column, log P(category | class): a row a class."""
        event, counts = self._learnt(), self._counts
        return [
            self._in_full(j, log(event.shares(counts, j)), event.empty(counts, j)[:, None])
            for j in range(self.n_features_in_)
        ]

    def _in_full(self, j: int, table: Floats, rest: Any) -> Floats:
        """A table over all the categories 0 … J − 1, seen or not, or over the distinct values of fractions."""
        levels, size = self._counts.levels[j], self._learnt().size(self._counts, j)
        if not _whole(levels):
            return table
        if size * len(table) > WIDEST:
            raise TooLarge(f"column {j} has {size:,} categories; its counts by level are in tally_.")
        full = np.broadcast_to(rest, (len(table), size)).copy()
        full[:, levels.values.astype(np.int64)] = table
        return full

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags


def _whole(levels: Labels) -> bool:
    return levels.values.dtype.kind in "iu"


def _size(levels: Labels) -> int:
    """Codes run from 0 to the highest; fractions are just as many as there are."""
    if not len(levels):
        return 0
    return int(levels.values[-1]) + 1 if _whole(levels) else len(levels)
