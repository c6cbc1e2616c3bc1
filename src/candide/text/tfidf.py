"""How much a word tells one text from the others: tf-idf."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from candide.errors import BadAnalyzer, BadValue
from candide.text.analyzer import Analyzer


def tfidf(
    texts: Iterable[Any], kind: Literal["notes", "sklearn"] = "notes", analyzer: Analyzer | None = None
) -> tuple[Any, list[str]]:
    """A sparse matrix, a row a text and a column a word, and the words in the order of the alphabet.

    "notes": count / length of the text · ln(N / df), with df the texts of N that have the word. "sklearn":
    count · (ln((1 + N)/(1 + df)) + 1), each row brought to Euclidean length 1.

    >>> matrix, words = tfidf(["to be", "or not to be"])
    >>> words, matrix.toarray()[1].round(4).tolist()
    (['be', 'not', 'or', 'to'], [0.0, 0.1733, 0.1733, 0.0])
    """
    from scipy.sparse import csr_array

    if kind not in ("notes", "sklearn"):
        raise BadAnalyzer.unknown("kind", kind, ("notes", "sklearn"))
    if isinstance(texts, str):
        raise BadValue(f"expected several texts, got one string: put it into a list, [{texts[:20]!r}].")
    analyzer = Analyzer() if analyzer is None else analyzer
    counted = [Counter(analyzer.tokens(text)) for text in texts]
    words = sorted(set().union(*counted))
    place_of = {word: place for place, word in enumerate(words)}
    starts = np.cumsum([0, *map(len, counted)])
    places = np.array([place_of[word] for text in counted for word in text], dtype=np.int64)
    counts = np.array([n for text in counted for n in text.values()], dtype=float)
    rows, n = np.repeat(np.arange(len(counted)), np.diff(starts)), len(counted)
    df = np.bincount(places, minlength=len(words))
    if kind == "notes":
        length = np.bincount(rows, counts, n)
        values = counts / length[rows] * np.log(n / df)[places]
    else:
        values = counts * (np.log((1 + n) / (1 + df)) + 1)[places]
        values /= np.sqrt(np.bincount(rows, values**2, n))[rows]
    matrix = csr_array((values, places, starts), shape=(n, len(words)))
    matrix.sort_indices()
    return matrix, words
