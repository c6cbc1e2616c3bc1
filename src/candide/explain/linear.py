"""The plane between two classes, where there is one."""

from __future__ import annotations

import numpy as np

from candide.errors import NotLinear
from candide.scorecard import Floats, Linear, Scorecard, Term


def linear_weights(scorecard: Scorecard) -> tuple[Floats, float]:
    """w and b with log P(second | x) / P(first | x) = w·x + b, of a model of two classes.

    For yes-or-no columns x is 1[cell > threshold].
    """
    if len(scorecard.classes) != 2:
        raise NotLinear(f"w and b part two classes; the model has {len(scorecard.classes)}.")
    weights = []
    for term in scorecard.terms:
        planes = term.linear()
        if planes is None:
            raise NotLinear(
                f"{type(term).__name__} evidence is not linear in x here: share the variance between the classes, or "
                "count yes and no (Bernoulli) instead of levels."
            )
        weights.append(planes[:, 1] - planes[:, 0])
    origin = [term.parts(_nothing(term)).sum(axis=1)[0] for term in scorecard.terms]
    at_zero = scorecard.start + sum(origin, np.zeros(2))
    return np.concatenate(weights), float(at_zero[1] - at_zero[0])


def _nothing(term: Term) -> Floats:
    """A row of zeros, or of noes."""
    no = term.above if isinstance(term, Linear) and term.above is not None else 0.0
    return np.full((1, len(term.columns)), no)
