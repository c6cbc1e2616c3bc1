"""How often each word occurs in the texts of each class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from candide.counts.bag import Bag
from candide.counts.base import Arrays, aligned, checked_factor
from candide.counts.requests import CountTokens
from candide.labels import Labels


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Tokens:
    """A bag of words for each column of texts.

    Words are unitable: a sum has the words of both sides. With `most` words asked for, those that fewest documents have
    go when there are more; what is left is then exact of the words that never left.
    """

    request: CountTokens
    classes: Labels
    bags: tuple[Bag, ...]

    @classmethod
    def zero(cls, request: CountTokens, classes: Labels) -> Self:
        return cls(request, classes, (Bag.none(len(classes)),) * len(request.columns))

    def over(self, classes: Labels) -> Self:
        if classes == self.classes:
            return self
        return self._each(classes, lambda bag: bag.over(self.classes, classes))

    def only(self, classes: Labels) -> Self:
        places = classes.places_in(self.classes)
        return self._each(classes, lambda bag: bag.only(places))

    def spanning(self, request: CountTokens) -> Self:
        """Over other columns: what was seen of them."""
        none, place = Bag.none(len(self.classes)), {name: j for j, name in enumerate(self.request.columns)}
        bags = tuple(self.bags[place[name]] if name in place else none for name in request.columns)
        return type(self)(request, self.classes, bags)

    def __add__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        bags = [a + b for a, b in zip(one.bags, two.bags, strict=True)]
        most = one.request.most
        return type(self)(one.request, one.classes, tuple(bag if most is None else bag.bounded(most) for bag in bags))

    def __sub__(self, other: Self) -> Self:
        one, two = aligned(self, other)
        triples = zip(one.bags, two.bags, one.request.columns, strict=True)
        return type(self)(one.request, one.classes, tuple(a.less(b, one.classes, name) for a, b, name in triples))

    def __mul__(self, factor: float) -> Self:
        factor = checked_factor(factor)
        return self._each(self.classes, lambda bag: bag * factor)

    def sorted(self) -> Self:
        """The same with words and pairs in the order of their bytes."""
        return self._each(self.classes, lambda bag: bag.sorted())

    def expired(self, least: float) -> Self:
        """Without the words that come in documents of less weight than this."""
        return self._each(self.classes, lambda bag: bag.expired(least))

    def _each(self, classes: Labels, change: Callable[[Bag], Bag]) -> Self:
        return type(self)(self.request, classes, tuple(map(change, self.bags)))

    def to_arrays(self) -> Arrays:
        return {f"{j}.{name}": array for j, bag in enumerate(self.bags) for name, array in bag.to_arrays().items()}

    @classmethod
    def from_arrays(cls, request: CountTokens, classes: Labels, arrays: Arrays) -> Self:
        bags = []
        for j in range(len(request.columns)):
            own = {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith(f"{j}.")}
            bags.append(Bag.from_arrays(own))
        return cls(request, classes, tuple(bags))
