"""What a model says of a row as if it had never been counted is what it says when the row is taken away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candide.classifier import Model
from candide.counts import CountCells, KeepRows, Tally
from candide.counts import Rows as Kept
from candide.data import Table
from candide.engines import Memory
from candide.events import Binned, Categorical, FewValues, Gaussian, LogNormal, Poisson
from candide.events.binned import fine_bins
from candide.events.partitions import intervals
from candide.labels import Labels
from candide.priors import Dirichlet, MEstimate, WeakNormal
from candide.selection import left_out

LEVELS, NUMBERS = ("job", "smokes"), ("rooms", "height", "width", "calls")
KEEP = KeepRows(LEVELS, NUMBERS, most=1000)
MANY = settings(max_examples=60, deadline=None)
PRIOR = Dirichlet(1)


@dataclass(frozen=True)
class Data:
    """Rows (class, cells) and their weights."""

    rows: list[tuple[str, tuple[Any, ...]]]
    weights: list[float]

    def table(self) -> Table:
        bare = Table.of((*LEVELS, *NUMBERS), [cells for _, cells in self.rows])
        classes, y = Labels.encode(np.array([label for label, _ in self.rows], dtype=object))
        return replace(bare, classes=classes, y=y, weights=np.array(self.weights))


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A cell, sometimes missing."""
    return st.one_of(values, values, values, st.none())


measured = st.floats(-100, 100, allow_nan=False).map(lambda x: round(x, 3))
one_row = st.tuples(
    st.sampled_from("abc"),
    st.tuples(
        maybe(st.sampled_from(["smith", "nurse", "clerk", "baker"])),
        maybe(st.sampled_from(["yes", "no"])),
        maybe(st.integers(0, 3)),
        maybe(measured),
        maybe(st.sampled_from([0.1, 0.2, 1e5])),
        maybe(st.integers(0, 6)),
    ),
)
WEIGHTS = {
    "unweighted": st.just(1.0),
    "whole": st.integers(1, 3).map(float),
    "fractions": st.sampled_from([0.1, 0.25, 0.5, 1.0, 1.7]),
}


@st.composite
def data(draw: Any, weights: st.SearchStrategy[float]) -> Data:
    """A few rows, some of them several times."""
    rows = draw(st.lists(one_row, min_size=1, max_size=10))
    rows += draw(st.lists(st.sampled_from(rows), max_size=5))
    return Data(rows, [draw(weights) for _ in rows])


EVENTS = {
    "categorical": (("job",), Categorical(MEstimate(1))),
    "Laplace": (("job", "smokes"), Categorical(Dirichlet(1))),
    "two values": (("smokes",), Categorical(MEstimate(1))),
    "few whole numbers": (("rooms",), FewValues(MEstimate(1))),
    "Student": (("height", "width"), Gaussian(WeakNormal())),
    "shared variance": (("height", "width"), Gaussian(WeakNormal(), shared=True)),
    "heavy prior": (("height",), Gaussian(WeakNormal(4.0))),
    "log-normal": (("width",), LogNormal()),
    "Poisson": (("calls", "rooms"), Poisson()),
}
of_every_kind = pytest.mark.parametrize(("columns", "event"), EVENTS.values(), ids=EVENTS)
of_every_weight = pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)


def single(rows: Kept, i: int, weight: float) -> Table:
    """One of the rows that were kept, as a table."""
    cells = [names[code] if code >= 0 else None for names, code in zip(rows.names, rows.levels[i], strict=True)]
    bare = Table.of((*LEVELS, *NUMBERS), [(*cells, *rows.numbers[i].tolist())])
    return replace(bare, classes=rows.classes, y=rows.y[i : i + 1], weights=np.array([weight]))


def without(tally: Tally, requests: list[Any], row: Table) -> Tally:
    """The tally with the row taken away; no class disappears."""
    return (tally - Memory().collect(requests, row, tally)).over(tally.classes)


def away_from_the_first(scores: np.ndarray) -> np.ndarray:
    """Evidence that is the same for every class is none."""
    return np.asarray(scores - scores[..., :1])


