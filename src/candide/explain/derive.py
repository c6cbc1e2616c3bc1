"""One decision as a person derives it on paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from candide.counts import Columns, Tally
from candide.events import Event
from candide.explain import figures, paper, remarks
from candide.explain.block import Row
from candide.explain.columns import steps
from candide.explain.exact import exact, fractions, product
from candide.explain.factors import Factor, Step, prior_of
from candide.posterior import LogJoint, ties
from candide.priors import Belief, Given


@dataclass(frozen=True, slots=True)
class Derivation:
    """P(c | row) = P(c) Π P(cell | c) / Σ the same of every class, with every figure; sequences run over the classes.

    `weights` are the products and `shares` the posterior as fractions; both are None where a density, which has no
    fraction, is among the factors. `zeros` counts the factors of 0. Where every product is 0, the classes with the
    fewest zeros share the posterior by the products of their other factors.
    """

    target: str
    classes: tuple[Any, ...]
    prior: tuple[Factor, ...]
    steps: tuple[Step, ...]
    zeros: tuple[int, ...]
    weights: tuple[Fraction, ...] | None
    logs: tuple[float, ...]
    shares: tuple[Fraction, ...] | None
    posterior: tuple[float, ...]
    best: tuple[Any, ...]
    remarks: tuple[str, ...]

    @property
    def decision(self) -> Any:
        """The most probable class; the first in class order if several are."""
        return self.best[0]

    @property
    def is_tie(self) -> bool:
        """Whether several classes are the most probable."""
        return len(self.best) > 1

    @property
    def is_undefined(self) -> bool:
        """Whether no class can have produced the row: every product is 0, and 0/0 has no value."""
        return min(self.zeros) > 0

    def text(self, width: int = 100, most: int = 60) -> str:
        """Lines for a terminal; of more columns than `most` the weightiest are shown, and the rest as one."""
        return paper.text(self, width, most)

    def markdown(self, most: int = 60) -> str:
        """A table, a column a class."""
        return paper.markdown(self, most)

    def json(self) -> dict[str, Any]:
        """Everything as plain values: fractions are strings such as "5/14", logarithms are natural."""
        exact_weights = self.weights or (None,) * len(self.classes)
        exact_shares = self.shares or (None,) * len(self.classes)
        products = zip(exact_weights, self.logs, self.zeros, strict=True)
        posterior = zip(exact_shares, self.posterior, strict=True)
        return {
            "target": self.target,
            "classes": [figures.plain(label) for label in self.classes],
            "prior": [factor.json() for factor in self.prior],
            "columns": [step.json() for step in self.steps],
            "products": [figures.number(w, log, n) for w, log, n in products],
            "posterior": [{"fraction": figures.string(share), "decimal": p} for share, p in posterior],
            "decision": figures.plain(self.decision),
            "best": [figures.plain(label) for label in self.best],
            "tie": self.is_tie,
            "undefined": self.is_undefined,
            "remarks": list(self.remarks),
        }

    def __str__(self) -> str:
        return self.text()


def derive(
    tally: Tally,
    events: Mapping[Columns, Event],
    prior: Belief,
    row: Row,
    *,
    target: Any = "class",
    temperature: float = 1.0,
    biases: Any = None,
    note: str = "",
    errata: Iterable[str] = (),
) -> Derivation:
    """The derivation of one row, a mapping of columns to values, from what was counted and believed.

    Shares of counts are exact fractions, densities decimals. `note` and `errata` join the remarks. `temperature` and
    `biases` (a logarithm a class) are those of a calibrated model: each column's factors are taken to that power, and
    one more factor a class comes last.

    >>> from candide.classifier import learn
    >>> from candide.data import Table
    >>> from candide.events import Categorical
    >>> days = Table.of("sky play", [("sun", "no"), ("sun", "yes"), ("rain", "yes")], target="play")
    >>> model = learn({("sky",): Categorical()}, days)
    >>> print(derive(model.tally, model.events, model.prior, {"sky": "rain"}, target="play"))
    P(no)            = 1/3                     P(yes)            = 2/3
    P(sky=rain | no) = (0 + 1)/(1 + 2) = 1/3   P(sky=rain | yes) = (1 + 1)/(2 + 2) = 1/2
    <BLANKLINE>
    P(no) · Π  = 1/3 · 1/3 = 1/9 = 0.1111
    P(yes) · Π = 2/3 · 1/2 = 1/3 = 0.3333
    <BLANKLINE>
    P(no | row)  = (1/9) / (1/9 + 1/3) = 1/4 = 0.2500000
    P(yes | row) = (1/3) / (1/9 + 1/3) = 3/4 = 0.7500000
    play = yes
    <BLANKLINE>
    * Never seen together, and yet not 0, for the sake of what was believed before: sky=rain with no.
    """
    blocks = ((names, event, tally[event.needs(names)]) for names, event in events.items())
    worked = tuple(step for names, event, seen in blocks for step in steps(names, event, seen, tally.seen, row))
    is_log_joint = all(getattr(event, "is_log_joint", True) for event in events.values())
    shares = _class_prior(tally, prior, is_log_joint)
    said = [*(() if is_log_joint else (remarks.SCORES,)), *errata, *([note] if note else [])]
    if temperature != 1.0 or np.any(biases):
        worked = (*(step.to_the(temperature) for step in worked), *_biased(biases))
        said.append(remarks.CALIBRATED.format(f"{temperature:.4g}"))
    return _multiplied(str(target), tally, shares, worked, said)


def _biased(biases: Any) -> tuple[Step, ...]:
    """What calibration, or another class prior, multiplies each class by."""
    if not np.any(biases):
        return ()
    factors = tuple(Factor.density(float(part), f"e^{part:.6g}") for part in biases)
    return (Step("calibration", None, "calibration", factors),)


def _class_prior(tally: Tally, prior: Belief, is_log_joint: bool) -> tuple[Factor, ...]:
    """P(class); scores leave it out unless it was given, as the model does."""
    weights = fractions(tally.seen.weights)
    if not is_log_joint and len(weights) > 1 and not isinstance(prior, Given):
        none_at_all = not any(weights)
        return tuple(Factor.exactly(Fraction(int(none_at_all or n > 0))) for n in weights)
    believed = exact(prior)
    return prior_of(believed, weights, believed.mean(weights, weights.sum(), len(weights)))


def _multiplied(
    target: str, tally: Tally, prior: tuple[Factor, ...], worked: tuple[Step, ...], said: list[str]
) -> Derivation:
    """Multiply, add up, divide."""
    factors = list(zip(prior, *(step.factors for step in worked), strict=True))
    zeros = tuple(sum(factor.zeros for factor in column) for column in factors)
    logs = np.array([[sum(factor.log for factor in column) for column in factors]])
    weights, shares, posterior = None, None, LogJoint(tally.classes, logs).posterior().values[0]
    if all(factor.value is not None for column in factors for factor in column):
        weights = tuple(product(factor.value or Fraction(0) for factor in column) for column in factors)
        shares = _normalised(factors, zeros)
        posterior = np.array([float(share) for share in shares])
    classes, joint = tuple(tally.classes), tuple(map(float, logs[0]))
    top = tuple(label for label, is_top in zip(classes, ties(logs)[0], strict=True) if is_top)
    derivation = Derivation(
        target, classes, prior, worked, zeros, weights, joint, shares, tuple(map(float, posterior)), top, ()
    )
    return remarks.added(derivation, said)


def _normalised(factors: list[tuple[Factor, ...]], zeros: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Each product as a share of their sum; of the classes with the fewest zeros, if none has none."""
    least = min(zeros)
    rest = [
        product(factor.value for factor in column if factor.value) if n == least else Fraction(0)
        for column, n in zip(factors, zeros, strict=True)
    ]
    total = sum(rest)
    return tuple(weight / total for weight in rest)
