"""What the tokens of a text are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from candide.text import cutting, settings
from candide.text.cutting import Placed, Places
from candide.text.forms import LEMMAS, STEMS, lemmas, stems
from candide.text.rules import Rules

Unit = Literal["words", "letters", "letters in words"]


class _Knowing:
    """What is looked up for words, made when the first is met; it is no part of the value."""

    __slots__ = ("_rules",)


@dataclass(frozen=True, slots=True)
class Analyzer(_Knowing):
    """How a text is cut into tokens: runs of words, or of letters. The defaults are those of scikit-learn.

    >>> Analyzer().tokens("To be, or not to be!")
    ['to', 'be', 'or', 'not', 'to', 'be']
    >>> Analyzer.of(stop="english", ngrams=(1, 2)).tokens("The cats were not sleeping")
    ['cats', 'not', 'sleeping', 'cats not', 'not sleeping']
    """

    unit: Unit = "words"
    sizes: tuple[int, int] = (1, 1)
    lower: bool = True
    short: bool = False
    stop: tuple[str, ...] = ()
    stop_language: str | None = None
    forms: tuple[tuple[str, str], ...] = ()
    lemma: str | None = None
    stem: str | None = None
    buckets: int | None = None

    def __post_init__(self) -> None:
        settings.checked(self)

    @classmethod
    def of(
        cls,
        unit: Unit = "words",
        ngrams: int | tuple[int, int] | None = None,
        *,
        lower: bool = True,
        short: bool = False,
        stop: str | Iterable[str] | None = None,
        stop_language: str | None = None,
        forms: Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
        lemma: str | None = None,
        stem: str | None = None,
        buckets: int | None = None,
    ) -> Analyzer:
        """An analyzer as a person would say it: `stop` a language or words, languages by name or ISO code."""
        sizes = settings.sizes_of(ngrams, unit)
        own, language = settings.stop_of(stop, stop_language, lower)
        mapped = settings.forms_of(forms, lower)
        lemma = settings.shape_of(lemma, LEMMAS, lemmas, "lemmas")
        stem = settings.shape_of(stem, STEMS, stems, "stems")
        return cls(unit, sizes, lower, short, own, language, mapped, lemma, stem, buckets)

    def words(self, text: Any) -> list[str]:
        """The words as they are found, before stop words and forms; for letters, the runs of letters."""
        prepared = self._prepared(cutting.as_text(text))
        if self.unit == "words":
            return cutting.pattern(self.short).findall(prepared)
        return [piece for piece, *_ in self._cut(prepared)]

    def words_at(self, text: Any) -> list[Placed]:
        """The same with their places in the text itself.

        >>> Analyzer().words_at("To be!")
        [('to', 0, 2), ('be', 3, 5)]
        """
        whole = cutting.as_text(text)
        return list(Places(whole, self.lower, self.unit != "words").of(self._cut(self._prepared(whole))))

    def form(self, word: str) -> str | None:
        """What a word counts as: None for a stop word, else the form given for it, else the stem of its lemma.

        >>> Analyzer.of(stop="english", forms={"spoke": "speech"}).form("spoke")
        'speech'
        """
        return self._known().form(word)

    def tokens(self, text: Any) -> list[str]:
        """The tokens of a text, in the order in which scikit-learn gives them."""
        kept = self.single(text)
        if self.unit != "words" or self.sizes == (1, 1):
            return kept
        return [" ".join(kept[i:j]) for i, j in cutting.runs(len(kept), self.sizes)]

    def single(self, text: Any) -> list[str]:
        """The tokens before words are joined to runs: what a vocabulary holds."""
        found = self.words(text)
        if self.unit != "words" and not self.buckets:
            return found
        known = self._known()
        return [form for form in map(known.form, found) if form is not None] if known else found

    def tokens_at(self, text: Any) -> list[Placed]:
        """The same, each with the place of its first word's beginning and its last word's end."""
        found = self.words_at(text)
        if self.unit != "words" and not self.buckets:
            return found
        known = self._known()
        kept = [(form, i, j) for form, i, j in ((known.form(word), i, j) for word, i, j in found) if form is not None]
        spans = cutting.runs(len(kept), self.sizes)
        return [(" ".join(form for form, *_ in kept[i:j]), kept[i][1], kept[j - 1][2]) for i, j in spans]

    def _prepared(self, text: str) -> str:
        lowered = text.lower() if self.lower else text
        return lowered if self.unit == "words" else cutting.single_spaced(lowered)

    def _cut(self, prepared: str) -> Iterator[Placed]:
        if self.unit == "words":
            return cutting.words(prepared, self.short)
        return (cutting.letters if self.unit == "letters" else cutting.letters_in_words)(prepared, self.sizes)

    def _known(self) -> Rules:
        held: Rules | None = getattr(self, "_rules", None)
        if held is None:
            held = Rules(self.stop, self.stop_language, self.forms, self.lemma, self.stem, self.buckets)
            object.__setattr__(self, "_rules", held)
        return held
