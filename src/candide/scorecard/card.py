"""What a model adds up for a row: a prior per class and one term per block of columns.

A term is plain numbers. Its `parts` say what every column contributes to every class, which is the definition; an
engine adds the same up faster. Rows are matrices here, one column a feature.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from candide.labels import Labels

Floats = NDArray[np.float64]

# A cell of probability zero, as it enters a sum. It outweighs the evidence of other cells, yet when every class is
# impossible the one with the fewest impossible cells still wins, as it would for a vanishing pseudo-count; −∞ would
# leave 0/0. (A class prior of zero is −∞: some class is always possible.)
IMPOSSIBLE = -1e6

SAME = 64 * float(np.finfo(float).eps)  # sums that differ by so small a share are equal
FEW_CELLS = 1 << 18


class Term(Protocol):
    """The evidence of a block of columns."""

    @property
    def columns(self) -> Sequence[Any]: ...

    @property
    def constant(self) -> Floats:
        """What each class gets whatever the row."""
        ...

    def parts(self, X: NDArray[Any]) -> Floats:
        """Evidence of row i's column j for class c, an array (n, d, k).

        A missing cell gives 0 where the term can leave a cell out, and NaN where it cannot (`Linear`, `FullQuadratic`).
        """
        ...

    def linear(self) -> Floats | None:
        """Weights (d, k) if `parts` is x·w up to something equal for all classes, else None."""
        ...

    def relative(self) -> Term:
        """A term that adds the same up to something equal for all classes of a row, and may be quicker."""
        ...

    def times(self, factor: float) -> Term:
        """The same evidence, so many times as strong."""
        ...


class _AsItIs:
    """Answers of a term that is not linear and has no quicker form."""

    __slots__ = ()

    def linear(self) -> Floats | None:
        return None

    def relative(self) -> Self:
        return self


@dataclass(frozen=True, slots=True, eq=False)
class Lookup(_AsItIs):
    """A table of log probabilities for each column: row l of `tables[j]` is level l.

    `unseen[j]` serves a value that is no level. Where `sizes[j]` is given, the whole numbers below it are levels even
    if no row had them, and `empty[j]` serves those.
    """

    columns: Sequence[Any]
    levels: tuple[Labels, ...]
    tables: tuple[Floats, ...]
    unseen: Floats
    sizes: tuple[int, ...] | None = None
    empty: Floats | None = None

    @property
    def constant(self) -> Floats:
        return np.zeros(self.unseen.shape[1])

    def parts(self, X: NDArray[Any]) -> Floats:
        """X holds places among the levels: −1 for unseen, −2 for missing, −3 for a level that no row had."""
        out = np.zeros((*X.shape, self.unseen.shape[1]))
        for j, table in enumerate(self.tables):
            codes = X[:, j]
            known = codes >= 0
            out[known, j] = table[codes[known]]
            out[codes == -1, j] = self.unseen[j]
            if self.empty is not None:
                out[codes == -3, j] = self.empty[j]
        return out

    def times(self, factor: float) -> Self:
        tables = tuple(table * factor for table in self.tables)
        empty = None if self.empty is None else self.empty * factor
        return replace(self, tables=tables, unseen=self.unseen * factor, empty=empty)


@dataclass(frozen=True, slots=True, eq=False)
class Steps(_AsItIs):
    """A table of log probabilities for each numeric column: row s of `tables[j]` serves a cell that s of the
    `cuts[j]` are not above.
    """

    columns: Sequence[Any]
    cuts: tuple[Floats, ...]
    tables: tuple[Floats, ...]
    classes: int

    @property
    def constant(self) -> Floats:
        return np.zeros(self.classes)

    def parts(self, X: NDArray[Any]) -> Floats:
        out = np.zeros((*X.shape, self.classes))
        for j, (cuts, table) in enumerate(zip(self.cuts, self.tables, strict=True)):
            known = X[:, j] == X[:, j]
            out[known, j] = table[np.searchsorted(cuts, X[known, j].astype(np.float64), side="right")]
        return out

    def times(self, factor: float) -> Self:
        return replace(self, tables=tuple(table * factor for table in self.tables))


@dataclass(frozen=True, slots=True, eq=False)
class Slopes(_AsItIs):
    """Σ offset + slope·x, arrays (k, d); a missing cell adds nothing."""

    columns: Sequence[Any]
    slope: Floats
    offset: Floats

    @property
    def constant(self) -> Floats:
        return np.zeros(len(self.slope))

    def parts(self, X: NDArray[Any]) -> Floats:
        return _known(X, self.offset + self.slope * X[:, None, :])

    def linear(self) -> Floats | None:
        return self.slope.T

    def times(self, factor: float) -> Self:
        return replace(self, slope=self.slope * factor, offset=self.offset * factor)


@dataclass(frozen=True, slots=True, eq=False)
class Linear(_AsItIs):
    """(x − origin)·w per class, or 1[x > above]·w; the origin is 0 unless given.

    Where `above` is given the constant holds what every no says, so that a missing cell cannot be left out.
    `never` (d, k) is 1 where a unit of x is impossible, and w is 0 there (−1 where it is so in all the other classes).
    The amounts x·never are evidence of `price(amounts)` a unit.
    """

    columns: Sequence[Any]
    weights: Floats
    constant: Floats
    above: float | None = None
    origin: Floats | None = None
    never: Floats | None = None

    def parts(self, X: NDArray[Any]) -> Floats:
        values = X if self.above is None else np.where(np.isnan(X), np.nan, np.greater(X, self.above))
        if self.origin is not None:
            values = values - self.origin
        cells = np.asarray(values)[:, :, None]
        if self.never is None:
            return cells * self.weights
        amounts = cells * self.never
        return np.asarray(cells * self.weights + amounts * price(amounts.sum(axis=1))[:, None])

    def linear(self) -> Floats:
        return self.weights if self.never is None else self.weights + IMPOSSIBLE * self.never

    @classmethod
    def of_amounts(cls, columns: Sequence[Any], weights: Floats, constant: Floats) -> Linear:
        """From weights of which some may be `IMPOSSIBLE` a unit, either way."""
        if weights.min(initial=0.0) > IMPOSSIBLE and weights.max(initial=0.0) < -IMPOSSIBLE:
            return cls(columns, weights, constant)
        heavy = np.abs(weights) == -IMPOSSIBLE
        never = np.where(heavy, weights / IMPOSSIBLE, 0.0)
        return cls(columns, np.where(heavy, 0.0, weights), constant, never=never)

    def times(self, factor: float) -> Self:
        return replace(self, weights=self.weights * factor, constant=self.constant * factor)


@dataclass(frozen=True, slots=True, eq=False)
class Quadratic(_AsItIs):
    """Σ log_norm − ½·precision·(x − mean)², arrays (k, d)."""

    columns: Sequence[Any]
    mean: Floats
    precision: Floats
    log_norm: Floats

    @property
    def constant(self) -> Floats:
        return np.zeros(len(self.mean))

    def parts(self, X: NDArray[Any]) -> Floats:
        away = X[:, None, :] - self.mean
        return _known(X, self.log_norm - 0.5 * self.precision * away * away)

    def linear(self) -> Floats | None:
        if not np.array_equal(self.precision, np.broadcast_to(self.precision[0], self.precision.shape)):
            return None
        return np.asarray((self.precision * (self.mean - self.mean[0])).T)

    def times(self, factor: float) -> Self:
        return replace(self, precision=self.precision * factor, log_norm=self.log_norm * factor)

    def above_planes(self, X: NDArray[Any]) -> NDArray[Any]:
        """Σ precision ((x − m)(mean − m) − ½(mean − m)²), m amid the means.

        With one precision for all classes that is the same up to something equal for all classes of a row, which far
        away would drown the rest.
        """
        middle = self.mean.mean(axis=0)
        away, known = self.mean - middle, ~np.isnan(X)
        weights = (self.precision * away).T
        return np.asarray(np.where(known, X - middle, 0.0) @ weights - 0.5 * known @ (weights * away.T))


@dataclass(frozen=True, slots=True, eq=False)
class FullQuadratic:
    """constant − ½‖whiten·(x − mean)‖², with whiten (k, d, d) the inverse of the covariance's Cholesky factor."""

    columns: Sequence[Any]
    mean: Floats
    whiten: Floats
    constant: Floats

    def parts(self, X: NDArray[Any]) -> Floats:
        """(x − mean)ⱼ · (Σ⁻¹(x − mean))ⱼ: the columns share what their correlations explain."""
        away = X[:, None, :] - self.mean
        inverse = np.einsum("cij,cil->cjl", self.whiten, self.whiten)
        return np.swapaxes(-0.5 * away * np.einsum("cjl,ncl->ncj", inverse, away), 1, 2)

    def linear(self) -> Floats | None:
        plane = self.relative()
        return plane.weights if isinstance(plane, Linear) else None

    def relative(self) -> Term:
        """With one Σ for all classes: (x − m)ᵀΣ⁻¹(μ − m) − ½(μ − m)ᵀΣ⁻¹(μ − m), m amid the means."""
        if not np.array_equal(self.whiten, np.broadcast_to(self.whiten[0], self.whiten.shape)):
            return self
        middle = self.mean.mean(axis=0)
        away = self.mean - middle
        weights = self.whiten[0].T @ (self.whiten[0] @ away.T)
        constant = self.constant - 0.5 * np.sum((self.whiten[0] @ away.T) ** 2, axis=0)
        return Linear(self.columns, np.ascontiguousarray(weights), constant, origin=middle)

    def times(self, factor: float) -> Self:
        return replace(self, whiten=self.whiten * np.sqrt(factor), constant=self.constant * factor)


