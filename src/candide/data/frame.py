"""An Arrow table seen through a schema: what the engine in memory needs of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from candide.data import arrow
from candide.data.columns import Encoded, encoded
from candide.data.schema import PARTS, Field, Schema
from candide.errors import BadValue
from candide.labels import Labels

NO_CLASSES = Labels.of([])


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Rows with the schema's columns; one that the table does not have is missing in every row."""

    table: Any
    schema: Schema
    classes: Labels = NO_CLASSES
    y: NDArray[Any] = field(default_factory=lambda: np.zeros(0, dtype=np.uint8))
    weights: NDArray[np.float64] | None = None
    ready: dict[tuple[str, str], Any] = field(default_factory=dict)  # columns that were asked for before, and how
    _numbers: dict[str, Field] = field(init=False)
    _labels: dict[str, Field] = field(init=False)
    _texts: frozenset[str] = field(init=False)
    _names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Which field gives each column: a table may have ten thousand."""
        object.__setattr__(self, "_numbers", {name: one for one in self.schema for name in one.numbers})
        object.__setattr__(self, "_labels", {name: one for one in self.schema for name in one.labels})
        object.__setattr__(self, "_texts", frozenset(self.schema.texts))
        object.__setattr__(self, "_names", frozenset(self.table.column_names))

    @property
    def n_rows(self) -> int:
        return int(self.table.num_rows)

    def numbers(self, columns: Sequence[Any]) -> NDArray[np.float64]:
        if len(columns) == 1:
            return self._number(columns[0])[:, None]
        out = np.empty((self.n_rows, len(columns)))
        for j, name in enumerate(columns):
            out[:, j] = self._number(name)
        return out

    def encoded(self, column: Any) -> Encoded:
        """The labels of a column and the place of each cell among them, −1 where it is missing."""
        key = "places", column
        if key not in self.ready:
            self.ready[key] = self._encoded(column)
        found: Encoded = self.ready[key]
        return found

    def texts(self, column: Any) -> Any:
        """The texts of a column as an Arrow array of strings."""
        absent = pa.nulls(self.n_rows, pa.large_string())
        return arrow.as_texts(column, self.table[column]) if column in self._names else absent

    def values(self, column: Any) -> NDArray[Any]:
        if column in self._texts:
            return np.array([*self.texts(column).to_pylist(), None], dtype=object)[:-1]
        if column in self._numbers:
            return self._number(column)
        names, codes = self.encoded(column)
        cells = np.empty(len(names) + 1, dtype=object)
        cells[:] = [*names, None]
        return cells[codes]

    def shown(self, column: Any) -> NDArray[Any]:
        """The values of a column for people: dates and times as they are written."""
        if column not in self._numbers or self._numbers[column].held not in PARTS:
            return self.values(column)
        one = self._numbers[column]
        cells = np.full(self.n_rows, None, dtype=object)
        if one.name in self._names:
            cells[:] = [None if cell is None else str(cell) for cell in self.table[one.name].to_pylist()]
        return cells

    def take(self, rows: NDArray[Any]) -> Self:
        y = self.y[rows] if len(self.y) else self.y
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, table=self.table.take(rows), y=y, weights=weights, ready={})

    def _number(self, name: str) -> NDArray[np.float64]:
        key = "floats", name
        if key not in self.ready:
            one = self._numbers[name]
            absent = one.name not in self._names
            cells = np.full(self.n_rows, np.nan) if absent else arrow.as_numbers(one.name, self._cells(one))
            self.ready[key] = _logarithms(one.name, cells) if one.held == "logs" else cells
        found: NDArray[np.float64] = self.ready[key]
        return found

    def _encoded(self, column: str) -> Encoded:
        if column in self._numbers:
            return encoded(self._number(column))
        one = self._labels[column]
        if one.name not in self._names:
            return NO_CLASSES, np.full(self.n_rows, -1)
        cells = self._cells(one)
        if column == f"{one.name} is missing":
            return self._gaps(one.name, cells)
        if one.held in PARTS:
            return arrow.part_of_time(cells, column.partition(" of ")[0])
        return arrow.as_truths(cells) if one.held == "truths" else arrow.as_labels(cells)

    def _cells(self, one: Field) -> Any:
        """The column of a field; dates and times that are written out are read."""
        cells = self.table[one.name]
        return arrow.as_instants(one.name, cells) if one.held in PARTS else cells

    def _gaps(self, name: str, cells: Any) -> Encoded:
        if self._labels[f"{name} is missing"].numbers:
            absent = np.isnan(self._number(self._labels[f"{name} is missing"].numbers[0]))
        else:
            absent = np.asarray(cells.is_null().to_numpy(), dtype=bool)
        return Labels.of(["given", "missing"]), absent.astype(np.int64)


def _logarithms(name: str, cells: NDArray[np.float64]) -> NDArray[np.float64]:
    least = cells.min(initial=np.inf, where=cells == cells)
    if least <= 0:
        raise BadValue(f"column {name!r} is log-normal and holds {least:g}; only positive numbers have a logarithm.")
    return np.asarray(np.log(cells))
