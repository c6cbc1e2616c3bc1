"""From sums to probabilities and decisions, and how good they were."""

from candide.posterior.calibrate import Calibration, calibrated
from candide.posterior.decide import abstain, best, cheapest, ties
from candide.posterior.folds import Folds
from candide.posterior.kinds import LogJoint, Posterior, Scores
from candide.posterior.measures import Report
from candide.posterior.reliability import Reliability
from candide.posterior.shift import shifted

__all__ = [
    "Calibration",
    "Folds",
    "LogJoint",
    "Posterior",
    "Reliability",
    "Report",
    "Scores",
    "abstain",
    "best",
    "calibrated",
    "cheapest",
    "shifted",
    "ties",
]
