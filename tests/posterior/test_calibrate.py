"""Calibration: the best temperature and biases there are, or none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from candide.posterior import Calibration, calibrated

SOME = settings(max_examples=100, deadline=None)


def surprise(scores: np.ndarray, y: np.ndarray) -> np.ndarray:
    """−log P(true class)."""
    away = scores - scores.max(axis=1, keepdims=True)
    return np.log(np.exp(away).sum(axis=1)) - away[np.arange(len(y)), y]


def log_loss(found: Calibration, evidence: np.ndarray, prior: np.ndarray, y: np.ndarray, w: np.ndarray) -> float:
    scores = found.temperature * (evidence - evidence.mean(axis=1, keepdims=True)) + prior + found.biases
    return float(w @ surprise(scores, y) / w.sum())


def drawn(seed: int, rows: int, classes: int, sharp: float, shift: float) -> tuple[np.ndarray, ...]:
    """Rows of a model whose evidence counts `sharp` times too much, and whose class prior is off by `shift`."""
    rng = np.random.default_rng(seed)
    true = rng.normal(0, 1.5, (rows, classes))
    prior = np.log(rng.dirichlet(np.full(classes, 5.0)))
    off = np.linspace(-shift, shift, classes)
    chances = np.exp(true + prior + off)
    chances /= chances.sum(axis=1, keepdims=True)
    y = np.array([rng.choice(classes, p=chance) for chance in chances])
    return true * sharp, np.repeat(prior[None], rows, axis=0), y, rng.choice([1.0, 2.0, 0.5], rows)


def best_of_scipy(evidence: np.ndarray, prior: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The least of the same loss, found another way."""
    centred = evidence - evidence.mean(axis=1, keepdims=True)

    def loss(theta: np.ndarray) -> float:
        scores = np.exp(theta[0]) * centred + prior + theta[1:]
        return float(w @ surprise(scores, y) + 0.5 * theta[1:] @ theta[1:])

    start = np.zeros(1 + evidence.shape[1])
    return np.asarray(minimize(loss, start, method="BFGS", options={"gtol": 1e-7}).x)


@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize(("sharp", "shift"), [(3.0, 0.0), (0.5, 1.0), (8.0, 0.5), (2.0, -1.0)])
def test_temperature_and_biases_are_the_best_there_are(classes: int, sharp: float, shift: float) -> None:
    evidence, prior, y, w = drawn(1, 400, classes, sharp, shift)
    found, theta = calibrated(evidence, prior, y, w), best_of_scipy(evidence, prior, y, w)
    np.testing.assert_allclose(np.log(found.temperature), theta[0], atol=2e-4)
    np.testing.assert_allclose(found.biases, theta[1:], atol=2e-4)
    assert abs(found.temperature * sharp - 1) < 0.25


def test_a_calibrated_model_is_left_alone() -> None:
    """What is found for honest probabilities hardly changes them."""
    evidence, prior, y, w = drawn(2, 4000, 3, 1.0, 0.0)
    found = calibrated(evidence, prior, y, np.ones(len(w)))
    assert abs(np.log(found.temperature)) < 0.1
    assert np.abs(found.biases).max() < 0.15


def test_evidence_in_perfect_balance_changes_nothing() -> None:
    """Every row is once of either class, in the very shares that are claimed: the loss is least as it is."""
    evidence = np.repeat(np.log([[0.75, 0.25], [0.25, 0.75]]), 2, axis=0)
    y, w = np.array([0, 1, 0, 1]), np.array([3.0, 1.0, 1.0, 3.0])
    assert calibrated(evidence, np.zeros((4, 2)), y, w).is_none


@SOME
@given(
    st.integers(0, 10_000),
    st.integers(1, 40),
    st.integers(2, 5),
    st.sampled_from([0.0, 0.01, 1.0, 30.0, 1e4]),
    st.floats(-3, 3),
)
def test_it_never_does_harm_to_its_own_rows(seed: int, rows: int, classes: int, sharp: float, shift: float) -> None:
    evidence, prior, y, w = drawn(seed, rows, classes, sharp, shift)
    found = calibrated(evidence, prior, y, w)
    assert found.temperature > 0
    assert np.isfinite(found.biases).all()
    assert log_loss(found, evidence, prior, y, w) <= log_loss(Calibration.none(classes), evidence, prior, y, w) + 1e-12


