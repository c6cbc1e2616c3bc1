"""What the classifiers of tables and of texts share: a model of a table behind scikit-learn's methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from candide.classifier import Batch, TableModel
from candide.counts import Tally
from candide.errors import MergeMismatch
from candide.estimators.base import CountingClassifier
from candide.explain import Derivation, Evidence
from candide.labels import Labels
from candide.posterior import best
from candide.scorecard import Floats
from candide.selection.kinds import Choice

NOT_YET = "not asked for yet"


class Learner(CountingClassifier):
    """A classifier that counts, merges, forgets and ages whatever a table holds.

    Subclasses say how data are read (`_read`, `_rows`) and what was decided beforehand (`_settings`, `_made`).
    """

    costs: Any
    reject: float | None
    priors: Any
    one_row_: Any

    def _read(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> Batch:
        """The rows, their classes and weights."""
        raise NotImplementedError

    def _name_columns(self, names: Any) -> None:
        """Tell scikit-learn what the columns are."""

    @classmethod
    def _made(cls, settings: Mapping[str, Any]) -> Self:
        """A classifier of these settings."""
        raise NotImplementedError

    # ---------------------------------------------------------------- learning

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Count X and y, forgetting whatever was counted before; y may be the name of a column of X."""
        with self._all_or_nothing():
            batch = self._read(X, y, sample_weight, reset=True)
            self._take(TableModel.learnt(batch, self._settings()))
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add X and y to what was counted. Classes, levels and columns may be new; `classes` names some to come."""
        first = not hasattr(self, "model_")
        with self._all_or_nothing():
            batch = self._read(X, y, sample_weight, reset=first)
            known = TableModel.learnt(batch, self._settings()) if first else self.saved().with_rows(batch)
            self._take(known if classes is None else known.over(Labels.of(classes)))
        return self

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Take rows away that were counted before: the model is as if they had never been."""
        old = self.saved()
        with self._all_or_nothing():
            self._take(old.without_rows(self._read(X, y, sample_weight, reset=False)))
        return self

    def merge(self, other: Self) -> Self:
        """A new classifier that has seen what both have; neither of the two changes."""
        if type(other) is not type(self):
            raise MergeMismatch.between(type(self).__name__, type(other).__name__)
        return self.of(replace(self.saved().joined(other.saved()), target=None))

    def age(self, factor: float, expire: float = 0.0) -> Self:
        """Let everything counted so far count `factor` times as much; words in fewer than `expire` texts go."""
        self._take(self.saved().aged(factor, expire))
        return self

    @property
    def kinds_(self) -> list[Choice]:
        """What each column was taken for, and why."""
        return self.saved().kinds

    def with_priors(self, priors: Any) -> Self:
        """The same classifier where classes are as frequent as `priors` says: a mapping, or one share a class."""
        shifted: Self = self.__class__(**self.get_params(deep=False))
        shifted.__dict__.update(vars(self))
        shifted.priors = priors
        shifted._keep(self.tally_)
        return shifted

    def leave_one_out(self) -> tuple[Floats, NDArray[np.int64], Floats]:
        """P(class | row) of each row that was kept, as if it had never been counted; its class's place; its weight."""
        return self.saved().leave_one_out()

    def saved(self) -> TableModel:
        """Everything there is to know, as one value."""
        self.tally_  # noqa: B018  (says that the classifier is not fitted)
        return TableModel(self.model_, self.schema_, self._settings(), getattr(self, "target_", None))

    @classmethod
    def of(cls, saved: TableModel) -> Self:
        """The classifier that was saved."""
        found = cls._made(saved.settings)
        found.target_ = saved.target
        found._name_columns(saved.schema.names)
        found._take(saved)
        return found

    # ---------------------------------------------------------------- classifying

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row; with `costs` the cheapest decision; None where `reject` says so."""
        if self.costs is None and self.reject is None:
            posterior = self._quickly(X)
            if posterior is not None:
                return np.asarray(self.classes_[best(posterior)])
        rows: Any = self._rows(X)
        if self.costs is None and self.reject is None:
            return np.asarray(self.classes_[self.model_.decide(rows)])
        places, _ = self.saved().decide(rows)
        if self.reject is None:
            return np.asarray(self.classes_[places])
        return np.asarray(np.append(self.classes_.astype(object), np.array([None], dtype=object))[places])

    def predict_proba(self, X: Any) -> Floats:
        """P(class | row) for every class, in the order of `classes_`."""
        posterior = self._quickly(X)
        return super().predict_proba(X) if posterior is None else posterior

    def explain(self, X: Any) -> Evidence:
        """The evidence of every column for every class, calibration included, beside the cells that were read."""
        rows = self._rows(X)
        return self.saved().explain(rows)

    def derive(self, row: Any) -> Derivation:
        """The decision about one row as a person writes it on paper, with counts and exact fractions.

        A temperature and biases join the factors, so that the derivation ends in the prediction.
        """
        rows = self._rows(row)
        return self.saved().derive(rows)

    def _quickly(self, X: Any) -> Floats | None:
        """P(class | row) of one row without a table being made of it, or None."""
        return None

    # ---------------------------------------------------------------- how

    def _settings(self) -> dict[str, Any]:
        """What was decided beforehand."""
        raise NotImplementedError

    def _take(self, table: TableModel) -> None:
        """Be this model."""
        self.schema_, self.model_ = table.schema, table.model
        self.classes_ = np.array(table.classes.values)
        self.one_row_ = NOT_YET

    def _keep(self, tally: Tally) -> None:
        self._take(self.saved().reading(tally))
