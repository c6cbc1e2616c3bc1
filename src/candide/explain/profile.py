"""What each column of a model says, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import Cells, Counts, Tally
from candide.explain.sums import NATS_TO_BITS
from candide.labels import Labels
from candide.scorecard import IMPOSSIBLE, Floats, Lookup, Scorecard, Steps, Term

POINTS = 16  # at which a density is looked at


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The levels of one column: `counts[l, c]` rows of class c had level l, which speaks for c by `evidence[l, c]` nats
    up to something equal for all classes.

    A column in bins has `edges`, one more than there are levels; `levels` are then their names. What the column says
    when it is alone is `temperature` times less than that: calibration heeds that columns repeat one another.
    """

    column: Any
    kind: str
    classes: Labels
    levels: Sequence[Any]
    evidence: Floats
    counts: Floats
    log_prior: Floats
    temperature: float = 1.0
    edges: Floats | None = None

    @property
    def rows(self) -> Floats:
        """How many rows had each level."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def posterior(self) -> Floats:
        """P(class | level), by this column alone."""
        scores = self.log_prior + self.evidence / self.temperature
        shares = np.exp(scores - scores.max(axis=1, keepdims=True)) if len(scores) else scores
        return np.asarray(shares / shares.sum(axis=1, keepdims=True)) if len(scores) else scores

    @property
    def information(self) -> float:
        """How many bits a cell says of the class on average, Σ_l P(l) Σ_c P(c | l) log₂(P(c | l) / P(c))."""
        rows = self.rows
        if not rows.sum() > 0:
            return 0.0
        prior = np.exp(self.log_prior - self.log_prior.max())
        base = np.log(np.maximum(prior / prior.sum(), np.exp(-745.0)))
        shares = self.posterior
        with np.errstate(divide="ignore", invalid="ignore"):
            said = np.where(shares > 0, shares * (np.log(shares) - base), 0.0).sum(axis=1)
        return max(0.0, float(rows @ said / rows.sum()) * NATS_TO_BITS)

    @property
    def centred(self) -> Floats:
        """Evidence over the average class, in bits; of two classes, half of the log-odds each."""
        possible = self.evidence > IMPOSSIBLE / 2
        mean = np.where(possible, self.evidence, 0.0).sum(axis=1, keepdims=True)
        return np.asarray(self.evidence - mean / np.maximum(possible.sum(axis=1, keepdims=True), 1)) * NATS_TO_BITS


def profiles(scorecard: Scorecard, tally: Tally, log_prior: Floats, temperature: float = 1.0) -> list[Profile]:
    """Every column that has evidence, the most telling first; `temperature` is that of the scorecard."""
    found = []
    for term in scorecard.terms:
        for j, name in enumerate(term.columns):
            statistic, place = _counted(tally, name)
            if statistic is not None:
                kind, levels, evidence, counts, edges = _said(term, j, statistic, place)
                about = (name, kind, scorecard.classes, levels, evidence, counts, log_prior, temperature, edges)
                found.append(Profile(*about))
    return sorted(found, key=lambda profile: -profile.information)


Said = tuple[str, Sequence[Any], Floats, Floats, Floats | None]


def _said(term: Term, j: int, statistic: Counts | Cells, place: int) -> Said:
    """Kind, levels, evidence, counts and edges of a column."""
    if isinstance(term, Lookup):
        return "levels", list(term.levels[j]), term.tables[j], statistic.tables[place], None
    assert isinstance(statistic, Cells), "only numbers have other terms"
    if isinstance(term, Steps):
        edges = np.concatenate([[-np.inf], term.cuts[j], [np.inf]])
        return "bins", _names(edges), term.tables[j], _in_bins(statistic, place, term.cuts[j]), edges
    values, counts = _points(statistic, place)
    X = np.full((len(values), len(term.columns)), np.nan)
    X[:, j] = values
    return "density", [f"{value:.4g}" for value in values], term.parts(X)[:, j], counts, None


def _counted(tally: Tally, name: Any) -> tuple[Counts | Cells | None, int]:
    """The statistic that counts a column's levels or cells, and the column's place in it."""
    for statistic in tally.statistics.values():
        if isinstance(statistic, (Counts, Cells)) and name in statistic.request.columns:
            return statistic, list(statistic.request.columns).index(name)
    return None, 0


def _in_bins(cells: Cells, j: int, cuts: Floats) -> Floats:
    table = np.zeros((len(cuts) + 1, len(cells.classes)))
    np.add.at(table, np.searchsorted(cuts, cells.edges(j)[0], side="right"), cells.tables[j])
    return table


def _points(cells: Cells, j: int) -> tuple[Floats, Floats]:
    """A few values of a column, each for as many rows as the others, and the counts around them."""
    low, table = cells.edges(j)[0], cells.tables[j]
    rows = np.cumsum(table.sum(axis=1))
    part: NDArray[np.int64] = np.minimum((rows - 1e-9) / max(rows[-1], 1e-9) * POINTS, POINTS - 1).astype(np.int64)
    parts, first = np.unique(part, return_index=True)
    middles = [low[part == p][np.count_nonzero(part == p) // 2] for p in parts]
    return np.array(middles), np.add.reduceat(table, first, axis=0)


def _names(edges: Floats) -> list[str]:
    """Names of bins: below 3, 3 to 5, 5 and more."""
    names = []
    for low, high in pairwise(edges.tolist()):
        if not np.isfinite(low):
            names.append("any" if not np.isfinite(high) else f"< {high:.6g}")
        else:
            names.append(f"{low:.6g} – {high:.6g}" if np.isfinite(high) else f"≥ {low:.6g}")
    return names
