"""Rows out, to a file or to standard output."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from candide.data.encoders import encoder
from candide.data.files.find import STDIN as STDOUT
from candide.data.files.find import format_of, is_stream
from candide.errors import BadFile

if TYPE_CHECKING:
    import pyarrow as pa

PACKED = {".gz": "gzip", ".zst": "zstd"}


class Writer:
    """Record batches into a file: CSV, TSV, JSON, JSON lines or Parquet, packed if the name ends in .gz or .zst.

    A file appears under its name when it is whole: it is written beside it, and renamed by `close`. Should the reader
    of a pipe go away, what follows is not written, and `broken` says so.

    >>> with Writer.open("predictions.csv") as out:  # doctest: +SKIP
    ...     out.write(batch)
    """

    def __init__(self, name: str, format: str, target: str | None, temporary: str | None, sink: Any) -> None:
        self.broken = False
        self._name, self._format = name, format
        self._target, self._temporary, self._file = target, temporary, sink
        self._sink: Any = None
        self._encoder: Any = None

    @classmethod
    def open(cls, path: str | Path, format: str | None = None, schema: pa.Schema | None = None) -> Self:
        """Begin a file; "-" is standard output. With a schema, the file has its columns even if no row comes."""
        name = os.fspath(path)
        kind = format_of(name, format)
        with _writing(name):
            if name == STDOUT:
                writer = cls("standard output", kind, None, None, sys.stdout.buffer)
            elif os.path.isdir(name):
                raise BadFile(f"{name!r} is a directory: name a file in it.")
            elif is_stream(name):
                writer = cls(name, kind, None, None, open(name, "wb"))  # noqa: SIM115
            else:
                target = os.path.realpath(name)
                handle, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(name)}.", dir=os.path.dirname(target))
                writer = cls(name, kind, target, temporary, os.fdopen(handle, "wb"))
        if schema is not None:
            try:
                writer._begin(schema)
            except BaseException:
                writer.discard()
                raise
        return writer

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows; all batches have the columns of the first."""
        self._begin(batch.schema)
        self._try(lambda: self._encoder.add(batch))
        if self._target is None:
            self._try(self._file.flush)

    def close(self) -> None:
        """Finish the file and give it its name."""
        if self._file is None:
            return
        if self._encoder is None:
            import pyarrow as pa

            self._begin(pa.schema([]))
        try:
            self._try(self._encoder.end)
            if self._sink is not self._file:
                self._try(self._sink.close)
            if not self._file.closed:  # a packed stream closes what is below it
                self._try(self._file.flush)
            self._try(self._settle)
        except BaseException:
            self.discard()
            raise
        self._file = None

    def discard(self) -> None:
        """Leave no file; one that was there before stays as it was."""
        if self._file is not None and self._name != "standard output":
            with contextlib.suppress(OSError):
                self._file.close()
        if self._file is not None and self._temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)
        self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()

    def _begin(self, schema: pa.Schema) -> None:
        if self._encoder is None:
            self._try(lambda: self._prepare(schema))

    def _prepare(self, schema: pa.Schema) -> None:
        import pyarrow as pa

        self._sink = self._file
        packing = PACKED.get(os.path.splitext(self._name)[1].lower())
        if packing and self._format != "parquet":
            self._sink = pa.CompressedOutputStream(pa.PythonFile(self._file, mode="w"), packing)
        self._encoder = encoder(self._format, self._sink, schema)

    def _settle(self) -> None:
        """The name of the file, with the permissions a new file gets."""
        if self._name == "standard output":
            return
        self._file.close()
        if self._temporary is None or self._target is None:
            return
        if os.path.exists(self._target):
            mode = os.stat(self._target).st_mode & 0o777
        else:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        os.chmod(self._temporary, mode)
        os.replace(self._temporary, self._target)

    def _try(self, action: Callable[[], None]) -> None:
        """Nothing is written to a pipe that nobody reads."""
        if self.broken:
            return
        try:
            with _writing(self._name):
                action()
        except BrokenPipeError:
            self.broken = True
            if self._name == "standard output":
                _silence()


def _silence() -> None:
    """Lead standard output nowhere: Python would flush it at its end, and complain."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextmanager
def _writing(name: str) -> Iterator[None]:
    """What goes wrong below is said about the file."""
    import pyarrow as pa

    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise BadFile(f"{name} cannot be written: {reason}.") from None
