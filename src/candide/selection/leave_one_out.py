"""Every sampled row as if it had never been counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from candide.counts import ClassWeights, Rows
from candide.priors import Belief
from candide.scorecard import Floats, safe_log


def left_out(models: Iterable[tuple[Any, Any]], prior: Belief, seen: ClassWeights, rows: Rows) -> tuple[Floats, Floats]:
    """Evidence and log prior of every row and class under (event, statistic) pairs.

    Each row's own weight, 1 at most, is taken from all counts. That is equal to what the model says of the row when it
    is fitted without it, with the same bins and the same prior.
    """
    k = len(seen.classes)
    rows = rows.over(seen.classes)
    evidence = np.zeros((len(rows), k))
    for event, statistic in models:
        evidence += event.left_out(statistic, seen, rows)
    weights = np.repeat(seen.weights[None], len(rows), axis=0)
    weights[np.arange(len(rows)), rows.y] -= np.minimum(rows.weights, 1.0)
    different, places = np.unique(np.maximum(weights, 0.0), axis=0, return_inverse=True)
    shares = np.stack([prior.mean(one, one.sum(), k) for one in different]) if len(rows) else weights
    return evidence, safe_log(shares)[places.reshape(-1)]
