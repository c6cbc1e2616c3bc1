"""What must hold of a value that was put together from a file, class by class.

The same is asked of a value before it is saved, so that nothing is written that could not be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import numpy as np

from candide.classifier import Model, TableModel
from candide.classifier.fitted import Fitted
from candide.counts import (
    Cells,
    ClassWeights,
    CoMoments,
    CountCells,
    CountLevels,
    Counts,
    KeepRows,
    MeasureCoMoments,
    MeasureMoments,
    Moments,
    Rows,
    SumTotals,
    Tally,
    Totals,
)
from candide.counts.double import Double
from candide.counts.texts import Texts
from candide.data.schema import Field, Held, Schema
from candide.events import Bernoulli, Binned, Categorical, FullGaussian, FullJoint, Gaussian, LogNormal, Words
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

SETTINGS = {"columns", "missing", "priors", "class_weight", "costs", "reject", "calibrate", "keep_rows", "text_nb"}
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


def cell_request(value: CountCells) -> None:
    request(value)
    of_type(value, "most", int)


def row_request(value: KeepRows) -> None:
    of_type(value, "levels", tuple)
    of_type(value, "numbers", tuple)
    of_type(value, "texts", tuple)
    of_type(value, "most", int)
    demand(value.most > 0, "KeepRows.most should be above 0")


def cells(value: Cells) -> None:
    """A shift, rising keys and a table a column."""
    _statistic(value, CountCells)
    columns = len(value.request.columns)
    parts = (value.shifts, value.keys, value.tables)
    demand(all(isinstance(part, tuple) and len(part) == columns for part in parts), "shift, keys and table a column")
    for j, (shift, keys, table) in enumerate(zip(*parts, strict=True)):
        demand(isinstance(shift, int) and 0 <= shift < 64, f"shifts.{j} should be from 0 to 63")
        demand(isinstance(keys, np.ndarray) and keys.dtype == np.int64 and keys.ndim == 1, f"keys.{j} should be I64")
        demand(bool((keys[1:] > keys[:-1]).all()), f"keys.{j} should rise")
        weights(table, (len(keys), len(value.classes)), f"tables.{j}")


def rows(value: Rows) -> None:
    """Rising hashes, and a class, a weight and cells each."""
    _statistic(value, KeepRows)
    count = len(value.hashes)
    of_type(value, "last", int)
    demand(isinstance(value.hashes, np.ndarray) and value.hashes.dtype == np.uint64, "hashes should be U64")
    demand(bool((value.hashes[1:] > value.hashes[:-1]).all()), "hashes should rise")
    demand(not count or int(value.hashes[-1]) <= value.last, "a hash is above the last")
    weights(value.weights, (count,), "weights")
    _codes(value.y, (count,), len(value.classes), 0, "y")
    named = isinstance(value.names, tuple) and all(isinstance(names, Labels) for names in value.names)
    demand(named and len(value.names) == len(value.request.levels), "names a column of levels")
    demand(value.levels.shape == (count, len(value.names)), "levels should have a row a row and a column a name")
    for j, names in enumerate(value.names):
        _codes(value.levels[:, j], (count,), len(names), -1, f"levels.{j}")
    numbers = value.numbers
    demand(isinstance(numbers, np.ndarray) and numbers.dtype == np.float64, "numbers should be an array of F64")
    demand(numbers.shape == (count, len(value.request.numbers)), "numbers should have a row a row")
    demand(isinstance(value.texts, tuple) and len(value.texts) == len(value.request.texts), "texts a column of texts")
    demand(all(isinstance(texts, Texts) and len(texts) == count for texts in value.texts), "a text a row")


def _codes(array: Any, shape: tuple[int, ...], end: int, least: int, what: str) -> None:
    demand(isinstance(array, np.ndarray) and array.dtype == np.int64 and array.shape == shape, f"{what} should be I64")
    demand(not array.size or (int(array.min()) >= least and int(array.max()) < end), f"{what} is out of range")


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


def binned(value: Binned) -> None:
    of_type(value, "bins", int)
    of_type(value, "strength", int, float)
    demand(value.bins > 1 and value.strength > 0, "Binned has at least two bins and believes in something")


def log_normal(value: LogNormal) -> None:
    of_type(value, "prior", WeakNormal)


def field(value: Field) -> None:
    of_type(value, "name", str)
    demand(value.held in get_args(Held), f"Field.held is none of {get_args(Held)}: {value.held!r}")
    of_type(value, "why", str)
    of_type(value, "gaps", bool)


def schema(value: Schema) -> None:
    demand(
        isinstance(value.fields, tuple) and all(isinstance(one, Field) for one in value.fields), "fields of a schema"
    )
    demand(len(set(value.names)) == len(value.names), "a column is named twice")


def table_model(value: TableModel) -> None:
    of_type(value, "model", Model)
    of_type(value, "schema", Schema)
    of_type(value, "settings", Mapping)
    of_type(value, "target", type(None), str)
    demand(set(value.settings) <= SETTINGS, f"unknown settings {sorted(set(value.settings) - SETTINGS)}")


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
        demand(_was_counted(needed, value.tally), f"{needed} is needed and was not counted")
    of_type(value, "fitted", type(None), Fitted)
    if value.fitted is not None:
        k = len(value.tally.classes)
        demand(len(value.fitted.calibration.biases) == k, "a bias a class")
        demand(all(len(one.base) == k for one in value.fitted.strengths.values()), "strengths of these classes")
        kinds = {
            name: event.kinds for names, event in value.events.items() if isinstance(event, Words) for name in names
        }
        fits = all(len(one.each) == kinds.get(name) for name, one in value.fitted.strengths.items())
        demand(fits, "a strength for each kind of evidence")
    of_type(value, "calibrate", bool)
    demand(value.shifted is None or isinstance(value.shifted, BELIEFS), "Model.shifted should be a prior over shares")


def _was_counted(needed: Any, tally: Tally) -> bool:
    """Itself, or as part of the columns of a request of its kind."""
    if needed in tally.statistics:
        return True
    alike = [held for held in tally.statistics if type(held) is type(needed) and hasattr(held, "columns")]
    return any(set(needed.columns) <= set(held.columns) for held in alike)


def _all_of(values: Iterable[Any], types: tuple[type, ...]) -> bool:
    return all(isinstance(value, types) for value in values)
