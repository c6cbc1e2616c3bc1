"""What counting much data needs, loaded while the first rows are being read."""

from __future__ import annotations

import threading
from importlib import import_module

from candide.kernels import CELLS_TO_IMPORT, for_work

LARGE = 1 << 25  # bytes of a file that are worth compiled kernels


def prepare(size: int | None) -> None:
    """Import compiled kernels and SciPy in a thread of their own, where `size` bytes are to be counted."""
    if size is not None and size >= LARGE:
        threading.Thread(target=_load, name="candide-prepare", daemon=True).start()


def _load() -> None:
    """What the first batch needs, then what the finished counts do."""
    for_work(CELLS_TO_IMPORT)
    import_module("scipy.special")
