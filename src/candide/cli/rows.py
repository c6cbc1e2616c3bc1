"""Rows on their way from files to a model."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from candide.cli.say import note
from candide.errors import BadLabels

if TYPE_CHECKING:
    import pyarrow as pa

    from candide.data.files import Files
    from candide.data.mail import Documents

ROWS = 1 << 17  # in a batch


@dataclass(slots=True)
class Labelled:
    """The batches of files, without the rows that have no label; how many there were of each."""

    files: Files | Documents
    label: str
    what: str = "counting"
    rows: int = 0
    unlabelled: int = 0
    names: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        from candide.cli.models import only_column

        only_column(self.files.names, self.label, "the data")
        self.rows = self.unlabelled = 0
        for batch in followed(self.files, self.what, words=True):
            labels = batch.column(self.label)
            self.rows += batch.num_rows
            self.unlabelled += labels.null_count
            if labels.null_count:
                batch = batch.filter(labels.is_valid())
            if batch.num_rows:
                yield _with_classes(batch, self.label)

    @property
    def kept(self) -> int:
        """Rows that have a label."""
        return self.rows - self.unlabelled

    def tell(self) -> None:
        """Say what was left out."""
        if self.unlabelled and self.kept:
            note(f"note: {self.unlabelled:,} of {self.rows:,} rows have no label ({self.label!r}) and are left out.")
        tell_of_bad_rows(self.files)


def tell_of_bad_rows(files: Files | Documents) -> None:
    """Say how many rows could not be read."""
    if files.bad_rows:
        note(f"note: {files.bad_rows:,} rows could not be read and are left out; the first: {files.first_bad}")


def followed(files: Files | Documents, what: str, words: bool = False) -> Generator[pa.RecordBatch]:
    """The batches, read ahead of their use; on a terminal with a bar that shows how far they are."""
    from candide.data.ahead import ahead

    def read() -> Generator[tuple[Any, float | None]]:
        for batch in files.batches(ROWS, words):
            yield batch, files.done

    with closing(ahead(read())) as batches, _bar(what) as advance:  # type: ignore[type-var]
        for batch, done in batches:
            yield batch
            advance(batch.num_rows, done)


@contextmanager
def _bar(what: str) -> Iterator[Any]:
    """A function to be told of rows that were done, and of the share of all."""
    if not sys.stderr.isatty():
        yield lambda rows, done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task, start, total = progress.add_task(what, total=None, rate=""), time.monotonic(), 0

        def advance(rows: int, done: float | None) -> None:
            nonlocal total
            total += rows
            rate = f"{total:,} rows, {total / max(time.monotonic() - start, 1e-3):,.0f}/s"
            known = {} if done is None else {"total": 1.0, "completed": done}
            progress.update(task, rate=rate, **known)  # type: ignore[arg-type]

        yield advance


def _with_classes(batch: pa.RecordBatch, label: str) -> pa.RecordBatch:
    """Labels that can name classes: strings, whole numbers, truth values; dates are written out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    labels = batch.column(label)
    place = batch.schema.get_field_index(label)
    if pa.types.is_floating(labels.type) or pa.types.is_decimal(labels.type):
        rounded = pc.cast(labels, pa.float64()).drop_null()
        broken = rounded.filter(pc.not_equal(pc.floor(rounded), rounded))
        if len(broken) or pc.any(pc.invert(pc.is_finite(rounded))).as_py():
            value = broken[0].as_py() if len(broken) else float("nan")
            raise BadLabels(
                f"column {label!r} holds {value:g}: numbers with fractions are no classes. Cut the column into a few, "
                f"or, if they are names, read them as such: --types {label}=string."
            )
        labels = pc.cast(labels, pa.int64(), safe=False)
    elif not (_is_text(labels.type) or pa.types.is_integer(labels.type) or pa.types.is_boolean(labels.type)):
        labels = pc.cast(labels, pa.string())
    else:
        return batch
    columns = [labels if j == place else column for j, column in enumerate(batch.columns)]
    schema = batch.schema.set(place, pa.field(label, labels.type))
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_dictionary(kind))
