"""candide train"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from candide.cli import say
from candide.cli.models import events, nothing_learnt, refuse_missing_folder, save, settings_like, with_texts
from candide.cli.options import Ham, Json, Label, Reading, Spam, checked, pairs, reads
from candide.errors import BadLabels, UnknownColumn

if TYPE_CHECKING:
    from candide.classifier import TableModel
    from candide.cli.rows import Labelled
    from candide.posterior import Folds, Report

MOST_CLASSES = 10_000
ESTIMATED = ("accuracy", "majority", "balanced_accuracy", "log_loss", "brier", "ece", "auc")


@reads
def train(
    data: Annotated[
        list[str] | None,
        typer.Argument(metavar="DATA", help="Files, patterns such as 'data/*.csv', -, or a folder with one a class."),
    ] = None,
    label: Label = None,
    ham: Ham = None,
    spam: Spam = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="MODEL", help="The model file; by default named like the data.")
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--columns",
            metavar="NAME=KIND",
            help="categorical, bernoulli, numeric, gaussian, lognormal, poisson, text or ignore; several with commas.",
        ),
    ] = None,
    missing: Annotated[
        str, typer.Option("--missing", metavar="HOW", help="Missing cells: ignore, or level (a gap is evidence).")
    ] = "ignore",
    keep_rows: Annotated[
        int, typer.Option("--keep-rows", min=0, help="How many rows to keep, to calibrate probabilities and to judge.")
    ] = 2000,
    calibrate: Annotated[bool, typer.Option(help="Fit how strong all evidence is, so that probabilities hold.")] = True,
    folds: Annotated[
        int | None, typer.Option("--folds", min=2, help="Judge by cross-validation, too: read the data twice more.")
    ] = None,
    like: Annotated[
        str | None, typer.Option("--like", metavar="MODEL", help="Take the settings of this model where none is given.")
    ] = None,
    json: Json = False,
    *,
    reading: Reading,
) -> None:
    """Learn from labelled data, and write a model.

    \b
    candide train bank.csv --label y -o bank.candide
    candide train --ham Mail/inbox --spam Mail/junk -o mail.candide
    candide train 'part-*.parquet' -l fraud --columns id=ignore,zip=categorical --folds 5
    """
    from candide.classifier import prepare
    from candide.cli.rows import Labelled

    reading = reading.mail(ham, spam)
    named = reading.named(data)
    if label is None:
        if not reading.are_documents(data or ()):
            raise typer.BadParameter("name the column to be predicted: --label COLUMN.")
        label = "label"
    path = out or _named_like(named)
    refuse_missing_folder(path)
    kinds = pairs(columns, "--columns")
    checked(missing, ("ignore", "level"), "way to read missing cells (--missing)")
    settings = _settings(like, kinds, missing, keep_rows, calibrate)
    names = [name for name, kind in kinds.items() if kind in ("categorical", "bernoulli", "text")]
    with reading.open(data or (), strings=names) as files:
        _refuse_unknown([*kinds], files.names)
        prepare(files.bytes)
        settings = with_texts(settings, files)
        rows = Labelled(files, label)
        model = learnt(rows, settings)
        rows.tell()
        judged = cross_validated(Labelled(files, label), settings, folds) if folds else estimate(model)
    save(model, path, {"files": named, "label": label, **({"na": reading.gaps()} if reading.na else {})})
    if json:
        say.out_json(_plain(model, path, rows, judged))
    else:
        say.out(_text(model, path, rows, judged))


def learnt(rows: Labelled, settings: Mapping[str, Any]) -> TableModel:
    """A model that has counted the rows, batch by batch."""
    from candide.classifier import Batch, TableModel

    model: TableModel | None = None
    for batch in rows:
        some = Batch.parted(batch, rows.label)
        model = TableModel.learnt(some, settings, rows.label) if model is None else model.with_rows(some)
        if len(model.classes) > MOST_CLASSES:
            raise BadLabels(
                f"column {rows.label!r} has more than {MOST_CLASSES:,} different values in {rows.kept:,} rows: it "
                "names the rows rather than their classes."
            )
    if model is None:
        raise nothing_learnt(rows.rows, rows.label)
    if len(model.classes) == 1:
        say.note(f"note: every row has the label {model.classes[0]!r}: such a model predicts nothing else.")
    return model


def estimate(model: TableModel) -> Report | None:
    """How good the model is on the rows it kept, each judged as if it had never been counted; None if it kept none."""
    from candide.posterior import Report

    if model.model.rows is None:
        return None
    return Report.of(model.classes, *model.leave_one_out())


def cross_validated(rows: Labelled, settings: Mapping[str, Any], folds: int) -> Folds:
    """Reports on each of several parts of the data, by a model that has not seen it."""
    from candide.cli.folds import cross_validated

    return cross_validated(rows, settings, folds)


def _settings(
    like: str | None, kinds: Mapping[str, str], missing: str, keep_rows: int, calibrate: bool
) -> dict[str, Any]:
    """The parameters of the classifier: those of another model, with what differs from the defaults."""
    given = {"missing": missing, "keep_rows": keep_rows, "calibrate": calibrate}
    found = settings_like(like, given)
    return {**found, "columns": {**(found["columns"] or {}), **events(kinds)} or None}


def _refuse_unknown(named: list[str], names: tuple[str, ...]) -> None:
    for name in named:
        if name not in names:
            raise UnknownColumn.named(name, "the data", names)


def _named_like(data: list[str]) -> str:
    """bank.csv.gz → bank.candide, in the folder where the command runs."""
    stem = os.path.basename(os.path.normpath(data[0])).lstrip(".").split(".")[0] if data[0] != "-" else ""
    return f"{stem if stem and not set(stem) & set('*?[') else 'model'}.candide"


def _plain(model: TableModel, path: str, rows: Labelled, judged: Any) -> dict[str, Any]:
    kinds = [{"column": one.column, "kind": one.kind, "why": one.why} for one in model.kinds]
    return {
        "model": path,
        "label": rows.label,
        "rows": rows.kept,
        "rows_without_label": rows.unlabelled,
        "bad_rows": rows.files.bad_rows,
        "classes": [
            {"label": label, "rows": weight}
            for label, weight in zip(model.classes, model.model.tally.seen.weights.tolist(), strict=True)
        ],
        "columns": kinds,
        "estimate": None if judged is None else judged.plain(),
    }


def _text(model: TableModel, path: str, rows: Labelled, judged: Any) -> str:
    heads = ("column", "taken for", "because")
    kinds = say.table(heads, [(say.name(one.column), one.kind, one.why) for one in model.kinds])
    shares = ", ".join(
        f"{say.name(label)} {weight:,.0f}"
        for label, weight in list(zip(model.classes, model.model.tally.seen.weights, strict=True))[:10]
    )
    more = f", and {len(model.classes) - 10} more" if len(model.classes) > 10 else ""
    blocks = [f"{rows.kept:,} rows of {say.name(rows.label)}: {shares}{more}", kinds, _judgement(judged)]
    return "\n\n".join([*blocks, f"written to {path}"])


def _judgement(judged: Any) -> str:
    from candide.posterior import Folds
    from candide.posterior.printed import TITLES

    if judged is None:
        return "no rows were kept, so that nothing is said about how good it is (see candide evaluate)"
    if isinstance(judged, Folds):
        return f"cross-validated in {len(judged.reports)} parts\n{judged.text()}"
    lines = []
    for measure in ESTIMATED:
        title = TITLES.get(measure, "accuracy of always the most frequent class")
        lines.append((title, say.number(getattr(judged, measure))))
    heads = (f"leaving out one at a time, of {judged.rows:,} rows kept", "")
    return say.table(heads, lines, numbers=(1,))
