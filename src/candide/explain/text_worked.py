"""The texts of lectures, derived, and the tools that they use."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from candide.counts import ClassWeights, Columns, CountTokens, Tally, Tokens
from candide.counts.bag import NO_PAIRS, Bag
from candide.counts.occurrences import Occurrences
from candide.data.text_examples import TextCase, TextExample, Texts
from candide.errors import MissingExtra
from candide.events import Event, Words
from candide.explain import figures
from candide.explain.derive import Derivation, derive
from candide.labels import Labels
from candide.priors import Belief, MaximumLikelihood
from candide.text import Analyzer, Vocabulary, tfidf

TEXT = "text"


@dataclass(frozen=True, slots=True)
class Page:
    """A part of an example that is no derivation: a sentence or two, and a table."""

    title: str
    said: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()

    def json(self) -> dict[str, Any]:
        return {"title": self.title, "text": self.said, "heads": list(self.heads), "rows": [*map(list, self.rows)]}


def text_models(example: TextExample) -> tuple[dict[Columns, Event], Belief]:
    """The event model of the texts, (n + 1)/(N + V), and the class prior as counted."""
    return {(TEXT,): Words(analyzer(example), "multinomial", "count", 1.0, fit=False)}, MaximumLikelihood()


def text_derivations(example: TextExample) -> list[tuple[str, Derivation]]:
    """Every text that the example asks, with a caption.

    >>> from candide.data.text_examples import TEXT_EXAMPLES
    >>> [caption for caption, derivation in text_derivations(TEXT_EXAMPLES["E2"])]
    ['E2, α = 1: predictable with no fun']
    """
    return [(_caption(example, case), _derived(example, case)) for case in example.cases]


def pages(example: TextExample) -> list[Page]:
    """What an example shows besides derivations."""
    makers = {"E4": _tools, "E5": _shares, "E6": _newsgroups}
    return makers[example.id](example) if example.id in makers else []


def analyzer(example: TextExample) -> Analyzer:
    """What the words of an example's texts are."""
    return Analyzer.of(**example.words)


def _caption(example: TextExample, case: TextCase) -> str:
    return f"{example.id}, α = 1{f', {case.note}' if case.note else ''}: {case.query}"


def _derived(example: TextExample, case: TextCase) -> Derivation:
    events, prior = text_models(example)
    tally = _counted(case.texts or example.texts, events)
    errata = [f"Erratum: {example.erratum}"] if example.erratum else []
    return derive(tally, events, prior, {TEXT: case.query}, target=example.target, errata=errata)


def _counted(texts: Texts, events: dict[Columns, Event]) -> Tally:
    """Texts this few need no engine: they are counted by their definition."""
    (event,) = events.values()
    request: CountTokens = event.needs((TEXT,))
    tokens = [request.analyzers[0].single(text) for text, _ in texts]
    classes, y = Labels.encode([label for _, label in texts])
    vocabulary = Vocabulary.of(token for text in tokens for token in text)
    counts = np.zeros((len(classes), len(vocabulary)))
    for c, text in zip(y.tolist(), tokens, strict=True):
        np.add.at(counts[c], vocabulary.codes(text), 1.0)
    rows, ids = np.nonzero(counts)
    values = np.zeros((len(ids), 3))
    values[:, 0] = counts[rows, ids]  # the other two are of documents, which the event model does not ask for
    starts = np.searchsorted(rows, np.arange(len(classes) + 1)).astype(np.int64)
    seen = np.bincount(y, minlength=len(classes)).astype(float)
    nothing = Occurrences.none(len(classes))
    bag = Bag(vocabulary, Occurrences(starts, ids, values), NO_PAIRS, nothing, seen)
    return Tally(ClassWeights(classes, seen), {request: Tokens(request, classes, (bag,))})


