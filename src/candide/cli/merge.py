"""candide merge"""

from __future__ import annotations

from functools import reduce
from typing import Annotated

import typer

from candide.cli import say
from candide.cli.models import Saved, refuse_missing_folder, save, weight
from candide.cli.options import Json
from candide.errors import MergeMismatch


def merge(
    models: Annotated[list[str], typer.Argument(metavar="MODEL", help="Two model files or more.")],
    out: Annotated[str, typer.Option("--out", "-o", metavar="MODEL", help="The model file to write.")],
    json: Json = False,
) -> None:
    """Join models that have counted different rows of tables with the same columns.

    \b
    candide merge north.candide south.candide -o country.candide
    """
    if len(models) < 2:
        raise typer.BadParameter("give two models or more.")
    refuse_missing_folder(out)
    found = [Saved.load(path) for path in models]
    for saved in found[1:]:
        if saved.target != found[0].target:
            raise MergeMismatch(
                f"{found[0].path} predicts {found[0].target!r} and {saved.path} predicts {saved.target!r}: they count "
                "different things."
            )
    merged = reduce(lambda a, b: a.joined(b), [saved.table for saved in found])
    files = [str(name) for saved in found for name in saved.about.get("files") or ()]
    save(merged, out, {**found[0].about, "files": list(dict.fromkeys(files))})
    rows = weight(merged)
    if json:
        say.out_json({"model": out, "rows": rows, "models": models})
    else:
        say.out(f"{len(models)} models joined in {out}, which holds {rows:,.0f} rows")
