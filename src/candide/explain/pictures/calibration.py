"""Do probabilities come true?"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from candide.explain.pictures.paper import COLOURS, INK, PALE, SMALL, finished, legend, plain_axes, sheet, titled
from candide.posterior import Report
from candide.scorecard import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def reliability(report: Report, path: str | PathLike[str] | None = None) -> Figure:
    """Of the rows given probability p for their decided class, a share p should be right: the diagonal.

    Points are bins of rows, with Wilson's 95 % interval of the share; below, how many rows there are in each.
    """
    figure = sheet(6.4, 6.4)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    _curve(above, report)
    _histogram(below, report)
    least = 1 / max(len(report.classes), 1)
    starts = report.reliability.edges[:-1]
    below.set_xlim(float(starts[starts <= least + 1e-9][-1]) if least < 1 else 0.0, 1.0)
    ece = "" if report.ece is None else f"; expected calibration error {report.ece:.4f}"
    titled(figure, "Do probabilities come true?", f"{report.rows:,} rows, {len(report.classes)} classes{ece}")
    return finished(figure, path)


def _curve(axes: Axes, report: Report) -> None:
    bins = report.reliability
    some = bins.counts > 0
    predicted, right = bins.predicted[some], bins.right[some]
    low, high = _wilson(right, bins.counts[some])
    (ideal,) = axes.plot([0, 1], [0, 1], color=INK, linestyle="--", linewidth=1)
    axes.vlines(predicted, low, high, color=COLOURS[0], linewidth=1.5, alpha=0.5)
    (curve,) = axes.plot(predicted, right, color=COLOURS[0], marker="o", markersize=5, linewidth=1.5)
    axes.set_ylim(-0.02, 1.04)
    plain_axes(axes, "", "share that was right")
    axes.grid(color=PALE, linewidth=0.5)
    legend(axes, [curve, ideal], ["rows in bins, with 95 % interval", "as predicted"], loc="lower right")


def _histogram(axes: Axes, report: Report) -> None:
    bins = report.reliability
    axes.bar(bins.edges[:-1], bins.counts, np.diff(bins.edges), align="edge", color=COLOURS[5], edgecolor="white")
    plain_axes(axes, "probability of the decided class", "rows" if report.weight == report.rows else "weight")
    axes.set_ylim(0, max(float(bins.counts.max()) * 1.1, 1.0))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value == round(value) else "")
    if not bins.counts.any():
        axes.text(0.5, 0.5, "no rows", transform=axes.transAxes, ha="center", fontsize=SMALL, color=INK)


def _wilson(share: Floats, n: Floats, z: float = 1.96) -> tuple[Floats, Floats]:
    """Wilson 1927: bounds that stay within 0 and 1 and do not shrink to a point where all were right."""
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return middle - half, middle + half
