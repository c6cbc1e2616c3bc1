"""candide plot"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from candide.cli import say
from candide.cli.models import Saved, only_column, refuse_missing_folder, settings_like
from candide.cli.options import Json, Label, Reading, checked, reads
from candide.errors import BadPrior, BadValue, NotLinear

if TYPE_CHECKING:
    from candide.classifier import TableModel
    from candide.posterior import Report

KINDS = ("reliability", "densities", "boundary", "nomogram")
LEVELS = 40  # of a column in a nomogram


@reads
def plot(
    source: Annotated[str, typer.Argument(metavar="MODEL|DATA", help="A model; or data, with --label.")],
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"{', '.join(KINDS)}.")],
    columns: Annotated[
        list[str] | None, typer.Argument(metavar="COLUMN", help="One for densities, two for a boundary.")
    ] = None,
    out: Annotated[str | None, typer.Option("--out", "-o", metavar="FILE", help="A .png, .svg or .pdf.")] = None,
    data: Annotated[
        list[str] | None, typer.Option("--data", metavar="FILE", help="Held-out data, for reliability.")
    ] = None,
    label: Label = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Columns in a nomogram.")] = 10,
    json: Json = False,
    *,
    reading: Reading,
) -> None:
    """Draw a model: do its probabilities come true, what does a column say, where do classes meet, all on one sheet.

    \b
    candide plot bank.candide reliability -o reliability.png
    candide plot iris.csv boundary petal_length petal_width --label species -o iris.svg
    """
    checked(kind, KINDS, "kind of picture")
    named = columns or []
    wanted = {"densities": 1, "boundary": 2}.get(kind, 0)
    if len(named) != wanted:
        raise typer.BadParameter(f"{kind} takes {wanted} column{'s' * (wanted != 1)}, not {len(named)}.")
    path = out or f"{os.path.splitext(os.path.basename(source))[0]}-{'-'.join([kind, *named])}.png".replace(os.sep, "-")
    refuse_missing_folder(path)
    table = _learnt(source, label, reading) if label is not None and data is None else Saved.load(source).table
    if kind == "reliability":
        _reliability(table, source, data, label, reading, path)
    elif kind == "densities":
        _densities(table, named[0], path)
    elif kind == "boundary":
        _boundary(table, (named[0], named[1]), path)
    else:
        _nomogram(table, most, path)
    if json:
        say.out_json({"file": path, "kind": kind})
    else:
        say.out(f"written to {path}")


def _learnt(source: str, label: str, reading: Reading) -> TableModel:
    from candide.cli.rows import Labelled
    from candide.cli.train import learnt

    with reading.open([source]) as files:
        rows = Labelled(files, label)
        model = learnt(rows, settings_like(None, {}))
        rows.tell()
    return model


def _reliability(
    table: TableModel, source: str, data: list[str] | None, label: str | None, reading: Reading, path: str
) -> None:
    from candide.explain import pictures

    pictures.reliability(_report(table, source, data, label, reading), path)


def _report(table: TableModel, source: str, data: list[str] | None, label: str | None, reading: Reading) -> Report:
    from candide.cli.evaluate import held_out
    from candide.posterior import Report

    if data is not None:
        return held_out(Saved.load(source), data, label, reading)
    rows = table.model.rows
    if rows is None:
        raise BadPrior("the model has kept no rows to be judged by; give held-out data: --data FILE.")
    return Report.of(table.classes, table.model.left_out(), rows.y, rows.weights)


def _densities(table: TableModel, column: str, path: str) -> None:
    import numpy as np

    from candide.explain import pictures

    one = next((found for found in table.profiles() if found.column == column), None)
    _refuse_text(table, column)
    only_column(table.schema.numbers, column, "the model's numeric columns")
    if one is None:
        raise BadValue(f"column {column!r} says nothing: it never varies.")
    totals = one.counts.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(totals > 0, one.counts / totals, np.nan)
    edges, shares = _edges(one, shares)
    pictures.binned_densities(column, list(table.classes), edges, shares, table.model.class_prior, path)


def _refuse_text(table: TableModel, name: str) -> None:
    if name in table.texts:
        raise BadValue(
            f"column {name!r} holds texts, and a picture needs numbers; see the words of each class: "
            f"candide show MODEL {name}."
        )


def _edges(one: Any, shares: Any) -> tuple[Any, Any]:
    """Bins between the values of a column that has few, else its own; neighbours are joined until 32 are left."""
    import numpy as np

    edges = one.edges
    if edges is None:
        values = np.array([float(level) for level in one.levels])
        order = np.argsort(values)
        values, shares = values[order], shares[order]
        edges = np.concatenate([[-np.inf], (values[1:] + values[:-1]) / 2, [np.inf]])
    step = -(-len(shares) // 32)
    starts = np.arange(0, len(shares), step)
    return np.append(edges[starts], edges[-1]), np.add.reduceat(shares, starts, axis=0)


def _boundary(table: TableModel, names: tuple[str, str], path: str) -> None:
    from candide.explain import pictures

    for name in names:
        _refuse_text(table, name)
        only_column(table.schema.numbers, name, "the model's numeric columns")
    rows = table.model.rows
    if rows is None:
        raise BadPrior("the model has kept no rows to be drawn; train it with --keep-rows.")
    places = [list(rows.request.numbers).index(name) for name in names]

    def posterior(points: Any) -> Any:
        frame = table.frame({name: points[:, j] for j, name in enumerate(names)})
        return table.model.posterior(frame).values

    x, y = (rows.numbers[:, place] for place in places)
    pictures.boundary(list(table.classes), posterior, x, y, rows.y, names, path)


def _nomogram(table: TableModel, most: int, path: str) -> None:
    import numpy as np

    from candide.explain import pictures

    if len(table.classes) != 2:
        raise NotLinear(f"a nomogram parts two classes; the model has {len(table.classes)}.")
    for name in table.texts:
        raise NotLinear(
            f"column {name!r} holds texts: a nomogram has a scale a column, and none would hold all its words. See the "
            f"words with candide show; the other columns alone: train with --columns {name}=ignore."
        )
    columns = []
    for one in table.profiles()[: 4 * most]:
        odds, rows = one.evidence[:, 1] - one.evidence[:, 0], one.rows
        if one.edges is not None:
            edges, odds, rows = _joined(one.edges, odds, rows)
            columns.append(pictures.Levels(one.column, edges, odds, rows))
        else:
            some = np.argsort(-rows, kind="stable")[:LEVELS]
            columns.append(pictures.Levels(one.column, [str(one.levels[i]) for i in some], odds[some], rows[some]))
    start = table.model.scorecard.start
    pictures.nomogram(columns, float(start[1] - start[0]), list(table.classes), path, most)


def _joined(edges: Any, odds: Any, rows: Any, most: int = 12) -> tuple[Any, Any, Any]:
    """A few bins of about as many rows each, at the mean of their log-odds."""
    import numpy as np

    part = np.minimum((np.cumsum(rows) - rows / 2) / max(rows.sum(), 1e-9) * most, most - 1).astype(int)
    starts = np.flatnonzero(np.diff(part, prepend=-1))
    total = np.add.reduceat(rows, starts)
    mean = np.add.reduceat(odds * np.maximum(rows, 1e-9), starts) / np.add.reduceat(np.maximum(rows, 1e-9), starts)
    return np.append(edges[starts], edges[-1]), mean, total
