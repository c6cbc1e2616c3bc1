"""The words of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from candide.counts import ClassWeights, Columns, CountTokens, Rows, Tokens
from candide.counts.bag import Bag
from candide.counts.occurrences import COUNTS, DOCUMENTS, SHARES, UNIT
from candide.errors import BadPrior, TooLarge
from candide.events.word_fit import Strengths, fitted
from candide.events.word_tuning import Kept
from candide.events.word_weights import Block, Member, bernoulli
from candide.priors import Dirichlet
from candide.scorecard import Floats, WordSum, log_shares
from candide.scorecard.words import Values
from candide.text.analyzer import Analyzer

Kind = Literal["multinomial", "bernoulli", "complement", "blend"]
Idf = Literal["smooth", "notes", "sklearn"]
COLUMN = {"count": COUNTS, "once": DOCUMENTS, "log": SHARES}
MOST_WEIGHTS = 1 << 30  # of words and classes
CELLS = 1 << 22  # of evidence that strengths are fitted to: with very many classes of fewer texts
FEWEST = 2.0  # documents that must have a pair of neighbours
# Found on eleven corpora: what is smoothed little tells rare words apart, what is smoothed much the frequent ones.
WORDS = (
    Member("multinomial", 0.1),
    Member("multinomial", 0.1, 1.0),
    Member("complement", 1.0),
    Member("complement", 100.0),
    Member("complement", 100.0, 1.0),
)
PAIRS = (Member("multinomial", 0.1), Member("complement", 1.0), Member("complement", 100.0))


@dataclass(frozen=True, slots=True)
class Words:
    """A text is a bag of words: Σ x·w, with x how often a word occurs and w what it says of each class.

    `kind`: multinomial words, the complement's, both with more and less smoothing in one sum (`blend`), or `bernoulli`,
    for which words that do not occur are evidence, too. `values`: x is the `count`, 1 (`once`), or `log`:
    log(1 + count), the text brought to Euclidean length 1. `virtual` is how often each word is believed to have
    occurred beforehand; None: as often as a tenth of a document that has it, or a whole one for the complement.
    Weights are multiplied by the power `idf` of the inverse document frequency, which `inverse` defines.
    `fit`: how strong the evidence is, and how it grows with the length of a text, is fitted to texts that were kept.
    Words in fewer than `least` documents, or in more than the share `most`, do not count.
    """

    analyzer: Analyzer = Analyzer()
    kind: Kind = "blend"
    values: Values = "log"
    virtual: float | None = None
    idf: float = 0.0
    inverse: Idf = "smooth"
    fit: bool = True
    least: float = 1.0
    most: float = 1.0
    vocabulary: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in ("multinomial", "bernoulli", "complement", "blend") or self.values not in COLUMN:
            raise BadPrior(
                f"there are no words of kind {self.kind!r} with values {self.values!r}: the kind (model=) is one of "
                "'multinomial', 'bernoulli', 'complement', 'blend', values is one of 'count', 'once', 'log'."
            )
        if not self.least >= 0 or not 0 < self.most <= 1 or not (self.vocabulary is None or self.vocabulary > 0):
            raise BadPrior(
                "min_df is a number of texts, 0 or more, max_df a share of them above 0 and at most 1, max_words a "
                f"number above 0: not {self.least!r}, {self.most!r} and {self.vocabulary!r}."
            )
        if self.virtual is not None and not (np.isfinite(self.virtual) and self.virtual > 0):
            raise BadPrior(f"the number of virtual words is a number above 0, not {self.virtual!r}.")
        if self.analyzer.unit == "words" and self.analyzer.sizes not in ((1, 1), (1, 2)):
            raise BadPrior(
                f"words are counted alone, (1, 1), or with their neighbours, (1, 2), not {self.analyzer.sizes}."
            )

    @property
    def is_log_joint(self) -> bool:
        """The sums of the complement alone, as they are, are scores."""
        return self.kind != "complement" or self.fit

    def needs(self, columns: Columns) -> CountTokens:
        plain = self.values == "count" and self.kind == "multinomial" and self.virtual is not None and self.idf == 0
        documents = not (plain and self.least <= 1 and self.most >= 1 and self.vocabulary is None)
        return CountTokens(columns, (self.analyzer,) * len(columns), documents, self.vocabulary)

    def members(self) -> tuple[tuple[Member, ...], tuple[Member, ...]]:
        """The kinds of evidence of words, and of pairs."""
        if self.kind == "blend":
            return WORDS, PAIRS
        alike = self.virtual is None
        usual = 0.1 if self.kind == "multinomial" else 1.0
        one = Member(self.kind, usual if self.virtual is None else self.virtual, self.idf, alike)  # type: ignore[arg-type]
        return (one,), (one,)

    def tuned(self, statistic: Tokens, seen: ClassWeights, rows: Rows | None) -> Words:
        """With strengths that fit the texts that were kept, each as if it had not been counted."""
        (bag,) = statistic.bags
        if self.kind == "bernoulli" or not self.fit or rows is None or not len(bag.vocabulary):
            return self
        kept, evidence = self._evidence(statistic, rows, CELLS)
        weights, n = seen.weights, len(kept.y)
        log_prior = log_shares(Dirichlet(1).mean(weights, weights.sum(), len(weights)))
        known = rows.texts[list(rows.request.texts).index(statistic.request.columns[0])].known[:n]
        strengths = fitted(evidence[:, known], kept.lengths[known], log_prior, kept.y[known], rows.weights[:n][known])
        options = {name: getattr(self, name) for name in Words.__slots__}
        said = _said(strengths, evidence, kept.lengths, known) if n == len(rows) else None
        return FittedWords(**options, strengths=strengths, said=said)

    def with_strengths(self, strengths: Strengths | None) -> Words:
        """With strengths that were fitted before; None: nothing was."""
        if strengths is None:
            return self
        return FittedWords(**{name: getattr(self, name) for name in Words.__slots__}, strengths=strengths)

    def term(self, statistic: Tokens, seen: ClassWeights) -> WordSum:
        bag, k = self.chosen(statistic.bags[0]), len(statistic.classes)
        things = len(bag.vocabulary) + len(bag.pairs)
        if things * k > MOST_WEIGHTS:
            raise TooLarge(
                f"{things:,} words and {k:,} classes are {things * k * 8 / 1e9:,.0f} GB of weights; hold fewer words: "
                "max_words=, min_df=."
            )
        columns, nothing = statistic.request.columns, np.zeros((0, k))
        if self.kind == "bernoulli":
            weights, base = bernoulli(bag.words, len(bag.vocabulary), bag.documents, self.virtual or 1.0)
            return WordSum(columns, self.analyzer, bag.vocabulary, weights, bag.pairs[:0], nothing, base, "once")
        found = self.strengths_for(k)
        strengths = iter(found.each.tolist())
        tables = [block.table([(next(strengths), member) for member in members]) for block, members in self.blocks(bag)]
        words, pairs = (*tables, nothing)[:2]
        return WordSum(
            columns, self.analyzer, bag.vocabulary, fitting(words), bag.pairs if len(tables) > 1 else bag.pairs[:0],
            fitting(pairs), found.base, self.values, self.values == "log", found.power, found.slopes,
        )  # fmt: skip

    def left_out(self, statistic: Tokens, seen: ClassWeights, rows: Rows) -> Floats:
        """The evidence of each row's text as if it had never been counted; the vocabulary and the strengths stay."""
        k, found = len(statistic.classes), self.strengths_for(len(statistic.classes))
        if self.kind == "bernoulli" or not len(statistic.bags[0].vocabulary):
            return np.zeros((len(rows), k))
        kept, evidence = self._evidence(statistic, rows)
        known = rows.texts[list(rows.request.texts).index(statistic.request.columns[0])].known
        return _said(found, evidence, kept.lengths, known)

    def strengths_for(self, k: int) -> Strengths:
        """Evidence as it is; of several kinds, the mean."""
        each = np.full(self.kinds, 1.0 if self.kind != "blend" else 1.0 / self.kinds)
        return Strengths(each, 0.0, np.zeros(k), np.zeros(k))

    @property
    def kinds(self) -> int:
        """How many kinds of evidence there are."""
        words, pairs = self.members()
        return len(words) + (len(pairs) if self.in_pairs else 0)

    @property
    def in_pairs(self) -> bool:
        """Whether neighbouring words count, too."""
        return self.analyzer.unit == "words" and self.analyzer.sizes[1] == 2

    def chosen(self, bag: Bag) -> Bag:
        """Without words that do not count."""
        picky, fewest = self.least > 1 or self.most < 1, self._fewest
        if not picky and fewest <= 1:
            return bag
        words = bag.words.totals(len(bag.vocabulary))[:, DOCUMENTS]
        pairs = bag.twos.totals(len(bag.pairs))[:, DOCUMENTS]
        n = float(bag.documents.sum())
        kept = (words >= self.least) & (words <= self.most * n) if picky else np.ones(len(words), dtype=bool)
        return bag.keeping(kept, (pairs >= fewest) & (pairs <= self.most * n))

    def blocks(self, bag: Bag) -> list[tuple[Block, tuple[Member, ...]]]:
        """What was counted of words, and of pairs, with the kinds of evidence that are made of it."""
        column, n = COLUMN[self.values], float(bag.documents.sum())
        unit = UNIT if column == SHARES else 1.0
        words, pairs = self.members()
        parts = [(bag.words, len(bag.vocabulary), words)]
        if self.in_pairs:
            parts.append((bag.twos, len(bag.pairs), pairs))
        blocks = [Block.of(held, column, unit, size, n, self.inverse) for held, size, _ in parts]
        if len(blocks) > 1 and self.kind != "blend":
            blocks = [blocks[0].beside(blocks[1]), blocks[1].beside(blocks[0])]
        return [(block, members) for block, (*_, members) in zip(blocks, parts, strict=True)]

    @property
    def _fewest(self) -> float:
        """Documents that must have a pair of words, if pairs count."""
        return max(self.least, FEWEST) if self.in_pairs and self.kind == "blend" else self.least

    def _evidence(self, statistic: Tokens, rows: Rows, most: int | None = None) -> tuple[Kept, Floats]:
        """Each member's evidence of each text that was kept, and those texts: as many as make `most` numbers."""
        place = list(rows.request.texts).index(statistic.request.columns[0])
        n = len(rows) if most is None else min(len(rows), max(50, most // (len(statistic.classes) * self.kinds)))
        found = [Kept.of(one.first(n), self.values, rows.y[:n], rows.weights[:n]) for one in rows.found[place]]
        blocks = self.blocks(statistic.bags[0])
        least = (max(self.least, 1.0), max(self._fewest, 1.0))
        parts = [
            one.left_out(block, members, low) for one, (block, members), low in zip(found, blocks, least, strict=False)
        ]
        return found[0], np.concatenate(parts)

    def parameters(self, statistic: Tokens) -> int:
        """A share a word and class, less one a class."""
        return sum(len(statistic.classes) * max(0, len(bag.vocabulary) + len(bag.pairs) - 1) for bag in statistic.bags)


@dataclass(frozen=True, slots=True, eq=False)
class FittedWords(Words):
    """Words whose strengths are known, and what they say of the texts to which these were fitted."""

    strengths: Strengths | None = None
    said: Floats | None = None

    def left_out(self, statistic: Tokens, seen: ClassWeights, rows: Rows) -> Floats:
        known = self.said is not None and len(self.said) == len(rows)
        return self.said if known and self.said is not None else Words.left_out(self, statistic, seen, rows)

    def strengths_for(self, k: int) -> Strengths:
        assert self.strengths is not None, "they were fitted"
        return self.strengths


def _said(found: Strengths, evidence: Floats, lengths: Floats, known: NDArray[np.bool_]) -> Floats:
    """The evidence of texts, all kinds together; nothing of those that are missing."""
    logs = np.log1p(lengths)
    said = np.exp(found.power * logs)[:, None] * np.tensordot(found.each, evidence, 1)
    return np.asarray(np.where(known[:, None], said + found.base + logs[:, None] * found.slopes, 0.0))


LARGE = 1 << 23  # cells of a table of weights, from which on half the digits do


def fitting(weights: Floats) -> Floats:
    """Weights as they are, or as floats of 32 bits where there are very many: they are read in random order."""
    return weights.astype(np.float32) if weights.size > LARGE else weights
