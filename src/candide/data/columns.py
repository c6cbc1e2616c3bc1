"""Cells of one column as an engine counts them: places among labels, or floats."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.errors import BadValue
from candide.labels import Labels, is_missing

HALF = re.compile("[\ud800-\udfff]")
Encoded = tuple[Labels, NDArray[np.int64]]


def encoded(cells: NDArray[Any]) -> Encoded:
    """The labels of a column and the place of each cell among them, −1 where it is missing.

    >>> encoded(np.array(["b", None, "a"], dtype=object))
    (Labels(a, b), array([ 1, -1,  0]))
    """
    if cells.dtype == object:
        known = np.fromiter((not is_missing(cell) for cell in cells.tolist()), bool, len(cells))
    else:
        known = cells == cells
    if known.all():
        names, codes = Labels.encode(cells)
        return names, codes.astype(np.int64)
    names, some = Labels.encode(cells[known])
    codes = np.full(len(cells), -1, dtype=np.int64)
    codes[known] = some
    return names, codes


def as_strings(column: Any, cells: NDArray[Any]) -> Any:
    """The cells of a column of texts as an Arrow array."""
    import pyarrow as pa

    for place, cell in enumerate(cells.tolist()):
        if not (isinstance(cell, str) or is_missing(cell)):
            raise BadValue(f"column {column!r} holds {cell!r} in row {place}, which is no text.")
    known = [None if is_missing(cell) else well_formed(cell) for cell in cells.tolist()]
    return pa.array(known, pa.large_string())


def well_formed(text: str) -> str:
    r"""Half a surrogate pair, which UTF-8 has no bytes for, becomes U+FFFD.

    >>> well_formed("caf\udce9") == "caf\ufffd"
    True
    """
    return HALF.sub("\ufffd", text)
