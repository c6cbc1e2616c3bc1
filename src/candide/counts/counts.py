"""How often each level of each column occurs with each class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

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
    heaviest_each,
    refuse,
    taken,
)
from candide.counts.requests import CountLevels
from candide.labels import Labels


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """`tables[j][l, c]` = weight of the rows of class c whose column j has level l.

    A level is here because it was seen: taking its last row away takes the level away too. `most[j][l, c]` is the most
    a count ever was, once fractions have been taken away: that is what its roundings are a share of.
    """

    request: CountLevels
    classes: Labels
    levels: tuple[Labels, ...]
    tables: Tables
    most: Tables | None = None

    def __post_init__(self) -> None:
        freeze(self, tables=tuple(map(frozen, self.tables)))

    @classmethod
    def zero(cls, request: CountLevels, classes: Labels) -> Self:
        none = Labels.of([])
        width = len(request.columns)
        return cls(request, classes, (none,) * width, (np.zeros((0, len(classes))),) * width)

    @classmethod
    def seen(
        cls,
        request: CountLevels,
        classes: Labels,
        levels: tuple[Labels, ...],
        tables: Tables,
        most: Tables | None = None,
    ) -> Self:
        """As counted, less the levels that no row had."""
        kept = [np.asarray(table.any(axis=1)) for table in tables]
        return cls(
            request,
            classes,
            tuple(names if keep.all() else names.pick(keep) for names, keep in zip(levels, kept, strict=True)),
            _rows(tables, kept),
            None if most is None else _rows(most, kept),
        )

    def over(self, classes: Labels) -> Self:
        places = self.classes.places_in(classes)
        return self._each(classes, lambda table: columns_at(table, places, len(classes)))

    def only(self, classes: Labels) -> Self:
        places = classes.places_in(self.classes)
        return self._each(classes, lambda table: table[:, places])

    def spanning(self, request: CountLevels) -> Self:
        """Over other columns: what was seen of them."""
        sources = columns_of(self, request)
        levels, tables = (tuple(getattr(side, part)[j] for side, j in sources) for part in ("levels", "tables"))
        most = None if self.most is None else tuple((side.most or side.tables)[j] for side, j in sources)
        return type(self)(request, self.classes, levels, tables, most)

    def __add__(self, other: Self) -> Self:
        one, two = _united(self, other)
        tables = tuple(a + b for a, b in zip(one.tables, two.tables, strict=True))
        most = one.most or two.most
        if one.most and two.most:
            most = tuple(a + b for a, b in zip(one.most, two.most, strict=True))
        return type(self)(one.request, one.classes, one.levels, tables, most)

    def __sub__(self, other: Self) -> Self:
        one, two = _united(self, other)
        left: list[Floats] = []
        most = heaviest_each(one.tables, two.tables, one.most)
        for j, (held, asked) in enumerate(zip(one.tables, two.tables, strict=True)):
            rest, short = taken(held, asked, None if most is None else most[j])
            if short.any():
                level, c = np.argwhere(short)[0]
                what = f"count of level {one.levels[j][level]!r}"
                raise refuse(what, one.classes[c], one.request.columns[j], held[level, c], asked[level, c])
            left.append(rest)
        return type(self).seen(one.request, one.classes, one.levels, tuple(left), most)

    def __mul__(self, factor: float) -> Self:
        factor = checked_factor(factor)
        return self._each(self.classes, lambda table: table * factor)

    def _each(self, classes: Labels, change: Callable[[Floats], Floats]) -> Self:
        tables, most = tuple(map(change, self.tables)), None if self.most is None else tuple(map(change, self.most))
        return type(self)(self.request, classes, self.levels, tables, most)

    def to_arrays(self) -> Arrays:
        named: Arrays = {f"levels.{j}": names.values for j, names in enumerate(self.levels)}
        named |= {f"table.{j}": table for j, table in enumerate(self.tables)}
        return named | {f"most.{j}": most for j, most in enumerate(self.most or ())}

    @classmethod
    def from_arrays(cls, request: CountLevels, classes: Labels, arrays: Arrays) -> Self:
        places = range(len(request.columns))
        levels = tuple(Labels(arrays[f"levels.{j}"]) for j in places)
        most = tuple(arrays[f"most.{j}"] for j in places) if "most.0" in arrays else None
        return cls(request, classes, levels, tuple(arrays[f"table.{j}"] for j in places), most)


def _united(one: Counts, other: Counts) -> tuple[Counts, Counts]:
    """Both over the union of classes and, column by column, of levels."""
    one, other = aligned(one, other)
    levels = tuple(a | b for a, b in zip(one.levels, other.levels, strict=True))
    return _over_levels(one, levels), _over_levels(other, levels)


def _over_levels(counts: Counts, levels: tuple[Labels, ...]) -> Counts:
    def laid(tables: Tables) -> Tables:
        return tuple(
            table if ours == wider else columns_at(table.T, ours.places_in(wider), len(wider)).T
            for table, ours, wider in zip(tables, counts.levels, levels, strict=True)
        )

    most = None if counts.most is None else laid(counts.most)
    return type(counts)(counts.request, counts.classes, levels, laid(counts.tables), most)


def _rows(tables: Tables, kept: list[NDArray[np.bool_]]) -> Tables:
    return tuple(table if keep.all() else table[keep] for table, keep in zip(tables, kept, strict=True))
