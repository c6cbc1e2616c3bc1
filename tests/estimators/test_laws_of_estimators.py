"""Laws that hold for every small table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from bestiary import GAPS, MODELS, every, of, sound
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from candide.errors import SingularCovariance, SingularWarning, ZeroVariance

SOME = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
pytestmark = pytest.mark.filterwarnings("ignore::candide.errors.SingularWarning")

DTYPES = ("f8", "f4", "i8", "i2", "u1", "?", ">f8", ">i4", "f2")


@dataclass(frozen=True)
class Case:
    """A labelled table."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None

    def __len__(self) -> int:
        return len(self.y)

    def part(self, rows: Any) -> Case:
        return Case(self.X[rows], self.y[rows], None if self.weights is None else self.weights[rows])

    def teach(self, name: str, **parameters: Any) -> Any:
        return MODELS[name](**parameters).fit(self.X, self.y, sample_weight=self.weights)

    def batch(self, model: Any, **named: Any) -> Any:
        return model.partial_fit(self.X, self.y, sample_weight=self.weights, **named)


@st.composite
def cases(draw: st.DrawFn, name: str, least: int = 1, plain: bool = False) -> Case:
    """Random dtypes, gaps where the model allows them, weights, classes."""
    n, d = draw(st.integers(least, 14)), draw(st.integers(1, 4))
    dtype = "f8" if plain else draw(st.sampled_from(DTYPES))
    cells = draw(st.lists(st.integers(0, 6), min_size=n * d, max_size=n * d))
    X = np.array(cells, dtype=float).reshape(n, d)
    if dtype == "f8" and name not in ("categorical", "linear", "quadratic"):
        X = X * draw(st.sampled_from([1.0, 0.25, 1e-6, 1e6, np.pi]))
    if dtype in ("f8", "f4") and name in GAPS:
        gaps = draw(st.lists(st.integers(0, n * d - 1), max_size=3))
        X.reshape(-1)[gaps] = np.nan
    y = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    weights = draw(st.none() | st.lists(st.sampled_from([0.5, 1, 2, 0.3]), min_size=n, max_size=n).map(np.array))
    return Case(X.astype(dtype), y, weights)


def law(name: str, **named: Any) -> Any:
    """Decorate a check that a random table passes; tables the model refuses for want of spread are passed over."""

    def decorate(check: Any) -> None:
        @SOME
        @given(cases(name, **named), st.randoms(use_true_random=False))
        def run(case: Case, random: Any) -> None:
            try:
                check(case, random)
            except (SingularCovariance, ZeroVariance):
                return

        run()

    return decorate


def near(one: Any, other: Any, rows: Any, rtol: float = 1e-7) -> None:
    np.testing.assert_allclose(one.predict_proba(rows), other.predict_proba(rows), rtol=rtol, atol=1e-9)


@every
def test_the_posterior_is_one_and_the_answers_agree(name: str) -> None:
    @law(name)
    def _(case: Case, random: Any) -> None:
        model = case.teach(name)
        sound(model, case.X)
        joint = model.predict_joint_log_proba(case.X)
        np.testing.assert_allclose(model.explain(case.X).log_joint, joint, rtol=1e-9, atol=1e-9)
        assert set(model.predict(case.X)) <= set(case.y)


@every
def test_the_first_of_the_best_classes_is_chosen(name: str) -> None:
    @law(name)
    def _(case: Case, random: Any) -> None:
        model = case.teach(name)
        joint = model.predict_joint_log_proba(case.X)
        chosen = np.searchsorted(model.classes_, model.predict(case.X))
        best = joint.max(axis=1)
        slack = 1e-12 * np.maximum(np.abs(joint).max(), 1.0)
        rows = np.arange(len(case))
        assert (joint[rows, chosen] >= best - slack).all()
        for i, place in enumerate(chosen):
            assert (joint[i, :place] < best[i]).all()


@every
def test_the_order_of_rows_does_not_matter(name: str) -> None:
    @law(name)
    def _(case: Case, random: Any) -> None:
        order = list(range(len(case)))
        random.shuffle(order)
        near(case.part(np.array(order)).teach(name), case.teach(name), case.X)


@every
def test_the_order_of_columns_does_not_matter(name: str) -> None:
    @law(name)
    def _(case: Case, random: Any) -> None:
        order = list(range(case.X.shape[1]))
        random.shuffle(order)
        turned = Case(case.X[:, order], case.y, case.weights).teach(name)
        np.testing.assert_allclose(
            turned.predict_proba(case.X[:, order]), case.teach(name).predict_proba(case.X), rtol=1e-7, atol=1e-9
        )


@every
def test_the_names_of_classes_do_not_matter(name: str) -> None:
    @law(name)
    def _(case: Case, random: Any) -> None:
        words = np.array(["a", "b", "c", "d"])[case.y]
        named = Case(case.X, words, case.weights).teach(name)
        np.testing.assert_array_equal(named.predict_proba(case.X), case.teach(name).predict_proba(case.X))


@of("linear", "quadratic", "diagonal")
def test_the_unit_of_a_column_does_not_matter(name: str) -> None:
    @law(name, plain=True)
    def _(case: Case, random: Any) -> None:
        factors = np.array([2.0 ** random.randint(-30, 30) for _ in range(case.X.shape[1])])
        other = Case(case.X * factors, case.y, case.weights).teach(name)
        np.testing.assert_allclose(
            other.predict_proba(case.X * factors), case.teach(name).predict_proba(case.X), rtol=1e-7, atol=1e-9
        )


@every
def test_batches_of_any_size_and_merging_are_learning_at_once(name: str) -> None:
    @law(name, least=2)
    def _(case: Case, random: Any) -> None:
        cut = random.randint(1, len(case) - 1)
        first, second = case.part(slice(None, cut)), case.part(slice(cut, None))
        whole = case.teach(name)
        batches = first.batch(MODELS[name](), classes=np.unique(case.y))
        near(second.batch(batches), whole, case.X)
        near(first.teach(name).merge(second.teach(name)), whole, case.X)
        near(second.teach(name).merge(first.teach(name)), whole, case.X)


@every
def test_forgetting_undoes_learning(name: str) -> None:
    @law(name, least=2)
    def _(case: Case, random: Any) -> None:
        cut = random.randint(1, len(case) - 1)
        first, second = case.part(slice(None, cut)), case.part(slice(cut, None))
        model = first.batch(MODELS[name](), classes=np.unique(case.y))
        before = model.predict_proba(case.X)
        second.batch(model).forget(second.X, second.y, sample_weight=second.weights)
        np.testing.assert_allclose(model.predict_proba(case.X), before, rtol=1e-7, atol=1e-9)


@every
def test_a_weight_is_a_number_of_repetitions(name: str) -> None:
    @law(name)
    def _(case: Case, random: Any) -> None:
        times = np.array([random.randint(1, 3) for _ in range(len(case))])
        weighed = MODELS[name]().fit(case.X, case.y, sample_weight=times)
        near(MODELS[name]().fit(np.repeat(case.X, times, axis=0), np.repeat(case.y, times)), weighed, case.X)


def test_the_warning_that_is_passed_over_here_is_a_warning() -> None:
    assert issubclass(SingularWarning, UserWarning)
