"""Real tables in files beside the project, where they are present."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from sklearn.model_selection import StratifiedKFold

from candide.labels import Labels

ROWS_AT_MOST, ROWS_AT_LEAST, OF_A_CLASS = 8_000, 50, 5
FOLDS = 10
NO_COLUMNS = ("split", "id")


@dataclass(frozen=True, slots=True, eq=False)
class RealTable:
    """A labelled table: as it is for candide, as a matrix of numbers and one of strings for its peers."""

    name: str
    X: Any
    y: np.ndarray
    classes: Labels
    numbers: np.ndarray
    strings: np.ndarray

    @classmethod
    def of(cls, name: str, table: Any) -> "RealTable":
        """The column `label` is the class; a string that differs in every row names the row and is left out."""
        labels = table["label"].to_numpy(zero_copy_only=False)
        X = table.drop_columns(["label", *(column for column in NO_COLUMNS if column in table.column_names)])
        names = [column for column in X.column_names if is_text(X[column])]
        X = X.drop_columns([column for column in names if pc.count_distinct(X[column]).as_py() == len(X)])
        numbers = [np.asarray(c.to_numpy(zero_copy_only=False), dtype=float) for c in X.columns if not is_text(c)]
        strings = [np.array(column.to_pylist(), dtype=object) for column in X.columns if is_text(column)]
        classes, y = Labels.encode(labels)
        empty = np.zeros((len(X), 0))
        return cls(
            name, X, y.astype(np.int64), classes,
            np.stack(numbers, axis=1) if numbers else empty,
            np.stack(strings, axis=1) if strings else empty.astype(object),
        )  # fmt: skip

    def take(self, rows: np.ndarray) -> "RealTable":
        """Some of the rows; the classes stay."""
        return RealTable(
            self.name, self.X.take(rows), self.y[rows], self.classes, self.numbers[rows], self.strings[rows]
        )

    def folds(self) -> Iterator[tuple["RealTable", "RealTable"]]:
        """Rows to learn from and rows to judge by, ten times: each class spread evenly, the same for everyone."""
        parts = StratifiedKFold(FOLDS, shuffle=True, random_state=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a class with fewer rows than folds
            pairs = list(parts.split(self.y, self.y))
        for train, test in pairs:
            yield self.take(train), self.take(test)


def is_text(column: Any) -> bool:
    """Whether cells are labels."""
    return not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type))


def read(folder: Path, name: str) -> Any:
    """A whole table, as it is in its file."""
    return pq.read_table(folder / f"{name}.parquet")


def usual(folder: Path, limit: int | None = None) -> Iterator[RealTable]:
    """Every table that is large enough: at most 8,000 rows of it, classes of at least 5 rows."""
    for path in sorted(folder.glob("*.parquet"))[:limit]:
        table = read(folder, path.stem)
        if len(table) > ROWS_AT_MOST:
            table = table.take(np.random.default_rng(1).permutation(len(table))[:ROWS_AT_MOST])
        labels, counts = np.unique(table["label"].to_numpy(zero_copy_only=False), return_counts=True)
        table = table.filter(pc.is_in(table["label"], pa.array(labels[counts >= OF_A_CLASS])))
        if len(table) >= ROWS_AT_LEAST:
            yield RealTable.of(path.stem, table)
