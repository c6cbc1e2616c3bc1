"""Forms of words: stems and lemmas."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock

from candide.errors import MissingExtra
from candide.text.languages import CODES

STEMS = frozenset(
    {
        "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "esperanto", "estonian", "finnish",
        "french", "german", "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali",
        "norwegian", "polish", "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish",
        "yiddish",
    }
)  # fmt: skip
LEMMAS = frozenset(CODES) - {"basque", "esperanto", "nepali", "serbian", "tamil", "yiddish"}
Shape = Callable[[str], str]


@cache
def stems(language: str) -> Shape:
    """What cuts the endings off the words of a language: a Snowball stemmer."""
    try:
        import snowballstemmer
    except ImportError:
        raise MissingExtra.named("stems of words", "snowballstemmer", "text") from None
    cut, lock = snowballstemmer.stemmer(language).stemWord, Lock()

    def stem(word: str) -> str:
        with lock:  # a stemmer keeps the word it is at work on
            return str(cut(word))

    return stem


@cache
def lemmas(language: str) -> Shape:
    """What looks up the words of a language in a dictionary, which gives the form that dictionaries list."""
    try:
        import simplemma
    except ImportError:
        raise MissingExtra.named("lemmas of words", "simplemma", "text") from None
    code, look_up = CODES[language], simplemma.lemmatize

    def lemma(word: str) -> str:
        found = str(look_up(word, code)) or word
        return found.lower() if word.islower() else found  # German nouns are capitalised in dictionaries

    return lemma
