"""candide curve"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from candide.cli import say
from candide.cli.models import nothing_learnt, only_column, refuse_missing_folder, settings_like
from candide.cli.options import Json, Label, Reading, reads
from candide.errors import BadValue

if TYPE_CHECKING:
    from candide.estimators.curves import Grown

SUBSETS = 3


@reads
def curve(
    paths: Annotated[list[str], typer.Argument(metavar="DATA", help="Files with labelled rows.")],
    label: Label = None,
    text: Annotated[str | None, typer.Option("--text", metavar="COLUMN", help="A column of texts, read alone.")] = None,
    models: Annotated[
        str | None,
        typer.Option(
            "--models",
            metavar="NAMES",
            help="With commas: naive; of texts default, best, notes, lecture, sklearn-mnb, sklearn-logistic.",
        ),
    ] = None,
    sizes: Annotated[str | None, typer.Option("--sizes", metavar="NUMBERS", help="Rows to learn, with commas.")] = None,
    subsets: Annotated[int, typer.Option("--subsets", min=1, help="Random subsets of each size.")] = SUBSETS,
    mark: Annotated[
        list[str] | None, typer.Option("--mark", metavar="ACCURACY=NAME", help="A line across the picture.")
    ] = None,
    out: Annotated[str | None, typer.Option("--out", "-o", metavar="FILE", help="A .png, .svg or .pdf.")] = None,
    json: Json = False,
    *,
    reading: Reading,
) -> None:
    """The learning curve: accuracy and log-loss of models that learn from few rows, and from more and more.

    \b
    candide curve bank.csv --label y -o curve.png
    candide curve news.parquet --label label --text text --models default,notes -o curve.png
    """
    label = label or ("label" if reading.are_documents(paths) else None)
    if label is None:
        raise typer.BadParameter("name the column to be predicted: --label COLUMN.")
    marks, wanted = _marks(mark or []), None if sizes is None else _numbers(sizes)
    if out:
        refuse_missing_folder(out)
    from candide.estimators.curves import grown, named, refuse, usual_sizes

    X, y, column = _learnt(paths, label, text, reading)
    names = named(_split(models or ("default,best,notes" if column else "naive")), column is not None)
    classes = len(set(y.tolist()))
    refuse(len(y), classes, wanted or [])
    with _bar("learning") as told:
        found = grown(X, y, names, sorted(set(wanted or usual_sizes(len(y), classes))), subsets, told=told)
    judged = len(y) // 3
    if out:
        _draw(found, out, marks, f"{judged:,} rows judged; bands: the least and the most of {subsets} random subsets")
    if json:
        say.out_json(_plain(found, len(y), judged, out))
    else:
        say.out(_table(found, f"accuracy and log-loss on {judged:,} rows, means of {subsets} random subsets"))
        if out:
            say.out(f"\nwritten to {out}")


def _learnt(paths: list[str], label: str, text: str | None, reading: Reading) -> tuple[Any, Any, str | None]:
    """All rows without their labels, or only one column of texts; the labels; that column's name."""
    import numpy as np
    import pyarrow as pa

    from candide.classifier.settings import schema_of
    from candide.cli.rows import Labelled

    with reading.open(paths) as files:
        rows = Labelled(files, label, "reading")
        batches = list(rows)
        rows.tell()
        if not batches:
            raise nothing_learnt(rows.rows, label)
        texts = tuple(getattr(files, "texts", ()))
    table = pa.Table.from_batches(batches)
    y, X = np.array(table[label].to_pylist()), table.drop_columns([label])
    if text is not None:
        only_column(X.column_names, text, "the data")
    elif X.num_columns == 1:
        texts = texts or schema_of(X.slice(0, 10_000), settings_like(None, {})).texts
        text = texts[0] if texts else None
    if text is None:
        return X, y, None
    column = X[text].cast(pa.large_string()).combine_chunks()
    return column, y, text


def _draw(found: Sequence[Grown], out: str, marks: dict[float, str], below: str) -> None:
    from candide.explain.pictures import Line, learning_curves

    lines = [Line(one.model, one.sizes, one.accuracy, one.log_loss) for one in found]
    learning_curves(lines, out, marks=marks, below=below)


def _table(found: Sequence[Grown], title: str) -> str:
    heads = ["rows learnt", *(one.model for one in found)]
    rows = []
    for i, size in enumerate(found[0].sizes):
        cells = []
        for one in found:
            loss = "" if one.log_loss is None else f"  {one.log_loss[i].mean():7.3f}"
            cells.append(f"{one.accuracy[i].mean():.4f}{loss}")
        rows.append([f"{size:,}", *cells])
    return say.table(heads, rows, range(len(heads)), title)


def _plain(found: Sequence[Grown], rows: int, judged: int, out: str | None) -> dict[str, Any]:
    curves = [
        {"model": one.model, "size": size, "accuracy": one.accuracy[i],
         "log_loss": None if one.log_loss is None else one.log_loss[i]}
        for one in found for i, size in enumerate(one.sizes)
    ]  # fmt: skip
    return {"rows": rows, "judged": judged, "file": out, "curve": curves}


def _split(text: str) -> list[str]:
    return list(dict.fromkeys(piece.strip() for piece in text.split(",") if piece.strip()))


def _numbers(text: str) -> list[int]:
    """Whole numbers above 0, with commas."""
    pieces = _split(text)
    if not pieces or not all(piece.isascii() and piece.isdigit() and int(piece) for piece in pieces):
        raise BadValue(f"--sizes takes whole numbers with commas, such as 100,200,500; not {text!r}.")
    return [int(piece) for piece in pieces]


def _marks(given: Sequence[str]) -> dict[float, str]:
    """ACCURACY=NAME, as often as wanted."""
    found = {}
    for one in given:
        value, _, name = one.partition("=")
        try:
            height = float(value)
        except ValueError:
            height = -1.0
        if not 0 <= height <= 1 or not name:
            raise BadValue(f'--mark takes an accuracy from 0 to 1 and a name, such as 0.89="the notes"; not {one!r}.')
        found[height] = name
    return found


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function to be told how many models have learnt, of how many; on a terminal it moves a bar."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
