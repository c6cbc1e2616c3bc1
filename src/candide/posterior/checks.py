"""Whether arrays can hold probabilities, places of true classes, and weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from candide.errors import BadLabels, BadProbabilities, BadWeights
from candide.scorecard import Floats

# Rows of float32 add to 1 only to about this.
SLACK = 1e-5


def checked_probabilities(values: ArrayLike, classes: int | None = None) -> Floats:
    """`values` as doubles, a row a row and a column a class, once it is sure that each row adds to 1."""
    try:
        table = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadProbabilities(
            f"probabilities must be numbers, a row a row and a column a class; got {values!r:.60}."
        ) from None
    if table.ndim != 2 or (classes is not None and table.shape[1] != classes):
        wanted = "(rows, classes)" if classes is None else f"(rows, {classes})"
        raise BadProbabilities(f"probabilities must be an array of shape {wanted}; this one has {table.shape}.")
    if not len(table):
        return table
    with np.errstate(invalid="ignore"):  # ∞ − ∞ is not 1 either
        sums = table.sum(axis=1)
    wrong = ~((table >= -SLACK).all(axis=1) & (np.abs(sums - 1) <= SLACK))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        shown = ", ".join(f"{p:g}" for p in table[row, :8]) + (", …" if table.shape[1] > 8 else "")
        raise BadProbabilities(
            f"row {row} is no distribution over classes: it holds {shown} and adds to {sums[row]:g}. "
            "Probabilities are 0 or more and add to 1; scores must be normalised first."
        )
    return table


def checked_truth(truth: ArrayLike, rows: int, classes: int) -> NDArray[np.int64]:
    """`truth` as places among the classes, one a row."""
    places = np.asarray(truth)
    if places.shape != (rows,):
        raise BadLabels(f"there are {rows} rows of probabilities, but true classes of shape {places.shape}.")
    if rows and places.dtype.kind not in "iub":
        raise BadLabels(
            f"true classes are given by their places, 0 to {classes - 1} (Labels.codes); got {places[0]!r}."
        )
    wrong = (places < 0) | (places >= classes) if rows else np.zeros(0, bool)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise BadLabels(
            f"the true class of row {row} has place {places[row]}, and places go from 0 to {classes - 1}: it is none "
            "of the classes (−1 stands for a label unknown to them). Leave such rows out, or add the class with a "
            "column of probability 0."
        )
    return places.astype(np.int64)


def checked_weights(weights: ArrayLike | None, rows: int) -> Floats:
    """The weight of each row, 1 if none are given."""
    if weights is None:
        return np.ones(rows)
    try:
        w = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadWeights(f"weights must be numbers, one a row; got {weights!r:.60}.") from None
    if w.shape != (rows,):
        raise BadWeights(f"there are {rows} rows of probabilities, but weights of shape {w.shape}.")
    if not np.isfinite(w).all() or (w < 0).any():
        row = int(np.flatnonzero(~(np.isfinite(w) & (w >= 0)))[0])
        raise BadWeights(f"the weight of row {row} is {w[row]}; weights are finite and 0 or more.")
    return w
