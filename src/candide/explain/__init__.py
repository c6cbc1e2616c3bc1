"""Why: the evidence behind a decision."""

from candide.explain.evidence import Evidence
from candide.explain.linear import linear_weights

__all__ = ["Evidence", "linear_weights"]