def _tools(example: TextExample) -> list[Page]:
    """One text after each tool, and tf-idf of all."""
    plain = Analyzer.of()
    ways: list[tuple[str, dict[str, Any]]] = [("words", {}), ("without stop words", {"stop": "english"})]
    ways += [
        ("stems", {"stem": "english"}),
        ("lemmas", {"lemma": "english"}),
        ("n-grams of 1 and 2", {"ngrams": (1, 2)}),
    ]
    text = "It was a cowardly act."
    rows = [("text", text), *((name, _tokens(text, options)) for name, options in ways)]
    texts = [text for text, _ in example.texts]
    matrix, words = tfidf(texts, "notes", plain)
    cells = [(i, words[j], matrix[i, j]) for i in range(2) for j in matrix.indices[slice(*matrix.indptr[i : i + 2])]]
    df = Counter(word for text in texts for word in set(plain.tokens(text)))
    listed = tuple(
        (texts[i], word, f"1/{len(plain.tokens(texts[i]))}", f"ln({len(texts)}/{df[word]})", f"{value:.4f}")
        for i, word, value in cells
    )
    return [
        Page(
            "From text to tokens", "Word order is lost unless n-grams keep some of it.", ("tool", "tokens"), tuple(rows)
        ),
        Page(
            "tf-idf",
            "tf = count / length of the text, idf = ln(N / df), with df the texts of N that have the word: "
            "candide.text.tfidf(texts). The usual variant of libraries, smoothed and brought to length 1, is "
            'kind="sklearn".',
            ("text", "word", "tf", "idf", "tf · idf"),
            listed,
        ),
    ]


def _tokens(text: str, options: dict[str, Any]) -> str:
    try:
        return ", ".join(Analyzer.of(**options).tokens(text))
    except MissingExtra as error:
        return f"({error})"


def _shares(example: TextExample) -> list[Page]:
    """P(w | c) = (n_w + 1)/(n + V) for every word of the vocabulary."""
    tokens = {
        label: Counter(word for text, own in example.texts if own == label for word in analyzer(example).tokens(text))
        for label in example.classes
    }
    words = sorted(set().union(*tokens.values()))
    totals = {label: sum(counts.values()) for label, counts in tokens.items()}
    rows = tuple(
        (word, *(_share(tokens[label][word], totals[label], len(words)) for label in example.classes)) for word in words
    )
    sizes = " and ".join(f"{totals[label]} of {figures.name(label)}" for label in example.classes)
    said = (
        "P(w | c) = (n_w + 1)/(n + V), with n_w how often w occurs in the texts of c, all of them joined to one, n the "
        f"words of that one, and V the size of the vocabulary. Here V = {len(words)}, and n is {sizes}. Wherever in a "
        "text a word stands it has the same share, and a word that is not in the vocabulary is ignored."
    )
    return [Page("The shares of all words", said, ("word", *(f"P(w | {label})" for label in example.classes)), rows)]


def _share(n: int, total: int, size: int) -> str:
    worked, short = f"({n} + 1)/({total} + {size})", str(Fraction(n + 1, total + size))
    return f"{worked} = {short}"


def _newsgroups(example: TextExample) -> list[Page]:
    """An experiment on data that are not ours to ship."""
    said = (
        "19,997 messages of twenty groups, a thousand each; a third of them is withheld, the others are learnt with "
        "one virtual occurrence of each word, without the hundred most frequent words and those that occur less than "
        "three times. In print the accuracy is 89 %. So it is, with messages as they are: but each of them has a "
        "header, Newsgroups:, that names its class. Without the headers that name groups, and without any header, less "
        "is left. The learning curve shows accuracy against the number of messages learnt, from 100 to 10,000 and "
        "more, on a logarithmic axis."
    )
    rows = (("full headers", "89.2 %"), ("without headers that name groups", "86.1 %"), ("bodies alone", "82.9 %"))
    how = (
        "The data are at http://qwone.com/~jason/20Newsgroups/ (20news-19997.tar.gz). Unpacked, a folder a group, they "
        "are learnt by candide train 20_newsgroups -o news.candide; candide curve 20_newsgroups draws the curve."
    )
    return [
        Page("What comes out", said, ("messages", "accuracy, a third withheld"), rows),
        Page("How to run it", how),
    ]
