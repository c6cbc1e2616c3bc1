"""Temporary copies of what cannot be read where it is: streams, and texts that are not UTF-8."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, Any

from candide.data.files.find import STDIN, Part, compression_of, is_stream
from candide.errors import BadFile

BLOCK = 1 << 20


class Spool:
    """A folder of copies that goes when it is closed, or when nobody holds it."""

    def __init__(self) -> None:
        self._folder: str | None = None
        self._end: Any = None
        self._count = 0

    def staged(self, part: Part) -> Part:
        """The part as a file that can be read more than once, with its size and packing."""
        with reading(part.name):
            if not is_stream(part.path):
                return replace(part, bytes=os.path.getsize(part.path), compression=compression_of(part.path))
            copy = self._next()
            name = "standard input" if part.path == STDIN else part.name
            with _stream(part.path) as source, open(copy, "wb") as out:
                shutil.copyfileobj(source, out, BLOCK)
            return replace(part, name=name, path=copy, compression=compression_of(copy))

    def recoded(self, part: Part, encoding: str, newline: str | None = "") -> Part:
        """A copy in UTF-8; with newline=None also with one kind of line end."""
        copy = self._next()
        with reading(part.name):
            try:
                with unpacked(part) as raw, open(copy, "w", encoding="utf-8", newline="") as out:
                    import io

                    text = io.TextIOWrapper(raw, encoding=encoding, newline=newline)
                    shutil.copyfileobj(text, out, BLOCK)
            except LookupError:
                raise BadFile(
                    f"encoding {encoding!r} is none that Python knows; try latin-1, cp1252, utf-16."
                ) from None
            except UnicodeError as error:
                raise BadFile(f"{part.name} is not written in {encoding}: {error}. Try another encoding.") from None
        return replace(part, path=copy, compression=None)

    def linked(self, path: str) -> str:
        """Another name for a file."""
        copy = self._next()
        os.symlink(os.path.abspath(path), copy)
        return copy

    def close(self) -> None:
        if self._end is not None:
            self._end()
            self._end = self._folder = None

    def _next(self) -> str:
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix="candide-")
            self._end = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._count += 1
        return os.path.join(self._folder, str(self._count))


@contextmanager
def unpacked(part: Part) -> Iterator[Any]:
    """The bytes of a file without their packing."""
    import pyarrow as pa

    with pa.input_stream(part.path, compression=part.compression) as stream:
        yield stream


@contextmanager
def reading(name: str) -> Iterator[None]:
    """What goes wrong below is said about the file."""
    try:
        yield
    except PermissionError:
        raise BadFile(f"{name} may not be read: its permissions forbid it.") from None
    except OSError as error:
        raise BadFile(f"{name} cannot be read: {error.strerror or error}.") from None


@contextmanager
def _stream(path: str) -> Iterator[IO[bytes]]:
    if path == STDIN:
        yield sys.stdin.buffer
        return
    with open(path, "rb") as source:
        yield source
