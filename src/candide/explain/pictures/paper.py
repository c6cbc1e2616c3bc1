"""What all pictures share: paper, colours, words, and the way to a file.

Figures are made without pyplot, so that drawing changes nothing outside: no current figure, no settings.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from candide.errors import CandideError, MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe & Ito 2008: eight colours that stay apart for colour-blind readers; the yellow is too pale for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#000000")
DASHES = ("-", "--", "-.", ":")  # tell classes apart beyond eight, and without colour
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")
INK, PALE = "#333333", "#D0D0D0"

SMALL, MEDIUM, LARGE = 9, 10.5, 12  # points
WIDEST = 28  # characters of a label
TALLEST = 18  # lines of a legend
SUFFIXES = (".png", ".svg", ".pdf")

# matplotlib draws a missing letter as a box: these come after its own font, where they are installed.
MORE_FONTS = ("Noto Sans CJK SC", "Noto Sans CJK JP", "PingFang SC", "Microsoft YaHei", "Noto Sans", "Arial Unicode MS")


def sheet(width: float, height: float) -> Figure:
    """An empty figure of so many inches."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra.named("pictures", "matplotlib", "plot") from None
    figure = Figure(figsize=(width, height), dpi=144, layout="constrained", facecolor="white")
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)  # type: ignore[union-attr, call-arg]  # inches
    FigureCanvasAgg(figure)
    return figure


def finished(figure: Figure, path: str | PathLike[str] | None) -> Figure:
    """The figure, written to `path` if there is one."""
    _use_fonts(figure)
    if path is not None:
        _write(figure, Path(path))
    return figure


def colour(c: int) -> str:
    """Class c's colour."""
    return COLOURS[c % len(COLOURS)]


def dashes(c: int) -> str:
    """Class c's kind of line."""
    return DASHES[(c // len(COLOURS)) % len(DASHES)]


def marker(c: int) -> str:
    """Class c's sign."""
    return MARKERS[(c + c // len(COLOURS)) % len(MARKERS)]


def words(label: object, most: int = WIDEST) -> str:
    """A label in one short line, in which a dollar is a dollar and begins no formula."""
    text = " ".join(str(label).split()) or repr(label)
    text = text if len(text) <= most else text[: most - 1] + "…"
    return text.replace("$", r"\$")


def titled(figure: Figure, title: str, below: str = "") -> None:
    """What the picture says, and a smaller line on what was drawn."""
    figure.suptitle(title, x=0.01, ha="left", fontsize=LARGE, color="black", fontweight="bold")
    if below:
        figure.supxlabel(below, x=0.01, ha="left", fontsize=SMALL, color=INK)


def plain_axes(axes: Axes, x: str, y: str) -> None:
    """Axes with names and without a box."""
    axes.set_xlabel(x, fontsize=MEDIUM, color=INK)
    axes.set_ylabel(y, fontsize=MEDIUM, color=INK)
    axes.tick_params(labelsize=SMALL, colors=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INK)


def legend(axes: Axes, handles: list[Any], labels: list[str], **place: Any) -> None:
    """A legend that takes any label: matplotlib hides those that begin with an underscore."""
    numbers = [str(i) for i in range(len(labels))]
    columns = 1 + (len(labels) - 1) // TALLEST
    made = axes.legend(handles, numbers, fontsize=SMALL, ncols=columns, edgecolor="none", framealpha=0.9, **place)
    for text, label in zip(made.get_texts(), labels, strict=True):
        text.set_text(label)
        text.set_color(INK)


def _write(figure: Figure, path: Path) -> None:
    from matplotlib import rc_context

    if path.suffix.lower() not in SUFFIXES:
        raise CandideError(f"a picture's name ends in {', '.join(SUFFIXES)}; {str(path)!r} does not.")
    dateless = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower(), {})
    with rc_context(
        {"svg.fonttype": "none", "svg.hashsalt": "candide"}
    ):  # letters stay letters; same picture, same bytes
        figure.savefig(path, metadata=dateless)


def _use_fonts(figure: Figure) -> None:
    from matplotlib.font_manager import get_font_names
    from matplotlib.text import Text

    installed = set(get_font_names())
    families = ["DejaVu Sans", *(name for name in MORE_FONTS if name in installed)]
    for text in figure.findobj(Text):
        text.set_fontfamily(families)
