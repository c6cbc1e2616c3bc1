"""How well scores put the rows of a class above the others: the area under the ROC curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from candide.scorecard import Floats

# Different scores kept of all classes together, of 24 bytes each. With more, a sum of rankings keeps bins.
MOST = 1 << 18

# A bin is a step of asinh(log-odds): 0.004 nats wide at even odds, a twentieth part of a bit at 10 nats. Log-odds of
# floats lie within ±745, so that all of them and the certain ones fall into some 4,096 bins.
LAST = 2047
STEP = float(np.arcsinh(746.0)) / (LAST - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Distinct scores in rising order, and the weight of the class's rows (`hits`) and of others (`misses`) at each."""

    scores: Floats
    hits: Floats
    misses: Floats

    @classmethod
    def of(cls, scores: Floats, hits: Floats, misses: Floats) -> Curve:
        order = np.argsort(scores, kind="stable")
        ordered = scores[order]
        starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))) if len(ordered) else order
        if not len(starts):
            return cls(ordered, hits[order], misses[order])
        return cls(ordered[starts], np.add.reduceat(hits[order], starts), np.add.reduceat(misses[order], starts))

    @property
    def area(self) -> float | None:
        """P(a row of the class scores higher than another) + ½ P(as high): Mann & Whitney 1947. None without pairs."""
        pairs = float(self.hits.sum() * self.misses.sum())
        below = np.cumsum(self.misses) - self.misses
        return float(self.hits @ (below + 0.5 * self.misses)) / pairs if pairs > 0 else None

    @property
    def doubt(self) -> float:
        """How far the area can be from that of the scores themselves, if these are bins: half the pairs within one."""
        pairs = float(self.hits.sum() * self.misses.sum())
        return 0.5 * float(self.hits @ self.misses) / pairs if pairs > 0 else 0.0

    def __add__(self, other: Curve) -> Curve:
        pairs = zip((self.scores, self.hits, self.misses), (other.scores, other.hits, other.misses), strict=True)
        return Curve.of(*(np.concatenate(pair) for pair in pairs))

    def binned(self) -> Curve:
        """The same rows with the place of a bin for a score."""
        return Curve.of(_bins(self.scores), self.hits, self.misses)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """One curve a class, each against the rest; of two classes the second's alone says it all.

    Rankings add. One of rows in memory is exact, and so are sums while their different scores are no more than `MOST`;
    beyond, scores are counted in some 4,096 bins a class, and `error` bounds what that costs.
    """

    curves: tuple[Curve, ...]
    areas: tuple[float | None, ...]
    error: float = 0.0
    is_binned: bool = False

    @classmethod
    def of(cls, probabilities: Floats, truth: NDArray[np.int64], weights: Floats) -> Ranking:
        classes = probabilities.shape[1]
        judged = [] if classes < 2 else [1] if classes == 2 else range(classes)
        curves: list[Curve] = []
        areas = []
        is_binned = False
        for c in judged:
            hits = np.where(truth == c, weights, 0.0)
            curve = Curve.of(probabilities[:, c], hits, weights - hits)
            areas.append(curve.area)
            curves.append(curve.binned() if is_binned else curve)
            if not is_binned and _is_too_much(curves):
                curves, is_binned = [curve.binned() for curve in curves], True
        return cls(tuple(curves), tuple(areas), is_binned=is_binned)

    @property
    def auc(self) -> float | None:
        """The mean of the areas; classes without pairs are left out."""
        known = [area for area in self.areas if area is not None]
        return float(np.mean(known)) if known else None

    def __add__(self, other: Ranking) -> Ranking:
        if other._is_empty:
            return self
        if self._is_empty:
            return other
        is_binned = self.is_binned or other.is_binned
        ours, theirs = (one._in_bins() if is_binned else one.curves for one in (self, other))
        curves = tuple(one + two for one, two in zip(ours, theirs, strict=True))
        areas = tuple(curve.area for curve in curves)
        if not is_binned and _is_too_much(curves):
            return Ranking(tuple(curve.binned() for curve in curves), areas, is_binned=True)
        doubts = [curve.doubt for curve, area in zip(curves, areas, strict=True) if is_binned and area is not None]
        return Ranking(curves, areas, float(np.mean(doubts)) if doubts else 0.0, is_binned)

    def _in_bins(self) -> tuple[Curve, ...]:
        return self.curves if self.is_binned else tuple(curve.binned() for curve in self.curves)

    @property
    def _is_empty(self) -> bool:
        return not any(len(curve.scores) for curve in self.curves)


def _is_too_much(curves: Sequence[Curve]) -> bool:
    return sum(len(curve.scores) for curve in curves) > MOST


def _bins(scores: Floats) -> Floats:
    """The place of each score's bin; certainties have one to themselves at either end."""
    inside = np.clip(scores, 0.0, 1.0)
    with np.errstate(divide="ignore"):
        log_odds = np.log(inside) - np.log1p(-inside)
    return np.asarray(np.clip(np.round(np.arcsinh(log_odds) / STEP), -LAST, LAST))
