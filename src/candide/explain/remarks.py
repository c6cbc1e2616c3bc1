"""What a teacher would say about a derivation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from candide.explain import figures
from candide.explain.factors import Step

if TYPE_CHECKING:
    from candide.explain.derive import Derivation

SCORES = (
    "These are scores that rank the classes, not logarithms of probabilities; they are read as if they were, and leave "
    "the class prior out."
)
CALIBRATED = (
    "Calibrated on rows that were kept: what each column says is taken to the power of {}, and each class has a factor "
    "of its own, so that probabilities come true."
)
DECIMALS = (
    "Not every factor is a fraction (a density is none): the products are decimals, and only their ratios mean "
    "anything."
)
UNDEFINED = (
    "No class can have produced this row: every product is 0, and Bayes' theorem divides 0 by 0. Each 0 is read as a "
    "share too small to write down, so that the classes with the fewest zeros are left, and the rest of their factors "
    "decides. Smoothing, one virtual example of each level (Laplace), removes the question."
)


ZERO = (
    "Zero frequency: {}. A share of 0 rules a class out whatever the other columns say; one virtual example of each "
    "level (Laplace) would not."
)
SMOOTHED = "Never seen together, and yet not 0, for the sake of what was believed before: {}."


def added(derivation: Derivation, said: list[str]) -> Derivation:
    """The derivation with its remarks, and what else is to be said."""
    lines = [step.remark for step in derivation.steps if step.remark]
    for sentence, is_zero in ((ZERO, True), (SMOOTHED, False)):
        pairs = [_never(step, derivation.classes, is_zero) for step in derivation.steps]
        if any(pairs):
            lines.append(sentence.format(figures.some([pair for pair in pairs if pair], "; ")))
    if derivation.is_undefined:
        lines.append(UNDEFINED)
    if derivation.weights is None:
        lines.append(DECIMALS)
    if derivation.is_tie:
        names = " and ".join(figures.name(label) for label in derivation.best)
        lines.append(f"A tie of {names}: the answer is the first in class order, {figures.name(derivation.decision)}.")
    return replace(derivation, remarks=(*lines, *said))


def _never(step: Step, classes: Sequence[Any], is_zero: bool) -> str:
    """Which classes never had what the row has; nothing if all of them had."""
    pairs = zip(classes, step.factors, strict=True)
    names = [figures.name(label) for label, factor in pairs if factor.count == 0 and (factor.zeros > 0) == is_zero]
    return f"{step.event} with {figures.some(names, ' or ')}" if names else ""
