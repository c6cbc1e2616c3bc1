"""Evidence averaged over every way of cutting an ordered column into intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from candide.counts.base import Floats

NEGLIGIBLE = 1e-25  # the weight of an interval that could not show in sixteen digits of anything


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """The intervals of fine bins that matter: `cover[i, b]` is 1 if interval i holds bin b, `weight` is the posterior
    probability that a partition has it, `counts` are its rows a class; `alpha` are the virtual rows of each class.
    """

    cover: Floats
    weight: Floats
    counts: Floats
    alpha: Floats

    def shares(self) -> Floats:
        """P(class | bin), a row a bin: Σ weight · (counts + α) / (n + Σα) over the intervals that hold the bin."""
        rows = self.counts.sum(axis=1) + self.alpha.sum()
        return _normalised(self.cover.T @ (self.weight[:, None] * (self.counts + self.alpha) / rows[:, None]))

    def without_one(self, y: int) -> Floats:
        """P(class | bin) with one row of class y less in the bin: the evidence of each interval without it is known in
        closed form, so partitions change their weights too.
        """
        less = np.maximum(self.counts[:, y] - 1, 0.0) + self.alpha[y]
        shares = self.cover.T @ ((self.weight / less)[:, None] * (self.counts + self.alpha))
        shares[:, y] = self.cover.T @ self.weight
        return _normalised(shares)

    def without(self, bins: NDArray[np.int64], y: NDArray[np.int64], weights: Floats) -> Floats:
        """The same for rows of any weight, one by one."""
        own = np.arange(len(y))
        held, alpha = self.counts[:, y].T, self.alpha[y][:, None]
        here = self.cover[:, bins].T * self.weight
        rows, total, w = self.counts.sum(axis=1), self.alpha.sum(), weights[:, None]
        less = np.maximum(np.where(here > 0, held - w, 1.0), 0.0) + alpha
        left = np.maximum(np.where(here > 0, rows - w, 1.0), 0.0) + total
        ratio = gammaln(less) - gammaln(held + alpha) + gammaln(rows + total) - gammaln(left)
        here = np.where(here > 0, here * np.exp(np.where(here > 0, ratio, 0.0)) / left, 0.0)
        shares = here @ (self.counts + self.alpha)
        shares[own, y] = (here * less).sum(axis=1)
        return _normalised(shares)


def intervals(counts: Floats, alpha: Floats) -> Intervals:
    """Forward–backward sums over all contiguous partitions of the bins (rows of `counts`), about one cut expected.

    The rows of an interval are one draw from a Dirichlet(α): its evidence is Π Γ(n_c + α_c)/Γ(α_c) · Γ(A)/Γ(n + A).
    """
    bins = len(counts)
    sums = np.vstack([np.zeros(counts.shape[1]), np.cumsum(counts, axis=0)])
    first, end = np.triu_indices(bins + 1, 1)
    held = np.maximum(sums[end] - sums[first], 0.0)
    total = alpha.sum()
    evidence = gammaln(held + alpha).sum(axis=1) - gammaln(held.sum(axis=1) + total)
    evidence += gammaln(total) - gammaln(alpha).sum() - np.log(bins)
    table = np.full((bins + 1, bins + 1), -np.inf)
    table[first, end] = evidence
    before, after = _sums_before(table), _sums_before(table[::-1, ::-1].T)[::-1]
    weight = np.exp(before[first] + evidence + after[end] - before[bins])
    some = weight > NEGLIGIBLE
    first, end = first[some], end[some]
    place = np.arange(bins)
    cover = ((first[:, None] <= place) & (place < end[:, None])).astype(np.float64)
    return Intervals(cover, weight[some], held[some], alpha)


def _sums_before(table: Floats) -> Floats:
    """log Σ over all paths from 0 to j of the product of their steps, for every j."""
    out = np.full(len(table), -np.inf)
    out[0] = 0.0
    columns = np.ascontiguousarray(table.T)
    for j in range(1, len(table)):
        paths = out[:j] + columns[j, :j]
        best = paths.max()
        out[j] = best + np.log(np.exp(paths - best).sum())
    return out


def _normalised(shares: Floats) -> Floats:
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
