"""One classifier for the table as it is: strings, numbers, dates and gaps."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from candide.classifier import Batch, TableModel
from candide.classifier.settings import DEFAULTS
from candide.counts import Tally
from candide.data.arrow import as_arrow
from candide.data.frame import Frame
from candide.engines import Memory
from candide.errors import BadTable, MergeMismatch
from candide.estimators.base import CountingClassifier
from candide.estimators.one_row import OneRow
from candide.estimators.tidy import as_row, is_plain, parted, words_of
from candide.explain import Derivation, Evidence
from candide.labels import Labels
from candide.posterior import best
from candide.scorecard import Floats
from candide.selection.kinds import Choice

NOT_YET = "not asked for yet"


class NaiveBayes(CountingClassifier):
    """Naive Bayes for a dataframe of any kind of columns.

    Each column's kind is chosen by its cells, and shown by `kinds_`; `columns` decides for some: an event model, or
    None for a column that must not count. A missing cell is no evidence; with `missing="level"`, for
    all or by column, it is evidence of its own that the cell is missing. A value that was never seen is no evidence.

    >>> rows = [{"sky": "sunny", "wind": 3.0}, {"sky": "sunny", "wind": 9.0}, {"sky": "rain", "wind": 8.0}]
    >>> model = NaiveBayes().fit(rows, ["yes", "no", "no"])
    >>> model.predict([{"sky": "rain", "wind": None}]).tolist()
    ['no']
    """

    one_row_: OneRow | str | None

    def __init__(
        self,
        columns: Mapping[str, Any] | None = None,
        *,
        missing: Any = "ignore",
        priors: Any = None,
        class_weight: Any = None,
        costs: Any = None,
        reject: float | None = None,
        calibrate: bool = True,
        keep_rows: int = 2000,
    ) -> None:
        self.columns = columns
        self.missing = missing
        self.priors = priors
        self.class_weight = class_weight
        self.costs = costs
        self.reject = reject
        self.calibrate = calibrate
        self.keep_rows = keep_rows

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
        if not isinstance(other, NaiveBayes):
            raise MergeMismatch.between(type(self).__name__, type(other).__name__)
        return self.of(replace(self.saved().joined(other.saved()), target=None))

    def age(self, factor: float) -> Self:
        """Let everything that was counted so far count `factor` times as much."""
        self._take(self.saved().aged(factor))
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

    def sample(self, rows: int = 1, random_state: int | None = None) -> Any:
        """An Arrow table of rows as the model imagines them: a class, and each column by itself; no cell is missing."""
        return self.saved().imagined(rows, np.random.default_rng(random_state))

    def saved(self) -> TableModel:
        """Everything there is to know, as one value."""
        self.tally_  # noqa: B018  (says that the classifier is not fitted)
        return TableModel(self.model_, self.schema_, self._settings(), getattr(self, "target_", None))

    @classmethod
    def of(cls, saved: TableModel) -> Self:
        """The classifier that was saved."""
        found = cls(**saved.settings)
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
            rows = self._rows(X)
            return np.asarray(self.classes_[self.model_.decide(rows)])
        rows = self._rows(X)
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
        """P(class | row) of one row that is a mapping of plain cells."""
        row = X[0] if type(X) is list and len(X) == 1 else X
        if type(row) is not dict or "model_" not in vars(self):
            return None
        if self.one_row_ is NOT_YET:
            self.one_row_ = OneRow.of(self.model_.scorecard, self.schema_)
        return self.one_row_.posterior(row) if isinstance(self.one_row_, OneRow) else None

    # ---------------------------------------------------------------- how

    def _settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in DEFAULTS}

    def _take(self, table: TableModel) -> None:
        """Be this model."""
        self.schema_, self.model_ = table.schema, table.model
        self.classes_ = np.array(table.classes.values)
        self.one_row_: OneRow | str | None = NOT_YET

    def _keep(self, tally: Tally) -> None:
        self._take(self.saved().reading(tally))

    # ---------------------------------------------------------------- data in

    def _read(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> Batch:
        """The rows, their classes and weights."""
        if isinstance(y, str):
            self.target_: str | None = y
            X, y = parted(as_arrow(X), y)
        words = words_of(y)
        if words is None:
            table, y, weights = self._labelled(X, y, sample_weight, reset=reset)
            return Batch(table, *Memory().encode(y), weights)
        codes = np.zeros(len(words), dtype=np.int8)  # scikit-learn checks the number of labels, we the labels
        table, _, weights = self._labelled(X, codes, sample_weight, reset=reset)
        return Batch.of(table, words, weights)

    def _matrix(self, X: Any, reset: bool) -> Any:
        """Any table as an Arrow table; a matrix without names is checked as scikit-learn's users expect."""
        if isinstance(X, np.ndarray) or hasattr(X, "toarray") or is_plain(X):
            return as_arrow(self._checked(X, reset))
        try:
            table = as_arrow(as_row(X))
        except BadTable:
            if not hasattr(X, "__array__"):
                raise
            return as_arrow(self._checked(X, reset))
        if table.num_rows == 0:
            raise BadTable("Found array with 0 sample(s) (shape=(0, ...)) while a minimum of 1 is required.")
        if reset:
            if table.num_columns == 0:
                raise BadTable("0 feature(s) while a minimum of 1 is required: the table has no columns.")
            self._name_columns(table.column_names)
        elif not isinstance(X, (list, Mapping)):  # rows that are mappings name what they know
            self._warn_of_absent(table.column_names)
        return table

    def _checked(self, X: Any, reset: bool) -> Any:
        from sklearn.utils.validation import validate_data

        return validate_data(self, X, reset=reset, dtype=None, ensure_all_finite=False)

    def _name_columns(self, names: Any) -> None:
        self.n_features_in_ = len(names)
        self.feature_names_in_ = np.array(names, dtype=object)

    def _warn_of_absent(self, names: list[str]) -> None:
        used = {column for columns in self.model_.events for column in columns}
        absent = [one.name for one in self.schema_ if one.name not in names and used & {*one.labels, *one.numbers}]
        if absent:
            warnings.warn(f"columns {absent} are not in the data: every cell is taken as missing.", stacklevel=5)

    def _rows(self, X: Any) -> Any:
        self.tally_  # noqa: B018  (says that the classifier is not fitted)
        return Frame(self._matrix(X, reset=False), self.schema_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
