"""The documents of one file."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, Self

from candide.data.files.find import compression_of
from candide.data.mail.charsets import storable
from candide.data.mail.mbox import messages
from candide.data.mail.message import as_text, is_message
from candide.data.mail.parts import Limits
from candide.data.mail.places import START, Place
from candide.errors import LEAVE_OUT, BadFile

LONGEST = 1 << 23  # bytes of a document that is no mail; the rest is not looked at
BLOCK = 1 << 16

Document = tuple[str, str, int]


@dataclass(slots=True)
class Reader:
    """Turns files into documents; what cannot be read is counted where that was asked for, else an error."""

    encoding: str = "utf-8"
    errors: str = "strict"
    skip: bool = False
    bad: int = 0
    first_bad: str | None = None

    @classmethod
    def of(cls, encoding: str | None, skip: bool) -> Self:
        """An encoding as users name it: utf-8, latin-1, utf-8:replace."""
        name, _, how = (encoding or "utf-8").partition(":")
        try:
            codecs.lookup(name)
        except LookupError:
            raise BadFile(f"encoding {name!r} is none that Python knows; try latin-1, cp1252, utf-16.") from None
        if how not in ("", "replace"):
            raise BadFile(f"encoding {encoding!r}: after the colon stands replace, or nothing.")
        return cls(name, how or "strict", skip)

    def begin(self) -> None:
        """Nothing was bad so far."""
        self.bad, self.first_bad = 0, None

    def documents(self, place: Place) -> Iterator[Document]:
        """Each document's text, its name, and how many bytes of the file were read in the end."""
        try:
            with _opened(place.path) as file:
                yield from self._of(file, place)
        except (OSError, EOFError) as error:
            why = getattr(error, "strerror", None) or str(error)
            self._refuse(f"{place.name} cannot be read: {why}", "Mend it")

    def _of(self, file: Any, place: Place) -> Iterator[Document]:
        start = file.peek(START) if place.format == "either" else b""
        if place.format == "mbox" or start.startswith(b"From "):
            yield from _mailbox(file, place.name)
        elif place.format == "mail" or is_message(start[:START]):
            yield as_text(file.read(Limits().message)), place.name, LONGEST
        elif place.format == "lines":
            yield from self._lines(file, place.name)
        else:
            yield from self._whole(file.read(LONGEST), place.name)

    def _whole(self, data: bytes, name: str) -> Iterator[Document]:
        try:
            yield self._text(data, len(data) == LONGEST), name, LONGEST
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self._undecodable(
                f"{name}, line {line}, byte {error.start - data.rfind(bytes([10]), 0, error.start)}", error
            )

    def _lines(self, file: Any, name: str) -> Iterator[Document]:
        """A text a line; empty lines are none. In encodings of two bytes a letter, lines are those of the text."""
        read = 0
        for number, data in enumerate(_wide(file, self.encoding), 1):
            read += len(data)
            try:
                text = self._text(data, False).strip("\r\n\ufeff")
            except UnicodeDecodeError as error:
                self._undecodable(f"{name}, line {number}, byte {error.start + 1}", error)
                continue
            if text.strip():
                yield text, f"{name}:{number}", read

    def _text(self, data: bytes, is_cut: bool) -> str:
        """A text that was cut may end within a letter."""
        decoder = codecs.getincrementaldecoder(self.encoding)(self.errors)
        return storable(decoder.decode(data, final=not is_cut).removeprefix("\ufeff"))

    def _undecodable(self, where: str, error: UnicodeDecodeError) -> None:
        found = " ".join(f"{byte:02x}" for byte in error.object[error.start : error.start + 4])
        way = "latin-1" if self.encoding.lower().startswith("utf") else "utf-8"
        remedy = f"Name the encoding: encoding={way!r} (--encoding {way}), read on with {self.encoding}:replace"
        self._refuse(f"{where}: not {self.encoding}: {found}", remedy)

    def _refuse(self, what: str, remedy: str) -> None:
        if not self.skip:
            raise BadFile(f"{what}. {remedy}, or {LEAVE_OUT}.")
        self.bad += 1
        self.first_bad = self.first_bad or what


def _mailbox(file: Any, name: str) -> Iterator[Document]:
    read = 0
    for number, (message, size) in enumerate(messages(file, Limits().message), 1):
        read += size
        yield as_text(message), f"{name}:{number}", read


def _wide(file: Any, encoding: str) -> Iterator[bytes]:
    """Lines as bytes."""
    if "16" not in encoding and "32" not in encoding:
        while line := file.readline(LONGEST):
            yield line
        return
    decoder = codecs.getreader(encoding)(file, "strict")
    for text in decoder:
        yield text.encode(encoding)


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    """The bytes of a file without their packing."""
    import io

    packing = compression_of(path)
    if packing is None:
        with open(path, "rb", BLOCK) as file:
            yield file
        return
    import pyarrow as pa

    try:
        with pa.input_stream(path, compression=packing) as stream, io.BufferedReader(stream, BLOCK) as file:
            yield file
    except pa.ArrowException as error:
        raise OSError(str(error)) from None
