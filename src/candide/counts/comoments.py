"""Mean and scatter matrix of a block of numeric columns in each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from candide.counts.base import Arrays, Floats, aligned, checked_factor, refuse, spread, taken
from candide.counts.double import Double, difference
from candide.counts.moments import ROUNDING, at_least_one, where_kept
from candide.counts.requests import MeasureCoMoments
from candide.labels import Labels


@dataclass(frozen=True, slots=True, eq=False)
class CoMoments:
    """Sums about a pivot: `n` = Σw, `first` = Σw(x − pivot), `second` = Σw(x − pivot)(x − pivot)ᵀ, per class."""

    request: MeasureCoMoments
    classes: Labels
    pivot: Floats
    n: Floats
    first: Double
    second: Double

    @classmethod
    def zero(cls, request: MeasureCoMoments, classes: Labels) -> Self:
        k, d = len(classes), len(request.columns)
        flat = np.zeros((k, d))
        return cls(request, classes, flat, np.zeros(k), Double.of(flat), Double.of(np.zeros((k, d, d))))

    @property
    def mean(self) -> Floats:
        """Σwx / n; 0 where nothing was seen."""
        return np.asarray((Double.of(self.pivot) + self.first.over(at_least_one(self.n)[:, None])).value)

    @property
    def scatter(self) -> Floats:
        """Σw(x − mean)(x − mean)ᵀ, one symmetric matrix a class."""
        return np.asarray(_centred(self).value)

    def pooled(self) -> Floats:
        """The scatter within classes, added over them."""
        return np.asarray(self.scatter.sum(axis=0))

    def over(self, classes: Labels) -> Self:
        rows = self.classes.places_in(classes)
        k, d = len(classes), len(self.request.columns)
        pivot, n = (spread(values, self.classes, classes) for values in (self.pivot, self.n))
        return type(self)(self.request, classes, pivot, n, self.first.at(rows, (k, d)), self.second.at(rows, (k, d, d)))

    def only(self, classes: Labels) -> Self:
        rows = classes.places_in(self.classes)
        first, second = (Double(sums.high[rows], sums.low[rows]) for sums in (self.first, self.second))
        return type(self)(self.request, classes, self.pivot[rows], self.n[rows], first, second)

    def __add__(self, other: Self) -> Self:
        one, two = _about_one_pivot(*aligned(self, other))
        return type(self)(
            one.request, one.classes, one.pivot, one.n + two.n, one.first + two.first, one.second + two.second
        )

    def __sub__(self, other: Self) -> Self:
        one, two = _about_one_pivot(*aligned(self, other))
        left, short = taken(one.n, two.n)
        if short.any():
            c = int(np.flatnonzero(short)[0])
            raise refuse("number of rows", one.classes[c], None, one.n[c], two.n[c])
        rest = type(self)(one.request, one.classes, one.pivot, left, one.first - two.first, one.second - two.second)
        _refuse_strangers(one, two, rest)
        some = (left > 0)[:, None]
        first, second = where_kept(some, rest.first), where_kept(some[:, :, None], rest.second)
        return type(self)(one.request, one.classes, one.pivot, left, first, second)

    def __mul__(self, factor: float) -> Self:
        factor = checked_factor(factor)
        first, second = self.first.times(factor), self.second.times(factor)
        return type(self)(self.request, self.classes, self.pivot, self.n * factor, first, second)

    def about(self, pivot: Floats) -> Self:
        """The same sums about another pivot: S₂ + δS₁'ᵀ + S₁δᵀ with δ = pivot − q and S₁' = S₁ + nδ."""
        shift = difference(self.pivot, pivot)
        first = self.first + shift.times(self.n[:, None])
        second = self.second + _outer(shift, first) + _outer(self.first, shift)
        return type(self)(self.request, self.classes, pivot, self.n, first, second)

    def to_arrays(self) -> Arrays:
        return {
            "pivot": self.pivot,
            "n": self.n,
            "first": np.stack([self.first.high, self.first.low]),
            "second": np.stack([self.second.high, self.second.low]),
        }

    @classmethod
    def from_arrays(cls, request: MeasureCoMoments, classes: Labels, arrays: Arrays) -> Self:
        first, second = (Double(*arrays[name]) for name in ("first", "second"))
        return cls(request, classes, arrays["pivot"], arrays["n"], first, second)


def _about_one_pivot(one: CoMoments, two: CoMoments) -> tuple[CoMoments, CoMoments]:
    pivot = np.where(one.n[:, None] > 0, one.pivot, two.pivot)
    return tuple(side if np.array_equal(side.pivot, pivot) else side.about(pivot) for side in (one, two))  # type: ignore[return-value]


def _outer(one: Double, other: Double) -> Double:
    """one otherᵀ, class by class."""
    shape = (*one.high.shape, other.high.shape[1])
    down = Double(*(np.broadcast_to(part[:, :, None], shape) for part in (one.high, one.low)))
    across = Double(*(np.broadcast_to(part[:, None, :], shape) for part in (other.high, other.low)))
    return down * across


def _centred(sums: CoMoments) -> Double:
    mean = sums.first.over(at_least_one(sums.n)[:, None])
    return sums.second - _outer(sums.first, mean)


def _refuse_strangers(held: CoMoments, asked: CoMoments, rest: CoMoments) -> None:
    """The rows left cannot vary less than not at all, nor no rows have a sum: such rows were never added."""
    left, squares = (np.einsum("cjj->cj", sums.value) for sums in (_centred(rest), rest.second))
    scale = ROUNDING * np.einsum("cjj->cj", np.abs(held.second.value) + np.abs(asked.second.value))
    short = np.where((rest.n > 0)[:, None], left < -scale, np.abs(squares) > scale)
    if short.any():
        c, j = np.argwhere(short)[0]
        where = rest.request.columns[j]
        raise refuse("sum of squares", rest.classes[c], where, held.scatter[c, j, j], asked.scatter[c, j, j])
