"""C10 to C13: bell curves with and without correlations, and the shape of the boundary between them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from candide import GaussianDiscriminant, GaussianNB
from candide.classifier import Model, learn
from candide.data import Table
from candide.errors import NotLinear
from candide.events import Event, FullGaussian, Gaussian
from candide.explain import linear_weights
from candide.priors import PluginNormal

Floats = NDArray[np.float64]

NAMES = ("age", "height", "income")
SEPARATE = Gaussian(PluginNormal(0.0))
SHARED = Gaussian(PluginNormal(0.0), shared=True)


def clouds(classes: int, seed: int = 0) -> tuple[Floats, NDArray[np.int64]]:
    """Correlated columns of very different units; classes of different size, place and spread."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(classes), [30 + 7 * c for c in range(classes)])
    mix = np.array([[10.0, 4.0, 800.0], [0.0, 8.0, -300.0], [0.0, 0.0, 2000.0]])
    raw = rng.normal(size=(len(y), 3)) * (1 + 0.3 * y[:, None]) @ mix
    return raw + np.array([40.0, 170.0, 30000.0]) + y[:, None] * np.array([8.0, 5.0, -1500.0]), y


def taught(event: Event, X: Floats, y: Any) -> Model:
    rows = [(*map(float, row), int(label)) for row, label in zip(X, y, strict=True)]
    return learn({NAMES[: X.shape[1]]: event}, Table.of([*NAMES[: X.shape[1]], "y"], rows, target="y"))


def asked(X: Floats) -> Table:
    return Table.of(NAMES[: X.shape[1]], X.tolist())


def means(X: Floats, y: Any) -> Floats:
    return np.stack([X[y == c].mean(axis=0) for c in np.unique(y)])


def shares(y: Any) -> Floats:
    return np.bincount(y) / len(y)


def log_normal(X: Floats, mean: Floats, covariance: Floats) -> Floats:
    """log N(x; μ, Σ), written out."""
    away = X - mean
    square = np.einsum("ni,ij,nj->n", away, np.linalg.inv(covariance), away)
    return -0.5 * (square + np.log(np.linalg.det(2 * np.pi * covariance)))


def assert_answers(model: Model, X: Floats, joint: Floats) -> None:
    """The model's log joint and posterior are those of the formula."""
    assert_allclose(model.log_joint(asked(X)).values, joint, rtol=1e-12)
    weights = np.exp(joint - joint.max(axis=1, keepdims=True))
    assert_allclose(model.posterior(asked(X)).values, weights / weights.sum(axis=1, keepdims=True), rtol=0, atol=1e-12)
    assert model.decide(asked(X)).tolist() == joint.argmax(axis=1).tolist()


def log_odds(model: Model, X: Floats) -> Floats:
    joint = model.log_joint(asked(X)).values
    return np.asarray(joint[:, 1] - joint[:, 0])


def bend(model: Model, start: Floats, step: Floats) -> Floats:
    """Second differences of the log-odds along a line: nothing if the boundary is a plane."""
    line = start + np.arange(-5, 6)[:, None] * step
    return np.diff(log_odds(model, line), n=2)


STARTS = np.array([[40.0, 170.0, 30000.0], [60.0, 150.0, 25000.0]])
STEPS = np.array([[3.0, 0.0, 0.0], [1.0, -2.0, 500.0], [0.0, 4.0, 1000.0]])
LINES = [(start, step) for start in STARTS for step in STEPS]


# ---------------------------------------------------------------- C10, diagonal, per class


@pytest.mark.parametrize("classes", [2, 3])
def test_c10_maximum_likelihood_mean_and_variance_of_each_class(classes: int) -> None:
    X, y = clouds(classes)
    model = taught(SEPARATE, X, y)
    mean, variance = SEPARATE.estimates(model.tally[SEPARATE.needs(NAMES)])
    by_hand = np.stack(
        [((X[y == c] - X[y == c].mean(axis=0)) ** 2).sum(axis=0) / (y == c).sum() for c in range(classes)]
    )
    assert_allclose(mean, means(X, y), rtol=1e-14)
    assert_allclose(variance, by_hand, rtol=1e-13)
    density = -0.5 * ((X[:, None] - means(X, y)) ** 2 / by_hand + np.log(2 * np.pi * by_hand))
    assert_answers(model, X, np.log(shares(y)) + density.sum(axis=2))

    facade = GaussianNB(var_smoothing=0.0).fit(X, y)
    assert_allclose(facade.theta_, means(X, y), rtol=1e-14)
    assert_allclose(facade.var_, by_hand, rtol=1e-13)
    assert_allclose(facade.predict_proba(X), model.posterior(asked(X)).values, rtol=0, atol=1e-14)


