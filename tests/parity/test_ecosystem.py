"""The estimators live with the tools around scikit-learn."""

import copy
import multiprocessing
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from joblib import Parallel, delayed, parallel_backend
from numpy.testing import assert_allclose, assert_array_equal
from peers import codes, counts, measurements
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

from candide import BernoulliNB, CategoricalNB, ComplementNB, GaussianDiscriminant, GaussianNB, MultinomialNB

TABLES = {
    GaussianNB: measurements,
    BernoulliNB: counts,
    MultinomialNB: counts,
    ComplementNB: counts,
    CategoricalNB: codes,
    GaussianDiscriminant: measurements,
}
ALL = pytest.mark.parametrize("kind", TABLES, ids=lambda kind: kind.__name__)
LARGE = 120_000  # rows enough for every estimator's compiled and threaded path


def fitted(kind, seed=0, **shape):
    """An estimator, fitted, and its table."""
    X, y = TABLES[kind](seed, **shape)
    return kind().fit(X, y), X, y


def answers(estimator, X):
    """For workers: the probabilities of a fitted estimator."""
    return estimator.predict_proba(X)


def fit_and_answer(estimator, X, y):
    """For workers: fit there and answer there."""
    return estimator.fit(X, y).predict_proba(X)


def answer_into(queue, estimator, X, y):
    """For a forked child: both of the above."""
    queue.put((answers(estimator, X), fit_and_answer(clone(estimator), X, y)))


@ALL
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(kind, protocol):
    estimator, X, _ = fitted(kind)
    again = pickle.loads(pickle.dumps(estimator, protocol))
    assert_array_equal(again.predict_proba(X), estimator.predict_proba(X))
    assert again.get_params() == estimator.get_params()


@ALL
def test_pickle_before_the_first_prediction_and_go_on_learning(kind):
    X, y = TABLES[kind](1)
    half = pickle.loads(pickle.dumps(kind().partial_fit(X[:60], y[:60], classes=np.unique(y))))
    whole = kind().fit(X, y)
    assert_allclose(half.partial_fit(X[60:], y[60:]).predict_proba(X), whole.predict_proba(X), rtol=1e-7, atol=1e-9)


@ALL
def test_clone_forgets_and_deepcopy_remembers(kind):
    estimator, X, y = fitted(kind)
    fresh, twin = clone(estimator), copy.deepcopy(estimator)
    assert fresh.get_params() == estimator.get_params()
    with pytest.raises(NotFittedError):
        fresh.predict(X)
    before = estimator.predict_proba(X)
    twin.partial_fit(X[:40], y[:40])
    assert_array_equal(estimator.predict_proba(X), before)


@ALL
def test_it_is_a_classifier_with_one_honest_line(kind):
    estimator, X, y = fitted(kind)
    assert is_classifier(estimator)
    assert repr(estimator) == f"{kind.__name__}()"
    assert estimator.score(X, y) > 1 / 3


def test_pipeline_of_a_scaler():
    X, y = measurements(2, kind="strings")
    pipeline = make_pipeline(StandardScaler(), GaussianNB())
    assert set(pipeline.fit(X, y).predict(X)) <= set(y)


def test_pipeline_of_text():
    texts = ["good fine good", "bad awful", "fine good day", "awful bad bad", "good", "bad"]
    moods = ["up", "down", "up", "down", "up", "down"]
    for model in (MultinomialNB(), BernoulliNB(), ComplementNB()):
        pipeline = make_pipeline(CountVectorizer(), model).fit(texts, moods)
        assert list(pipeline.predict(["a good day", "an awful day"])) == ["up", "down"]


def test_pipeline_of_levels():
    X = pd.DataFrame({"sky": ["sun", "rain", "sun", "rain"] * 5, "wind": ["weak", "strong", "strong", "weak"] * 5})
    y = ["go", "stay", "go", "stay"] * 5
    pipeline = make_pipeline(OrdinalEncoder(), CategoricalNB()).fit(X, y)
    assert list(pipeline.predict(X[:2])) == ["go", "stay"]


