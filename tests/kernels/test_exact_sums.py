"""What was added can be taken away, to the last bits of a double-double."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from candide.kernels import compiled, plain


def sums(k: int, d: int) -> list[Any]:
    return [np.zeros((k, d)) for _ in range(5)]


def test_an_outlier_leaves_nothing_behind(twin: Any) -> None:
    rng = np.random.default_rng(0)
    X, y, pivot = rng.normal(size=(500, 11)), rng.integers(0, 3, 500).astype(np.uint8), rng.normal(size=(3, 11))
    wild, wild_y = rng.normal(size=(40, 11)) * 1e12, rng.integers(0, 3, 40).astype(np.uint8)
    before, after = sums(3, 11), sums(3, 11)
    twin.moments(X, y, None, pivot, *before)
    twin.moments(X, y, None, pivot, *after)
    twin.moments(wild, wild_y, None, pivot, *after)
    twin.moments(wild, wild_y, np.full(40, -1.0), pivot, *after)
    assert (after[0] == before[0]).all()
    for high, low, size in ((1, 2, 1e12), (3, 4, 1e24)):
        left = (after[high] - before[high]) + (after[low] - before[low])
        assert np.abs(left).max() < 1e-26 * size * 40


@settings(max_examples=50, deadline=None)
@given(arrays(np.float64, (23, 9), elements=st.floats(-1e100, 1e100) | st.just(np.nan)), st.integers(0, 2**20))
def test_twins_agree_on_any_numbers(X: Any, seed: int) -> None:
    y = np.random.default_rng(seed).integers(0, 2, 23).astype(np.uint8)
    ours, theirs = sums(2, 9), sums(2, 9)
    plain.moments(X, y, None, np.ones((2, 9)), *ours)
    compiled.moments(X, y, None, np.ones((2, 9)), *theirs)
    assert (ours[0] == theirs[0]).all()
    size = np.nansum(np.abs(X) + 1.0, axis=0)
    for high, low, bound in ((1, 2, size), (3, 4, size * size)):
        gap = (ours[high] - theirs[high]) + (ours[low] - theirs[low])
        assert (np.abs(gap) <= 1e-29 * bound).all()


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinite_cell_shows_in_the_totals(twin: Any, value: float) -> None:
    X = np.zeros((100, 9))
    X[3, 8] = value
    got = sums(1, 9)
    twin.moments(X, np.zeros(100, np.uint8), None, np.zeros((1, 9)), *got)
    assert (np.isfinite(got[1] + got[2])[0] == (np.arange(9) < 8)).all()
    got = sums(1, 9)
    twin.moments(X, np.zeros(100, np.uint8), (np.arange(100) != 3) * 1.0, np.zeros((1, 9)), *got)
    assert np.isfinite(got[1] + got[2]).all()
