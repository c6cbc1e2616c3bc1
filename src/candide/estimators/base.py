"""What the scikit-learn classifiers share: checks at the door, one tally behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import _check_sample_weight, validate_data

from candide.classifier import Model
from candide.counts import Tally
from candide.counts.base import frozen
from candide.data import Matrix, is_sparse
from candide.data.check import refuse_weights
from candide.engines import Memory
from candide.errors import BadLabels, BadValue, MergeMismatch, NotFinite, UnknownClass
from candide.events import Event
from candide.explain import Evidence
from candide.labels import Labels, code_type
from candide.priors import Belief
from candide.scorecard import Floats

NATIVE = (np.dtype(np.float64), np.dtype(np.float32))


class CountingClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose state is a tally: `fit` counts, `partial_fit` adds, `forget` takes away, `merge` joins.

    Subclasses say which event model their columns follow, and what is believed about the classes.
    """

    model_: Model
    classes_: NDArray[Any]
    n_features_in_: int

    # ---------------------------------------------------------------- for subclasses

    def _request(self) -> Any:
        """What is counted."""
        raise NotImplementedError

    def _event(self, tally: Tally) -> Event:
        """How the columns come about, now that this was counted."""
        raise NotImplementedError

    def _class_prior(self) -> Belief:
        raise NotImplementedError

    def _takes_sparse(self) -> bool:
        return False

    # ---------------------------------------------------------------- learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Count X and y, forgetting whatever was counted before."""
        with self._all_or_nothing():
            self._check_parameters()
            X, y, weights = self._labelled(X, y, sample_weight, reset=True)
            classes, codes = Memory().encode(y)
            self.classes_ = np.array(classes.values)
            self._keep(self._count(X, classes, codes, weights, None))
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add X and y to what was counted; the first call names all the classes that may come."""
        old = self.tally_ if hasattr(self, "model_") else None
        with self._all_or_nothing():
            self._check_parameters()
            self.classes_ = self._declared(classes, old)
            X, y, weights = self._labelled(X, y, sample_weight, reset=old is None)
            labels = Labels.of(self.classes_)
            batch = self._count(X, labels, _coded(y, labels), weights, old)
            self._keep(batch if old is None else old + batch)
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows away that were counted before: the model is as if they had never been."""
        _refuse_unfitted(self)
        with self._all_or_nothing():
            X, y, weights = self._labelled(X, y, sample_weight, reset=False)
            classes = Labels.of(self.classes_)
            rest = self.tally_ - self._count(X, classes, _coded(y, classes), weights, self.tally_)
            self._keep(rest.over(classes))
        return self

    def merge(self, other: Self) -> Self:
        """A new classifier that has seen what both have; neither of the two changes."""
        if type(other) is not type(self):
            raise MergeMismatch.between(type(self).__name__, type(other).__name__)
        _refuse_unfitted(self)
        _refuse_unfitted(other)
        if not np.array_equal(_names(self), _names(other)):
            raise MergeMismatch.between(f"columns {_names(self)}", f"columns {_names(other)}")
        merged: Self = self.__class__(**self.get_params(deep=False))
        merged.n_features_in_ = self.n_features_in_
        if hasattr(self, "feature_names_in_"):
            merged.feature_names_in_ = self.feature_names_in_
        tally = self.tally_ + other.tally_
        merged.classes_ = np.array(tally.classes.values)
        merged._keep(tally)
        return merged

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """A call that fails, or is interrupted, leaves the classifier as it was."""
        before = dict(vars(self))
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    @property
    def tally_(self) -> Tally:
        """What was counted."""
        _refuse_unfitted(self)
        return self.model_.tally

    def _statistic(self) -> Any:
        return next(iter(self.tally_.statistics.values()))

    def _learnt(self) -> Any:
        """The event model as it was when something was last counted."""
        return next(iter(self.model_.events.values()))

    def _count(self, X: Any, classes: Labels, codes: NDArray[Any], weights: Floats | None, old: Tally | None) -> Tally:
        source = Matrix(X, classes, codes, weights, self._columns())
        return Memory().count([self._request()], source, old)

    def _keep(self, tally: Tally) -> None:
        self._refuse_parameters(tally)
        self.model_ = Model(tally, {self._columns(): self._event(tally)}, self._class_prior())

    def _columns(self) -> Sequence[Any]:
        names = getattr(self, "feature_names_in_", None)
        return range(self.n_features_in_) if names is None else tuple(names.tolist())

    def _check_parameters(self) -> None:
        """Refuse parameters that are wrong whatever the data."""

    def _refuse_parameters(self, tally: Tally) -> None:
        """Refuse parameters that do not fit what was counted."""

    def _labelled(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> tuple[Any, NDArray[Any], Floats | None]:
        """X, y and the weights, checked as scikit-learn users expect."""
        if y is None:
            raise BadLabels(
                f"{type(self).__name__} requires y to be passed, but the target y is None: it learns from labels."
            )
        X = self._matrix(X, reset)
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        if y.dtype.kind not in "iubUS":
            _refuse_missing(y)
            check_classification_targets(y)
        if sample_weight is None:
            return X, y, None
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
        refuse_weights(weights)
        return X, y, weights

    def _declared(self, classes: Any, old: Tally | None) -> NDArray[Any]:
        """The classes that may come, named in the first call and not to be changed afterwards."""
        if old is None and classes is None:
            raise BadLabels("classes must be passed on the first call to partial_fit.")
        if classes is None:
            return self.classes_
        named: NDArray[Any] = unique_labels(classes)
        if old is not None and not np.array_equal(named, self.classes_):
            raise BadLabels(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        return named

    def _matrix(self, X: Any, reset: bool) -> Any:
        """X as an array or a CSR matrix, copied only where it must be."""
        if not reset and self._is_plain(X):
            return X
        checked = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr" if self._takes_sparse() else False,
            dtype="numeric",
            ensure_all_finite=False,  # sums show it by themselves, with its place
        )
        if checked.dtype.kind in "OSU":
            checked = checked.astype(np.float64)
        if checked.dtype.kind not in "iufb":
            raise BadValue(f"X holds {checked.dtype}, not numbers; turn dates into numbers or parts first.")
        if is_sparse(checked) and checked.dtype.kind == "f" and checked.dtype not in NATIVE:
            checked = checked.astype(np.float64)  # SciPy's own sums of other floats are few
        return _summed(checked) if is_sparse(checked) else _unmasked(X, checked, self)

    def _is_plain(self, X: Any) -> bool:
        """A matrix that needs no check: floats, dense or CSR, of the right width, while columns have no names."""
        dense = type(X) is np.ndarray and X.ndim == 2
        if not dense and not (self._takes_sparse() and type(X) in (csr_matrix, csr_array) and X.has_canonical_format):
            return False
        return (
            X.dtype in NATIVE
            and X.shape[1] == self.n_features_in_
            and X.shape[0] > 0
            and not hasattr(self, "feature_names_in_")
        )

    # ---------------------------------------------------------------- classifying

    def _rows(self, X: Any) -> Matrix:
        _refuse_unfitted(self)
        return Matrix(self._matrix(X, reset=False), columns=self._columns())

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row; the first in class order where several are equally probable."""
        rows = self._rows(X)
        return np.asarray(self.classes_[self.model_.decide(rows)])

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(class, row) for every class."""
        rows = self._rows(X)
        return self.model_.log_joint(rows).values

    def predict_proba(self, X: Any) -> Floats:
        """P(class | row) for every class."""
        rows = self._rows(X)
        return self.model_.posterior(rows).values

    def predict_log_proba(self, X: Any) -> Floats:
        """log P(class | row), computed without passing through probabilities that vanish."""
        rows = self._rows(X)
        return self.model_.log_posterior(rows)

    def explain(self, X: Any) -> Evidence:
        """The evidence of every column for every class; it adds up to `predict_joint_log_proba`."""
        rows = self._rows(X)
        return self.model_.evidence(rows)

    @property
    def class_count_(self) -> Floats:
        """The weight of the rows of each class."""
        return frozen(self.tally_.seen.weights)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse()
        return tags


def _refuse_unfitted(estimator: CountingClassifier) -> None:
    if "model_" not in vars(estimator):
        raise NotFittedError(
            f"This {type(estimator).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before "
            "using this estimator."
        )


def _names(estimator: CountingClassifier) -> Any:
    return getattr(estimator, "feature_names_in_", np.arange(estimator.n_features_in_))


def _summed(X: Any) -> Any:
    """A CSR matrix in which no cell is stored in two parts."""
    if X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def _unmasked(given: Any, checked: NDArray[Any], estimator: CountingClassifier) -> NDArray[Any]:
    """A masked cell is not known: NaN where gaps are allowed, refused elsewhere."""
    if not np.ma.is_masked(given):
        return checked
    if not estimator.__sklearn_tags__().input_tags.allow_nan:
        raise NotFinite("Input X has masked cells, and this model cannot leave a cell out. Fill them first.")
    return np.where(np.ma.getmaskarray(given), np.nan, checked)


def _coded(y: NDArray[Any], classes: Labels) -> NDArray[Any]:
    """The place of each label among the classes, all of which must be known."""
    distinct, codes = Memory().encode(y)
    places = classes.codes(distinct.values)
    if (places < 0).any():
        raise UnknownClass.met(distinct.pick(places < 0), classes)
    return np.asarray(places.astype(code_type(len(classes)))[codes])


def _refuse_missing(y: NDArray[Any]) -> None:
    """A label that is not known is no class."""
    if y.dtype == object:
        labels = Labels.of(y)  # names the missing label, if there is one
        kinds = sorted({"str" if isinstance(label, str) else type(label).__name__ for label in labels})
        if "str" in kinds and len(kinds) > 1:
            raise BadLabels(
                f"the labels are of several types ({', '.join(kinds)}); make them all strings, or all numbers."
            )
    elif y.dtype.kind == "f":
        assert_all_finite(y, input_name="y")
