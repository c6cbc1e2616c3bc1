"""What users of `NaiveBayes` may give, brought into one form."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from candide.data.arrow import is_text
from candide.errors import UnknownColumn


def parted(table: Any, y: str) -> tuple[Any, Any]:
    """A table without its column of labels, and the labels; rows without a label are left out."""
    if y not in table.column_names:
        raise UnknownColumn.named(y, "the table", table.column_names)
    labels = table[y]
    if labels.null_count:
        known = labels.is_valid()
        warnings.warn(f"{labels.null_count:,} rows without a label ({y!r}) are left out.", stacklevel=4)
        table, labels = table.filter(known), labels.filter(known)
    return table.drop_columns([y]), labels if is_text(labels.type) else np.array(labels.to_pylist())


def words_of(y: Any) -> Any:
    """Labels that are all strings as an Arrow array; None for any others."""
    kind = getattr(y, "dtype", None)
    if not isinstance(y, (list, pa.ChunkedArray)) and kind is not None and str(kind) not in ("object", "str", "string"):
        return None
    try:
        found = y if isinstance(y, pa.ChunkedArray) else pa.array(y, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return None
    if not is_text(found.type) or found.null_count or not len(found):
        return None
    return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found


def as_row(X: Any) -> Any:
    """A mapping of columns to single cells is a table of one row."""
    if isinstance(X, Mapping) and X and all(isinstance(v, str) or not hasattr(v, "__len__") for v in X.values()):
        return [X]
    return X


def is_plain(X: Any) -> bool:
    """A list of rows that hold nothing but numbers."""
    if not isinstance(X, (list, tuple)) or not X or isinstance(X[0], (Mapping, str)):
        return isinstance(X, (list, tuple)) and (not X or isinstance(X[0], str))
    rows = [row for row in X if isinstance(row, (list, tuple))]
    return len(rows) < len(X) or all(isinstance(cell, (int, float, np.number)) for row in rows for cell in row)
