"""A matrix of features with labels: dense or sparse rows of numbers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from candide.data.columns import Encoded, as_strings, encoded
from candide.errors import BadShape, BadValue, NotSupported, UnknownColumn
from candide.labels import Labels, is_missing

NO_CLASSES = Labels.of([])
NO_CODES = np.zeros(0, dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """X is a 2-D array or a CSR matrix; column names are 0, 1, 2, … unless given.

    Columns are found by name, so X may have more of them than a model asks for.
    """

    X: Any
    classes: Labels = field(default_factory=lambda: NO_CLASSES)
    y: NDArray[Any] = field(default_factory=lambda: NO_CODES)
    weights: NDArray[Any] | None = None
    columns: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.X, np.ndarray) or (is_sparse(self.X) and self.X.format == "csr")) or self.X.ndim != 2:
            raise BadShape(f"X is a 2-D array or a CSR matrix (X.tocsr()), not {_described(self.X)}.")
        if self.columns is not None and len(self.columns) != self.X.shape[1]:
            raise BadShape(f"X has {self.X.shape[1]} columns, and there are {len(self.columns)} names for them.")

    @property
    def n_rows(self) -> int:
        return int(self.X.shape[0])

    @property
    def is_numeric(self) -> bool:
        return self.X.dtype.kind in "iufb"

    def numbers(self, columns: Sequence[Any]) -> Any:
        if not self.is_numeric:
            raise BadValue(f"X holds {self.X.dtype}, not numbers; make it an array of numbers, or count its levels.")
        return self._cells(columns)

    def values(self, column: Any) -> NDArray[Any]:
        if is_sparse(self.X):
            raise NotSupported("a sparse matrix has no levels to be counted; make it dense: X.toarray().")
        if isinstance(column, tuple):
            cells = np.empty(self.n_rows, dtype=object)
            cells[:] = [None if any(map(is_missing, row)) else tuple(row) for row in self._cells(column).tolist()]
            return cells
        return np.asarray(self._cells([column])[:, 0])

    def encoded(self, column: Any) -> Encoded:
        return encoded(self.values(column))

    def texts(self, column: Any) -> Any:
        return as_strings(column, self.values(column))

    def take(self, rows: NDArray[Any]) -> Self:
        y = self.y[rows] if len(self.y) else self.y
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, X=self.X[rows], y=y, weights=weights)

    def _cells(self, columns: Sequence[Any]) -> Any:
        places = self._places(columns)
        return self.X if places is None else self.X[:, places]

    def _names(self) -> Sequence[Any]:
        return range(self.X.shape[1]) if self.columns is None else self.columns

    def _places(self, columns: Sequence[Any]) -> list[int] | None:
        """Where the columns stand; None if they are all of them in order."""
        names = self._names()
        if columns == names:
            return None
        place = {name: j for j, name in enumerate(names)}
        for name in columns:
            if name not in place:
                raise UnknownColumn.named(name, "the matrix", names)
        return [place[name] for name in columns]


def _described(X: Any) -> str:
    return f"a {type(X).__name__} of shape {X.shape}" if hasattr(X, "shape") else f"a {type(X).__name__}"


def is_sparse(X: Any) -> bool:
    """Whether a matrix is stored by its non-zero cells."""
    sparse = sys.modules.get("scipy.sparse")  # where nobody has imported it, nothing is of its types
    return sparse is not None and bool(sparse.issparse(X))
