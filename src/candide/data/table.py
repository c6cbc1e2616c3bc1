"""A table of named columns: strings, numbers and gaps as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from candide.data.check import checked_weights, refuse_twins
from candide.data.columns import Encoded, as_strings, encoded
from candide.errors import BadLabels, BadValue, UnknownColumn
from candide.labels import Labels, is_missing


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns by name, the label apart.

    >>> Table.of("sky wind play", [("sunny", "weak", "yes"), ("rain", "strong", "no")], target="play").classes
    Labels(no, yes)
    """

    cells: dict[Any, NDArray[Any]]
    classes: Labels
    y: NDArray[Any]
    weights: NDArray[Any] | None = None

    @classmethod
    def of(
        cls,
        names: str | Sequence[Any],
        rows: Iterable[Sequence[Any]],
        target: Any = None,
        weights: ArrayLike | None = None,
    ) -> Self:
        """A table from rows; `names` may be one string with blanks between the names."""
        columns = names.split() if isinstance(names, str) else list(names)
        refuse_twins(columns, "the table")
        listed = [list(row) for row in rows]
        for place, row in enumerate(listed):
            if len(row) != len(columns):
                raise BadLabels(f"row {place} has {len(row)} cells, the table has {len(columns)} columns: {row!r}.")
        cells = {name: _cells([row[j] for row in listed]) for j, name in enumerate(columns)}
        repetitions = None if weights is None else checked_weights(weights, len(listed))
        if target is None:
            return cls(cells, Labels.of([]), np.zeros(0, dtype=np.uint8), repetitions)
        if target not in cells:
            raise UnknownColumn.named(target, "the table", columns)
        classes, y = Labels.encode(cells.pop(target))
        return cls(cells, classes, y, repetitions)

    @property
    def columns(self) -> tuple[Any, ...]:
        return tuple(self.cells)

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.cells.values()))) if self.cells else len(self.y)

    def numbers(self, columns: Sequence[Any]) -> NDArray[np.float64]:
        out = np.empty((self.n_rows, len(columns)))
        for j, name in enumerate(columns):
            out[:, j] = [np.nan if is_missing(cell) else _number(cell, name) for cell in self.values(name).tolist()]
        return out

    def values(self, column: Any) -> NDArray[Any]:
        if isinstance(column, tuple) and column not in self.cells:
            rows = zip(*(self.values(part).tolist() for part in column), strict=True)
            return _cells([None if any(map(is_missing, row)) else row for row in rows])
        if column not in self.cells:
            raise UnknownColumn.named(column, "the table", self.cells)
        return self.cells[column]

    def encoded(self, column: Any) -> Encoded:
        return encoded(self.values(column))

    def texts(self, column: Any) -> Any:
        return as_strings(column, self.values(column))

    def take(self, rows: NDArray[Any]) -> Self:
        y = self.y[rows] if len(self.y) else self.y
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, cells={name: cells[rows] for name, cells in self.cells.items()}, y=y, weights=weights)


def _number(cell: Any, name: Any) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        raise BadValue(f"column {name!r} holds {cell!r}, which is no number; count its levels (Categorical).") from None


def _cells(values: list[Any]) -> NDArray[Any]:
    cells = np.empty(len(values), dtype=object)
    cells[:] = values
    return cells
