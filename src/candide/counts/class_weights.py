"""How much of each class was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from candide.counts.base import (
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
from candide.labels import Labels


@dataclass(frozen=True, slots=True, eq=False)
class ClassWeights:
    """`weights[c]` = number of rows of class c, or the sum of their weights.

    `most[c]` is the most it ever was, once fractions have been taken away: that is what its roundings are a share of.
    """

    classes: Labels
    weights: Floats
    most: Floats | None = None

    def __post_init__(self) -> None:
        freeze(self, weights=frozen(self.weights))

    @property
    def request(self) -> None:
        """Class weights are always counted; nobody has to ask."""
        return None

    @classmethod
    def zero(cls, classes: Labels) -> Self:
        return cls(classes, np.zeros(len(classes)))

    def over(self, classes: Labels) -> Self:
        most = None if self.most is None else spread(self.most, self.classes, classes)
        return type(self)(classes, spread(self.weights, self.classes, classes), most)

    def only(self, classes: Labels) -> Self:
        rows = classes.places_in(self.classes)
        return type(self)(classes, self.weights[rows], None if self.most is None else self.most[rows])

    def __add__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        return type(self)(one.classes, one.weights + two.weights, heaviest_of_both(one.most, two.most))

    def __sub__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        left, short = taken(one.weights, two.weights, one.most)
        if short.any():
            c = int(np.flatnonzero(short)[0])
            raise refuse("weight", one.classes[c], None, one.weights[c], two.weights[c])
        return type(self)(one.classes, left, heaviest(one.weights, two.weights, one.most))

    def __mul__(self, factor: float) -> Self:
        factor = checked_factor(factor)
        return type(self)(self.classes, self.weights * factor, None if self.most is None else self.most * factor)

    def to_arrays(self) -> Arrays:
        return {"weights": self.weights} | ({} if self.most is None else {"most": self.most})

    @classmethod
    def from_arrays(cls, request: None, classes: Labels, arrays: Arrays) -> Self:
        return cls(classes, arrays["weights"], arrays.get("most"))
