"""Sums about a pivot: what moments and co-moments have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from candide.counts.base import (
    DUST,
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
from candide.counts.double import Double
from candide.errors import TooLarge
from candide.labels import Labels

STRAY = 2.0**20  # a pivot so many times as large as others leaves them 32 bits
ROUNDING = 1e-9  # of the squares held: a difference below that is none


@dataclass(frozen=True, slots=True, eq=False)
class Pivoted:
    """`n` = Σw, `first` = Σw(x − pivot), `second` = the sums of squares (or products) of x − pivot, per class.

    `most` is the most that `n` ever was, once fractions have been taken away: what its roundings are a share of.
    The pivot is any value near the data; it is moved without rounding when two tallies meet (a mean would be rounded,
    and its rounding squared). Batches counted about the same pivot add and subtract to some 30 digits, so that a row
    of 10¹² can be forgotten without a trace.
    """

    request: Any
    classes: Labels
    pivot: Floats
    n: Floats
    first: Double
    second: Double
    most: Floats | None = None

    def __post_init__(self) -> None:
        first, second = (sums.frozen() if isinstance(sums, Double) else sums for sums in (self.first, self.second))
        freeze(self, pivot=frozen(self.pivot), n=frozen(self.n), first=first, second=second)

    @property
    def seen(self) -> Floats:
        """`n` for every class and column."""
        raise NotImplementedError

    @property
    def squares(self) -> Double:
        """Σw(x − pivot)² for every class and column."""
        raise NotImplementedError

    def about(self, pivot: Floats) -> Self:
        """The same sums about another pivot."""
        raise NotImplementedError

    @property
    def mean(self) -> Floats:
        """Σwx / n; 0 where nothing was seen."""
        return np.asarray((Double.of(self.pivot) + self.first.over(at_least_one(self.seen))).value)

    def over(self, classes: Labels) -> Self:
        rows, k = self.classes.places_in(classes), len(classes)
        pivot, n = (spread(values, self.classes, classes) for values in (self.pivot, self.n))
        first, second = (sums.at(rows, (k, *sums.high.shape[1:])) for sums in (self.first, self.second))
        most = None if self.most is None else spread(self.most, self.classes, classes)
        return type(self)(self.request, classes, pivot, n, first, second, most)

    def only(self, classes: Labels) -> Self:
        rows = classes.places_in(self.classes)
        first, second = (Double(sums.high[rows], sums.low[rows]) for sums in (self.first, self.second))
        most = None if self.most is None else self.most[rows]
        return type(self)(self.request, classes, self.pivot[rows], self.n[rows], first, second, most)

    def __add__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        with np.errstate(over="ignore", invalid="ignore"):
            one, two = _about(np.where(_stays(one, two), one.pivot, two.pivot), one, two)
            n, first, second = one.n + two.n, one.first + two.first, one.second + two.second
        if not np.isfinite(second.high).all():
            raise TooLarge(
                "the values of both sides lie so far apart that no float holds the squares between them. Scale the "
                "columns (any change of unit gives the same model)."
            )
        most = heaviest_of_both(one.most, two.most)
        return type(self)(one.request, one.classes, one.pivot, n, first, second, most)

    def __sub__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        one, two = _about(np.where(one.seen > 0, one.pivot, two.pivot), one, two)  # rounded weights are not moved
        left, short = taken(one.n, two.n, one.most)
        if short.any():
            at = tuple(np.argwhere(short)[0])
            column = one.request.columns[at[1]] if len(at) > 1 else None
            raise refuse("number of values", one.classes[at[0]], column, one.n[at], two.n[at])
        most = heaviest(one.n, two.n, one.most)
        first, second = one.first - two.first, one.second - two.second
        rest = type(self)(one.request, one.classes, one.pivot, left, first, second, most)
        _refuse_strangers(one, two, rest)
        some = rest.seen > 0
        first, second = (
            _kept(some, rest.first),
            _kept(some if rest.second.high.ndim == 2 else some[:, :, None], rest.second),
        )
        return type(self)(one.request, one.classes, one.pivot, left, first, second, most)

    def __mul__(self, factor: float) -> Self:
        factor = checked_factor(factor)
        first, second = self.first.times(factor), self.second.times(factor)
        most = None if self.most is None else self.most * factor
        return type(self)(self.request, self.classes, self.pivot, self.n * factor, first, second, most)

    def to_arrays(self) -> Arrays:
        return {
            "pivot": self.pivot,
            "n": self.n,
            "first": np.stack([self.first.high, self.first.low]),
            "second": np.stack([self.second.high, self.second.low]),
        } | ({} if self.most is None else {"most": self.most})

    @classmethod
    def from_arrays(cls, request: Any, classes: Labels, arrays: Arrays) -> Self:
        first, second = (Double(*arrays[name]) for name in ("first", "second"))
        return cls(request, classes, arrays["pivot"], arrays["n"], first, second, arrays.get("most"))


P = TypeVar("P", bound=Pivoted)


def at_least_one(n: Floats) -> Floats:
    """A divisor that leaves nothing as it is."""
    return np.where(n > 0, n, 1.0)


def _stays(one: Pivoted, two: Pivoted) -> NDArray[np.bool_]:
    """Where one's pivot serves both: unless it is a stray row's, beside which the values of as many others vanish."""
    rows = at_least_one(two.seen)
    size = np.where(two.pivot != 0, np.abs(two.pivot), np.sqrt(np.abs(two.squares.high) / rows))
    stray = (one.seen <= two.seen) & (size > 0) & (np.abs(one.pivot) > STRAY * size)
    return np.asarray((one.seen > 0) & ~stray)


def _about(pivot: Floats, one: P, two: P) -> tuple[P, P]:
    """Both about one pivot: where one saw nothing its own means nothing, and a stray row's may be far away."""
    first, second = (side if np.array_equal(side.pivot, pivot) else side.about(pivot) for side in (one, two))
    return first, second


def rounded(sums: Floats, n: Floats) -> Double:
    """n rows with these floats, as if they had been added one by one."""
    whole = n == np.floor(n)
    exact, plain = Double.of(sums).times(n), sums * n
    return Double(np.where(whole, exact.high, plain), np.where(whole, exact.low, 0.0))


def _refuse_strangers(held: Pivoted, asked: Pivoted, rest: Pivoted) -> None:
    """The rows left cannot vary less than not at all, nor no rows have a sum: such rows were never added."""
    n = rest.seen
    between = rest.first * rest.first.over(at_least_one(n))
    spread_left = (rest.squares - between).value
    scale = ROUNDING * (np.abs(held.squares.value) + np.abs(asked.squares.value)).max(axis=0, initial=0.0)
    if rest.most is not None:  # n is rounded, too
        most = np.broadcast_to(rest.most if rest.most.ndim == 2 else rest.most[:, None], n.shape)
        scale = scale + between.value * (DUST * most / at_least_one(n))
    short = np.where(n > 0, spread_left < -scale, np.abs(rest.squares.value) > scale)
    if short.any():
        c, j = np.argwhere(short)[0]
        sizes = (side.squares.value[c, j] for side in (held, asked))
        raise refuse("sum of squares", rest.classes[c], rest.request.columns[j], *sizes)


def _kept(some: NDArray[np.bool_], sums: Double) -> Double:
    return Double(np.where(some, sums.high, 0.0), np.where(some, sums.low, 0.0))
