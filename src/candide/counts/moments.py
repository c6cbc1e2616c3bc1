"""Number, mean and spread of numeric columns in each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from candide.counts.base import Floats, taken
from candide.counts.double import Double, difference
from candide.counts.pivoted import Pivoted, at_least_one, rounded
from candide.counts.requests import MeasureMoments
from candide.errors import TooLarge
from candide.labels import Labels


@dataclass(frozen=True, slots=True, eq=False)
class Moments(Pivoted):
    """Arrays (k, d): every class and column has its own number of values, missing cells left out."""

    @classmethod
    def zero(cls, request: MeasureMoments, classes: Labels) -> Self:
        empty = np.zeros((len(classes), len(request.columns)))
        return cls(request, classes, empty, empty, Double.of(empty), Double.of(empty))

    @property
    def seen(self) -> Floats:
        return self.n

    @property
    def squares(self) -> Double:
        return self.second

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
        """Number, mean and variance of each column over all classes together; `TooLarge` where no float holds them."""
        with np.errstate(over="ignore", invalid="ignore"):
            n, centre, variance = pooled(self.n, self.mean, self.scatter)
        if not np.isfinite(variance).all():
            self._refuse_distance(int(np.argmin(np.isfinite(variance))))
        return n, centre, variance

    def refuse_distance(self) -> None:
        """`TooLarge` where squares between the classes, or within them, are more than a float holds."""
        if not (np.abs(self.pivot).max(initial=0.0) < 1e140 and np.abs(self.second.high).max(initial=0.0) < 1e280):
            self.pooled()

    def _refuse_distance(self, j: int) -> None:
        triples = zip(self.classes, self.mean[:, j], self.n[:, j], strict=True)
        means = ", ".join(f"{label}: {mean:.3g}" for label, mean, n in triples if n > 0)
        raise TooLarge(
            f"the classes lie so far apart in column {self.request.columns[j]!r} that no float holds the squares "
            f"between them (means {means}). Scale the column (any change of unit gives the same model)."
        )

    def without(self, j: int, x: Floats, y: NDArray[np.int64], weights: Floats) -> tuple[Floats, Floats, Floats]:
        """Number, mean and scatter of column j in each class, arrays (k, rows), as if a row with the cell x, class y
        and that weight had never been counted: what `-` would leave, for many rows at once.
        """
        n, mean, scatter = (np.repeat(part[:, j, None], len(x), axis=1) for part in (self.n, self.mean, self.scatter))
        own, pivot = np.arange(len(x)), self.pivot[y, j]
        away = x - pivot  # rounded as when it was counted, so that it is taken away without a trace
        left, _ = taken(self.n[y, j], weights)
        some = left > 0
        first, second = (Double(sums.high[y, j], sums.low[y, j]) for sums in (self.first, self.second))
        first, second = first - Double.of(away * weights), second - Double.of(away * away * weights)
        middle = first.over(at_least_one(left))
        n[y, own] = np.where(some, left, 0.0)
        mean[y, own] = np.where(some, (Double.of(pivot) + middle).value, 0.0)
        scatter[y, own] = np.where(some, np.maximum((second - first * middle).value, 0.0), 0.0)
        return n, mean, scatter

    def spanning(self, request: MeasureMoments) -> Self:
        """Over other columns: what was seen of them."""
        theirs = {name: j for j, name in enumerate(request.columns)}
        both = [(j, theirs[name]) for j, name in enumerate(self.request.columns) if name in theirs]
        own, places = np.array(both, dtype=np.int64).reshape(-1, 2).T
        wide = type(self).zero(request, self.classes)
        parts = [wide.pivot.copy(), wide.n.copy(), wide.first.high.copy(), wide.first.low.copy()]
        parts += [wide.second.high.copy(), wide.second.low.copy()]
        ours = [self.pivot, self.n, self.first.high, self.first.low, self.second.high, self.second.low]
        for part, mine in zip(parts, ours, strict=True):
            part[:, places] = mine[:, own]
        pivot, n, high, low, square, rest = parts
        most = None
        if self.most is not None:
            most = np.zeros_like(wide.n)
            most[:, places] = self.most
        return type(self)(request, self.classes, pivot, n, Double(high, low), Double(square, rest), most)

    def about(self, pivot: Floats) -> Self:
        """Σw(x − q)² = S₂ + δ(S₁ + S₁') with δ = pivot − q and S₁' = S₁ + nδ, in full."""
        shift = difference(self.pivot, pivot)
        first = self.first + shift.times(self.n)
        second = self.second + shift * (self.first + first)
        stray = (self.first.high == 0) & (self.second.high == 0) & (np.abs(self.pivot) >= np.abs(pivot))
        if stray.any():  # rows of one value, far away perhaps: round them as when they are counted about this pivot
            u = self.pivot - pivot
            first = first.where(~stray, rounded(u, self.n))
            second = second.where(~stray, rounded(u * u, self.n))
        return type(self)(self.request, self.classes, pivot, self.n, first, second, self.most)


def pooled(n: Floats, mean: Floats, scatter: Floats) -> tuple[Floats, Floats, Floats]:
    """Number, mean and variance over the first axis of what is known of each part."""
    total = n.sum(axis=0)
    safe = at_least_one(total)
    origin = np.take_along_axis(mean, np.argmax(n, axis=0)[None], axis=0)[0]
    away = np.where(n > 0, mean - origin, 0.0)  # means relative to one of them: no cancellation at large offsets
    centre = (n * away).sum(axis=0) / safe
    around = (scatter + np.where(n > 0, n * (away - centre) ** 2, 0.0)).sum(axis=0)
    return total, origin + centre, around / safe
