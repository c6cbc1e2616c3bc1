"""A number with few different values, each a level of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from candide.counts import Cells, ClassWeights, Columns, CountCells, CountLevels, Counts, Rows
from candide.events.categorical import Categorical
from candide.labels import Labels
from candide.priors import Belief, MEstimate
from candide.scorecard import Floats, Lookup


@dataclass(frozen=True, slots=True)
class FewValues:
    """`Categorical` on the values of numeric columns: P(x = v | c) = (n_vc + a) / (n_c + aJ).

    Where there were too many values to count each, a level is a cell of neighbouring ones.
    """

    prior: Belief = MEstimate(1)

    def needs(self, columns: Columns) -> CountCells:
        return CountCells(columns)

    def levels(self, statistic: Cells) -> Counts:
        """The cells as levels, each named by its least value."""
        columns = range(len(statistic.keys))
        names = tuple(Labels(statistic.edges(j)[0]) for j in columns)
        return Counts(CountLevels(statistic.request.columns), statistic.classes, names, statistic.tables)

    def term(self, statistic: Cells, seen: ClassWeights) -> Lookup:
        return Categorical(self.prior).term(self.levels(statistic), seen)

    def left_out(self, statistic: Cells, seen: ClassWeights, rows: Rows) -> Floats:
        """The sum of the evidence of each row's cells, as if the row had never been counted."""
        counts, out = self.levels(statistic), np.zeros((len(rows), len(statistic.classes)))
        for j, name in enumerate(statistic.request.columns):
            x = rows.numbers[:, list(rows.request.numbers).index(name)]
            codes = counts.levels[j].codes(x)
            known = np.flatnonzero(codes >= 0)
            part = Categorical(self.prior).one_left_out(counts, j, codes[known], rows.y[known], rows.weights[known])
            out[known] += part
        return out

    def parameters(self, statistic: Cells) -> int:
        """J − 1 free probabilities a column and class."""
        return Categorical(self.prior).parameters(self.levels(statistic))
