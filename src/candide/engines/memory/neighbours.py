"""Pairs of neighbouring words as numbers."""

from __future__ import annotations

import secrets
from importlib import import_module
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

FIRST = 1 << 12  # pairs there is room for in the beginning


class Neighbours:
    """Gives each distinct pair of words a number, in order of first sight. One thread at a time may use it."""

    def __init__(self, room: int = FIRST, grow: bool = True) -> None:
        self.grow = grow
        self._size = np.array([0, 0, secrets.randbits(62)], np.int64)
        self._pairs = np.zeros((room, 2), np.int32)
        self._slots = np.zeros((1 << (2 * room - 1).bit_length(), 2), np.uint64)
        self._out, self._ends = np.empty(0, np.int32), np.empty(0, np.int64)

    @classmethod
    def known(cls, pairs: NDArray[Any]) -> Self:
        """Pairs with their places as numbers, and no others."""
        made = cls(max(1, len(pairs)))
        made.merge(pairs)
        made.grow = False
        return made

    def __len__(self) -> int:
        return int(self._size[0])

    @property
    def pairs(self) -> NDArray[np.int32]:
        """The two words of each pair."""
        return self._pairs[: len(self)]

    def of(self, ids: NDArray[np.int32], ends: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The pairs of a block of documents, and where each document's end; written over by the next block."""
        if len(ids) > len(self._out):
            self._out = np.empty(len(ids), np.int32)
        if len(ends) > len(self._ends):
            self._ends = np.empty(len(ends), np.int64)
        self._ends[0], done = 0, 0
        while True:
            done, fitted = _kernels().pair_ids(
                ids, ends, done, self._slots, self._pairs, self._size, self.grow, self._out, self._ends
            )
            if fitted:
                return self._out[: self._ends[len(ends) - 1]], self._ends[: len(ends)]
            self._widen()

    def merge(self, pairs: NDArray[Any]) -> NDArray[np.int64]:
        """Add pairs; the number of each."""
        ids = np.ascontiguousarray(pairs, dtype=np.int32).reshape(-1)
        found, _ = self.of(ids, np.arange(len(pairs) + 1, dtype=np.int64) * 2)
        return found.astype(np.int64)

    def _widen(self) -> None:
        self._pairs = np.concatenate([self._pairs, np.zeros_like(self._pairs)])
        self._slots = _kernels().room(self._slots, 2 * len(self._slots), self._size[2])


def _kernels() -> Any:
    """The compiled kernels: there are no others for texts."""
    return import_module("candide.kernels.compiled.text")
