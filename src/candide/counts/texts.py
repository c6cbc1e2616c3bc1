"""Texts that are kept, as bytes one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from candide.counts.base import freeze, frozen


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Text i is `letters[starts[i]:starts[i + 1]]` in UTF-8; `known[i]` is false where it is missing."""

    starts: NDArray[np.int64]
    letters: NDArray[np.uint8]
    known: NDArray[np.bool_]

    def __post_init__(self) -> None:
        freeze(self, starts=frozen(self.starts), letters=frozen(self.letters), known=frozen(self.known))

    @classmethod
    def missing(cls, rows: int) -> Self:
        return cls(np.zeros(rows + 1, dtype=np.int64), np.zeros(0, dtype=np.uint8), np.zeros(rows, dtype=np.bool_))

    def __len__(self) -> int:
        return len(self.known)

    def __getitem__(self, place: int) -> str | None:
        if not self.known[place]:
            return None
        return self.letters[self.starts[place] : self.starts[place + 1]].tobytes().decode()

    def take(self, rows: NDArray[np.int64]) -> Self:
        """Some of the texts, in any order."""
        lengths = np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        parts = [self.letters[self.starts[row] : self.starts[row + 1]] for row in rows.tolist()]
        return type(self)(starts, np.concatenate(parts) if parts else self.letters[:0], self.known[rows])

    @classmethod
    def joined(cls, parts: Sequence[Texts]) -> Self:
        """One after the other."""
        lengths = np.concatenate([np.diff(part.starts) for part in parts])
        letters = [part.letters[part.starts[0] : part.starts[-1]] for part in parts]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return cls(starts, np.concatenate(letters), np.concatenate([part.known for part in parts]))
