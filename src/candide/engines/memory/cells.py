"""Counting numbers in small cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.counts import Cells, CountCells
from candide.counts.cells import CellColumn, fitted
from candide.data import Source
from candide.kernels import at_hand
from candide.kernels.threads import run


def cells(request: CountCells, source: Source, old: Any) -> Cells:
    """A column a thread; NaN is a missing cell."""
    k, names = len(source.classes), request.columns
    kernel = at_hand(source.n_rows * len(names), before=_counted(old))

    def column(j: int) -> CellColumn:
        keys, table = np.zeros(request.most, dtype=np.int64), np.zeros((request.most, k))
        x = np.ascontiguousarray(source.numbers((names[j],))[:, 0], dtype=np.float64)
        shift, size = kernel.count_cells(x, source.y, source.weights, keys, table)
        order = np.argsort(keys[:size])
        return fitted((shift, keys[order], table[order]), request.most)

    parts = run(lambda lo, hi: [column(j) for j in range(lo, hi)], len(names), row_cost=source.n_rows, block=1)
    return Cells.of(request, source.classes, [one for part in parts for one in part])


def _counted(old: Cells | None) -> int:
    """How many cells were counted before."""
    return 0 if old is None else int(min(sum(float(table.sum()) for table in old.tables), 1e15))
