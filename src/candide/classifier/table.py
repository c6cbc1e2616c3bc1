"""A model of a table: it counts rows, forgets them, joins others, and classifies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from candide.classifier.batch import Batch, only
from candide.classifier.model import Model
from candide.classifier.settings import choices, is_counted, requests_of, schema_of, shares
from candide.counts import Tally
from candide.data.arrow import as_arrow, as_dates
from candide.data.frame import Frame
from candide.data.schema import Schema
from candide.engines import Memory
from candide.errors import BadPrior, MergeMismatch
from candide.explain import Derivation, Evidence, Profile, profiles, telling
from candide.labels import Labels
from candide.posterior import abstain, cheapest
from candide.posterior.costs import cost_table
from candide.priors import Belief, Dirichlet, MaximumLikelihood
from candide.scorecard import Floats, log_shares
from candide.selection.kinds import Choice, events


@dataclass(frozen=True, slots=True)
class TableModel:
    """A model of a table as it is kept: how the columns are held, what was decided beforehand, what is predicted."""

    model: Model
    schema: Schema
    settings: Mapping[str, Any]
    target: str | None = None

    @property
    def classes(self) -> Labels:
        return self.model.tally.classes

    # ---------------------------------------------------------------- learning

    @classmethod
    def learnt(cls, batch: Batch, settings: Mapping[str, Any], target: str | None = None) -> Self:
        """Nothing, and a batch."""
        schema = schema_of(batch.table, settings)
        return cls.of(_counted(batch, schema, settings, None), schema, settings, target)

    @classmethod
    def of(cls, tally: Tally, schema: Schema, settings: Mapping[str, Any], target: str | None = None) -> Self:
        """What these counts mean, read with these settings."""
        chosen = events(choices(tally, schema, settings))
        shifted = shares(tally, settings)
        counted: Belief = MaximumLikelihood() if is_counted(settings["priors"]) else Dirichlet(1)
        model = Model(tally, chosen, counted, calibrate=settings["calibrate"], shifted=shifted)
        return cls(model, schema, settings, target)

    def with_rows(self, batch: Batch) -> Self:
        """What was counted, and a batch: classes, levels and columns may be new."""
        if "text_nb" in self.settings:  # one column, and no other
            batch = replace(batch, table=only(batch.table, self.schema.names))
        schema = schema_of(batch.table, self.settings, self.schema)
        old = self.model.tally.spanning(requests_of(schema, self.settings))
        return self.of(old + _counted(batch, schema, self.settings, old), schema, self.settings, self.target)

    def without_rows(self, batch: Batch) -> Self:
        """What was counted, less a batch that is part of it; no class goes."""
        old = self.model.tally
        return self.reading((old - _counted(batch, self.schema, self.settings, old)).over(old.classes))

    def joined(self, other: Self) -> Self:
        """What both have counted."""
        schema = self.schema | other.schema
        _refuse_lost(self.schema, other.schema, schema)
        requests = requests_of(schema, self.settings)
        tally = self.model.tally.spanning(requests) + other.model.tally.spanning(requests)
        return self.of(tally, schema, self.settings, self.target)

    def aged(self, factor: float, expire: float = 0.0) -> Self:
        """Everything counted so far counts `factor` times as much; words in fewer than `expire` texts are forgotten."""
        aged = self.model.tally * factor
        return self.reading(aged.expired(expire) if expire else aged)

    def over(self, classes: Labels) -> Self:
        """The same with room for more classes."""
        tally = self.model.tally
        return self.reading(tally.over(tally.classes | classes))

    def settled(self) -> Self:
        """With what was fitted to the rows that were kept, so that nobody needs to fit it again."""
        return replace(self, model=self.model.settled())

    def reading(self, tally: Tally) -> Self:
        """Other counts of the same columns."""
        return self.of(tally, self.schema, self.settings, self.target)

    # ---------------------------------------------------------------- classifying

    def frame(self, table: Any) -> Frame:
        """Any dataframe, or rows, as the model reads it."""
        return table if isinstance(table, Frame) else Frame(as_arrow(table), self.schema)

    def decide(self, frame: Frame) -> tuple[NDArray[np.int64], Floats]:
        """The place of each row's decision, −1 where there is none, and P(class | row), as costs and `reject` say."""
        posterior = self.model.posterior(frame).values
        costs, reject = cost_table(self.settings.get("costs"), self.classes), self.settings.get("reject")
        if reject is not None:
            return abstain(posterior, reject, costs), posterior
        return (self.model.decide(frame) if costs is None else cheapest(posterior, costs)), posterior

    def explain(self, table: Any) -> Evidence:
        """Every column's part of every class's sum, with the cells that were read."""
        frame = self.frame(table)
        found = self.model.evidence(frame)
        cells = {name: frame.shown(name) for name in found.columns}
        return found.with_cells(self.model.scorecard, cells, self.model.tally)

    def derive(self, table: Any, row: int = 0) -> Derivation:
        """One row on paper: what is predicted, by what was counted."""
        frame = self.frame(table).take(np.array([row]))
        cells = {name: frame.values(name)[0] for names in self.model.events for name in names}
        return self.model.derive(cells, "class" if self.target is None else self.target)

    # ---------------------------------------------------------------- what it is

    @property
    def kinds(self) -> list[Choice]:
        """What each column was taken for, and why."""
        left_out = [Choice(one.name, "left out", None, one.why) for one in self.schema if not one.is_used]
        return choices(self.model.tally, self.schema, self.settings) + left_out

    def profiles(self) -> list[Profile]:
        """What each column says, the most telling first."""
        model = self.model
        return profiles(model.scorecard, model.tally, log_shares(model.class_prior), model.calibration.temperature)

    def words(self, column: Any, label: Any = None, most: int = 10) -> dict[Any, list[tuple[str, float, float]]]:
        """The words of a column of texts that speak most for each class, or for one; see `candide.explain.telling`."""
        return telling(self.model.scorecard, self.model.tally, column, label, most)

    @property
    def texts(self) -> list[str]:
        """The columns of texts that are evidence."""
        used = {name for names in self.model.events for name in names}
        return [name for name in self.schema.texts if name in used]

    def leave_one_out(self) -> tuple[Floats, NDArray[np.int64], Floats]:
        """P(class | row) of each row that was kept, as if it had never been counted; its class's place; its weight."""
        rows = self.model.rows
        if rows is None:
            raise BadPrior("no row was kept (keep_rows=0, calibrate=False, or nothing counted): nothing to leave out.")
        return self.model.left_out(), rows.y, rows.weights

    def imagined(self, rows: int, random: np.random.Generator) -> Any:
        """An Arrow table of rows as the model believes them to be: each column by itself; no cell is missing."""
        y, cells = self.model.drawn(rows, random)
        columns = {}
        for one in self.schema:
            if one.held == "logs" and f"log of {one.name}" in cells:
                columns[one.name] = np.exp(cells[f"log of {one.name}"])
            elif one.name in cells:
                columns[one.name] = cells[one.name] if one.held != "dates" else as_dates(cells[one.name])
        columns[self.target or "class"] = np.array(self.classes.values)[y].tolist()
        return pa.table({name: pa.array(found) for name, found in columns.items()})


def _counted(batch: Batch, schema: Schema, settings: Mapping[str, Any], old: Tally | None) -> Tally:
    source = Frame(batch.table, schema, batch.classes, batch.y, batch.weights)
    return Memory().count(requests_of(schema, settings), source, old)


def _refuse_lost(one: Schema, other: Schema, both: Schema) -> None:
    """Two models that hold a column differently have not counted the same thing."""
    for side, rest in ((one, other), (other, one)):
        for name in {*side.labels, *side.numbers} - {*both.labels, *both.numbers}:
            field = next(f for f in side if name in (*f.labels, *f.numbers))
            raise MergeMismatch(
                f"cannot join: column {field.name!r} is held as {field.held} in one and as {rest[field.name].held} in "
                "the other; decide for it in both, as in NaiveBayes({...: None}) for a column to be left out."
            )
