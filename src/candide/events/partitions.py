"""Evidence averaged over every way of cutting an ordered column into intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from candide.counts.base import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """All intervals of fine bins: that from bin i to bin j, both in it, has the posterior probability `weight[i, j]` of
    being in the partition, and `counts[i, j]` rows a class; `alpha` are the virtual rows of each class.
    """

    weight: Floats
    counts: Floats
    alpha: Floats

    def shares(self) -> Floats:
        """P(class | bin), a row a bin: Σ weight · (counts + α) / (n + Σα) over the intervals that hold the bin."""
        rows = self.counts.sum(axis=2) + self.alpha.sum()
        return _normalised(_covering((self.weight / rows)[:, :, None] * (self.counts + self.alpha)))

    def without_one(self, y: int) -> Floats:
        """P(class | bin) with one row of class y less in the bin: the evidence of each interval without it is known in
        closed form, so partitions change their weights too.
        """
        less = np.maximum(self.counts[:, :, y] - 1, 0.0) + self.alpha[y]
        parts = (self.weight / less)[:, :, None] * (self.counts + self.alpha)
        parts[:, :, y] = self.weight
        return _normalised(_covering(parts))

    def without(self, bins: NDArray[np.int64], y: NDArray[np.int64], weights: Floats) -> Floats:
        """The same for rows of any weight, one by one."""
        from scipy.special import gammaln

        shares = np.empty((len(y), len(self.alpha)))
        rows, total = self.counts.sum(axis=2), self.alpha.sum()
        for i, (b, c, w) in enumerate(zip(bins, y, weights, strict=True)):
            held = (slice(0, b + 1), slice(b, None))
            counts, alpha = self.counts[held], self.alpha[c]
            less = np.maximum(counts[:, :, c] - w, 0.0) + alpha
            left = np.maximum(rows[held] - w, 0.0) + total
            ratio = gammaln(less) - gammaln(counts[:, :, c] + alpha) + gammaln(rows[held] + total) - gammaln(left)
            here = self.weight[held] * np.exp(ratio) / left
            shares[i] = np.einsum("ij,ijc->c", here, counts + self.alpha)
            shares[i, c] = (here * less).sum()
        return _normalised(shares)


def intervals(columns: Sequence[tuple[Floats, Floats]]) -> list[Intervals]:
    """Forward–backward sums over all contiguous partitions of the bins of each column, about one cut expected.

    A column is its counts, a row a bin, and α. The rows of an interval are a draw from a Dirichlet(α): its evidence is
    Π Γ(n_c + α_c)/Γ(α_c) · Γ(A)/Γ(n + A).
    """
    if not columns:
        return []
    widest = max(len(counts) for counts, _ in columns)
    tables = np.full((len(columns), widest + 1, widest + 1), -np.inf)
    held = []
    for table, (counts, alpha) in zip(tables, columns, strict=True):
        bins = len(counts)
        sums = np.vstack([np.zeros(counts.shape[1]), np.cumsum(counts, axis=0)])
        held.append(np.maximum(sums[None, 1:] - sums[:-1, None], 0.0))
        first, last = _pairs(bins)
        table[first, last + 1] = _evidence(held[-1][first, last], alpha) - np.log(bins)
        table[np.arange(bins, widest), np.arange(bins + 1, widest + 1)] = 0.0  # bins that are not there cost nothing
    before = _sums_before(tables)
    after = _sums_before(np.swapaxes(tables[:, ::-1, ::-1], 1, 2))[:, ::-1]
    found = []
    for j, (counts, alpha) in enumerate(columns):
        bins = len(counts)
        log_weight = before[j, :bins, None] + tables[j, :bins, 1 : bins + 1] + after[j, None, 1 : bins + 1]
        found.append(Intervals(np.exp(log_weight - before[j, widest]), held[j], alpha))
    return found


@lru_cache(maxsize=256)
def _pairs(bins: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and last bin of every interval."""
    return np.triu_indices(bins)


def _evidence(counts: Floats, alpha: Floats) -> Floats:
    from scipy.special import gammaln

    total = alpha.sum()
    constant = gammaln(total) - gammaln(alpha).sum()
    return np.asarray(gammaln(counts + alpha).sum(axis=1) - gammaln(counts.sum(axis=1) + total) + constant)


def _sums_before(tables: Floats) -> Floats:
    """log Σ over all paths from 0 to j of the product of their steps, for every j, of every table."""
    count, size, _ = tables.shape
    out = np.full((count, size), -np.inf)
    out[:, 0] = 0.0
    steps = np.ascontiguousarray(np.swapaxes(tables, 1, 2))
    for j in range(1, size):
        paths = out[:, :j] + steps[:, j, :j]
        best = paths.max(axis=1)
        out[:, j] = best + np.log(np.exp(paths - best[:, None]).sum(axis=1))
    return out


def _covering(parts: Floats) -> Floats:
    """Σ over the intervals that hold bin b, for every b: those that begin no later and end no earlier."""
    sums = np.cumsum(parts, axis=0)
    sums = np.cumsum(sums[:, ::-1], axis=1)[:, ::-1]
    place = np.arange(len(parts))
    return np.asarray(sums[place, place])


def _normalised(shares: Floats) -> Floats:
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
