"""Texts of every script, and analyzers, for the properties."""

from __future__ import annotations

from hypothesis import strategies as st

from candide.text import Analyzer

PIECES = (
    "a", "b", "I", "é", "É", "ß", "ẞ", "ﬁ", "Σ", "σ", "ς", "Α", "ΑΣ", "İ", "ı", "\u212a", "\u2126", "Ж", "щ", "Ё",
    "Ǆ", "中", "文", "日本", "한", "ไทย", "हिन्दी", "ע", "ש\u05c1", "\U0001d4d0", "\U00010400", "😀",
    "👩‍👩", "\u0301", "\u0307", "\u200d", "\u00ad", "\ufffd", "_", "7", "٣", "²", "Ⅷ", "ⓐ", "'", "’", "-", ".", ",",
    "\0", " ", "  ", "\t", "\n", "\r\n", "\x0b", "\x1c", "\x85", "\xa0", "\u2003", "\u2028", "\u200b",
    "·", "\u3000", "the", "not", "And",
)  # fmt: skip
PIECE = st.sampled_from(PIECES) | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
TEXTS = st.lists(PIECE, max_size=25).map("".join)
SIZES = st.tuples(st.integers(1, 5), st.integers(0, 4)).map(lambda pair: (pair[0], sum(pair)))
STOP = st.sets(st.sampled_from(["a", "b", "the", "not", "and", "And", "ж", "中", "ας", "k", "7"]))
WORDS = st.builds(
    lambda sizes, lower, short, stop: Analyzer("words", sizes, lower, short, tuple(sorted(stop))),
    SIZES, st.booleans(), st.booleans(), STOP,
)  # fmt: skip
LETTERS = st.builds(Analyzer, st.sampled_from(["letters", "letters in words"]), SIZES, st.booleans())
ANALYZERS = WORDS | LETTERS