@pytest.mark.parametrize(
    ("estimator", "grid"),
    [
        (GaussianNB(), {"var_smoothing": [1e-9, 1e-2, 1.0]}),
        (MultinomialNB(), {"alpha": [0.1, 1.0], "fit_prior": [True, False]}),
        (ComplementNB(), {"norm": [True, False]}),
        (BernoulliNB(), {"binarize": [0.0, 1.0]}),
        (CategoricalNB(min_categories=8), {"alpha": [0.1, 1.0]}),
        (GaussianDiscriminant(), {"shared": [True, False], "shrinkage": [None, 0.2, "auto"]}),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else "",
)
def test_grid_search(estimator, grid):
    X, y = TABLES[type(estimator)](3)
    search = GridSearchCV(estimator, grid, cv=3, error_score="raise").fit(X, y)
    assert search.best_params_.keys() == grid.keys()
    assert search.best_score_ > 1 / 3


@ALL
def test_cross_validation(kind):
    X, y = TABLES[kind](4)
    estimator = kind(min_categories=8) if kind is CategoricalNB else kind()
    scores = cross_val_score(estimator, X, y, cv=4, error_score="raise")
    proba = cross_val_predict(estimator, X, y, cv=4, method="predict_proba")
    assert scores.mean() > 1 / 3
    assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-9)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_cross_validation_in_parallel(backend):
    X, y = measurements(5, rows=LARGE)
    alone = cross_val_score(GaussianNB(), X, y, cv=3, error_score="raise")
    with parallel_backend(backend, n_jobs=2):
        together = cross_val_score(GaussianNB(), X, y, cv=3, error_score="raise")
    assert_allclose(together, alone, rtol=1e-12)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib(backend):
    models = [fitted(kind, 6, rows=LARGE) for kind in TABLES]
    expected = [answers(estimator, X) for estimator, X, _ in models]
    jobs = [delayed(answers)(estimator, X) for estimator, X, _ in models]
    jobs += [delayed(fit_and_answer)(clone(estimator), X, y) for estimator, X, y in models]
    found = Parallel(n_jobs=2, backend=backend)(jobs)
    for mine, yours in zip(found, expected * 2, strict=True):
        assert_allclose(mine, yours, rtol=1e-9, atol=1e-12)


def test_one_estimator_asked_by_many_threads_at_once():
    estimator, X, _ = fitted(MultinomialNB, 7, rows=5_000)
    expected = clone(estimator).fit(*counts(7, rows=5_000)).predict_proba(X)
    for proba in Parallel(n_jobs=4, backend="threading")(delayed(answers)(estimator, X) for _ in range(12)):
        assert_array_equal(proba, expected)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
@ALL
def test_a_forked_child_can_go_on(kind):
    estimator, X, y = fitted(kind, 8, rows=LARGE)
    expected = answers(estimator, X)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=answer_into, args=(queue, estimator, X, y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of forking beside threads
        child.start()
    try:
        there, anew = queue.get(timeout=60)
    finally:
        child.join(timeout=5)
        child.kill()
    assert_array_equal(there, expected)
    assert_allclose(anew, expected, rtol=1e-9, atol=1e-12)


@ALL
def test_names_of_a_dataframes_columns(kind):
    X, y = TABLES[kind](9)
    names = [f"column {number}" for number in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names)
    estimator = kind().fit(frame, pd.Series(y))
    assert_array_equal(estimator.feature_names_in_, names)
    assert_array_equal(estimator.predict_proba(frame), kind().fit(X, y).predict_proba(X))
    with pytest.raises(ValueError, match="feature names"):
        estimator.predict(frame.rename(columns={"column 0": "other"}))
    with pytest.warns(UserWarning, match="feature names"):
        estimator.predict(X)


@ALL
def test_a_dataframes_categorical_labels(kind):
    X, y = TABLES[kind](10, kind="strings")
    estimator = kind().fit(X, pd.Series(y, dtype="category"))
    assert_array_equal(estimator.predict(X), kind().fit(X, y).predict(X))


def test_set_output_passes_through_a_pipeline():
    X, y = measurements(11)
    frame = pd.DataFrame(X, columns=list("abcde"))
    pipeline = make_pipeline(StandardScaler(), GaussianNB()).set_output(transform="pandas").fit(frame, y)
    assert_array_equal(pipeline[-1].feature_names_in_, list("abcde"))
    assert isinstance(pipeline[:-1].transform(frame), pd.DataFrame)


@ALL
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibration(kind, method):
    X, y = TABLES[kind](12)
    estimator = kind(min_categories=8) if kind is CategoricalNB else kind()
    proba = CalibratedClassifierCV(estimator, method=method, cv=3).fit(X, y).predict_proba(X)
    assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-9)


def test_meta_estimators():
    X, y = counts(13, kind="strings")
    votes = VotingClassifier([("m", MultinomialNB()), ("b", BernoulliNB())], voting="soft").fit(X, y)
    rest = OneVsRestClassifier(ComplementNB()).fit(X, y)
    assert set(votes.predict(X)) | set(rest.predict(X)) <= set(y)


def test_sample_weight_is_routed():
    X, y = measurements(14)
    w = np.random.default_rng(14).uniform(0.5, 2.0, len(y))
    pipeline = make_pipeline(StandardScaler(), GaussianNB()).fit(X, y, gaussiannb__sample_weight=w)
    direct = GaussianNB().fit(StandardScaler().fit_transform(X), y, sample_weight=w)
    assert_allclose(pipeline.predict_proba(X), direct.predict_proba(StandardScaler().fit_transform(X)), rtol=1e-9)
