"""Why: the evidence behind a decision, and pictures of it."""

from candide.explain import pictures
from candide.explain.evidence import Evidence
from candide.explain.linear import linear_weights

__all__ = ["Evidence", "linear_weights", "pictures"]
