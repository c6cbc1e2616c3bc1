"""Class labels: narrow codes for whole numbers, and how often each class occurs."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, classes, doubles, kernel, sealed

__all__ = ["class_weights", "narrow"]


def narrow(values: Array, low: int, codes: Array, occurs: Array) -> bool:
    """codes = values - low, and occurs[code] = 1 for each; False if one lies outside [low, low + len(occurs))."""
    return bool(_narrow(sealed(values), low, codes, occurs))


def class_weights(y: Array, w: Floats | None, weights: Floats) -> None:
    """Add weights[c] += Σ w over the rows of class c, or their number."""
    _class_weights(classes(y), None if w is None else doubles(w), weights)


@kernel
def _narrow(values: Array, low: int, codes: Array, occurs: Array) -> Any:
    """One pass; the check is one unsigned comparison."""
    bad = False
    width = np.uint64(len(occurs))
    for i in range(len(values)):
        code = np.uint64(np.int64(values[np.uint64(i)]) - low)
        inside = code < width
        bad |= not inside
        code = code if inside else np.uint64(0)
        codes[np.uint64(i)] = code
        occurs[code] = 1
    return not bad


@kernel
def _class_weights(y: Array, w: Any, weights: Floats) -> None:
    """Neighbouring rows count in tables of their own: the second need not wait for the first one's store."""
    k, r = len(weights), len(y)
    if w is None:
        table = np.zeros((4, k), np.int64)
        for i in range(0, r - r % 4, 4):
            for t in range(4):
                table[np.uint64(t), np.uint64(y[np.uint64(i + t)])] += 1
        for i in range(r - r % 4, r):
            table[0, np.uint64(y[np.uint64(i)])] += 1
        for c in range(k):
            weights[c] += table[0, c] + table[1, c] + table[2, c] + table[3, c]
    else:
        for i in range(r):
            weights[np.uint64(y[np.uint64(i)])] += w[np.uint64(i)]
