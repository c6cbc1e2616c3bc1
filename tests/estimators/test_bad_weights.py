"""Weights are numbers of repetitions; what cannot be one is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bestiary import COUNTING, MEASURING, MODELS, X, every, fitted, of, refused, sound, with_cell, y

from candide.errors import BadWeights, CandideError, NegativeValue

ONES = np.ones(len(X))


def weighed(name: str, weights: Any, rows: Any = X) -> Any:
    return MODELS[name]().fit(rows, y, sample_weight=weights)


@every
def test_a_negative_weight(name: str) -> None:
    for weights in (np.where(np.arange(len(X)) == 3, -2.0, 1.0), -ONES):
        with refused(BadWeights, "a number of repetitions, not", f"{weights.min():g}", "see forget"):
            weighed(name, weights)


@every
def test_no_weight_at_all(name: str) -> None:
    with refused(ValueError, "ample weights", "zero"):
        weighed(name, 0 * ONES)
    model = fitted(name)
    for call in (model.partial_fit, model.forget):
        with refused(ValueError, "ample weights", "zero"):
            call(X, y, sample_weight=0 * ONES)


@every
@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (np.r_[np.nan, ONES[1:]], "sample_weight contains NaN"),
        (np.r_[np.inf, ONES[1:]], "sample_weight contains infinity"),
        (np.r_[-np.inf, ONES[1:]], "sample_weight contains infinity"),
        ([None] * 40, "sample_weight contains NaN"),
        (ONES[:3], "sample_weight.shape == (3,), expected (40,)"),
        (ONES[:, None], "Sample weights must be 1D array or scalar"),
        (["a"] * 40, "could not convert string to float"),
        (ONES * 1j, "Complex data not supported"),
    ],
    ids=str,
)
def test_weights_that_are_no_numbers(name: str, weights: Any, said: str) -> None:
    with refused(ValueError, said):
        weighed(name, weights)


@every
def test_a_weight_is_a_number_of_repetitions(name: str) -> None:
    times = np.arange(40) % 3
    repeated = fitted(name, np.repeat(X, times, axis=0), np.repeat(y, times))
    for weights in (times, times.astype(np.uint8), times.astype(object), times.astype(np.float32), times.tolist()):
        np.testing.assert_allclose(sound(weighed(name, weights), X), repeated.predict_proba(X), rtol=1e-9)


@every
def test_one_weight_for_all(name: str) -> None:
    np.testing.assert_allclose(weighed(name, 3).predict_proba(X), weighed(name, 3 * ONES).predict_proba(X), rtol=1e-12)
    np.testing.assert_array_equal(weighed(name, ONES > 0).predict_proba(X), fitted(name).predict_proba(X))


@every
def test_rows_of_no_weight_leave_no_trace(name: str) -> None:
    weights = np.where(np.arange(40) < 5, 0.0, 1.0)
    np.testing.assert_allclose(sound(weighed(name, weights), X), fitted(name, X[5:], y[5:]).predict_proba(X), rtol=1e-9)


@every
def test_a_class_of_no_weight_is_never_chosen(name: str) -> None:
    posterior = sound(weighed(name, (y == 1).astype(float)), X)
    assert posterior.tolist() == [[0.0, 1.0]] * len(X)


@of(*MEASURING)
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_what_a_row_of_no_weight_holds_does_not_matter(name: str, value: float) -> None:
    weights = np.where(np.arange(40) == 3, 0.0, 1.0)
    model = weighed(name, weights, with_cell(value, row=3))
    np.testing.assert_allclose(sound(model, X), weighed(name, weights).predict_proba(X), rtol=1e-12)


@of("multinomial", "complement")
@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_a_row_of_no_weight_is_left_out_or_named(name: str, value: float) -> None:
    weights = np.where(np.arange(40) == 3, 0.0, 1.0)
    try:
        model = weighed(name, weights, with_cell(value, row=3))
    except ValueError as error:
        assert "row 3, column 1" in str(error)  # noqa: PT017
    else:
        np.testing.assert_allclose(sound(model, X), weighed(name, weights).predict_proba(X), rtol=1e-12)


@of(*COUNTING)
def test_a_negative_count_is_refused_whatever_its_weight(name: str) -> None:
    with refused(NegativeValue, "Negative values in data passed to"):
        weighed(name, np.where(np.arange(40) == 3, 0.0, 1.0), with_cell(-1, row=3))


@of(*MEASURING)
def test_weights_that_add_to_one(name: str) -> None:
    rows = np.array([[0.0, 1.0], [1.0, 0.5], [2.0, 2.5], [1.0, 1.0]] * 5 + [[3.0, 1.0], [5.0, 4.0], [2.0, 3.0]] * 5)
    labels, ones = np.repeat([0, 1], [20, 15]), np.ones(35)
    plain, shares = (MODELS[name]().fit(rows, labels, sample_weight=w) for w in (ones, ones / 35))
    np.testing.assert_allclose(shares.predict_proba(rows), plain.predict_proba(rows), rtol=1e-9)
    if name != "gaussian":
        np.testing.assert_allclose(shares.covariance_, plain.covariance_, rtol=1e-9)


@of(*MEASURING)
@pytest.mark.parametrize("factor", [2.0**-1000, 2.0**-300, 2.0**-20, 3.0, 2.0**300])
def test_only_the_ratio_of_weights_matters_where_nothing_was_believed(name: str, factor: float) -> None:
    posterior = sound(weighed(name, factor * ONES), X)
    np.testing.assert_allclose(posterior, fitted(name).predict_proba(X), rtol=1e-9)


@of("bernoulli", "multinomial", "complement", "categorical")
def test_vanishing_weights_leave_what_was_believed(name: str) -> None:
    np.testing.assert_allclose(sound(weighed(name, 1e-300 * ONES), X), 0.5)


@every
def test_weights_beyond_what_a_float_can_add(name: str) -> None:
    with refused(CandideError, "eight"):
        weighed(name, 1e308 * ONES).predict(X)
