"""Everything that a model file may hold, by name.

To add a class: a line in `CLASSES`, with a check in `checks.py` that raises `BadModel` where the fields do not fit
together. The class is a dataclass; its fields are stored under their names, and a field that a file does not have gets
its default. A change that older versions would misread needs a new `FORMAT`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from candide import counts, events, priors
from candide.classifier import Model, TableModel
from candide.classifier.fitted import Fitted
from candide.counts.bag import Bag
from candide.counts.double import Double
from candide.counts.occurrences import Occurrences
from candide.counts.texts import Texts
from candide.data.schema import Field, Schema
from candide.events.word_fit import Strengths
from candide.labels import Labels
from candide.posterior import Calibration
from candide.storage import checks, text_checks
from candide.storage.demands import nothing
from candide.text.analyzer import Analyzer
from candide.text.vocabulary import Vocabulary

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Kind:
    """A class of values, what must hold of one, the fields that are not stored, and the form in which it is."""

    cls: type
    check: Callable[[Any], None] = nothing
    left_out: frozenset[str] = frozenset()
    as_written: Callable[[Any], Any] | None = None


CLASSES: dict[str, Kind] = {
    "Labels": Kind(Labels, checks.labels),
    "CountLevels": Kind(counts.CountLevels, checks.request),
    "MeasureMoments": Kind(counts.MeasureMoments, checks.request),
    "MeasureCoMoments": Kind(counts.MeasureCoMoments, checks.request),
    "SumTotals": Kind(counts.SumTotals, checks.sum_totals),
    "Double": Kind(Double, checks.double),
    "ClassWeights": Kind(counts.ClassWeights, checks.class_weights),
    "Counts": Kind(counts.Counts, checks.counts),
    "Totals": Kind(counts.Totals, checks.totals),
    "Moments": Kind(counts.Moments, checks.moments),
    "CoMoments": Kind(counts.CoMoments, checks.comoments),
    "CountCells": Kind(counts.CountCells, checks.cell_request),
    "KeepRows": Kind(counts.KeepRows, checks.row_request),
    "Cells": Kind(counts.Cells, checks.cells),
    "Rows": Kind(counts.Rows, checks.rows, frozenset({"found"})),
    "CountTokens": Kind(counts.CountTokens, text_checks.token_request),
    "Vocabulary": Kind(Vocabulary, text_checks.vocabulary),
    "Occurrences": Kind(Occurrences, text_checks.occurrences),
    "Bag": Kind(Bag, text_checks.bag),
    "Tokens": Kind(counts.Tokens, text_checks.tokens, as_written=counts.Tokens.sorted),
    "Texts": Kind(Texts, text_checks.texts),
    "Analyzer": Kind(Analyzer),
    "Tally": Kind(counts.Tally, checks.tally),
    "MaximumLikelihood": Kind(priors.MaximumLikelihood),
    "Dirichlet": Kind(priors.Dirichlet),
    "Beta": Kind(priors.Beta),
    "MEstimate": Kind(priors.MEstimate),
    "Pseudo": Kind(priors.Pseudo, checks.pseudo),
    "Given": Kind(priors.Given),
    "Uniform": Kind(priors.Uniform),
    "PluginNormal": Kind(priors.PluginNormal),
    "WeakNormal": Kind(priors.WeakNormal),
    "Bernoulli": Kind(events.Bernoulli, checks.bernoulli),
    "Categorical": Kind(events.Categorical, checks.categorical),
    "Multinomial": Kind(events.Multinomial, checks.believing),
    "Complement": Kind(events.Complement, checks.believing),
    "Gaussian": Kind(events.Gaussian, checks.gaussian),
    "FullGaussian": Kind(events.FullGaussian, checks.full_gaussian),
    "FullJoint": Kind(events.FullJoint, checks.full_joint),
    "Binned": Kind(events.Binned, checks.binned),
    "FewValues": Kind(events.FewValues, checks.believing),
    "LogNormal": Kind(events.LogNormal, checks.log_normal),
    "Poisson": Kind(events.Poisson),
    "Words": Kind(events.Words, text_checks.words),
    "Strengths": Kind(Strengths, text_checks.strengths),
    "Calibration": Kind(Calibration, text_checks.calibration),
    "Fitted": Kind(Fitted, text_checks.fitted),
    "Field": Kind(Field, checks.field),
    "Schema": Kind(Schema, checks.schema),
    "TableModel": Kind(TableModel, checks.table_model),
    "Model": Kind(Model, checks.model, frozenset({"engine"})),
}
NAME_OF = {kind.cls: name for name, kind in CLASSES.items()}
