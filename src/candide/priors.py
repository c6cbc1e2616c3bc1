"""What was believed before, and the readings of what is believed after."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from candide.errors import BadPrior, ZeroVariance

Numbers = NDArray[Any]


class Belief(Protocol):
    """A prior over shares: of the levels of a column, of words, of classes.

    Counts are given as `n` of `total`, over `size` possibilities, along the last axis; arrays of `fractions.Fraction`
    give fractions back.
    """

    def mean(self, n: Numbers, total: Numbers | float, size: int) -> Numbers:
        """The posterior mean, which is also the predictive probability of the next draw."""
        ...


@dataclass(frozen=True, slots=True)
class MaximumLikelihood:
    """No belief: the share that was seen, n / N (even shares where nothing was)."""

    def mean(self, n: Numbers, total: Numbers | float, size: int) -> Numbers:
        return _ratio(n, total, size)

    mode = mean
    likeliest = mean


class _PseudoCounts:
    """Readings shared by the priors that speak in virtual examples."""

    __slots__ = ()

    def pseudo(self, size: int) -> Any:
        """The virtual examples of each of `size` possibilities: one number for all, or one each (last axis)."""
        raise NotImplementedError

    def mean(self, n: Numbers, total: Numbers | float, size: int) -> Numbers:
        """(n + a) / (N + Σa): the posterior mean under a Dirichlet prior, and Laplace's rule for a = 1."""
        a = _as_counted(self.pseudo(size), n)
        return _ratio(n + a, total + _total(a, size), size)

    def mode(self, n: Numbers, total: Numbers | float, size: int) -> Numbers:
        """(n + a − 1) / (N + Σa − J): the most probable shares after the data (MAP)."""
        a = _as_counted(self.pseudo(size), n)
        if np.any(n + a < 1):
            raise BadPrior(
                "the posterior has no mode inside the simplex: a level with a count and a pseudo-count of less than 1 "
                "together sends it to the edge. Read the mean, or believe in at least 1 virtual example a level."
            )
        return _ratio(n + a - 1, total + _total(a, size) - size, size)

    def likeliest(self, n: Numbers, total: Numbers | float, size: int) -> Numbers:
        """n / N, whatever was believed."""
        return _ratio(n, total, size)

    def draw(self, n: Numbers, rng: np.random.Generator) -> NDArray[np.float64]:
        """Shares drawn from the posterior Dirichlet; the last axis of `n` runs over the possibilities."""
        n = np.asarray(n, dtype=float)
        alpha = n + np.asarray(self.pseudo(n.shape[-1]), dtype=float)
        if not (alpha.sum(axis=-1) > 0).all():
            raise BadPrior("nothing was counted and nothing is believed, so there is no posterior to draw shares from.")
        gamma = rng.standard_gamma(alpha)
        total = gamma.sum(axis=-1, keepdims=True)
        if not total.all():  # pseudo-counts so small that every gamma vanished: their logarithms do not
            from scipy.special import softmax

            with np.errstate(divide="ignore"):
                logs = np.log(rng.standard_gamma(alpha + 1)) + np.log(rng.random(alpha.shape)) / alpha
            return np.asarray(softmax(logs, axis=-1))
        return np.asarray(gamma / total)


@dataclass(frozen=True, slots=True, eq=False)
class Dirichlet(_PseudoCounts):
    """Each possibility was seen `a` times before: Dirichlet(1) is Laplace's rule, Dirichlet(1/2) Jeffreys'."""

    a: float | ArrayLike = 1

    def __post_init__(self) -> None:
        _check_non_negative("the pseudo-counts of a Dirichlet prior", self.a)

    def pseudo(self, size: int) -> Any:
        return _sized(self.a, size, "pseudo-counts")


@dataclass(frozen=True, slots=True)
class Beta(_PseudoCounts):
    """`yes` and `no` were seen that often before: a Dirichlet prior over two possibilities."""

    yes: float = 1
    no: float = 1

    def __post_init__(self) -> None:
        _check_non_negative("the pseudo-counts of a Beta prior", [self.yes, self.no])

    def pseudo(self, size: int) -> Any:
        if size != 2:
            raise BadPrior(f"a Beta prior is about two possibilities, not {size}; use Dirichlet.")
        return np.array([self.no, self.yes])


