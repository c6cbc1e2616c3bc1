"""The words of one column of texts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from candide.counts.base import Arrays, Floats, freeze, frozen, refuse, spread, taken
from candide.counts.occurrences import DOCUMENTS, Occurrences, Places
from candide.labels import Labels
from candide.text.vocabulary import Vocabulary

NO_PAIRS = np.zeros((0, 2), dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Bag:
    """Which words there are, what was counted of each in each class, and the same of neighbouring words.

    `pairs[p]` are the two words of pair p. `documents[c]` is the weight of the documents of class c, those without a
    word too, but not those that are missing.
    """

    vocabulary: Vocabulary
    words: Occurrences
    pairs: Places
    twos: Occurrences
    documents: Floats

    def __post_init__(self) -> None:
        freeze(self, pairs=frozen(self.pairs), documents=frozen(self.documents))

    @classmethod
    def none(cls, classes: int) -> Bag:
        nothing = Occurrences.none(classes)
        return Bag(Vocabulary.of([]), nothing, NO_PAIRS, nothing, np.zeros(classes))

    def names(self) -> list[str]:
        """The words, then the pairs with a blank between."""
        words = self.vocabulary.words()
        return [*words, *(f"{words[a]} {words[b]}" for a, b in self.pairs.tolist())]

    def over(self, ours: Labels, wider: Labels) -> Bag:
        places, k = ours.places_in(wider), len(wider)
        words, twos = self.words.over(places, k), self.twos.over(places, k)
        return replace(self, words=words, twos=twos, documents=spread(self.documents, ours, wider))

    def only(self, places: Places) -> Bag:
        rest = replace(
            self, words=self.words.only(places), twos=self.twos.only(places), documents=self.documents[places]
        )
        return rest.compact()

    def __add__(self, other: Bag) -> Bag:
        one, two = _united(self, other)
        return replace(
            one, words=one.words + two.words, twos=one.twos + two.twos, documents=one.documents + two.documents
        )

    def less(self, other: Bag, classes: Labels, column: object) -> Bag:
        """Without documents that were counted; words that no document has any more go."""
        one, two = _united(self, other)
        documents, short = taken(one.documents, two.documents)
        for c in np.flatnonzero(short)[:1]:
            raise refuse("number of documents", classes[c], column, one.documents[c], two.documents[c])
        rest = {}
        for part in ("words", "twos"):
            rest[part], missing = getattr(one, part).less(getattr(two, part))
            if missing is not None:
                c, thing, held, asked = missing
                name = one.named(part, thing)
                raise refuse(f"count of {name!r}", classes[c], column, held, asked)
        return replace(one, documents=documents, **rest).compact()

    def __mul__(self, factor: float) -> Bag:
        aged = replace(self, words=self.words * factor, twos=self.twos * factor, documents=self.documents * factor)
        return aged if factor else aged.compact()

    def named(self, part: str, thing: int) -> str:
        """The word, or the pair of words, of a number."""
        if part == "words":
            return self.vocabulary[thing]
        return " ".join(self.vocabulary[int(word)] for word in self.pairs[thing])

    def compact(self) -> Bag:
        """Without words and pairs that nothing was counted of."""
        words = np.bincount(self.words.ids, minlength=len(self.vocabulary)) > 0
        return self.keeping(words, np.bincount(self.twos.ids, minlength=len(self.pairs)) > 0)

    def keeping(self, words: NDArray[np.bool_], pairs: NDArray[np.bool_]) -> Bag:
        """Only some of the words, and those of some of the pairs that have both words left."""
        pairs = pairs & words[self.pairs].all(axis=1) if len(self.pairs) else pairs
        if words.all() and pairs.all():
            return self
        renamed = np.cumsum(words) - 1
        return replace(
            self,
            vocabulary=self.vocabulary.pick(words),
            words=self.words.keeping(words).renamed(renamed),
            pairs=renamed[self.pairs[pairs]],
            twos=self.twos.keeping(pairs).renamed(np.cumsum(pairs) - 1),
        )

    def bounded(self, most: int) -> Bag:
        """At most so many words: the ones that most documents have, at a tie those that come first in the alphabet."""
        if len(self.vocabulary) <= most:
            return self
        having = self.words.totals(len(self.vocabulary))[:, DOCUMENTS]
        rank = np.empty(len(having), dtype=np.int64)
        rank[self.vocabulary.order()] = np.arange(len(having))
        kept = np.zeros(len(having), dtype=bool)
        kept[np.lexsort((rank, -having))[:most]] = True
        return self.keeping(kept, np.ones(len(self.pairs), dtype=bool))

    def expired(self, least: float) -> Bag:
        """Without the words and the pairs that come, all classes together, in documents of less weight than this."""
        words, twos = self.words.totals(len(self.vocabulary)), self.twos.totals(len(self.pairs))
        return self.keeping(words[:, DOCUMENTS] >= least, twos[:, DOCUMENTS] >= least)

    def sorted(self) -> Bag:
        """The same with words and pairs in the one order that does not depend on what came first."""
        order = self.vocabulary.order()
        if not (order == np.arange(len(order))).all():
            places = np.empty(len(order), dtype=np.int64)
            places[order] = np.arange(len(order))
            one = replace(
                self,
                vocabulary=self.vocabulary.pick(order),
                words=self.words.renamed(places),
                pairs=places[self.pairs],
            )
        else:
            one = self
        order = np.lexsort((one.pairs[:, 1], one.pairs[:, 0]))
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.arange(len(order))
        return replace(one, pairs=one.pairs[order], twos=one.twos.renamed(places))

    def to_arrays(self) -> Arrays:
        one = self.sorted()
        arrays: Arrays = {
            "starts": one.vocabulary.starts,
            "letters": one.vocabulary.letters,
            "pairs": one.pairs.astype(np.int32),
            "documents": one.documents,
        }
        for part in ("words", "twos"):
            held = getattr(one, part)
            arrays |= {f"{part}.starts": held.starts, f"{part}.ids": held.ids.astype(np.int32)}
            arrays |= {f"{part}.values": held.values} | ({} if held.most is None else {f"{part}.most": held.most})
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Bag:
        words, twos = (
            Occurrences(
                arrays[f"{part}.starts"],
                arrays[f"{part}.ids"].astype(np.int64),
                arrays[f"{part}.values"],
                arrays.get(f"{part}.most"),
            )
            for part in ("words", "twos")
        )
        vocabulary = Vocabulary(arrays["starts"], arrays["letters"])
        return Bag(vocabulary, words, arrays["pairs"].astype(np.int64), twos, arrays["documents"])


def _united(one: Bag, other: Bag) -> tuple[Bag, Bag]:
    """Both over the same words and pairs."""
    vocabulary, places = one.vocabulary.union(other.vocabulary)
    theirs = places[other.pairs]
    keys = np.concatenate([one.pairs, theirs]) @ np.array([1 << 32, 1], dtype=np.int64)
    distinct, first, which = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # of first sight: ours keep their numbers
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    keys = distinct[order]
    pairs = np.stack([keys >> 32, keys & 0xFFFFFFFF], axis=1)
    twos = other.twos.renamed(number[which[len(one.pairs) :]])
    words = other.words.renamed(places)
    return (
        replace(one, vocabulary=vocabulary, pairs=pairs),
        replace(other, vocabulary=vocabulary, words=words, pairs=pairs, twos=twos),
    )
