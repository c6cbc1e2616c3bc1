"""A call that fails leaves the classifier as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from bestiary import MODELS, X, every, fitted, state, with_cell, y

from candide.engines import Memory
from candide.errors import CandideError

WIDE = np.c_[X, X]
BAD = with_cell(np.inf, row=3)
ONES = np.ones(len(X))

FITS: dict[str, Callable[[Any], Any]] = {
    "infinite cell": lambda m: m.fit(BAD, y),
    "infinite cell, other labels": lambda m: m.fit(BAD, y + 5),
    "infinite cell, other width": lambda m: m.fit(np.c_[BAD, BAD], y),
    "no labels": lambda m: m.fit(WIDE, None),
    "missing labels": lambda m: m.fit(WIDE, [None] * 40),
    "mixed labels": lambda m: m.fit(WIDE, np.array(["a", 1] * 20, dtype=object)),
    "continuous labels": lambda m: m.fit(WIDE, np.linspace(0, 1, 40)),
    "too few labels": lambda m: m.fit(WIDE, y[:5]),
    "negative weights": lambda m: m.fit(WIDE, y + 5, sample_weight=-ONES),
    "no weights": lambda m: m.fit(WIDE, y + 5, sample_weight=0 * ONES),
    "too few weights": lambda m: m.fit(WIDE, y + 5, sample_weight=ONES[:3]),
    "names": lambda m: m.fit(pd.DataFrame(BAD, columns=["a", "b", "c"]), y),
    "names and no labels": lambda m: m.fit(pd.DataFrame(X, columns=["a", "b", "c"]), [None] * 40),
    "text": lambda m: m.fit([["a", "b"], ["c", "d"]], [0, 1]),
    "no rows": lambda m: m.fit(X[:0], y[:0]),
}
BATCHES: dict[str, Callable[[Any], Any]] = {
    "infinite cell": lambda m: m.partial_fit(BAD, y),
    "other width": lambda m: m.partial_fit(WIDE, y),
    "unknown label": lambda m: m.partial_fit(X, y + 7),
    "other classes": lambda m: m.partial_fit(X, y, classes=[0, 1, 2]),
    "missing labels": lambda m: m.partial_fit(X, [None] * 40),
    "negative weights": lambda m: m.partial_fit(X, y, sample_weight=-ONES),
    "forget an infinite cell": lambda m: m.forget(BAD, y),
    "forget other labels": lambda m: m.forget(X, 1 - y),
    "forget too much": lambda m: m.forget(np.r_[X, X], np.r_[y, y]),
    "forget an unknown label": lambda m: m.forget(X, y + 7),
    "forget another width": lambda m: m.forget(WIDE, y),
    "merge another width": lambda m: m.merge(type(m)(**m.get_params()).fit(WIDE, y)),
    "merge nothing": lambda m: m.merge(type(m)()),
    "merge a number": lambda m: m.merge(3),
}


def unchanged(model: Any, call: Callable[[Any], Any]) -> None:
    before = state(model)
    with pytest.raises((ValueError, TypeError)):
        call(model)
    after = state(model)
    assert {key for key in before if before[key] != after[key]} == set()


@every
@pytest.mark.parametrize("call", FITS.values(), ids=FITS)
def test_a_fit_that_fails(name: str, call: Callable[[Any], Any]) -> None:
    unchanged(fitted(name), call)


@every
@pytest.mark.parametrize("call", FITS.values(), ids=FITS)
def test_a_fit_that_fails_before_anything_was_learnt(name: str, call: Callable[[Any], Any]) -> None:
    """Batches of any width and with any names can follow."""
    model = MODELS[name]()
    with pytest.raises((ValueError, TypeError)):
        call(model)
    assert set(vars(model)) == set(model.get_params())
    model.partial_fit(X[:, :2], y, classes=[0, 1])
    np.testing.assert_array_equal(model.predict_proba(X[:, :2]), fitted(name, X[:, :2]).predict_proba(X[:, :2]))


@every
@pytest.mark.parametrize("call", BATCHES.values(), ids=BATCHES)
def test_a_batch_that_fails(name: str, call: Callable[[Any], Any]) -> None:
    unchanged(fitted(name), call)


@every
@pytest.mark.parametrize("call", BATCHES.values(), ids=BATCHES)
def test_a_batch_that_fails_between_two_others(name: str, call: Callable[[Any], Any]) -> None:
    model = MODELS[name]().partial_fit(X[:19], y[:19], classes=[0, 1])
    with pytest.raises((ValueError, TypeError)):
        call(model)
    model.partial_fit(X[19:], y[19:])
    np.testing.assert_allclose(model.predict_proba(X), fitted(name).predict_proba(X), rtol=1e-9)


@every
@pytest.mark.parametrize("call", ["fit", "partial_fit", "forget"])
def test_an_interrupt_half_way(name: str, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = fitted(name)
    before = state(model)
    count = Memory.count

    def interrupted(*arguments: Any, **named: Any) -> Any:
        count(*arguments, **named)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Memory, "count", interrupted)
        with pytest.raises(KeyboardInterrupt):
            getattr(model, call)(X[:9] + 1, y[:9])
    assert state(model) == before


def wrong_parameters(model: Any) -> dict[str, Any]:
    known = model.get_params()
    few = [0.1, 0.2, 0.7]
    return {"priors": few} if "priors" in known else {"class_prior": few}


@every
def test_parameters_that_do_not_fit_are_met_by_the_next_call_that_learns(name: str) -> None:
    model = fitted(name)
    before = state(model)
    model.set_params(**wrong_parameters(model))
    assert state(model) == before
    for call in (model.partial_fit, model.forget, model.fit):
        with pytest.raises(CandideError, match="Number of priors must match number of classes: 3 given for 2"):
            call(X[:20], y[:20])
        assert state(model) == before


@every
def test_parameters_set_after_fit_count_from_the_next_call_that_learns(name: str) -> None:
    model = fitted(name)
    before = state(model)
    given = {"priors": [0.9, 0.1]} if "priors" in model.get_params() else {"class_prior": [0.9, 0.1]}
    model.set_params(**given)
    assert state(model) == before
    model.partial_fit(X, y)
    double = MODELS[name](**given).fit(np.r_[X, X], np.r_[y, y])
    np.testing.assert_allclose(model.predict_proba(X), double.predict_proba(X), rtol=1e-9)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("gaussian", {"var_smoothing": -1}),
        ("gaussian", {"var_smoothing": float("nan")}),
        ("gaussian", {"var_smoothing": float("inf")}),
        ("gaussian", {"var_smoothing": "a"}),
        ("gaussian", {"priors": [0.5, 0.6]}),
        ("gaussian", {"priors": [1.5, -0.5]}),
        ("gaussian", {"priors": [float("nan"), 1.0]}),
        *(
            (name, {"alpha": alpha})
            for name in ("bernoulli", "multinomial", "complement", "categorical")
            for alpha in (-1, float("nan"), float("inf"), "a", None, [1, 2], [1, -1, 1], [[1, 1, 1]])
        ),
        *((name, {"class_prior": [0.5, 0.6]}) for name in ("bernoulli", "multinomial", "complement", "categorical")),
        ("categorical", {"min_categories": 2.5}),
        ("categorical", {"min_categories": [2, 3]}),
        ("categorical", {"min_categories": "a"}),
        ("gaussian", {"priors": 1.0}),
        ("gaussian", {"priors": "ab"}),
        ("bernoulli", {"binarize": "a"}),
        ("bernoulli", {"binarize": float("nan")}),
        ("linear", {"ddof": "a"}),
        ("linear", {"ddof": float("nan")}),
        ("linear", {"shrinkage": float("nan")}),
        ("linear", {"covariance": "round"}),
        ("linear", {"shrinkage": 2}),
        ("linear", {"shrinkage": "much"}),
        ("linear", {"priors": [0.5, 0.6]}),
        ("linear", {"priors": [float("nan"), 1.0]}),
        ("diagonal", {"shrinkage": 0.5}),
        ("diagonal", {"ddof": 1}),
    ],
    ids=str,
)
def test_impossible_parameters(name: str, wrong: dict[str, Any]) -> None:
    model = fitted(name)
    before = state(model)
    model.set_params(**wrong)
    for call in (model.fit, model.partial_fit):
        with pytest.raises(CandideError):
            call(X, y)
        assert state(model) == before


def test_a_pseudo_count_a_column_is_one_a_column_or_refused() -> None:
    """Not one a level, when there happen to be as many levels as columns."""
    rows, few = X % 3, [1.0, 2.0, 300.0]
    try:
        mixed = fitted("categorical", rows, alpha=few)
    except CandideError:
        return
    for j, alpha in enumerate(few):
        alone = fitted("categorical", rows, alpha=alpha)
        np.testing.assert_allclose(mixed.feature_log_prob_[j], alone.feature_log_prob_[j], rtol=1e-12)
