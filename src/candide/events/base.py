"""The contract of an event model."""

from __future__ import annotations

from typing import Any, Protocol

from candide.counts import ClassWeights, Columns
from candide.scorecard import Term


class Event(Protocol):
    """How the cells of some columns come about in a class.

    `needs` says what must be counted; `term` turns the counts into evidence, by way of a prior. Where the evidence is a
    score, no logarithm of a probability, the class says `is_log_joint = False`.
    """

    def needs(self, columns: Columns) -> Any:
        """The request that an engine must answer."""
        ...

    def term(self, statistic: Any, seen: ClassWeights) -> Term:
        """The evidence of these columns."""
        ...

    def parameters(self, statistic: Any) -> int:
        """How many free numbers the model has for these columns."""
        ...
