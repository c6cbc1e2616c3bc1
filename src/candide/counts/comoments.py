"""Mean and scatter matrix of a block of numeric columns in each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from candide.counts.base import Floats
from candide.counts.double import Double, difference
from candide.counts.pivoted import Pivoted, at_least_one, rounded
from candide.counts.requests import MeasureCoMoments
from candide.labels import Labels


@dataclass(frozen=True, slots=True, eq=False)
class CoMoments(Pivoted):
    """`n` is (k,), `first` (k, d), and `second` (k, d, d) holds Σw(x − pivot)(x − pivot)ᵀ; no cell is missing."""

    @classmethod
    def zero(cls, request: MeasureCoMoments, classes: Labels) -> Self:
        k, d = len(classes), len(request.columns)
        flat = np.zeros((k, d))
        return cls(request, classes, flat, np.zeros(k), Double.of(flat), Double.of(np.zeros((k, d, d))))

    @property
    def seen(self) -> Floats:
        return np.broadcast_to(self.n[:, None], self.pivot.shape)

    @property
    def squares(self) -> Double:
        return Double(*(np.einsum("cjj->cj", part) for part in (self.second.high, self.second.low)))

    @property
    def scatter(self) -> Floats:
        """Σw(x − mean)(x − mean)ᵀ, one symmetric matrix a class."""
        mean = self.first.over(at_least_one(self.seen))
        return np.asarray((self.second - _outer(self.first, mean)).value)

    def pooled(self) -> Floats:
        """The scatter within classes, added over them."""
        return np.asarray(self.scatter.sum(axis=0))

    def about(self, pivot: Floats) -> Self:
        """S₂ + δS₁'ᵀ + S₁δᵀ with δ = pivot − q and S₁' = S₁ + nδ, in full."""
        shift = difference(self.pivot, pivot)
        first = self.first + shift.times(self.seen)
        second = self.second + _outer(shift, first) + _outer(self.first, shift)
        still = ~self.first.high.any(axis=1) & ~self.second.high.any(axis=(1, 2))
        stray = still & (np.abs(self.pivot).max(axis=1, initial=0.0) >= np.abs(pivot).max(axis=1, initial=0.0))
        if stray.any():  # rows of one value, far away perhaps: round them as when they are counted about this pivot
            u, n = self.pivot - pivot, self.n[:, None]
            first = first.where(~stray[:, None], rounded(u, n))
            second = second.where(~stray[:, None, None], rounded(u[:, :, None] * u[:, None, :], n[:, :, None]))
        return type(self)(self.request, self.classes, pivot, self.n, first, second, self.most)


def _outer(one: Double, other: Double) -> Double:
    """one otherᵀ, class by class."""
    shape = (*one.high.shape, other.high.shape[1])
    down = Double(*(np.broadcast_to(part[:, :, None], shape) for part in (one.high, one.low)))
    across = Double(*(np.broadcast_to(part[:, None, :], shape) for part in (other.high, other.low)))
    return down * across
