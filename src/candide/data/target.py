"""Where bytes go: standard output, a pipe, or a file that appears under its name when it is whole."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from candide.data.files.find import STDIN as STDOUT
from candide.data.files.find import is_stream
from candide.errors import BadFile


class Target:
    """Bytes to a place; `broken` when nobody reads them, after which they go nowhere.

    Arrow takes it for a file of Python's, and closes it when it likes, which means nothing.
    """

    closed = False

    def __init__(self, name: str, file: Any, temporary: str | None = None, place: str | None = None) -> None:
        self.name, self.broken = name, False
        self._file, self._temporary, self._place = file, temporary, place

    @classmethod
    def open(cls, path: str) -> Self:
        """Standard output for "-"; a temporary neighbour of what is to become a file."""
        if path == STDOUT:
            return cls("standard output", sys.stdout.buffer)
        if os.path.isdir(path):
            raise BadFile(f"{path!r} is a directory: name a file in it.")
        with writing(path):
            if is_stream(path):
                return cls(path, open(path, "wb"))
            place = os.path.realpath(path)
            handle, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(path)}.", dir=os.path.dirname(place))
            return cls(path, os.fdopen(handle, "wb"), temporary, place)

    def write(self, data: Any) -> int:
        if self._file is not None:
            with self._unless_broken():
                self._file.write(data)
        return len(data)

    def flush(self) -> None:
        """Whoever reads a stream sees what was written so far."""
        if self._file is not None and self._place is None:
            with self._unless_broken():
                self._file.flush()

    def close(self) -> None:
        pass

    def finish(self) -> None:
        """The file gets its name, and the permissions of the one it replaces or of a new one."""
        if self.broken:
            return
        with writing(self.name), self._unless_broken():
            self._file.flush()
            self._leave()
            if self._temporary is not None and self._place is not None:
                os.chmod(self._temporary, _permissions(self._place))
                os.replace(self._temporary, self._place)

    def discard(self) -> None:
        """Leave no file; one that was there before stays as it was."""
        with contextlib.suppress(OSError):
            self._leave()
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)

    def _leave(self) -> None:
        file, self._file = self._file, None
        if file is not None and file is not sys.stdout.buffer:
            file.close()

    @contextmanager
    def _unless_broken(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            self.broken, file, self._file = True, self._file, None
            if file is sys.stdout.buffer:
                _silence()
            elif file is not None:
                with contextlib.suppress(OSError):
                    file.close()


@contextmanager
def writing(name: str) -> Iterator[None]:
    """What goes wrong below is said about the file."""
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise BadFile(f"{name} cannot be written: {reason}.") from None


def _permissions(place: str) -> int:
    if os.path.exists(place):
        return os.stat(place).st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _silence() -> None:
    """Lead standard output nowhere: Python would flush it at its end, and complain."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
