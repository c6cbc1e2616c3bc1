"""What is printed: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any


def note(text: str) -> None:
    """A line for the user that is no result."""
    print(text, file=sys.stderr, flush=True)


def out(text: str) -> None:
    """A result to read."""
    print(text)


def out_json(value: Any) -> None:
    """A result for a program: one JSON object or array."""
    print(json.dumps(plain(value), ensure_ascii=False, allow_nan=False))


def plain(value: Any) -> Any:
    """As JSON has it, whatever it holds."""
    from candide.explain import figures

    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if hasattr(value, "tolist") and getattr(value, "ndim", None):
        return plain(value.tolist())
    return figures.plain(value)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = (), title: str = "") -> str:
    """Lines of cells below their heads; the columns at the places `numbers` stand to the right.

    On a terminal it is drawn by rich, in a pipe it is plain text.
    """
    if sys.stdout.isatty():
        return _drawn(heads, rows, numbers, title)
    lines = [list(heads), *map(list, rows)]
    widths = [max(len(line[j]) for line in lines) for j in range(len(heads))]
    shown = []
    for line in lines:
        cells = [
            cell.rjust(width) if j in numbers else cell.ljust(width)
            for j, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        shown.append("  ".join(cells).rstrip())
    return "\n".join([title] * bool(title) + shown)


def _drawn(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int], title: str) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(title=Text(title) if title else None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for j, head in enumerate(heads):
        drawn.add_column(Text(head), justify="right" if j in numbers else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*map(Text, row))
    console = Console()
    with console.capture() as captured:
        console.print(drawn)
    return captured.get().rstrip("\n")


def name(value: Any) -> str:
    """A name or a cell from the user's data on one line, without signs that a terminal obeys."""
    from candide.explain import figures

    return figures.name(value)


def number(value: float | None, digits: int = 4) -> str:
    """A number, or a dash."""
    return "–" if value is None else f"{value:.{digits}f}"
