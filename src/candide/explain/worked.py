"""The examples of lectures, derived."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.counts import ClassWeights, Columns, CountLevels, Counts, SumTotals, Tally, Totals
from candide.data.examples import Case, Example
from candide.data.table import Table
from candide.events import Bernoulli, Categorical, Event
from candide.explain.derive import Derivation, derive
from candide.labels import Labels
from candide.priors import Belief, Dirichlet, MaximumLikelihood, MEstimate


def derivations(example: Example) -> list[tuple[str, Derivation]]:
    """Every row that the example asks, with a caption.

    >>> from candide.data.examples import EXAMPLES
    >>> [caption for caption, derivation in derivations(EXAMPLES["D5"])]
    ['D5, as counted: Owner=No, Marital=Married, Income=High', 'D5, α = 1: Owner=No, Marital=Married, Income=High']
    """
    return [(caption(example, case), _derived(example, case)) for case in example.cases]


def caption(example: Example, case: Case) -> str:
    """Which row, and what is believed."""
    cells = zip(example.columns, case.query, strict=True)
    return f"{example.id}, {case.smoothing}: {', '.join(f'{column}={value}' for column, value in cells)}"


def models(example: Example, case: Case) -> tuple[dict[Columns, Event], Belief]:
    """The event models of the columns, and the class prior: the two that a `Model` takes besides the counts."""
    belief: Any = MEstimate(case.m) if case.m else Dirichlet(case.alpha) if case.alpha else MaximumLikelihood()
    event = Bernoulli(belief) if example.cells == "yes or no" else Categorical(belief)
    return {example.columns: event}, MaximumLikelihood()


def _derived(example: Example, case: Case) -> Derivation:
    events, prior = models(example, case)
    row = dict(zip(example.columns, case.query, strict=True))
    errata = [f"Erratum: {example.erratum}"] if example.erratum else []
    return derive(_counted(example, events), events, prior, row, target=example.target, errata=errata)


def _counted(example: Example, events: dict[Columns, Event]) -> Tally:
    """A table this small needs no engine: it is counted by its definition."""
    table, (event,) = example.table(), events.values()
    member = np.arange(len(table.classes)) == table.y[:, None]
    request = event.needs(example.columns)
    counted = (_levels if isinstance(request, CountLevels) else _totals)(request, table, member)
    return Tally(ClassWeights(table.classes, member.sum(axis=0, dtype=float)), {request: counted})


def _levels(request: CountLevels, table: Table, member: np.ndarray) -> Counts:
    cells = [table.values(column) for column in request.columns]
    levels = tuple(Labels.of(values.tolist()) for values in cells)
    has = [np.arange(len(names))[:, None] == names.codes(values) for names, values in zip(levels, cells, strict=True)]
    return Counts(request, table.classes, levels, tuple(rows @ member.astype(float) for rows in has))


def _totals(request: SumTotals, table: Table, member: np.ndarray) -> Totals:
    cells = table.numbers(request.columns)
    said = cells if request.above is None else (cells > request.above).astype(float)
    return Totals(request, table.classes, member.T.astype(float) @ said)
