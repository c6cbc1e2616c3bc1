"""Sums of single classes, put away and joined: where each thing stands is told by bits, one a thing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.kernels.compiled.base import Floats, Ints, kernel, sealed
from candide.kernels.compiled.lanes import integer, number, put_number
from candide.kernels.compiled.text.inline import NONE
from candide.kernels.compiled.text.masks import lowest, ones

__all__ = ["lay", "list_marked", "mark", "moved_out"]

_ZERO, _ONE, _LAST, _SHIFT = np.uint64(0), np.uint64(1), np.uint64(63), np.uint64(6)


def moved_out(touched: NDArray[np.int32], sums: Floats) -> tuple[NDArray[np.int32], Floats]:
    """The touched things and their columns of `sums`, which become 0 there."""
    taken = np.empty((len(sums), len(touched)))
    for row, out in zip(sums, taken, strict=True):
        _moved_out(sealed(touched), row, out)
    return touched.copy(), taken


@kernel
def _moved_out(touched: Any, sums: Any, out: Any) -> None:
    for i in range(len(touched)):
        v = integer(touched, i)
        put_number(out, i, number(sums, v))
        put_number(sums, v, 0.0)


def mark(ids: NDArray[np.int32], places: Ints, bits: NDArray[np.uint64]) -> int:
    """Set bit places[id] for each id; how many of these were not set."""
    return int(_mark(sealed(ids), sealed(places), bits))


@kernel
def _mark(ids: Any, places: Any, bits: Any) -> Any:
    new = NONE
    for i in range(len(ids)):
        v = np.uint64(integer(places, integer(ids, i)))
        bit = _ONE << (v & _LAST)
        held = bits[v >> _SHIFT]
        new += np.int64((held & bit) == _ZERO)
        bits[v >> _SHIFT] = held | bit
    return new


def list_marked(bits: NDArray[np.uint64], ranks: NDArray[np.int32], ids: Ints) -> None:
    """Write the places of all bits that are set, ascending, into `ids`, and into ranks[i] how many precede bits[i]."""
    _list_marked(sealed(bits), ranks, ids)


@kernel
def _list_marked(bits: Any, ranks: Any, ids: Any) -> None:
    before = NONE
    for i in range(len(bits)):
        rest = bits[np.uint64(i)]
        ranks[np.uint64(i)] = before
        while rest != _ZERO:
            ids[np.uint64(before)] = i * 64 + lowest(rest)
            rest &= rest - _ONE
            before += 1


def lay(
    ids: NDArray[np.int32], places: Ints, sums: Floats, bits: NDArray[np.uint64], ranks: NDArray[np.int32], out: Floats
) -> None:
    """Add sums[:, i] to the first columns of the row of `out` that belongs to bit places[ids[i]]."""
    _lay(sealed(ids), sealed(places), sealed(sums), sealed(bits), sealed(ranks), out)


@kernel
def _lay(ids: Any, places: Any, sums: Any, bits: Any, ranks: Any, out: Any) -> None:
    width, n, across = sums.shape[0], sums.shape[1], out.shape[1]
    for i in range(n):
        v = np.uint64(integer(places, integer(ids, i)))
        lower = bits[v >> _SHIFT] & ((_ONE << (v & _LAST)) - _ONE)
        at = (np.int64(ranks[v >> _SHIFT]) + ones(lower)) * across
        for j in range(width):
            put_number(out, at + j, number(out, at + j) + number(sums, j * n + i))
