"""What must be counted, as values: an engine answers each with the statistic of the same name."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from candide.errors import TooLarge
from candide.text.analyzer import Analyzer

Column = Hashable
Columns = Sequence[Column]  # a tuple of names, or a range where columns have none: both can be compared and hashed


@dataclass(frozen=True, slots=True)
class CountLevels:
    """How often each level of each column occurs with each class. A tuple of names is one compound column."""

    columns: Columns


@dataclass(frozen=True, slots=True)
class MeasureMoments:
    """Number, mean and spread of each numeric column in each class; missing cells do not count."""

    columns: Columns


@dataclass(frozen=True, slots=True)
class MeasureCoMoments:
    """Mean and scatter matrix of a block of numeric columns in each class."""

    columns: Columns


@dataclass(frozen=True, slots=True)
class SumTotals:
    """Sums of non-negative columns in each class; with `above`, how often a cell is greater than that."""

    columns: Columns
    above: float | None = None


@dataclass(frozen=True, slots=True)
class CountCells:
    """How often each class occurs in each small cell of numeric columns; at most `most` cells a column."""

    columns: Columns
    most: int = 4096

    def __post_init__(self) -> None:
        if self.most < 2:
            raise TooLarge(f"numbers below and above zero never share a cell: at least 2 cells, not {self.most}.")


@dataclass(frozen=True, slots=True)
class KeepRows:
    """A few of the rows themselves, chosen by a hash of what they hold: at most `most` different ones."""

    levels: Columns
    numbers: Columns
    most: int = 2000
    texts: Columns = ()


@dataclass(frozen=True, slots=True)
class CountTokens:
    """How often each word occurs in each column of texts; `analyzers[j]` says what the words of a column are.

    With `documents` it is counted, too, in how many documents, and in what shares of them. At most `most` words a
    column are held.
    """

    columns: Columns
    analyzers: tuple[Analyzer, ...]
    documents: bool = True
    most: int | None = None
