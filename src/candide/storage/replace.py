"""A file is replaced whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any


def replace_file(path: str | os.PathLike[str], pieces: Iterable[Any]) -> None:
    """Write the pieces, one after the other, to a new file beside the old one, then give it the old one's name.

    Whatever goes wrong before that, a full disk or an interrupt, leaves the old file as it was and nothing beside it.
    """
    target = Path(os.path.realpath(path))  # a link goes on leading to the model
    new = target.parent / f".candide-{secrets.token_hex(8)}.tmp"
    try:
        _refuse_all_but_files(target)
        _write(new, target, pieces)
        os.replace(new, target)
    except BaseException as error:  # an interrupt too
        with suppress(OSError):
            new.unlink()
        if isinstance(error, OSError) and error.errno is not None:
            raise OSError(error.errno, f"{error.strerror}; the model was not saved", str(path)) from error
        raise
    _settle(target.parent)


def _refuse_all_but_files(target: Path) -> None:
    """Taking the name of a device would take the device away."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a folder")
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "this is a device or a pipe")


def _write(new: Path, target: Path, pieces: Iterable[Any]) -> None:
    with open(new, "xb") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    with suppress(FileNotFoundError):  # who may read the old model may read the new one
        os.chmod(new, target.stat().st_mode & 0o777)


def _settle(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be synchronised. The model is in place by now."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
