"""The words of texts that were kept, as numbers of the words that were counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import Rows, Tokens
from candide.counts.found import Found
from candide.counts.texts import Texts
from candide.engines.memory.bags import pays
from candide.engines.memory.reader import Reader
from candide.engines.memory.words import prepared
from candide.text.analyzer import Analyzer


def found(rows: Rows, tokens: Tokens) -> Rows:
    """The same rows with the words and pairs of each of their texts, by the numbers of `tokens`."""
    columns = []
    for name, texts in zip(rows.request.texts, rows.texts, strict=True):
        place = list(tokens.request.columns).index(name)
        analyzer, bag = tokens.request.analyzers[place], tokens.bags[place]
        columns.append((_read if pays(texts) else _looked_up)(texts, analyzer, bag))
    return replace(rows, found=tuple(columns))


def _read(texts: Texts, analyzer: Analyzer, bag: Any) -> tuple[Found, Found]:
    data, starts = prepared(texts.letters, texts.starts, Reader.reading(analyzer))
    reader = Reader(analyzer, bag.vocabulary, bag.pairs)
    words: list[Found] = []
    twos: list[Found] = []
    for lo, hi, ids, ends in reader.blocks(data, starts, np.arange(len(texts))):
        words.append(_distinct(ids, ends, hi - lo))
        if reader.neighbours is not None:
            twos.append(_distinct(*reader.neighbours.of(ids, ends), hi - lo))
    return Found.joined(words, len(texts)), Found.joined(twos, len(texts))


def _distinct(ids: NDArray[Any], ends: NDArray[np.int64], n: int) -> Found:
    """How often each known word occurs in each text."""
    documents = np.repeat(np.arange(n), np.diff(ends))
    known = ids >= 0
    keys = (documents[known] << 32) | ids[known].astype(np.int64)
    different, times = np.unique(keys, return_counts=True)
    starts = np.searchsorted(different, np.arange(n + 1) << 32)
    return Found(starts, different & 0xFFFFFFFF, times)


def _looked_up(texts: Texts, analyzer: Analyzer, bag: Any) -> tuple[Found, Found]:
    """Text by text."""
    words, twos = [], []
    places = {pair: place for place, pair in enumerate(map(tuple, bag.pairs.tolist()))}
    for i in range(len(texts)):
        ids = bag.vocabulary.codes(analyzer.single(texts[i] or "")).tolist()
        words.append(Counter(place for place in ids if place >= 0))
        pairs = (places.get(pair, -1) for pair in pairwise(ids))
        twos.append(Counter(place for place in pairs if place >= 0))
    return Found.of(words), Found.of(twos)
