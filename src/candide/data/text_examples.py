"""Short texts from lectures, with the figures that come out of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Texts = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class TextCase:
    """A text to classify, and the products P(class) Π P(word | class) that are expected, one virtual occurrence of each
    word added. `texts` stand in for those of the example.
    """

    query: str
    expected: Mapping[Any, Fraction] = field(default_factory=dict)
    note: str = ""
    texts: Texts = ()


@dataclass(frozen=True, slots=True)
class TextExample:
    """Labelled texts, how they are cut into words (options of `Analyzer.of`), and the texts that are asked.

    >>> TEXT_EXAMPLES["E2"].classes
    ('+', '−')
    """

    id: str
    title: str
    target: str
    texts: Texts
    cases: tuple[TextCase, ...] = ()
    words: Mapping[str, Any] = field(default_factory=dict)
    erratum: str = ""

    @property
    def classes(self) -> tuple[Any, ...]:
        return tuple(sorted({label for _, label in self.texts}))

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column, as tables have several."""
        return ("text",)

    @property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """The texts with their labels in the last place."""
        return self.texts


_SPEECHES = (
    ("An inspiring address", "Campaigning"),
    ("An aggressive speech", "Campaigning"),
    ("It was a cowardly act.", "Law and Order"),
    ("He spoke like a coward.", "Campaigning"),
    ("A threatening speech", "Law and Order"),
    ("An act of aggression", "Law and Order"),
)
_SPEECH_WORDS = {
    "stop": ["like"],
    "stop_language": "english",
    "forms": {"spoke": "speech", "aggressive": "aggression", "cowardly": "coward"},
}
_FILMS = (
    ("just plain boring", "−"),
    ("entirely predictable and lacks energy", "−"),
    ("no surprises and very few laughs", "−"),
    ("very powerful", "+"),
    ("the most fun film of the summer", "+"),
)
_FILM = "predictable with no fun"
_GAMES = (
    ("A great game", "Sports"),
    ("The election was over", "Not sports"),
    ("Very clean match", "Sports"),
    ("A clean but forgettable game", "Sports"),
    ("It was a close election", "Not sports"),
)
_AS_PRINTED = tuple(("election is over" if "over" in text else text, label) for text, label in _GAMES)
_GAME = "A very close game"

_LISTED = (
    TextExample(
        "E1",
        "Six speeches: stop words, forms of words, and a tie",
        "Kind",
        _SPEECHES,
        (
            TextCase(
                "An aggressive and threatening address",
                {"Campaigning": Fraction(2, 2197), "Law and Order": Fraction(2, 2197)},
            ),
        ),
        _SPEECH_WORDS,
    ),
    TextExample(
        "E2",
        "Five film reviews: an unseen word",
        "Review",
        _FILMS,
        (TextCase(_FILM, {"+": Fraction(4, 121945), "−": Fraction(3, 49130)}),),
    ),
    TextExample(
        "E3",
        "Five sentences: is it about sports?",
        "Topic",
        _GAMES,
        (
            TextCase(_GAME, {"Sports": Fraction(54, 1953125), "Not sports": Fraction(8, 1399205)}),
            TextCase(
                _GAME,
                {"Sports": Fraction(54, 1953125), "Not sports": Fraction(1, 146410)},
                "the second sentence as printed",
                _AS_PRINTED,
            ),
        ),
        {"short": True},
        "in print the second sentence is 'election is over', for which its own figures, a vocabulary of 14 and nine "
        "words of Not sports, do not hold: they are those of 'The election was over'.",
    ),
    TextExample("E4", "The tools: stop words, stems, lemmas, n-grams, tf-idf", "Kind", _SPEECHES),
    TextExample("E5", "Learning to classify text: every P(word | class)", "Review", _FILMS, (TextCase(_FILM),)),
    TextExample("E6", "20 Newsgroups: accuracy on texts that were withheld", "group", ()),
)

TEXT_EXAMPLES: Mapping[str, TextExample] = {example.id: example for example in _LISTED}
