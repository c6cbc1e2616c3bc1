"""What was learnt can be forgotten and joined, down to nothing and back."""

from __future__ import annotations

import pickle
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from bestiary import COUNTING, MEASURING, MODELS, X, every, fitted, of, refused, sound, y

from candide import BernoulliNB, CategoricalNB, GaussianDiscriminant, GaussianNB, MultinomialNB
from candide.errors import BadPrior, MergeMismatch, NeverAdded


@of(*(name for name in MODELS if name != "bernoulli"))
def test_rows_that_were_never_learnt(name: str) -> None:
    model = fitted(name)
    with refused(NeverAdded, "class", "column", "asked to take away", "never added"):
        model.forget(np.repeat(X[:1] + 3, 9, axis=0), y[:1].repeat(9))


@of("gaussian", "diagonal", "linear", "quadratic")
def test_more_rows_than_a_class_has(name: str) -> None:
    model = fitted(name)
    with refused(NeverAdded, "class 0", "of 20, asked to take away 21"):
        model.forget(np.r_[X[y == 0], X[:1]], np.zeros(21, dtype=int))


@of(*COUNTING, "bernoulli")
def test_more_than_a_column_holds(name: str) -> None:
    rows = np.array([[2, 0], [0, 1]])
    model = fitted(name, rows, ["ham", "spam"])
    with refused(NeverAdded, "class 'ham'", "column 0", "asked to take away"):
        model.forget([[2, 0], [2, 0]], ["ham", "ham"])


@every
def test_twice(name: str) -> None:
    model = fitted(name).forget(X[:20], y[:20])
    with refused(NeverAdded, "asked to take away"):
        model.forget(np.r_[X[:20], X[:20]], np.r_[y[:20], y[:20]])


@every
def test_everything(name: str) -> None:
    model = fitted(name).forget(X, y)
    for rows in (X, X.astype(np.int64), X.astype(np.float32)):
        np.testing.assert_allclose(sound(model, rows), 0.5)
    assert model.classes_.tolist() == [0, 1]
    assert model.class_count_.tolist() == [0, 0]
    with refused(NeverAdded, "asked to take away"):
        model.forget(X[:1], y[:1])
    model.partial_fit(X, y)
    np.testing.assert_allclose(sound(model, X), fitted(name).predict_proba(X), rtol=1e-12)


@every
def test_a_class_and_back(name: str) -> None:
    model = fitted(name)
    model.forget(X[y == 1], y[y == 1])
    assert model.classes_.tolist() == [0, 1]
    np.testing.assert_array_equal(sound(model, X), [[1, 0]] * len(X))
    model.partial_fit(X[y == 1], y[y == 1])
    np.testing.assert_allclose(sound(model, X), fitted(name).predict_proba(X), rtol=1e-9)


@every
def test_row_by_row(name: str) -> None:
    model = fitted(name)
    for i in range(15):
        model.forget(X[i : i + 1], y[i : i + 1])
    np.testing.assert_allclose(sound(model, X), fitted(name, X[15:], y[15:]).predict_proba(X), rtol=1e-9)
    for i in range(15):
        model.partial_fit(X[i : i + 1], y[i : i + 1])
    np.testing.assert_allclose(sound(model, X), fitted(name).predict_proba(X), rtol=1e-9)


@every
def test_with_weights(name: str) -> None:
    weights = 1 + np.arange(40) % 3 / 10
    model = MODELS[name]().fit(X, y, sample_weight=weights).forget(X[:10], y[:10], sample_weight=weights[:10])
    rest = MODELS[name]().fit(X[10:], y[10:], sample_weight=weights[10:])
    np.testing.assert_allclose(sound(model, X), rest.predict_proba(X), rtol=1e-9)
    half = fitted(name).forget(X, y, sample_weight=np.full(40, 0.5))
    other = MODELS[name]().fit(X, y, sample_weight=np.full(40, 0.5))
    np.testing.assert_allclose(sound(half, X), other.predict_proba(X), rtol=1e-9)


@every
@pytest.mark.filterwarnings("ignore::candide.errors.SingularWarning")
@pytest.mark.parametrize("seed", range(4))
def test_row_by_row_with_weights_that_are_fractions(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights, order = 0.1 + rng.random(len(X)), rng.permutation(len(X))
    model = MODELS[name]().fit(X, y, sample_weight=weights)
    for place, i in enumerate(order):
        model.forget(X[[i]], y[[i]], sample_weight=weights[[i]])
        if place == 14:
            rest = order[15:]
            other = MODELS[name]().fit(X[rest], y[rest], sample_weight=weights[rest])
            np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), rtol=1e-7)
    assert model.class_count_.tolist() == [0, 0]
    np.testing.assert_allclose(sound(model, X), 0.5)


