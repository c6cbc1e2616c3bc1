"""How good do models become with the rows they learn from?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from candide.explain.pictures.paper import (
    DASHES,
    INK,
    PALE,
    SMALL,
    colour,
    finished,
    legend,
    marker,
    plain_axes,
    sheet,
    titled,
    words,
)
from candide.scorecard import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MANY = 6.0  # times the least log-loss, beyond which the axis is one of powers
EDGE = 1.2  # room beside the first and the last size, as a factor


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A model's accuracy and log-loss (None: it has no probabilities): a row a size, a column a random subset."""

    name: str
    sizes: Sequence[int]
    accuracy: Floats
    log_loss: Floats | None = None


def learning_curves(
    lines: Sequence[Line],
    path: str | PathLike[str] | None = None,
    *,
    marks: Mapping[float, str] | None = None,
    below: str = "",
) -> Figure:
    """Accuracy and log-loss against the number of rows that were learnt, on an axis of powers.

    Lines join the means over random subsets, bands reach from the least to the most; `marks` are accuracies to compare
    with, and what they are called.
    """
    with_loss = any(line.log_loss is not None for line in lines)
    figure = sheet(7.2, 7.2 if with_loss else 4.6)
    axes = figure.subplots(1 + with_loss, 1, sharex=True, squeeze=False, height_ratios=[3, 2][: 1 + with_loss])[:, 0]
    handles = [_drawn(axes[0], c, line.sizes, line.accuracy) for c, line in enumerate(lines)]
    plain_axes(axes[0], "", "accuracy")
    low, high = min(line.accuracy.min() for line in lines), max(line.accuracy.max() for line in lines)
    values = [low, high, *(marks or {})]
    axes[0].set_ylim(max(0.0, min(values) - 0.05), min(1.0, max(values) + 0.05))
    for value, name in (marks or {}).items():
        _mark(axes[0], value, name)
    axes[0].yaxis.set_major_formatter(lambda value, _: f"{value:.0%}".replace("%", " %"))
    legend(axes[0], handles, [words(line.name) for line in lines], loc="best")
    if with_loss:
        _losses(axes[1], lines)
    _sizes(axes[-1], sorted({size for line in lines for size in line.sizes}))
    for one in axes:
        one.grid(color=PALE, linewidth=0.5)
        one.set_axisbelow(True)
    titled(figure, "How much is learnt from how many rows?", below)
    return finished(figure, path)


def _drawn(axes: Axes, c: int, sizes: Sequence[int], found: Floats) -> Any:
    """Its dashes show where one line lies upon another."""
    if found.shape[1] > 1:
        axes.fill_between(sizes, found.min(axis=1), found.max(axis=1), color=colour(c), alpha=0.18, linewidth=0)
    (line,) = axes.plot(sizes, found.mean(axis=1), color=colour(c), linestyle=DASHES[c % len(DASHES)], linewidth=1.8)
    line.set(marker=marker(c), markersize=5, zorder=3 - c / 100)
    return line


def _mark(axes: Axes, value: float, name: str) -> None:
    """A line across, with its name above its beginning."""
    axes.axhline(value, color=INK, linestyle=(0, (5, 4)), linewidth=1)
    place = axes.get_yaxis_transform()
    text = f"{words(name)}: {100 * value:.4g} %"
    axes.annotate(text, (0.0, value), (4, 3), xycoords=place, textcoords="offset points", fontsize=SMALL, color=INK)


def _losses(axes: Axes, lines: Sequence[Line]) -> None:
    finite = np.concatenate([line.log_loss.ravel() for line in lines if line.log_loss is not None])
    finite = finite[np.isfinite(finite)]
    for c, line in enumerate(lines):
        if line.log_loss is not None:
            _drawn(axes, c, line.sizes, np.where(np.isfinite(line.log_loss), line.log_loss, np.nan))
    powers = len(finite) > 0 and finite.min() > 0 and finite.max() > MANY * finite.min()
    if powers:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    else:
        axes.set_ylim(bottom=0)
    plain_axes(axes, "", "log-loss (nats)")


def _sizes(axes: Axes, sizes: Sequence[int]) -> None:
    """A tick at every size that was learnt, but none that runs into its neighbour."""
    from matplotlib.ticker import NullLocator

    axes.set_xscale("log")
    plain_axes(axes, "rows learnt", axes.get_ylabel())
    axes.set_xlim(sizes[0] / EDGE, sizes[-1] * EDGE)
    apart = np.log(sizes[-1] / sizes[0] + 1e-9) / 9
    shown = [sizes[-1]]
    for size in sizes[-2::-1]:
        if np.log(shown[0] / size) > apart:
            shown.insert(0, size)
    axes.set_xticks(shown, [f"{size:,}" for size in shown])
    axes.xaxis.set_minor_locator(NullLocator())
