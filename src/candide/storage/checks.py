"""What must hold of a value that was put together from a file, class by class.

The same is asked of a value before it is saved, so that nothing is written that could not be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from candide.classifier import Model
from candide.counts import (
    ClassWeights,
    CoMoments,
    CountLevels,
    Counts,
    MeasureCoMoments,
    MeasureMoments,
    Moments,
    SumTotals,
    Tally,
    Totals,
)
from candide.counts.double import Double
from candide.events import Bernoulli, Categorical, FullGaussian, FullJoint, Gaussian
from candide.labels import Labels, is_missing
from candide.priors import (
    Beta,
    Dirichlet,
    Given,
    MaximumLikelihood,
    MEstimate,
    PluginNormal,
    Pseudo,
    Uniform,
    WeakNormal,
)
from candide.storage.demands import NUMBERS, demand, floats, of_type, optional_number, weights

BELIEFS = (MaximumLikelihood, Dirichlet, Beta, MEstimate, Pseudo, Given, Uniform)


def labels(value: Labels) -> None:
    """Distinct and known; in rising order where they are searched by halves."""
    array = value.values
    demand(isinstance(array, np.ndarray) and array.ndim == 1, "labels should be a row")
    if array.dtype == object:
        _distinct(array.tolist())
    else:
        rises = bool((array[1:] > array[:-1]).all()) and bool((array[:1] == array[:1]).all())
        demand(rises, "labels should be distinct, known and in rising order")


def _distinct(listed: list[Any]) -> None:
    if set(map(type, listed)) == {str} and all(map(str.__lt__, listed, listed[1:])):
        return
    demand(not any(map(is_missing, listed)), "a label is missing")
    demand(len(set(listed)) == len(listed), "a label occurs twice")


def request(value: Any) -> None:
    of_type(value, "columns", tuple, range)
    demand(len(set(value.columns)) == len(value.columns), "a column is named twice")


def sum_totals(value: SumTotals) -> None:
    request(value)
    optional_number(value, "above")


def double(value: Double) -> None:
    demand(isinstance(value.high, np.ndarray), "high should be an array of F64")
    floats(value.high, value.high.shape, "high")
    floats(value.low, value.high.shape, "low")


def class_weights(value: ClassWeights) -> None:
    of_type(value, "classes", Labels)
    weights(value.weights, (len(value.classes),), "weights")


def counts(value: Counts) -> None:
    _statistic(value, CountLevels)
    tuples = isinstance(value.levels, tuple) and isinstance(value.tables, tuple)
    demand(tuples and len(value.levels) == len(value.tables) == len(value.request.columns), "a table a column")
    for j, (names, table) in enumerate(zip(value.levels, value.tables, strict=True)):
        demand(isinstance(names, Labels), f"levels.{j} should be Labels")
        weights(table, (len(names), len(value.classes)), f"tables.{j}")


def totals(value: Totals) -> None:
    _statistic(value, SumTotals)
    weights(value.sums, _shape(value), "sums")


def moments(value: Moments) -> None:
    _statistic(value, MeasureMoments)
    _pivoted(value, n=_shape(value), second=_shape(value))


def comoments(value: CoMoments) -> None:
    _statistic(value, MeasureCoMoments)
    k, d = _shape(value)
    _pivoted(value, n=(k,), second=(k, d, d))


def _pivoted(value: Moments | CoMoments, n: tuple[int, ...], second: tuple[int, ...]) -> None:
    weights(value.n, n, "n")
    floats(value.pivot, _shape(value), "pivot")
    for name, shape in (("first", _shape(value)), ("second", second)):
        of_type(value, name, Double)
        floats(getattr(value, name).high, shape, name)


def _statistic(value: Any, wanted: type) -> None:
    of_type(value, "request", wanted)
    of_type(value, "classes", Labels)


def _shape(value: Any) -> tuple[int, int]:
    return len(value.classes), len(value.request.columns)


def tally(value: Tally) -> None:
    of_type(value, "seen", ClassWeights)
    of_type(value, "statistics", Mapping)
    for wanted, statistic in value.statistics.items():
        name = type(statistic).__name__
        demand(hasattr(statistic, "to_arrays"), f"{name} is no statistic")
        demand(statistic.request == wanted, f"a statistic answers {wanted}, not {statistic.request}")
        demand(statistic.classes == value.classes, f"{name} has other classes than the tally")


def pseudo(value: Pseudo) -> None:
    of_type(value, "start", *NUMBERS)
    of_type(value, "denominator", *NUMBERS)


def believing(value: Any) -> None:
    """The prior is one over shares."""
    demand(isinstance(value.prior, BELIEFS), f"{type(value).__name__}.prior should be a prior over shares")


def bernoulli(value: Bernoulli) -> None:
    believing(value)
    optional_number(value, "above")


def categorical(value: Categorical) -> None:
    believing(value)
    of_type(value, "sizes", type(None), tuple)
    demand(_all_of(value.sizes or (), (int, np.integer)), "Categorical.sizes should be whole numbers")


def gaussian(value: Gaussian) -> None:
    of_type(value, "prior", PluginNormal, WeakNormal)


def full_gaussian(value: FullGaussian) -> None:
    if value.shrinkage != "auto":
        optional_number(value, "shrinkage")


def full_joint(value: FullJoint) -> None:
    demand(value.unseen in ("error", "prior"), f"FullJoint.unseen is 'error' or 'prior', not {value.unseen!r}")


def model(value: Model) -> None:
    """Every event finds what it needs among what was counted."""
    of_type(value, "tally", Tally)
    of_type(value, "events", Mapping)
    believing(value)
    for columns, event in value.events.items():
        demand(hasattr(event, "needs"), f"{type(event).__name__} is no event model")
        needed = event.needs(columns)
        demand(needed in value.tally.statistics, f"{needed} is needed and was not counted")


def _all_of(values: Iterable[Any], types: tuple[type, ...]) -> bool:
    return all(isinstance(value, types) for value in values)
