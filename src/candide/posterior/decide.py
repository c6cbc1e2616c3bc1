"""From scores to a class. The first class in class order wins a tie."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from candide.kernels import for_work
from candide.scorecard import Floats

# Equal sums, added in another order, differ in their last digits: a tie is that much of the numbers added (`size`).
TIE = 64 * float(np.finfo(float).eps)


def best(scores: Floats, size: float = 1.0, places: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """The place of each row's class: the first whose score is the highest, or as good as."""
    places = np.empty(len(scores), dtype=np.int64) if places is None else places
    for_work(scores.size).first_best(scores, TIE, size, places)
    return places


def ties(scores: Floats, size: float = 1.0) -> NDArray[np.bool_]:
    """Which classes share the highest score of their row; True in more than one place is a tie."""
    top = scores.max(axis=1, keepdims=True)
    return np.asarray((scores >= top - TIE * np.maximum(size, np.abs(top))) & (scores > -np.inf))
