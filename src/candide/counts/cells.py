"""How often each class occurs in each small cell of a numeric column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from candide.counts.base import (
    Arrays,
    Floats,
    Tables,
    aligned,
    checked_factor,
    columns_at,
    columns_of,
    freeze,
    frozen,
    heaviest,
    refuse,
    taken,
)
from candide.counts.requests import CountCells
from candide.labels import Labels

Keys = NDArray[np.int64]
CellColumn = tuple[int, Keys, Floats]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Cells:
    """`tables[j][i, c]` = weight of the rows of class c whose column j lies in cell `keys[j][i]`.

    A cell holds the floats that agree in all but their last `shifts[j]` bits: one value at 0, half as many cells with
    every bit more. The shift is the smallest that leaves no more than `request.most` cells, whatever the order in which
    rows came; so two tallies of different rows share their cuts, and add up to the tally of all. `most[j][i, c]` is the
    most a weight ever was, once fractions have been taken away: that is what its roundings are a share of.
    """

    request: CountCells
    classes: Labels
    shifts: tuple[int, ...]
    keys: tuple[Keys, ...]
    tables: Tables
    most: Tables | None = None

    def __post_init__(self) -> None:
        freeze(self, keys=tuple(map(frozen, self.keys)), tables=tuple(map(frozen, self.tables)))

    @classmethod
    def zero(cls, request: CountCells, classes: Labels) -> Self:
        width = len(request.columns)
        none = np.zeros(0, dtype=np.int64)
        return cls(request, classes, (0,) * width, (none,) * width, (np.zeros((0, len(classes))),) * width)

    def over(self, classes: Labels) -> Self:
        places = self.classes.places_in(classes)
        return self._each(classes, lambda table: columns_at(table, places, len(classes)))

    def only(self, classes: Labels) -> Self:
        places = classes.places_in(self.classes)
        return self._each(classes, lambda table: table[:, places])

    def spanning(self, request: CountCells) -> Self:
        """Over other columns: what was seen of them."""
        sources = columns_of(self, request)
        return type(self)(
            request,
            self.classes,
            tuple(side.shifts[j] for side, j in sources),
            tuple(side.keys[j] for side, j in sources),
            tuple(side.tables[j] for side, j in sources),
            None if self.most is None else tuple((side.most or side.tables)[j] for side, j in sources),
        )

    def __add__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        rough = one.most is not None or two.most is not None
        sums = []
        for mine, theirs in zip(one._wide(rough), two._wide(rough), strict=True):
            shift, union, held, more = _aligned(mine, theirs)
            sums.append(fitted((shift, union, held + more), one.request.most))
        return type(self)._narrow(one.request, one.classes, sums, rough)

    def __sub__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        pairs = zip(one._wide(True), two._wide(True), strict=True)
        rests = [_rest(one, j, mine, theirs) for j, (mine, theirs) in enumerate(pairs)]
        rough = any(table[:, len(one.classes) :].any() for _, _, table in rests)
        return type(self)._narrow(one.request, one.classes, rests, rough)

    def __mul__(self, factor: float) -> Self:
        factor = checked_factor(factor)
        if factor == 0:
            return type(self).zero(self.request, self.classes)
        return self._each(self.classes, lambda table: table * factor)

    def values(self, j: int) -> Floats | None:
        """The distinct values of a column, if its cells are single values."""
        return floats(self.keys[j]) if self.shifts[j] == 0 else None

    def edges(self, j: int) -> tuple[Floats, Floats]:
        """The least float of each cell of a column, and the least float above it."""
        shift = self.shifts[j]
        return floats(self.keys[j] << shift), floats((self.keys[j] + 1) << shift)

    def columns(self) -> list[CellColumn]:
        """Shift, keys and table of each column."""
        return list(zip(self.shifts, self.keys, self.tables, strict=True))

    def _each(self, classes: Labels, change: Callable[[Floats], Floats]) -> Self:
        tables, most = tuple(map(change, self.tables)), None if self.most is None else tuple(map(change, self.most))
        return type(self)(self.request, classes, self.shifts, self.keys, tables, most)

    def _wide(self, rough: bool) -> list[CellColumn]:
        """Columns whose tables have `most` beside the weights, if it matters: both go through the same sums."""
        if not rough:
            return self.columns()
        most = self.most or tuple(np.zeros_like(table) for table in self.tables)
        tables = [np.hstack(pair) for pair in zip(self.tables, most, strict=True)]
        return list(zip(self.shifts, self.keys, tables, strict=True))

    @classmethod
    def _narrow(cls, request: CountCells, classes: Labels, columns: list[CellColumn], rough: bool) -> Self:
        """From columns as `_wide` gives them."""
        k = len(classes)
        cells = cls.of(request, classes, [(shift, keys, table[:, :k]) for shift, keys, table in columns])
        return replace(cells, most=tuple(table[:, k:] for _, _, table in columns)) if rough else cells

    @classmethod
    def of(cls, request: CountCells, classes: Labels, columns: list[CellColumn]) -> Self:
        """From shift, keys and table of each column."""
        shifts, keys, tables = zip(*columns, strict=True) if columns else ((), (), ())
        return cls(request, classes, tuple(shifts), tuple(keys), tuple(tables))

    def to_arrays(self) -> Arrays:
        named: Arrays = {"shifts": np.array(self.shifts, dtype=np.int64)}
        for j, (_, keys, table) in enumerate(self.columns()):
            named |= {f"keys.{j}": keys, f"table.{j}": table}
        return named | {f"most.{j}": most for j, most in enumerate(self.most or ())}

    @classmethod
    def from_arrays(cls, request: CountCells, classes: Labels, arrays: Arrays) -> Self:
        places = range(len(request.columns))
        shifts = tuple(int(shift) for shift in arrays["shifts"])
        keys, tables = (tuple(arrays[f"{name}.{j}"] for j in places) for name in ("keys", "table"))
        most = tuple(arrays[f"most.{j}"] for j in places) if "most.0" in arrays else None
        return cls(request, classes, shifts, keys, tables, most)


def keys(values: NDArray[Any]) -> Keys:
    """Whole numbers in the order of the floats: their bits, those of negative numbers turned round. −0 is 0.

    >>> keys(np.array([-1.0, -0.0, 0.0, 1.0])).argsort(kind="stable").tolist()
    [0, 1, 2, 3]
    """
    bits = (np.asarray(values, dtype=np.float64) + 0.0).view(np.int64)
    return bits ^ ((bits >> 63) & np.int64(0x7FFFFFFFFFFFFFFF))


def floats(keys: Keys) -> Floats:
    """The float of each key."""
    return (keys ^ ((keys >> 63) & np.int64(0x7FFFFFFFFFFFFFFF))).view(np.float64)


def fitted(column: CellColumn, most: int) -> CellColumn:
    """Made coarser, bit by bit, until there are no more than `most` cells."""
    while len(column[1]) > most:
        column = coarser(column, column[0] + 1)
    return column


def coarser(column: CellColumn, shift: int) -> CellColumn:
    """The same counts in the cells of a larger shift."""
    was, keys, table = column
    if shift == was or not len(keys):
        return shift, keys, table
    wide = keys >> (shift - was)
    first = np.flatnonzero(np.concatenate([[True], wide[1:] != wide[:-1]]))
    return shift, wide[first], np.add.reduceat(table, first, axis=0)


def _aligned(one: CellColumn, other: CellColumn) -> tuple[int, Keys, Floats, Floats]:
    """Both columns over the union of their cells."""
    shift = max(one[0], other[0])
    (_, mine, held), (_, theirs, asked) = (coarser(side, shift) for side in (one, other))
    if np.array_equal(mine, theirs):
        return shift, mine, held, asked
    union = np.union1d(mine, theirs)
    tables = []
    for keys, table in ((mine, held), (theirs, asked)):
        wide = np.zeros((len(union), table.shape[1]))
        wide[np.searchsorted(union, keys)] = table
        tables.append(wide)
    return shift, union, tables[0], tables[1]


def _rest(cells: Cells, j: int, one: CellColumn, other: CellColumn) -> CellColumn:
    shift, union, *both = _aligned(one, other)
    k = len(cells.classes)
    held, asked, before = both[0][:, :k], both[1][:, :k], both[0][:, k:]
    most = heaviest(held, asked, before)
    left, short = taken(held, asked, before)
    if short.any():
        i, c = np.argwhere(short)[0]
        low = floats(union[i : i + 1] << shift)[0]
        what = f"count of value {low:g}" if shift == 0 else f"count of values from {low:g} on"
        raise refuse(what, cells.classes[c], cells.request.columns[j], held[i, c], asked[i, c])
    some = left.any(axis=1)
    return shift, union[some], np.hstack([left, np.zeros_like(left) if most is None else most])[some]
