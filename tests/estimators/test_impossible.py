"""What cannot be: a class of prior 0 never beats another, and of what is impossible the smallest amount decides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from bestiary import MODELS, X, every, y

from candide import BernoulliNB, ComplementNB, GaussianDiscriminant, GaussianNB, MultinomialNB
from candide.data import Matrix

SHAPES = (np.array, sp.csr_array, sp.csr_matrix)
shapes = pytest.mark.parametrize("shape", SHAPES)


@pytest.fixture(params=["plain", "compiled"], autouse=True)
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_KERNELS", request.param)


def given(name: str, shares: list[float]) -> Any:
    model = MODELS[name]()
    return model.set_params(**{"priors" if "priors" in model.get_params() else "class_prior": shares})


# ---------------------------------------------------------------- classes that cannot be


@every
def test_a_prior_of_zero(name: str) -> None:
    model = given(name, [0, 1]).fit(X, y)
    asked = np.r_[X, X] if name == "categorical" else np.r_[X, X * 1e9, X * 1e200]
    np.testing.assert_array_equal(model.predict_proba(asked), [[0, 1]] * len(asked))
    np.testing.assert_array_equal(model.predict_log_proba(asked), [[-np.inf, 0]] * len(asked))
    assert (model.predict(asked) == 1).all()
    assert (model.predict_joint_log_proba(asked)[:, 0] == -np.inf).all()
    assert np.isfinite(model.predict_joint_log_proba(asked)[:, 1]).all()
    np.testing.assert_array_equal(model.model_.ties(Matrix(asked)), [[False, True]] * len(asked))


@every
def test_a_class_that_was_declared_and_never_seen(name: str) -> None:
    model = MODELS[name]().partial_fit(X, y, classes=[0, 1, 2])
    asked = X if name == "categorical" else np.r_[X, X * 1e9]
    assert set(model.predict(asked)) <= {0, 1}
    assert (model.predict_proba(asked)[:, 2] == 0).all()
    assert (model.predict_log_proba(asked)[:, 2] == -np.inf).all()


@every
def test_a_class_of_weight_zero(name: str) -> None:
    model = MODELS[name]().fit(X, np.where(np.arange(40) < 4, 2, y), sample_weight=(np.arange(40) >= 4) * 1.0)
    asked = X if name == "categorical" else np.r_[X, X * 1e9]
    assert set(model.predict(asked)) <= {0, 1}


def test_rows_far_from_the_only_possible_class() -> None:
    model = GaussianNB(priors=[0, 1]).fit([[0.0], [1.0], [100.0], [101.0]], [0, 0, 1, 1])
    np.testing.assert_array_equal(model.predict_proba([[-3000.0]]), [[0, 1]])
    assert MultinomialNB(class_prior=[0, 1]).fit([[9, 1], [1, 9]], [0, 1]).predict([[10**6, 0]]).item() == 1
    assert ComplementNB(class_prior=[0, 1]).fit([[9, 1], [1, 9]], [0, 1]).predict([[10**7, 0]]).item() == 1


def test_impossible_cells_of_the_only_possible_class() -> None:
    for model in (MultinomialNB(alpha=0, class_prior=[0, 1]), BernoulliNB(alpha=0, class_prior=[0, 1])):
        model.fit([[1, 0], [0, 1]], [0, 1])
        np.testing.assert_array_equal(model.predict_proba([[1, 0]]), [[0, 1]])


def test_the_explanation_of_an_impossible_class() -> None:
    model = GaussianNB(priors=[0, 1]).fit([[0.0], [1.0], [100.0], [101.0]], [0, 0, 1, 1])
    evidence = model.explain([[3.0]])
    assert evidence.prior.tolist() == [-np.inf, 0.0]
    assert evidence.constant.tolist() == [0.0, 0.0]
    np.testing.assert_allclose(evidence.log_joint, model.predict_joint_log_proba([[3.0]]))
    assert "1 1.0000  against  0 0.0000" in evidence.text()
    assert "nan" not in evidence.text()


def test_planes_of_an_impossible_class() -> None:
    model = GaussianDiscriminant(priors=[0, 1]).fit([[0.0], [1.0], [100.0], [101.0]], [0, 0, 1, 1])
    assert model.decision_function([[0.0], [1e300]]).tolist() == [np.inf, np.inf]
    assert model.intercept_.tolist() == [np.inf]


# ---------------------------------------------------------------- amounts that cannot be


@shapes
@pytest.mark.parametrize("amount", [3e6, 1.0, 1e-6, 1e-12, 1e-300])
def test_the_smallest_impossible_amount_decides(shape: Any, amount: float) -> None:
    model = MultinomialNB(alpha=0).fit(shape([[9.0, 0.0], [1.0, 9.0]]), ["a", "b"])
    asked = shape([[1.0, amount], [1e7, amount]])
    np.testing.assert_array_equal(model.predict_proba(asked), [[0, 1], [0, 1]])
    assert model.predict(asked).tolist() == ["b", "b"]
    np.testing.assert_allclose(model.explain(asked).log_joint, model.predict_joint_log_proba(asked), rtol=1e-12)


@shapes
def test_the_least_impossible_class_and_then_the_other_evidence(shape: Any) -> None:
    model = MultinomialNB(alpha=0).fit([[3, 1, 0, 0], [1, 3, 0, 0]], ["a", "b"])
    asked = shape([[2, 1, 1, 0], [2, 1, 1e-7, 0.3], [2.0, 1, 0, 0]])
    np.testing.assert_allclose(model.predict_proba(asked), [[0.75, 0.25]] * 3, rtol=1e-12)
    model = MultinomialNB(alpha=0).fit([[8, 0, 2], [0, 8, 2]], ["a", "b"])
    asked = shape([[1, 1, 2], [1, 1.5, 2], [0.3, 0.1 + 0.2, 1]])
    np.testing.assert_allclose(model.predict_proba(asked), [[0.5, 0.5], [0, 1], [0.5, 0.5]], rtol=1e-12)
    assert model.model_.ties(Matrix(asked)).tolist() == [[True, True], [False, True], [True, True]]


@shapes
def test_words_that_no_other_class_has(shape: Any) -> None:
    model = ComplementNB(alpha=0).fit([[9, 0, 1], [0, 9, 1]], ["a", "b"])
    asked = shape([[1e-6, 0, 50], [1, 1, 2], [1, 1.001, 2]])
    np.testing.assert_allclose(model.predict_proba(asked), [[1, 0], [0.5, 0.5], [0, 1]], rtol=1e-12)
