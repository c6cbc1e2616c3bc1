"""Rows out, to a file or to standard output."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from candide.data.encoders import encoder
from candide.data.files.find import format_of
from candide.data.target import Target, writing
from candide.errors import BadFile

if TYPE_CHECKING:
    import pyarrow as pa

PACKED = {".gz": "gzip", ".zst": "zstd"}


class Writer:
    """Record batches into a file: CSV, TSV, JSON, JSON lines or Parquet, packed if the name ends in .gz or .zst.

    A file appears under its name when it is whole: it is written beside it, and renamed by `close`. In a CSV file what
    is missing is empty, and the empty string is quoted; in JSON what is missing, or no finite number, is null.

    >>> with Writer.open("predictions.csv") as out:  # doctest: +SKIP
    ...     out.write(batch)
    """

    def __init__(self, target: Target, format: str, packing: str | None) -> None:
        self._target, self._format, self._packing = target, format, packing
        self._schema: pa.Schema | None = None
        self._sink: Any = target
        self._encoder: Any = None
        self._open = True

    @classmethod
    def open(cls, path: str | Path, format: str | None = None, schema: pa.Schema | None = None) -> Self:
        """Begin a file; "-" is standard output. With a schema, the file has its columns even if no row comes."""
        name = os.fspath(path)
        kind = format_of(name, format)
        packing = PACKED.get(os.path.splitext(name)[1].lower()) if kind != "parquet" else None
        writer = cls(Target.open(name), kind, packing)
        if schema is not None:
            writer._start(schema)
        return writer

    @property
    def broken(self) -> bool:
        """Whether nobody reads what is written: a pipe was closed at its other end. Writing on does nothing."""
        return self._target.broken

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows; all batches have the columns of the first."""
        if self._schema is None:
            self._start(batch.schema)
        elif batch.schema != self._schema:
            raise BadFile(
                f"{self._target.name} has the columns {self._schema.names}, more rows have {batch.schema.names}."
            )
        with writing(self._target.name):
            self._encoder.add(batch)
            self._target.flush()

    def close(self) -> None:
        """Finish the file and give it its name."""
        if not self._open:
            return
        if self._schema is None:
            import pyarrow as pa

            self._start(pa.schema([]))
        self._open = False
        try:
            with writing(self._target.name):
                self._encoder.end()
                self._sink.close()
            self._target.finish()
        except BaseException:
            self._target.discard()
            raise

    def discard(self) -> None:
        """Leave no file; one that was there before stays as it was."""
        self._open = False
        self._target.discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()

    def _start(self, schema: pa.Schema) -> None:
        import pyarrow as pa

        try:
            with writing(self._target.name):
                file = pa.PythonFile(self._target, mode="w")
                self._sink = pa.CompressedOutputStream(file, self._packing) if self._packing else file
                self._encoder = encoder(self._format, self._sink, schema)
        except BaseException:
            self.discard()
            raise
        self._schema = schema
