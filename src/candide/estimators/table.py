"""One classifier for the table as it is: strings, numbers, dates and gaps."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from candide.classifier import Batch
from candide.classifier.settings import DEFAULTS
from candide.data.arrow import as_arrow
from candide.data.frame import Frame
from candide.engines import Memory
from candide.errors import BadTable
from candide.estimators.learner import NOT_YET, Learner
from candide.estimators.one_row import OneRow
from candide.estimators.tidy import as_row, is_plain, parted, words_of
from candide.scorecard import Floats


class NaiveBayes(Learner):
    """Naive Bayes for a dataframe of any kind of columns.

    Each column's kind is chosen by its cells, and shown by `kinds_`; `columns` decides for some: an event model, or
    None for a column that must not count. A missing cell is no evidence; with `missing="level"`, for
    all or by column, it is evidence of its own that the cell is missing. A value that was never seen is no evidence.

    >>> rows = [{"sky": "sunny", "wind": 3.0}, {"sky": "sunny", "wind": 9.0}, {"sky": "rain", "wind": 8.0}]
    >>> model = NaiveBayes().fit(rows, ["yes", "no", "no"])
    >>> model.predict([{"sky": "rain", "wind": None}]).tolist()
    ['no']
    """

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

    @classmethod
    def _made(cls, settings: Mapping[str, Any]) -> Self:
        return cls(**settings)

    def _settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in DEFAULTS}

    def sample(self, rows: int = 1, random_state: int | None = None) -> Any:
        """An Arrow table of rows as the model imagines them: a class, and each column by itself; no cell is missing."""
        return self.saved().imagined(rows, np.random.default_rng(random_state))

    def _quickly(self, X: Any) -> Floats | None:
        """P(class | row) of one row that is a mapping of plain cells."""
        row = X[0] if type(X) is list and len(X) == 1 else X
        if type(row) is not dict or "model_" not in vars(self):
            return None
        if self.one_row_ is NOT_YET:
            self.one_row_ = OneRow.of(self.model_.scorecard, self.schema_)
        return self.one_row_.posterior(row) if isinstance(self.one_row_, OneRow) else None

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
