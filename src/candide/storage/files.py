"""Models to files and back."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, BinaryIO

from candide.errors import BadModel, NotStorable
from candide.storage import strict_json
from candide.storage.container import FOREIGN, Header, pieces, read_arrays, read_header
from candide.storage.decode import Decoder
from candide.storage.encode import Encoder
from candide.storage.registry import CLASSES, FORMAT
from candide.storage.replace import replace_file
from candide.version import __version__

Name = str | os.PathLike[str]

NOTHING: Mapping[str, Any] = MappingProxyType({})


def save(model: Any, path: Name, about: Mapping[str, Any] = NOTHING) -> None:
    """Write a model; `about` says what a reader should know of it, in plain values.

    The file is written beside the old one and takes its name when it is complete. Equal models give equal bytes.

    >>> import tempfile
    >>> from candide.labels import Labels
    >>> path = tempfile.mkdtemp() + "/animals.candide"
    >>> save(Labels.of(["dog", "cat"]), path, about={"source": "a walk"})
    >>> load(path), describe(path)["about"]
    (Labels(cat, dog), {'source': 'a walk'})
    """
    tree = Encoder()
    metadata = {
        "candide.version": __version__,
        "candide.about": strict_json.dumps(_about(about)),
        "candide.model": strict_json.dumps(tree.node(model)),
    }
    replace_file(path, pieces(tree.arrays, metadata, FORMAT))


def load(path: Name) -> Any:
    """The model of a file, its arrays read-only. A file that is not as it was written is a `BadModel`."""
    with _opened(path) as (file, size):
        header = read_header(file, size, FORMAT)
        arrays = read_arrays(file, size, header)
        return Decoder(arrays, size).value(_json(header, "candide.model"))


def describe(path: Name) -> dict[str, Any]:
    """What the header of a model file says, without a look at the arrays: neither they nor the checksum are checked.

    `format`, `candide` (the version that wrote it), `model` (the name of its class), `about`, `bytes`, and `tensors`
    with the dtype and the shape of each.
    """
    with _opened(path) as (file, size):
        header = read_header(file, size, FORMAT)
        tree = _json(header, "candide.model")
        return {
            "format": header.format,
            "candide": header.metadata.get("candide.version"),
            "model": next(iter(tree)) if isinstance(tree, dict) and tree.keys() <= CLASSES.keys() else None,
            "about": Decoder({}).value(_json(header, "candide.about"), ("about",)),
            "bytes": size,
            "tensors": {name: (entry.dtype, entry.shape) for name, entry in header.entries.items()},
        }


@contextmanager
def _opened(path: Name) -> Iterator[tuple[BinaryIO, int]]:
    """The file and its size; an error says which file it is about."""
    try:
        with open(path, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise BadModel(f"this is a device or a pipe. {FOREIGN}")
            yield file, found.st_size
    except BadModel as error:
        raise BadModel(f"{os.fspath(path)}: {error}".rstrip(".") + ".") from error


def _json(header: Header, key: str) -> Any:
    if key not in header.metadata:
        raise BadModel(f"the header has no {key!r}")
    return strict_json.loads(header.metadata[key], key)


def _about(about: Mapping[str, Any]) -> Any:
    if not all(isinstance(key, str) for key in about):
        raise NotStorable(f"the keys of about are strings, not {list(about)!r}.")
    words = Encoder()
    tree = words.node(dict(about), ("about",))
    if words.arrays:
        raise NotStorable(f"about holds no arrays, which {next(iter(words.arrays))} is; give a list.")
    return tree