@of_every_kind
@of_every_weight
def test_it_is_a_refit_without_the_row(columns: tuple[str, ...], event: Any, weights: Any) -> None:
    requests = [event.needs(columns), KEEP]

    @MANY
    @given(data(weights))
    def law(some: Data) -> None:
        tally = Memory().collect(requests, some.table())
        rows = tally[KEEP]
        evidence, log_prior = left_out([(event, tally[requests[0]])], PRIOR, tally.seen, rows)
        for i in range(len(rows)):
            row = single(rows, i, min(1.0, rows.weights[i]))
            refit = Model(without(tally, requests, row), {columns: event}, PRIOR)
            expected = refit.log_joint(row).values[0]
            found = evidence[i] + log_prior[i]
            np.testing.assert_allclose(
                away_from_the_first(found), away_from_the_first(expected), rtol=1e-10, atol=1e-10
            )

    law()


@pytest.mark.parametrize("bins", [2, 3, 128])
@of_every_weight
def test_with_the_same_bins_it_is_a_refit_without_the_row(bins: int, weights: Any) -> None:
    request, event = CountCells(NUMBERS), Binned(bins=bins)

    @MANY
    @given(data(weights))
    def law(some: Data) -> None:
        tally = Memory().collect([request, KEEP], some.table())
        rows = tally[KEEP]
        evidence = event.left_out(tally[request], tally.seen, rows)
        for i in range(len(rows)):
            expected = sum(refitted(event, tally, request, rows, i, j) for j in range(len(NUMBERS)))
            found = evidence[i]
            np.testing.assert_allclose(
                away_from_the_first(found), away_from_the_first(expected), rtol=1e-10, atol=1e-10
            )

    law()


def refitted(event: Binned, tally: Tally, request: CountCells, rows: Kept, i: int, j: int) -> np.ndarray:
    """log P(class | bin) − log P(class) of one cell, from the counts of the fine bins less the row."""
    x, k = rows.numbers[i, j], len(tally.classes)
    if np.isnan(x):
        return np.zeros(k)
    cuts, counts = fine_bins(tally[request], j, event.bins)
    shares = (counts.sum(axis=0) + 1) / (counts.sum() + k)
    place = int(np.searchsorted(cuts, x, side="right"))
    left = counts.copy()
    left[place, rows.y[i]] -= min(1.0, rows.weights[i])
    (found,) = intervals([(left, event.strength * k * shares)])
    return np.log(found.shares()[place]) - np.log(shares)


def test_a_value_that_stood_apart_alone_leaves_a_column_without_spread() -> None:
    """Of 0, 0, 0 and 10¹², without the last nothing varies: there is nothing to say about it."""
    cells = [("smith", "yes", 0, 0.0, 0.1, 0)] * 3 + [("smith", "yes", 0, 1e12, 0.1, 0)]
    some = Data(list(zip("abab", cells, strict=True)), [1.0] * 4)
    columns, event = ("height",), Gaussian(WeakNormal())
    tally = Memory().collect([event.needs(columns), KEEP], some.table())
    rows = tally[KEEP]
    evidence, _ = left_out([(event, tally[event.needs(columns)])], PRIOR, tally.seen, rows)
    np.testing.assert_array_equal(evidence[rows.numbers[:, 1] == 1e12], 0.0)


def test_a_level_of_one_row_is_unseen_without_it() -> None:
    some = Data([("a", ("smith", "yes", 0, 0.0, 0.1, 0)), ("b", ("nurse", "yes", 0, 0.0, 0.1, 0))], [1.0, 1.0])
    event = Categorical(Dirichlet(1))
    tally = Memory().collect([event.needs(("job",)), KEEP], some.table())
    evidence, log_prior = left_out([(event, tally[event.needs(("job",))])], PRIOR, tally.seen, tally[KEEP])
    np.testing.assert_allclose(away_from_the_first(evidence), 0.0, atol=1e-15)
    shares = np.exp(log_prior[np.argsort(tally[KEEP].y)])
    np.testing.assert_allclose(shares, [[1 / 3, 2 / 3], [2 / 3, 1 / 3]])
