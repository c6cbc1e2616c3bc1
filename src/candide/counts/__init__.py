"""What was seen: requests, the statistics that answer them, and the tally of a whole table."""

from candide.counts.base import Statistic
from candide.counts.cells import Cells
from candide.counts.class_weights import ClassWeights
from candide.counts.comoments import CoMoments
from candide.counts.counts import Counts
from candide.counts.moments import Moments
from candide.counts.requests import (
    Columns,
    CountCells,
    CountLevels,
    CountTokens,
    KeepRows,
    MeasureCoMoments,
    MeasureMoments,
    SumTotals,
)
from candide.counts.rows import Rows
from candide.counts.tally import Tally
from candide.counts.tokens import Tokens
from candide.counts.totals import Totals

__all__ = [
    "Cells",
    "ClassWeights",
    "CoMoments",
    "Columns",
    "CountCells",
    "CountLevels",
    "CountTokens",
    "Counts",
    "KeepRows",
    "MeasureCoMoments",
    "MeasureMoments",
    "Moments",
    "Rows",
    "Statistic",
    "SumTotals",
    "Tally",
    "Tokens",
    "Totals",
]
