"""The rulers of a nomogram: labels where there is room for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from candide.explain.pictures.levels import Scale
from candide.explain.pictures.paper import COLOURS, INK, SMALL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GAP = 0.07  # inches between labels
LINE = 0.15  # height of a label
POINTS = 72.0  # to the inch

Box = tuple[float, float, float, float]  # left, right, top, bottom


class Room:
    """How much room letters take, and how many labels found none."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.dropped = 0

    def width(self, text: str, size: float) -> float:
        """The width of a text in inches."""
        from matplotlib.font_manager import FontProperties

        renderer = self.figure.canvas.get_renderer()  # type: ignore[attr-defined]
        font = FontProperties(family="DejaVu Sans", size=size)
        return float(renderer.get_text_width_height_descent(text.replace(r"\$", "$"), font, False)[0]) / self.figure.dpi

    def inches(self, axes: Axes) -> float:
        """The width of axes."""
        return float(axes.get_position().width * self.figure.get_figwidth())


def draw_levels(axes: Axes, room: Room, scale: Scale, top: float, tall: float) -> None:
    """Dots on a line, labels above or below it."""
    middle = top + tall / 2
    x = _places(axes, scale)
    if len(x):
        axes.plot([x.min(), x.max()], [middle, middle], color=COLOURS[0], linewidth=1.5, zorder=2)
    _dots(axes, scale, x, np.full(len(x), middle))
    taken: list[Box] = []
    for i in scale.by_weight:
        at, width = _inches(axes, room, x[i]), room.width(scale.labels[i], SMALL)
        for y in (middle - 0.15, middle + 0.15):
            if _fits(box := (at - width / 2, at + width / 2, y - LINE / 2, y + LINE / 2), taken):
                taken.append(box)
                axes.text(x[i], y, scale.labels[i], ha="center", va="center", fontsize=SMALL, color=INK)
                break
        else:
            room.dropped += 1


def draw_bins(axes: Axes, room: Room, scale: Scale, top: float, tall: float) -> None:
    """A profile: small values at the bottom of the row, large ones at its top; labels where there is room."""
    x = _places(axes, scale)
    y = top + tall - (np.arange(len(x)) + 0.5) / max(len(x), 1) * (tall - 0.16) - 0.08
    axes.plot(x, y, color=COLOURS[0], linewidth=1.5, zorder=2)
    _dots(axes, scale, x, y)
    taken = [(_inches(axes, room, a) - 0.03, _inches(axes, room, a) + 0.03, b - 0.03, b + 0.03) for a, b in zip(x, y)]  # noqa: B905
    for i in scale.by_weight:
        at, width = _inches(axes, room, x[i]), room.width(scale.labels[i], SMALL)
        for side in (1, -1) if x[i] >= 0 else (-1, 1):
            near, far = at + side * 0.09, at + side * (0.09 + width)
            if _fits(box := (min(near, far), max(near, far), y[i] - LINE / 2, y[i] + LINE / 2), taken):
                taken.append(box)
                place: dict[str, Any] = {
                    "xytext": (side * 0.09 * POINTS, 0),
                    "textcoords": "offset points",
                    "va": "center",
                }
                ha = "left" if side > 0 else "right"
                axes.annotate(scale.labels[i], (x[i], y[i]), ha=ha, fontsize=SMALL, color=INK, **place)
                break


def _places(axes: Axes, scale: Scale) -> np.ndarray:
    """Where levels stand; those that one class never has stand at the edge."""
    return np.clip(scale.bits, *axes.get_xlim())


def _dots(axes: Axes, scale: Scale, x: np.ndarray, y: np.ndarray) -> None:
    for sign, where in (("o", ~scale.is_never), ("<", scale.is_never & (x < 0)), (">", scale.is_never & (x > 0))):
        axes.plot(x[where], y[where], sign, color=COLOURS[0], markersize=5, linestyle="none", clip_on=False, zorder=3)


def _inches(axes: Axes, room: Room, x: float) -> float:
    low, high = axes.get_xlim()
    return (x - low) / (high - low) * room.inches(axes)


def _fits(box: Box, taken: list[Box]) -> bool:
    left, right, top, bottom = box
    return all(right + GAP < a or left - GAP > b or bottom <= c or top >= d for a, b, c, d in taken)
