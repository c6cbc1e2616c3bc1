"""The evidence of a text: a sum over its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log1p, sqrt
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from candide.scorecard.card import Floats
from candide.text.analyzer import Analyzer
from candide.text.vocabulary import Vocabulary

Values = Literal["count", "once", "log"]
KINDS: tuple[Values, ...] = ("count", "once", "log")  # in the order in which kernels number them


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class WordSum:
    """base + slopes·log(1 + L) + (1 + L)^power · Σ x·w over the words of a text and its pairs of neighbouring words.

    x is how often the word occurs (`count`), 1 (`once`) or log(1 + count) (`log`), with `unit` divided by the Euclidean
    length of all x, pairs apart; L is the sum of the words' x. `weights` has a row a word, `pair_weights` a row a pair.
    What has no row adds no weight but length: each time as if it occurred once. A missing text says nothing.
    """

    columns: Sequence[Any]
    analyzer: Analyzer
    vocabulary: Vocabulary
    weights: NDArray[Any]
    pairs: NDArray[np.int64]
    pair_weights: NDArray[Any]
    base: Floats
    values: Values = "count"
    unit: bool = False
    power: float = 0.0
    slopes: Floats | None = None

    @property
    def constant(self) -> Floats:
        return np.zeros(len(self.base))

    def parts(self, X: NDArray[Any]) -> Floats:
        """X holds texts, or None where one is missing."""
        out, places = np.zeros((*X.shape, len(self.base))), self._pair_places()
        for i, text in enumerate(X[:, 0].tolist()):
            if text is not None:
                words, length = self.told(text, places)
                out[i, 0] = self.whole(length) + sum((x * w for _, x, w in words), np.zeros(len(self.base)))
        return out

    def whole(self, length: float) -> Floats:
        """What a text of length L says as a whole."""
        return self.base if self.slopes is None else self.base + self.slopes * np.log1p(length)

    def told(
        self, text: str, pair_places: Mapping[tuple[int, ...], int] | None = None
    ) -> tuple[list[tuple[str, float, Floats]], float]:
        """Every word and pair with weights: its x, with the power of the length, and these; and the length L.

        `pair_places`, the number of each pair, is looked up for many texts once.
        """
        ids = self.vocabulary.codes(self.analyzer.single(text)).tolist()
        times, x, length = self.amounts(ids)
        scale = (1.0 + length) ** self.power
        found = [(self.vocabulary[v], x[v] * scale, self.weights[v]) for v in times if v >= 0]
        if len(self.pairs):
            places = self._pair_places() if pair_places is None else pair_places
            pairs, x, _ = self.amounts([places.get(pair, -1) for pair in pairwise(ids)])
            found += [(self._pair(p), x[p] * scale, self.pair_weights[p]) for p in pairs if p >= 0]
        return found, length

    def amounts(self, ids: list[int]) -> tuple[Counter[int], dict[int, float], float]:
        """How often each thing occurs, its x, and the sum of all x; −1 stands for things without weights."""
        times = Counter(ids)
        strange = times.get(-1, 0)
        if self.values == "count":
            x = {v: float(n) for v, n in times.items()}
        elif self.values == "once":
            x = dict.fromkeys(times, 1.0)
        else:
            x = {v: log1p(n) for v, n in times.items()}
        one = log1p(1) if self.values == "log" else 1.0
        x.pop(-1, None)
        length = sum(x.values()) + strange * one
        if self.unit and times:
            norm = sqrt(sum(a * a for a in x.values()) + strange * one * one)
            x, length = {v: a / norm for v, a in x.items()}, length / norm
        return times, x, length

    def _pair_places(self) -> dict[tuple[int, ...], int]:
        return {pair: place for place, pair in enumerate(map(tuple, self.pairs.tolist()))}

    def _pair(self, place: int) -> str:
        return " ".join(self.vocabulary[int(word)] for word in self.pairs[place])

    def linear(self) -> Floats | None:
        """Nothing: that would be a matrix of words, not of texts."""
        return None

    def relative(self) -> Self:
        return self

    def times(self, factor: float) -> Self:
        weights, pairs = self.weights * factor, self.pair_weights * factor
        slopes = None if self.slopes is None else self.slopes * factor
        return replace(self, weights=weights, pair_weights=pairs, base=self.base * factor, slopes=slopes)
