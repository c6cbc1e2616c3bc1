"""How often words occur in single texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Text i has word `ids[j]` `times[j]` times, for the j from `starts[i]` to `starts[i + 1]`."""

    starts: Ints
    ids: Ints
    times: Ints

    @classmethod
    def of(cls, texts: Iterable[dict[int, int]]) -> Self:
        """From counts of the words of each text."""
        listed = [sorted(times.items()) for times in texts]
        starts = np.cumsum([0, *map(len, listed)])
        pairs = np.array([pair for one in listed for pair in one], dtype=np.int64).reshape(-1, 2)
        return cls(starts.astype(np.int64), pairs[:, 0], pairs[:, 1])

    @classmethod
    def joined(cls, parts: Sequence[Found], texts: int) -> Self:
        """One after the other; no parts are texts without words."""
        if not parts:
            none = np.zeros(0, dtype=np.int64)
            return cls(np.zeros(texts + 1, dtype=np.int64), none, none)
        sizes = np.concatenate([np.diff(part.starts) for part in parts])
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        ids, times = (np.concatenate([getattr(part, name) for part in parts]) for name in ("ids", "times"))
        return cls(starts, ids, times)

    def first(self, texts: int) -> Found:
        """The first texts only."""
        starts = self.starts[: texts + 1]
        return Found(starts, self.ids[: starts[-1]], self.times[: starts[-1]])

    @property
    def rows(self) -> Ints:
        """The text of each entry."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
