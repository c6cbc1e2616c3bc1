"""One text at a time: no table is made of it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from candide.scorecard import Floats, Scorecard, WordSum


class OneText:
    """The same sums as an engine's, for a single string."""

    def __init__(self, scorecard: Scorecard) -> None:
        term = scorecard.terms[0]
        assert isinstance(term, WordSum), "a classifier of texts has one term"
        self.term, self.start = term, scorecard.start
        self.places = {word: place for place, word in enumerate(term.vocabulary.words())}
        self.pairs = {pair: place for place, pair in enumerate(map(tuple, term.pairs.tolist()))}

    def posterior(self, text: str) -> Floats:
        """P(class | text)."""
        term, places = self.term, self.places
        ids = [places.get(word, -1) for word in term.analyzer.single(text)]
        _, x, length = term.amounts(ids)
        said = _sum(x, term.weights)
        if self.pairs:
            _, pairs, _ = term.amounts([self.pairs.get(pair, -1) for pair in pairwise(ids)])
            said = said + _sum(pairs, term.pair_weights)
        scores = self.start + term.whole(length) + (1.0 + length) ** term.power * said
        shares = np.exp(scores - scores.max())
        return np.asarray(shares / shares.sum())[None]


def _sum(x: dict[int, float], weights: Any) -> Any:
    """Σ x·w."""
    return np.array([*x.values()]) @ weights[[*x]] if x else 0.0
