"""Sums of non-negative columns in each class: words in documents, clicks in sessions, yes among answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from candide.counts.base import Arrays, Floats, aligned, checked_factor, freeze, frozen, refuse, spread, taken
from candide.counts.requests import SumTotals
from candide.labels import Labels


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """`sums[c, j]` = Σ w·x over the rows of class c."""

    request: SumTotals
    classes: Labels
    sums: Floats

    def __post_init__(self) -> None:
        freeze(self, sums=frozen(self.sums))

    @classmethod
    def zero(cls, request: SumTotals, classes: Labels) -> Self:
        return cls(request, classes, np.zeros((len(classes), len(request.columns))))

    def over(self, classes: Labels) -> Self:
        return type(self)(self.request, classes, spread(self.sums, self.classes, classes))

    def only(self, classes: Labels) -> Self:
        return type(self)(self.request, classes, self.sums[classes.places_in(self.classes)])

    def __add__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        return type(self)(one.request, one.classes, one.sums + two.sums)

    def __sub__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        left, short = taken(one.sums, two.sums)
        if short.any():
            c, j = np.argwhere(short)[0]
            raise refuse("total", one.classes[c], one.request.columns[j], one.sums[c, j], two.sums[c, j])
        return type(self)(one.request, one.classes, left)

    def __mul__(self, factor: float) -> Self:
        return type(self)(self.request, self.classes, self.sums * checked_factor(factor))

    def to_arrays(self) -> Arrays:
        return {"sums": self.sums}

    @classmethod
    def from_arrays(cls, request: SumTotals, classes: Labels, arrays: Arrays) -> Self:
        return cls(request, classes, arrays["sums"])
