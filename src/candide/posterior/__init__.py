"""From sums to probabilities and decisions."""

from candide.posterior.decide import best, ties
from candide.posterior.kinds import LogJoint, Posterior, Scores

__all__ = ["LogJoint", "Posterior", "Scores", "best", "ties"]
