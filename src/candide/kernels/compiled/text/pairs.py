"""Two neighbouring words as one number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.kernels.compiled.base import Ints, kernel, sealed
from candide.kernels.compiled.lanes import integer, prefetch
from candide.kernels.compiled.text.table import SEED, WORDS, place_of

__all__ = ["pair_ids"]

AHEAD = 16  # pairs between asking for a slot and looking at it
_ZERO, _ONE, _HALF = np.uint64(0), np.uint64(1), np.uint64(32)


def pair_ids(
    ids: NDArray[np.int32],
    ends: Ints,
    at: int,
    slots: NDArray[np.uint64],
    pairs: NDArray[np.int32],
    size: Ints,
    grow: bool,
    out: NDArray[np.int32],
    out_ends: Ints,
) -> tuple[int, bool]:
    """The pairs of neighbours in documents at.. as numbers; the first document not done, and whether all had room.

    Document d has out[out_ends[d] : out_ends[d + 1]], −1 for a pair that is not in the table, which may not grow. Pairs
    with an unknown word are left out where the table grows, and −1 elsewhere. `pairs[i]` are the words of pair i,
    `size` is the number of pairs, a 0 and the seed, `slots` a power of two, more than the pairs; `out` is as long as
    `ids`.
    """
    stopped = int(_pair_ids(sealed(ids), sealed(ends), at, slots, pairs, size, grow, out, out_ends))
    return stopped, stopped == len(ends) - 1


@kernel
def _key(ids: Any, q: int) -> Any:
    """Both words in one number."""
    return (np.uint64(integer(ids, q)) << _HALF) | np.uint64(integer(ids, q + 1))


@kernel
def _pair_ids(
    ids: Any, ends: Ints, at: int, slots: Any, pairs: Any, size: Ints, grow: bool, out: Any, out_ends: Ints
) -> int:
    seed, last, every = np.uint64(size[SEED]), np.uint64(len(slots) - 1), len(ids) - 2
    if at == 0:
        out_ends[0] = 0
    for d in range(at, len(ends) - 1):
        used = out_ends[d]
        for q in range(integer(ends, d), integer(ends, d + 1) - 1):
            prefetch(slots, np.int64(place_of(_key(ids, min(q + AHEAD, every)), seed, last) << _ONE))
            if integer(ids, q) < 0 or integer(ids, q + 1) < 0:
                if not grow:
                    out[np.uint64(used)] = -1
                    used += 1
                continue
            key = _key(ids, q)
            place = place_of(key, seed, last)
            while slots[place, 1] != _ZERO and slots[place, 0] != key:
                place = (place + _ONE) & last
            found = np.int64(slots[place, 1]) - 1
            if found < 0 and grow:
                found = np.int64(size[WORDS])
                if found >= len(pairs):
                    return d
                slots[place, 0], slots[place, 1] = key, np.uint64(found + 1)
                pairs[found, 0], pairs[found, 1] = integer(ids, q), integer(ids, q + 1)
                size[WORDS] = found + 1
            out[np.uint64(used)] = found
            used += 1
        out_ends[d + 1] = used
    return len(ends) - 1
