"""Counting the words of many texts: threads take documents, class after class, and join what they found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts.bag import Bag
from candide.counts.occurrences import Occurrences
from candide.counts.texts import Texts
from candide.engines.memory.adding import Adding, joined
from candide.engines.memory.forms import Forms
from candide.engines.memory.neighbours import Neighbours
from candide.engines.memory.reader import Reader
from candide.engines.memory.words import WORDS, Interner, prepared
from candide.kernels import for_work, plain
from candide.kernels.threads import run, thread_count
from candide.text.analyzer import Analyzer
from candide.text.vocabulary import Vocabulary

LETTERS_A_WORD, MOST_WORDS = 256, 1 << 16  # a distinct word comes about as often at first; it is no promise
COST = 4  # of a letter, in cells of a table


def pays(texts: Texts) -> bool:
    """Whether there are letters enough for compiled kernels."""
    return for_work(COST * int(texts.starts[-1] - texts.starts[0])) is not plain


def bag(texts: Texts, analyzer: Analyzer, y: NDArray[Any], weights: Any, k: int, documents: bool) -> Bag:
    """The bag of all texts."""
    data, starts = prepared(texts.letters, texts.starts, Reader.reading(analyzer))
    counting = texts.known if weights is None else texts.known & (weights != 0)
    held = np.bincount(y[counting], None if weights is None else weights[counting], k).astype(np.float64)
    cuts = np.searchsorted(starts, np.linspace(starts[0], starts[-1], thread_count() + 1)).tolist()
    cuts[0], cuts[-1] = 0, len(texts)

    def part(lo: int, hi: int) -> Part:
        rows = lo + np.flatnonzero(counting[lo:hi])
        rows = rows[np.argsort(y[rows], kind="stable")]
        return _part(data, starts, rows, analyzer, y, weights, k, documents)

    parts = run(part, len(texts), row_cost=max(1, len(data) // max(1, len(texts))), cuts=cuts)
    return _joined(parts, k, held)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What one thread has found."""

    interner: Interner
    forms: Forms | None
    words: Adding
    neighbours: Neighbours | None
    twos: Adding


def _part(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    rows: NDArray[np.int64],
    analyzer: Analyzer,
    y: NDArray[Any],
    weights: Any,
    k: int,
    documents: bool,
) -> Part:
    room = int(np.sum(starts[rows + 1] - starts[rows])) // LETTERS_A_WORD if len(rows) else 0
    interner = Interner(Reader.reading(analyzer), words=min(max(room, WORDS), MOST_WORDS))
    forms = Forms(interner, analyzer) if Forms.are_made(analyzer) else None
    neighbours = Neighbours() if analyzer.unit == "words" and analyzer.sizes[1] == 2 else None
    words, twos = Adding(k, documents), Adding(k, documents)
    for lo, hi, ids, ends in interner.blocks(data, starts, rows):
        if forms is not None:
            ids = forms.of(ids, ends)
        own = rows[lo:hi]
        w = None if weights is None else np.asarray(weights[own], dtype=np.float64)
        size = len(interner) if forms is None else len(forms)
        for a, b, c in _runs(y[own]):
            words.add(ids, ends, a, b, w, c, size)
        if neighbours is not None:
            pairs, pair_ends = neighbours.of(ids, ends)
            for a, b, c in _runs(y[own]):
                twos.add(pairs, pair_ends, a, b, w, c, len(neighbours))
    words.end()
    twos.end()
    return Part(interner, forms, words, neighbours, twos)


def _runs(y: NDArray[Any]) -> Iterator[tuple[int, int, int]]:
    """Documents a to b, all of class c."""
    edges = [0, *(np.flatnonzero(y[1:] != y[:-1]) + 1).tolist(), len(y)]
    for a, b in pairwise(edges):
        if a < b:
            yield a, b, int(y[a])


def _joined(parts: list[Part], k: int, documents: NDArray[np.float64]) -> Bag:
    """All parts under the numbers of the first, which learns the words of the others."""
    first = parts[0].forms.interner if parts[0].forms is not None else parts[0].interner
    places = [np.arange(len(first))]
    for part in parts[1:]:
        places.append(first.merge(part.forms.interner if part.forms is not None else part.interner))
    words = joined([part.words for part in parts], places, len(first), k)
    vocabulary = Vocabulary(np.array(first.starts), np.array(first.letters))
    nothing = Occurrences.none(k)
    if parts[0].neighbours is None:
        return Bag(vocabulary, words, np.zeros((0, 2), dtype=np.int64), nothing, documents)
    all_pairs = parts[0].neighbours
    pair_places = [np.arange(len(all_pairs))]
    for part, renamed in zip(parts[1:], places[1:], strict=True):
        assert part.neighbours is not None, "all parts count the same"
        pair_places.append(all_pairs.merge(renamed[part.neighbours.pairs]))
    twos = joined([part.twos for part in parts], pair_places, len(all_pairs), k)
    return Bag(vocabulary, words, np.array(all_pairs.pairs, dtype=np.int64), twos, documents)
