"""What was added can be taken away, to the last bits of a double-double."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from candide.kernels import compiled, plain


def sums(k: int, d: int) -> list[Any]:
    return [np.zeros((k, d)) for _ in range(5)]


def test_an_outlier_hides_nothing(twin: Any) -> None:
    """Rows counted together with one of 10^12 are all there once its own square is taken off."""
    X, y = np.random.default_rng(0).normal(size=(2000, 11)), np.zeros(2000, np.uint8)
    X[1234] *= 1e12
    got = sums(1, 11)
    twin.moments(X, y, None, np.zeros((1, 11)), *got)
    rest = np.delete(X, 1234, axis=0)
    for j in range(11):
        for high, low, power in ((1, 2, 1), (3, 4, 2)):
            wild = X[1234, j] if power == 1 else X[1234, j] * X[1234, j]
            left = Fraction(got[high][0, j]) + Fraction(got[low][0, j]) - Fraction(wild)
            assert float(left) == pytest.approx(math.fsum(rest[:, j] ** power), rel=1e-9)


def test_the_same_rows_taken_away_leave_nothing(twin: Any) -> None:
    """Batches counted alike have the same sums to the last bit."""
    X, y = np.random.default_rng(1).normal(size=(500, 11)) * 1e6, np.arange(500, dtype=np.uint8) % 3
    one, other = sums(3, 11), sums(3, 11)
    for batch in (one, other):
        twin.moments(X, y, None, np.ones((3, 11)), *batch)
    assert all((a == b).all() for a, b in zip(one, other, strict=True))


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
