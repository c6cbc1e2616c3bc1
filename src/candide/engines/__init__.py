"""Where the data are: engines answer requests and sum scorecards."""

from candide.engines.memory import Memory

__all__ = ["Memory"]
