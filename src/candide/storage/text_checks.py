"""What must hold of bags of words that were put together from a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow.compute as pc

from candide.classifier.fitted import Fitted
from candide.counts import CountTokens, Tokens
from candide.counts.bag import Bag
from candide.counts.occurrences import Occurrences
from candide.counts.texts import Texts
from candide.events import Words
from candide.events.word_fit import Strengths
from candide.labels import Labels
from candide.posterior import Calibration
from candide.storage.demands import demand, floats, of_type, weights
from candide.text.analyzer import Analyzer
from candide.text.vocabulary import Vocabulary


def vocabulary(value: Vocabulary) -> None:
    """Different words: in a file they are in the order of their bytes."""
    words = value.arrow()
    rises = len(words) < 2 or pc.all(pc.less(words.slice(0, len(words) - 1), words.slice(1))).as_py()
    demand(bool(rises), "the words of a vocabulary should be in rising order")


def token_request(value: CountTokens) -> None:
    of_type(value, "columns", tuple)
    of_type(value, "analyzers", tuple)
    fits = len(value.analyzers) == len(value.columns) == len(set(value.columns))
    demand(fits and all(isinstance(one, Analyzer) for one in value.analyzers), "an analyzer a column")
    of_type(value, "documents", bool)
    of_type(value, "most", type(None), int)


def occurrences(value: Occurrences) -> None:
    """Rising things in each class, with three sums each."""
    starts, ids = value.starts, value.ids
    demand(_whole(starts) and len(starts) > 0 and starts[0] == 0, "starts should be I64, from 0")
    demand(
        _whole(ids) and starts[-1] == len(ids) and bool((np.diff(starts) >= 0).all()), "starts should rise to the end"
    )
    weights(value.values, (len(ids), 3), "values")
    if value.most is not None:
        weights(value.most, (len(ids), 3), "most")
    if len(ids):
        rises = np.diff(ids) > 0
        rises[starts[1:-1][(starts[1:-1] > 0) & (starts[1:-1] < len(ids))] - 1] = True
        demand(bool(rises.all()) and int(ids.min()) >= 0, "ids should rise in every class")


def bag(value: Bag) -> None:
    """Things that there are, and the same classes throughout."""
    of_type(value, "vocabulary", Vocabulary)
    k, words = len(value.documents), len(value.vocabulary)
    weights(value.documents, (k,), "documents")
    pairs = value.pairs
    demand(isinstance(pairs, np.ndarray) and pairs.dtype == np.int64 and pairs.shape == (len(pairs), 2), "pairs: I64")
    demand(not pairs.size or (int(pairs.min()) >= 0 and int(pairs.max()) < words), "a pair has an unknown word")
    demand(len(np.unique(pairs @ np.array([1 << 32, 1]))) == len(pairs), "a pair occurs twice")
    for name, size in (("words", words), ("twos", len(pairs))):
        of_type(value, name, Occurrences)
        held: Occurrences = getattr(value, name)
        demand(held.classes == k, f"{name} has {held.classes} classes, not {k}")
        demand(not len(held) or int(held.ids.max()) < size, f"{name} counts things that are not there")


def tokens(value: Tokens) -> None:
    of_type(value, "request", CountTokens)
    of_type(value, "classes", Labels)
    of_type(value, "bags", tuple)
    demand(len(value.bags) == len(value.request.columns), "a bag a column")
    for one in value.bags:
        demand(isinstance(one, Bag) and len(one.documents) == len(value.classes), "a bag has the classes of all")


def texts(value: Texts) -> None:
    """UTF-8 from end to end."""
    starts, known = value.starts, value.known
    demand(_whole(starts) and isinstance(known, np.ndarray) and known.dtype == np.bool_, "starts: I64, known: BOOL")
    demand(value.letters.dtype == np.uint8 and value.letters.ndim == 1, "letters should be U8")
    fits = len(starts) == len(known) + 1 and starts[0] == 0 and starts[-1] == len(value.letters)
    demand(bool(fits) and bool((np.diff(starts) >= 0).all()), "starts should rise from 0 to the end")
    value.letters.tobytes().decode()
    middle = value.letters[starts[:-1][starts[:-1] < len(value.letters)]] & 0xC0 == 0x80
    demand(not middle.any(), "a text begins within a letter")


def words(value: Words) -> None:
    of_type(value, "analyzer", Analyzer)
    of_type(value, "fit", bool)
    for name in ("idf", "least", "most"):
        of_type(value, name, int, float)
    of_type(value, "vocabulary", type(None), int)


def strengths(value: Strengths) -> None:
    """Finite numbers, a base and a slope a class."""
    floats(value.each, (len(value.each),), "each")
    of_type(value, "power", float)
    demand(bool(np.isfinite(value.power)), "Strengths.power should be finite")
    floats(value.base, (len(value.base),), "base")
    floats(value.slopes, (len(value.base),), "slopes")


def calibration(value: Calibration) -> None:
    of_type(value, "temperature", float)
    demand(bool(np.isfinite(value.temperature)) and value.temperature > 0, "a temperature is above 0")
    floats(value.biases, (len(value.biases),), "biases")


def fitted(value: Fitted) -> None:
    of_type(value, "calibration", Calibration)
    of_type(value, "strengths", Mapping)
    demand(all(isinstance(one, Strengths) for one in value.strengths.values()), "strengths a column")


def _whole(array: Any) -> bool:
    return isinstance(array, np.ndarray) and array.dtype == np.int64 and array.ndim == 1
