"""Whether probabilities come true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from candide.scorecard import Floats

BINS = 15


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Rows by the probability of their decided class, in bins [i/15, (i + 1)/15), the last with 1; sums in each."""

    counts: Floats
    sum_predicted: Floats
    sum_right: Floats

    @classmethod
    def of(cls, confidence: Floats, is_right: NDArray[np.bool_], weights: Floats) -> Reliability:
        places = np.clip((confidence * BINS).astype(np.int64), 0, BINS - 1)
        sums = (weights, weights * confidence, weights * is_right)
        return cls(*(np.bincount(places, values, BINS).astype(float) for values in sums))

    @property
    def edges(self) -> Floats:
        """Where bins begin and end, one more than there are bins."""
        return np.arange(BINS + 1) / BINS

    @property
    def predicted(self) -> Floats:
        """The mean probability of each bin's rows, NaN where there are none."""
        return _shares(self.sum_predicted, self.counts)

    @property
    def right(self) -> Floats:
        """The share of each bin's rows whose decided class was true, NaN where there are none."""
        return _shares(self.sum_right, self.counts)

    @property
    def error(self) -> float | None:
        """Expected calibration error, Σ_b n_b |predicted_b − right_b| / n (Naeini, Cooper & Hauskrecht 2015)."""
        total = float(self.counts.sum())
        return float(np.abs(self.sum_predicted - self.sum_right).sum()) / total if total > 0 else None

    def __add__(self, other: Reliability) -> Reliability:
        return Reliability(
            self.counts + other.counts,
            self.sum_predicted + other.sum_predicted,
            self.sum_right + other.sum_right,
        )


def _shares(part: Floats, whole: Floats) -> Floats:
    return np.asarray(np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0))
