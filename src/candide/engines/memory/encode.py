"""Codes for class labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.kernels import for_work
from candide.kernels.threads import run
from candide.labels import Labels

HEAD = 4096  # labels that suggest the range of all
FEW = 8  # different strings that are found sooner one by one than by sorting
WIDEST = 256  # so many whole numbers fit a byte
BLOCK = 1 << 16


def encode(values: NDArray[Any]) -> tuple[Labels, NDArray[Any]]:
    """The labels, and the place of each row's label among them, without sorting where there are few."""
    quick = None
    if len(values) and values.dtype.kind in "iub":
        quick = _narrow(values)
    elif len(values) > HEAD and values.dtype.kind in "US":
        quick = _few(values)
    return Labels.encode(values) if quick is None else quick


def _few(values: NDArray[Any]) -> tuple[Labels, NDArray[Any]] | None:
    """Strings that are all among a few: each of these is looked for in the whole column."""
    labels, _ = Labels.encode(values[:HEAD])
    if len(labels) > FEW:
        return None
    codes = np.full(len(values), FEW, dtype=np.uint8)
    for place, label in enumerate(labels):
        codes[values == label] = place
    return None if codes.max() == FEW else (labels, codes)


def _narrow(values: NDArray[Any]) -> tuple[Labels, NDArray[Any]] | None:
    low, high = int(values[:HEAD].min()), int(values[:HEAD].max())
    if high - low >= WIDEST or high >= 1 << 63:
        return None
    codes = np.empty(len(values), dtype=np.uint8)
    kernel = for_work(len(values))

    def block(lo: int, hi: int) -> tuple[bool, NDArray[np.uint8]]:
        occurs = np.zeros(high - low + 1, dtype=np.uint8)
        cuts = [slice(start, min(hi, start + BLOCK)) for start in range(lo, hi, BLOCK)]
        return all(kernel.narrow(values[at], low, codes[at], occurs) for at in cuts), occurs

    parts = run(block, len(values))
    if not all(inside for inside, _ in parts):
        return None
    found = np.flatnonzero(np.bitwise_or.reduce(np.stack([occurs for _, occurs in parts])))
    if len(found) <= high - low:
        places = np.zeros(high - low + 1, dtype=np.uint8)
        places[found] = np.arange(len(found))
        codes = places[codes]
    return Labels((found + low).astype(values.dtype)), codes