@dataclass(frozen=True, slots=True, eq=False)
class StudentT(_AsItIs):
    """Σ log_norm − half·log(1 + precision·(x − mean)²), arrays (k, d)."""

    columns: Sequence[Any]
    mean: Floats
    precision: Floats
    half: Floats
    log_norm: Floats

    @property
    def constant(self) -> Floats:
        return np.zeros(len(self.mean))

    def parts(self, X: NDArray[Any]) -> Floats:
        away = X[:, None, :] - self.mean
        return _known(X, self.log_norm - self.half * np.log1p(self.precision * away * away))

    def times(self, factor: float) -> Self:
        return replace(self, half=self.half * factor, log_norm=self.log_norm * factor)


@dataclass(frozen=True)
class Scorecard:
    """log prior + Σ terms. `is_log_joint` tells whether the sum is log P(class, row) up to something equal for all
    classes, so that it may be normalised into a posterior; complement scores are not. With `rules_out` a class
    in which more is impossible (`Linear.never`) than in another comes behind it, whatever the price.
    """

    classes: Labels
    log_prior: Floats
    terms: tuple[Term, ...]
    is_log_joint: bool = True
    rules_out: bool = False

    @cached_property
    def start(self) -> Floats:
        """What each class has before any column is looked at."""
        return np.asarray(self.log_prior + self.constant)

    @property
    def constant(self) -> Floats:
        """What the columns say whatever the row."""
        return np.asarray(sum((term.constant for term in self.terms), np.zeros(len(self.log_prior))))

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """The classes that can be: whose prior is not zero."""
        return np.asarray(self.log_prior > -np.inf)

    @cached_property
    def relative(self) -> Scorecard:
        """The quickest scorecard with the same posterior."""
        return replace(self, terms=tuple(term.relative() for term in self.terms), rules_out=True)

    def adjusted(self, temperature: float, biases: Floats) -> Scorecard:
        """All evidence `temperature` times as strong, and a bias a class."""
        return replace(
            self,
            log_prior=self.log_prior + biases,
            terms=tuple(term if temperature == 1.0 else term.times(temperature) for term in self.terms),
        )

    @cached_property
    def size(self) -> float:
        """How large the numbers are that are added, at least 1: rounding is a share of it."""
        return float(np.max(np.abs(self.start[self.start > IMPOSSIBLE / 2]), initial=1.0))


