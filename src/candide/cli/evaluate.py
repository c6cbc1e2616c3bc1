"""candide evaluate"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from candide.cli import say
from candide.cli.models import Saved, nothing_learnt, settings_like, with_texts
from candide.cli.options import Ham, Json, Label, Reading, Spam, reads
from candide.errors import BadPrior, BadTable

if TYPE_CHECKING:
    from candide.posterior import Folds, Report


@reads
def evaluate(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[MODEL] DATA", help="A model and data, or with --folds data alone.")
    ] = None,
    label: Label = None,
    ham: Ham = None,
    spam: Spam = None,
    folds: Annotated[int | None, typer.Option("--folds", min=2, help="Cross-validate in so many parts.")] = None,
    leave_one_out: Annotated[
        bool, typer.Option("--leave-one-out", help="Leave each of the kept rows out in turn.")
    ] = False,
    keep_rows: Annotated[int, typer.Option("--keep-rows", min=1, help="How many rows to keep for that.")] = 2000,
    like: Annotated[
        str | None, typer.Option("--like", metavar="MODEL", help="Take the settings of this model.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Tables in Markdown.")] = False,
    json: Json = False,
    *,
    reading: Reading,
) -> None:
    """How good predictions and their probabilities are, on data with labels.

    \b
    candide evaluate bank.candide holdout.csv
    candide evaluate bank.csv --label y --folds 10
    """
    if folds and leave_one_out:
        raise typer.BadParameter("--folds and --leave-one-out are two ways; choose one.")
    reading = reading.mail(ham, spam)
    paths = paths or []
    if folds or leave_one_out:
        if label is None and reading.are_documents(paths):
            label = "label"
        if label is None:
            raise typer.BadParameter("name the column to be predicted: --label COLUMN.")
        found = _own(paths, label, folds, settings_like(like, {"keep_rows": keep_rows}), reading)
    else:
        if len(paths) < 2 - bool(reading.ham or reading.spam):
            raise typer.BadParameter("give a model and data, or data with --label and --folds (or --leave-one-out).")
        found = held_out(Saved.load(paths[0]), paths[1:], label, reading)
    if json:
        say.out_json(found.plain())
    else:
        say.out(found.markdown() if markdown else found.text())


def held_out(saved: Saved, data: list[str], label: str | None, reading: Reading) -> Report:
    """A model's predictions on rows that it has not seen."""
    from candide.cli.judging import Judge
    from candide.cli.rows import Labelled

    with reading.open(data, saved) as files:
        rows = Labelled(files, label or saved.target, "judging")
        judge = Judge(saved.table, rows.label)
        for batch in rows:
            judge.see(batch)
        rows.tell()
    judge.tell()
    if not rows.kept:
        raise BadTable(str(nothing_learnt(rows.rows, rows.label)).replace("learn from", "judge"))
    return judge.sum


def _own(
    data: list[str], label: str, folds: int | None, settings: Mapping[str, Any], reading: Reading
) -> Report | Folds:
    """What a model of the data says of the data themselves, of each row by the others."""
    from candide.cli.folds import cross_validated
    from candide.cli.rows import Labelled
    from candide.cli.train import estimate, learnt

    with reading.open(data) as files:
        settings = with_texts(settings, files)
        rows = Labelled(files, label)
        report = cross_validated(rows, settings, folds) if folds else estimate(learnt(rows, settings))
        rows.tell()
    if report is None:
        raise BadPrior("the settings keep no rows (keep_rows=0 or calibrate=False): there are none to leave out.")
    return report
