"""Where classes meet in the plane of two numeric columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from candide.explain.pictures.paper import INK, colour, finished, legend, marker, plain_axes, sheet, titled, words
from candide.posterior.checks import checked_probabilities
from candide.scorecard import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDE = 240  # points of the grid on which the posterior is asked, each way
MOST_POINTS = 2000
SURE = 40.0  # nats: beyond, one class is as good as another to the eye


def boundary(
    classes: Sequence[Any],
    posterior: Callable[[Floats], Floats],
    x: ArrayLike,
    y: ArrayLike,
    codes: ArrayLike,
    names: tuple[object, object],
    path: str | PathLike[str] | None = None,
) -> Figure:
    """The plane of columns x and y in the colour of the most probable class, the paler the less sure.

    Lines run where the two most probable classes are equally so. `posterior` takes rows of (x, y) and gives
    P(c | x, y), a column a class; `codes` are the places of the rows' classes, −1 where that is not known.
    """
    points = np.column_stack([np.asarray(x, dtype=float), np.asarray(y, dtype=float)])
    places = np.asarray(codes)
    known = np.isfinite(points).all(axis=1)
    points, places = points[known], places[known]
    figure = sheet(7.2, 5.4)
    axes = figure.subplots()
    plain_axes(axes, words(names[0], 60), words(names[1], 60))
    across, up = (_range(points[:, j]) for j in (0, 1))
    _regions(axes, posterior, across, up, len(classes))
    keep = _some(len(points))
    handles = _points(axes, points[keep], places[keep], len(classes))
    labels = [words(label) for label in classes] + ["not known"] * (len(handles) - len(classes))
    legend(axes, handles, labels, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    shown = f"{len(keep):,} rows" if len(keep) == len(points) else f"{len(keep):,} of {len(points):,} rows"
    below = f"{shown}; paler where less sure; lines where two classes are equally probable"
    titled(figure, "The most probable class", below)
    return finished(figure, path)


def _regions(axes: Axes, posterior: Callable[[Floats], Floats], across: Floats, up: Floats, classes: int) -> None:
    from matplotlib.colors import to_rgb

    grid = np.stack(np.meshgrid(across, up), axis=-1)
    share = checked_probabilities(posterior(grid.reshape(-1, 2)), classes).reshape(len(up), len(across), classes)
    winner = share.argmax(axis=2)
    sure = (share.max(axis=2) - 1 / classes) / (1 - 1 / classes) if classes > 1 else np.ones(winner.shape)
    depth = (0.08 + 0.32 * np.clip(sure, 0, 1))[:, :, None]
    paint = 1 - depth * (1 - np.array([to_rgb(colour(c)) for c in range(classes)])[winner])
    extent = (across[0], across[-1], up[0], up[-1])
    axes.imshow(paint, origin="lower", extent=extent, aspect="auto", interpolation="bilinear", zorder=0)
    log_share = np.log(np.maximum(share, np.exp(-SURE)))
    for c in np.unique(winner) if classes > 1 else []:
        rival = np.delete(log_share, c, axis=2).max(axis=2)
        lead = log_share[:, :, c] - rival
        if lead.min() < 0 < lead.max():
            axes.contour(across, up, lead, levels=[0.0], colors=[INK], linewidths=1.5, zorder=1)


def _points(axes: Axes, points: Floats, places: Any, classes: int) -> list[Any]:
    from matplotlib.lines import Line2D

    size = 34 if len(points) < 200 else 16 if len(points) < 1000 else 8
    handles: list[Any] = []
    for c in [*range(classes), -1]:
        rows = places == c
        if c == -1 and not rows.any():
            continue
        style: dict[str, Any] = {"marker": marker(c), "color": colour(c)} if c >= 0 else {"marker": ".", "color": INK}
        axes.scatter(points[rows, 0], points[rows, 1], s=size, linewidths=0.4, edgecolors="white", zorder=2, **style)
        handles.append(Line2D([], [], linestyle="none", markersize=7, markeredgecolor="white", **style))
    return handles


def _range(values: Floats) -> Floats:
    """A little more than the values take up."""
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    margin = 0.05 * (high - low) or max(abs(low) * 0.05, 0.5)
    return np.linspace(low - margin, high + margin, SIDE)


def _some(rows: int) -> Any:
    """All rows, or as many as can be told apart: always the same ones."""
    if rows <= MOST_POINTS:
        return np.arange(rows)
    return np.sort(np.random.default_rng(0).choice(rows, MOST_POINTS, replace=False))
