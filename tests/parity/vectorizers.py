"""scikit-learn's vectorizers, whose tokens candide's Analyzer makes: for scikit-learn's own tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn.feature_extraction import text as sklearn_text

from candide.text import Analyzer

UNITS = {"word": "words", "char": "letters", "char_wb": "letters in words"}
SHORT = {r"(?u)\b\w\w+\b": False, r"(?u)\b\w+\b": True}


def tokens(analyzer: Analyzer, steps: list[Callable[[Any], Any]], document: Any) -> list[str]:
    """The tokens of a document after some steps."""
    for step in steps:
        document = step(document)
    return analyzer.tokens(document)


class ByAnalyzer:
    """Reading and decoding are scikit-learn's, and so are accents, preprocessors and tokenizers of the user's own.

    All the rest, lower-casing, words, stop words and runs of words or letters, is ours.
    """

    def build_analyzer(self) -> Callable[[Any], list[str]]:
        settings: Any = self
        if self._no_analyzer_has():
            return super().build_analyzer()  # type: ignore[misc]
        changed = settings.preprocessor or settings.strip_accents
        steps = [settings.decode, settings.build_preprocessor()] if changed else [settings.decode]
        return partial(tokens, self._analyzer(settings.lowercase and not changed), steps)

    def build_tokenizer(self) -> Callable[[str], list[str]]:
        if self._no_analyzer_has():
            return super().build_tokenizer()  # type: ignore[misc]
        return Analyzer(lower=False, short=SHORT[self.token_pattern]).words  # type: ignore[attr-defined]

    def _no_analyzer_has(self) -> bool:
        settings: Any = self
        words = settings.analyzer == "word"
        return settings.analyzer not in UNITS or (words and (settings.tokenizer or settings.token_pattern not in SHORT))

    def _analyzer(self, lower: bool) -> Analyzer:
        settings: Any = self
        unit: Any = UNITS[settings.analyzer]
        if unit != "words":
            return Analyzer(unit, settings.ngram_range, lower)
        stop = tuple(sorted(settings.get_stop_words() or ()))
        return Analyzer(unit, settings.ngram_range, lower, SHORT[settings.token_pattern], stop)


class CountVectorizer(ByAnalyzer, sklearn_text.CountVectorizer):
    """Counts of our tokens."""


class TfidfVectorizer(ByAnalyzer, sklearn_text.TfidfVectorizer):
    """Weights of our tokens."""


class HashingVectorizer(ByAnalyzer, sklearn_text.HashingVectorizer):
    """Hashed counts of our tokens."""
