"""candide update"""

from __future__ import annotations

from typing import Annotated

import typer

from candide.cli import say
from candide.cli.models import Saved, nothing_learnt, refuse_missing_folder, save, weight
from candide.cli.options import Ham, Json, Label, Reading, Spam, reads

Out = Annotated[
    str | None, typer.Option("--out", "-o", metavar="MODEL", help="Write here, and leave the model as it was.")
]


@reads
def update(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")],
    data: Annotated[
        list[str] | None, typer.Argument(metavar="DATA", help="Files with labels, patterns, folders, or -.")
    ] = None,
    out: Out = None,
    label: Label = None,
    ham: Ham = None,
    spam: Spam = None,
    json: Json = False,
    *,
    reading: Reading,
) -> None:
    """Add labelled rows to what a model has counted: the same as if it had been trained on all of them.

    \b
    candide update bank.candide march.csv
    candide update mail.candide --spam missed.mbox
    """
    counted(model, data, out, label, json, reading.mail(ham, spam), "update")


def counted(
    model: str, data: list[str] | None, out: str | None, label: str | None, json: bool, reading: Reading, verb: str
) -> None:
    """Add rows, or take them away, and write the model: whole or not at all."""
    from candide.classifier import Batch
    from candide.cli.rows import Labelled

    named = reading.named(data)
    path = out or model
    refuse_missing_folder(path)
    saved = Saved.load(model)
    table = saved.table
    with reading.open(data or (), saved) as files:
        rows = Labelled(files, label or saved.target, "counting" if verb == "update" else "forgetting")
        for batch in rows:
            some = Batch.parted(batch, rows.label)
            table = table.with_rows(some) if verb == "update" else table.without_rows(some)
        rows.tell()
    if not rows.kept:
        raise nothing_learnt(rows.rows, rows.label)
    files_of = [*map(str, saved.about.get("files") or ()), *(named if verb == "update" else ())]
    save(table, path, {**saved.about, "files": list(dict.fromkeys(files_of))})
    left = weight(table)
    if json:
        say.out_json({"model": path, "changed_rows": rows.kept, "rows": left, "bad_rows": files.bad_rows})
    else:
        what = "added to" if verb == "update" else "taken from"
        say.out(f"{rows.kept:,} rows {what} {path}, which holds {left:,.0f} now")
