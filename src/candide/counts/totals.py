"""Sums of non-negative columns in each class: words in documents, clicks in sessions, yes among answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from candide.counts.base import (
    Arrays,
    Floats,
    aligned,
    checked_factor,
    freeze,
    frozen,
    heaviest,
    heaviest_of_both,
    refuse,
    spread,
    taken,
)
from candide.counts.requests import SumTotals
from candide.labels import Labels


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """`sums[c, j]` = Σ w·x over the rows of class c.

    `most[c, j]` is the most it ever was, once fractions have been taken away: what its roundings are a share of.
    """

    request: SumTotals
    classes: Labels
    sums: Floats
    most: Floats | None = None

    def __post_init__(self) -> None:
        freeze(self, sums=frozen(self.sums))

    @classmethod
    def zero(cls, request: SumTotals, classes: Labels) -> Self:
        return cls(request, classes, np.zeros((len(classes), len(request.columns))))

    def over(self, classes: Labels) -> Self:
        most = None if self.most is None else spread(self.most, self.classes, classes)
        return type(self)(self.request, classes, spread(self.sums, self.classes, classes), most)

    def only(self, classes: Labels) -> Self:
        rows = classes.places_in(self.classes)
        return type(self)(self.request, classes, self.sums[rows], None if self.most is None else self.most[rows])

    def __add__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        return type(self)(one.request, one.classes, one.sums + two.sums, heaviest_of_both(one.most, two.most))

    def __sub__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        left, short = taken(one.sums, two.sums, one.most)
        if short.any():
            c, j = np.argwhere(short)[0]
            raise refuse("total", one.classes[c], one.request.columns[j], one.sums[c, j], two.sums[c, j])
        return type(self)(one.request, one.classes, left, heaviest(one.sums, two.sums, one.most))

    def __mul__(self, factor: float) -> Self:
        factor = checked_factor(factor)
        most = None if self.most is None else self.most * factor
        return type(self)(self.request, self.classes, self.sums * factor, most)

    def to_arrays(self) -> Arrays:
        return {"sums": self.sums} | ({} if self.most is None else {"most": self.most})

    @classmethod
    def from_arrays(cls, request: SumTotals, classes: Labels, arrays: Arrays) -> Self:
        return cls(request, classes, arrays["sums"], arrays.get("most"))
