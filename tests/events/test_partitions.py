"""Averages over partitions equal the sum over every single one of them."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

from candide.classifier import learn
from candide.data import Table
from candide.events import Binned
from candide.events.partitions import Intervals, intervals

SOME = settings(max_examples=60, deadline=None)
CLOSE = {"rtol": 1e-9, "atol": 1e-12}


@st.composite
def columns(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Counts of up to eight bins, and virtual rows a class."""
    bins, classes = draw(st.integers(1, 8)), draw(st.integers(1, 3))
    cell = st.one_of(st.integers(0, 6), st.sampled_from([0.25, 0.7, 40]))
    counts = draw(st.lists(st.lists(cell, min_size=classes, max_size=classes), min_size=bins, max_size=bins))
    alpha = draw(st.lists(st.sampled_from([0.1, 0.5, 1.0, 2.5]), min_size=classes, max_size=classes))
    return np.array(counts, dtype=float), np.array(alpha)


def partitions(bins: int) -> list[list[tuple[int, int]]]:
    """Every way to cut a row of bins into intervals, as (first, last) pairs."""
    found = []
    for many in range(bins):
        for cuts in combinations(range(1, bins), many):
            edges = [0, *cuts, bins]
            found.append([(lo, hi - 1) for lo, hi in pairwise(edges)])
    return found


def evidence(n: np.ndarray, alpha: np.ndarray) -> float:
    """log Π Γ(n + α)/Γ(α) · Γ(A)/Γ(N + A)."""
    total = alpha.sum()
    return float((gammaln(n + alpha) - gammaln(alpha)).sum() + gammaln(total) - gammaln(n.sum() + total))


def by_hand(counts: np.ndarray, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights of intervals and shares of classes in bins, from all 2^(bins − 1) partitions."""
    bins = len(counts)
    every = partitions(bins)
    logs = np.array(
        [sum(evidence(counts[lo : hi + 1].sum(axis=0), alpha) - np.log(bins) for lo, hi in one) for one in every]
    )
    chances = np.exp(logs - logs.max())
    chances /= chances.sum()
    weight, shares = np.zeros((bins, bins)), np.zeros(counts.shape)
    for one, chance in zip(every, chances, strict=True):
        for lo, hi in one:
            weight[lo, hi] += chance
            rows = counts[lo : hi + 1].sum(axis=0)
            shares[lo : hi + 1] += chance * (rows + alpha) / (rows.sum() + alpha.sum())
    return weight, shares


def of(counts: np.ndarray, alpha: np.ndarray) -> Intervals:
    (found,) = intervals([(counts, alpha)])
    return found


@SOME
@given(columns())
def test_weights_and_shares_are_those_of_all_partitions(column: tuple[np.ndarray, np.ndarray]) -> None:
    weight, shares = by_hand(*column)
    found = of(*column)
    np.testing.assert_allclose(np.triu(found.weight), weight, **CLOSE)
    np.testing.assert_array_equal(np.tril(found.weight, -1), 0.0)
    np.testing.assert_allclose(found.shares(), shares, **CLOSE)


@SOME
@given(st.lists(columns(), min_size=2, max_size=4))
def test_columns_of_different_widths_do_not_disturb_each_other(several: list[tuple[np.ndarray, np.ndarray]]) -> None:
    for (counts, alpha), found in zip(several, intervals(several), strict=True):
        np.testing.assert_allclose(found.shares(), of(counts, alpha).shares(), **CLOSE)


@SOME
@given(columns(), st.data())
def test_shares_without_a_row_are_those_of_counts_without_it(
    column: tuple[np.ndarray, np.ndarray], data: st.DataObject
) -> None:
    counts, alpha = column
    counts = np.ceil(counts)
    held = np.argwhere(counts >= 1)
    if not len(held):
        return
    place, y = data.draw(st.sampled_from(held.tolist()))
    less = counts.copy()
    less[place, y] -= 1
    _, expected = by_hand(less, alpha)
    np.testing.assert_allclose(of(counts, alpha).without_one(y)[place], expected[place], **CLOSE)


@SOME
@given(columns(), st.data())
def test_shares_without_part_of_a_row(column: tuple[np.ndarray, np.ndarray], data: st.DataObject) -> None:
    counts, alpha = column
    held = np.argwhere(counts > 0)
    if not len(held):
        return
    place, y = data.draw(st.sampled_from(held.tolist()))
    weight = float(counts[place, y] * data.draw(st.sampled_from([0.1, 0.5, 1.0])))
    less = counts.copy()
    less[place, y] = max(0.0, less[place, y] - weight)
    _, expected = by_hand(less, alpha)
    found = of(counts, alpha).without(np.array([place]), np.array([y]), np.array([weight]))
    np.testing.assert_allclose(found[0], expected[place], **CLOSE)


def test_no_columns_have_no_intervals() -> None:
    assert intervals([]) == []


@pytest.mark.parametrize("classes", [2, 3])
def test_a_column_that_says_nothing_falls_silent_as_rows_grow(classes: int) -> None:
    rng = np.random.default_rng(0)
    loudest = []
    for rows in (100, 1_000, 10_000):
        x, y = rng.normal(size=rows), rng.integers(0, classes, rows)
        model = learn({("x",): Binned()}, Table.of("x y", zip(x.tolist(), y.tolist(), strict=True), target="y"))
        loudest.append(max(np.abs(table).max() for table in model.scorecard.terms[0].tables))
    assert loudest[0] > loudest[-1]
    assert loudest[-1] < 0.05


def test_a_column_that_says_nothing_is_in_one_piece() -> None:
    """Every class has the same share in every bin: the more rows, the surer that there is no cut."""
    chances = [of(np.full((8, 2), float(rows)), np.array([0.5, 0.5])).weight[0, 7] for rows in (1, 10, 100, 1000)]
    assert chances == sorted(chances)
    assert chances[-1] > 0.98


def test_a_cut_where_the_class_changes_is_found() -> None:
    counts = np.array([[50.0, 0.0]] * 3 + [[0.0, 50.0]] * 5)
    found = of(counts, np.array([0.5, 0.5]))
    assert found.weight[0, 2] > 0.9
    assert found.weight[3, 7] > 0.9
    np.testing.assert_allclose(found.shares()[0], [150.5 / 151, 0.5 / 151], rtol=exp(-3))
