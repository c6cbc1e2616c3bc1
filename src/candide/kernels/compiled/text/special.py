"""Documents that cannot be lowered character by character."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.kernels.compiled.base import Array, Ints, kernel, sealed
from candide.kernels.compiled.text.masks import BYTES, contextual, lowest

__all__ = ["special"]


def special(data: Array, offsets: Ints, found: NDArray[np.bool_]) -> bool:
    """Mark the documents that hold U+03A3, lowered by what stands around it, or U+0130, lowered into two characters."""
    edge = np.zeros(2 * BYTES, np.uint8)
    return bool(_special(sealed(data), sealed(offsets), found, edge, sealed(edge)))


@kernel
def _special(data: Array, offsets: Ints, found: Any, edge: Any, edge_read: Any) -> bool:
    """All bytes at once; after a find, from the next document on. The two bytes of a character are in one document."""
    at, d, n = offsets[0], 0, len(found)
    some = False
    while at < offsets[n]:
        if at + BYTES < len(data):
            hits = contextual(data, at)
        else:
            for q in range(BYTES + 1):
                edge[q] = data[at + q] if at + q < len(data) else 0
            hits = contextual(edge_read, 0)
        if hits == np.uint64(0):
            at += BYTES
            continue
        at += lowest(hits)
        if at >= offsets[n]:
            break
        while offsets[d + 1] <= at:
            d += 1
        found[d] = some = True
        at = offsets[d + 1]
    return some
