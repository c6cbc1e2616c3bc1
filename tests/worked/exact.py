"""What a model says, in fractions: its own counts, read through its own priors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tables import Worked

from candide.classifier import Model, learn
from candide.data import Table
from candide.events import Bernoulli, Categorical, Event, Multinomial
from candide.priors import Belief, MaximumLikelihood

Shares = dict[Any, Fraction]


def labelled(data: Worked) -> Table:
    return Table.of([*data.columns, data.target], data.rows, target=data.target)


def queries(data: Worked, *rows: Sequence[Any]) -> Table:
    """Rows to classify."""
    return Table.of(data.columns, rows)


def taught(data: Worked, event: Event, prior: Belief = MaximumLikelihood()) -> Model:
    """A model of the whole table, one kind of event for all of its columns."""
    return learn({data.columns: event}, labelled(data), prior)


def fractions(counts: Any) -> np.ndarray:
    """An array of counts as fractions, nothing rounded."""
    counts = np.asarray(counts)
    exact = np.empty(counts.size, dtype=object)
    exact[:] = [Fraction(float(n)) for n in counts.flat]
    return exact.reshape(counts.shape)


def class_prior(model: Model) -> Shares:
    """P(class)."""
    seen = fractions(model.tally.seen.weights)
    return dict(zip(model.tally.classes, model.prior.mean(seen, seen.sum(), len(seen)), strict=True))


def likelihood(model: Model, column: Any, value: Any) -> Shares:
    """P(cell = value | class); of a column of words, the share of the word to the power of `value`."""
    names, event = next((names, event) for names, event in model.events.items() if column in names)
    statistic, j = model.tally[event.needs(names)], list(names).index(column)
    match event:
        case Categorical():
            tables = (*statistic.tables[:j], fractions(statistic.tables[j]), *statistic.tables[j + 1 :])
            counts = replace(statistic, tables=tables)
            shares = event.shares(counts, j)[:, list(statistic.levels[j]).index(value)]
        case Bernoulli():
            pairs = zip(fractions(statistic.sums[:, j]), fractions(model.tally.seen.weights), strict=True)
            shares = [event.shares(yes, rows)[int(value > event.above)] for yes, rows in pairs]
        case Multinomial():
            shares = event.shares(replace(statistic, sums=fractions(statistic.sums)))[:, j] ** value
        case _:
            raise TypeError(f"{event!r} has no rational likelihoods")
    assert all(isinstance(share, (Fraction, int)) for share in shares), "a prior made floats of fractions"
    return dict(zip(model.tally.classes, shares, strict=True))


def weights(model: Model, row: Sequence[Any]) -> Shares:
    """prior × Π likelihood of every class."""
    product = class_prior(model)
    columns = [column for names in model.events for column in names]
    for column, value in zip(columns, row, strict=True):
        shares = likelihood(model, column, value)
        product = {label: weight * shares[label] for label, weight in product.items()}
    return product


def posterior(model: Model, row: Sequence[Any]) -> Shares:
    """Bayes' theorem, without rounding; ZeroDivisionError where no class can have made the row."""
    product = weights(model, row)
    evidence = sum(product.values())
    return {label: weight / evidence for label, weight in product.items()}


def log(x: Fraction) -> float:
    """The logarithm of a fraction whose parts may be beyond any float."""
    return math.log(x.numerator) - math.log(x.denominator)


def assert_floats_agree(model: Model, *rows: Sequence[Any]) -> None:
    """The model's floats are the exact figures: posterior to 1e-12, log joint, evidence, decision."""
    columns = [column for names in model.events for column in names]
    source, classes = Table.of(columns, rows), list(model.tally.classes)
    answers, joint, places = model.posterior(source).values, model.log_joint(source).values, model.decide(source)
    assert_allclose(model.evidence(source).log_joint, joint, rtol=1e-13)
    for i, row in enumerate(rows):
        product = weights(model, row)
        evidence = sum(product.values())
        assert_allclose(answers[i], [float(product[label] / evidence) for label in classes], rtol=0, atol=1e-12)
        for c, label in enumerate(classes):
            if product[label]:
                assert joint[i, c] == pytest.approx(log(product[label]), rel=1e-13, abs=1e-13)
        best = max(product.values())
        assert classes[places[i]] == next(label for label in classes if product[label] == best)


def shown(x: Fraction | float, digits: int) -> str:
    """As printed in a book: rounded, without the zero before the point."""
    return f"{float(x):.{digits}f}".removeprefix("0")
