"""Kernels for texts in NumPy, where there is another than the compiled one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["hash_texts"]

_STEP = np.uint64(0x9E3779B97F4A7C15)


def hash_texts(data: NDArray[np.uint8], offsets: NDArray[np.int64], out: NDArray[np.uint64]) -> None:
    """mix(n ⊕ Σ_j mix(w_j + (j + 1) φ)) of the n bytes of each document: w_j are eight of them as one number, φ = 2⁶⁴
    over the golden ratio, the last w filled with zeros, all modulo 2⁶⁴.

    >>> hash_texts(np.frombuffer(b"abba", np.uint8), np.array([0, 1, 3, 4]), out := np.empty(3, np.uint64))
    >>> bool(out[0] == out[2] != out[1])
    True
    """
    for d in range(len(out)):
        letters = data[offsets[d] : offsets[d + 1]]
        words = np.append(letters, np.zeros(-len(letters) % 8, np.uint8)).view("<u8").astype(np.uint64)
        steps = np.arange(1, len(words) + 1, dtype=np.uint64) * _STEP
        total = mixed(words + steps).sum(dtype=np.uint64)
        out[d] = mixed(np.array([total ^ np.uint64(len(letters))]))[0]


def mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Splitmix64's finaliser (Steele, Lea & Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
