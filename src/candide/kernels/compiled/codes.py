"""Columns of codes: how often each comes with each class; and hashes of rows, a column at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, Ints, classes, doubles, kernel, sealed
from candide.kernels.compiled.lanes import integer, number, put_number

__all__ = ["count_labels", "hash_labels", "hash_numbers"]

APART = 4  # neighbouring rows count in tables of their own: none waits for the store of the one before
NARROW = 1 << 14  # cells of a table, so that all of them stay in the cache


def count_labels(codes: Ints, y: Array, w: Floats | None, table: Floats) -> None:
    """Add table[codes[i], y[i]] += w[i], or 1; a code of −1 is a missing cell."""
    codes, y = sealed(codes.astype(np.int64, copy=False)), classes(y)
    if w is None:
        tables = np.zeros((APART if table.size <= NARROW else 1, len(table) + 1, table.shape[1]), np.int64)
        _count_rows(codes, y, tables)
        table += tables.sum(axis=0)[1:]
    else:
        _count_weights(codes, y, doubles(w), table)


def hash_labels(codes: Ints, shares: Array, sums: Array) -> None:
    """Add sums[i] += shares[codes[i]]; the last share is that of −1, a missing cell."""
    _hash_labels(sealed(codes.astype(np.int64, copy=False)), sealed(shares), sums)


def hash_numbers(x: Floats, seed: int, sums: Array) -> None:
    """Add to sums[i] the mixed sum of the seed and of the key of x[i]; nothing where it is NaN."""
    x = doubles(x)
    _hash_numbers(x, sealed(x.view(np.int64)), np.uint64(seed), sums)


@kernel
def _count_rows(codes: Ints, y: Array, tables: Ints) -> None:
    """A missing cell counts before the first level."""
    apart, size = len(tables), tables.shape[1] * tables.shape[2]
    flat, k = tables.reshape(-1), tables.shape[2]
    for i in range(len(codes)):
        flat[np.uint64((i % apart) * size + (integer(codes, i) + 1) * k + integer(y, i))] += 1


@kernel
def _count_weights(codes: Ints, y: Array, w: Floats, table: Floats) -> None:
    k = table.shape[1]
    for i in range(len(codes)):
        code = integer(codes, i)
        if code >= 0:
            at = code * k + integer(y, i)
            put_number(table, at, number(table, at) + number(w, i))


@kernel
def _hash_labels(codes: Ints, shares: Array, sums: Array) -> None:
    last = len(shares) - 1
    for i in range(len(codes)):
        code = integer(codes, i)
        sums[np.uint64(i)] += shares[np.uint64(code if code >= 0 else last)]


@kernel
def _hash_numbers(x: Floats, bits: Ints, seed: Any, sums: Array) -> None:
    """Splitmix64's finaliser (Steele, Lea & Flood 2014) of keys that are in the order of the floats."""
    for i in range(len(x)):
        v = number(x, i)
        raw = integer(bits, i) if v != 0.0 else 0
        z = np.uint64(raw ^ ((raw >> 63) & 0x7FFFFFFFFFFFFFFF)) + seed
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        sums[np.uint64(i)] += (z ^ (z >> np.uint64(31))) if v == v else np.uint64(0)
