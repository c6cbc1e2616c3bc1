"""The contract of a statistic, and what all of them share."""

from __future__ import annotations

from numbers import Real
from typing import Any, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from candide.errors import BadWeights, MergeMismatch, NeverAdded
from candide.labels import Labels

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]
Tables = tuple[Floats, ...]

# A sum of weights that are not integers is exact to rounding only: what is left below this share of the most that was
# ever held, after as much was taken away, is nothing. Sums of integers are exact while they are below 2⁵³.
DUST = 1e-12
EXACT = 2.0**53


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


def columns_of(statistic: S, request: Any) -> list[tuple[S, int]]:
    """For each column of a request the statistic that has it, and where: an empty one for columns not seen yet."""
    none: Any = cast(Any, type(statistic)).zero(request, statistic.classes)
    place = {name: j for j, name in enumerate(statistic.request.columns)}
    return [(statistic, place[name]) if name in place else (none, j) for j, name in enumerate(request.columns)]


def columns_at(table: Floats, places: NDArray[Any], width: int) -> Floats:
    """The columns of a table laid into the columns of a wider one, zeros elsewhere."""
    out = np.zeros((len(table), width))
    out[:, places] = table
    return out


def taken(held: Floats, asked: Floats, most: Floats | None = None) -> tuple[Floats, NDArray[np.bool_]]:
    """held − asked, and where more was asked than held. Rounding's dust is swept to zero, where there can be any.

    >>> taken(np.array([1e13 + 1, 0.3]), np.array([1e13, 0.1 + 0.2]))[0].tolist()
    [1.0, 0.0]
    """
    left = held - asked
    most = heaviest(held, asked, most)
    if most is not None:
        left[(np.abs(left) <= DUST * most) & (asked != 0)] = 0.0
    return left, left < 0


def heaviest(held: Floats, asked: Floats, most: Floats | None = None) -> Floats | None:
    """The most that each sum ever was, given what was known of it before: 0 (or None for all) where it is exact.

    Sums only grow until something is taken away, so nobody needs to remember before that.
    """
    whole = (held == np.floor(held)) & (asked == np.floor(asked)) & (held < EXACT)
    if most is None:
        return None if whole.all() else np.where(whole, 0.0, held)
    return np.where(whole, most, np.maximum(held, most))


def heaviest_each(held: Tables, asked: Tables, most: Tables | None) -> Tables | None:
    """`heaviest` of tables that belong together."""
    before = most or (None,) * len(held)
    each = [heaviest(*triple) for triple in zip(held, asked, before, strict=True)]
    if all(table is None for table in each):
        return None
    return tuple(np.zeros_like(a) if table is None else table for a, table in zip(held, each, strict=True))


def heaviest_of_both(one: Floats | None, other: Floats | None) -> Floats | None:
    """What the roundings of two sums add up to."""
    return one if other is None else other if one is None else one + other


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
    if not hasattr(values, "view"):
        return values  # whoever checks what came from a file says so
    view = values.view()
    view.flags.writeable = False
    return view
