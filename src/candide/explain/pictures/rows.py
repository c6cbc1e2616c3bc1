"""The rulers of a nomogram: labels where there is room for them."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from candide.explain.pictures.levels import FEW, Scale
from candide.explain.pictures.paper import COLOURS, INK, SMALL
from candide.scorecard import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GAP = 0.07  # inches between labels
LINE = 0.15  # height of a label
NEAR, FAR = 0.16, 0.33  # from a ruler to its first and second line of labels
BESIDE, LIFT = 0.12, 0.09  # from a dot to its label; how far that may be above or below
BEYOND = 0.1  # how far a label may leave the axes towards the names of columns; on the other side there is more room
POINTS = 72.0  # to the inch
THREAD = "#A0A0A0"
PATCH = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}  # behind labels, so that no line strikes them through

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


def draw_levels(axes: Axes, room: Room, scale: Scale, top: float) -> None:
    """Dots on a line, labels above or below it; those in the outer lines hang on a thread."""
    middle = top + scale.tall / 2
    x = _places(axes, scale)
    if len(x):
        axes.plot([x.min(), x.max()], [middle, middle], color=COLOURS[0], linewidth=1.5, zorder=2)
    _dots(axes, scale, x, np.full(len(x), middle))
    tiers = [-NEAR, NEAR] if len(x) <= FEW else [-NEAR, NEAR, -FAR, FAR]
    taken: list[Box] = []
    for i in scale.by_weight:
        half = room.width(scale.labels[i], SMALL) / 2
        dot = _inches(axes, room, x[i])
        at = min(max(dot, half - BEYOND), room.inches(axes) + 5 * BEYOND - half)
        for tier in tiers:
            boxes: list[Box] = [(at - half, at + half, middle + tier - LINE / 2, middle + tier + LINE / 2)]
            if abs(tier) > NEAR:
                boxes.append((dot, dot, min(middle, middle + tier), max(middle, middle + tier)))
            if all(_fits(box, taken) for box in boxes):
                taken += boxes
                axes.plot([x[i], x[i]], [middle, middle + tier], color=THREAD, linewidth=0.8, zorder=1.5)
                style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": SMALL, "color": INK}
                shifted = (POINTS * (at - dot), 0.0)
                style |= {"xytext": shifted, "textcoords": "offset points", "zorder": 2.5, "bbox": PATCH}
                axes.annotate(scale.labels[i], (x[i], middle + tier), **style)
                break
        else:
            room.dropped += 1


def draw_bins(axes: Axes, room: Room, scale: Scale, top: float) -> None:
    """A profile: small values at the bottom of the row, large ones at its top; labels where there is room."""
    x = _places(axes, scale)
    y = top + scale.tall - 0.1 - (np.arange(len(x)) + 0.5) / max(len(x), 1) * (scale.tall - 0.2)
    axes.plot(x, y, color=COLOURS[0], linewidth=1.5, zorder=2)
    _dots(axes, scale, x, y)
    at = np.array([_inches(axes, room, value) for value in x])
    taken = _traced(at, y)
    for i in scale.by_weight:
        width = room.width(scale.labels[i], SMALL)
        for side, lift in product((1, -1) if x[i] >= 0 else (-1, 1), (0.0, -LIFT, LIFT)):
            near, far = at[i] + side * BESIDE, at[i] + side * (BESIDE + width)
            level = y[i] + lift
            if min(near, far) < -BEYOND:
                continue
            if _fits(box := (min(near, far), max(near, far), level - LINE / 2, level + LINE / 2), taken):
                taken.append(box)
                place: dict[str, Any] = {"xytext": (side * BESIDE * POINTS, -lift * POINTS)}
                place |= {"textcoords": "offset points", "ha": "left" if side > 0 else "right", "va": "center"}
                axes.annotate(scale.labels[i], (x[i], y[i]), fontsize=SMALL, color=INK, zorder=2.5, bbox=PATCH, **place)
                break


def _traced(x: Floats, y: Floats) -> list[Box]:
    """A line as small boxes, so that no label falls on it."""
    steps = np.linspace(0, max(len(x) - 1, 0), 24 * len(x))
    places = np.arange(len(x))
    return [(a, a, b, b) for a, b in zip(np.interp(steps, places, x), np.interp(steps, places, y), strict=True)]


def _places(axes: Axes, scale: Scale) -> Floats:
    """Where levels stand; those that one class never has stand at the edge."""
    return np.asarray(np.clip(scale.bits, *axes.get_xlim()))


def _dots(axes: Axes, scale: Scale, x: Floats, y: Floats) -> None:
    for sign, where in (("o", ~scale.is_never), ("<", scale.is_never & (x < 0)), (">", scale.is_never & (x > 0))):
        axes.plot(x[where], y[where], sign, color=COLOURS[0], markersize=5, linestyle="none", clip_on=False, zorder=3)


def _inches(axes: Axes, room: Room, x: float) -> float:
    low, high = axes.get_xlim()
    return (x - low) / (high - low) * room.inches(axes)


def _fits(box: Box, taken: list[Box]) -> bool:
    left, right, top, bottom = box
    return all(right + GAP < a or left - GAP > b or bottom <= c or top >= d for a, b, c, d in taken)
