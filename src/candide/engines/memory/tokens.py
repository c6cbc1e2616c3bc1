"""Counting words: text by text in Python where there are few, else with compiled kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import CountTokens, Tokens
from candide.counts.bag import NO_PAIRS, Bag
from candide.counts.occurrences import LOGS, UNIT, Occurrences
from candide.data import Source
from candide.engines.memory import bags
from candide.engines.memory.texts import written
from candide.text.analyzer import Analyzer
from candide.text.vocabulary import Vocabulary


def tokens(request: CountTokens, source: Source, old: Tokens | None) -> Tokens:
    """A bag for each column."""
    found = []
    for name, analyzer in zip(request.columns, request.analyzers, strict=True):
        column, k = source.texts(name), len(source.classes)
        texts = written(column)
        if bags.pays(texts):
            bag = bags.bag(texts, analyzer, source.y, source.weights, k, request.documents)
        else:
            bag = counted(column.to_pylist(), analyzer, source.y, source.weights, k, request.documents)
        found.append(bag if request.most is None else bag.bounded(request.most))
    return Tokens(request, source.classes, tuple(found))


def counted(
    texts: Iterable[str | None], analyzer: Analyzer, y: NDArray[Any], weights: Any, k: int, in_documents: bool
) -> Bag:
    """The bag of a few texts."""
    places: dict[str, int] = {}
    neighbours: dict[tuple[int, int], int] = {}
    documents = np.zeros(k)
    singles, doubles = Sums(in_documents), Sums(in_documents)
    for i, text in enumerate(texts):
        w, c = 1.0 if weights is None else float(weights[i]), int(y[i])
        if text is None or w == 0:
            continue
        documents[c] += w
        ids = [places.setdefault(token, len(places)) for token in analyzer.single(text)]
        singles.add(ids, c, w)
        if in_pairs(analyzer):
            doubles.add([neighbours.setdefault(pair, len(neighbours)) for pair in pairwise(ids)], c, w)
    pairs = np.array([*neighbours], dtype=np.int64).reshape(-1, 2) if neighbours else NO_PAIRS
    return Bag(Vocabulary.of(places), singles.occurrences(k), pairs, doubles.occurrences(k), documents)


def in_pairs(analyzer: Analyzer) -> bool:
    """Whether neighbouring words are counted, too."""
    return analyzer.unit == "words" and analyzer.sizes[1] == 2


class Sums:
    """What documents add to each (class, thing)."""

    def __init__(self, in_documents: bool) -> None:
        self.in_documents = in_documents
        self.held: dict[tuple[int, int], NDArray[np.float64]] = {}

    def add(self, ids: list[int], c: int, w: float) -> None:
        """One document."""
        times = Counter(ids)
        if not times:
            return
        tf = np.array([*times.values()])
        logs = LOGS[np.minimum(tf, len(LOGS) - 1)]
        parts = np.rint(UNIT * logs / np.sqrt(float(logs @ logs)))
        added = np.stack([tf, np.ones_like(tf), parts], axis=1) * w
        if not self.in_documents:
            added[:, 1:] = 0.0
        for place, values in zip(times, added, strict=True):
            key = c, place
            self.held[key] = self.held[key] + values if key in self.held else values

    def occurrences(self, k: int) -> Occurrences:
        """In order of class and thing."""
        if not self.held:
            return Occurrences.none(k)
        keys = sorted(self.held)
        y, ids = np.array(keys, dtype=np.int64).T
        starts = np.searchsorted(y, np.arange(k + 1))
        return Occurrences(starts.astype(np.int64), ids, np.array([self.held[key] for key in keys]))
