"""Which files are meant: paths, patterns, standard input; their formats."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from candide.errors import BadFile, NoSuchFile

SUFFIXES = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
FORMATS = {"csv": "csv", "tsv": "tsv", "json": "json", "jsonl": "jsonl", "ndjson": "jsonl", "parquet": "parquet"}
MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
STDIN = "-"
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


@dataclass(frozen=True, slots=True)
class Part:
    """One file: what the user calls it, where its bytes are, what they are."""

    name: str
    path: str
    format: str
    compression: str | None = None
    bytes: int | None = None


def find(paths: str | Path | Sequence[str | Path], format: str | None) -> list[Part]:
    """The files that paths and patterns name, of a pattern in sorted order; a file of that very name goes first."""
    named = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not named:
        raise NoSuchFile("no file was named: give a path, a pattern such as 'data/*.csv', or '-' for standard input.")
    return [Part(path, path, format_of(path, format)) for given in named for path in _matching(os.fspath(given))]


def format_of(path: str, format: str | None) -> str:
    """What was asked for; else what the name ends in, compression apart."""
    if format is not None:
        if format not in FORMATS:
            raise BadFile(f"format {format!r} is none that can be read; choose one of {', '.join(sorted(FORMATS))}.")
        return FORMATS[format]
    if is_stream(path):
        return "csv"
    stem, end = os.path.splitext(path.lower())
    if end in (".gz", ".zst"):
        stem, end = os.path.splitext(stem)
    if end not in SUFFIXES:
        raise BadFile(
            f"the name {path!r} does not tell its format (known: {', '.join(SUFFIXES)}, also with .gz or .zst). "
            "Name it: format='csv' (--format csv)."
        )
    return SUFFIXES[end]


def is_stream(path: str) -> bool:
    """Standard input, a pipe or a terminal: bytes that come once."""
    return path == STDIN or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path))


def compression_of(path: str) -> str | None:
    """How the bytes are packed, told by their first four: names lie."""
    with open(path, "rb") as file:
        start = file.read(4)
    return next((kind for magic, kind in MAGIC.items() if start.startswith(magic)), None)


def _matching(path: str) -> Iterator[str]:
    if path == STDIN:
        yield path
        return
    if URL.match(path):
        raise NoSuchFile(f"{path!r} is an address, and only files on this machine are read: download it first.")
    if "\0" in path:
        raise NoSuchFile.named(path)
    if os.path.isdir(path):
        raise BadFile(f"{path!r} is a directory: name its files, for example {os.path.join(path, '*.csv')!r}.")
    if os.path.exists(path):
        yield path
        return
    found = sorted(glob.glob(path, recursive=True)) if glob.has_magic(path) else []
    files = [match for match in found if not os.path.isdir(match)]
    if not files:
        folder = os.path.dirname(path)
        beside = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
        raise NoSuchFile.named(path, [os.path.join(folder, name) for name in beside])
    yield from files
