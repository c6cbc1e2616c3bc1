"""Where the words stand in the text itself, although it was lower-cased and single-spaced to find them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from texts import ANALYZERS, TEXTS

from candide.text import Analyzer

UNHURRIED = settings(deadline=None)


def squeezed(text: str) -> str:
    """Without white space: pads and joined spaces do not tell."""
    return "".join(text.split())


@UNHURRIED
@given(TEXTS, ANALYZERS)
def test_what_stands_there_is_what_was_found(text: str, analyzer: Analyzer) -> None:
    for piece, start, end in analyzer.words_at(text):
        there = text[start:end]
        assert 0 <= start <= end <= len(text)
        if not analyzer.lower:
            assert squeezed(there) == squeezed(piece)
        elif "Σ" not in there and "İ" not in there:  # their lower cases depend on what is beside them
            assert squeezed(there.lower()) == squeezed(piece)


@UNHURRIED
@given(TEXTS, ANALYZERS)
def test_places_do_not_change_what_is_found(text: str, analyzer: Analyzer) -> None:
    assert [piece for piece, *_ in analyzer.words_at(text)] == analyzer.words(text)
    assert [piece for piece, *_ in analyzer.tokens_at(text)] == analyzer.tokens(text)


@UNHURRIED
@given(TEXTS, ANALYZERS)
def test_words_stand_one_after_the_other(text: str, analyzer: Analyzer) -> None:
    if analyzer.unit == "words":
        places = [(start, end) for _, start, end in analyzer.words_at(text)]
        assert all(start < end for start, end in places)
        assert places == sorted(places)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("İstanbul", [("stanbul", 1, 8)]),  # İ is lowered to i and a dot above, which is no letter
        ("İİ İİ xİy ok", [("xi", 6, 8), ("ok", 10, 12)]),
        ("ΟΔΥΣΣΕΥΣ ΣΑΣ", [("οδυσσευς", 0, 8), ("σας", 9, 12)]),
        ("\U0001d4d0\U0001d4d1 e\u0301te", [("\U0001d4d0\U0001d4d1", 0, 2), ("te", 5, 7)]),
    ],
)
def test_letters_whose_lower_case_is_longer(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert Analyzer().words_at(text) == expected


def test_a_run_of_words_reaches_from_the_first_to_the_last() -> None:
    analyzer = Analyzer.of(stop="english", ngrams=2)
    assert analyzer.tokens_at("The King, of France") == [("king france", 4, 19)]


def test_many_spaces_are_one_and_padding_takes_no_place() -> None:
    assert Analyzer.of("letters", 3).tokens_at("a \n b") == [("a b", 0, 5)]
    padded = Analyzer.of("letters in words", (2, 3)).tokens_at("at  X")
    assert padded[:5] == [(" a", 0, 1), ("at", 0, 2), ("t ", 1, 2), (" at", 0, 2), ("at ", 0, 2)]
    assert padded[5:] == [(" x", 4, 5), ("x ", 4, 5), (" x ", 4, 5)]
    assert Analyzer.of("letters in words", 1).tokens_at("at")[::3] == [(" ", 0, 0), (" ", 2, 2)]
