"""What each word says of each class: log probabilities, up to something equal for all classes of a text.

With a_w virtual occurrences of word w and n_cw counted ones the multinomial weight is

    log (n_cw + a_w) / (n_c + a)  =  log a_w + log(1 + n_cw / a_w) − log(n_c + a),        n_c = Σ_w n_cw,  a = Σ_w a_w,

of which the first part says nothing, the second is 0 unless the class has the word, and the third is the class's alone.
So it is with the complement's, −log of (n_w − n_cw + a_w) / (n − n_c + a).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from candide.counts.occurrences import DOCUMENTS, Occurrences
from candide.scorecard import Floats

LEAST = 1e-4  # of a class's share of all words
TINY = 1e-12  # a share that is none


@dataclass(frozen=True, slots=True)
class Member:
    """One kind of evidence: multinomial words or the complement's, smoothed, times a power of idf.

    `virtual` is a number of occurrences of each word, or with `alike` of documents that have it as those seen do.
    """

    kind: Literal["multinomial", "complement"]
    virtual: float
    idf: float = 0.0
    alike: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Sums of x for each class and word; `documents[w]` is how many have the word, `idf[w]` how rare it is.

    `classes`, `total` and `size` are the sums for each class and for all, and the number of words.
    """

    held: Occurrences
    sums: Floats
    totals: Floats
    classes: Floats
    documents: Floats
    idf: Floats
    total: float
    size: int

    @classmethod
    def of(cls, held: Occurrences, column: int, unit: float, size: int, n: float, inverse: str) -> Block:
        """From one of the three numbers that were counted, in parts of 1/unit, in n documents."""
        sums, totals = held.values[:, column] / unit, held.totals(size)
        classes = np.bincount(held.y, sums, held.classes).astype(np.float64)
        documents = totals[:, DOCUMENTS]
        idf, of_words = rarity(documents, n, inverse), totals[:, column] / unit
        return cls(held, sums, of_words, classes, documents, idf, float(of_words.sum()), size)

    def beside(self, other: Block) -> Block:
        """Words and pairs as draws from one urn: a class's share of words is one of both."""
        classes, total = self.classes + other.classes, self.total + other.total
        return replace(self, classes=classes, total=total, size=self.size + other.size)

    def prior(self, member: Member) -> Floats:
        """The virtual occurrences of each word."""
        if not member.alike:
            return np.full(len(self.totals), member.virtual)
        return np.asarray(member.virtual * self.totals / np.maximum(self.documents, 1e-9))

    def own(self, member: Member, classes: Floats, total: Floats | float) -> Floats:
        """What is the class's alone, given its sum of all words and that of all classes."""
        if member.alike:  # nearly as it was counted: the prior is one of words, not of texts
            share = np.clip(classes / np.maximum(total, 1e-300), 0.0, 1.0)
            # Of a class without words nothing is known, nor of the complement of one that has them all.
            share = np.where((share > TINY) & (share < 1.0 - TINY), share, 1.0 / len(self.classes))
            return np.asarray(-np.log(share + LEAST) if member.kind == "multinomial" else np.log(1.0 - share + LEAST))
        mass = member.virtual * self.size
        if member.kind == "multinomial":
            return np.asarray(-np.log(np.maximum(classes, 0.0) + mass))
        return np.asarray(np.log(np.maximum(total - classes, 0.0) + mass))

    def table(self, strengths: list[tuple[float, Member]]) -> Floats:
        """What words say, in full: a row a word, a column a class; members so many times as strong."""
        ids = self.held.ids
        own: dict[float, Floats] = {}
        entries = np.zeros(len(ids))
        for t, member in strengths:
            if t:
                prior = self.prior(member)
                said = evidence(member, self.sums, self.totals[ids], prior[ids])
                entries += t * (self.idf[ids] ** member.idf) * said
                own[member.idf] = own.get(member.idf, 0.0) + t * self.own(member, self.classes, self.total)
        out = np.zeros((len(self.totals), self.held.classes))
        for power, part in own.items():
            out += np.multiply.outer(self.idf**power, part) if power else part
        out[ids, self.held.y] += entries
        return out


def evidence(member: Member, n: Floats, total: Floats, prior: Floats) -> Floats:
    """What n occurrences in a class say, of `total` in all classes."""
    if member.kind == "multinomial":
        return np.asarray(np.log(1.0 + n / prior))
    return np.asarray(-np.log(1.0 - np.minimum(n, total) / (total + prior)))


def bernoulli(held: Occurrences, size: int, documents: Floats, virtual: float) -> tuple[Floats, Floats]:
    """Weights log p(1 − p⁰)/... of words that occur, and what is said when none does: p = (d + a)/(D + 2a)."""
    k = held.classes
    none = np.log((documents + virtual) / (documents + 2 * virtual))
    weights = np.repeat((np.log(virtual) - np.log(documents + virtual))[None], size, axis=0)
    d, y = held.values[:, DOCUMENTS], held.y
    rest = np.log(documents[y] - d + virtual)
    weights[held.ids, y] = np.log(d + virtual) - rest
    base = size * none + np.bincount(y, rest - np.log(documents[y] + virtual), k)
    return np.asarray(weights), np.asarray(base, dtype=float)


def rarity(documents: Floats, n: float, kind: str) -> Floats:
    """idf: log((n + 1)/(df + ½)), the notes' log(n/df), or scikit-learn's log((1 + n)/(1 + df)) + 1."""
    df = np.maximum(documents, 1e-12)
    if kind == "notes":
        return np.asarray(np.log(np.maximum(n / df, 1.0)))
    if kind == "sklearn":
        return np.asarray(np.log((1 + n) / (1 + df)) + 1)
    return np.asarray(np.maximum(np.log((n + 1) / (df + 0.5)), 0.0))
