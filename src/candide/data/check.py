"""What a kernel must be sure of before it writes where the labels say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.data.matrix import Matrix, is_sparse
from candide.data.source import Source
from candide.errors import AmbiguousColumn, BadLabels, BadShape, BadWeights
from candide.labels import Labels

HEAVIEST = 1e150  # weights in all; times squares of cells, they must still be numbers


def refuse_malformed(source: Source) -> None:
    """Labels one a row and among the classes, weights that are numbers of repetitions, cells where rows say."""
    n, y, k = source.n_rows, source.y, len(source.classes)
    if n and not k:
        raise BadLabels(
            "the rows have no labels to learn from; name the column that holds them: Table.of(..., target=)."
        )
    if not isinstance(y, np.ndarray) or not isinstance(source.classes, Labels):
        raise BadLabels("classes are Labels, and y is an array of places among them; Labels.encode gives both.")
    if y.shape != (n,):
        raise BadLabels(f"y is one label a row: {n} rows, but y has the shape {y.shape}.")
    if n and (y.dtype.kind not in "iu" or y.min() < 0 or y.max() >= k):
        found = f"{y.min()} to {y.max()}" if y.dtype.kind in "iu" else str(y.dtype)
        raise BadLabels(
            f"y holds places among the {k} classes, 0 to {k - 1}, not {found}; Labels.encode gives classes and places."
        )
    if source.weights is not None:
        if not isinstance(source.weights, np.ndarray):
            raise BadWeights(f"weights are an array of numbers of repetitions, not a {type(source.weights).__name__}.")
        _repetitions(source.weights, n)
    if isinstance(source, Matrix):
        _refuse_malformed_matrix(source)


def checked_weights(weights: Any, n_rows: int) -> NDArray[np.float64]:
    """One number of repetitions a row, and not of every row none."""
    numbers = _repetitions(weights, n_rows)
    refuse_weights(numbers)
    return numbers


def _repetitions(weights: Any, n_rows: int) -> NDArray[np.float64]:
    try:
        numbers = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadWeights(f"weights are numbers of repetitions, one a row, not {weights!r}.") from None
    if numbers.shape != (n_rows,):
        raise BadWeights(f"weights are one number a row: {n_rows} rows, but weights of the shape {numbers.shape}.")
    strange = np.flatnonzero(~np.isfinite(numbers))
    if len(strange):
        raise BadWeights(f"a weight is a finite number of repetitions, not {numbers[strange[0]]} (row {strange[0]}).")
    _refuse_amounts(numbers)
    return numbers


def refuse_weights(weights: NDArray[np.float64]) -> None:
    """Say which of these numbers are no repetitions, or that there are none."""
    _refuse_amounts(weights)
    if len(weights) and not weights.any():
        raise BadWeights("Sample weights are all zero: there is nothing to learn from.")


def _refuse_amounts(weights: NDArray[np.float64]) -> None:
    if weights.max(initial=0.0) > HEAVIEST / max(1, len(weights)):
        raise BadWeights(f"sample weights of {weights.max():g} add up to more than can be counted; scale them down.")
    if (weights < 0).any():
        raise BadWeights(f"a sample weight is a number of repetitions, not {weights.min():g}; see forget.")


def refuse_twins(names: Sequence[Any], where: str) -> None:
    """A name stands for one column."""
    if len(set(names)) < len(names):
        raise AmbiguousColumn.among(names, where)


def _refuse_malformed_matrix(source: Matrix) -> None:
    if source.columns is not None:
        refuse_twins(source.columns, "the matrix")
    if is_sparse(source.X):
        try:
            source.X.check_format(full_check=True)
        except ValueError as error:
            raise BadShape(f"the CSR matrix does not hold together: {error}.") from None
