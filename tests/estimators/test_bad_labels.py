"""Labels of every type: kept as they are, or refused with a reason."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from bestiary import MODELS, X, every, fitted, of, refused, sound, y
from sklearn.exceptions import DataConversionWarning

from candide.errors import BadLabels, CandideError, UnknownClass

PAIRS = {
    "strings": ["ham", "spam"],
    "empty string": ["", "spam"],
    "objects": np.array(["ham", "spam"], dtype=object),
    "unicode": ["Ärger", "žal"],
    "bytes": [b"ham", b"spam"],
    "booleans": [False, True],
    "integers": [3, 700_000],
    "negative": [-5, 2],
    "int8": np.array([-128, 127], dtype=np.int8),
    "int64": np.array([-(2**63), 2**63 - 1], dtype=np.int64),
    "uint64": np.array([2**63, 2**63 + 1], dtype=np.uint64),
    "whole floats": [1.0, 3.0],
    "big endian": np.array([1, 300], dtype=">i4"),
    "days": np.array(["2024-01-01", "2024-03-01"], dtype="M8[D]"),
}


@every
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_labels_come_back_as_they_were(name: str, pair: Any) -> None:
    first, second = np.asarray(pair)
    labels = np.asarray(pair)[y]
    model = fitted(name, X, labels)
    assert model.classes_.tolist() == [first, second]
    assert model.classes_.dtype == labels.dtype
    expected = fitted(name).predict(X)
    assert model.predict(X).tolist() == np.asarray(pair)[expected].tolist()
    np.testing.assert_array_equal(sound(model, X), fitted(name).predict_proba(X))


@every
def test_labels_in_batches_are_the_same_labels(name: str) -> None:
    for pair in (["ham", "spam"], [3, 700_000], [1.0, 3.0]):
        labels = np.asarray(pair)[y]
        whole = fitted(name, X, labels)
        parts = MODELS[name]().partial_fit(X[:9], labels[:9], classes=pair).partial_fit(X[9:], labels[9:])
        np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-9)
        assert parts.predict(X).tolist() == whole.predict(X).tolist()


@every
@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (np.array(["ham", None] * 20, dtype=object), "a label is missing (None)"),
        (np.array(["ham", np.nan] * 20, dtype=object), "a label is missing (nan)"),
        (np.array([1, None] * 20, dtype=object), "a label is missing (None)"),
        (pd.Series(["ham", None] * 20), "a label is missing"),
        (pd.Series(["ham", None] * 20, dtype="category"), "a label is missing"),
        (pl.Series(["ham", None] * 20), "a label is missing (None)"),
        (np.array([0.0, np.nan] * 20), "Input y contains NaN"),
        (pd.array([1, pd.NA] * 20, dtype="Int64"), "Input y contains NaN"),
        (np.array([1.0, np.inf] * 20), "Input y contains infinity"),
        (np.array([0.5, 1.5] * 20), "Unknown label type: continuous"),
        (np.array([1, 2.5] * 20, dtype=object), "Unknown label type"),
        (np.array([1, pd.NA] * 20, dtype=object), "label"),
        ([2**70, 2**71] * 20, "Unknown label type"),
        (np.array([1j, 2j] * 20), "Complex data not supported"),
        (np.stack([y, y], axis=1), "y should be a 1d array, got an array of shape (40, 2)"),
        (3, "y should be a 1d array, got an array of shape ()"),
        (y[:5], "inconsistent numbers of samples: [40, 5]"),
        (None, "requires y to be passed, but the target y is None"),
    ],
    ids=str,
)
def test_labels_that_are_no_classes(name: str, labels: Any, said: str) -> None:
    with refused(ValueError, said):
        fitted(name, X, labels)


@every
def test_a_day_that_is_not_known_is_no_class(name: str) -> None:
    with refused(ValueError, "missing"):
        fitted(name, X, np.array(["2024-01-01", "NaT"] * 20, dtype="M8[D]"))


@every
@pytest.mark.parametrize("mixed", [["ham", 1], ["ham", 1.5], ["ham", True]], ids=str)
def test_labels_of_several_types(name: str, mixed: list[Any]) -> None:
    with refused(BadLabels, "the labels are of several types", "str", type(mixed[1]).__name__):
        fitted(name, X, np.array(mixed * 20, dtype=object))


@every
def test_lists_are_no_labels(name: str) -> None:
    labels = np.empty(40, dtype=object)
    labels[:] = [[1], [2]] * 20
    with refused(BadLabels, "a label must be a plain value", "unhashable type: 'list'"):
        fitted(name, X, labels)


@every
def test_a_column_of_labels_is_flattened_and_said(name: str) -> None:
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        model = fitted(name, X, y[:, None])
    np.testing.assert_array_equal(model.predict_proba(X), fitted(name).predict_proba(X))


@every
def test_series_are_labels(name: str) -> None:
    words = np.array(["ham", "spam"])[y]
    expected = fitted(name, X, words).predict(X).tolist()
    for labels in (pd.Series(words), pd.Series(words, dtype="category"), pl.Series(words), words.tolist()):
        assert fitted(name, X, labels).predict(X).tolist() == expected
    assert fitted(name, X, pd.Series(y, dtype="Int64")).predict(X).tolist() == fitted(name).predict(X).tolist()


@every
def test_a_label_that_was_not_declared(name: str) -> None:
    with refused(UnknownClass, "target label(s) 5, 7 in y do not exist in the initial classes [0, 1]", "classes=[...]"):
        MODELS[name]().partial_fit(X, y * 2 + 5, classes=[0, 1])
    model = fitted(name)
    for call in (model.partial_fit, model.forget):
        with refused(UnknownClass, "target label(s) 5, 7 in y", "[0, 1]"):
            call(X, y * 2 + 5)
        with refused(UnknownClass, "'ham', 'spam'"):
            call(X, np.array(["ham", "spam"])[y])


@every
def test_the_first_batch_names_the_classes_and_no_other_does(name: str) -> None:
    with refused(ValueError, "classes must be passed on the first call to partial_fit"):
        MODELS[name]().partial_fit(X, y)
    model = MODELS[name]().partial_fit(X, y, classes=[0, 1])
    for others in ([0, 1, 2], [0], ["a", "b"], [1, 2]):
        with refused(ValueError, "is not the same as on last call to partial_fit, was: array([0, 1])"):
            model.partial_fit(X, y, classes=others)
    model.partial_fit(X, y, classes=[1, 0])  # as a set


@every
def test_many_unknown_labels_are_not_all_listed(name: str) -> None:
    with refused(UnknownClass, "and 28 more") as _:
        MODELS[name]().partial_fit(X, np.arange(40), classes=[100, 101])


@of("gaussian", "multinomial", "bernoulli", "categorical", "linear", "diagonal")
def test_a_declared_class_that_never_comes_is_never_chosen(name: str) -> None:
    model = MODELS[name]().partial_fit(X, y, classes=[-1, 0, 1, 2])
    posterior = sound(model, X)
    assert (posterior[:, [0, 3]] == 0).all()
    np.testing.assert_allclose(posterior[:, 1:3], fitted(name).predict_proba(X), rtol=1e-6)


def test_every_refusal_is_a_value_error() -> None:
    assert issubclass(CandideError, ValueError)
    assert issubclass(BadLabels, CandideError)
    assert issubclass(UnknownClass, CandideError)


@every
def test_strings_of_numpy_are_strings(name: str) -> None:
    labels = np.array([np.str_("ham"), "spam", "ham", np.str_("spam")] * 10, dtype=object)
    plain = fitted(name, X, np.array(["ham", "spam"])[y])
    assert fitted(name, X, labels).predict(X).tolist() == plain.predict(X).tolist()


@every
@pytest.mark.parametrize("dtype", [object, "string", "category", None], ids=str)
def test_a_missing_label_of_pandas(name: str, dtype: Any) -> None:
    labels = ["ham", pd.NA] * 20
    with refused(BadLabels, "a label is missing"):
        fitted(name, X, labels if dtype is None else pd.Series(labels, dtype=dtype))


@every
def test_classes_may_be_declared_twice(name: str) -> None:
    model = MODELS[name]().partial_fit(X[:9], y[:9], classes=[0, 1, 1]).partial_fit(X[9:], y[9:], classes=[1, 0, 0])
    np.testing.assert_allclose(model.predict_proba(X), fitted(name).predict_proba(X), rtol=1e-9)


@every
def test_refusals_made_on_purpose_are_candides(name: str) -> None:
    with refused(BadLabels, "requires y to be passed, but the target y is None"):
        fitted(name, X, None)
    with refused(BadLabels, "classes must be passed on the first call to partial_fit"):
        MODELS[name]().partial_fit(X, y)
    with refused(BadLabels, "is not the same as on last call to partial_fit"):
        MODELS[name]().partial_fit(X, y, classes=[0, 1]).partial_fit(X, y, classes=[0, 2])
