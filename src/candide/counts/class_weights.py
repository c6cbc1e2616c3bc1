"""How much of each class was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from candide.counts.base import Arrays, Floats, aligned, checked_factor, freeze, frozen, refuse, spread, taken
from candide.labels import Labels


@dataclass(frozen=True, slots=True, eq=False)
class ClassWeights:
    """`weights[c]` = number of rows of class c, or the sum of their weights."""

    classes: Labels
    weights: Floats

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
        return type(self)(classes, spread(self.weights, self.classes, classes))

    def only(self, classes: Labels) -> Self:
        return type(self)(classes, self.weights[classes.places_in(self.classes)])

    def __add__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        return type(self)(one.classes, one.weights + two.weights)

    def __sub__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        left, short = taken(one.weights, two.weights)
        if short.any():
            c = int(np.flatnonzero(short)[0])
            raise refuse("weight", one.classes[c], None, one.weights[c], two.weights[c])
        return type(self)(one.classes, left)

    def __mul__(self, factor: float) -> Self:
        return type(self)(self.classes, self.weights * checked_factor(factor))

    def to_arrays(self) -> Arrays:
        return {"weights": self.weights}

    @classmethod
    def from_arrays(cls, request: None, classes: Labels, arrays: Arrays) -> Self:
        return cls(classes, arrays["weights"])
