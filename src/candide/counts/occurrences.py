"""What was counted of each thing that occurs in each class, where most things occur in few classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from candide.counts.base import Floats, freeze, frozen, heaviest, heaviest_of_both, taken

Places = NDArray[np.int64]
COUNTS, DOCUMENTS, SHARES = 0, 1, 2  # the columns of `values`
UNIT = 2.0**24  # shares of a document are counted in whole parts of this size, so that their sums are exact
# log(1 + tf) in whole parts, so that shares are the same whoever computes them; more often counts as 4,095 times.
LOGS = np.rint(2.0**20 * np.log1p(np.arange(4096.0))).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """`values[i]` belongs to thing `ids[i]` in class c, for the i from `starts[c]` to `starts[c + 1]`; ids ascend.

    Its three numbers are Σ w·tf, Σ w over the documents that have it, and Σ w·log(1 + tf)/‖log(1 + tf)‖ in parts of
    2⁻²⁴, each document's rounded. `most` is the most they ever were, once fractions have been taken away.
    """

    starts: Places
    ids: Places
    values: Floats
    most: Floats | None = None

    def __post_init__(self) -> None:
        freeze(self, starts=frozen(self.starts), ids=frozen(self.ids), values=frozen(self.values))

    @classmethod
    def none(cls, classes: int) -> Self:
        return cls(np.zeros(classes + 1, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros((0, 3)))

    @property
    def classes(self) -> int:
        return len(self.starts) - 1

    @property
    def y(self) -> Places:
        """The class of each entry."""
        return np.repeat(np.arange(self.classes), np.diff(self.starts))

    def totals(self, size: int) -> Floats:
        """Over all classes: a row of three numbers for each thing below `size`."""
        return np.stack([np.bincount(self.ids, column, size) for column in self.values.T], axis=1).astype(np.float64)

    def by_class(self) -> Floats:
        """Over all things: a row of three numbers for each class."""
        return np.stack([np.bincount(self.y, column, self.classes) for column in self.values.T], axis=1).astype(
            np.float64
        )

    def table(self, column: int, size: int) -> Floats:
        """One of the three numbers in full, a row a class."""
        out = np.zeros((self.classes, size))
        out[self.y, self.ids] = self.values[:, column]
        return out

    def over(self, places: Places, classes: int) -> Self:
        """Class c at `places[c]` of a wider set of classes."""
        return self._ordered(places[self.y], self.ids, classes)

    def only(self, places: Places) -> Self:
        """The classes at `places`, in that order."""
        where = np.full(self.classes, -1)
        where[places] = np.arange(len(places))
        y = where[self.y]
        return self._some(y >= 0)._ordered(y[y >= 0], self.ids[y >= 0], len(places))

    def renamed(self, places: Places) -> Self:
        """Thing i under the number `places[i]`."""
        return self._ordered(self.y, places[self.ids], self.classes)

    def __add__(self, other: Self) -> Self:
        keys, (mine, theirs) = _united(self, other)
        sums = _laid(self.values, mine, len(keys)) + _laid(other.values, theirs, len(keys))
        most = heaviest_of_both(_laid_most(self, mine, len(keys)), _laid_most(other, theirs, len(keys)))
        return self._of(keys, sums, most)

    def less(self, other: Self) -> tuple[Self, tuple[int, int, float, float] | None]:
        """What is left, and where more was taken than was there: class, thing, what was held, what was asked."""
        keys, (mine, theirs) = _united(self, other)
        held, asked = _laid(self.values, mine, len(keys)), _laid(other.values, theirs, len(keys))
        before = _laid_most(self, mine, len(keys))
        left, short = taken(held, asked, before)
        for i, j in np.argwhere(short)[:1]:
            return self, (int(keys[i] >> 32), int(keys[i] & 0xFFFFFFFF), float(held[i, j]), float(asked[i, j]))
        most, some = heaviest(held, asked, before), left.any(axis=1)
        return self._of(keys[some], left[some], None if most is None else most[some]), None

    def __mul__(self, factor: float) -> Self:
        if factor == 0:
            return self.none(self.classes)
        most = None if self.most is None else self.most * factor
        return type(self)(self.starts, self.ids, self.values * factor, most)

    def keeping(self, kept: NDArray[np.bool_]) -> Self:
        """Only the things under a mask, under their own numbers."""
        return self._some(kept[self.ids])

    def _some(self, keep: NDArray[np.bool_]) -> Self:
        if keep.all():
            return self
        starts = np.concatenate([[0], np.cumsum(keep)])[self.starts]
        return type(self)(starts, self.ids[keep], self.values[keep], None if self.most is None else self.most[keep])

    def _ordered(self, y: Places, ids: Places, classes: int) -> Self:
        order = np.argsort((y << 32) | ids, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(y, minlength=classes))])
        most = None if self.most is None else self.most[order]
        return type(self)(starts.astype(np.int64), ids[order], self.values[order], most)

    def _of(self, keys: Places, values: Floats, most: Floats | None) -> Self:
        starts = np.searchsorted(keys, np.arange(self.classes + 1) << 32)
        return type(self)(starts.astype(np.int64), keys & 0xFFFFFFFF, values, most)

    def __len__(self) -> int:
        return len(self.ids)


def _united(one: Occurrences, other: Occurrences) -> tuple[Places, tuple[Places, Places]]:
    """The (class, thing) that either has, and where those of each stand among them."""
    mine, theirs = (side.y << 32 | side.ids for side in (one, other))
    both = np.concatenate([mine, theirs])
    both.sort(kind="stable")  # two runs: merged in one pass
    keys = both[np.concatenate([[True], both[1:] != both[:-1]])] if len(both) else both
    return keys, (np.searchsorted(keys, mine), np.searchsorted(keys, theirs))


def _laid(values: Floats, places: Places, size: int) -> Floats:
    out = np.zeros((size, 3))
    out[places] = values
    return out


def _laid_most(side: Occurrences, places: Places, size: int) -> Floats | None:
    return None if side.most is None else _laid(side.most, places, size)
