"""Hashes of what a row holds: the same on every machine, in every order of columns and rows."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from candide.labels import Labels

Hashes = NDArray[np.uint64]


def of_labels(name: object, labels: Labels) -> Hashes:
    """What each label of a column adds to the hash of its row."""
    each = np.fromiter((seed(label) for label in labels), np.uint64, len(labels))
    return _mixed(each + seed(name))


def of_texts(name: object, hashes: Hashes, known: NDArray[np.bool_]) -> Hashes:
    """What each text adds to the hash of its row, given a hash of its bytes: nothing where it is missing."""
    mixed = _mixed(hashes + seed(name))
    mixed[~known] = 0
    return mixed


def finished(sums: Hashes) -> Hashes:
    """The hash of each row, from the sum of its cells' shares."""
    return _mixed(sums)


def seed(value: object) -> np.uint64:
    """A hash of a name or a label."""
    text = f"{type(value).__name__}:{value}".encode("utf-8", "surrogatepass")
    return np.uint64(int.from_bytes(blake2b(text, digest_size=8).digest(), "little"))


def _mixed(z: Hashes) -> Hashes:
    """Splitmix64's finaliser (Steele, Lea & Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
