"""Stems and lemmas, and what a user says that words count as."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import simplemma
import snowballstemmer
from simplemma.strategies import dictionaries

from candide.errors import MissingExtra
from candide.text import Analyzer, forms

ENGLISH = ("the cats were sleeping", "she spoke of mice and cities", "aggressive running dogs")


@pytest.mark.parametrize("language", sorted(forms.STEMS))
def test_stems_of_every_language(language: str) -> None:
    word = "internationalisation"
    assert Analyzer.of(stem=language).form(word) == snowballstemmer.stemmer(language).stemWord(word)


@pytest.mark.parametrize(
    ("code", "word", "lemma"),
    [("en", "spoke", "speak"), ("de", "häuser", "haus"), ("fr", "chevaux", "cheval"), ("es", "hablaron", "hablar"),
     ("nb", "husene", "hus"), ("uk", "книги", "книга")],
)  # fmt: skip
def test_lemmas(code: str, word: str, lemma: str) -> None:
    assert Analyzer.of(lemma=code).form(word) == lemma


def test_languages_have_two_names() -> None:
    assert Analyzer.of(stem="de", lemma="DE", stop="de") == Analyzer.of(stem="german", lemma="German", stop="german")
    assert Analyzer.of(stem="no") == Analyzer.of(stem="nb") == Analyzer.of(stem="norwegian")


def test_every_lemma_language_has_a_dictionary() -> None:
    folder = Path(dictionaries.__file__).parent / "data"
    assert {forms.CODES[language] for language in forms.LEMMAS} <= {path.stem for path in folder.iterdir()}


def test_the_stem_is_that_of_the_lemma() -> None:
    both, stem = Analyzer.of(lemma="en", stem="en"), snowballstemmer.stemmer("english").stemWord
    for word in " ".join(ENGLISH).split():
        assert both.form(word) == stem(simplemma.lemmatize(word, "en"))


def test_a_form_of_the_user_is_final() -> None:
    analyzer = Analyzer.of(stem="english", forms={"ran": "running"})
    assert analyzer.tokens("ran running") == ["running", "run"]


def test_forms_are_made_once_for_each_word(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def shape(word: str) -> str:
        made.append(word)
        return word[:3]

    monkeypatch.setattr("candide.text.rules.stems", lambda language: shape)
    analyzer = Analyzer(stem="english")
    assert analyzer.tokens("sleeping sleepers sleeping") == ["sle"] * 3
    assert analyzer.tokens("sleepers") == ["sle"]
    assert made == ["sleeping", "sleepers"]


def test_what_is_remembered_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("candide.text.rules.MOST_REMEMBERED", 2)
    analyzer = Analyzer.of(stem="english")
    assert analyzer.tokens("cats dogs mice birds cats") == ["cat", "dog", "mice", "bird", "cat"]


def test_threads_may_share_an_analyzer() -> None:
    words = [f"internationalising{'ly' * (k % 5)}{chr(97 + k % 26)}s" for k in range(2000)]
    expected = list(map(snowballstemmer.stemmer("english").stemWord, words))
    analyzer = Analyzer.of(stem="english")
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: list(map(analyzer.form, words)), range(4)):
            assert found == expected


@pytest.mark.parametrize(("what", "package"), [("stem", "snowballstemmer"), ("lemma", "simplemma")])
def test_what_is_not_installed_is_named_at_once(monkeypatch: pytest.MonkeyPatch, what: str, package: str) -> None:
    forms.stems.cache_clear()
    forms.lemmas.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf'{package}, which is not installed: pip install "candide\[text\]"'):
        Analyzer.of(**{what: "english"})  # type: ignore[arg-type]
