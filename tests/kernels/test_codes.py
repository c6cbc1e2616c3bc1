"""Counts and hashes of a column of codes or numbers: the same from both twins, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from candide.kernels import compiled, plain

MIX = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@pytest.mark.parametrize("rows", [0, 1, 3, 301])
@pytest.mark.parametrize("levels", [1, 7, 9_000])
@pytest.mark.parametrize("kind", [np.uint8, np.int64])
@pytest.mark.parametrize("weighted", [False, True])
def test_counts_of_labels(rows: int, levels: int, kind: Any, weighted: bool) -> None:
    rng = np.random.default_rng(rows)
    codes, y = rng.integers(-1, levels, rows), rng.integers(0, 3, rows).astype(kind)
    w = rng.random(rows) if weighted else None
    expected = np.ones((levels, 3))
    for i in range(rows):
        if codes[i] >= 0:
            expected[codes[i], y[i]] += 1.0 if w is None else w[i]
    for twin in (plain, compiled):
        found = np.ones((levels, 3))
        twin.count_labels(codes, y, w, found)
        np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize("rows", [0, 1, 301])
def test_hashes_of_labels(rows: int) -> None:
    rng = np.random.default_rng(rows)
    shares, sums = (rng.integers(0, 2**64, size, np.uint64) for size in (8, rows))
    codes = rng.integers(-1, 7, rows)
    for twin in (plain, compiled):
        found = sums.copy()
        twin.hash_labels(codes, shares, found)
        np.testing.assert_array_equal(found, sums + shares[codes])


@pytest.mark.parametrize("seed", [0, 5, 2**63 + 5, 2**64 - 1])
def test_hashes_of_numbers(seed: int) -> None:
    cells = np.array([0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 5e-324, -5e-324, 1.7e308, 0.1, -2.5])
    expected = []
    for cell in cells.tolist():
        bits = int(np.float64(cell + 0.0).view(np.int64))
        z = ((bits ^ 0x7FFFFFFFFFFFFFFF if bits < 0 else bits) + seed) % 2**64
        z = (z ^ (z >> 30)) * MIX[0] % 2**64
        z = (z ^ (z >> 27)) * MIX[1] % 2**64
        expected.append((3 + (0 if cell != cell else z ^ (z >> 31))) % 2**64)
    for twin in (plain, compiled):
        found = np.full(len(cells), 3, np.uint64)
        twin.hash_numbers(cells, np.uint64(seed), found)
        assert found.tolist() == expected
