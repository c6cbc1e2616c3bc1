"""What candide's estimators learn and answer equals what scikit-learn's learn and answer."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose
from peers import (
    CONTAINERS,
    assert_same_answers,
    assert_same_attributes,
    batches,
    codes,
    counts,
    labels,
    measurements,
    weights,
)
from scipy import sparse
from sklearn import naive_bayes

import candide

SEEDS = range(4)
GAUSSIAN = ("theta_", "var_", "class_count_", "class_prior_", "epsilon_", "n_features_in_")
WORDS = ("feature_count_", "feature_log_prob_", "class_count_", "class_log_prior_", "n_features_in_")
LEVELS = ("category_count_", "feature_log_prob_", "class_count_", "class_log_prior_", "n_categories_", "n_features_in_")
WORD_MODELS = ("MultinomialNB", "BernoulliNB", "ComplementNB")
LABELS = ("integers", "strings", "negative")


def pair(name, **parameters):
    """Our estimator and its peer, not yet fitted."""
    return getattr(candide, name)(**parameters), getattr(naive_bayes, name)(**parameters)


def attributes(name):
    """The fitted attributes of a discrete model."""
    return LEVELS if name == "CategoricalNB" else (*WORDS, "feature_all_") if name == "ComplementNB" else WORDS


def table(name, seed, **shape):
    """A random table which the model can read."""
    return (codes if name == "CategoricalNB" else measurements if name == "GaussianNB" else counts)(seed, **shape)


def check(name, X, y, parameters, sample_weight=None, rtol=1e-9, answers_on=None):
    """Fit both and compare attributes and answers."""
    ours, theirs = pair(name, **parameters)
    ours.fit(X, y, sample_weight=sample_weight)
    theirs.fit(X, y, sample_weight=sample_weight)
    names = GAUSSIAN if name == "GaussianNB" else attributes(name)
    assert_same_attributes(ours, theirs, names, rtol=rtol)
    assert_same_answers(ours, theirs, X if answers_on is None else answers_on, rtol=rtol)


def logarithm(fraction):
    """The logarithm of an exact fraction, however small."""
    return math.log(fraction.numerator) - math.log(fraction.denominator)


def backwards(X):
    """The same sparse table with the cells of every row in descending order of columns."""
    order = np.concatenate([np.arange(X.indptr[row], X.indptr[row + 1])[::-1] for row in range(X.shape[0])])
    return sparse.csr_matrix((X.data[order], X.indices[order], X.indptr), shape=X.shape)


class TestGaussian:
    @pytest.mark.parametrize("kind", LABELS)
    @pytest.mark.parametrize("seed", SEEDS)
    def test_default(self, seed, kind):
        X, y = measurements(seed, kind=kind)
        check("GaussianNB", X, y, {})

    @pytest.mark.parametrize(
        "parameters",
        [{"priors": [0.2, 0.3, 0.5]}, {"priors": np.array([1.0, 1.0, 1.0]) / 3}, {"var_smoothing": 0.0},
         {"var_smoothing": 0.1}],
    )  # fmt: skip
    @pytest.mark.parametrize("seed", SEEDS)
    def test_parameters(self, seed, parameters):
        X, y = measurements(seed)
        check("GaussianNB", X, y, parameters)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_weights_without_smoothing(self, seed):
        X, y = measurements(seed)
        check("GaussianNB", X, y, {"var_smoothing": 0.0}, sample_weight=weights(seed, len(y)))

    @pytest.mark.parametrize("seed", SEEDS)
    def test_the_smoothing_follows_the_weights(self, seed):
        X, y = measurements(seed)
        w = weights(seed, len(y))
        ours = candide.GaussianNB(var_smoothing=1e-3).fit(X, y, sample_weight=w)
        mean = np.average(X, axis=0, weights=w)
        assert_allclose(ours.epsilon_, 1e-3 * np.average((X - mean) ** 2, axis=0, weights=w).max(), rtol=1e-9)
        theirs = naive_bayes.GaussianNB(var_smoothing=0.0).fit(X, y, sample_weight=w)
        assert_allclose(ours.var_, theirs.var_ + ours.epsilon_, rtol=1e-9)

    def test_integer_weights_are_repeated_rows(self):
        X, y = measurements(11)
        times = np.random.default_rng(11).integers(1, 4, len(y))
        weighted = candide.GaussianNB().fit(X, y, sample_weight=times)
        repeated = naive_bayes.GaussianNB().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        assert_same_attributes(weighted, repeated, GAUSSIAN)
        assert_same_answers(weighted, repeated, X)

    @pytest.mark.parametrize("parts", [1, 2, 5])
    @pytest.mark.parametrize("seed", SEEDS)
    def test_batches_without_smoothing(self, seed, parts):
        X, y = measurements(seed)
        ours, theirs = pair("GaussianNB", var_smoothing=0.0)
        for part_X, part_y, _ in batches(X, y, parts):
            ours.partial_fit(part_X, part_y, classes=np.unique(y))
            theirs.partial_fit(part_X, part_y, classes=np.unique(y))
        assert_same_attributes(ours, theirs, GAUSSIAN)
        assert_same_answers(ours, theirs, X)

    @pytest.mark.parametrize("parts", [2, 5])
    def test_batches_with_smoothing_equal_the_whole(self, parts):
        X, y = measurements(3)
        w = weights(3, len(y))
        ours = candide.GaussianNB(var_smoothing=1e-3)
        for part_X, part_y, rows in batches(X, y, parts):
            ours.partial_fit(part_X, part_y, classes=np.unique(y), sample_weight=w[rows])
        whole = candide.GaussianNB(var_smoothing=1e-3).fit(X, y, sample_weight=w)
        assert_same_attributes(ours, whole, GAUSSIAN)
        assert_same_answers(ours, whole, X)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_many_classes(self, seed):
        X, y = measurements(seed, rows=1500, columns=8, classes=50)
        check("GaussianNB", X, y, {})

    @pytest.mark.parametrize("rows", [1, 7, 64, 1000, 20_000])
    def test_any_number_of_rows_predicted(self, rows):
        X, y = measurements(5, rows=20_000, columns=7)
        check("GaussianNB", X, y, {}, answers_on=X[:rows])

    def test_far_from_zero(self):
        X, y = measurements(6)
        exact = naive_bayes.GaussianNB(var_smoothing=0.0).fit(X, y)
        shifted = candide.GaussianNB(var_smoothing=0.0).fit(X + 2.0**26, y)
        assert_allclose(shifted.var_, exact.var_, rtol=1e-6)

    def test_single_precision_is_summed_in_double(self):
        X, y = measurements(7, rows=5000)
        single = X.astype(np.float32)
        ours = candide.GaussianNB().fit(single, y)
        theirs = naive_bayes.GaussianNB().fit(single.astype(np.float64), y)
        assert_same_attributes(ours, theirs, ("theta_", "var_", "epsilon_"), rtol=1e-6, atol=1e-6)
        assert_allclose(ours.predict_proba(single), theirs.predict_proba(single.astype(np.float64)), atol=1e-5)

    @pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint8, bool])
    def test_whole_numbers(self, dtype):
        X, y = counts(8)
        check("GaussianNB", X.astype(dtype), y, {})

    def test_constant_column(self):
        X, y = measurements(9)
        X[:, 2] = 4.0
        check("GaussianNB", X, y, {})


class TestWords:
    @pytest.mark.parametrize("kind", LABELS)
    @pytest.mark.parametrize("container", CONTAINERS)
    @pytest.mark.parametrize("name", WORD_MODELS)
    def test_containers(self, name, container, kind):
        X, y = counts(1, kind=kind)
        check(name, CONTAINERS[container](X), y, {})

    @pytest.mark.parametrize("container", ["dense", "csr_matrix", "csc_matrix"])
    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("name", WORD_MODELS)
    def test_weights(self, name, seed, container):
        X, y = counts(seed)
        check(name, CONTAINERS[container](X), y, {}, sample_weight=weights(seed, len(y)))

    @pytest.mark.parametrize(
        "parameters",
        [{"alpha": 1e-3}, {"alpha": 0.1}, {"alpha": 7.0}, {"fit_prior": False}, {"alpha": 0.1, "force_alpha": False}],
    )  # fmt: skip
    @pytest.mark.parametrize("container", ["dense", "csr_matrix"])
    @pytest.mark.parametrize("name", WORD_MODELS)
    def test_parameters(self, name, container, parameters):
        X, y = counts(2)
        check(name, CONTAINERS[container](X), y, parameters)

    @pytest.mark.parametrize("container", ["dense", "csr_matrix"])
    @pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB"])
    def test_an_alpha_for_every_column(self, name, container):
        X, y = counts(2)
        check(name, CONTAINERS[container](X), y, {"alpha": np.linspace(0.1, 3.0, X.shape[1])})

    def test_an_alpha_for_every_column_of_bernoulli(self):
        # scikit-learn's BernoulliNB adds such an alpha to the wrong axis, so this is compared with the formula
        X, y = counts(2)
        alpha = np.linspace(0.1, 3.0, X.shape[1])
        ours = candide.BernoulliNB(alpha=alpha).fit(X, y)
        seen = np.array([(X[y == label] > 0).sum(axis=0) for label in range(3)])
        expected = np.log((seen + alpha) / (np.bincount(y)[:, None] + 2 * alpha))
        assert_allclose(ours.feature_log_prob_, expected, rtol=1e-9)

    @pytest.mark.parametrize("fit_prior", [False, True])
    @pytest.mark.parametrize("container", ["dense", "csr_matrix"])
    @pytest.mark.parametrize("name", ["MultinomialNB", "BernoulliNB"])
    def test_class_prior(self, name, container, fit_prior):
        X, y = counts(2)
        check(name, CONTAINERS[container](X), y, {"class_prior": [0.5, 0.2, 0.3], "fit_prior": fit_prior})

    def test_a_class_prior_of_complement_is_added_where_the_peer_overlooks_it(self):
        X, y = counts(2)
        given = np.array([0.5, 0.2, 0.3])
        ours, theirs = pair("ComplementNB", class_prior=given)
        ours.fit(X, y)
        theirs.fit(X, y)
        assert_same_attributes(ours, theirs, attributes("ComplementNB"))
        expected = theirs.predict_joint_log_proba(X) + np.log(given)
        assert_allclose(ours.predict_joint_log_proba(X), expected, rtol=1e-9)

    @pytest.mark.parametrize("name", WORD_MODELS)
    def test_a_tiny_alpha_is_raised_with_a_warning(self, name):
        X, y = counts(2)
        X = np.vstack([X + 1.0, np.zeros((6, X.shape[1]))])  # every class has every column, and none of them always
        y = np.concatenate([y, [0, 1, 2, 0, 1, 2]])
        ours, theirs = pair(name, alpha=0.0, force_alpha=False)
        for estimator in (ours, theirs):
            with pytest.warns(UserWarning, match="alpha"):
                estimator.fit(X, y)
        assert_same_attributes(ours, theirs, attributes(name))
        assert_same_answers(ours, theirs, X)

    def test_a_tiny_alpha_of_complement_is_not_rounded_away(self):
        X, y = np.array([[20.0, 3.0], [0.0, 5.0], [0.0, 7.0]]), [0, 1, 1]
        ours = candide.ComplementNB(alpha=1e-12).fit(X, y)
        unseen = Fraction(1e-12) / (12 + 2 * Fraction(1e-12))
        assert_allclose(ours.feature_log_prob_[0, 0], -logarithm(unseen), rtol=1e-14)

    def test_a_tiny_alpha_of_bernoulli_is_not_rounded_away(self):
        ours = candide.BernoulliNB(alpha=1e-12).fit([[1], [1], [1], [0]], [0, 0, 0, 1])
        absent = Fraction(1e-12) / (3 + 2 * Fraction(1e-12))
        joint = ours.predict_joint_log_proba([[0]])[0, 0]
        assert_allclose(joint, math.log(0.75) + logarithm(absent), rtol=1e-14)

    @pytest.mark.parametrize("threshold", [None, 0.0, 1.0, 2.5])
    @pytest.mark.parametrize("container", ["dense", "csr_matrix", "csc_matrix"])
    def test_binarize(self, container, threshold):
        X, y = counts(3)
        X = (X > 0).astype(float) if threshold is None else X
        check("BernoulliNB", CONTAINERS[container](X), y, {"binarize": threshold})

    @pytest.mark.parametrize("seed", SEEDS)
    def test_bernoulli_reads_negative_numbers(self, seed):
        X, y = measurements(seed)
        check("BernoulliNB", X, y, {"binarize": 0.0})
        check("BernoulliNB", X, y, {"binarize": 0.3})

    @pytest.mark.parametrize("norm", [False, True])
    @pytest.mark.parametrize("container", ["dense", "csr_matrix"])
    def test_norm(self, container, norm):
        X, y = counts(4)
        check("ComplementNB", CONTAINERS[container](X), y, {"norm": norm}, sample_weight=weights(4, len(y)))

    @pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB"])
    def test_fractions_as_counts(self, name):
        X, y = counts(5)
        X = X * np.random.default_rng(5).uniform(0.1, 2.0, X.shape)
        check(name, X, y, {})
        check(name, sparse.csr_matrix(X), y, {})

    @pytest.mark.parametrize("dtype", [np.float32, np.int32, np.int64, np.uint8])
    @pytest.mark.parametrize("container", ["dense", "csr_matrix"])
    @pytest.mark.parametrize("name", WORD_MODELS)
    def test_types_of_counts(self, name, container, dtype):
        X, y = counts(6)
        rtol = 1e-5 if dtype == np.float32 else 1e-9
        ours, theirs = pair(name)
        cells = CONTAINERS[container](X.astype(dtype))
        ours.fit(cells, y)
        theirs.fit(CONTAINERS[container](X), y)
        assert_same_attributes(ours, theirs, attributes(name), rtol=rtol)
        assert_allclose(ours.predict_proba(cells), theirs.predict_proba(X), rtol=rtol, atol=rtol)

    @pytest.mark.parametrize("container", ["dense", "csr_matrix"])
    @pytest.mark.parametrize("parts", [1, 3, 7])
    @pytest.mark.parametrize("name", WORD_MODELS)
    def test_batches(self, name, parts, container):
        X, y = counts(7)
        w = weights(7, len(y))
        ours, theirs = pair(name)
        for part_X, part_y, rows in batches(X, y, parts):
            cells = CONTAINERS[container](part_X)
            ours.partial_fit(cells, part_y, classes=np.unique(y), sample_weight=w[rows])
            theirs.partial_fit(cells, part_y, classes=np.unique(y), sample_weight=w[rows])
        assert_same_attributes(ours, theirs, attributes(name))
        assert_same_answers(ours, theirs, CONTAINERS[container](X))

    @pytest.mark.parametrize("container", ["dense", "csr_matrix"])
    @pytest.mark.parametrize("name", WORD_MODELS)
    def test_many_classes(self, name, container):
        X, y = counts(8, rows=2000, columns=300, classes=50)
        check(name, CONTAINERS[container](X), y, {})

    @pytest.mark.parametrize("name", WORD_MODELS)
    def test_a_large_sparse_table(self, name):
        rng = np.random.default_rng(9)
        X = sparse.random(20_000, 3_000, density=0.01, format="csr", random_state=9)
        X.data = np.ceil(X.data * 5)
        check(name, X, labels(rng, 20_000, 7), {})

    @pytest.mark.parametrize("name", WORD_MODELS)
    def test_cells_in_any_order(self, name):
        X, y = counts(10)
        check(name, backwards(sparse.csr_matrix(X)), y, {})

    @pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB"])
    def test_cells_in_two_halves(self, name):
        X, y = counts(10)
        X = sparse.csr_matrix(X)
        halves = sparse.csr_matrix((np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), X.indptr * 2), shape=X.shape)
        check(name, halves, y, {})

    @pytest.mark.parametrize("name", WORD_MODELS)
    def test_two_classes_and_one(self, name):
        X, y = counts(11, classes=2)
        check(name, X, y, {})
        check(name, X, np.zeros(len(y), dtype=int), {})

    @pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB"])
    @pytest.mark.parametrize("container", ["dense", "csr_matrix"])
    def test_negative_counts_are_refused(self, name, container):
        X, y = counts(12)
        X[3, 4] = -1.0
        with pytest.raises(ValueError, match=r"[Nn]egative"):
            getattr(candide, name)().fit(CONTAINERS[container](X), y)


class TestLevels:
    @pytest.mark.parametrize("kind", LABELS)
    @pytest.mark.parametrize("seed", SEEDS)
    def test_default(self, seed, kind):
        X, y = codes(seed, kind=kind)
        check("CategoricalNB", X, y, {})

    @pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.float64])
    @pytest.mark.parametrize("seed", SEEDS)
    def test_types_of_codes(self, seed, dtype):
        X, y = codes(seed)
        check("CategoricalNB", X.astype(dtype), y, {})

    @pytest.mark.parametrize(
        "parameters",
        [{"alpha": 0.1}, {"alpha": 5.0}, {"alpha": 1e-12}, {"fit_prior": False}, {"class_prior": [0.5, 0.2, 0.3]},
         {"min_categories": 9}, {"min_categories": [3, 7, 4, 8]}],
    )  # fmt: skip
    @pytest.mark.parametrize("seed", SEEDS)
    def test_parameters(self, seed, parameters):
        X, y = codes(seed)
        check("CategoricalNB", X, y, parameters)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_weights(self, seed):
        X, y = codes(seed)
        check("CategoricalNB", X, y, {}, sample_weight=weights(seed, len(y)))

    @pytest.mark.parametrize("parts", [1, 3, 7])
    def test_batches_in_which_levels_appear_later(self, parts):
        X, y = codes(5)
        order = np.argsort(X.max(axis=1), kind="stable")
        X, y, w = X[order], y[order], weights(5, len(y))
        ours, theirs = pair("CategoricalNB")
        for part_X, part_y, rows in batches(X, y, parts):
            ours.partial_fit(part_X, part_y, classes=np.unique(y), sample_weight=w[rows])
            theirs.partial_fit(part_X, part_y, classes=np.unique(y), sample_weight=w[rows])
        assert_same_attributes(ours, theirs, LEVELS)
        assert_same_answers(ours, theirs, X)

    def test_many_classes(self):
        X, y = codes(6, rows=3000, columns=9, classes=50)
        check("CategoricalNB", X, y, {})

    @pytest.mark.parametrize("rows", [1, 7, 1000, 20_000])
    def test_any_number_of_rows_predicted(self, rows):
        X, y = codes(7, rows=20_000, columns=10)
        check("CategoricalNB", X, y, {}, answers_on=X[:rows])

    def test_a_negative_code_is_refused(self):
        X, y = codes(8)
        X[2, 1] = -1
        with pytest.raises(ValueError, match=r"[Nn]egative"):
            candide.CategoricalNB().fit(X, y)


@pytest.mark.parametrize("name", ["GaussianNB", "CategoricalNB", *WORD_MODELS])
def test_constructor_parameters_are_the_same(name):
    ours, theirs = pair(name)
    assert ours.get_params() == theirs.get_params()


@pytest.mark.parametrize("name", ["GaussianNB", "CategoricalNB", *WORD_MODELS])
def test_fitting_again_forgets(name):
    first_X, first_y = table(name, 20, classes=4)
    X, y = table(name, 21)
    ours, theirs = pair(name)
    ours.fit(first_X, first_y).fit(X, y)
    assert_same_answers(ours, theirs.fit(X, y), X)


@pytest.mark.parametrize("name", ["GaussianNB", "CategoricalNB", *WORD_MODELS])
def test_the_input_is_left_alone(name):
    X, y = table(name, 22)
    w = weights(22, len(y))
    before = X.copy(), y.copy(), w.copy()
    for part in (X, y, w):
        part.setflags(write=False)
    getattr(candide, name)().fit(X, y, sample_weight=w).predict_proba(X)
    for part, copy in zip((X, y, w), before, strict=True):
        np.testing.assert_array_equal(part, copy)


@pytest.mark.parametrize("name", ["GaussianNB", "CategoricalNB", *WORD_MODELS])
def test_another_number_of_columns_is_refused(name):
    X, y = table(name, 23)
    for estimator in pair(name):
        estimator.fit(X, y)
        with pytest.raises(ValueError, match="features"):
            estimator.predict(X[:, :-1])


@pytest.mark.parametrize("name", ["GaussianNB", "CategoricalNB", *WORD_MODELS])
def test_two_priors_for_three_classes_are_refused(name):
    X, y = table(name, 24)
    for estimator in pair(name, **{"priors" if name == "GaussianNB" else "class_prior": [0.5, 0.5]}):
        with pytest.raises(ValueError, match="Number of priors must match number of classes"):
            estimator.fit(X, y)


@pytest.mark.parametrize("name", ["GaussianNB", "CategoricalNB", *WORD_MODELS])
def test_the_first_batch_must_name_the_classes(name):
    X, y = table(name, 25)
    for estimator in pair(name):
        with pytest.raises(ValueError, match="classes must be passed on the first call to partial_fit"):
            estimator.partial_fit(X, y)


@pytest.mark.parametrize("priors", [[0.5, 0.6, 0.1], [-0.5, 0.5, 1.0]])
def test_gaussian_priors_are_probabilities(priors):
    X, y = measurements(26)
    for estimator in pair("GaussianNB", priors=priors):
        with pytest.raises(ValueError, match=r"[Pp]riors"):
            estimator.fit(X, y)


def test_a_label_which_no_batch_announced_is_refused():
    X, y = measurements(27)
    for estimator in pair("GaussianNB"):
        estimator.partial_fit(X, y, classes=[0, 1, 2])
        with pytest.raises(ValueError, match=r"classes|labels|label"):
            estimator.partial_fit(X, y + 5)
