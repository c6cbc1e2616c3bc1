"""Decisions by cost, no decision at all, and the posterior under another prior."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.errors import BadCosts, BadPrior, BadProbabilities, UndefinedPosterior
from candide.posterior import abstain, best, cheapest, shifted

POSTERIORS = st.integers(1, 4).flatmap(
    lambda classes: st.lists(
        st.lists(st.integers(0, 9), min_size=classes, max_size=classes).filter(any), min_size=1, max_size=6
    ).map(lambda rows: np.array(rows) / np.array(rows).sum(axis=1, keepdims=True))
)


@given(POSTERIORS)
def test_where_all_errors_cost_the_same_the_most_probable_class_is_cheapest(posterior: np.ndarray) -> None:
    np.testing.assert_array_equal(cheapest(posterior, 1 - np.eye(posterior.shape[1])), best(posterior))


@given(POSTERIORS, st.integers(0, 1 << 30))
def test_no_decision_is_expected_to_cost_less(posterior: np.ndarray, seed: int) -> None:
    costs = np.random.default_rng(seed).integers(0, 10, (3, posterior.shape[1]))
    expected = posterior @ costs.T
    chosen = expected[np.arange(len(posterior)), cheapest(posterior, costs)]
    np.testing.assert_allclose(chosen, expected.min(axis=1), atol=1e-12)


def test_a_costly_miss_moves_the_threshold() -> None:
    """A miss ten times as bad as a false alarm: alarm from P = 1/11 on."""
    sick = np.array([0.08, 0.09, 0.092, 0.5])
    costs = [[0, 10], [1, 0]]
    assert cheapest(np.column_stack([1 - sick, sick]), costs).tolist() == [0, 0, 1, 1]


def test_equal_expected_costs_go_to_the_first_decision() -> None:
    """10 · 1/11 = 10/11 · 1, though not in floats for every way of adding."""
    assert cheapest(np.array([[10 / 11, 1 / 11], [0.5, 0.5]]), [[0, 10], [1, 0]]).tolist() == [0, 1]
    assert cheapest(np.array([[0.5, 0.5]]), [[0, 1], [1, 0]]).tolist() == [0]


def test_decisions_need_not_be_classes() -> None:
    """Treat, wait, or ask: three decisions about two classes."""
    costs = [[0, 8], [4, 0], [1, 1]]
    assert cheapest(np.array([[0.95, 0.05], [0.1, 0.9], [0.5, 0.5]]), costs).tolist() == [0, 1, 2]


def test_gains_are_negative_costs() -> None:
    assert cheapest(np.array([[0.3, 0.7]]), [[-10, 0], [0, -1]]).tolist() == [0]


@pytest.mark.parametrize(
    ("reject", "places"), [(0.0, [0, -1, -1]), (0.3, [0, 1, -1]), (0.5, [0, 1, 0]), (1.0, [0, 1, 0])]
)
def test_chows_rule(reject: float, places: list[int]) -> None:
    posterior = np.array([[1.0, 0.0], [0.3, 0.7], [0.5, 0.5]])
    assert abstain(posterior, reject).tolist() == places


@given(POSTERIORS, st.floats(0, 1), st.floats(0, 1))
def test_a_dearer_rejection_rejects_no_more(posterior: np.ndarray, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert set(np.flatnonzero(abstain(posterior, high) < 0)) <= set(np.flatnonzero(abstain(posterior, low) < 0))


@given(POSTERIORS, st.floats(0, 1))
def test_not_to_decide_is_a_decision_like_others(posterior: np.ndarray, reject: float) -> None:
    """A row of constant costs after those of the classes decides the same."""
    classes = posterior.shape[1]
    errors = 1 - np.eye(classes)
    with_rejection = cheapest(posterior, np.vstack([errors, np.full(classes, reject)]))
    np.testing.assert_array_equal(abstain(posterior, reject), np.where(with_rejection == classes, -1, with_rejection))
    np.testing.assert_array_equal(abstain(posterior, reject), abstain(posterior, reject, errors))


def test_rejection_with_costs_is_in_their_unit() -> None:
    """Expected costs 80, 50 and 0 of the better decision."""
    posterior = np.array([[0.92, 0.08], [0.5, 0.5], [1.0, 0.0]])
    assert abstain(posterior, 60.0, [[0, 1000], [100, 0]]).tolist() == [-1, 1, 0]


def test_no_rows() -> None:
    none = np.zeros((0, 2))
    assert cheapest(none, [[0, 1], [1, 0]]).tolist() == abstain(none, 0.1).tolist() == []
    assert shifted(none, [1, 1], [1, 2]).shape == (0, 2)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([[0, 1, 2], [1, 0, 2]], r"shape \(2, 3\); they need .* 2 columns"),
        ([0, 1], "shape"),
        (np.zeros((0, 2)), "shape"),
        ([[0, np.inf], [1, 0]], r"costs\[0, 1\] is inf; .* large number"),
        ([[0, 1], [np.nan, 0]], r"costs\[1, 0\] is nan"),
        ([["free", "dear"]], "table of numbers"),
        ([[0], [1, 0]], "table of numbers"),
    ],
)
def test_costs_that_are_none(costs: Any, message: str) -> None:
    with pytest.raises(BadCosts, match=message):
        cheapest(np.array([[0.5, 0.5]]), costs)


@pytest.mark.parametrize("reject", [-0.1, 1.1, np.nan, "no", None])
def test_rejection_costs_a_share_of_an_error(reject: Any) -> None:
    with pytest.raises(BadCosts, match="from 0 to 1"):
        abstain(np.array([[0.5, 0.5]]), reject)


def test_scores_are_no_posterior() -> None:
    with pytest.raises(BadProbabilities, match=r"row 0 .* normalised first"):
        cheapest(np.array([[-3.0, -4.0]]), [[0, 1], [1, 0]])


# ---------------------------------------------------------------- another prior


@given(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), st.lists(st.floats(0.01, 1), min_size=3, max_size=3))
def test_another_prior_gives_bayes_theorem_with_that_prior(old: list[float], new: list[float]) -> None:
    likelihood = np.array([[0.2, 0.5, 0.9], [1.0, 0.0, 0.1]])
    before, after = (likelihood * prior for prior in (np.array(old), np.array(new)))
    posterior = before / before.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shifted(posterior, old, new), after / after.sum(axis=1, keepdims=True), rtol=1e-12)


def test_the_same_prior_changes_nothing_and_counts_will_do() -> None:
    posterior = np.array([[0.25, 0.75], [1.0, 0.0]])
    np.testing.assert_allclose(shifted(posterior, [30, 70], [0.3, 0.7]), posterior, rtol=1e-15)


def test_a_class_that_is_gone_gets_nothing() -> None:
    assert shifted(np.array([[0.2, 0.3, 0.5]]), [1, 1, 1], [1, 1, 0]).round(12).tolist() == [[0.4, 0.6, 0.0]]
    assert shifted(np.array([[0.2, 0.8, 0.0]]), [1, 1, 0], [1, 1, 0]).round(12).tolist() == [[0.2, 0.8, 0.0]]


def test_tiny_probabilities_and_priors_do_not_vanish() -> None:
    moved = shifted(np.array([[1.0, 1e-300]]), [1.0, 1e-200], [1e-200, 1.0])
    np.testing.assert_allclose(moved, [[0.0, 1.0]], atol=1e-90)


def test_a_class_that_was_impossible_cannot_come_back() -> None:
    with pytest.raises(BadPrior, match=r"class 1 .* old prior 0 and new prior 0\.5"):
        shifted(np.array([[1.0, 0.0]]), [1, 0], [0.5, 0.5])


def test_a_row_without_a_possible_class_is_named() -> None:
    with pytest.raises(UndefinedPosterior, match="row 1"):
        shifted(np.array([[0.5, 0.5], [1.0, 0.0]]), [0.5, 0.5], [0, 1])


@pytest.mark.parametrize("prior", [[1, 1, 1], [1, -1], [0, 0], [np.nan, 1], ["a", "b"], [np.inf, 1]])
@pytest.mark.parametrize("which", ["old", "new"])
def test_priors_that_are_none(prior: Any, which: str) -> None:
    both = {"old": [1, 1], "new": [1, 1], which: prior}
    with pytest.raises(BadPrior, match=f"the {which} prior"):
        shifted(np.array([[0.5, 0.5]]), both["old"], both["new"])