def log_shares(shares: NDArray[Any]) -> Floats:
    """log P(class), −∞ for a class that cannot be; nothing at all where no class can be."""
    p = np.asarray(shares, dtype=float)
    if not p.any():
        return np.zeros(len(p))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p))


def price(amounts: Floats) -> Floats:
    """What a unit of the impossible costs, row by row: so much that the smallest difference between classes decides.

    >>> price(np.array([[0.0, 3.0], [0.0, 1e-6]])).ravel().tolist()
    [-1000000.0, -1000000000000.0]
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        least = amounts.min(axis=1, keepdims=True)
        apart = np.hstack([amounts - least, np.abs(least)])
        apart[apart <= SAME * np.abs(amounts).max(axis=1, keepdims=True)] = 1.0
        return np.asarray(IMPOSSIBLE / np.minimum(apart.min(axis=1, keepdims=True), 1.0))


def safe_log(probabilities: NDArray[Any]) -> Floats:
    """log p, with `IMPOSSIBLE` for a probability of zero."""
    p = np.asarray(probabilities, dtype=float)
    with np.errstate(divide="ignore"):
        return np.asarray(np.maximum(np.log(p), IMPOSSIBLE))


def by_column(rows: Callable[[slice], Floats], k: int, d: int) -> Floats:
    """Weights (d, k) from rows (classes, d), a few classes at a time: large tables are never held twice."""
    out = np.empty((d, k))
    step = max(8, FEW_CELLS // max(1, d))
    for c in range(0, k, step):
        out[:, c : c + step] = rows(slice(c, c + step)).T
    return out


def _known(X: NDArray[Any], parts: Floats) -> Floats:
    """(n, k, d) → (n, d, k), with nothing where the cell is missing."""
    out: Floats = np.swapaxes(parts, 1, 2)
    missing = np.isnan(X)
    if missing.any():
        out = np.where(missing[:, :, None], 0.0, out)
    return np.asarray(out)
