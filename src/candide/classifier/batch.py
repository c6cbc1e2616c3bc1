"""Labelled rows on their way into a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from candide.data.arrow import is_text
from candide.data.dictionaries import words
from candide.engines import Memory
from candide.errors import UnknownColumn
from candide.labels import Labels
from candide.scorecard import Floats


def only(table: Any, names: Sequence[str]) -> Any:
    """Some columns of a table, all of which it must have."""
    for name in names:
        if name not in table.column_names:
            raise UnknownColumn.named(name, "the data", table.column_names)
    return table.select(list(names))


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """An Arrow table without its labels, the classes, the place of each row's class, and perhaps weights."""

    table: Any
    classes: Labels
    y: NDArray[Any]
    weights: Floats | None = None

    @classmethod
    def of(cls, table: Any, labels: Any, weights: Floats | None = None) -> Self:
        """Labels as an Arrow array, none of them missing: strings, whole numbers or truth values."""
        if not (is_text(labels.type) or pa.types.is_dictionary(labels.type)):
            return cls(table, *Memory().encode(np.asarray(labels.to_numpy(zero_copy_only=False))), weights)
        names, cells = words(labels)
        classes, places = Labels.encode(names.to_pylist())
        return cls(table, classes, places[cells], weights)

    @classmethod
    def parted(cls, table: Any, label: str) -> Self:
        """The rows of a record batch that has a column of labels."""
        return cls.of(table.drop_columns([label]), table.column(label))
