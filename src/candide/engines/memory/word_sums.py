"""Adding up what the words of texts say."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from candide.data import Source
from candide.engines.memory import texts as texts_of
from candide.engines.memory.bags import pays
from candide.engines.memory.reader import Reader
from candide.engines.memory.words import kernels, prepared
from candide.scorecard import Floats, WordSum
from candide.scorecard.words import KINDS

_READERS: WeakKeyDictionary[WordSum, list[Reader]] = WeakKeyDictionary()
_lock = threading.Lock()

Add = Callable[[int, int, Floats], None]


def adder(term: WordSum, source: Source, k: int) -> Add:
    """What adds the evidence of some texts to their scores."""
    column = source.texts(term.columns[0])
    texts = texts_of.written(column)
    if not pays(texts):
        return _one_by_one(term, column)
    data, starts = prepared(texts.letters, texts.starts, Reader.reading(term.analyzer))

    def add(lo: int, hi: int, scores: Floats) -> None:
        reader = _borrowed(term)
        rows = np.arange(lo, hi)
        for a, b, ids, ends in reader.blocks(data, starts, rows):
            scores[a:b] += _said(term, reader, ids, ends, texts.known[lo + a : lo + b])
        _returned(term, reader)

    return add


def _said(term: WordSum, reader: Reader, ids: Any, ends: Any, known: Any) -> Floats:
    """What the words of a block say, and its pairs."""
    how, n = (KINDS.index(term.values), term.unit), len(ends) - 1
    out, lengths = np.zeros((n, len(term.base))), np.zeros(n)
    kernels().weigh(ids, ends, term.weights, *how, reader.times, out, lengths)
    if reader.neighbours is not None:
        pairs, pair_ends = reader.neighbours.of(ids, ends)
        kernels().weigh(pairs, pair_ends, term.pair_weights, *how, reader.pair_times, out, np.zeros(n))
    if term.power:
        out *= ((1.0 + lengths) ** term.power)[:, None]
    if term.slopes is not None:
        out += np.log1p(lengths)[:, None] * (term.slopes * 1.0)
    return out + term.base if known.all() else np.where(known[:, None], out + term.base, 0.0)


def _one_by_one(term: WordSum, column: Any) -> Add:
    cells = np.array([*column.to_pylist(), None], dtype=object)[:-1]

    def add(lo: int, hi: int, scores: Floats) -> None:
        scores += term.parts(cells[lo:hi, None])[:, 0]

    return add


def _borrowed(term: WordSum) -> Reader:
    """A reader that no other thread uses."""
    with _lock:
        waiting = _READERS.setdefault(term, [])
        if waiting:
            return waiting.pop()
    return Reader(term.analyzer, term.vocabulary, term.pairs)


def _returned(term: WordSum, reader: Reader) -> None:
    with _lock:
        _READERS.setdefault(term, []).append(reader)
