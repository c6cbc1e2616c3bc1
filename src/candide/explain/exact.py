"""Arithmetic as on paper: counts and beliefs as fractions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

WRITTEN_BY_HAND = 1000  # nobody writes a larger denominator


def as_written(x: Any) -> Fraction:
    """The fraction that a person means by a number: 0.1 is 1/10, 0.375 is 3/8.

    >>> as_written(0.1), as_written(1 / 3)
    (Fraction(1, 10), Fraction(1, 3))
    """
    if isinstance(x, (int, Fraction)):
        return Fraction(x)
    number = float(x)
    if number.is_integer():
        return Fraction(int(number))
    short = Fraction(number).limit_denominator(WRITTEN_BY_HAND)
    return short if float(short) == number else Fraction(repr(number))


def fractions(numbers: Any) -> NDArray[Any]:
    """An array of numbers as fractions."""
    array = np.asarray(numbers)
    exact = np.empty(array.size, dtype=object)
    exact[:] = [as_written(x) for x in array.ravel().tolist()]
    return exact.reshape(array.shape)


def exact(belief: Any) -> Any:
    """The same belief with its numbers as fractions, so that fractions of counts stay fractions."""
    if not is_dataclass(belief) or isinstance(belief, type):
        return belief
    numbers = {field.name: getattr(belief, field.name) for field in fields(belief)}
    return replace(belief, **{name: _exactly(value) for name, value in numbers.items()})


def _exactly(value: Any) -> Any:
    if isinstance(value, (float, np.floating)):
        return as_written(value)
    if isinstance(value, (list, tuple, np.ndarray)):
        return fractions(np.asarray(value))
    return value


@dataclass(frozen=True, slots=True)
class Virtual:
    """What a belief adds to the count of each possibility (one number for all, or one each), and to the total."""

    each: Any
    under: Fraction

    @classmethod
    def of(cls, belief: Any, size: int) -> Virtual:
        """Nothing where a belief has no virtual examples."""
        if hasattr(belief, "start"):
            return cls(as_written(belief.start), as_written(belief.denominator))
        if not hasattr(belief, "pseudo"):
            return cls(Fraction(0), Fraction(0))
        pseudo = fractions(belief.pseudo(size))
        if pseudo.ndim == 0:
            one = as_written(pseudo.item())
            return cls(one, one * size)
        each = np.broadcast_to(pseudo.reshape(-1, pseudo.shape[-1])[0], size)
        return cls(each, sum(each.tolist(), Fraction(0)))

    def plus(self, place: int) -> Fraction:
        """What is added to one possibility."""
        found: Fraction = self.each[place] if np.ndim(self.each) else self.each
        return found


def product(numbers: Iterable[Fraction]) -> Fraction:
    """All of them multiplied, shortened once at the end."""
    listed = list(numbers)
    return Fraction(math.prod(x.numerator for x in listed), math.prod(x.denominator for x in listed))


def log(x: Fraction) -> float:
    """The logarithm of a positive fraction whose parts may be beyond any float."""
    return math.log(x.numerator) - math.log(x.denominator)
