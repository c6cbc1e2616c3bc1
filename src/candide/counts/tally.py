"""Everything that was counted about a labelled table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeVar, cast

from candide.counts.base import Statistic
from candide.counts.class_weights import ClassWeights
from candide.counts.requests import CountTokens
from candide.counts.tokens import Tokens
from candide.errors import MergeMismatch
from candide.labels import Labels

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """The weight of each class, and one statistic a request; all over the same classes.

    A tally is a value: `a + b` is what both saw, `a - b` takes b's rows away, `a * f` ages.
    """

    seen: ClassWeights
    statistics: Mapping[Any, Statistic]

    @property
    def classes(self) -> Labels:
        return self.seen.classes

    def __getitem__(self, request: Any) -> Any:
        """What was counted; of a part of the columns of a request, the part."""
        if request in self.statistics:
            return self.statistics[request]
        for held, statistic in self.statistics.items():
            if type(held) is type(request) and hasattr(statistic, "spanning"):
                return statistic.spanning(request)
        raise KeyError(request)

    def spanning(self, requests: Iterable[Any]) -> Self:
        """Over more columns, which nobody has seen yet: what was missing in every row."""
        return type(self)(self.seen, {request: self._like(request) for request in requests})

    def _like(self, request: Any) -> Any:
        for held, statistic in self.statistics.items():
            if type(held) is type(request):
                return statistic if held == request else cast(Any, statistic).spanning(request)
        if isinstance(request, CountTokens):  # the first column of texts may come late
            return Tokens.zero(request, self.classes)
        raise MergeMismatch.between(list(self.statistics), request)

    def in_order(self) -> Self:
        """The same counts in the one order that does not depend on what came first."""
        held = {request: one.sorted() if isinstance(one, Tokens) else one for request, one in self.statistics.items()}
        return type(self)(self.seen, held)

    def expired(self, least: float) -> Self:
        """Without words in texts of less weight than this."""
        return self._each(self.seen, lambda one: one.expired(least) if isinstance(one, Tokens) else one)

    def over(self, classes: Labels) -> Self:
        """The same counts, with room for more classes."""
        return self._each(self.seen.over(classes), lambda statistic: statistic.over(classes))

    def only(self, classes: Labels) -> Self:
        """The counts of some of the classes."""
        return self._each(self.seen.only(classes), lambda statistic: statistic.only(classes))

    def __add__(self, other: Self) -> Self:
        return self._both(other, lambda one, two: one + two)

    def __sub__(self, other: Self) -> Self:
        """What is left when the other's rows are taken away; classes that only they had go too."""
        rest = self._both(other, lambda one, two: one - two)
        theirs = other.seen.over(rest.classes).weights
        gone = (rest.seen.weights == 0) & (theirs > 0)
        return rest.only(rest.classes.pick(~gone)) if gone.any() else rest

    def __mul__(self, factor: float) -> Self:
        return self._each(self.seen * factor, lambda statistic: statistic * factor)

    def __rmul__(self, factor: float) -> Self:
        return self * factor

    def __radd__(self, other: object) -> Self:
        """`sum` starts from 0."""
        return from_nothing(self, other)

    def _each(self, seen: ClassWeights, change: Callable[[Any], Any]) -> Self:
        return type(self)(seen, {request: change(statistic) for request, statistic in self.statistics.items()})

    def _both(self, other: Self, join: Callable[[Any, Any], Any]) -> Self:
        if not isinstance(other, Tally):
            raise MergeMismatch.between("a tally", type(other).__name__)
        refuse_mixed(self.classes, other.classes)
        if self.statistics.keys() != other.statistics.keys():
            raise MergeMismatch.between(list(self.statistics), list(other.statistics))
        joined = {request: join(mine, other.statistics[request]) for request, mine in self.statistics.items()}
        seen = join(self.seen, other.seen)
        return type(self)(seen, {request: statistic.over(seen.classes) for request, statistic in joined.items()})

    def __repr__(self) -> str:
        pairs = zip(self.classes, self.seen.weights, strict=True)
        weights = ", ".join(f"{label}={weight:g}" for label, weight in pairs)
        return f"Tally({weights}; {', '.join(type(statistic).__name__ for statistic in self.statistics.values())})"


def from_nothing(counted: T, other: object) -> T:
    """0 + what was counted, which is where `sum` starts."""
    if isinstance(other, (int, float)) and other == 0:
        return counted
    raise MergeMismatch.between(type(other).__name__, f"a {type(counted).__name__.lower()}")


def refuse_mixed(one: Labels, other: Labels) -> None:
    """Classes named by strings here and by numbers there, such as "1" and 1, are hardly those of one question."""
    kinds = [{isinstance(label, str) for label in labels} for labels in (one, other)]
    if {True} in kinds and {False} in kinds:
        raise MergeMismatch(f"cannot join classes {one} and {other}: one side's are strings, the other's are not.")
