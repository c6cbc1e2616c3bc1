"""The contract of a statistic, and what all of them share."""

from __future__ import annotations

from numbers import Real
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from candide.errors import BadWeights, MergeMismatch, NeverAdded
from candide.labels import Labels

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]

# A sum of weights that are not integers is exact to rounding only: what is left below this share of
# what was held, after as much was taken away, is nothing.
DUST = 1e-12


class Statistic(Protocol):
    """What was counted about some columns: a value that can be added, taken away and aged.

    `zero + batch` is `fit`, `old + batch` is `partial_fit`, `old - batch` is `forget`, `old * factor` is ageing.
    """

    @property
    def request(self) -> Any: ...

    @property
    def classes(self) -> Labels: ...

    def over(self, classes: Labels) -> Self:
        """The same counts over a wider set of classes."""
        ...

    def only(self, classes: Labels) -> Self:
        """The counts of some of the classes."""
        ...

    def __add__(self, other: Self) -> Self: ...

    def __sub__(self, other: Self) -> Self: ...

    def __mul__(self, factor: float) -> Self: ...

    def to_arrays(self) -> Arrays: ...

    @classmethod
    def from_arrays(cls, request: Any, classes: Labels, arrays: Arrays) -> Self: ...


S = TypeVar("S", bound=Statistic)


def aligned(one: S, other: S) -> tuple[S, S]:
    """Both statistics over the union of their classes, once it is sure that they count the same thing."""
    if type(one) is not type(other):
        raise MergeMismatch.between(type(one).__name__, type(other).__name__)
    if one.request != other.request:
        raise MergeMismatch.between(one.request, other.request)
    if one.classes == other.classes:
        return one, other
    classes = one.classes | other.classes
    return one.over(classes), other.over(classes)


def spread(values: Floats, ours: Labels, wider: Labels) -> Floats:
    """Rows of classes laid into the rows of a wider set of classes, zeros elsewhere."""
    out = np.zeros((len(wider), *values.shape[1:]))
    out[ours.places_in(wider)] = values
    return out


def columns_at(table: Floats, places: NDArray[Any], width: int) -> Floats:
    """The columns of a table laid into the columns of a wider one, zeros elsewhere."""
    out = np.zeros((len(table), width))
    out[:, places] = table
    return out


def taken(held: Floats, asked: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """held − asked, and where more was asked than held. Rounding's dust is swept to zero."""
    left = held - asked
    scale = DUST * np.abs(held)
    left[(np.abs(left) <= scale) & (asked != 0)] = 0.0
    return left, left < 0


def refuse(what: str, label: object, column: object, held: float, asked: float) -> NeverAdded:
    where = "" if column is None else f", column {column!r}"
    return NeverAdded.taking(what, label, where, held, asked)


def checked_factor(factor: Any) -> float:
    """A factor that counts can be multiplied by."""
    number = float(factor) if isinstance(factor, Real) else np.nan
    if not (np.isfinite(number) and number >= 0):
        raise BadWeights(f"counts can be aged by a finite factor of 0 or more, not by {factor!r}.")
    return number


def freeze(statistic: Any, **arrays: Any) -> None:
    """Hold these in the fields of a frozen statistic: what was counted is not changed from outside."""
    for name, values in arrays.items():
        object.__setattr__(statistic, name, values)


def frozen(values: NDArray[Any]) -> NDArray[Any]:
    """A view that cannot be written through."""
    view = values.view()
    view.flags.writeable = False
    return view
