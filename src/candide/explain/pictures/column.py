"""What one numeric column looks like in each class."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from candide.explain.pictures.paper import colour, dashes, finished, legend, plain_axes, sheet, titled, words
from candide.scorecard import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

REACH = 4.0  # standard deviations drawn to either side
POINTS = 200  # of a curve, a class


def densities(
    name: object,
    classes: Sequence[Any],
    means: ArrayLike,
    variances: ArrayLike,
    shares: ArrayLike | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """The normal density N(μ_c, σ²_c) of a column in each class, times P(c) where `shares` are given.

    Where one class's curve with shares is the highest, that class is the most probable by this column alone. A class
    that was never seen (mean NaN) has no curve; one that never varies has a line at its value.
    """
    mean, variance = np.asarray(means, dtype=float), np.asarray(variances, dtype=float)
    weight = np.ones(len(mean)) if shares is None else np.asarray(shares, dtype=float)
    figure = sheet(7.2, 4.4)
    axes = figure.subplots()
    x = _grid(mean, np.sqrt(variance))
    handles, labels = [], []
    for c, label in enumerate(classes):
        if not np.isfinite(mean[c]) or not np.isfinite(variance[c]):
            continue
        style: dict[str, Any] = {"color": colour(c), "linestyle": dashes(c), "linewidth": 2}
        if variance[c] > 0:
            y = weight[c] * np.exp(-((x - mean[c]) ** 2) / (2 * variance[c])) / np.sqrt(2 * np.pi * variance[c])
            (line,) = axes.plot(x, y, **style)
            axes.fill_between(x, y, color=colour(c), alpha=0.08, linewidth=0)
            labels.append(f"{words(label)}: {mean[c]:.4g} ± {np.sqrt(variance[c]):.3g}")
        else:
            line = axes.axvline(mean[c], **style)
            labels.append(f"{words(label)}: always {mean[c]:.4g}")
        handles.append(line)
    _finish(axes, name, shares is not None, handles, labels)
    titled(figure, f"{words(name)} in each class", _unseen(classes, np.isfinite(mean) & np.isfinite(variance)))
    return finished(figure, path)


def binned_densities(
    name: object,
    classes: Sequence[Any],
    edges: ArrayLike,
    probabilities: ArrayLike,
    shares: ArrayLike | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Steps of height P(bin | c) / width of a column counted in bins, times P(c) where `shares` are given.

    `probabilities[b, c]` belongs to the bin from `edges[b]` to `edges[b + 1]`. An outer edge may be infinite: such a
    bin is drawn as wide as its neighbour.
    """
    table = np.asarray(probabilities, dtype=float)
    bounds, is_open = _bounded(np.asarray(edges, dtype=float))
    weight = np.ones(table.shape[1]) if shares is None else np.asarray(shares, dtype=float)
    heights = table / np.diff(bounds)[:, None] * weight
    figure = sheet(7.2, 4.4)
    axes = figure.subplots()
    seen = np.isfinite(heights).all(axis=0)
    seen_places = np.flatnonzero(seen).tolist()
    handles = []
    for c in seen_places:
        steps = axes.stairs(heights[:, c], bounds, color=colour(c), linestyle=dashes(c), linewidth=2, baseline=0)
        axes.stairs(heights[:, c], bounds, color=colour(c), fill=True, alpha=0.08)
        handles.append(steps)
    _finish(axes, name, shares is not None, handles, [words(classes[c]) for c in seen_places])
    below = "; ".join(filter(None, ["outer bins are open" if is_open else "", _unseen(classes, seen)]))
    titled(figure, f"{words(name)} in each class, {len(table)} bins", below)
    return finished(figure, path)


def _grid(mean: Floats, deviation: Floats) -> Floats:
    """Where curves are drawn: close enough for the narrowest, wide enough for the widest."""
    known = np.isfinite(mean) & np.isfinite(deviation)
    if not known.any():
        return np.zeros(0)
    reach = REACH * np.where(deviation[known] > 0, deviation[known], 0.0)
    low, high = mean[known] - reach, mean[known] + reach
    starts, ends = np.append(low, low.min()), np.append(high, high.max())
    return np.unique(np.linspace(starts, ends, POINTS))


def _bounded(edges: Floats) -> tuple[Floats, bool]:
    """Finite edges, and whether some were not."""
    bounds = edges.copy()
    finite = bounds[np.isfinite(bounds)]
    is_open = len(finite) < len(bounds)
    if len(finite) == 0:
        return np.linspace(-1.0, 1.0, len(bounds)), is_open
    widths = np.diff(finite) if len(finite) > 1 else np.ones(1)
    if not np.isfinite(bounds[0]):
        bounds[0] = finite[0] - widths[0]
    if not np.isfinite(bounds[-1]):
        bounds[-1] = finite[-1] + widths[-1]
    return bounds, is_open


def _unseen(classes: Sequence[Any], seen: Any) -> str:
    missing = [words(label) for label, known in zip(classes, seen, strict=True) if not known]
    return f"never seen: {', '.join(missing)}" if missing else ""


def _finish(axes: Axes, name: object, is_shared: bool, handles: list[Any], labels: list[str]) -> None:
    axes.set_ylim(bottom=0)
    axes.margins(x=0)
    plain_axes(axes, words(name, 60), "density × P(class)" if is_shared else "density")
    if handles:
        legend(axes, handles, labels, loc="upper left", bbox_to_anchor=(1.0, 1.0))
