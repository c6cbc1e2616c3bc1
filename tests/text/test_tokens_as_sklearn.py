"""The tokens of a text are those of CountVectorizer's analyzers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from sklearn.feature_extraction.text import CountVectorizer
from texts import ANALYZERS, PIECES, TEXTS

from candide.text import Analyzer

NAMES = {"words": "word", "letters": "char", "letters in words": "char_wb"}


def theirs(ours: Analyzer) -> Callable[[str], list[str]]:
    """scikit-learn's analyzer of the same settings."""
    words = ours.unit == "words"
    return CountVectorizer(
        analyzer=NAMES[ours.unit],
        ngram_range=ours.sizes,
        lowercase=ours.lower,
        stop_words=list(ours.stop) if words and ours.stop else None,
        token_pattern=r"(?u)\b\w+\b" if ours.short else r"(?u)\b\w\w+\b",
    ).build_analyzer()


@settings(max_examples=400, deadline=None)
@given(TEXTS, ANALYZERS)
def test_any_text_by_any_analyzer(text: str, analyzer: Analyzer) -> None:
    assert analyzer.tokens(text) == theirs(analyzer)(text)


@pytest.mark.parametrize("unit", NAMES)
@pytest.mark.parametrize("sizes", [(1, 1), (1, 2), (2, 2), (2, 4), (3, 9)])
@pytest.mark.parametrize("lower", [True, False])
def test_every_piece_beside_every_other(unit: str, sizes: tuple[int, int], lower: bool) -> None:
    analyzer = Analyzer(unit, sizes, lower)  # type: ignore[arg-type]
    expected = theirs(analyzer)
    for piece in PIECES:
        text = piece.join(PIECES)
        assert analyzer.tokens(text) == expected(text)


def test_every_character_there_is() -> None:
    everything = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    for text in ("".join(everything), " ".join(everything), "x".join(everything)):
        for analyzer in (Analyzer(), Analyzer(short=True), Analyzer(lower=False, short=True)):
            assert analyzer.tokens(text) == theirs(analyzer)(text)
