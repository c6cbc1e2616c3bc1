"""A column of texts as bytes and offsets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["Texts", "texts"]

Texts = tuple[NDArray[np.uint8], NDArray[np.int64]]


def texts(column: Any) -> Texts:
    """The UTF-8 bytes of an Arrow column and where each text begins in them; a missing text is empty.

    Text i is data[offsets[i] : offsets[i + 1]]. Nothing is copied but narrow offsets, where the column is one chunk.

    >>> texts(pa.array(["né", None, "."]))[1]
    array([0, 3, 3, 4])
    """
    column = column.cast(pa.large_string())
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if column.null_count and _is_longer_than_its_texts(column):
        column = column.fill_null("")
    _, starts, letters = column.buffers()
    if not len(column) or letters is None:
        return np.empty(0, np.uint8), np.zeros(len(column) + 1, np.int64)
    offsets = np.frombuffer(starts, np.int64, len(column) + 1, 8 * column.offset)
    return np.frombuffer(letters, np.uint8), offsets


def _is_longer_than_its_texts(column: Any) -> bool:
    """Whether bytes lie where a text is missing, as Arrow allows."""
    offsets = np.frombuffer(column.buffers()[1], np.int64, len(column) + 1, 8 * column.offset)
    missing = np.asarray(column.is_null().to_numpy(zero_copy_only=False))
    return bool(np.any(np.diff(offsets)[missing]))
