"""Labelled texts in mailboxes, folders and files of lines, as a stream of record batches."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Self

from candide.data.files.find import STDIN, Part, is_stream
from candide.data.files.spool import Spool
from candide.data.mail.opening import Reader
from candide.data.mail.places import FORMATS, Place, places, shown
from candide.errors import BadFile, NoSuchFile

if TYPE_CHECKING:
    import pyarrow as pa

BYTES = 1 << 24  # of text in a batch
ROWS = 1 << 14
COLUMNS = ("text", "label")
WHERE = "document"


class Documents:
    """Texts with labels: mail in mbox files and Maildir folders, folders of files, files of a text a line.

    >>> with Documents.open("mail") as documents:  # doctest: +SKIP
    ...     documents.names, sum(batch.num_rows for batch in documents.batches())
    (('text', 'label'), 14)

    The label is that under which a path was given, else the name of the folder: of `mail/ham` and `mail/spam` each; of
    a folder of mailboxes, and of files of lines, their own. Messages become texts by `as_text` and are always read;
    other texts must be in UTF-8, or in the encoding that is given.
    """

    def __init__(self, found: Sequence[Place], reader: Reader, spool: Spool, names: Sequence[str]) -> None:
        import pyarrow as pa

        kinds = [pa.large_string(), pa.string(), pa.string()]
        self.schema = pa.schema(list(zip(names, kinds, strict=False)))
        self._places = tuple(found)
        self._reader = reader
        self._spool = spool
        self._done = 0.0
        self._open = True
        self._bytes: int | None = None

    @classmethod
    def open(
        cls,
        paths: str | Sequence[str] = (),
        *,
        labelled: Mapping[str, Sequence[str]] | None = None,
        format: str | None = None,
        encoding: str | None = None,
        skip_bad_rows: bool = False,
        columns: Sequence[str] = COLUMNS,
    ) -> Self:
        """Find the files.

        `labelled`: further paths by the label of all that is in them. `format`: mail, mbox, text (a file a document) or
        lines (a line a document) for all; by default names and beginnings of files tell. `encoding`: of texts that are
        no mail; with `:replace` behind it, `utf-8:replace`, what cannot be read becomes U+FFFD. `skip_bad_rows`: count
        files and lines that cannot be read, and go on. `columns`: what those of the texts and the labels
        are called; a third one says where each document is.
        """
        if format is not None and format not in FORMATS:
            raise BadFile(f"format {format!r} is none of documents; choose one of {', '.join(FORMATS)}.")
        given = [paths] if isinstance(paths, str) else list(paths)
        found = places(given, labelled or {}, format)
        if not found:
            raise NoSuchFile(f"no file in {', '.join(map(shown, given))}: there is nothing to read.")
        spool = Spool()
        try:
            staged = [_staged(place, spool) for place in found]
            reader = Reader.of(encoding, skip_bad_rows)
        except BaseException:
            spool.close()
            raise
        return cls(staged, reader, spool, columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns in order."""
        return tuple(self.schema.names)

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns that hold texts, whatever they look like."""
        return self.names[:1]

    @property
    def bad_rows(self) -> int:
        """Files and lines that the last pass could not read."""
        return self._reader.bad

    @property
    def first_bad(self) -> str | None:
        """What was wrong with the first of them."""
        return self._reader.first_bad

    @property
    def bytes(self) -> int:
        """What the files take on disk."""
        if self._bytes is None:
            self._bytes = sum(map(_size, self._places))
        return self._bytes

    @property
    def done(self) -> float:
        """The share of the files that the last pass has read, 0 to 1."""
        return self._done

    def batches(self, rows: int = ROWS, words: bool = False) -> Iterator[pa.RecordBatch]:
        """All documents in order, at most `rows` and some megabytes of them at a time; every call begins anew.

        `words` is for `Files`: documents come again too seldom for a dictionary of them.
        """
        if not self._open:
            raise BadFile("these files are closed: open them anew.")
        self._reader.begin()
        self._done = 0.0
        texts: list[str] = []
        labels: list[str | None] = []
        names: list[str] = []
        held = 0
        for number, place in enumerate(self._places):
            size = max(_size(place), 1) if len(self._places) < 100 else 1
            for text, name, read in self._reader.documents(place):
                texts.append(text)
                labels.append(place.label)
                names.append(name)
                held += len(text)
                self._done = (number + min(read / size, 1.0)) / len(self._places)
                if len(texts) >= rows or held >= BYTES:
                    yield self._batch(texts, labels, names)
                    texts, labels, names, held = [], [], [], 0
        self._done = 1.0
        if texts:
            yield self._batch(texts, labels, names)

    def close(self) -> None:
        """Remove what was copied; reading is over."""
        self._open = False
        self._spool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        some = ", ".join(place.name for place in self._places[:3])
        return f"Documents({some}{', …' if len(self._places) > 3 else ''})"

    def _batch(self, *columns: Sequence[str | None]) -> pa.RecordBatch:
        import pyarrow as pa

        arrays = [pa.array(cells, field.type) for cells, field in zip(columns, self.schema, strict=False)]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


def _staged(place: Place, spool: Spool) -> Place:
    """A stream is copied, so that it can be read more than once."""
    if not is_stream(place.path):
        return place
    copy = spool.staged(Part(place.name, place.path, place.format))
    return Place(copy.path, place.format, None if place.label == STDIN else place.label, copy.name)


def _size(place: Place) -> int:
    try:
        return os.path.getsize(place.path)
    except OSError:
        return 0
