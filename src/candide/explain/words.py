"""The evidence of one text, word by word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.counts.bag import Bag
from candide.explain import figures
from candide.explain.bags import pair_places, seen_in, unit_of
from candide.labels import is_missing
from candide.scorecard import Floats, WordSum

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A word, or a pair of neighbours, as it was counted: what it says for each class, in nats, all its occurrences
    together; in how many texts (or how often) each class had it; and from where to where it stands in this text.
    """

    word: str
    evidence: Floats
    seen: Floats
    places: Spans

    @property
    def times(self) -> int:
        """How often it occurs in this text."""
        return len(self.places)

    def json(self) -> dict[str, Any]:
        return {
            "word": self.word,
            "times": self.times,
            "evidence": self.evidence.tolist(),
            "seen": self.seen.tolist(),
            "places": [list(span) for span in self.places],
        }


@dataclass(frozen=True, slots=True, eq=False)
class TextEvidence:
    """`whole + Σ word.evidence` is what a text says for each class, in nats; words are in the order of their weight.

    `whole` is said by the length of the text, or by the words that it lacks. `size` is the number of its words, among
    them the `unknown` ones, which have no evidence of their own. `seen` counts "texts" or "times".
    """

    column: Any
    text: str
    whole: Floats
    words: tuple[Word, ...]
    unknown: tuple[str, ...]
    size: int
    seen: str = "texts"

    @classmethod
    def of(cls, term: WordSum, text: Any, bag: Bag, number: int) -> TextEvidence:
        """What a term says of a text, with what was counted of its words."""
        column, unit, nothing = term.columns[0], unit_of(number), np.zeros(len(term.base))
        if is_missing(text):
            return cls(column, "", nothing, (), (), 0, unit)
        told, length = term.told(text)
        spans: dict[str, list[tuple[int, int]]] = {}
        for token, start, end in term.analyzer.tokens_at(text):
            spans.setdefault(token, []).append((start, end))
        seen = _seen([name for name, *_ in told], bag, number)
        words = [
            Word(name, np.asarray(x * weights, dtype=float), counts, tuple(spans[name]))
            for (name, x, weights), counts in zip(told, seen, strict=True)
        ]
        tokens = term.analyzer.single(text)
        codes = term.vocabulary.codes(tokens).tolist()
        unknown = dict.fromkeys(token for token, code in zip(tokens, codes, strict=True) if code < 0)
        words.sort(key=lambda word: -float(np.ptp(word.evidence)))
        return cls(column, text, np.asarray(term.whole(length)), tuple(words), tuple(unknown), len(tokens), unit)

    @property
    def sum(self) -> Floats:
        """What the text says for each class."""
        return np.asarray(self.whole + sum((word.evidence for word in self.words), np.zeros(len(self.whole))))

    @property
    def remark(self) -> str:
        """How long the text is, and what in it is not known."""
        said = f"{self.size:,} word{'s' * (self.size != 1)}"
        return f"{said}; not known: {figures.some(list(self.unknown))}" if self.unknown else said

    def json(self) -> dict[str, Any]:
        """Plain values; `seen` has a number a class for each word."""
        return {
            "whole": self.whole.tolist(),
            "size": self.size,
            "unknown": list(self.unknown),
            "seen": self.seen,
            "words": [word.json() for word in self.words],
        }

    def __repr__(self) -> str:
        return f"TextEvidence({len(self.words)} words and pairs, {len(self.unknown)} unknown words)"


def _seen(names: list[str], bag: Bag, number: int) -> Floats:
    """What was counted of words, and of pairs written with a blank between."""
    places = bag.vocabulary.codes(names)
    seen = seen_in(bag.words, places, number)
    pairs = [i for i, place in enumerate(places.tolist()) if place < 0] if len(bag.pairs) else []
    if pairs:
        twos = np.array([bag.vocabulary.codes(names[i].split(" ", 1)) for i in pairs])
        seen[pairs] = seen_in(bag.twos, pair_places(bag, twos), number)
    return seen
