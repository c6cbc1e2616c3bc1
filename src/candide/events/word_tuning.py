"""The evidence of texts that were kept, each as if it had never been counted."""

from __future__ import annotations

from dataclasses import dataclass

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
        rows, n, k = self.found.rows, len(self.y), block.held.classes
        words, which = np.unique(self.found.ids, return_inverse=True)
        counts = _sums(block, words)
        common = (block.documents[words] > COMMON) & (not exact)
        taken = self.x * self.weights[rows]
        lengths = np.bincount(rows, taken, n)
        out = np.zeros((len(members), n, k))
        frequent = common[which]
        rare = np.flatnonzero(~frequent & (block.documents[self.found.ids] - self.weights[rows] >= least - 1e-9))
        often = np.flatnonzero(frequent)
        for m, member in enumerate(members):
            idf = block.idf[words] ** member.idf
            v = self.x * idf[which]
            prior = block.prior(member)[words]
            table = evidence(member, counts, block.totals[words, None], prior[:, None])
            out[m] += _product(rows[often], which[often], v[often], table, n)
            self._mend(out[m], member, block, counts, prior, words, which, often, v, taken)
            self._add_rare(out[m], member, block, counts, prior, words, which, rare, v, taken)
            said = np.zeros(len(rows))
            said[often], said[rare] = v[often], v[rare]
            classes = np.repeat(block.classes[None], n, axis=0)
            classes[np.arange(n), self.y] -= lengths
            total = np.asarray(block.totals.sum() - lengths[:, None], dtype=float)
            out[m] += np.bincount(rows, said, n)[:, None] * block.own(member, classes, total)
        return out

    def _mend(
        self, out: Floats, member: Member, block: Block, counts: Floats, prior: Floats, words: NDArray[np.int64],
        which: NDArray[np.int64], often: NDArray[np.int64], v: Floats, taken: Floats,
    ) -> None:  # fmt: skip
        """Of frequent words only what the text's own class has of them changes."""
        rows = self.found.rows[often]
        at, y = which[often], self.y[rows]
        held, total = counts[at, y], block.totals[words[at]]
        less = np.maximum(held - taken[often], 0.0)
        change = evidence(member, less, total, prior[at]) - evidence(member, held, total, prior[at])
        out[np.arange(len(self.y)), self.y] += np.bincount(rows, v[often] * change, len(self.y))

    def _add_rare(
        self, out: Floats, member: Member, block: Block, counts: Floats, prior: Floats, words: NDArray[np.int64],
        which: NDArray[np.int64], rare: NDArray[np.int64], v: Floats, taken: Floats,
    ) -> None:  # fmt: skip
        """Of rare words all classes' evidence changes with what is left."""
        rows = self.found.rows[rare]
        at = which[rare]
        n = counts[at]
        own = np.arange(len(rare)), self.y[rows]
        n[own] = np.maximum(n[own] - taken[rare], 0.0)
        total = np.maximum(block.totals[words[at]] - taken[rare], 0.0)
        left = np.maximum(block.documents[words[at]] - self.weights[rows], 1e-9)
        virtual = member.virtual * total / left if member.alike else prior[at]
        with np.errstate(divide="ignore", invalid="ignore"):
            said = evidence(member, n, total[:, None], np.maximum(virtual, 1e-300)[:, None])
        said[total <= 0.5 / UNIT] = 0.0
        said *= v[rare, None]
        for c in range(out.shape[1]):
            out[:, c] += np.bincount(rows, said[:, c], len(out))


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
