"""A few of the rows themselves, chosen by a hash of what they hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from candide.counts.base import (
    Arrays,
    Floats,
    aligned,
    checked_factor,
    freeze,
    frozen,
    heaviest,
    refuse,
    taken,
)
from candide.counts.hashing import Hashes
from candide.counts.requests import KeepRows
from candide.counts.texts import Texts
from candide.labels import Labels

Codes = NDArray[np.int64]
EVERY = (1 << 64) - 1  # the last hash there is


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """All different rows whose hash is at most `last`, in the order of their hashes, with their weights.

    `last` falls as rows come, so that no more than `request.most` stay: the ones with the least hashes, whatever the
    order. Equal rows are one row with the sum of their weights. Numbers are NaN and levels −1 where a cell is missing.
    Only levels that a row has are named: what was forgotten leaves no name behind.
    `most` is the most each weight ever was, once fractions have been taken away: its roundings are a share of that.
    """

    request: KeepRows
    classes: Labels
    last: int
    hashes: Hashes
    y: Codes
    weights: Floats
    names: tuple[Labels, ...]
    levels: Codes
    numbers: Floats
    most: Floats | None = None
    texts: tuple[Texts, ...] = ()
    found: tuple[Any, ...] = ()  # the words of each column of texts, once an engine has looked for them; never stored

    def __post_init__(self) -> None:
        held = {name: frozen(getattr(self, name)) for name in ("hashes", "y", "weights", "levels", "numbers")}
        freeze(self, **held)

    @classmethod
    def zero(cls, request: KeepRows, classes: Labels) -> Self:
        names = (Labels.of([]),) * len(request.levels)
        levels = np.zeros((0, len(request.levels)), dtype=np.int64)
        numbers = np.zeros((0, len(request.numbers)))
        none = np.zeros(0)
        texts = (Texts.missing(0),) * len(request.texts)
        hashes, y = none.astype(np.uint64), none.astype(np.int64)
        return cls(request, classes, EVERY, hashes, y, none, names, levels, numbers, texts=texts)

    def __len__(self) -> int:
        return len(self.hashes)

    def over(self, classes: Labels) -> Self:
        return replace(self, classes=classes, y=self.classes.places_in(classes)[self.y])

    def only(self, classes: Labels) -> Self:
        places = classes.codes(self.classes.values)[self.y]
        kept = self._some(places >= 0)
        return replace(kept, classes=classes, y=places[places >= 0])

    def spanning(self, request: KeepRows) -> Self:
        """Over more columns, which nobody has seen yet."""
        levels, numbers = (
            np.full((len(self), len(request.levels)), -1),
            np.full((len(self), len(request.numbers)), np.nan),
        )
        names = [Labels.of([])] * len(request.levels)
        for j, name in enumerate(self.request.levels):
            place = list(request.levels).index(name)
            names[place], levels[:, place] = self.names[j], self.levels[:, j]
        for j, name in enumerate(self.request.numbers):
            numbers[:, list(request.numbers).index(name)] = self.numbers[:, j]
        held = dict(zip(self.request.texts, self.texts, strict=True))
        texts = tuple(held.get(name) or Texts.missing(len(self)) for name in request.texts)
        return replace(self, request=request, names=tuple(names), levels=levels, numbers=numbers, texts=texts)

    def __add__(self, other: Self) -> Self:
        one, two = _united(self, other)
        both = {
            part: np.concatenate([getattr(one, part), getattr(two, part)])
            for part in ("hashes", "y", "weights", "levels", "numbers")
        }
        hashes, first, places = np.unique(both["hashes"], return_index=True, return_inverse=True)
        weights = np.bincount(places, both["weights"], len(hashes)).astype(np.float64)
        most = None
        if one.most is not None or two.most is not None:
            known = [np.zeros(len(side)) if side.most is None else side.most for side in (one, two)]
            most = np.bincount(places, np.concatenate(known), len(hashes)).astype(np.float64)
        return replace(
            one,
            hashes=hashes,
            y=both["y"][first],
            weights=weights,
            levels=both["levels"][first],
            numbers=both["numbers"][first],
            most=most,
            texts=tuple(Texts.joined(pair).take(first) for pair in zip(one.texts, two.texts, strict=True)),
        ).bounded()

    def __sub__(self, other: Self) -> Self:
        one, two = _united(self, other)
        place = np.searchsorted(one.hashes, two.hashes)
        found = place < len(one)
        found[found] = one.hashes[place[found]] == two.hashes[found]
        asked = np.zeros(len(one))
        asked[place[found]] = two.weights[found]
        left, short = taken(one.weights, asked, one.most)
        for i in np.flatnonzero(~found)[:1]:
            raise refuse("weight of a row like this", two.classes[two.y[i]], None, 0.0, two.weights[i])
        for i in np.flatnonzero(short)[:1]:
            raise refuse("weight of a row like this", one.classes[one.y[i]], None, one.weights[i], asked[i])
        return replace(one, weights=left, most=heaviest(one.weights, asked, one.most))._some(left > 0)

    def __mul__(self, factor: float) -> Self:
        factor = checked_factor(factor)
        most = None if self.most is None else self.most * factor
        return replace(self, weights=self.weights * factor, most=most)._some(np.full(len(self), factor > 0))

    def bounded(self) -> Self:
        """No more rows than asked for."""
        if len(self) <= self.request.most:
            return self
        last = int(self.hashes[self.request.most]) - 1
        return replace(self, last=last)._some(self.hashes <= np.uint64(last))

    def up_to(self, last: int) -> Self:
        """The rows whose hash is at most `last`."""
        return replace(self, last=last)._some(self.hashes <= np.uint64(last)) if last < self.last else self

    def _some(self, keep: NDArray[np.bool_]) -> Self:
        if keep.all():
            return self
        parts: dict[str, Any] = {
            part: getattr(self, part)[keep] for part in ("hashes", "y", "weights", "levels", "numbers")
        }
        most = None if self.most is None else self.most[keep]
        texts = tuple(texts.take(np.flatnonzero(keep)) for texts in self.texts)
        return replace(self, most=most, texts=texts, **parts).named()

    def named(self) -> Self:
        """Without the names of levels that no row has."""
        names, levels = list(self.names), self.levels.copy()
        for j, held in enumerate(self.names):
            used = np.bincount(self.levels[:, j] + 1, minlength=len(held) + 1)[1:] > 0
            if not used.all():
                names[j] = held.pick(used)
                levels[:, j] = np.append(np.cumsum(used) - 1, -1)[self.levels[:, j]]
        return replace(self, names=tuple(names), levels=levels)

    def to_arrays(self) -> Arrays:
        named: Arrays = {f"names.{j}": names.values for j, names in enumerate(self.names)}
        arrays = {part: getattr(self, part) for part in ("hashes", "y", "weights", "levels", "numbers")}
        most = {} if self.most is None else {"most": self.most}
        for j, texts in enumerate(self.texts):
            named |= {f"texts.{j}.{part}": getattr(texts, part) for part in ("starts", "letters", "known")}
        return named | arrays | most | {"last": np.array([self.last], dtype=np.uint64)}

    @classmethod
    def from_arrays(cls, request: KeepRows, classes: Labels, arrays: Arrays) -> Self:
        names = tuple(Labels(arrays[f"names.{j}"]) for j in range(len(request.levels)))
        parts: dict[str, Any] = {part: arrays[part] for part in ("hashes", "y", "weights", "levels", "numbers")}
        texts = tuple(
            Texts(*(arrays[f"texts.{j}.{part}"] for part in ("starts", "letters", "known")))
            for j in range(len(request.texts))
        )
        last = int(arrays["last"][0])
        return cls(request, classes, last, names=names, most=arrays.get("most"), texts=texts, **parts)


R = TypeVar("R", bound=Rows)


def _united(one: R, other: R) -> tuple[R, R]:
    """Both over the same classes, names of levels, and range of hashes."""
    one, other = aligned(one, other)
    last = min(one.last, other.last)
    one, other = one.up_to(last), other.up_to(last)
    names = tuple(a | b for a, b in zip(one.names, other.names, strict=True))
    return _renamed(one, names), _renamed(other, names)


def _renamed(rows: R, names: tuple[Labels, ...]) -> R:
    levels = rows.levels.copy()
    for j, (ours, wider) in enumerate(zip(rows.names, names, strict=True)):
        if ours != wider:
            places = np.append(ours.places_in(wider), -1)  # −1 stays −1
            levels[:, j] = places[rows.levels[:, j]]
    return replace(rows, names=names, levels=levels)
