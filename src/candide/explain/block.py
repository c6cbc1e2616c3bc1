"""One event model's columns, and a row's cells as its term takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import ClassWeights, Columns
from candide.errors import BadValue, NotFinite, UnknownColumn
from candide.explain.exact import exact
from candide.labels import Labels, is_missing
from candide.scorecard import Lookup, Term

LARGEST = 1e300  # of a logarithm, so that a sum over columns is still a number
MISSING, UNSEEN, EMPTY = -2, -1, -3  # the places of a `Lookup`

Row = Mapping[Any, Any]


@dataclass(frozen=True)
class Block:
    """The columns of one event model, and what was counted of them."""

    columns: Columns
    event: Any
    statistic: Any
    seen: ClassWeights

    @property
    def k(self) -> int:
        return len(self.seen.weights)

    @cached_property
    def term(self) -> Term:
        return self.event.term(self.statistic, self.seen)  # type: ignore[no-any-return]

    @cached_property
    def believed(self) -> Any:
        """The event model with its prior in fractions."""
        return replace(self.event, prior=exact(self.event.prior))


def cell(row: Row, column: Any) -> Any:
    """The row's cell, which must be there, if only as None."""
    if column not in row:
        raise UnknownColumn.named(column, "the row", row)
    return row[column]


def parts_of(block: Block, row: Row) -> NDArray[np.float64]:
    """What each column says for each class, in nats."""
    term = block.term
    if isinstance(term, Lookup):
        sizes = term.sizes or (None,) * len(term.columns)
        triples = zip(term.columns, term.levels, sizes, strict=True)
        codes = [place_of(levels, _value(row, column), size) for column, levels, size in triples]
        return np.asarray(term.parts(np.array([codes], dtype=np.int64).reshape(1, -1))[0])
    numbers = [number_of(column, cell(row, column)) for column in term.columns]
    with np.errstate(over="ignore", invalid="ignore"):
        parts = term.parts(np.array([numbers], dtype=np.longdouble).reshape(1, -1))[0]
    for j, column in enumerate(term.columns):
        if not np.isfinite(parts[j]).all():
            raise not_known(column, numbers[j])
        if np.abs(parts[j]).max(initial=0) > LARGEST:  # so far away that only the difference between classes is told
            parts[j] = np.maximum(parts[j] - parts[j].max(), -LARGEST)
    return np.asarray(parts, dtype=float)


def _value(row: Row, column: Any) -> Any:
    """A cell; of a compound column the cells together, missing if one of them is."""
    if not isinstance(column, tuple) or column in row:
        return cell(row, column)
    values = tuple(cell(row, name) for name in column)
    return None if any(map(is_missing, values)) else values


def place_of(levels: Labels, value: Any, size: int | None) -> int:
    """The place of a value among the levels, or which kind of stranger it is."""
    if is_missing(value):
        return MISSING
    column = np.empty(1, dtype=object)
    column[0] = value
    place = int(levels.codes(column)[0])
    if place < 0 and size is not None and isinstance(value, (int, float, np.number)):
        return EMPTY if 0 <= value < size and float(value).is_integer() else UNSEEN
    return place


def number_of(column: Any, value: Any) -> float:
    try:
        return float("nan") if is_missing(value) else float(value)
    except (TypeError, ValueError):
        raise BadValue(f"{value!r} in column {column!r} is not a number; its event model needs one.") from None


def finite(column: Any, number: float) -> float:
    if not np.isfinite(number):
        raise not_known(column, number)
    return number


def known(column: Any, number: float) -> float:
    """An infinity is greater than every threshold; a gap is neither greater nor not."""
    if np.isnan(number):
        raise not_known(column, number)
    return number


def not_known(column: Any, number: float) -> NotFinite:
    return NotFinite(
        f"column {column!r} of the row is {number}: its event model cannot leave a cell out. Fill it, or use an event "
        "model that allows gaps (Gaussian, Categorical)."
    )
