"""From sums to probabilities and decisions."""

from candide.posterior.calibrate import Calibration, calibrated
from candide.posterior.decide import best, ties
from candide.posterior.kinds import LogJoint, Posterior, Scores

__all__ = ["Calibration", "LogJoint", "Posterior", "Scores", "best", "calibrated", "ties"]
