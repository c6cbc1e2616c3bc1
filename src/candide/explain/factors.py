"""P(cell | class) with the figures that it comes from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from candide.explain import figures
from candide.explain.exact import Virtual, as_written, log
from candide.scorecard import IMPOSSIBLE


@dataclass(frozen=True, slots=True)
class Factor:
    """One number of the product of one class: exact where it is a share of counts, else known by its logarithm.

    A share is (count + plus) / (total + under), to the power of `power` where a word occurs that often. `formula` is
    a density with its figures put in.
    """

    value: Fraction | None
    log: float
    count: Fraction | None = None
    total: Fraction | None = None
    plus: Fraction = Fraction(0)
    under: Fraction = Fraction(0)
    power: int = 1
    formula: str = ""

    @classmethod
    def exactly(cls, value: Fraction, power: int = 1, **numbers: Any) -> Factor:
        """`value` to the power of `power`; a zero counts as many times."""
        logarithm = power * log(value) if value else power * IMPOSSIBLE if power else 0.0
        return cls(value**power, max(logarithm, power * IMPOSSIBLE), power=power, **numbers)

    @classmethod
    def share(cls, value: Any, count: Any, total: Any, plus: Fraction, under: Fraction, power: int = 1) -> Factor:
        """A share with its counts, where they do make that share; without them where the belief has other ways."""
        if not isinstance(value, (Fraction, int)):
            value = as_written(value)
        n, out_of = as_written(count), as_written(total)
        if out_of + under and (n + plus) / (out_of + under) == value:
            return cls.exactly(Fraction(value), power, count=n, total=out_of, plus=plus, under=under)
        return cls.exactly(Fraction(value), power)

    @classmethod
    def density(cls, logarithm: float, formula: str) -> Factor:
        """Something that has no fraction."""
        return cls(None, float(logarithm), formula=formula)

    def to_the(self, power: float) -> Factor:
        """The factor to a power that is no whole number."""
        worked = self.written.rpartition(" = ")[0] or self.written
        return Factor.density(power * self.log, f"({worked})^{power:.4g}")

    @property
    def zeros(self) -> int:
        """How many factors of zero it is made of."""
        if self.value is not None:
            return self.power if self.value == 0 else 0
        return round(self.log / IMPOSSIBLE) if self.log <= IMPOSSIBLE else 0

    @property
    def number(self) -> float:
        """As a float; 0 if it is too small for one."""
        if self.value is not None:
            return float(self.value)
        return math.exp(self.log) if self.log < 700 else math.inf

    @property
    def short(self) -> str:
        """As it stands in the product."""
        return figures.fraction(self.value) or figures.decimal(self.number, self.log)

    @property
    def written(self) -> str:
        """As it is worked out: (3 + 1)/(5 + 3) = 1/2."""
        if self.count is None or self.total is None:
            return f"{self.formula} = {self.short}" if self.formula else self.short
        above = _sum(self.count, self.plus)
        worked = f"{above}/{_sum(self.total, self.under)}"
        worked = f"({worked})^{self.power}" if self.power != 1 else worked
        return worked if worked == self.short else f"{worked} = {self.short}"

    def json(self) -> dict[str, Any]:
        """Plain values; what smoothing added is `plus` above and `under` below."""
        counted = {"count": self.count, "total": self.total, "plus": self.plus, "under": self.under}
        counts = {key: figures.string(value) for key, value in counted.items() if self.count is not None}
        formula = {"formula": self.formula} if self.formula else {}
        power = {"power": self.power} if self.power != 1 else {}
        return {**figures.number(self.value, self.log, self.zeros), **counts, **power, **formula}


@dataclass(frozen=True, slots=True)
class Step:
    """One column: what was asked of every class, and the answers. A `silent` step is evidence for no class."""

    column: Any
    value: Any
    event: str
    factors: tuple[Factor, ...]
    remark: str = ""
    silent: bool = False

    @classmethod
    def nothing(cls, column: Any, value: Any, event: str, classes: int, remark: str) -> Step:
        """A column that does not enter the product."""
        return cls(column, value, event, (Factor.exactly(Fraction(1)),) * classes, remark, True)

    def to_the(self, power: float) -> Step:
        """The step with all its factors to that power; one to the power of 1, or one that says nothing, stays."""
        if self.silent or power == 1.0:
            return self
        return replace(self, factors=tuple(factor.to_the(power) for factor in self.factors))

    def json(self) -> dict[str, Any]:
        """Plain values, a factor a class."""
        factors = [factor.json() for factor in self.factors]
        column, value = figures.plain(self.column), figures.plain(self.value)
        return {"column": column, "value": value, "event": self.event, "factors": factors, "remark": self.remark}


def shares_of(
    virtual: Virtual, place: int, values: Iterable[Any], counts: Iterable[Any], totals: Iterable[Any], power: int = 1
) -> tuple[Factor, ...]:
    """A factor a class, from the shares that the event model has found."""
    plus, triples = virtual.plus(place), zip(values, counts, totals, strict=True)
    return tuple(Factor.share(value, n, total, plus, virtual.under, power) for value, n, total in triples)


def prior_of(belief: Any, weights: Any, values: Sequence[Any]) -> tuple[Factor, ...]:
    """P(class), each with the rows it comes from."""
    total, virtual = np.sum(weights), Virtual.of(belief, len(values))
    pairs = enumerate(zip(values, weights, strict=True))
    return tuple(Factor.share(value, n, total, virtual.plus(c), virtual.under) for c, (value, n) in pairs)


def _sum(counted: Fraction, more: Fraction) -> str:
    return f"({counted} + {more})" if more else str(counted) if counted.denominator == 1 else f"({counted})"
