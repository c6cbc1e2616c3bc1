"""The evidence of texts that were kept, each as if it had never been counted."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from candide.counts.found import Found
from candide.counts.occurrences import LOGS, UNIT
from candide.events.word_weights import Block, Member, evidence
from candide.scorecard import Floats

COMMON = 20.0  # documents: a word that more have is hardly rarer without one of them


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """Texts with the x of their words, as these were counted; `weights` is the most of each that is taken away."""

    found: Found
    x: Floats
    y: NDArray[np.int64]
    weights: Floats

    @classmethod
    def of(cls, found: Found, values: str, y: NDArray[np.int64], weights: Floats) -> Kept:
        """x by its kind: a count, 1, or a share of the text."""
        if values == "count":
            x = found.times.astype(np.float64)
        elif values == "once":
            x = np.ones(len(found.ids))
        else:
            logs = LOGS[np.minimum(found.times, len(LOGS) - 1)]
            squares = np.bincount(found.rows, (logs * logs).astype(np.float64), len(found.starts) - 1)
            x = np.rint(UNIT * logs / np.sqrt(squares[found.rows])) / UNIT
        return cls(found, x, y, np.minimum(weights, 1.0))

    @property
    def lengths(self) -> Floats:
        """Σ x of each text."""
        return np.bincount(self.found.rows, self.x, len(self.y)).astype(np.float64)

    def left_out(self, block: Block, members: tuple[Member, ...], least: float, exact: bool = False) -> Floats:
        """The evidence of each member for each text and class: axes (member, text, class).

        A text's own words are taken from its class, and from the sums of all classes; of words that many documents have
        these are left as they are, unless `exact`.
        """
        view = _View.of(self, block, least, exact)
        out = np.empty((len(members), len(self.y), block.held.classes))
        powers: dict[float, Floats] = {}
        for kind in dict.fromkeys(replace(member, idf=0.0) for member in members):
            said = view.said(kind)
            for m, member in enumerate(members):
                if replace(member, idf=0.0) == kind:
                    if member.idf not in powers:
                        powers[member.idf] = self.x * block.idf[self.found.ids] ** member.idf
                    out[m] = view.summed(said, powers[member.idf])
        return out


Said = tuple[Floats, Floats, Floats, Floats]


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """Entries of kept texts beside what was counted: `words` are the different ones, entry e is of word `which[e]`."""

    kept: Kept
    block: Block
    words: NDArray[np.int64]
    which: NDArray[np.int64]
    counts: Floats
    often: NDArray[np.int64]
    rare: NDArray[np.int64]
    taken: Floats

    @classmethod
    def of(cls, kept: Kept, block: Block, least: float, exact: bool) -> _View:
        rows, ids = kept.found.rows, kept.found.ids
        having = block.documents[ids]
        common = (having > COMMON) & (not exact)
        taken = kept.x * kept.weights[rows]
        if block.documents.any():
            telling = common | (having - kept.weights[rows] >= least - 1e-9)
        else:  # counted without them
            telling = block.totals[ids] - taken > 0.5 / UNIT
        words, places = np.unique(ids[telling], return_inverse=True)
        which = np.zeros(len(ids), dtype=np.int64)
        which[telling] = places
        often, rare = np.flatnonzero(common), np.flatnonzero(telling & ~common)
        return cls(kept, block, words, which, _sums(block, words), often, rare, taken)

    def said(self, member: Member) -> Said:
        """Evidence without idf: of words, of what changes in a text's own class, of rare entries, of a class alone."""
        block, words = self.block, self.words
        prior = block.prior(member)[words]
        table = evidence(member, self.counts, block.totals[words, None], prior[:, None])
        return table, self._change(member, prior), self._rare(member, prior), self._own(member)

    def summed(self, said: Said, v: Floats) -> Floats:
        """Σ v·evidence for each text and class."""
        rows, n, y = self.kept.found.rows, len(self.kept.y), self.kept.y
        table, change, rare, own = said
        out = _product(rows[self.often], self.which[self.often], v[self.often], table, n)
        out += _product(rows[self.rare], np.arange(len(self.rare)), v[self.rare], rare, n)
        out[np.arange(n), y] += np.bincount(rows[self.often], v[self.often] * change, n)
        counting = np.bincount(rows[self.often], v[self.often], n) + np.bincount(rows[self.rare], v[self.rare], n)
        return out + counting[:, None] * own

    def _change(self, member: Member, prior: Floats) -> Floats:
        """Of frequent words only what the text's own class has of them changes."""
        at = self.which[self.often]
        held = self.counts[at, self.kept.y[self.kept.found.rows[self.often]]]
        less, total = np.maximum(held - self.taken[self.often], 0.0), self.block.totals[self.words[at]]
        return evidence(member, less, total, prior[at]) - evidence(member, held, total, prior[at])

    def _rare(self, member: Member, prior: Floats) -> Floats:
        """Of rare words all classes' evidence changes with what is left."""
        rows, at, taken = self.kept.found.rows[self.rare], self.which[self.rare], self.taken[self.rare]
        n = self.counts[at]
        own = np.arange(len(at)), self.kept.y[rows]
        n[own] = np.maximum(n[own] - taken, 0.0)
        total = np.maximum(self.block.totals[self.words[at]] - taken, 0.0)
        left = np.maximum(self.block.documents[self.words[at]] - self.kept.weights[rows], 1e-9)
        virtual = member.virtual * total / left if member.alike else prior[at]
        said = evidence(member, n, total[:, None], np.maximum(virtual, 1e-300)[:, None])
        said[total <= 0.5 / UNIT] = 0.0
        return said

    def _own(self, member: Member) -> Floats:
        """What is the class's alone, without the text.

        Shares of classes stay as they are: they are a little smaller without a text of the class, and evidence that is
        strengthened enough would tell the class by that.
        """
        n, block = len(self.kept.y), self.block
        if member.alike:
            return block.own(member, block.classes, block.total)
        lengths = np.bincount(self.kept.found.rows, self.taken, n)
        classes = np.repeat(block.classes[None], n, axis=0)
        classes[np.arange(n), self.kept.y] -= lengths
        return block.own(member, classes, np.asarray(block.total - lengths[:, None], dtype=float))


def _sums(block: Block, words: NDArray[np.int64]) -> Floats:
    """What was counted of some words: a row a word, a column a class."""
    place = np.full(len(block.totals), -1)
    place[words] = np.arange(len(words))
    rows = place[block.held.ids]
    some = rows >= 0
    out = np.zeros((len(words), block.held.classes))
    out[rows[some], block.held.y[some]] = block.sums[some]
    return out


def _product(rows: NDArray[np.int64], columns: NDArray[np.int64], v: Floats, table: Floats, n: int) -> Floats:
    """Σ v·table over the entries of each text."""
    from scipy.sparse import csr_array

    starts = np.searchsorted(rows, np.arange(n + 1))
    return np.asarray(csr_array((v, columns, starts), shape=(n, len(table))) @ table)
