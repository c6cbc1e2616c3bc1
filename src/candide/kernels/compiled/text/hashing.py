"""A number for a text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.kernels.compiled.base import Array, Ints, kernel, sealed
from candide.kernels.compiled.text.masks import eight

__all__ = ["hash_texts"]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_ONE, _EIGHT = np.uint64(1), np.uint64(8)


def hash_texts(data: Array, offsets: Ints, out: NDArray[np.uint64]) -> None:
    """The hash of the bytes of each document, as `plain_text.hash_texts` defines it."""
    _hash_texts(sealed(data), sealed(offsets), out)


@kernel
def _mixed(z: Any) -> Any:
    """Splitmix64's finaliser (Steele, Lea & Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def _hash_texts(data: Array, offsets: Ints, out: Any) -> None:
    """Eight bytes at a time; their shares are added, so that none waits for another."""
    for d in range(len(out)):
        at, stop = offsets[d], offsets[d + 1]
        n = np.uint64(stop - at)
        total = step = np.uint64(0)
        while at + 8 <= stop:
            step += _STEP
            total += _mixed(eight(data, at) + step)
            at += 8
        if at < stop:
            rest = np.uint64(0)
            for q in range(stop - at):
                rest |= np.uint64(data[at + q]) << (_EIGHT * np.uint64(q))
            total += _mixed(rest + step + _STEP)
        out[d] = _mixed(total ^ n)
