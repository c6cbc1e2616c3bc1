"""Strings that a reader hands on as a dictionary of the words of a column, and the place of each cell's word.

A user's own dictionary, such as a categorical of pandas, says that a column holds labels. A reader's says nothing: it
bears a mark, so that the column is still looked at as the strings it holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

MARK = {b"candide": b"strings"}


def marked(name: str) -> pa.Field:
    """A column of strings that comes as a dictionary."""
    import pyarrow as pa

    return pa.field(name, pa.dictionary(pa.int32(), pa.string()), metadata=MARK)


def is_marked(field: pa.Field) -> bool:
    """Whether a column is a reader's dictionary."""
    import pyarrow as pa

    return pa.types.is_dictionary(field.type) and (field.metadata or {}).items() >= MARK.items()


def words(column: Any) -> tuple[Any, NDArray[np.int64]]:
    """The distinct cells of a column as an Arrow array, and the place of each cell among them, −1 where it is missing.

    A dictionary may hold words that no cell has: they are left out, so that it says no more than its cells do.
    """
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
        column = column.combine_chunks()
    own = pa.types.is_dictionary(column.type)
    column = column if own else column.dictionary_encode()
    held = column.indices
    places = np.asarray((held.cast(pa.int64()).fill_null(-1) if held.null_count else held).to_numpy(), dtype=np.int64)
    if not own:
        return column.dictionary, places
    used = np.zeros(len(column.dictionary) + 1, dtype=bool)
    used[places] = True
    used = used[:-1]
    if used.all():
        return column.dictionary, places
    ranks = np.append(np.cumsum(used) - 1, -1)
    return column.dictionary.filter(pa.array(used)), ranks.take(places)
