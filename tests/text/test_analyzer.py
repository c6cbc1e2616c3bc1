"""What the tokens of a text are, whatever the text."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from candide.errors import BadAnalyzer, BadValue, CandideError
from candide.text import Analyzer
from candide.text.rules import bucket

PLAIN = Analyzer()


def test_one_letter_words_are_kept_on_demand() -> None:
    assert PLAIN.tokens("A game, I say") == ["game", "say"]
    assert Analyzer.of(short=True).tokens("A game, I say") == ["a", "game", "i", "say"]


def test_stop_words_go_before_words_are_joined() -> None:
    analyzer = Analyzer.of(stop=["of", "the"], ngrams=(1, 2))
    assert analyzer.tokens("The king of France") == ["king", "france", "king france"]


def test_words_are_those_before_stop_words_and_forms() -> None:
    analyzer = Analyzer.of(stop=["the"], forms={"spoke": "speech"}, ngrams=2)
    assert analyzer.words("The king spoke") == ["the", "king", "spoke"]
    assert analyzer.single("The king spoke") == ["king", "speech"]
    assert analyzer.tokens("The king spoke") == ["king speech"]


@pytest.mark.parametrize("missing", [None, np.nan, float("nan"), pd.NA, pd.NaT])
@pytest.mark.parametrize("unit", ["words", "letters", "letters in words"])
def test_a_missing_text_has_no_tokens(unit: Any, missing: object) -> None:
    analyzer = Analyzer.of(unit)
    assert analyzer.tokens(missing) == analyzer.words(missing) == []
    assert analyzer.words_at(missing) == analyzer.tokens_at(missing) == []


def test_bytes_are_utf_8() -> None:
    assert PLAIN.tokens("Café Ærø".encode()) == ["café", "ærø"]
    with pytest.raises(BadValue, match=r"byte 6 is 0xe9 .* after 'le caf'"):
        PLAIN.tokens("le café".encode("latin-1"))


@pytest.mark.parametrize("value", [3, 2.5, True, ["to", "be"], {"a": 1}])
def test_what_is_no_text_is_refused(value: object) -> None:
    with pytest.raises(BadValue, match=f"must be a string, not of type {type(value).__name__}: "):
        PLAIN.tokens(value)


def test_half_a_surrogate_pair_is_no_letter() -> None:
    assert PLAIN.tokens("ab\ud800cd") == ["ab", "cd"]
    assert Analyzer.of("letters", 1).tokens("a\udfff") == ["a", "\ufffd"]
    assert Analyzer.of("letters", 1).words_at("a\udfffb")[2] == ("b", 2, 3)


def test_analyzers_are_values() -> None:
    one = Analyzer.of(stop=["b", "a", "a"], forms={"yy": "z", "xx": "z"}, ngrams=(1, 2), buckets=2**20)
    two = Analyzer.of(stop=("a", "b"), forms=[("xx", "z"), ("yy", "z")], ngrams=(1, 2), buckets=2**20)
    assert one == two
    assert hash(one) == hash(two)
    text, z = (bucket(word, 2**20) for word in ("text", "z"))
    assert one.tokens("a text xx") == [text, z, f"{text} {z}"]
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert again.tokens("a text xx") == [text, z, f"{text} {z}"]
    assert replace(one, short=True, stop=("text",), buckets=None).tokens("a text xx") == ["a", "z", "a z"]
    with pytest.raises(AttributeError):
        one.lower = False  # type: ignore[misc]


def test_forms_that_a_stop_word_makes_stay() -> None:
    analyzer = Analyzer.of(stop=["speech"], forms={"spoke": "speech"})
    assert analyzer.form("speech") is None
    assert analyzer.form("spoke") == "speech"
    assert analyzer.form("king") == "king"


def test_words_of_the_user_are_lowered_with_the_text() -> None:
    assert Analyzer.of(stop=["The"], forms={"Spoke": "Speech"}).tokens("THE king SPOKE") == ["king", "speech"]
    assert Analyzer.of(stop=["The"], lower=False).tokens("THE king spoke The") == ["THE", "king", "spoke"]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"unit": "sentences"}, "unit: 'sentences' is none of words, letters"),
        ({"ngrams": (2, 1)}, r"sizes of runs are \(2, 1\)"),
        ({"ngrams": 0}, "sizes of runs"),
        ({"ngrams": (1, 2, 3)}, "the smallest and the largest"),
        ({"ngrams": (1, 2.5)}, "two whole numbers"),
        ({"lower": "yes"}, "lower='yes': say True or False"),
        ({"stop": "like"}, r"no language; words of your own go into a list: stop=\['like'\]"),
        ({"stop": "latin"}, "stop words of a language: 'latin' is none of danish"),
        ({"stop": "en", "stop_language": "de"}, "both name a language"),
        ({"stop": ["don't", "x"]}, r"stop: \"don't\" can never be met.*don and t"),
        ({"stop": ["to be"]}, "'to be'; it must be a word"),
        ({"stop": [3]}, "a stop word is 3;"),
        ({"forms": {"spoke": ""}}, "the form of 'spoke'"),
        ({"forms": {"mother-in-law": "mother"}}, "can never be met"),
        ({"forms": ["spoke"]}, "must map words to their forms"),
        ({"stem": "klingon"}, "stems of a language: 'klingon'"),
        ({"lemma": "klingon"}, "lemmas of a language: 'klingon'"),
        ({"buckets": 1000}, "a power of two"),
        ({"buckets": 1}, "a power of two"),
        ({"unit": "letters", "short": True}, "short has no meaning"),
        ({"unit": "letters in words", "stop": "en"}, "stop_language has no meaning"),
    ],
)
def test_what_cannot_be_is_refused(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(BadAnalyzer, match=told):
        Analyzer.of(**settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"unit": ["words"]}, {"sizes": [1, 2]}, {"sizes": (True, 2)}, {"sizes": None}, {"stop": ["a"]}, {"stop": (1,)},
        {"forms": {"a": "b"}}, {"forms": (("a",),)}, {"stem": ["english"]}, {"lemma": "en"}, {"stop_language": "en"},
        {"buckets": 4.0}, {"buckets": -4}, {"short": 1}, {"lower": None},
    ],
)  # fmt: skip
def test_a_file_cannot_make_an_analyzer_that_is_none(settings: dict[str, Any]) -> None:
    with pytest.raises(CandideError):
        Analyzer(**settings)
