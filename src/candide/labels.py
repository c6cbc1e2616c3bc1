"""Ordered, unitable names of classes and of levels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.errors import BadLabels

Codes = NDArray[Any]
OF_PANDAS = ("NAType", "NaTType")  # the types of pandas.NA and pandas.NaT, known by name: pandas need not be there


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Distinct names in one canonical order, so that uniting two sets does not depend on which came first.

    >>> Labels.of(["ham", "spam"]) | Labels.of(["eggs", "ham"])
    Labels(eggs, ham, spam)
    """

    values: NDArray[Any]

    @classmethod
    def of(cls, values: Iterable[Any]) -> Labels:
        return cls(_frozen(_distinct(_column(values))))

    @classmethod
    def encode(cls, values: Iterable[Any]) -> tuple[Labels, Codes]:
        """The labels of a column, and the place of each row's label among them."""
        column = _column(values)
        fast = _encode_integers(column)
        if fast is not None:
            distinct, codes = fast
        elif column.dtype == object:
            distinct, codes = _encode_objects(column)
        else:
            distinct, codes = np.unique(_known(column), return_inverse=True)
        return cls(_frozen(distinct)), codes.astype(code_type(len(distinct)), copy=False)

    def codes(self, values: Iterable[Any]) -> NDArray[np.int64]:
        """The place of each value, −1 where it is not one of these labels."""
        column = _column(values)
        if _sortable_together(self.values, column):
            if not len(self):
                return np.full(len(column), -1, dtype=np.int64)
            found = np.searchsorted(self.values, column)
            found[found == len(self)] = 0
            return np.where(self.values[found] == column, found, -1)
        places = {value: place for place, value in enumerate(self.values.tolist())}
        return np.fromiter((_place(places, value) for value in column.tolist()), np.int64, len(column))

    def places_in(self, wider: Labels) -> NDArray[np.int64]:
        """Where each of these labels stands in `wider`, which must hold them all."""
        if self is wider:
            return np.arange(len(self))
        return wider.codes(self.values)

    def pick(self, keep: NDArray[Any]) -> Labels:
        """The labels at the given places, or under the given mask; their order stays."""
        return Labels(_frozen(self.values[keep]))

    def __or__(self, other: Labels) -> Labels:
        if self == other:
            return self
        if self.values.dtype == object or other.values.dtype == object or not _same_kind(self.values, other.values):
            return Labels.of([*self.values.tolist(), *other.values.tolist()])
        both = np.promote_types(self.values.dtype, other.values.dtype)
        if both.kind == "f" and {self.values.dtype.kind, other.values.dtype.kind} <= {"i", "u"}:
            return Labels.of([*self.values.tolist(), *other.values.tolist()])  # no float tells large numbers apart
        return Labels(_frozen(np.union1d(self.values, other.values)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Labels) and (
            self is other or (len(self) == len(other) and bool(np.all(self.values == other.values)))
        )

    def __hash__(self) -> int:
        return hash(tuple(self.values.tolist()))

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values.tolist())

    def __getitem__(self, place: int) -> Any:
        return self.values[place].item() if self.values.dtype != object else self.values[place]

    def __repr__(self) -> str:
        shown = [str(value) for value in self.values[:8].tolist()]
        return f"Labels({', '.join(shown)}{', …' if len(self) > 8 else ''})"


def code_type(count: int) -> type[np.unsignedinteger[Any]] | type[np.signedinteger[Any]]:
    """The smallest integer type that numbers `count` labels: codes are read as often as the data."""
    if count <= 1 << 8:
        return np.uint8
    return np.uint16 if count <= 1 << 16 else np.int32


def is_missing(value: Any) -> bool:
    """None and NaN stand for a value that is not known; so do pandas' NA and what is no time."""
    if isinstance(value, (float, np.floating)):
        return math.isnan(value)
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(value))
    return value is None or type(value).__name__ in OF_PANDAS


