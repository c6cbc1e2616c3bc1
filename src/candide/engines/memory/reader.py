"""Texts as the numbers that their words have in a vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.engines.memory.forms import Forms
from candide.engines.memory.neighbours import Neighbours
from candide.engines.memory.words import Interner, Reading, kernels
from candide.text.analyzer import Analyzer
from candide.text.vocabulary import Vocabulary

UNKNOWN = -2  # a word that is none of the vocabulary, but stands between its neighbours


class Reader:
    """Looks the words of texts up. One thread at a time may use it."""

    def __init__(self, analyzer: Analyzer, vocabulary: Vocabulary, pairs: NDArray[np.int64]) -> None:
        how = self.reading(analyzer)
        self.analyzer, self.vocabulary = analyzer, vocabulary
        self.by_form = Forms.are_made(analyzer)
        self.interner = Interner(how) if self.by_form else Interner.of(vocabulary.starts, vocabulary.letters, how)
        self.places = np.zeros(0, dtype=np.int32)
        self.neighbours = Neighbours.known(pairs) if len(pairs) else None
        self.times = np.zeros(max(1, len(vocabulary)), np.int32)
        self.pair_times = np.zeros(max(1, len(pairs)), np.int32)

    @staticmethod
    def reading(analyzer: Analyzer) -> Reading:
        """What kernels make of texts; forms and pairs come later."""
        low, high = analyzer.sizes if analyzer.unit != "words" else (1, 1)
        return Reading(analyzer.unit, analyzer.lower, analyzer.short, low, high)

    def blocks(self, data: Any, starts: Any, rows: NDArray[np.int64]) -> Iterator[tuple[int, int, Any, Any]]:
        """Blocks (lo, hi, ids, ends) of the texts in `rows`; a number below 0 is no word of the vocabulary."""
        for lo, hi, ids, ends in self.interner.blocks(data, starts, rows):
            if self.by_form:
                self._learn()
                ids = ids[: kernels().mapped(ids, ends, self.places)]
            yield lo, hi, ids, ends

    def _learn(self) -> None:
        """The forms of words that were not met before."""
        new = range(len(self.places), len(self.interner))
        if not len(new):
            return
        starts, letters = self.interner.starts, self.interner.letters
        forms = [self.analyzer.form(letters[starts[i] : starts[i + 1]].tobytes().decode()) for i in new]
        found = self.vocabulary.codes([form or "" for form in forms])
        found[found < 0] = UNKNOWN
        found[[form is None for form in forms]] = -1
        self.places = np.concatenate([self.places, found.astype(np.int32)])
