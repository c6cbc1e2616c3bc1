"""What was seen: requests, the statistics that answer them, and the tally of a whole table."""

from candide.counts.base import Statistic
from candide.counts.class_weights import ClassWeights
from candide.counts.comoments import CoMoments
from candide.counts.counts import Counts
from candide.counts.moments import Moments
from candide.counts.requests import Columns, CountLevels, MeasureCoMoments, MeasureMoments, SumTotals
from candide.counts.tally import Tally
from candide.counts.totals import Totals

__all__ = [
    "ClassWeights",
    "CoMoments",
    "Columns",
    "CountLevels",
    "Counts",
    "MeasureCoMoments",
    "MeasureMoments",
    "Moments",
    "Statistic",
    "SumTotals",
    "Tally",
    "Totals",
]
