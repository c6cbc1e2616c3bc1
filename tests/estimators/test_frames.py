"""Data frames: scikit-learn's contract about names, and cells that are not known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from bestiary import ASKING, GAPS, MODELS, NO_GAPS, X, every, fitted, of, refused, sound, y

from candide.errors import MergeMismatch

NAMES = ["age", "height", "weight"]
FRAMES = {
    "pandas": lambda rows: pd.DataFrame(rows, columns=NAMES),
    "polars": lambda rows: pl.DataFrame(rows, schema=NAMES),
}
frames = pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
DIFFERENT = "The feature names should match those that were passed during fit"


@every
@frames
def test_a_frame_says_what_its_numbers_say(name: str, make: Any) -> None:
    model = fitted(name, make(X), y)
    np.testing.assert_allclose(sound(model, make(X)), fitted(name).predict_proba(X), rtol=1e-12)
    assert model.feature_names_in_.tolist() == NAMES
    assert list(next(iter(model.tally_.statistics)).columns) == NAMES
    assert list(model.explain(make(X)).columns) == NAMES


@every
@frames
@pytest.mark.parametrize("ask", ASKING)
def test_columns_in_another_order_missing_or_too_many(name: str, make: Any, ask: str) -> None:
    model, frame = fitted(name, make(X), y), FRAMES["pandas"](X)
    as_made = (lambda f: f) if isinstance(make(X), pd.DataFrame) else pl.from_pandas
    with refused(ValueError, DIFFERENT, "must be in the same order"):
        getattr(model, ask)(as_made(frame[["height", "age", "weight"]]))
    with refused(ValueError, DIFFERENT, "seen at fit time, yet now missing", "- height"):
        getattr(model, ask)(as_made(frame[["age", "weight"]]))
    with refused(ValueError, DIFFERENT, "unseen at fit time", "- shoe"):
        getattr(model, ask)(as_made(frame.assign(shoe=1.0)))
    with refused(ValueError, DIFFERENT, "- shoe", "- weight"):
        getattr(model, ask)(as_made(frame.rename(columns={"weight": "shoe"})))


@every
@pytest.mark.parametrize("call", ["partial_fit", "forget"])
def test_learning_and_forgetting_want_the_same_names(name: str, call: str) -> None:
    model, frame = fitted(name, FRAMES["pandas"](X), y), FRAMES["pandas"](X)
    with refused(ValueError, DIFFERENT, "must be in the same order"):
        getattr(model, call)(frame[["height", "age", "weight"]], y)
    getattr(model, call)(frame[:20], y[:20])
    sound(model, frame)


@every
def test_names_on_one_side_only_are_said(name: str) -> None:
    frame = FRAMES["pandas"](X)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        fitted(name, frame).predict(X)
    with pytest.warns(UserWarning, match="X has feature names, but .* was fitted without"):
        fitted(name).predict(frame)


@every
def test_models_of_differently_named_columns_do_not_merge(name: str) -> None:
    frame = FRAMES["pandas"](X)
    named = fitted(name, frame)
    with refused(MergeMismatch, "['age' 'height' 'weight']", "['height' 'age' 'weight']"):
        named.merge(fitted(name, frame[["height", "age", "weight"]]))
    with refused(MergeMismatch, "['age' 'height' 'weight']", "[0 1 2]"):
        named.merge(fitted(name))
    both = named.merge(fitted(name, frame))
    assert both.feature_names_in_.tolist() == NAMES
    sound(both, frame)


@every
def test_names_of_several_types(name: str) -> None:
    with refused(TypeError, "Feature names are only supported if all input features have string names"):
        fitted(name, pd.DataFrame(X, columns=["age", 1, "weight"]))
    sound(fitted(name, pd.DataFrame(X)), pd.DataFrame(X))  # whole numbers are no names


@every
def test_a_name_that_occurs_twice(name: str) -> None:
    twice = pd.DataFrame(X, columns=["age", "age", "weight"])
    with pytest.raises(Exception, match=r"unique column names") as caught:
        fitted(name, twice)
    assert "age" in str(caught.value)


@every
@pytest.mark.parametrize("dtype", ["Int64", "UInt8", "Float32", "int16", "float32"])
def test_types_of_pandas(name: str, dtype: str) -> None:
    frame = FRAMES["pandas"](X).astype(dtype)
    np.testing.assert_allclose(sound(fitted(name, frame), frame), fitted(name).predict_proba(X), rtol=1e-9)


@every
def test_numbers_as_categories_of_pandas(name: str) -> None:
    frame = FRAMES["pandas"](X.astype(int)).astype("category")
    np.testing.assert_allclose(sound(fitted(name, frame), frame), fitted(name).predict_proba(X), rtol=1e-9)


@every
def test_words_as_categories_of_pandas(name: str) -> None:
    frame = pd.DataFrame({"age": pd.Categorical(["old", "young"] * 20)})
    with pytest.raises(ValueError, match="could not convert string to float"):
        fitted(name, frame)


def with_gap(kind: str) -> Any:
    rows = X.astype(object)
    rows[3, 1] = None
    if kind == "polars":
        return pl.DataFrame({column: rows[:, j].tolist() for j, column in enumerate(NAMES)})
    return pd.DataFrame(rows, columns=NAMES).astype(kind)


@of(*GAPS)
@pytest.mark.parametrize("kind", ["Int64", "Float64", "float64", "object", "polars"])
def test_cells_that_are_not_known(name: str, kind: str) -> None:
    rows = X.copy()
    rows[3, 1] = np.nan
    posterior = sound(fitted(name, with_gap(kind)), with_gap(kind))
    np.testing.assert_allclose(posterior, fitted(name, rows).predict_proba(rows), rtol=1e-12)


@of(*NO_GAPS)
@pytest.mark.parametrize("kind", ["Int64", "Float64", "float64", "object", "polars"])
def test_cells_that_are_not_known_where_none_can_be_left_out(name: str, kind: str) -> None:
    with refused(ValueError, "Input X contains NaN"):
        fitted(name, with_gap(kind))


@every
def test_a_frame_is_left_alone(name: str) -> None:
    frame = FRAMES["pandas"](X)
    before = frame.copy()
    MODELS[name]().fit(frame, y).partial_fit(frame, y).forget(frame, y).predict_proba(frame)
    pd.testing.assert_frame_equal(frame, before)
