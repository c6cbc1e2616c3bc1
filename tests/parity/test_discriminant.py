"""GaussianDiscriminant agrees with scikit-learn's discriminants and with the formula."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from peers import assert_same_answers, assert_same_attributes, measurements, weights
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from candide import GaussianDiscriminant

SEEDS = range(4)
CLASSES = range(2, 7)
METHODS = ("predict_log_proba", "predict_proba")
FORMS = [(covariance, shared) for covariance in ("full", "diagonal") for shared in (True, False)]


def mixed(seed, classes=3, rows=240, columns=4, **options):
    """Columns which depend on one another."""
    X, y = measurements(seed, rows=rows, columns=columns, classes=classes, **options)
    return X @ (np.eye(columns) + 0.3 * np.random.default_rng(seed).normal(size=(columns, columns))), y


def assert_same_decisions(ours, theirs, X):
    """Compare decision functions, which for several classes are free up to a constant a row."""
    mine, yours = (np.asarray(estimator.decision_function(X)) for estimator in (ours, theirs))
    assert mine.shape == yours.shape
    if mine.ndim == 2:
        mine, yours = mine - mine[:, :1], yours - yours[:, :1]
    assert_allclose(mine, yours, rtol=1e-9, atol=1e-9)


def assert_same_discriminant(ours, theirs, X, names=("means_", "covariance_", "priors_")):
    """Compare attributes, probabilities and decisions."""
    assert_same_attributes(ours, theirs, names)
    assert_same_answers(ours, theirs, X, methods=METHODS)
    assert_same_decisions(ours, theirs, X)


def peer_ddof():
    """What the installed scikit-learn subtracts from n in QDA, which has changed between releases."""
    X, y = np.array([[0.0], [2.0], [0.0], [2.0]]), [0, 0, 1, 1]
    fitted = QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, y)
    return {1.0: 0, 2.0: 1}[round(float(np.squeeze(fitted.covariance_[0])), 9)]


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_shared_covariance_is_lda(seed, classes):
    X, y = mixed(seed, classes)
    ours = GaussianDiscriminant().fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="lsqr", store_covariance=True).fit(X, y)
    assert_same_discriminant(ours, theirs, X)


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_planes_are_those_of_lda(seed, classes):
    X, y = mixed(seed, classes)
    ours, theirs = GaussianDiscriminant().fit(X, y), LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    assert_same_attributes(ours, theirs, ("coef_", "intercept_"))


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_covariance_per_class_is_qda(seed, classes):
    X, y = mixed(seed, classes)
    ours = GaussianDiscriminant(shared=False, ddof=peer_ddof()).fit(X, y)
    theirs = QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, y)
    assert_same_discriminant(ours, theirs, X)


@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_formula_of_the_normal_density(seed, ddof):
    X, y = mixed(seed)
    ours = GaussianDiscriminant(shared=False, ddof=ddof).fit(X, y)
    joint = np.empty((len(y), 3))
    for label in range(3):
        covariance = np.cov(X[y == label].T, ddof=ddof)
        assert_allclose(ours.covariance_[label], covariance, rtol=1e-9, atol=1e-12)
        density = multivariate_normal(X[y == label].mean(axis=0), covariance)
        joint[:, label] = density.logpdf(X) + np.log(np.mean(y == label))
    expected = joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)
    assert_allclose(ours.predict_log_proba(X), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("classes", CLASSES)
def test_a_diagonal_per_class_is_gaussian_naive_bayes(classes):
    X, y = mixed(5, classes)
    ours = GaussianDiscriminant(covariance="diagonal", shared=False).fit(X, y)
    theirs = GaussianNB(var_smoothing=0.0).fit(X, y)
    assert_allclose(ours.means_, theirs.theta_, rtol=1e-9, atol=1e-12)
    assert_same_answers(ours, theirs, X, methods=METHODS)


def test_a_shared_diagonal_is_the_diagonal_of_the_shared_covariance():
    X, y = mixed(6)
    ours = GaussianDiscriminant(covariance="diagonal").fit(X, y)
    variances = np.mean((X - np.array([X[y == label].mean(axis=0) for label in range(3)])[y]) ** 2, axis=0)
    joint = -0.5 * ((X[:, None] - ours.means_) ** 2 / variances).sum(axis=2) + np.log(np.bincount(y) / len(y))
    expected = joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)
    assert_allclose(ours.predict_log_proba(X), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("shrinkage", [0.0, 0.3, 0.43, 1.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_shrinkage_of_a_shared_covariance(seed, shrinkage):
    X, y = mixed(seed)
    ours = GaussianDiscriminant(shrinkage=shrinkage).fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage, store_covariance=True).fit(X, y)
    assert_same_discriminant(ours, theirs, X)


@pytest.mark.parametrize("shrinkage", [0.3, 1.0])
def test_shrinkage_per_class_moves_towards_the_mean_variance(shrinkage):
    X, y = mixed(7)
    ours = GaussianDiscriminant(shared=False, shrinkage=shrinkage).fit(X, y)
    for label in range(3):
        plain = np.cov(X[y == label].T, ddof=0)
        expected = (1 - shrinkage) * plain + shrinkage * np.trace(plain) / len(plain) * np.eye(len(plain))
        assert_allclose(ours.covariance_[label], expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("shared", [True, False])
def test_automatic_shrinkage_makes_few_rows_enough(shared):
    X, y = mixed(8, classes=2, rows=16, columns=12)
    fitted = GaussianDiscriminant(shared=shared, shrinkage="auto").fit(X, y)
    assert np.linalg.eigvalsh(fitted.covariance_).min() > 0
    proba = fitted.predict_proba(X)
    assert np.isfinite(proba).all()
    assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-12)


@pytest.mark.parametrize(("covariance", "shared"), FORMS)
@pytest.mark.parametrize("classes", [2, 4])
def test_shapes(covariance, shared, classes):
    X, y = mixed(9, classes, kind="strings")
    fitted = GaussianDiscriminant(covariance=covariance, shared=shared).fit(X, y)
    assert fitted.means_.shape == (classes, 4)
    assert fitted.priors_.shape == (classes,)
    assert fitted.predict_proba(X).shape == (len(y), classes)
    assert fitted.decision_function(X).shape == ((len(y),) if classes == 2 else (len(y), classes))
    assert_array_equal(fitted.classes_, np.unique(y))


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
@pytest.mark.parametrize("classes", [2, 4])
def test_shapes_of_the_planes(covariance, classes):
    X, y = mixed(9, classes)
    fitted = GaussianDiscriminant(covariance=covariance).fit(X, y)
    planes = 1 if classes == 2 else classes
    assert fitted.coef_.shape == (planes, 4)
    assert fitted.intercept_.shape == (planes,)


@pytest.mark.parametrize(("covariance", "shared"), FORMS)
@pytest.mark.parametrize("classes", [2, 4])
def test_the_decision_and_the_probability_agree(covariance, shared, classes):
    X, y = mixed(10, classes)
    fitted = GaussianDiscriminant(covariance=covariance, shared=shared).fit(X, y)
    decision = fitted.decision_function(X)
    chosen = (decision > 0).astype(int) if classes == 2 else decision.argmax(axis=1)
    assert_array_equal(fitted.predict(X), fitted.classes_[chosen])
    assert_array_equal(fitted.predict(X), fitted.classes_[fitted.predict_proba(X).argmax(axis=1)])


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_a_shared_decision_is_linear(covariance):
    X, y = mixed(11, 4)
    fitted = GaussianDiscriminant(covariance=covariance).fit(X, y)
    linear = X @ fitted.coef_.T + fitted.intercept_
    expected = linear - np.logaddexp.reduce(linear, axis=1, keepdims=True)
    assert_allclose(fitted.predict_log_proba(X), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("covariance", "shared"), FORMS)
def test_given_priors_move_the_log_odds_by_their_own(covariance, shared):
    X, y = mixed(12)
    given = np.array([0.1, 0.3, 0.6])
    plain = GaussianDiscriminant(covariance=covariance, shared=shared).fit(X, y)
    moved = GaussianDiscriminant(covariance=covariance, shared=shared, priors=list(given)).fit(X, y)
    assert_allclose(moved.priors_, given, rtol=1e-12)
    joint = plain.predict_log_proba(X) - np.log(plain.priors_) + np.log(given)
    expected = joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)
    assert_allclose(moved.predict_log_proba(X), expected, rtol=1e-9, atol=1e-9)


def test_given_priors_are_copied():
    X, y = mixed(13)
    given = np.array([0.2, 0.3, 0.5])
    fitted = GaussianDiscriminant(priors=given).fit(X, y)
    given[0] = 0.9
    assert fitted.priors_[0] == 0.2


@pytest.mark.parametrize("priors", [[0.5, -0.5, 1.0], [0.5, 0.5], [0.25, 0.25, 0.25, 0.25]])
def test_impossible_priors_are_refused(priors):
    X, y = mixed(14)
    with pytest.raises(ValueError, match=r"[Pp]rior"):
        GaussianDiscriminant(priors=priors).fit(X, y)


@pytest.mark.parametrize("wrong", [{"covariance": "round"}, {"shrinkage": "much"}, {"shrinkage": 1.5}])
def test_impossible_parameters_are_refused(wrong):
    X, y = mixed(15)
    with pytest.raises(ValueError, match=next(iter(wrong))):
        GaussianDiscriminant(**wrong).fit(X, y)


def test_columns_of_any_unit_separate_perfectly():
    X, y = mixed(16, 2)
    X[:, 0] += 40.0 * y
    units = np.array([1.0, 1e3, 1e-4, 1e6])
    plain, scaled = GaussianDiscriminant().fit(X, y), GaussianDiscriminant().fit(X * units, y)
    assert scaled.score(X * units, y) == 1.0
    assert_allclose(scaled.predict_proba(X * units), plain.predict_proba(X), atol=1e-9)


def test_one_column_is_enough():
    X, y = mixed(17)
    ours = GaussianDiscriminant().fit(X[:, :1], y)
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(X[:, :1], y)
    assert_same_answers(ours, theirs, X[:, :1], methods=METHODS)


@pytest.mark.parametrize(("covariance", "shared"), FORMS)
def test_integer_weights_are_repeated_rows(covariance, shared):
    X, y = mixed(18)
    times = np.random.default_rng(18).integers(1, 4, len(y))
    weighted = GaussianDiscriminant(covariance=covariance, shared=shared).fit(X, y, sample_weight=times)
    repeated = GaussianDiscriminant(covariance=covariance, shared=shared).fit(
        np.repeat(X, times, axis=0), np.repeat(y, times)
    )
    assert_same_discriminant(weighted, repeated, X)


@pytest.mark.parametrize(("covariance", "shared"), FORMS)
def test_batches_equal_the_whole(covariance, shared):
    X, y = mixed(19)
    w = weights(19, len(y))
    whole = GaussianDiscriminant(covariance=covariance, shared=shared).fit(X, y, sample_weight=w)
    parts = GaussianDiscriminant(covariance=covariance, shared=shared)
    for rows in (slice(0, 50), slice(50, 51), slice(51, None)):
        parts.partial_fit(X[rows], y[rows], classes=[0, 1, 2], sample_weight=w[rows])
    assert_same_discriminant(parts, whole, X)


@pytest.mark.parametrize("classes", [3, 12])
def test_a_large_table(classes):
    X, y = mixed(20, classes, rows=60_000, columns=11)
    ours = GaussianDiscriminant().fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    assert_same_discriminant(ours, theirs, X)


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
@pytest.mark.parametrize("far", [1e8, 1e150, 1e300])
def test_planes_far_away(covariance: str, far: float) -> None:
    """What the classes share, the squares of the distance, does not drown what parts them."""
    rng = np.random.default_rng(0)
    y = np.arange(90) % 2
    X = rng.normal(size=(90, 3)) + y[:, None]
    model = GaussianDiscriminant(covariance=covariance).fit(X, y)
    asked = np.array([[far, 0.0, 0.0], [0.0, -far, far / 3]])
    plane = asked @ model.coef_[0] + model.intercept_
    np.testing.assert_allclose(model.decision_function(asked), plane, rtol=1e-12)


def test_planes_where_cells_are_missing() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(90, 3)), np.arange(90) % 3
    model = GaussianDiscriminant(covariance="diagonal").fit(X, y)
    X[::2, 1] = np.nan
    apart = model.decision_function(X) - model.predict_joint_log_proba(X)
    np.testing.assert_allclose(apart, np.repeat(apart[:, :1], 3, axis=1), atol=1e-12)
