"""Yes or no."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.counts import ClassWeights, Columns, SumTotals, Totals
from candide.errors import BadValue
from candide.priors import Belief, Dirichlet
from candide.scorecard import Linear, safe_log


@dataclass(frozen=True, slots=True)
class Bernoulli:
    """P(x = 1 | c) = (n₁ + a) / (n + a + b). Absence is evidence too: a no contributes log(1 − p).

    A cell is a yes if it is greater than `above`; with `above=None` cells are taken as they are, 0 or 1.
    """

    prior: Belief = Dirichlet(1)
    above: float | None = 0.0

    def needs(self, columns: Columns) -> SumTotals:
        return SumTotals(columns, self.above)

    def shares(self, yes: Any, rows: Any) -> Any:
        """P(no) and P(yes) along the last axis, of columns with that many yes among so many rows."""
        rows, yes = np.asarray(rows), np.asarray(yes)
        return self.prior.mean(np.stack([rows - yes, yes], axis=-1), rows[..., None] if rows.ndim else rows[()], 2)

    def term(self, statistic: Totals, seen: ClassWeights) -> Linear:
        _refuse_more_than_one_a_row(statistic, seen)
        logs = np.empty((2, *statistic.sums.shape))
        for c, (yes, rows) in enumerate(zip(statistic.sums, seen.weights, strict=True)):
            logs[:, c] = safe_log(self.shares(np.minimum(yes, rows), rows)).T
        no, yes = logs
        return Linear(statistic.request.columns, np.ascontiguousarray((yes - no).T), no.sum(axis=1), self.above)

    def parameters(self, statistic: Totals) -> int:
        """One probability a column and class."""
        return int(statistic.sums.size)


def _refuse_more_than_one_a_row(statistic: Totals, seen: ClassWeights) -> None:
    over = statistic.sums > seen.weights[:, None] * (1 + 1e-9) + 1e-300
    if over.any():
        c, j = np.argwhere(over)[0]
        raise BadValue(
            f"column {statistic.request.columns[j]!r} adds up to {statistic.sums[c, j]:g} in {seen.weights[c]:g} rows "
            f"of class {statistic.classes[c]!r}: a Bernoulli cell is 0 or 1. Give a threshold (binarize=0.0)."
        )
