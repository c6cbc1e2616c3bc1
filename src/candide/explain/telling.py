"""The words that speak most for each class."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.counts import Tally
from candide.errors import UnknownClass, UnknownColumn
from candide.explain.bags import bag_of, pair_places
from candide.explain.sums import NATS_TO_BITS
from candide.scorecard import Floats, Scorecard, WordSum


def telling(
    scorecard: Scorecard, tally: Tally, column: Any, label: Any = None, most: int = 10
) -> dict[Any, list[tuple[str, float, float]]]:
    """For each class (or one) the words and pairs that say most for it: the word, bits, documents that have it.

    Where documents are not counted it is how often the word occurs.

    Bits are what a text of this word alone says for the class over the average class; words are ranked by bits times
    the square root of the documents, so that one that came once does not stand before one that came a hundred times.
    """
    term = next((one for one in scorecard.terms if isinstance(one, WordSum) and column in one.columns), None)
    if term is None:
        texts = [one.columns[0] for one in scorecard.terms if isinstance(one, WordSum)]
        raise UnknownColumn.named(column, "the model's columns of texts", texts)
    classes = scorecard.classes
    if label is not None and label not in list(classes):
        raise UnknownClass.met([label], classes)
    names, weights, documents = _all(term, tally, column)
    centred = (weights - weights.mean(axis=1, keepdims=True)) * NATS_TO_BITS
    found: dict[Any, list[tuple[str, float, float]]] = {}
    for c, name in enumerate(classes):
        if label is not None and name != label:
            continue
        rank = centred[:, c] * np.sqrt(documents)
        best = np.argsort(-rank, kind="stable")[:most]
        found[name] = [(names[i], float(centred[i, c]), float(documents[i])) for i in best if centred[i, c] > 0]
    return found


def _all(term: WordSum, tally: Tally, column: Any) -> tuple[list[str], Floats, Floats]:
    """Words and pairs, their weights, and in how many texts they are, or else how often they occur."""
    bag, number = bag_of(tally, column)
    words = term.vocabulary.words()
    places = bag.vocabulary.codes(words)
    seen = bag.words.totals(len(bag.vocabulary))[places, number]
    weights = np.asarray(term.weights, dtype=float)
    if len(term.pairs):
        twos = bag.twos.totals(len(bag.pairs))[pair_places(bag, places[term.pairs]), number]
        names = [f"{words[a]} {words[b]}" for a, b in term.pairs.tolist()]
        words, seen = [*words, *names], np.concatenate([seen, twos])
        weights = np.concatenate([weights, np.asarray(term.pair_weights, dtype=float)])
    return words, weights, seen
