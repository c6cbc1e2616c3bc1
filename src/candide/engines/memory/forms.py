"""Forms of words: asked for once a distinct word, never for an occurrence."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from candide.engines.memory.words import Interner, Reading, kernels
from candide.text.analyzer import Analyzer


class Forms:
    """The numbers of words' forms, in a vocabulary of their own; −1 for stop words."""

    def __init__(self, words: Interner, analyzer: Analyzer) -> None:
        self.words, self.analyzer = words, analyzer
        self.interner = Interner(Reading())
        self.places = np.zeros(0, dtype=np.int32)

    @staticmethod
    def are_made(analyzer: Analyzer) -> bool:
        """Whether words count as anything but themselves."""
        return bool(analyzer.buckets) or bool(
            analyzer.stop or analyzer.stop_language or analyzer.forms or analyzer.lemma or analyzer.stem
        )

    def __len__(self) -> int:
        return len(self.interner)

    def of(self, ids: NDArray[np.int32], ends: NDArray[np.int64]) -> NDArray[np.int32]:
        """The words of a block as forms, in place, without stop words."""
        if len(self.words) > len(self.places):
            self._learn()
        left: int = kernels().mapped(ids, ends, self.places)
        return ids[:left]

    def _learn(self) -> None:
        starts, letters = self.words.starts, self.words.letters
        new = range(len(self.places), len(self.words))
        forms = [self.analyzer.form(letters[starts[i] : starts[i + 1]].tobytes().decode()) for i in new]
        kept = [form.encode() for form in forms if form is not None]
        ends = np.cumsum([0, *map(len, kept)])
        added = self.interner.learn(ends, np.frombuffer(b"".join(kept), np.uint8))
        places = np.full(len(forms), -1, dtype=np.int32)
        places[[form is not None for form in forms]] = added
        self.places = np.concatenate([self.places, places])
