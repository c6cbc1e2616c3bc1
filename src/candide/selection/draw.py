"""Rows drawn from what is believed: a class, and then every cell by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import Cells, Counts, Moments
from candide.errors import NotDrawn
from candide.events import Binned, Categorical, FewValues, Gaussian, LogNormal, Poisson, Words
from candide.events.binned import fine_bins
from candide.priors import PluginNormal, WeakNormal

Codes = NDArray[np.int64]
Cell = NDArray[Any]


def drawn(models: Iterable[tuple[Any, Any]], y: Codes, rng: np.random.Generator) -> dict[Any, Cell]:
    """A column of cells for every column of the (event, statistic) pairs, for rows of these classes."""
    columns: dict[Any, Cell] = {}
    for event, statistic in models:
        if isinstance(event, Words):
            raise NotDrawn(
                f"column {statistic.request.columns[0]!r} holds texts, and words without an order are no text: "
                "leave it out to draw rows of the others, as in NaiveBayes({...: None})."
            )
        if type(event) not in WAYS:
            raise NotDrawn(f"{type(event).__name__} has no way of drawing cells.")
        for j, name in enumerate(statistic.request.columns):
            columns[name] = WAYS[type(event)](event, statistic, j, y, rng)
    return columns


def _level(event: Categorical, statistic: Counts, j: int, y: Codes, rng: np.random.Generator) -> Cell:
    names = np.array([*statistic.levels[j], None], dtype=object)[:-1]
    cells: Cell = names[_picked(np.asarray(event.shares(statistic, j), dtype=float), y, rng)]
    return cells


def _value(event: FewValues, statistic: Cells, j: int, y: Codes, rng: np.random.Generator) -> Cell:
    return _level(Categorical(event.prior), event.levels(statistic), j, y, rng).astype(np.float64)


def _number(event: Binned, statistic: Cells, j: int, y: Codes, rng: np.random.Generator) -> Cell:
    """A cell in proportion to P(class | its bin) times its weight, and any float of that cell."""
    grid, (low, high) = event.grids(statistic)[j], statistic.edges(j)
    cuts, _ = fine_bins(statistic, j, len(grid.cuts) + 1)
    bins = np.searchsorted(cuts, low, side="right")
    weights = grid.intervals.shares()[bins] * statistic.tables[j].sum(axis=1)[:, None]
    cells = _picked((weights / weights.sum(axis=0)).T, y, rng)
    if statistic.shifts[j] == 0:
        return np.asarray(low[cells])
    return np.asarray(low[cells] + rng.random(len(y)) * (high[cells] - low[cells]))


def _normal(event: Gaussian, statistic: Moments, j: int, y: Codes, rng: np.random.Generator) -> Cell:
    prior = event.prior if isinstance(event.prior, WeakNormal) else WeakNormal()
    if isinstance(event.prior, PluginNormal):
        means, variances = event.estimates(statistic)
        return np.asarray(rng.normal(means[y, j], np.sqrt(variances[y, j])))
    _, centre, variance = statistic.pooled()
    belief = prior.posterior(statistic.n, statistic.mean, statistic.scatter, centre, variance)
    middle, scale, degrees = belief.predictive()
    return np.asarray(middle[y, j] + np.sqrt(scale[y, j]) * rng.standard_t(degrees[y, j]))


def _logged(event: LogNormal, statistic: Moments, j: int, y: Codes, rng: np.random.Generator) -> Cell:
    return _normal(Gaussian(event.prior), statistic, j, y, rng)


def _events(event: Poisson, statistic: Moments, j: int, y: Codes, rng: np.random.Generator) -> Cell:
    return np.asarray(rng.poisson(event.rates(statistic)[y, j]), dtype=np.float64)


def _picked(shares: NDArray[np.float64], y: Codes, rng: np.random.Generator) -> Codes:
    """A column of `shares` for each row's class, in proportion to its row."""
    edges = np.cumsum(shares, axis=1)
    edges[:, -1] = np.inf
    at, out = rng.random(len(y)), np.empty(len(y), dtype=np.int64)
    for c in np.unique(y):
        rows = y == c
        out[rows] = np.searchsorted(edges[c], at[rows], side="right")
    return out


WAYS: dict[type, Callable[..., Cell]] = {
    Binned: _number,
    Categorical: _level,
    FewValues: _value,
    Gaussian: _normal,
    LogNormal: _logged,
    Poisson: _events,
}
