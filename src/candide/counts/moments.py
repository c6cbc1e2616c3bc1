"""Number, mean and spread of numeric columns in each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from candide.counts.base import Arrays, Floats, aligned, checked_factor, refuse, spread, taken
from candide.counts.double import Double, difference
from candide.counts.requests import MeasureMoments
from candide.labels import Labels

ROUNDING = 1e-9  # of the squares held: a difference below that is none


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Sums about a pivot: `n` = Σw, `first` = Σw(x − pivot), `second` = Σw(x − pivot)², each per class and column.

    The pivot is any value near the data; it is moved without rounding when two tallies meet (a mean would be
    rounded, and its rounding squared). Batches counted about the same pivot add and subtract to some 30 digits,
    so that a row of 10¹² can be forgotten without a trace.
    """

    request: MeasureMoments
    classes: Labels
    pivot: Floats
    n: Floats
    first: Double
    second: Double

    @classmethod
    def zero(cls, request: MeasureMoments, classes: Labels) -> Self:
        empty = np.zeros((len(classes), len(request.columns)))
        return cls(request, classes, empty, empty, Double.of(empty), Double.of(empty))

    @property
    def mean(self) -> Floats:
        """Σwx / n; 0 where nothing was seen."""
        return np.asarray((Double.of(self.pivot) + self.first.over(at_least_one(self.n))).value)

    @property
    def scatter(self) -> Floats:
        """Σw(x − mean)², never negative."""
        centred = self.second - self.first * self.first.over(at_least_one(self.n))
        return np.maximum(centred.value, 0.0)

    @property
    def variance(self) -> Floats:
        """The maximum-likelihood variance, Σw(x − mean)² / n; 0 where nothing was seen."""
        return np.asarray(self.scatter / at_least_one(self.n))

    def pooled(self) -> tuple[Floats, Floats, Floats]:
        """Number, mean and variance of each column over all classes together."""
        n = self.n.sum(axis=0)
        safe = at_least_one(n)
        origin = self.mean[np.argmax(self.n, axis=0), np.arange(self.n.shape[1])]
        away = self.mean - origin  # means relative to one of them: no cancellation at large offsets
        centre = (self.n * away).sum(axis=0) / safe
        scatter = (self.scatter + self.n * (away - centre) ** 2).sum(axis=0)
        return n, origin + centre, scatter / safe

    def over(self, classes: Labels) -> Self:
        rows = self.classes.places_in(classes)
        shape = (len(classes), len(self.request.columns))
        pivot, n = (spread(values, self.classes, classes) for values in (self.pivot, self.n))
        return type(self)(self.request, classes, pivot, n, self.first.at(rows, shape), self.second.at(rows, shape))

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
            c, j = np.argwhere(short)[0]
            raise refuse("number of values", one.classes[c], one.request.columns[j], one.n[c, j], two.n[c, j])
        rest = type(self)(one.request, one.classes, one.pivot, left, one.first - two.first, one.second - two.second)
        _refuse_strangers(one, two, rest)
        some = left > 0
        return type(self)(
            one.request, one.classes, one.pivot, left, where_kept(some, rest.first), where_kept(some, rest.second)
        )

    def __mul__(self, factor: float) -> Self:
        factor = checked_factor(factor)
        return type(self)(
            self.request, self.classes, self.pivot, self.n * factor, self.first.times(factor), self.second.times(factor)
        )

    def about(self, pivot: Floats) -> Self:
        """The same moments as sums about another pivot: Σw(x−q)² = S₂ + 2δS₁ + nδ² with δ = pivot − q, in full."""
        shift = difference(self.pivot, pivot)
        step = shift.times(self.n)
        first = self.first + step
        second = self.second + shift * (self.first + first)
        return type(self)(self.request, self.classes, pivot, self.n, first, second)

    def to_arrays(self) -> Arrays:
        return {
            "pivot": self.pivot,
            "n": self.n,
            "first": np.stack([self.first.high, self.first.low]),
            "second": np.stack([self.second.high, self.second.low]),
        }

    @classmethod
    def from_arrays(cls, request: MeasureMoments, classes: Labels, arrays: Arrays) -> Self:
        first, second = (Double(*arrays[name]) for name in ("first", "second"))
        return cls(request, classes, arrays["pivot"], arrays["n"], first, second)


def _about_one_pivot(one: Moments, two: Moments) -> tuple[Moments, Moments]:
    """Where one side saw nothing its pivot means nothing, and the other's serves both."""
    pivot = np.where(one.n > 0, one.pivot, two.pivot)
    return tuple(side if np.array_equal(side.pivot, pivot) else side.about(pivot) for side in (one, two))  # type: ignore[return-value]


def _refuse_strangers(held: Moments, asked: Moments, rest: Moments) -> None:
    """The rows left cannot vary less than not at all, nor no rows have a sum: such rows were never added."""
    spread_left = (rest.second - rest.first * rest.first.over(at_least_one(rest.n))).value
    scale = ROUNDING * (np.abs(held.second.value) + np.abs(asked.second.value))
    short = np.where(rest.n > 0, spread_left < -scale, np.abs(rest.second.value) > scale)
    if short.any():
        c, j = np.argwhere(short)[0]
        where = rest.request.columns[j]
        raise refuse("sum of squares", rest.classes[c], where, held.scatter[c, j], asked.scatter[c, j])


def where_kept(kept: NDArray[np.bool_], sums: Double) -> Double:
    return Double(np.where(kept, sums.high, 0.0), np.where(kept, sums.low, 0.0))


def at_least_one(n: Floats) -> Floats:
    return np.where(n > 0, n, 1.0)