def test_c10_on_paper() -> None:
    """1, 2, 3 against 5, 9: means 2 and 7, variances 2/3 and 4, divided by n and not by n − 1."""
    X, y = np.array([[1.0], [2.0], [3.0], [5.0], [9.0]]), np.array([0, 0, 0, 1, 1])
    mean, variance = SEPARATE.estimates(taught(SEPARATE, X, y).tally[SEPARATE.needs(NAMES[:1])])
    assert mean.tolist() == [[2.0], [7.0]]
    assert variance.tolist() == [[float(Fraction(2, 3))], [4.0]]


# ---------------------------------------------------------------- C11, diagonal, shared


def test_c11_the_plane() -> None:
    """w_i = (μ_i1 − μ_i0)/σ_i², b = ln(π₁/π₀) + Σ(μ_i0² − μ_i1²)/(2σ_i²): the odds of class 1.

    The odds of class 0, which are also in print, have the opposite signs.
    """
    X, y = clouds(2)
    model = taught(SHARED, X, y)
    zero, one = means(X, y)
    variance = ((X - means(X, y)[y]) ** 2).sum(axis=0) / len(y)
    w = (one - zero) / variance
    b = np.log(shares(y)[1] / shares(y)[0]) + ((zero**2 - one**2) / (2 * variance)).sum()

    found, constant = linear_weights(model.scorecard)
    assert_allclose(found, w, rtol=1e-12)
    assert constant == pytest.approx(b, rel=1e-12)
    assert_allclose(log_odds(model, X), X @ w + b, rtol=1e-10, atol=1e-11)
    logistic = 1 / (1 + np.exp(-(X @ w + b)))
    assert_allclose(model.posterior(asked(X)).of(1), logistic, rtol=0, atol=1e-12)

    facade = GaussianDiscriminant(covariance="diagonal", shared=True).fit(X, y)
    assert_allclose(facade.coef_, w[None], rtol=1e-12)
    assert_allclose(facade.intercept_, [b], rtol=1e-12)
    assert_allclose(facade.predict_proba(X)[:, 1], logistic, rtol=0, atol=1e-12)


@pytest.mark.parametrize("classes", [2, 3])
def test_c11_one_variance_a_column(classes: int) -> None:
    X, y = clouds(classes)
    variance = ((X - means(X, y)[y]) ** 2).sum(axis=0) / len(y)
    density = -0.5 * ((X[:, None] - means(X, y)) ** 2 / variance + np.log(2 * np.pi * variance))
    assert_answers(taught(SHARED, X, y), X, np.log(shares(y)) + density.sum(axis=2))


def test_c11_on_paper() -> None:
    """0, 2 against 4, 6, 6, 8: means 1 and 6, within-class variance (2 + 8)/6 = 5/3, so w = 3, b = ln 2 − 35·3/10."""
    X, y = np.array([[0.0], [2.0], [4.0], [6.0], [6.0], [8.0]]), np.array([0, 0, 1, 1, 1, 1])
    w, b = linear_weights(taught(SHARED, X, y).scorecard)
    assert_allclose(w, [3.0], rtol=1e-14)
    assert b == pytest.approx(np.log(2) - 10.5, rel=1e-14)


# ---------------------------------------------------------------- C12, full, shared