@SOME
@given(st.integers(0, 10_000), st.floats(-50, 50))
def test_what_is_the_same_for_every_class_has_no_influence(seed: int, much: float) -> None:
    evidence, prior, y, w = drawn(seed, 60, 3, 2.0, 0.5)
    one, other = calibrated(evidence, prior, y, w), calibrated(evidence + much, prior, y, w)
    np.testing.assert_allclose(one.temperature, other.temperature, rtol=1e-6)
    np.testing.assert_allclose(one.biases, other.biases, atol=1e-6)


def test_weight_two_is_seen_twice() -> None:
    evidence, prior, y, _ = drawn(3, 50, 3, 4.0, 0.5)
    twice = calibrated(evidence, prior, y, np.full(50, 2.0))
    both = calibrated(*(np.concatenate([part, part]) for part in (evidence, prior, y)), np.ones(100))
    np.testing.assert_allclose(twice.temperature, both.temperature, rtol=1e-9)
    np.testing.assert_allclose(twice.biases, both.biases, atol=1e-9)


# ---------------------------------------------------------------- little to learn from


def test_one_class_has_nothing_to_calibrate() -> None:
    assert calibrated(np.zeros((5, 1)), np.zeros((5, 1)), np.zeros(5, np.int64), np.ones(5)).is_none


def test_no_rows_have_nothing_to_say() -> None:
    none = np.zeros((0, 2))
    assert calibrated(none, none, np.zeros(0, np.int64), np.zeros(0)).is_none


@pytest.mark.parametrize("evidence", [[[0.0, 0.0]], [[2.0, -2.0]], [[-2.0, 2.0]], [[1e6, -1e6]], [[-1e6, 1e6]]])
def test_one_row_gives_numbers(evidence: list[list[float]]) -> None:
    found = calibrated(np.array(evidence), np.log([[0.5, 0.5]]), np.array([0]), np.ones(1))
    assert np.isfinite(found.temperature)
    assert np.isfinite(found.biases).all()
    assert 0 < found.temperature < 10


def test_rows_of_one_class_alone_do_not_abolish_the_others() -> None:
    evidence, prior, _, w = drawn(4, 200, 3, 1.0, 0.0)
    found = calibrated(evidence, prior, np.zeros(200, np.int64), w)
    assert np.abs(found.biases).max() < 10
    assert 0 < found.temperature < 10


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_evidence_without_bounds_is_left_as_it_is(bad: float) -> None:
    evidence, prior, y, w = drawn(5, 20, 2, 3.0, 0.0)
    evidence[3, 1] = bad
    assert calibrated(evidence, prior, y, w).is_none


def test_rows_without_weight_count_for_nothing() -> None:
    evidence, prior, y, w = drawn(6, 60, 2, 3.0, 0.5)
    w[30:] = 0.0
    some = calibrated(evidence[:30], prior[:30], y[:30], w[:30])
    every = calibrated(evidence, prior, y, w)
    np.testing.assert_allclose(every.temperature, some.temperature, rtol=1e-6)
    np.testing.assert_allclose(every.biases, some.biases, atol=1e-6)
    assert calibrated(evidence, prior, y, np.zeros(60)).is_none


def test_a_class_that_is_thought_impossible_stays_so() -> None:
    """A class prior of 0 is a very negative number; rows of other classes are calibrated all the same."""
    evidence, prior, y, w = drawn(7, 100, 2, 4.0, 0.0)
    wide = np.column_stack([evidence, np.zeros(100)])
    priors = np.column_stack([prior, np.full(100, -1e9)])
    found = calibrated(wide, priors, y, w)
    assert abs(found.temperature * 4 - 1) < 0.5
    assert abs(found.biases[2]) < 1e-6
