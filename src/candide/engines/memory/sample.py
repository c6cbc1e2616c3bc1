"""Keeping a few of the rows."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from candide.counts import KeepRows, Rows
from candide.counts.hashing import Hashes, finished, of_labels, of_texts, seed
from candide.counts.rows import EVERY
from candide.data import Source
from candide.data.columns import Encoded
from candide.engines.memory import texts
from candide.kernels import for_work
from candide.kernels.threads import run

CLASS = "\0class"  # no column is called that
PLENTY = 4  # times as many rows as are wanted are looked at first


def sample(request: KeepRows, source: Source, old: Rows | None) -> Rows:
    """The rows with the least hashes, equal ones once; what was kept before says how small a hash must be."""
    labels = [source.encoded(name) for name in request.levels]
    numbers = [np.asarray(source.numbers((name,))[:, 0], dtype=np.float64) for name in request.numbers]
    written = [texts.written(source.texts(name)) for name in request.texts]
    shares = _shares(request, source.n_rows, labels, numbers)
    for name, one in zip(request.texts, written, strict=True):
        shares += of_texts(name, texts.hashes(one), one.known)
    hashes = finished(of_labels(CLASS, source.classes)[source.y] + shares)
    last = EVERY if old is None else old.last
    at = _least(hashes, source.weights, last, request.most)
    least, first, places = np.unique(hashes[at], return_index=True, return_inverse=True)
    weights = np.bincount(places, None if source.weights is None else source.weights[at], len(least))
    rows = at[first]
    levels = [codes[rows] for _, codes in labels]
    names = tuple(labelled for labelled, _ in labels)
    found = Rows(
        request,
        source.classes,
        last,
        least,
        source.y[rows].astype(np.int64),
        weights.astype(np.float64),
        names,
        np.stack(levels, axis=1) if levels else np.zeros((len(rows), 0), dtype=np.int64),
        np.stack([x[rows] for x in numbers], axis=1) if numbers else np.zeros((len(rows), 0)),
        texts=tuple(one.take(rows) for one in written),
    )
    return found.bounded().named()


def _shares(request: KeepRows, rows: int, labels: list[Encoded], numbers: list[NDArray[np.float64]]) -> Hashes:
    """What all cells of each row add to its hash; columns are shared between threads."""
    width = len(request.levels)
    kernel = for_work(rows)

    def columns(lo: int, hi: int) -> Hashes:
        sums = np.zeros(rows, dtype=np.uint64)
        for j in range(lo, hi):
            if j < width:
                names, codes = labels[j]
                kernel.hash_labels(codes, np.append(of_labels(request.levels[j], names), np.uint64(0)), sums)
            else:
                kernel.hash_numbers(numbers[j - width], seed(request.numbers[j - width]), sums)
        return sums

    return reduce(add, run(columns, width + len(numbers), row_cost=rows))


def _least(hashes: Hashes, weights: NDArray[np.float64] | None, last: int, most: int) -> NDArray[np.int64]:
    """The rows that may be kept: those with hashes so small that more than enough differ, or all up to the last."""
    bound = min(last, EVERY * PLENTY * most // max(1, len(hashes)))
    while True:
        fits = hashes <= np.uint64(bound)
        if weights is not None:
            fits &= weights != 0
        if bound == last or len(np.unique(hashes[fits])) > most:
            return np.flatnonzero(fits)
        bound = last
