"""The data of the benchmarks, made from fixed seeds."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse


@dataclass(frozen=True, slots=True)
class Problem:
    """A labelled matrix."""

    X: np.ndarray | sparse.csr_matrix
    y: np.ndarray

    @property
    def nbytes(self) -> int:
        """The size of the input, labels included."""
        parts = (self.X.data, self.X.indices, self.X.indptr) if sparse.issparse(self.X) else (self.X,)
        return sum(part.nbytes for part in parts) + self.y.nbytes


def normal(rows: int, columns: int, classes: int, dtype: type = np.float64) -> Problem:
    """Columns around a mean and with a spread of their own in each class, overlapping enough to be uncertain."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, rows)
    X = rng.standard_normal((rows, columns), dtype=dtype)
    means = (rng.standard_normal((classes, columns)) * 0.3).astype(dtype)
    scales = rng.uniform(0.7, 1.3, (classes, columns)).astype(dtype)
    for block in range(0, rows, 50_000):
        part = slice(block, block + 50_000)
        X[part] *= scales[y[part]]
        X[part] += means[y[part]]
    return Problem(X, y)


def correlated(rows: int, columns: int, classes: int) -> Problem:
    """Normal columns mixed with one another."""
    problem = normal(rows, columns, classes)
    mixing = np.eye(columns) + 0.2 * np.random.default_rng(1).standard_normal((columns, columns))
    return Problem(problem.X @ mixing, problem.y)


def levels(rows: int, columns: int, classes: int, dtype: type, count: int = 10) -> Problem:
    """Codes of levels whose frequencies depend on the class."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, classes, rows)
    X = np.empty((rows, columns), dtype)
    for column in range(columns):
        steps = rng.dirichlet(np.full(count, 2.0), classes).cumsum(axis=1)[:, :-1]
        X[:, column] = (rng.random(rows)[:, None] > steps[y]).sum(axis=1)
    return Problem(X, y)


def words(rows: int, columns: int, classes: int, per_row: int = 100, *, zipf: bool = False) -> Problem:
    """A matrix of word counts: `per_row` cells a row, in columns equally or Zipf frequent."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, classes, rows)
    if zipf:
        order = rng.permutation(columns)
        ranks = np.exp(rng.random(rows * per_row) * np.log(columns + 1.0)).astype(np.int64) - 1
        picked = order[np.minimum(ranks, columns - 1)]
    else:
        picked = rng.integers(0, columns, rows * per_row)
    counts = rng.geometric(0.6, rows * per_row).astype(np.float64)
    starts = np.arange(0, rows * per_row + 1, per_row)
    X = sparse.csr_matrix((counts, picked.astype(np.int32), starts.astype(np.int32)), shape=(rows, columns))
    X.sum_duplicates()
    return Problem(X, y)
