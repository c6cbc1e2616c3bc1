"""What may be said of an analyzer, brought into one form and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from candide.errors import BadAnalyzer, shortened
from candide.text import forms as shapes
from candide.text import stopwords
from candide.text.cutting import ALL_WORDS, as_text
from candide.text.forms import Shape
from candide.text.languages import CODES, NAMES, language

UNITS = ("words", "letters", "letters in words")
OF_WORDS = ("short", "stop", "stop_language", "forms", "lemma", "stem")
MOST_BUCKETS = 1 << 31
SOME = 5  # as many words as a message names


def sizes_of(ngrams: int | tuple[int, int] | None, unit: str) -> tuple[int, int]:
    """The smallest and the largest run."""
    if ngrams is None:
        return (1, 1) if unit == "words" else (2, 4)
    if isinstance(ngrams, int):
        return ngrams, ngrams
    try:
        low, high = ngrams
    except (TypeError, ValueError):
        raise BadAnalyzer(f"ngrams={ngrams!r}: say the smallest and the largest number, such as (1, 2).") from None
    return low, high


def stop_of(stop: str | Iterable[str] | None, language_: str | None, lower: bool) -> tuple[tuple[str, ...], str | None]:
    """The user's own stop words, and the language of ours: a string is the name of a language."""
    if isinstance(stop, str):
        if language_ is not None:
            raise BadAnalyzer(f"stop={stop!r} and stop_language={language_!r} both name a language; say one.")
        if stop.strip().lower() not in {*CODES, *NAMES}:
            raise BadAnalyzer(f"{stop!r} is no language; words of your own go into a list: stop=[{stop!r}].")
        stop, language_ = None, stop
    own = sorted({_plain(word, "a stop word", lower) for word in stop or ()})
    _check_single(own, "stop")
    return tuple(own), None if language_ is None else language(language_, stopwords.LANGUAGES, "stop words")


def forms_of(forms: Mapping[str, str] | Iterable[tuple[str, str]] | None, lower: bool) -> tuple[tuple[str, str], ...]:
    """The user's own forms of words, in the order of the words."""
    try:
        pairs = [(word, form) for word, form in (forms.items() if isinstance(forms, Mapping) else forms or ())]
    except (TypeError, ValueError):
        raise BadAnalyzer('forms must map words to their forms, such as {"spoke": "speech"}.') from None
    made = {
        _plain(word, "a word of forms", lower): _plain(form, f"the form of {word!r}", lower) for word, form in pairs
    }
    _check_single(made, "forms")
    return tuple(sorted(made.items()))


def shape_of(name: str | None, among: frozenset[str], maker: Callable[[str], Shape], what: str) -> str | None:
    """The language of stems or lemmas, once it is sure that what makes them is installed."""
    if name is None:
        return None
    found = language(name, among, what)
    maker(found)
    return found


def checked(analyzer: Any) -> None:
    """Refuse what is no analyzer, be it from a person or from a file."""
    if analyzer.unit not in UNITS:
        raise BadAnalyzer.unknown("unit", analyzer.unit, UNITS)
    _check_sizes(analyzer.sizes)
    for name in ("lower", "short"):
        if not isinstance(getattr(analyzer, name), bool):
            raise BadAnalyzer(f"{name}={getattr(analyzer, name)!r}: say True or False.")
    _check_words(analyzer)
    for name, among in (("stop_language", stopwords.LANGUAGES), ("lemma", shapes.LEMMAS), ("stem", shapes.STEMS)):
        value = getattr(analyzer, name)
        if value is not None and (not isinstance(value, str) or value not in among):
            raise BadAnalyzer.unknown(name, value, sorted(among))
    _check_buckets(analyzer.buckets)
    given = [name for name in OF_WORDS if getattr(analyzer, name)]
    if analyzer.unit != "words" and given:
        raise BadAnalyzer(
            f'unit={analyzer.unit!r} makes no words, so {given[0]} has no meaning; leave it out, or say unit="words".'
        )


def _check_sizes(sizes: Any) -> None:
    plain = isinstance(sizes, tuple) and len(sizes) == 2 and all(type(size) is int for size in sizes)
    if not plain or not 1 <= sizes[0] <= sizes[1]:
        raise BadAnalyzer(f"the sizes of runs are {sizes!r}; say two whole numbers, 1 <= smallest <= largest.")


def _check_words(analyzer: Any) -> None:
    if not (isinstance(analyzer.stop, tuple) and all(isinstance(word, str) for word in analyzer.stop)):
        raise BadAnalyzer("stop must be a tuple of words; Analyzer.of(stop=[...]) makes one.")
    pairs = analyzer.forms
    if not isinstance(pairs, tuple) or not all(
        isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(word, str) for word in pair) for pair in pairs
    ):
        raise BadAnalyzer("forms must be a tuple of pairs of words; Analyzer.of(forms={...}) makes one.")


def _check_buckets(buckets: Any) -> None:
    if buckets is None:
        return
    if type(buckets) is not int or not 1 < buckets <= MOST_BUCKETS or buckets & (buckets - 1):
        raise BadAnalyzer(f"buckets={buckets!r}: say a power of two from 2 to 2**31, such as 2**20.")


def _check_single(given: Iterable[str], name: str) -> None:
    """Refuse what no text can hold as one word."""
    split = [word for word in given if ALL_WORDS.fullmatch(word) is None]
    if split:
        raise BadAnalyzer(
            f"{name}: {_some(split)} can never be met, since texts are cut at all but letters, digits and underscores. "
            'Leave it out, or name its parts ("don\'t" is cut into don and t).'
        )


def _plain(word: Any, what: str, lower: bool) -> str:
    if not isinstance(word, str) or not word or word.split() != [word] or as_text(word) != word:
        shown = shortened(word) if isinstance(word, str) else repr(word)
        raise BadAnalyzer(f"{what} is {shown}; it must be a word, without spaces.")
    return word.lower() if lower else word


def _some(listed: list[str]) -> str:
    more = f" and {len(listed) - SOME} more" if len(listed) > SOME else ""
    return ", ".join(map(repr, listed[:SOME])) + more
