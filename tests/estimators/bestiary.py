"""The classifiers under attack, rows that suit all of them, and what every answer must fulfil."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest

from candide import BernoulliNB, CategoricalNB, ComplementNB, GaussianDiscriminant, GaussianNB, MultinomialNB

MODELS = {
    "gaussian": GaussianNB,
    "bernoulli": BernoulliNB,
    "multinomial": MultinomialNB,
    "complement": ComplementNB,
    "categorical": CategoricalNB,
    "linear": GaussianDiscriminant,
    "quadratic": partial(GaussianDiscriminant, shared=False),
    "diagonal": partial(GaussianDiscriminant, covariance="diagonal"),
}
SPARSE = ("bernoulli", "multinomial", "complement")
COUNTING = ("multinomial", "complement", "categorical")
DISCRETE = ("bernoulli", *COUNTING)
MEASURING = ("gaussian", "linear", "quadratic", "diagonal")
GAPS = ("gaussian", "diagonal")
NO_GAPS = tuple(name for name in MODELS if name not in GAPS)

every = pytest.mark.parametrize("name", MODELS)
ASKING = ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba", "explain")

X = np.random.default_rng(7).integers(0, 4, (40, 3)).astype(float)
y = np.arange(40) % 2
X[y == 1, 0] += 1  # the classes differ


def of(*names: str) -> Any:
    """The same parametrization over some of the classifiers."""
    return pytest.mark.parametrize("name", names)


def fitted(name: str, rows: Any = X, labels: Any = y, **parameters: Any) -> Any:
    """A classifier that has learnt the rows."""
    return MODELS[name](**parameters).fit(rows, labels)


def with_cell(value: float, row: int = 0, column: int = 1, rows: Any = X) -> np.ndarray:
    """The rows with one cell replaced."""
    changed = np.array(rows, dtype=float)
    changed[row, column] = value
    return changed


def sound(model: Any, rows: Any) -> np.ndarray:
    """The posterior, once it is sure that it is one and that all the answers agree."""
    posterior, logs, joint = (
        getattr(model, ask)(rows) for ask in ("predict_proba", "predict_log_proba", "predict_joint_log_proba")
    )
    shape = (rows.shape[0] if hasattr(rows, "shape") else len(rows), len(model.classes_))
    assert posterior.shape == logs.shape == joint.shape == shape
    assert np.isfinite(posterior).all()
    never = model.model_.class_prior == 0
    for some in (logs, joint):
        assert np.isfinite(some[:, ~never]).all()
        assert (some[:, never] == -np.inf).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-12)
    assert (posterior >= 0).all()
    assert (logs <= 0).all()
    np.testing.assert_allclose(np.exp(logs), posterior, rtol=1e-9, atol=1e-300)
    labels = model.predict(rows)
    assert labels.shape == shape[:1]
    chosen = np.argmax(labels[:, None] == model.classes_[None, :], axis=1)
    best = posterior.max(axis=1)
    np.testing.assert_allclose(posterior[np.arange(shape[0]), chosen], best, rtol=1e-9)
    return posterior


@contextmanager
def refused(kind: type[Exception], *words: str) -> Iterator[None]:
    """An error of this class whose message holds all these words."""
    with pytest.raises(kind) as caught:
        yield
    message = str(caught.value)
    missing = [word for word in words if word not in message]
    assert not missing, f"{missing} not in {message!r}"


def state(model: Any, rows: Any = X) -> dict[str, Any]:
    """What must not change when a call fails."""
    return {
        "attributes": sorted(vars(model)),
        "tally": id(model.tally_),
        "classes": model.classes_.tolist(),
        "width": model.n_features_in_,
        "names": getattr(model, "feature_names_in_", np.zeros(0)).tolist(),
        "answers": [getattr(model, ask)(rows).tolist() for ask in ASKING[:4]],
    }