@pytest.mark.parametrize("classes", [2, 3])
def test_c12_one_covariance_for_all(classes: int) -> None:
    X, y = clouds(classes)
    event = FullGaussian(shared=True)
    model = taught(event, X, y)
    away = X - means(X, y)[y]
    covariance = sum(np.outer(row, row) for row in away) / len(y)
    assert_allclose(event.covariances(model.tally[event.needs(NAMES)]), covariance[None], rtol=1e-12)
    density = np.stack([log_normal(X, mean, covariance) for mean in means(X, y)], axis=1)
    assert_answers(model, X, np.log(shares(y)) + density)
    assert_allclose(GaussianDiscriminant(shared=True).fit(X, y).covariance_, covariance, rtol=1e-12)


def test_c12_the_boundary_is_linear() -> None:
    X, y = clouds(2)
    model = taught(FullGaussian(shared=True), X, y)
    zero, one = means(X, y)
    away = X - means(X, y)[y]
    inverse = np.linalg.inv(away.T @ away / len(y))
    w, b = linear_weights(model.scorecard)
    assert_allclose(w, inverse @ (one - zero), rtol=1e-11)
    assert b == pytest.approx(
        np.log(shares(y)[1] / shares(y)[0]) + 0.5 * (zero @ inverse @ zero - one @ inverse @ one), rel=1e-11
    )
    assert_allclose(log_odds(model, X), X @ w + b, rtol=1e-9, atol=1e-10)
    for start, step in LINES:
        assert_allclose(bend(model, start, step), 0.0, atol=1e-10)

    facade = GaussianDiscriminant(shared=True).fit(X, y)
    assert_allclose(facade.coef_, w[None], rtol=1e-12)
    assert_allclose(facade.decision_function(X), X @ w + b, rtol=1e-9, atol=1e-10)


# ---------------------------------------------------------------- C13, full, per class


@pytest.mark.parametrize("classes", [2, 3])
def test_c13_a_covariance_for_each_class(classes: int) -> None:
    X, y = clouds(classes)
    event = FullGaussian(shared=False)
    model = taught(event, X, y)
    covariances = np.stack([np.cov(X[y == c].T, ddof=0) for c in range(classes)])
    assert_allclose(event.covariances(model.tally[event.needs(NAMES)]), covariances, rtol=1e-11)
    density = np.stack([log_normal(X, *pair) for pair in zip(means(X, y), covariances, strict=True)], axis=1)
    assert_answers(model, X, np.log(shares(y)) + density)


def test_c13_the_boundary_is_quadratic() -> None:
    """Along x + t·s the log-odds bend by s'(Σ₀⁻¹ − Σ₁⁻¹)s everywhere."""
    X, y = clouds(2)
    inverses = [np.linalg.inv(np.cov(X[y == c].T, ddof=0)) for c in (0, 1)]
    for model, matrices in (
        (taught(FullGaussian(shared=False), X, y), inverses),
        (taught(SEPARATE, X, y), [np.diag(1 / X[y == c].var(axis=0)) for c in (0, 1)]),
    ):
        for start, step in LINES:
            expected = step @ (matrices[0] - matrices[1]) @ step
            assert abs(expected) > 1e-3
            assert_allclose(bend(model, start, step), expected, rtol=1e-7, atol=1e-10)
        with pytest.raises(NotLinear, match="not linear"):
            linear_weights(model.scorecard)
    with pytest.raises(NotLinear, match="shared=True"):
        _ = GaussianDiscriminant(shared=False).fit(X, y).coef_


@pytest.mark.parametrize("event", [SEPARATE, FullGaussian(shared=False)])
def test_c13_a_class_within_another(event: Event) -> None:
    """Equal means, deviations 1 and 2: class 0 between −x and x with x² = (8/3)·ln 2, class 1 on both sides."""
    X, y = np.array([[-1.0], [1.0], [-2.0], [2.0]]), np.array([0, 0, 1, 1])
    model = taught(event, X, y)
    edge = np.sqrt(8 / 3 * np.log(2))
    assert_allclose(log_odds(model, np.array([[-edge], [edge]])), 0.0, atol=1e-14)
    around = np.array([[-edge - 1e-6], [-edge + 1e-6], [0.0], [edge - 1e-6], [edge + 1e-6]])
    assert model.decide(asked(around)).tolist() == [1, 0, 0, 0, 1]
