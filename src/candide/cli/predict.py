"""candide predict"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from candide.cli import say
from candide.cli.models import Saved, only_column, refuse_missing_folder
from candide.cli.options import Json, Reading, reads
from candide.errors import BadTable

if TYPE_CHECKING:
    import pyarrow as pa

    from candide.classifier import TableModel

PREDICTION, PROBABILITY = "prediction", "probability"


@reads
def predict(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")],
    data: Annotated[list[str], typer.Argument(metavar="DATA", help="Files, patterns, or - for standard input.")],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where to; its name tells the format. - is a pipe.")
    ] = "-",
    to: Annotated[str | None, typer.Option("--to", metavar="FORMAT", help="csv, tsv, json, jsonl or parquet.")] = None,
    proba: Annotated[bool, typer.Option("--proba", help="A column P(class) for every class.")] = False,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="COLUMNS", help="Columns of the data to pass through.")
    ] = None,
    with_data: Annotated[bool, typer.Option("--with-data", help="Pass all columns of the data through.")] = False,
    json: Json = False,
    *,
    reading: Reading,
) -> None:
    """Predict the class of each row, and how probable it is; rows stay in order.

    \b
    candide predict bank.candide new.csv --keep id -o predicted.csv
    cat new.jsonl | candide predict bank.candide - --format jsonl --proba
    """
    from candide.cli.rows import followed, tell_of_bad_rows
    from candide.data.writing import Writer

    saved = Saved.load(model)
    if out != "-":
        refuse_missing_folder(out)
    kind = to or ("json" if json and out == "-" else None)
    with reading.open(data, saved, where=True) as files:
        _tell_of_absent(saved.table, files.names)
        kept = _kept(files.names, keep, with_data)
        answer = _Answer(saved.table, kept, proba)
        rows = 0
        with Writer.open(out, kind, answer.schema(files.schema)) as writer:
            for batch in followed(files, "predicting"):
                writer.write(answer.of(batch))
                rows += batch.num_rows
                if writer.broken:
                    break
        tell_of_bad_rows(files)
        if json and out != "-":
            say.out_json({"file": out, "rows": rows, "bad_rows": files.bad_rows})


class _Answer:
    """Batches of rows to batches of predictions."""

    def __init__(self, table: TableModel, kept: Sequence[str], proba: bool) -> None:
        import pyarrow as pa

        self.table, self.kept = table, list(kept)
        names = list(table.classes)
        self.labels = pa.array(names if len({type(name) for name in names}) == 1 else [str(name) for name in names])
        self.shares = [f"P({label})" for label in table.classes] if proba else []
        taken = [PREDICTION, PROBABILITY, *self.shares]
        twice = [name for name in self.kept if name in taken] or [name for name in taken if taken.count(name) > 1]
        if twice:
            raise BadTable(
                f"two columns would be called {twice[0]!r}: the one of the data and the answer. Name the columns to be "
                "passed through: --keep."
            )

    def schema(self, data: pa.Schema) -> pa.Schema:
        """The columns of the answer."""
        import pyarrow as pa

        passed = [data.field(name) for name in self.kept]
        own = [(PREDICTION, self.labels.type), *((name, pa.float64()) for name in (PROBABILITY, *self.shares))]
        return pa.schema([*passed, *(pa.field(name, kind) for name, kind in own)])

    def of(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        import pyarrow as pa

        frame = self.table.frame(batch)
        places, values = self.table.decide(frame)
        known = pa.array(places, mask=places < 0)  # a row that is not decided has no prediction
        columns: list[Any] = [batch.column(name) for name in self.kept]
        likely = np.where(places < 0, values.argmax(axis=1), places)
        columns += [self.labels.take(known), pa.array(values[np.arange(len(places)), likely])]
        columns += [pa.array(values[:, c].copy()) for c in range(len(self.shares))]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema(batch.schema))


def _kept(names: Sequence[str], keep: Sequence[str] | None, with_data: bool) -> list[str]:
    if with_data:
        return list(names)
    kept: list[str] = []
    for given in keep or ():
        listed = [given] if given in names else [name.strip() for name in given.split(",")]
        kept += [only_column(names, name, "the data") for name in listed]
    return list(dict.fromkeys(kept))


def _tell_of_absent(table: TableModel, names: Sequence[str]) -> None:
    absent = table.schema.absent(names)
    if absent and len(absent) == sum(one.is_used for one in table.schema):
        raise BadTable(
            f"the data have none of the model's columns (they have: {', '.join(map(repr, names[:8]))}; the model "
            f"knows: {', '.join(map(repr, absent[:8]))})."
        )
    if absent:
        shown = ", ".join(map(repr, absent[:8])) + (f" and {len(absent) - 8} more" if len(absent) > 8 else "")
        say.note(f"note: the data lack {shown}: taken as missing in every row.")
