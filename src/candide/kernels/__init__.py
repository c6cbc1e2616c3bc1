"""Sums over rows: `plain` (NumPy) and `compiled` (numba) hold the same kernels, and `for_work` chooses between them.

Importing numba and compiling a kernel for the first time on a machine costs seconds, later processes read compiled
kernels from disk in some 20 ms each, and a call of a ready kernel costs microseconds. Hence two thresholds: high until
somebody in this process has paid for numba, low from then on. Who calls again and again pays, too, once the calls have
lost as much as numba costs: so nobody waits much longer than who knew beforehand how many calls would come. Each block
of a matrix should ask for the size of the whole matrix, so that one fit uses one twin throughout.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType

from candide.errors import BadSetting
from candide.kernels import plain

__all__ = ["CELLS_IN_ALL", "CELLS_ONCE_IMPORTED", "CELLS_TO_IMPORT", "at_hand", "for_work", "plain"]

CELLS_TO_IMPORT = 3_000_000  # plain needs about a second for these; so do the import and a first compilation
CELLS_IN_ALL = 12_000_000  # of calls that were each too small for the import, and each slower for the lack of it
CELLS_ONCE_IMPORTED = 20_000  # here plain begins to lose against a call of a ready kernel

_COMPILED = "candide.kernels.compiled"
_lost = [0]  # cells of the calls that went without numba so far


def for_work(cells: int, before: int = 0) -> ModuleType:
    """The twin that is quicker for `cells` = rows x columns (x classes, when scoring); CANDIDE_KERNELS forces one.

    `before` says how many cells of the same stream went before these: who comes in batches pays for numba, too, once
    there is work enough in all.
    """
    forced = os.environ.get("CANDIDE_KERNELS", "")
    if forced not in ("", "plain", "compiled"):
        raise BadSetting(f"CANDIDE_KERNELS is {forced!r}; it may be 'plain', 'compiled' or not set.")
    if forced == "plain":
        return plain
    if forced == "compiled":
        return import_module(_COMPILED)
    ready = sys.modules.get(_COMPILED)
    if ready is not None and hasattr(ready, "READY"):
        return ready if cells >= CELLS_ONCE_IMPORTED else plain
    if cells < CELLS_ONCE_IMPORTED:
        return plain
    _lost[0] += cells
    return _imported() if cells + before >= CELLS_TO_IMPORT or _lost[0] >= CELLS_IN_ALL else plain


def at_hand(cells: int, before: int = 0) -> ModuleType:
    """As `for_work`, but `plain` while another thread still loads `compiled`: for sums that are exact in both."""
    loading = sys.modules.get(_COMPILED)
    if loading is not None and not hasattr(loading, "READY") and not os.environ.get("CANDIDE_KERNELS"):
        return plain
    return for_work(cells, before)


def _imported() -> ModuleType:
    """`compiled`, or `plain` where numba is missing or refuses to load."""
    try:
        return import_module(_COMPILED)
    except ImportError:
        return plain
