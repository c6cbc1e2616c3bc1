"""Numbers counted in cells that grow as they must, and read back in steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, Floats, Ints, classes, doubles, kernel
from candide.kernels.compiled.lanes import integer, number, put_number

__all__ = ["add_steps", "count_cells"]

SPARSE = 4  # slots of the hash table a cell


def count_cells(x: Floats, y: Array, w: Floats | None, keys: Ints, table: Floats) -> tuple[int, int]:
    """Count the classes of each cell of x into the first rows of `keys` and `table`, which hold nothing yet.

    A cell is what floats agree in without their last `shift` bits; the shift is the smallest whose cells fit. NaN and
    rows of weight 0 are left out. Return the shift and the number of cells; their order has no meaning.
    """
    width = max(6, (SPARSE * len(keys) - 1).bit_length())
    slots = np.full(1 << width, -1, dtype=np.int32)
    moved = np.zeros(len(keys), np.int64)
    weights = None if w is None else doubles(w)
    shift, size = _count_cells(
        doubles(x).view(np.int64), doubles(x), classes(y), weights, keys, table, slots, moved, 64 - width
    )
    return int(shift), int(size)


@kernel
def _count_cells(
    bits: Ints, x: Floats, y: Array, w: Any, keys: Ints, table: Floats, slots: Any, moved: Ints, rest: int
) -> Any:
    """An open hash table of the cells met so far; all of them are made coarser when there are too many."""
    shift, size, k = 0, 0, table.shape[1]
    for i in range(len(x)):
        v = number(x, i)
        if v != v or (w is not None and number(w, i) == 0.0):
            continue
        raw = integer(bits, i) if v != 0.0 else 0
        raw = raw ^ ((raw >> 63) & 0x7FFFFFFFFFFFFFFF)
        place = _slot(raw >> shift, keys, slots, rest)
        while slots[np.uint64(place)] < 0 and size == len(keys):
            shift += 1
            size = _coarser(keys, table, slots, moved, size, rest)
            place = _slot(raw >> shift, keys, slots, rest)
        if slots[np.uint64(place)] < 0:
            slots[np.uint64(place)] = size
            keys[np.uint64(size)] = raw >> shift
            size += 1
        at = np.int64(slots[np.uint64(place)]) * k + integer(y, i)
        put_number(table, at, number(table, at) + (1.0 if w is None else number(w, i)))
    return shift, size


@kernel
def _slot(key: int, keys: Ints, slots: Any, rest: int) -> int:
    """Where the key is, or where it may be put."""
    mask = np.uint64(len(slots) - 1)
    place = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(rest)
    while slots[place] >= 0 and keys[np.uint64(slots[place])] != key:
        place = (place + np.uint64(1)) & mask
    return np.int64(place)  # type: ignore[return-value]


@kernel
def _coarser(keys: Ints, table: Floats, slots: Any, moved: Ints, size: int, rest: int) -> int:
    """One bit less of every key; counts of cells that meet are added."""
    k = table.shape[1]
    slots[:] = -1
    moved[:size] = keys[:size]
    kept = 0
    for i in range(size):
        key = moved[i] >> 1
        place = _slot(key, keys, slots, rest)
        at = slots[np.uint64(place)]
        if at < 0:
            slots[np.uint64(place)] = kept
            keys[kept] = key
            for c in range(k):
                v = table[i, c]
                table[i, c] = 0.0
                table[kept, c] = v
            kept += 1
        else:
            for c in range(k):
                table[at, c] += table[i, c]
                table[i, c] = 0.0
    return kept


def add_steps(x: Array, cuts: Floats, table: Floats, out: Floats) -> None:
    """Add table[s] with s the number of cuts that are not above x; nothing where x is NaN."""
    width = 1 << max(0, len(cuts).bit_length())
    padded = np.full(width, np.inf)  # a power of two, less one: halving always ends in the same number of steps
    padded[: len(cuts)] = cuts
    _add_steps(doubles(x), doubles(padded), len(cuts), doubles(table), out)


@kernel
def _add_steps(x: Floats, cuts: Floats, last: int, table: Floats, out: Floats) -> None:
    """Binary search without a branch that depends on the data."""
    k = table.shape[1]
    for i in range(len(x)):
        v = number(x, i)
        if v != v:
            continue
        low, half = 0, len(cuts) >> 1
        while half > 0:
            low += half if number(cuts, low + half - 1) <= v else 0
            half >>= 1
        low = min(low, last)
        for c in range(k):
            at = i * k + c
            put_number(out, at, number(out, at) + number(table, low * k + c))
