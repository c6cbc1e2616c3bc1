"""C14: naive Bayes and logistic regression draw planes of one form, and find different ones."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from candide import GaussianDiscriminant

Floats = NDArray[np.float64]
Sample = tuple[Floats, NDArray[np.int64]]

D = 30
SEEDS = range(12)
FEW, MANY = (64, 128), 8000


def independent(n: int, seed: int, hint: float = 0.35) -> Sample:
    """Columns that are independent within a class, each a weak hint."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, D)) + hint * (2 * y[:, None] - 1), y


def correlated(n: int, seed: int) -> Sample:
    """Pairs of columns: the second tells nothing of the class, and nearly all of the first one's noise."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    noise, own = rng.normal(size=(2, n, 2))
    second = 0.9 * noise + np.sqrt(1 - 0.9**2) * own
    return np.concatenate([noise + 0.35 * (2 * y[:, None] - 1), second], axis=1), y


def naive_bayes() -> GaussianDiscriminant:
    return GaussianDiscriminant(covariance="diagonal", shared=True)


def logistic_regression() -> LogisticRegression:
    return LogisticRegression(C=1e3, max_iter=10_000)  # as good as no penalty, yet defined where a plane parts the rows


def mixed(n: int, seed: int) -> Sample:
    """Both kinds of columns."""
    hints, y = independent(n, seed, hint=0.21)
    pairs, _ = correlated(n, 1000 + seed)
    return np.concatenate([hints, pairs], axis=1), y


KINDS = (naive_bayes, logistic_regression)


@cache
def accuracy(make: type, world: type, n: int) -> float:
    """Of a classifier taught by n rows, on new ones; the average of some training sets."""
    test = world(20_000, 999)
    return float(np.mean([make().fit(*world(n, seed)).score(*test) for seed in (SEEDS if n < MANY else (0,))]))


@pytest.mark.parametrize("world", [independent, correlated])
def test_c14_both_are_linear(world: type) -> None:
    X, y = world(400, 1)
    models = naive_bayes().fit(X, y), logistic_regression().fit(X, y)
    for model in models:
        odds = X @ model.coef_[0] + model.intercept_[0]
        assert_allclose(model.decision_function(X), odds, rtol=1e-9, atol=1e-9)
        assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-odds)), rtol=1e-9, atol=1e-12)
        assert (model.predict(X) == (odds > 0)).all()


def test_c14_side_by_side_the_weights_differ() -> None:
    """Where the second of a pair only tells the first one's noise, naive Bayes cannot use it."""
    X, y = correlated(MANY, 0)
    naive, logistic = naive_bayes().fit(X, y).coef_[0], logistic_regression().fit(X, y).coef_[0]
    assert_allclose(naive, [0.7, 0.7, 0.0, 0.0], atol=0.1)
    assert_allclose(logistic, np.array([0.7, 0.7, -0.63, -0.63]) / (1 - 0.9**2), atol=0.3)


def test_c14_under_independence_the_weights_meet() -> None:
    X, y = independent(MANY, 0)
    naive, logistic = naive_bayes().fit(X, y).coef_[0], logistic_regression().fit(X, y).coef_[0]
    assert_allclose(naive, np.full(D, 0.7), atol=0.1)
    assert np.abs(naive - logistic).max() < 0.15
    X, y = independent(2 * D, 0)
    naive, logistic = naive_bayes().fit(X, y).coef_[0], logistic_regression().fit(X, y).coef_[0]
    assert np.abs(naive - logistic).max() > 0.5


def test_c14_naive_bayes_needs_fewer_examples() -> None:
    """When independence holds both have one limit, and naive Bayes is near it first."""
    naive, logistic = ([accuracy(make, independent, n) for n in (*FEW, MANY)] for make in KINDS)
    assert abs(naive[-1] - logistic[-1]) < 0.01
    for few in range(len(FEW)):
        assert naive[few] > logistic[few] + 0.02
        assert naive[few] > naive[-1] - 0.02
        assert logistic[few] < logistic[-1] - 0.03


def test_c14_logistic_regression_has_the_better_limit() -> None:
    """When independence fails: more examples do not help naive Bayes there."""
    naive, logistic = ([accuracy(make, correlated, n) for n in (*FEW, MANY)] for make in KINDS)
    assert logistic[-1] > naive[-1] + 0.1
    assert naive[-1] < 0.75


def test_c14_the_curves_may_cross() -> None:
    """Many independent hints and one misleading pair: naive Bayes is ahead at first, and is overtaken."""
    naive, logistic = ([accuracy(make, mixed, n) for n in (32, MANY)] for make in KINDS)
    assert naive[0] > logistic[0] + 0.01
    assert logistic[1] > naive[1] + 0.03
