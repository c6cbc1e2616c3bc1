"""One classifier for the table as it is: strings, numbers, dates and gaps."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from candide.classifier import Model, TableModel
from candide.counts import CountCells, CountLevels, KeepRows, MeasureMoments, Tally
from candide.data.arrow import as_arrow, as_dates
from candide.data.frame import Frame
from candide.data.look import look
from candide.data.schema import Held, Schema
from candide.engines import Memory
from candide.errors import BadPrior, BadTable, MergeMismatch, UnknownColumn
from candide.estimators.base import CountingClassifier, given
from candide.estimators.one_row import OneRow
from candide.estimators.tidy import as_counted, as_row, is_plain, parted, refuse_lost, words_of
from candide.events import Bernoulli, Binned, Categorical, Gaussian, LogNormal, Poisson
from candide.explain import Derivation, Evidence
from candide.labels import Labels
from candide.posterior import best
from candide.posterior.costs import by_class
from candide.priors import Belief, Dirichlet, Given
from candide.scorecard import Floats
from candide.selection.kinds import Choice, choose, events

HELD: dict[type, Held] = {
    Bernoulli: "truths",
    Binned: "numbers",
    Categorical: "labels",
    Gaussian: "numbers",
    LogNormal: "logs",
    Poisson: "numbers",
}
MEASURED = (Gaussian, LogNormal, Poisson)
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
            self._check_parameters()
            table, classes, codes, weights = self._read(X, y, sample_weight, reset=True)
            self.schema_ = self._look(table)
            self._keep(self._counted(table, classes, codes, weights, None))
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add X and y to what was counted. Classes, levels and columns may be new; `classes` names some to come."""
        old = self.tally_ if hasattr(self, "model_") else None
        with self._all_or_nothing():
            self._check_parameters()
            table, labels, codes, weights = self._read(X, y, sample_weight, reset=old is None)
            if old is None:
                self.schema_ = self._look(table)
            else:
                self.schema_ = self.schema_ | self._look(table)
                old = old.spanning(self._requests())
            batch = self._counted(table, labels, codes, weights, old)
            tally = batch if old is None else old + batch
            self._keep(tally if classes is None else tally.over(tally.classes | Labels.of(classes)))
        return self

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Take rows away that were counted before: the model is as if they had never been."""
        old = self.tally_
        with self._all_or_nothing():
            table, labels, codes, weights = self._read(X, y, sample_weight, reset=False)
            self._keep((old - self._counted(table, labels, codes, weights, old)).over(old.classes))
        return self

    def merge(self, other: Self) -> Self:
        """A new classifier that has seen what both have; neither of the two changes."""
        if not isinstance(other, NaiveBayes):
            raise MergeMismatch.between(type(self).__name__, type(other).__name__)
        mine, theirs = self.tally_, other.tally_
        merged: Self = self.__class__(**self.get_params(deep=False))
        merged.schema_ = self.schema_ | other.schema_
        refuse_lost(self.schema_, other.schema_, merged.schema_)
        merged._name_columns(merged.schema_.names)
        requests = merged._requests()
        merged._keep(mine.spanning(requests) + theirs.spanning(requests))
        return merged

    def age(self, factor: float) -> Self:
        """Let everything that was counted so far count `factor` times as much."""
        self._keep(self.tally_ * factor)
        return self

    @property
    def kinds_(self) -> list[Choice]:
        """What each column was taken for, and why."""
        left_out = [Choice(one.name, "left out", None, one.why) for one in self.schema_ if not one.is_used]
        return choose(self.tally_, self._given()) + left_out

    def with_priors(self, priors: Any) -> Self:
        """The same classifier where classes are as frequent as `priors` says: a mapping, or one share a class."""
        shifted: Self = self.__class__(**self.get_params(deep=False))
        shifted.__dict__.update(vars(self))
        shifted.priors = priors
        shifted._keep(self.tally_)
        return shifted

    def leave_one_out(self) -> tuple[Floats, NDArray[np.int64], Floats]:
        """P(class | row) of each row that was kept, as if it had never been counted; its class's place; its weight."""
        rows = self.model_.rows
        if rows is None:
            raise BadPrior("no row was kept (keep_rows=0, calibrate=False, or nothing counted): nothing to leave out.")
        return self.model_.left_out(), rows.y, rows.weights

    def sample(self, rows: int = 1, random_state: int | None = None) -> Any:
        """An Arrow table of rows as the model imagines them: a class, and each column by itself; no cell is missing."""
        y, cells = self.model_.drawn(rows, np.random.default_rng(random_state))
        columns = {}
        for one in self.schema_:
            if one.held == "logs" and f"log of {one.name}" in cells:
                columns[one.name] = np.exp(cells[f"log of {one.name}"])
            elif one.name in cells:
                columns[one.name] = cells[one.name] if one.held != "dates" else as_dates(cells[one.name])
        columns[getattr(self, "target_", None) or "class"] = self.classes_[y].tolist()
        return pa.table({name: pa.array(found) for name, found in columns.items()})

    def saved(self) -> TableModel:
        """Everything there is to know, as one value."""
        return TableModel(self.model_, self.schema_, self.get_params(deep=False), getattr(self, "target_", None))

    @classmethod
    def of(cls, saved: TableModel) -> Self:
        """The classifier that was saved."""
        found = cls(**saved.settings)
        found.schema_, found.target_ = saved.schema, saved.target
        found._name_columns(saved.schema.names)
        found._keep(saved.model.tally)
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

    def _keep(self, tally: Tally) -> None:
        self.classes_ = np.array(tally.classes.values)
        chosen = events(choose(tally, self._given()))
        self.model_ = Model(tally, chosen, Dirichlet(1), calibrate=self.calibrate, shifted=self._shares(tally))
        self.one_row_: OneRow | str | None = NOT_YET

    def _given(self) -> dict[str, Any]:
        """The event models that were decided beforehand, by the columns that are counted for them."""
        found: dict[str, Any] = {}
        for name, event in (self.columns or {}).items():
            if name in self.schema_ and event is not None:
                one = self.schema_[name]
                counted = one.labels[:1] if one.held in ("labels", "truths") else one.numbers
                found |= {column: as_counted(event) for column in counted}
        return found

    def _requests(self) -> list[Any]:
        schema, given = self.schema_, self._given()
        requests: list[Any] = [CountLevels(schema.labels), CountCells(schema.numbers)]
        measured = tuple(name for name in schema.numbers if isinstance(given.get(name), MEASURED))
        if measured:
            requests.append(MeasureMoments(measured))
        if self.keep_rows and self.calibrate:
            requests.append(KeepRows(schema.labels, schema.numbers, self.keep_rows))
        return requests

    def _counted(
        self, table: Any, classes: Labels, y: NDArray[Any], weights: Floats | None, old: Tally | None
    ) -> Tally:
        return Memory().count(self._requests(), Frame(table, self.schema_, classes, y, weights), old)

    def _look(self, table: Any) -> Schema:
        held: dict[str, Held] = {}
        for name, event in (self.columns or {}).items():
            if name not in table.column_names:
                if name in getattr(self, "schema_", ()):
                    continue
                raise UnknownColumn.named(name, "the table", table.column_names)
            if event is not None and type(event) not in HELD:
                raise BadPrior(f"column {name!r}: {event!r} is no event model of a column; see candide.events.")
            held[name] = "nothing" if event is None else HELD[type(event)]
        known = {one.name: one.held for one in getattr(self, "schema_", ()) if one.held != "unknown"}
        found = look(table, held | known, self._gaps(table.column_names))
        said = {name: "you left it out" for name, event in (self.columns or {}).items() if event is None}
        return found.without(said)

    def _gaps(self, names: list[str]) -> set[str]:
        chosen = self.missing if isinstance(self.missing, Mapping) else dict.fromkeys(names, self.missing)
        for name, value in chosen.items():
            if value not in ("ignore", "level"):
                raise BadPrior(f"missing is 'ignore' or 'level', or says so by column, not {value!r} ({name!r}).")
        return {name for name, value in chosen.items() if value == "level"}

    def _shares(self, tally: Tally) -> Belief | None:
        """What is believed of the classes after all, if it is not what was counted."""
        if self.priors is None and self.class_weight is None:
            return None
        k, weights = len(tally.classes), tally.seen.weights
        shares = by_class(self.priors, tally.classes, "priors")
        base = (
            Dirichlet(1).mean(weights, weights.sum(), k)
            if shares is None
            else given(shares, "priors").mean(weights, 1.0, k)
        )
        if self.class_weight is None:
            return Given(base)
        if isinstance(self.class_weight, str):
            if self.class_weight != "balanced":
                raise BadPrior(f"class_weight is 'balanced' or a weight a class, not {self.class_weight!r}.")
            return Given(np.full(k, 1.0 / k))
        factors = by_class(self.class_weight, tally.classes, "class_weight", 1.0)
        return Given(base * factors / (base * factors).sum())

    # ---------------------------------------------------------------- data in

    def _read(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> tuple[Any, Labels, NDArray[Any], Floats | None]:
        """The table, the classes, the place of each row's class, and the weights."""
        if isinstance(y, str):
            self.target_: str | None = y
            X, y = parted(as_arrow(X), y)
        words = words_of(y)
        if words is None:
            table, y, weights = self._labelled(X, y, sample_weight, reset=reset)
            return table, *Memory().encode(y), weights
        codes = words.indices.to_numpy(zero_copy_only=False)
        table, _, weights = self._labelled(X, codes, sample_weight, reset=reset)
        classes, places = Labels.encode(words.dictionary.to_pylist())
        return table, classes, places[codes], weights

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
