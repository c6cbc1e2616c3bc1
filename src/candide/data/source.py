"""What an engine in memory needs of labelled data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from candide.data.columns import Encoded
from candide.labels import Labels


class Source(Protocol):
    """Rows with named columns; for training also with classes and, perhaps, weights."""

    @property
    def n_rows(self) -> int: ...

    @property
    def classes(self) -> Labels: ...

    @property
    def y(self) -> NDArray[Any]:
        """The place of each row's class among `classes`."""
        ...

    @property
    def weights(self) -> NDArray[Any] | None: ...

    def numbers(self, columns: Sequence[Any]) -> Any:
        """Some columns as a matrix of numbers, dense or CSR; NaN where a cell is missing."""
        ...

    def values(self, column: Any) -> NDArray[Any]:
        """The cells of one column; of a tuple of names, tuples of cells."""
        ...

    def encoded(self, column: Any) -> Encoded:
        """The labels of one column, and the place of each cell among them; −1 where it is missing."""
        ...

    def texts(self, column: Any) -> Any:
        """The texts of one column as an Arrow array of large strings; null where one is missing."""
        ...

    def take(self, rows: NDArray[Any]) -> Source:
        """Some of the rows."""
        ...
