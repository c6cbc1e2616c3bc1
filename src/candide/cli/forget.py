"""candide forget"""

from __future__ import annotations

from typing import Annotated

import typer

from candide.cli.options import Ham, Json, Label, Reading, Spam, reads
from candide.cli.update import Out, counted


@reads
def forget(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")],
    data: Annotated[
        list[str] | None, typer.Argument(metavar="DATA", help="The rows to forget, as they were learnt.")
    ] = None,
    out: Out = None,
    label: Label = None,
    ham: Ham = None,
    spam: Spam = None,
    json: Json = False,
    *,
    reading: Reading,
) -> None:
    """Take rows away that a model has counted: it becomes as if they had never been.

    \b
    candide forget bank.candide withdrawn.csv
    """
    counted(model, data, out, label, json, reading.mail(ham, spam), "forget")
