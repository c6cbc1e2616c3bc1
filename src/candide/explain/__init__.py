"""Why: the evidence behind a decision, and its derivation on paper."""

from candide.explain.derive import Derivation, derive
from candide.explain.evidence import Evidence
from candide.explain.factors import Factor, Step
from candide.explain.linear import linear_weights

__all__ = ["Derivation", "Evidence", "Factor", "Step", "derive", "linear_weights"]
