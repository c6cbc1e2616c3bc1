"""Rows no model can learn from or judge: each is refused with the place and the value, or answered rightly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bestiary import (
    ASKING,
    COUNTING,
    GAPS,
    MEASURING,
    MODELS,
    NO_GAPS,
    X,
    every,
    fitted,
    of,
    refused,
    sound,
    with_cell,
    y,
)
from sklearn.exceptions import NotFittedError

from candide.errors import CandideError, NegativeValue, NotFinite, SingularWarning, TooLarge, TooSmall

INFINITE = "infinity or a value too large for dtype('float64')"
asking = pytest.mark.parametrize("ask", ASKING)


@every
def test_no_rows(name: str) -> None:
    with refused(ValueError, "0 sample(s)", "minimum of 1 is required", type(MODELS[name]()).__name__):
        fitted(name, np.zeros((0, 3)), [])


@every
def test_no_columns(name: str) -> None:
    with refused(ValueError, "0 feature(s)", "minimum of 1 is required"):
        fitted(name, np.zeros((3, 0)), [0, 1, 1])


@every
@asking
def test_no_rows_to_judge(name: str, ask: str) -> None:
    model = fitted(name)
    with refused(ValueError, "0 sample(s)", "minimum of 1 is required"):
        getattr(model, ask)(X[:0])


@every
@asking
def test_nothing_was_learnt_yet(name: str, ask: str) -> None:
    with refused(NotFittedError, "not fitted yet"):
        getattr(MODELS[name](), ask)(X)


@every
def test_nothing_was_learnt_that_could_be_forgotten_or_merged(name: str) -> None:
    new, old = MODELS[name](), fitted(name)
    with refused(NotFittedError, "not fitted yet"):
        new.forget(X, y)
    with refused(NotFittedError, "not fitted yet"):
        new.merge(old)
    with refused(NotFittedError, "not fitted yet"):
        old.merge(new)
    with pytest.raises(AttributeError):
        new.tally_  # noqa: B018


@every
def test_one_row(name: str) -> None:
    model = fitted(name, X[:1], ["only"])
    assert (sound(model, X) == 1).all()
    assert set(model.predict(X)) == {"only"}


@every
def test_one_class(name: str) -> None:
    assert (sound(fitted(name, X, np.full(len(X), 5)), X) == 1).all()


@of(*(name for name in MODELS if name != "quadratic"))
def test_a_class_of_one_row(name: str) -> None:
    labels = np.where(np.arange(len(X)) == 3, "rare", "common")
    model = fitted(name, X, labels)
    rare = sound(model, X)[:, 1]
    assert model.class_count_.tolist() == [39, 1]
    if name not in ("multinomial", "complement"):  # where a row that repeats the only one known is the likeliest
        joint = model.predict_joint_log_proba(X)[:, 1]
        assert joint[3] >= joint.max() - 1e-9
    if name == "gaussian":
        np.testing.assert_allclose(rare[(X == X[3]).all(axis=1)], 1.0, atol=1e-6)


def test_a_class_of_one_row_has_no_covariance_of_its_own() -> None:
    labels = np.where(np.arange(len(X)) == 3, "rare", "common")
    with refused(CandideError, "covariance of class 'rare' cannot be inverted", "common: 39, rare: 1", "shrinkage"):
        fitted("quadratic", X, labels).predict(X)


@of(*GAPS)
def test_a_column_that_is_all_missing_says_nothing(name: str) -> None:
    gap = np.c_[X, np.full(len(X), np.nan)]
    np.testing.assert_allclose(sound(fitted(name, gap), gap), sound(fitted(name), X), rtol=1e-12)
    known = np.c_[X, np.arange(len(X), dtype=float)]
    np.testing.assert_allclose(sound(fitted(name, gap), known), sound(fitted(name), X), rtol=1e-12)


@of(*GAPS)
def test_a_missing_cell_is_counted_in_no_class_and_says_nothing(name: str) -> None:
    rows = with_cell(np.nan, row=2)
    model = fitted(name, rows)
    seen = next(iter(model.tally_.statistics.values())).n
    assert seen[:, 1].tolist() == [19, 20]
    assert seen[:, 0].tolist() == [20, 20]
    without = fitted(name, rows[:, [0, 2]])
    some = model.predict_log_proba(with_cell(np.nan, row=2)[2:3])
    if name == "diagonal":
        np.testing.assert_allclose(some, without.predict_log_proba(rows[2:3, [0, 2]]), rtol=1e-9)
    sound(model, rows)


@of(*GAPS)
def test_a_row_with_nothing_known_gets_the_class_prior(name: str) -> None:
    model = fitted(name, X[:30], (np.arange(30) % 3 == 0).astype(int))
    np.testing.assert_allclose(sound(model, np.full((1, 3), np.nan)), [[2 / 3, 1 / 3]], rtol=1e-12)


@of(*GAPS)
def test_a_class_that_never_had_the_column_is_lent_all_rows(name: str) -> None:
    rows = X.copy()
    rows[y == 0, 1] = np.nan
    sound(fitted(name, rows), X)


@of(*NO_GAPS)
def test_a_gap_is_refused_where_no_cell_can_be_left_out(name: str) -> None:
    with refused(ValueError, "Input X contains NaN"):
        fitted(name, with_cell(np.nan, row=5, column=2))


@of("multinomial", "complement", "linear", "quadratic")
def test_the_refusal_of_a_gap_says_where_it_is(name: str) -> None:
    with refused(NotFinite, "NaN in row 5, column 2", "GaussianNB"):
        fitted(name, with_cell(np.nan, row=5, column=2))


@of(*NO_GAPS)
@asking
def test_a_gap_is_refused_in_rows_to_judge(name: str, ask: str) -> None:
    model = fitted(name)
    with refused(ValueError, "Input X contains NaN"):
        getattr(model, ask)(with_cell(np.nan))


@every
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinity_is_refused(name: str, value: float) -> None:
    with refused(ValueError, INFINITE):
        fitted(name, with_cell(value, row=4, column=1))


@of("gaussian", "multinomial", "complement", "linear", "quadratic", "diagonal")
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_the_refusal_of_an_infinity_says_where_it_is(name: str, value: float) -> None:
    with refused(NotFinite, f"{value} in row 4, column 1"):
        fitted(name, with_cell(value, row=4, column=1))


@every
@pytest.mark.parametrize("value", [np.inf, -np.inf])
@asking
def test_an_infinity_is_refused_in_rows_to_judge(name: str, value: float, ask: str) -> None:
    model = fitted(name)
    with refused(ValueError, *([INFINITE] if value > 0 or name != "categorical" else ["infinity"])):
        getattr(model, ask)(with_cell(value))


@of(*COUNTING)
def test_counts_start_at_zero(name: str) -> None:
    with refused(NegativeValue, "Negative values in data passed to", type(MODELS[name]()).__name__):
        fitted(name, with_cell(-1))
    with refused(NegativeValue, "Negative values in data passed to"):
        MODELS[name]().partial_fit(with_cell(-1e-300), y, classes=[0, 1])


@of(*MEASURING, "bernoulli")
def test_negative_numbers_are_numbers(name: str) -> None:
    sound(fitted(name, X - 2), X - 2)


def test_negative_codes_are_refused_in_rows_to_judge() -> None:
    model = fitted("categorical")
    for rows in (-X[:2], -X[:2].astype(np.int8) - 1):
        with refused(NegativeValue, "CategoricalNB"):
            model.predict(rows)


@every
def test_columns_that_never_vary_say_nothing(name: str) -> None:
    model = fitted(name, np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    for value in (0, 1, 2, 1000):
        np.testing.assert_allclose(sound(model, np.full((1, 2), value)), [[0.5, 0.5]], rtol=1e-12)


@of("gaussian", "linear", "quadratic", "diagonal")
def test_one_column_that_never_varies_changes_nothing(name: str) -> None:
    wide = np.c_[X, np.full(len(X), 3.0)]
    expected = sound(fitted(name), X)
    np.testing.assert_allclose(sound(fitted(name, wide), wide), expected, rtol=1e-6)
    wide[:, 3] = 4e5  # nor does another value, when the model has seen but one
    np.testing.assert_allclose(sound(fitted(name, np.c_[X, np.full(len(X), 3.0)]), wide), expected, rtol=1e-9)


@of("linear", "quadratic")
def test_columns_that_repeat_others_are_shrunk_and_said(name: str) -> None:
    model = fitted(name, np.c_[X, X[:, 0]])
    with pytest.warns(SingularWarning, match=r"4 columns over \d+ rows cannot be inverted.*shrinkage='auto'"):
        posterior = model.predict_proba(np.c_[X, X[:, 0]])
    np.testing.assert_allclose(posterior.sum(axis=1), 1)


@every
@pytest.mark.parametrize("width", [2, 4])
@asking
def test_another_number_of_columns(name: str, width: int, ask: str) -> None:
    model = fitted(name)
    rows = np.ones((2, width))
    with refused(ValueError, f"X has {width} features", "is expecting 3 features"):
        getattr(model, ask)(rows)
    for call in (model.partial_fit, model.forget):
        with refused(ValueError, f"X has {width} features", "is expecting 3 features"):
            call(rows, [0, 1])


@every
def test_rows_must_be_a_matrix(name: str) -> None:
    with refused(ValueError, "Expected 2D array, got 1D array"):
        fitted(name, X[:, 0], y)
    with refused(ValueError, "Expected 2D array, got scalar array"):
        fitted(name, 3.0, [1])
    with refused(ValueError, "Found array with dim 3"):
        fitted(name, X[None], [1])
    with refused(ValueError, "Expected 2D array, got 1D array"):
        fitted(name).predict(X[0])


@every
def test_rows_of_different_length(name: str) -> None:
    with pytest.raises(ValueError, match="inhomogeneous"):
        fitted(name, [[1.0, 2.0], [3.0]], [0, 1])


@every
def test_text_is_no_number(name: str) -> None:
    for rows in (np.array([["a", "b"], ["c", "d"]], dtype=object), [["a", "b"], ["c", "d"]]):
        with pytest.raises(ValueError, match=r"could not convert string to float|convertible|not compatible"):
            fitted(name, rows, [0, 1])
    with pytest.raises(ValueError, match="could not convert string to float: 'a'"):
        fitted(name).predict(np.array([["a", 1, 2]], dtype=object))


@every
def test_a_dictionary_is_no_number(name: str) -> None:
    with pytest.raises((TypeError, ValueError), match=r"dict|Expected 2D array"):
        fitted(name).predict(np.array([[{"a": 1}, 1, 2]], dtype=object))


@every
def test_complex_numbers(name: str) -> None:
    with refused(ValueError, "Complex data not supported"):
        fitted(name, X.astype(complex))


@every
@pytest.mark.parametrize("dtype", ["M8[D]", "m8[D]"])
def test_dates_are_no_numbers(name: str, dtype: str) -> None:
    days = X.astype(np.int64).astype(dtype)
    with pytest.raises((TypeError, ValueError)) as caught:
        fitted(name, days)
    assert isinstance(caught.value, CandideError) or "ufunc" not in str(caught.value)


@of("gaussian", "linear", "quadratic", "diagonal")
def test_values_whose_squares_overflow(name: str) -> None:
    with refused(TooLarge, "too large", f"{X.max() * 1e200:.3g}", "Scale the column"):
        fitted(name, X * 1e200)


@of(*MODELS)
def test_values_as_large_as_squares_allow(name: str) -> None:
    np.testing.assert_allclose(sound(fitted(name, X * 2.0**460), X * 2.0**460).sum(axis=1), 1)
    if name in ("linear", "quadratic", "diagonal", "gaussian"):
        expected = sound(fitted(name), X)
        np.testing.assert_allclose(sound(fitted(name, X * 2.0**460), X * 2.0**460), expected, rtol=1e-9)


@of("gaussian", "linear", "quadratic", "diagonal")
def test_differences_whose_squares_vanish(name: str) -> None:
    with refused(TooSmall, "column 0 varies by so little", "scale it up"):
        fitted(name, X * 1e-200)


@of("bernoulli", "multinomial", "complement", "categorical")
@pytest.mark.parametrize("factor", [1e-200, 1e200])
def test_counts_of_any_size(name: str, factor: float) -> None:
    sound(fitted(name, X * factor), X * factor)


@of("linear", "quadratic", "diagonal")
def test_small_units_give_the_same_posterior(name: str) -> None:
    expected = sound(fitted(name), X)
    np.testing.assert_allclose(sound(fitted(name, X * 2.0**-400), X * 2.0**-400), expected, rtol=1e-9)


@every
@pytest.mark.parametrize("value", [1e100, 1e200, 1e308])
def test_judging_values_far_beyond_what_was_learnt(name: str, value: float) -> None:
    posterior = sound(fitted(name), with_cell(value))
    if name == "multinomial":
        assert posterior[0].max() == 1
    rest = fitted(name).predict_proba(X)[1:]
    np.testing.assert_allclose(posterior[1:], rest, rtol=1e-12)


@every
@pytest.mark.parametrize("value", [1e100, 1e160, 1e200])
def test_explaining_values_far_beyond_what_was_learnt(name: str, value: float) -> None:
    try:
        evidence = fitted(name).explain(with_cell(value))
    except TooLarge:
        return
    assert np.isfinite(evidence.parts).all()
    assert np.isfinite(evidence.log_joint).all()


@of(*MEASURING)
@pytest.mark.parametrize("exponent", [-500, -515, -525, -530, -535])
def test_differences_whose_squares_nearly_vanish(name: str, exponent: int) -> None:
    """Squares below 1e-308 lose digits: a right answer, or a word about the unit, but not about large values."""
    rows = X * 2.0**exponent
    try:
        posterior = sound(fitted(name, rows), rows)
    except TooSmall:
        return
    np.testing.assert_allclose(posterior, sound(fitted(name), X), rtol=1e-6)


def test_judging_a_huge_value_knows_the_wider_class() -> None:
    rows = np.array([[-1.0], [1.0], [-9.0], [9.0]])
    model = fitted("gaussian", rows, ["narrow", "narrow", "wide", "wide"])
    for value in (1e100, 1e200, 1e300):
        assert model.predict([[value]]).tolist() == ["wide"]
        assert model.predict_proba([[value]]).tolist() == [[0.0, 1.0]]


def test_alpha_zero_and_every_class_impossible() -> None:
    for name in ("bernoulli", "multinomial", "complement", "categorical"):
        model = fitted(name, [[1, 0], [0, 1]], [0, 1], alpha=0.0)
        posterior: Any = sound(model, np.array([[1, 1], [0, 0], [0, 1]]))
        np.testing.assert_allclose(posterior, [[0.5, 0.5], [0.5, 0.5], [0, 1]], atol=1e-12)


@of(*GAPS)
def test_classes_too_far_apart(name: str) -> None:
    """Squares between the classes overflow: that is said when they are learnt."""
    rows, labels = [[1e200, 1.0], [1.0, 1.0], [2.0, 2.0], [3.0, 1.0]], [0, 1, 1, 1]
    with refused(TooLarge, "column 0", "0: 1e+200, 1: 2", "Scale the column"):
        fitted(name, rows, labels)
    model = MODELS[name]().partial_fit(rows[:1], labels[:1], classes=[0, 1])
    with refused(TooLarge, "column 0"):
        model.partial_fit(rows[1:], labels[1:])
    assert model.class_count_.tolist() == [1, 0]


@of("gaussian", "linear")
def test_one_class_whose_values_lie_too_far_apart(name: str) -> None:
    far = MODELS[name]().partial_fit([[1e200, 1.0, 2.0]], [0], classes=[0, 1])
    for call in (lambda: far.partial_fit(X, y), lambda: far.merge(fitted(name))):
        with refused(TooLarge, "far apart", "Scale the columns"):
            call()
