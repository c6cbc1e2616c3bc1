"""Where documents are, and which class the place says they belong to."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from candide.data.files.find import STDIN, SUFFIXES, compression_of, is_stream
from candide.data.mail.message import is_message
from candide.errors import BadFile, NoSuchFile

FORMATS = ("mail", "mbox", "text", "lines")
MAILDIR = ("new", "cur")
KNOWN = {".mbox": "mbox", ".mbx": "mbox", ".eml": "mail"}
START = 1 << 12  # bytes that tell mail from other texts


@dataclass(frozen=True, slots=True)
class Place:
    """A file, and how it is read: as `mail` or `text`, one document; as `mbox` or `lines`, many; as `either`, one whose
    beginning tells."""

    path: str
    format: str
    label: str | None
    called: str | None = None

    @property
    def name(self) -> str:
        """What the user calls it."""
        return shown(self.path) if self.called is None else self.called


def are_documents(paths: Sequence[str], format: str | None) -> bool:
    """Whether paths name folders, mail or texts, rather than tables."""
    if format is not None:
        return format in FORMATS
    return bool(paths) and all(map(_is_document, paths))


def places(paths: Sequence[str], labelled: Mapping[str, Sequence[str]], format: str | None) -> list[Place]:
    """All files of all paths, in order: of folders by the bytes of their names."""
    found = [place for path in paths for one in _matching(path) for place in _at(one, None, format)]
    for label, given in labelled.items():
        found += [place for path in given for one in _matching(path) for place in _at(one, label, format)]
    return found


def _at(path: str, label: str | None, format: str | None) -> Iterator[Place]:
    """A file is a class of its own name. So is a folder; but one of folders, or of mailboxes, is a class for each."""
    if not os.path.isdir(path):
        yield Place(path, _format(path, format, alone=True), _stem(path) if label is None else label)
        return
    folders, files = _listed(path)
    if _is_maildir(path):
        yield from _below(path, label or _name(path), format)
    elif label is not None:
        yield from _below(path, label, format)
    elif folders:
        for name in folders:
            yield from _below(os.path.join(path, name), _name(name), format)
    else:
        for name in files:
            whole = os.path.join(path, name)
            how = _format(whole, format, alone=False)
            yield Place(whole, how, _stem(name) if how in ("mbox", "lines") else _name(path))


def _below(path: str, label: str, format: str | None) -> Iterator[Place]:
    """All files in a folder and in those within it."""
    folders, files = _listed(path)
    if _is_maildir(path):
        folders, files = [name for name in MAILDIR if name in folders], []
        format = format or "mail"
    for name in files:
        whole = os.path.join(path, name)
        yield Place(whole, _format(whole, format, alone=False), label)
    for name in folders:
        whole = os.path.join(path, name)
        if not os.path.islink(whole):
            yield from _below(whole, label, format)


def _listed(path: str) -> tuple[list[str], list[str]]:
    """Folders and files, without hidden ones."""
    try:
        entries = [entry for entry in os.scandir(path) if not entry.name.startswith(".")]
    except OSError as error:
        raise BadFile(f"{shown(path)} cannot be read: {error.strerror}.") from None
    entries.sort(key=lambda entry: os.fsencode(entry.name))
    return [one.name for one in entries if one.is_dir()], [one.name for one in entries if one.is_file()]


def _is_maildir(path: str) -> bool:
    return all(os.path.isdir(os.path.join(path, name)) for name in MAILDIR)


def _format(path: str, format: str | None, alone: bool) -> str:
    """What was asked for, else what the name or the beginning tells; a file alone that is no mail has a text a line."""
    if format is not None:
        return format
    end = os.path.splitext(path.lower().removesuffix(".gz"))[1]
    if end in KNOWN or not alone:
        return KNOWN.get(end, "either")
    if is_stream(path):
        return "mbox"
    if compression_of(path):
        return "either"
    start = _start(path)
    if start.startswith(b"From "):
        return "mbox"
    return "mail" if is_message(start) else "lines"


def _is_document(path: str) -> bool:
    if path == STDIN:
        return False
    if os.path.isdir(path):
        return True
    if not os.path.isfile(path):  # a pattern, or what is not there
        matches = glob.glob(path, recursive=True) if glob.has_magic(path) else []
        return bool(matches) and all(map(_is_document, matches))
    end = os.path.splitext(path.lower().removesuffix(".gz").removesuffix(".zst"))[1]
    if end in KNOWN:
        return True
    return end not in SUFFIXES and is_message(_start(path))


def _start(path: str) -> bytes:
    if is_stream(path) or not os.path.isfile(path) or compression_of(path):
        return b""
    with open(path, "rb") as file:
        return file.read(START)


def _matching(path: str) -> list[str]:
    if path == STDIN or os.path.exists(path):
        return [path]
    found = sorted(glob.glob(path, recursive=True), key=os.fsencode) if glob.has_magic(path) else []
    if not found:
        folder = os.path.dirname(path) or "."
        beside = os.listdir(folder) if os.path.isdir(folder) else []
        raise NoSuchFile.named(shown(path), [shown(os.path.join(os.path.dirname(path), name)) for name in beside])
    return found


def _stem(path: str) -> str:
    name = _name(path)
    return name.split(".")[0] or name


def _name(path: str) -> str:
    return shown(os.path.basename(os.path.abspath(path))).lstrip(".")


def shown(path: str) -> str:
    """A name that can be written, whatever its bytes are."""
    return os.fsencode(path).decode("utf-8", "replace")
