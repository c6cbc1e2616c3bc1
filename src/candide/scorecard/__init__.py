"""What a model adds up for a row."""

from candide.scorecard.card import (
    IMPOSSIBLE,
    SAME,
    Floats,
    FullQuadratic,
    Linear,
    Lookup,
    Quadratic,
    Scorecard,
    Slopes,
    Steps,
    StudentT,
    Term,
    by_column,
    log_shares,
    price,
    safe_log,
)
from candide.scorecard.words import WordSum

__all__ = [
    "IMPOSSIBLE",
    "SAME",
    "Floats",
    "FullQuadratic",
    "Linear",
    "Lookup",
    "Quadratic",
    "Scorecard",
    "Slopes",
    "Steps",
    "StudentT",
    "Term",
    "WordSum",
    "by_column",
    "log_shares",
    "price",
    "safe_log",
]
