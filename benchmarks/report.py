"""Tables for the terminal and for Markdown, and the machine they were made on."""

import datetime
import os
import platform
import sys
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path

from benchmarks.race import Table, load

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


def cpu_model() -> str:
    """The processor's name, as the system tells it."""
    info = Path("/proc/cpuinfo")
    names = [line for line in info.read_text().splitlines() if line.startswith("model name")] if info.exists() else []
    return names[0].partition(":")[2].strip() if names else platform.processor() or platform.machine()


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory() -> str:
    """The machine's memory."""
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return "unknown"
    return f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB"


def version(package: str) -> str:
    """The installed version of a package."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def machine() -> str:
    """One Markdown paragraph about where and when."""
    import candide

    versions = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    return (
        f"{cpu_model()}, {cores()} cores, {memory()}; {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, candide {candide.__version__}, {versions}; "
        f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC, load {load()}."
    )


def plain(table: Table) -> str:
    """The table in columns, for a terminal."""
    lines = [table.rows[0].headers(), *(row.cells() for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    body = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([table.title, *("  " + line for line in body)])


def markdown(table: Table) -> str:
    """The table in Markdown."""
    headers = table.rows[0].headers()
    lines = [headers, tuple("---" for _ in headers), *(row.cells() for row in table.rows)]
    body = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    return f"## {table.title}\n\n{body}\n"


def page(title: str, text: str, command: str, tables: Iterable[Table]) -> str:
    """A results page: the question, the machine, the command and the tables."""
    head = f"# {title}\n\n{text}\n\n{machine()}\n\n    {command}\n"
    return "\n".join([head, *map(markdown, tables)])


def combine(folder: Path, questions: Sequence[str]) -> str:
    """All results pages in one, one heading level down."""
    pages = [folder / f"{question}.md" for question in questions]
    intro = "# Results\n\nOne page a question; the pages stand here one after the other.\n"
    texts = [path.read_text(encoding="utf-8").replace("\n## ", "\n### ") for path in pages if path.exists()]
    return "\n".join([intro, *("#" + text for text in texts)])


def say(text: str) -> None:
    """Print at once, also through a pipe."""
    print(text, file=sys.stdout, flush=True)
