"""No independence at all: every combination of values counted for itself."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from candide.counts import ClassWeights, Columns, CountLevels, Counts
from candide.errors import UndefinedPosterior
from candide.scorecard import Lookup, safe_log


@dataclass(frozen=True, slots=True)
class FullJoint:
    """P̂(y | x) = #(x, y) / #(x): what naive Bayes is a remedy for.

    A combination that no row had makes it 0/0. With unseen="error" that is said; with unseen="prior" such a row gets
    the class prior.
    """

    unseen: Literal["error", "prior"] = "error"

    def needs(self, columns: Columns) -> CountLevels:
        return CountLevels((tuple(columns),))

    def term(self, statistic: Counts, seen: ClassWeights) -> Lookup:
        rows = np.where(seen.weights > 0, seen.weights, 1.0)
        table = safe_log(statistic.tables[0] / rows)
        unseen = np.full((1, len(rows)), np.nan if self.unseen == "error" else 0.0)
        return Lookup(statistic.request.columns, statistic.levels, (table,), unseen)

    def posterior(self, statistic: Counts, row: tuple[Any, ...]) -> dict[Any, Fraction]:
        """The exact share of each class among the rows equal to this one."""
        place = int(statistic.levels[0].codes([row])[0])
        if place < 0:
            raise UndefinedPosterior(
                f"{row!r} was never seen, so #(x, y) / #(x) is 0/0; use an independence assumption, or unseen='prior'."
            )
        counts = [Fraction(float(n)) for n in statistic.tables[0][place]]
        return {label: n / sum(counts) for label, n in zip(statistic.classes, counts, strict=True)}

    def parameters(self, statistic: Counts) -> int:
        """Combinations less one, a class: with the class prior, Π values · C − 1 if every level was seen."""
        columns = list(zip(*statistic.levels[0], strict=True))
        combinations = int(np.prod([len(set(values)) for values in columns])) if columns else 0
        return (combinations - 1) * len(statistic.classes)
