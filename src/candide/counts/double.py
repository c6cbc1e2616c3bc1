"""Sums in two floats: a high part and what rounding would have lost (Dekker 1971; Knuth, TAOCP 4.2.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Double:
    """An array of unevaluated sums `high + low`, about 32 digits each.

    >>> one = Double.of(np.array([1.0]))
    >>> ((one + Double.of(np.array([1e20]))) - Double.of(np.array([1e20]))).value
    array([1.])
    """

    high: Floats
    low: Floats

    @classmethod
    def of(cls, values: Floats) -> Double:
        return cls(values, np.zeros_like(values))

    @classmethod
    def joined(cls, total: Floats, lost: Floats) -> Double:
        """A running sum and the sum of what its roundings lost."""
        return _renormalised(*_two_sum(total, lost))

    @property
    def value(self) -> Floats:
        return self.high + self.low

    def __add__(self, other: Double) -> Double:
        total, lost = _two_sum(self.high, other.high)
        return _renormalised(total, lost + (self.low + other.low))

    def __neg__(self) -> Double:
        return Double(-self.high, -self.low)

    def __sub__(self, other: Double) -> Double:
        return self + (-other)

    def __mul__(self, other: Double) -> Double:
        product, lost = _two_product(self.high, other.high)
        return _renormalised(product, lost + (self.high * other.low + self.low * other.high))

    def over(self, divisor: Floats) -> Double:
        """Division by plain numbers, by one Newton step."""
        guess = self.high / divisor
        rest = self - Double.of(guess) * Double.of(divisor)
        return _renormalised(guess, rest.value / divisor)

    def times(self, factor: Floats | float) -> Double:
        return self * Double.of(np.broadcast_to(np.asarray(factor, dtype=float), self.high.shape))

    def where(self, keep: NDArray[np.bool_], other: Double) -> Double:
        """These sums, and the other ones where these are not kept."""
        return Double(np.where(keep, self.high, other.high), np.where(keep, self.low, other.low))

    def frozen(self) -> Double:
        """The same, which cannot be written to."""
        high, low = self.high.view(), self.low.view()
        high.flags.writeable = low.flags.writeable = False
        return Double(high, low)

    def at(self, places: NDArray[np.int64], shape: tuple[int, ...]) -> Double:
        """These sums laid into an array of zeros of the given shape."""
        high, low = np.zeros(shape), np.zeros(shape)
        high[places], low[places] = self.high, self.low
        return Double(high, low)


def difference(one: Floats, other: Floats) -> Double:
    """one − other without rounding."""
    return Double(*_two_sum(one, -other))


def _two_sum(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    total = one + other
    part = total - one
    return total, (one - (total - part)) + (other - part)


def _two_product(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    product = one * other
    (a, b), (c, d) = _halves(one), _halves(other)
    return product, ((a * c - product) + a * d + b * c) + b * d


def _halves(value: Floats) -> tuple[Floats, Floats]:
    spread = 134217729.0 * value  # 2²⁷ + 1 (Veltkamp's splitting)
    high = spread - (spread - value)
    return high, value - high


def _renormalised(high: Floats, low: Floats) -> Double:
    total = high + low
    return Double(total, low - (total - high))