@dataclass(frozen=True, slots=True, eq=False)
class MEstimate(_PseudoCounts):
    """`m` virtual examples in the shares `p` (even shares if not given): (n + m·p) / (N + m)."""

    m: float
    p: ArrayLike | None = None

    def __post_init__(self) -> None:
        _check_non_negative("the weight m", self.m)
        if self.p is not None:
            _check_non_negative("the shares p", self.p)
            if np.ndim(self.p) and not np.isclose(float(np.sum(np.asarray(self.p, dtype=float))), 1.0):
                raise BadPrior(f"the shares p of an m-estimate add to 1, not to {np.sum(np.asarray(self.p)):g}.")

    def pseudo(self, size: int) -> Any:
        if self.p is None:
            levels = max(size, 1)  # a column without a single value has no levels
            return Fraction(self.m, levels) if isinstance(self.m, int) else self.m / levels
        if np.ndim(self.p):
            return self.m * _sized(self.p, size, "shares")
        if not np.isclose(float(np.asarray(self.p, dtype=float)) * size, 1.0):
            raise BadPrior(f"one share of {self.p} for each of {size} levels does not add to 1; give {size} shares.")
        return self.m * np.asarray(self.p)[()]


@dataclass(frozen=True, slots=True)
class Pseudo:
    """Counts start at `start` and their denominator at `denominator`, as in many a home-made spam filter.

    (n + start) / (N + denominator) does not add to 1 over the words, so it is no share of anything; it is here
    because it is in use, and it differs from every Dirichlet prior unless denominator = start · size.
    """

    start: float = 1
    denominator: float = 2

    def __post_init__(self) -> None:
        _check_non_negative("start and denominator of pseudo-counts", [self.start, self.denominator])

    def mean(self, n: Numbers, total: Numbers | float, size: int) -> Numbers:
        start, denominator = _as_counted(self.start, n), _as_counted(self.denominator, n)
        return np.asarray((n + start) / (total + denominator))


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Shares that are known beforehand, whatever is counted: one for each of the possibilities, in their order."""

    shares: ArrayLike

    def __post_init__(self) -> None:
        if np.any(np.asarray(self.shares, dtype=float) < 0):
            raise BadPrior("Priors must be non-negative.")
        total = float(np.sum(np.asarray(self.shares, dtype=float)))
        if not np.isclose(total, 1.0):
            raise BadPrior(f"The sum of the priors should be 1, it is {total:g}.")

    @classmethod
    def named(cls, shares: Any, name: str) -> Self:
        """From a parameter of that name, which may be anything."""
        try:
            array = np.array(shares, dtype=float)
        except (TypeError, ValueError):
            array = np.zeros(())
        if array.ndim != 1:
            raise BadPrior(f"{name} is one probability a class, not {shares!r}.")
        return cls(array)

    def mean(self, n: Numbers, total: Numbers | float, size: int) -> Numbers:
        if np.size(self.shares) != size:
            raise BadPrior(f"Number of priors must match number of classes: {np.size(self.shares)} given for {size}.")
        shape = np.shape(n) or (size,)
        if shape[-1] != size:
            raise BadPrior(
                f"{size} shares were given, one for each possibility, of which {shape[-1]} were seen: which is which?"
            )
        return np.broadcast_to(np.asarray(self.shares), shape)


@dataclass(frozen=True, slots=True)
class Uniform:
    """Even shares, whatever is counted."""

    def mean(self, n: Numbers, total: Numbers | float, size: int) -> Numbers:
        exact = np.asarray(n).dtype == object
        return np.full(np.shape(n) or (size,), Fraction(1, size) if exact else 1.0 / max(size, 1))


@dataclass(frozen=True, slots=True)
class PluginNormal:
    """The mean and variance that were seen, the variance widened by a share of the widest column's.

    This is scikit-learn's rule. The share is one number for all columns, in the square of the widest column's unit: a
    narrow column beside a wide one drowns in it. `WeakNormal` speaks in each column's own units.
    """

    var_smoothing: float = 1e-9

    def __post_init__(self) -> None:
        _check_non_negative("var_smoothing", self.var_smoothing)

    def epsilon(self, pooled_variance: Numbers) -> float:
        return float(self.var_smoothing * np.max(pooled_variance, initial=0.0))

    def refuse_zero(self, label: object, column: object, rows: float) -> ZeroVariance:
        return ZeroVariance(
            f"column {column!r} never varies in class {label!r} ({rows:g} rows), and nothing widens its variance of 0: "
            "the density there would be infinite. Give GaussianNB a positive var_smoothing, use WeakNormal, or "
            "leave the column out."
        )


@dataclass(frozen=True, slots=True)
class WeakNormal:
    """`rows` virtual rows with the column's own mean and variance over all classes (normal-inverse-gamma).

    Its predictive is Student's t: few rows, wide tails.
    """

    rows: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.rows) and self.rows > 0):
            raise BadPrior(f"a weak prior is worth a positive number of rows, not {self.rows!r}.")

    def posterior(
        self, n: Numbers, mean: Numbers, scatter: Numbers, centre: Numbers, variance: Numbers
    ) -> NormalBelief:
        """What is believed of mean and variance after n values with this mean and scatter."""
        kappa = n + self.rows
        middle = centre + (n / kappa) * (mean - centre)
        between = (n * self.rows / kappa) * (mean - centre) ** 2
        return NormalBelief(kappa, middle, kappa, (self.rows * variance + scatter + between) / kappa)


@dataclass(frozen=True, slots=True, eq=False)
class NormalBelief:
    """Mean ~ N(mean, σ²/kappa), σ² ~ scaled inverse χ²(degrees, scale): the conjugate posterior of a normal."""

    kappa: Numbers
    mean: Numbers
    degrees: Numbers
    scale: Numbers

    def mode(self) -> tuple[Numbers, Numbers]:
        """The most probable mean and variance (of the joint density)."""
        return self.mean, self.degrees * self.scale / (self.degrees + 3)

    def predictive(self) -> tuple[Numbers, Numbers, Numbers]:
        """Location, squared scale and degrees of freedom of Student's t for the next value."""
        return self.mean, self.scale * (1 + 1 / self.kappa), self.degrees

    def draw(self, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
        """A mean and a variance drawn from the posterior."""
        variance = self.degrees * self.scale / rng.chisquare(self.degrees)
        return rng.normal(self.mean, np.sqrt(variance / self.kappa)), variance


def _ratio(part: Numbers, total: Numbers | float, size: int) -> Numbers:
    """part / total, and even shares where the total is nothing."""
    part, total = np.asarray(part), np.asarray(total)
    some = np.asarray(total > 0, dtype=bool)
    if some.all():
        return np.asarray(part / total)
    exact = part.dtype == object or total.dtype == object
    even: Any = Fraction(1, max(size, 1)) if exact else 1.0 / max(size, 1)
    return np.where(some, part / np.where(some, total, 1 if exact else 1.0), even)


def _as_counted(a: Any, n: Numbers) -> Any:
    """Pseudo-counts as exact as the counts: fractions beside fractions where they are whole, floats beside floats."""
    if np.asarray(n).dtype != object:
        return np.asarray(a, dtype=float)[()]
    return np.vectorize(lambda x: Fraction(int(x)) if float(x).is_integer() else x, otypes=[object])(a)[()]


def _total(a: Any, size: int) -> Any:
    if np.ndim(a) == 0 or np.shape(a)[-1] == 1 != size:
        return a * size
    return a.sum(axis=-1, keepdims=True) if np.ndim(a) > 1 else a.sum()


def _sized(values: ArrayLike, size: int, what: str) -> Any:
    if np.ndim(values) == 0:
        return values
    array = np.asarray(values)
    if array.shape[-1] not in (size, 1):
        raise BadPrior(f"a prior with {array.shape[-1]} {what} does not fit {size} possibilities.")
    return array


def _check_non_negative(what: str, values: ArrayLike) -> None:
    array = np.asarray(values, dtype=float)
    if not np.all(np.isfinite(array)) or np.any(array < 0):
        raise BadPrior(f"{what} must be finite and at least 0, not {values!r}.")