@every
def test_weights_of_very_different_size(name: str) -> None:
    weights = np.where(np.arange(40) % 20 == 0, 1e6 + 0.1, 0.3)
    model = MODELS[name]().fit(X, y, sample_weight=weights)
    for i in range(40):
        model.forget(X[[i]], y[[i]], sample_weight=weights[[i]])
    assert model.class_count_.tolist() == [0, 0]
    np.testing.assert_allclose(sound(model, X), 0.5)


def test_cells_of_very_different_size() -> None:
    model = MultinomialNB().fit([[1e5 + 0.3], [0.7]], [0, 0]).forget([[1e5 + 0.3]], [0])
    np.testing.assert_allclose(model.feature_count_, [[0.7]])
    assert model.forget([[0.7]], [0]).feature_count_.tolist() == [[0.0]]


def test_whole_numbers_are_never_dust() -> None:
    model = MultinomialNB().fit([[10**13, 0], [1, 1]], [0, 0]).forget([[10**13, 0]], [0])
    assert model.feature_count_.tolist() == [[1, 1]]
    with refused(NeverAdded, "holds a total of 1, asked to take away 2"):
        model.forget([[2, 0]], [0])


@of("gaussian", "diagonal", "linear", "quadratic")
def test_an_outlier_that_comes_first(name: str) -> None:
    wild = np.full((1, 3), 1e12)
    model = MODELS[name]().partial_fit(wild, [0], classes=[0, 1]).partial_fit(X, y).forget(wild, [0])
    np.testing.assert_allclose(model.predict_proba(X), fitted(name).predict_proba(X), rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("twin", ["plain", "compiled"])
@pytest.mark.parametrize("place", [0, 3, 500])
@pytest.mark.parametrize("weight", [1.0, 0.3])
def test_an_outlier_among_the_rows(twin: str, place: int, weight: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Learnt with the others, forgotten by itself."""
    monkeypatch.setenv("CANDIDE_KERNELS", twin)
    rows = np.random.default_rng(0).normal(size=(1000, 1))
    with_it, weights = np.insert(rows, place, 1e12, axis=0), np.insert(np.ones(1000), place, weight)
    for model in (GaussianNB(var_smoothing=0), GaussianDiscriminant()):
        model.fit(with_it, np.zeros(1001), sample_weight=weights)
        model.forget([[1e12]], [0.0], sample_weight=[weight])
        spread = model.var_ if isinstance(model, GaussianNB) else model.covariance_
        np.testing.assert_allclose(spread, [rows.var(axis=0)], rtol=1e-12)


@pytest.mark.parametrize("twin", ["plain", "compiled"])
@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_an_outlier_before_the_rows(twin: str, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no pivot for what comes after it."""
    monkeypatch.setenv("CANDIDE_KERNELS", twin)
    rows, wild = np.random.default_rng(0).normal(size=(1000, 1)), np.array([[1e12]])
    for model in (GaussianNB(var_smoothing=0), GaussianDiscriminant()):
        model.partial_fit(wild, [0.0], classes=[0.0])
        for start in range(0, 1000, batch):
            part = rows[start : start + batch]
            model.partial_fit(part, np.zeros(len(part)))
        model.forget(wild, [0.0])
        spread = model.var_ if isinstance(model, GaussianNB) else model.covariance_
        np.testing.assert_allclose(spread, [rows.var(axis=0)], rtol=1e-12)


@of(*MEASURING)
@pytest.mark.parametrize("offset", [0.0, 1e6, 1e8])
def test_far_from_zero(name: str, offset: float) -> None:
    rows = X + offset
    model = fitted(name, rows).forget(rows[:10], y[:10])
    np.testing.assert_allclose(model.predict_proba(rows), fitted(name, X[10:], y[10:]).predict_proba(X), rtol=1e-6)


@every
def test_merging_is_learning_both(name: str) -> None:
    one, two = fitted(name, X[:15], y[:15]), fitted(name, X[15:], y[15:])
    before = [model.predict_proba(X).tolist() for model in (one, two)]
    expected = fitted(name).predict_proba(X)
    np.testing.assert_allclose(sound(one.merge(two), X), expected, rtol=1e-9)
    np.testing.assert_allclose(sound(two.merge(one), X), expected, rtol=1e-9)
    assert [model.predict_proba(X).tolist() for model in (one, two)] == before


@every
def test_merging_other_classes(name: str) -> None:
    labels = np.array(["a", "b", "c"])[np.arange(40) % 3]
    first = labels != "c"
    both = fitted(name, X[first], labels[first]).merge(fitted(name, X[~first], labels[~first]))
    assert both.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(sound(both, X), fitted(name, X, labels).predict_proba(X), rtol=1e-9)
    both.forget(X[~first], labels[~first])
    assert both.classes_.tolist() == ["a", "b", "c"]
    assert (sound(both, X)[:, 2] == 0).all()


@every
def test_merging_other_columns(name: str) -> None:
    with refused(MergeMismatch, "columns [0 1 2]", "columns [0 1]"):
        fitted(name).merge(fitted(name, X[:, :2]))


@every
def test_merging_another_kind(name: str) -> None:
    other: Any = GaussianNB() if name != "gaussian" else BernoulliNB()
    with refused(MergeMismatch, type(MODELS[name]()).__name__, type(other).__name__):
        fitted(name).merge(other.fit(X, y))


def test_merging_other_statistics() -> None:
    full, flat = fitted("linear"), fitted("diagonal")
    with refused(MergeMismatch, "MeasureCoMoments", "MeasureMoments"):
        full.merge(flat)
    with refused(MergeMismatch, "above=0.5", "above=1.5"):
        BernoulliNB(binarize=0.5).fit(X, y).merge(BernoulliNB(binarize=1.5).fit(X, y))


def test_merging_other_beliefs_keeps_ones_own() -> None:
    one, two = CategoricalNB(alpha=1.0).fit(X[:15], y[:15]), CategoricalNB(alpha=2.0).fit(X[15:], y[15:])
    for alpha, both in ((1.0, one.merge(two)), (2.0, two.merge(one))):
        assert both.alpha == alpha
        np.testing.assert_allclose(
            both.predict_proba(X), CategoricalNB(alpha=alpha).fit(X, y).predict_proba(X), rtol=1e-12
        )
    pooled = GaussianDiscriminant().fit(X[:15], y[:15]).merge(GaussianDiscriminant(shared=False).fit(X[15:], y[15:]))
    np.testing.assert_allclose(pooled.predict_proba(X), fitted("linear").predict_proba(X), rtol=1e-9)


@every
def test_merging_more_classes_than_were_given_priors(name: str) -> None:
    model = MODELS[name]()
    model.set_params(**({"priors": [0.5, 0.5]} if "priors" in model.get_params() else {"class_prior": [0.5, 0.5]}))
    model.fit(X, y)
    with refused(BadPrior, "2 given for 3"):
        model.merge(fitted(name, X, y + 1))


@every
def test_merging_a_number(name: str) -> None:
    with pytest.raises((TypeError, ValueError)):
        fitted(name).merge(3)


def test_set_params_that_change_what_is_counted() -> None:
    model = fitted("linear")
    model.set_params(covariance="diagonal")
    assert model.means_.shape == (2, 3)
    with pytest.raises(MergeMismatch, match="count different things"):
        model.partial_fit(X, y)
    model = fitted("bernoulli").set_params(binarize=1.5)
    for call in (model.partial_fit, model.forget):
        with pytest.raises(MergeMismatch, match="count different things"):
            call(X, y)


@every
def test_merging_nothing(name: str) -> None:
    for model in (fitted(name), MODELS[name]()):
        with refused(MergeMismatch, "NoneType"):
            model.merge(None)


@every
def test_merging_words_and_numbers(name: str) -> None:
    with refused(MergeMismatch, "one side's are strings"):
        fitted(name).merge(fitted(name, X, y.astype(str)))


@every
def test_what_was_counted_is_shown_and_not_handed_out(name: str) -> None:
    model = fitted(name)
    before = model.predict_proba(X)
    for shown in ("class_count_", "feature_count_", "theta_", "means_", "class_prior_", "priors_"):
        array = getattr(model, shown, None)
        if array is not None:
            with suppress(ValueError):
                array[...] = 0
            assert getattr(model, shown).any()
    with pytest.raises(ValueError, match="read-only"):
        model.class_count_[:] = 1
    copy = pickle.loads(pickle.dumps(model))
    with pytest.raises(ValueError, match="read-only"):
        copy.class_count_[:] = 1
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_a_constant_stays_constant() -> None:
    """What never varied does not vary by rounding once others have come and gone, of 0 among them."""
    model = GaussianNB().partial_fit([[1.0], [1.0]], [0, 0], classes=[0, 1], sample_weight=[0.5, 0.3])
    others, weights = np.zeros((9, 1)), np.full(9, 0.5)
    model.partial_fit(others, np.zeros(9), sample_weight=weights).forget(others, np.zeros(9), sample_weight=weights)
    assert model.var_[0, 0] == 0.0
