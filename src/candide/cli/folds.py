"""Cross-validation by counting: each part is counted once, and a model of the others is their sum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from candide.cli.models import nothing_learnt
from candide.errors import TooSmall

if TYPE_CHECKING:
    import pyarrow as pa

    from candide.classifier import TableModel
    from candide.cli.rows import Labelled
    from candide.posterior import Folds

SEED = 2_718_281


def cross_validated(rows: Labelled, settings: Mapping[str, Any], folds: int) -> Folds:
    """Every row is drawn into a part; each part is judged by the model of all the others. The data are read twice."""
    from candide.cli.judging import Judge
    from candide.posterior import Folds

    parts = _counted(rows, settings, folds)
    models = [reduce(lambda a, b: a.joined(b), [*parts[:i], *parts[i + 1 :]]) for i in range(folds)]
    classes = reduce(lambda a, b: a | b, [model.classes for model in models])
    judges = [Judge(model.over(classes), rows.label) for model in models]
    rows.what = "judging"
    for batch, drawn in _drawn(rows, folds):
        for i, judge in enumerate(judges):
            judge.see(_of(batch, drawn == i))
    return Folds(tuple(judge.sum for judge in judges))


def _counted(rows: Labelled, settings: Mapping[str, Any], folds: int) -> list[TableModel]:
    """A model of each part; all hold the columns as the first batch as a whole suggests."""
    from candide.classifier import Batch, TableModel

    parts: list[TableModel] = []
    sizes = np.zeros(folds, dtype=np.int64)
    for batch, drawn in _drawn(rows, folds):
        sizes += np.bincount(drawn, minlength=folds)
        if not parts:
            whole = TableModel.learnt(Batch.parted(batch, rows.label), settings, rows.label)
            parts = [whole.without_rows(Batch.parted(rest, rows.label)) for rest in _others(batch, drawn, folds)]
            continue
        for i, part in enumerate(parts):
            some = _of(batch, drawn == i)
            if some.num_rows:
                parts[i] = part.with_rows(Batch.parted(some, rows.label))
    if not parts:
        raise nothing_learnt(rows.rows, rows.label)
    if sizes.min() == 0:
        raise TooSmall(f"{rows.kept:,} rows are too few to be drawn into {folds} parts; ask for fewer.")
    return parts


def _drawn(rows: Labelled, folds: int) -> Iterator[tuple[pa.RecordBatch, NDArray[np.int64]]]:
    """Batches, and the part of each row: the same whenever the data are read, and parts of equal size."""
    random = np.random.default_rng(SEED)
    for batch in rows:
        yield batch, random.permutation(np.arange(batch.num_rows) % folds)


def _others(batch: pa.RecordBatch, drawn: NDArray[np.int64], folds: int) -> list[pa.RecordBatch]:
    return [_of(batch, drawn != i) for i in range(folds)]


def _of(batch: pa.RecordBatch, mask: NDArray[np.bool_]) -> pa.RecordBatch:
    import pyarrow as pa

    return batch.filter(pa.array(mask))
