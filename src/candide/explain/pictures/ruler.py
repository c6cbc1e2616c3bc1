"""A whole model of two classes on one sheet: a ruler for each column, to be added up by hand."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from candide.errors import BadPrior, NotLinear
from candide.explain.pictures.levels import Levels, Scale
from candide.explain.pictures.paper import COLOURS, INK, LARGE, MEDIUM, PALE, SMALL, finished, sheet, words
from candide.explain.pictures.rows import Room, draw_bins, draw_levels
from candide.explain.sums import NATS_TO_BITS
from candide.scorecard import IMPOSSIBLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 9.6  # inches, as all lengths here
PRIOR = 0.5  # the height of its row
TOP, MIDDLE, BOTTOM, RIGHT = 0.6, 1.1, 0.95, 0.75
PER_CENT = (50, 10, 90, 1, 99, 25, 75, 0.1, 99.9, 5, 95, 0.01, 99.99)  # the most needed first
REACH = (5.0, 14.0)  # bits that the sum's ruler shows at least and at most


def nomogram(
    columns: Sequence[Levels | tuple[object, Any, Any] | tuple[object, Any, Any, Any]],
    prior: float,
    classes: Sequence[Any],
    path: str | PathLike[str] | None = None,
    most: int = 10,
) -> Figure:
    """Each column's levels at the bits they speak for the second class, the most telling columns first.

    `columns` are `Levels`: name, labels, log-odds in nats and perhaps shares; `prior` is log P(second) / P(first), with
    all that is said whatever the row. The sum of the prior and one level a column, found on the ruler below, is the
    posterior: the sum of n bits is odds of 2ⁿ to 1.
    """
    if len(classes) != 2:
        raise NotLinear(f"a nomogram parts two classes; there are {len(classes)}. Choose two, or one against the rest.")
    scales = sorted((Scale(Levels(*column)) for column in columns), key=lambda scale: -scale.information)
    shown, others = scales[:most], scales[most:]
    start = _checked_prior(prior) * NATS_TO_BITS
    height = TOP + PRIOR + sum(scale.tall for scale in shown) + MIDDLE + BOTTOM
    figure = sheet(WIDTH, height)
    figure.set_layout_engine("none")
    room = Room(figure)
    names = [_of(classes[1]), "prior", *(words(scale.name) for scale in shown)]
    left = max(room.width(name, MEDIUM) for name in names) + 0.45
    upper = _axes(figure, left, MIDDLE + BOTTOM, height - TOP - MIDDLE - BOTTOM)
    _evidence(upper, room, shown, start, classes)
    _sum(_axes(figure, left, BOTTOM, 0.3), room, _reach(shown, start), classes[1])
    title = f"What speaks for {words(classes[0])} (left) and for {words(classes[1])} (right)"
    figure.text(0.2 / WIDTH, 1 - 0.3 / height, title, fontsize=LARGE, fontweight="bold", va="center")
    footer = _footer(shown, others, room.dropped)
    figure.text(0.2 / WIDTH, 0.08 / height, footer, fontsize=SMALL, color=INK, va="bottom", linespacing=1.3)
    return finished(figure, path)


def _axes(figure: Figure, left: float, bottom: float, height: float) -> Axes:
    tall = figure.get_figheight()
    axes = figure.add_axes((left / WIDTH, bottom / tall, (WIDTH - left - RIGHT) / WIDTH, height / tall))
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(INK)
    axes.set_yticks([])
    axes.tick_params(labelsize=SMALL, colors=INK)
    return axes


def _evidence(axes: Axes, room: Room, shown: list[Scale], start: float, classes: Sequence[Any]) -> None:
    bits = np.concatenate([[0.0, start], *(scale.finite for scale in shown)])
    margin = 0.1 * float(np.ptp(bits)) or 1.0
    axes.set_xlim(float(bits.min()) - margin, float(bits.max()) + margin)
    axes.set_ylim(PRIOR + sum(scale.tall for scale in shown), 0)
    axes.axvline(0, color=INK, linewidth=1, zorder=1)
    axes.grid(axis="x", color=PALE, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.xaxis.set_major_formatter(_signed)
    axes.set_xlabel("evidence in bits", fontsize=MEDIUM, color=INK)
    y = PRIOR
    _name(axes, "prior", y / 2)
    axes.plot([start], [y / 2], marker="D", markersize=7, color=COLOURS[1], clip_on=False, zorder=3)
    side: dict[str, Any] = {"xytext": (9, 0), "textcoords": "offset points", "va": "center"}
    axes.annotate(_signed(round(start, 2)), (start, y / 2), fontsize=SMALL, color=INK, **side)
    for scale in shown:
        axes.axhline(y, color=PALE, linewidth=0.8, zorder=0)
        _name(axes, words(scale.name), y + scale.tall / 2)
        draw = draw_bins if scale.is_binned else draw_levels
        draw(axes, room, scale, y)
        y += scale.tall


def _name(axes: Axes, name: str, y: float) -> None:
    where: dict[str, Any] = {"xytext": (-14, 0), "textcoords": "offset points", "ha": "right", "va": "center"}
    axes.annotate(name, (0, y), xycoords=("axes fraction", "data"), fontsize=MEDIUM, color="black", **where)


def _reach(shown: list[Scale], start: float) -> float:
    """How far the sum can go, within what a ruler can show."""
    low, high = (start + sum(scale.ends[side] for scale in shown) for side in (0, 1))
    return float(np.clip(max(-low, high), *REACH))


def _sum(axes: Axes, room: Room, reach: float, second: object) -> None:
    """The ruler that turns the sum of bits (below the line) into a probability (above it)."""
    axes.set_xlim(-reach, reach)
    axes.set_ylim(0, 0.3)
    axes.patch.set_visible(False)
    axes.xaxis.set_major_formatter(_signed)
    axes.set_xlabel("sum of the prior and of one value a column, in bits", fontsize=MEDIUM, color=INK)
    _name(axes, _of(second), 0.14)
    taken: list[tuple[float, float]] = []
    for share in PER_CENT:
        bits = float(np.log2(share / (100 - share)))
        text = f"{share:g} %"
        half = (room.width(text, SMALL) / 2 + 0.04) * 2 * reach / room.inches(axes)
        if abs(bits) + half <= reach and all(bits + half < low or bits - half > high for low, high in taken):
            taken.append((bits - half, bits + half))
            axes.plot([bits, bits], [0, 0.07], color=INK, linewidth=1)
            axes.text(bits, 0.1, text, ha="center", va="bottom", fontsize=SMALL, color=INK)


def _of(second: object) -> str:
    return f"P({words(second, 20)})"


def _checked_prior(prior: float) -> float:
    if not abs(prior) < -IMPOSSIBLE:
        raise BadPrior(f"the prior's log-odds are {prior}: one class was never seen, and there is nothing to add up.")
    return float(prior)


def _signed(value: float, _: object = None) -> str:
    return "0" if value == 0 else f"{value:+g}".replace("-", "−")


def _footer(shown: list[Scale], others: list[Scale], dropped: int) -> str:
    first, said = "", []
    if others:
        low, high = (sum(scale.ends[side] for scale in others) for side in (0, 1))
        first = (
            f"the {len(shown)} most telling of {len(shown) + len(others)} columns; "
            f"the others add between {_signed(round(low, 1))} and {_signed(round(high, 1))} bits"
        )
    if any(scale.is_never.any() for scale in shown):
        said.append("arrows: values that one class never had")
    if dropped:
        said.append(f"{dropped} values without room for a label")
    return "\n".join(filter(None, [first, "; ".join(said)]))
