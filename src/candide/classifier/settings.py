"""What a user decides about a table beforehand, as the requests, event models and class shares that follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.counts import CountCells, CountLevels, CountTokens, KeepRows, MeasureMoments, Tally
from candide.data.look import look
from candide.data.schema import Held, Schema
from candide.errors import BadPrior, UnknownColumn
from candide.events import Bernoulli, Binned, Categorical, Gaussian, LogNormal, Poisson, Words
from candide.posterior.costs import by_class
from candide.priors import Belief, Dirichlet, Given, PluginNormal, WeakNormal
from candide.selection.kinds import Choice, choose

Settings = Mapping[str, Any]

DEFAULTS: Settings = {
    "columns": None,
    "missing": "ignore",
    "priors": None,
    "class_weight": None,
    "costs": None,
    "reject": None,
    "calibrate": True,
    "keep_rows": 2000,
}
HELD: dict[type, Held] = {
    Bernoulli: "truths",
    Binned: "numbers",
    Categorical: "labels",
    Gaussian: "numbers",
    LogNormal: "logs",
    Poisson: "numbers",
    Words: "text",
}
MEASURED = (Gaussian, LogNormal, Poisson)
NO_SCHEMA = Schema(())


def schema_of(table: Any, settings: Settings, known: Schema = NO_SCHEMA) -> Schema:
    """How the columns are held: as it was said, as they were held so far, as a look at them suggests."""
    said, names = settings["columns"] or {}, table.column_names
    held: dict[str, Held] = {}
    for name, event in said.items():
        if name not in names:
            if name in known:
                continue
            raise UnknownColumn.named(name, "the table", names)
        if event is not None and type(event) not in HELD:
            raise BadPrior(f"column {name!r}: {event!r} is no event model of a column; see candide.events.")
        held[name] = "nothing" if event is None else HELD[type(event)]
    before = {one.name: one.held for one in known if one.held != "unknown"}
    found = look(table, held | before, _gaps(settings["missing"], names))
    return known | found.without({name: "you left it out" for name, event in said.items() if event is None})


def requests_of(schema: Schema, settings: Settings) -> list[Any]:
    """What is counted of a table."""
    given = _given(schema, settings)
    requests: list[Any] = [CountLevels(schema.labels), CountCells(schema.numbers)]
    measured = tuple(name for name in schema.numbers if isinstance(given.get(name), MEASURED))
    if measured:
        requests.append(MeasureMoments(measured))
    if schema.texts:
        requests.append(_tokens(schema.texts, [given.get(name, Words()) for name in schema.texts]))
    if settings["keep_rows"] and settings["calibrate"]:
        requests.append(KeepRows(schema.labels, schema.numbers, settings["keep_rows"], schema.texts))
    return requests


def _tokens(columns: tuple[str, ...], events: list[Words]) -> CountTokens:
    """One request for all columns of texts: their event models ask for a column each."""
    each = [event.needs((name,)) for name, event in zip(columns, events, strict=True)]
    analyzers = tuple(one.analyzers[0] for one in each)
    most = [one.most for one in each if one.most is not None]
    return CountTokens(columns, analyzers, any(one.documents for one in each), max(most, default=None))


def choices(tally: Tally, schema: Schema, settings: Settings) -> list[Choice]:
    """What each counted column is taken for."""
    return choose(tally, _given(schema, settings))


def is_counted(priors: Any) -> bool:
    """Whether classes are to be believed as frequent as they were counted, without a virtual row each."""
    return isinstance(priors, str) and priors == "counts"


def shares(tally: Tally, settings: Settings) -> Belief | None:
    """What is believed of the classes after all, if it is not what was counted."""
    priors, class_weight = settings["priors"], settings["class_weight"]
    if is_counted(priors):
        priors = None
    if priors is None and class_weight is None:
        return None
    k, weights = len(tally.classes), tally.seen.weights
    said = by_class(priors, tally.classes, "priors")
    belief = Dirichlet(1) if said is None else Given.named(said, "priors")
    base = belief.mean(weights, weights.sum(), k)
    if class_weight is None:
        return Given(base)
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise BadPrior(f"class_weight is 'balanced' or a weight a class, not {class_weight!r}.")
        return Given(np.full(k, 1.0 / k))
    factors = by_class(class_weight, tally.classes, "class_weight", 1.0)
    return Given(base * factors / (base * factors).sum())


def _given(schema: Schema, settings: Settings) -> dict[str, Any]:
    """The event models that were decided beforehand, by the columns that are counted for them."""
    found: dict[str, Any] = {}
    for name, event in (settings["columns"] or {}).items():
        if name in schema and event is not None:
            one = schema[name]
            counted = one.texts or (one.labels[:1] if one.held in ("labels", "truths") else one.numbers)
            found |= {column: _as_counted(event) for column in counted}
    return found


def _as_counted(event: Any) -> Any:
    """An event model as it reads the counts of a table."""
    if isinstance(event, Bernoulli):
        return Categorical(event.prior)
    if isinstance(event, Gaussian) and isinstance(event.prior, PluginNormal):
        return Gaussian(WeakNormal(), event.shared)
    return event


def _gaps(missing: Any, names: list[str]) -> set[str]:
    chosen = missing if isinstance(missing, Mapping) else dict.fromkeys(names, missing)
    for name, value in chosen.items():
        if value not in ("ignore", "level"):
            raise BadPrior(f"missing is 'ignore' or 'level', or says so by column, not {value!r} ({name!r}).")
    return {name for name, value in chosen.items() if value == "level"}