def _column(values: Iterable[Any]) -> NDArray[Any]:
    if isinstance(values, np.ndarray):
        return values
    listed = list(values)
    column = np.empty(len(listed), dtype=object)
    column[:] = listed
    kinds = {type(value) for value in listed}
    if len(kinds) == 1 and kinds <= {int, float, bool, str}:
        if kinds == {str} and any(value.endswith("\0") for value in listed):
            return column  # NumPy's own strings end before their last NUL
        plain = np.array(listed)
        return plain if plain.dtype.kind != "f" or kinds == {float} else column
    return column


def _distinct(column: NDArray[Any]) -> NDArray[Any]:
    return _encode_objects(column)[0] if column.dtype == object else np.unique(_known(column))


def _known(column: NDArray[Any]) -> NDArray[Any]:
    """The column itself, if no cell is NaN or no time."""
    if column.dtype.kind in "fcmM" and (column != column).any():
        missing = column[column != column][0]
        raise BadLabels(f"a label is missing ({missing}); leave such rows out or give them a label of their own.")
    return column


def _encode_integers(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """Integers in a narrow range need no sorting: a table of which occur is enough."""
    if column.dtype.kind not in "iub" or not len(column):
        return None
    low, high = int(column.min()), int(column.max())
    if high - low > 1 << 16 or high >= 1 << 63:
        return None
    occurs = np.zeros(high - low + 1, dtype=bool)
    step = 1 << 16
    for start in range(0, len(column), step):  # blocks: no second array as long as the column
        occurs[column[start : start + step].astype(np.int64) - low] = True
    found = np.flatnonzero(occurs)
    place = np.zeros(len(occurs), dtype=code_type(len(found)))
    place[found] = np.arange(len(found))
    codes = np.empty(len(column), dtype=place.dtype)
    for start in range(0, len(column), step):
        codes[start : start + step] = place[column[start : start + step].astype(np.int64) - low]
    return (found + low).astype(column.dtype), codes


def _encode_objects(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    listed = column.tolist()
    try:
        first_seen = {value: place for place, value in enumerate(dict.fromkeys(listed))}
    except TypeError as error:
        raise BadLabels(f"a label must be a plain value such as a string or a number: {error}.") from None
    ordered = sorted(first_seen, key=_order)
    place = np.empty(len(ordered), dtype=np.int64)
    for rank, value in enumerate(ordered):
        place[first_seen[value]] = rank
    codes = place[np.fromiter((first_seen[value] for value in listed), np.int64, len(listed))]
    distinct = np.empty(len(ordered), dtype=object)
    distinct[:] = ordered
    return distinct, codes


def _order(value: Any) -> tuple[str, Any]:
    """Numbers by value, strings by spelling, tuples by their parts, anything else by type and representation."""
    if is_missing(value):
        raise BadLabels(f"a label is missing ({value!r}); leave such rows out or give them a label of their own.")
    if isinstance(value, (bool, int, float, np.number, np.bool_)):
        return "", value
    if isinstance(value, str):
        return "str", value
    if isinstance(value, tuple):
        return "tuple", tuple(_order(part) for part in value)
    return type(value).__name__, repr(value)


def _sortable_together(ours: NDArray[Any], theirs: NDArray[Any]) -> bool:
    return ours.dtype != object and theirs.dtype != object and _same_kind(ours, theirs)


def _same_kind(one: NDArray[Any], other: NDArray[Any]) -> bool:
    numbers = "iufb"
    return (one.dtype.kind in numbers and other.dtype.kind in numbers) or one.dtype.kind == other.dtype.kind


def _place(places: dict[Any, int], value: Any) -> int:
    try:
        return places.get(value, -1)
    except TypeError:  # an unhashable value is none of ours
        return -1


def _frozen(values: NDArray[Any]) -> NDArray[Any]:
    values = np.asarray(values).view()
    values.flags.writeable = False
    return values
