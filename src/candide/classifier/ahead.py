"""What counting much data needs, loaded while the first rows are being read."""

from __future__ import annotations

import threading

from candide.kernels import CELLS_TO_IMPORT, for_work

LARGE = 1 << 25  # bytes of a file that are worth compiled kernels


def prepare(size: int | None) -> None:
    """Import compiled kernels in a thread of their own, where `size` bytes are to be counted."""
    if size is not None and size >= LARGE:
        threading.Thread(target=for_work, args=(CELLS_TO_IMPORT,), name="candide-prepare", daemon=True).start()
