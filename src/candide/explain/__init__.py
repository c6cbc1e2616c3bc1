"""Why: the evidence behind a decision, its derivation on paper, and pictures."""

from candide.explain.derive import Derivation, derive
from candide.explain.evidence import Evidence
from candide.explain.factors import Factor, Step
from candide.explain.linear import linear_weights
from candide.explain.profile import Profile, profiles
from candide.explain.telling import telling
from candide.explain.words import TextEvidence, Word

__all__ = [
    "Derivation",
    "Evidence",
    "Factor",
    "Profile",
    "Step",
    "TextEvidence",
    "Word",
    "derive",
    "linear_weights",
    "profiles",
    "telling",
]
