"""Options that several verbs have: how data are read, how results are printed."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from candide.errors import BadValue

if TYPE_CHECKING:
    from candide.cli.models import Saved
    from candide.data.files import Files
    from candide.data.mail import Documents

Json = Annotated[bool, typer.Option("--json", help="Print one JSON value and nothing else.")]
Label = Annotated[str | None, typer.Option("--label", "-l", metavar="COLUMN", help="The column to be predicted.")]

Ham = Annotated[list[str] | None, typer.Option("--ham", metavar="PATH", help="Mail that is wanted: mbox or folder.")]
Spam = Annotated[list[str] | None, typer.Option("--spam", metavar="PATH", help="Mail that is not: mbox or folder.")]

FORMATS = "csv, tsv, json, jsonl or parquet; mail, mbox, text or lines"
Format = Annotated[str | None, typer.Option("--format", metavar="FORMAT", help=f"What the data are: {FORMATS}.")]
Types = Annotated[
    list[str] | None,
    typer.Option(
        "--types", metavar="COLUMN=TYPE", help="string, integer, number, boolean, date or timestamp, for a column."
    ),
]
Gaps = Annotated[list[str] | None, typer.Option("--na", metavar="TEXT", help="A text that stands for a missing cell.")]
Encoding = Annotated[str | None, typer.Option("--encoding", metavar="NAME", help="Of files that are not UTF-8.")]
Delimiter = Annotated[str | None, typer.Option("--delimiter", metavar="SIGN", help="What parts the cells of CSV.")]
SkipBadRows = Annotated[bool, typer.Option("--skip-bad-rows", help="Leave rows out that cannot be read; say how many.")]
Memory = Annotated[str | None, typer.Option("--memory", metavar="AMOUNT", help="Of the reading, such as 500MB.")]


@dataclass(frozen=True, slots=True)
class Reading:
    """How the user wants data read."""

    format: str | None = None
    types: Sequence[str] | None = None
    na: Sequence[str] | None = None
    encoding: str | None = None
    delimiter: str | None = None
    skip_bad_rows: bool = False
    memory: str | None = None
    ham: Sequence[str] = ()
    spam: Sequence[str] = ()

    def mail(self, ham: Sequence[str] | None, spam: Sequence[str] | None) -> Reading:
        """The same with mail of two classes."""
        return replace(self, ham=tuple(ham or ()), spam=tuple(spam or ()))

    def named(self, paths: Sequence[str] | None) -> list[str]:
        """All paths that were given, at least one."""
        found = [*(paths or ()), *self.ham, *self.spam]
        if not found:
            raise typer.BadParameter("give data: files, patterns, folders, or - for standard input.")
        return found

    def are_documents(self, paths: Sequence[str]) -> bool:
        """Whether mail or folders of texts are meant rather than tables."""
        from candide.data.files.find import SUFFIXES

        if self.ham or self.spam:
            return True
        if self.format is None and all(path == "-" or path.lower().endswith((*SUFFIXES, ".gz")) for path in paths):
            paths = [path for path in paths if os.path.isdir(path) or path.lower().endswith((".mbox.gz", ".eml.gz"))]
            if not paths:
                return False
        from candide.data.mail.places import are_documents

        return are_documents(paths, self.format)

    def open(
        self, paths: Sequence[str], saved: Saved | None = None, strings: Sequence[str] = (), where: bool = False
    ) -> Files | Documents:
        """The files; a model says what its columns hold, `strings` are columns of names whatever they look like.

        With `where`, a third column of documents says where each one is.
        """
        from candide.data.files import Files

        if self.are_documents(paths):
            return self._documents(paths, saved, where)
        expected = dict.fromkeys(strings, "string") | ({} if saved is None else saved.types())
        return Files.open(
            [os.fspath(path) for path in paths],
            format=self.format,
            types=pairs(self.types, "--types"),
            expected=expected,
            missing=self.gaps(saved),
            encoding=self.encoding,
            delimiter="\t" if self.delimiter == "\\t" else self.delimiter,
            skip_bad_rows=self.skip_bad_rows,
            memory_limit=self.memory,
        )

    def _documents(self, paths: Sequence[str], saved: Saved | None, where: bool) -> Documents:
        """Mail and texts, under the names that a model has for them."""
        from candide.data.mail import Documents
        from candide.data.mail.documents import COLUMNS, WHERE

        texts, labels = COLUMNS
        if saved is not None:
            texts, labels = (*saved.table.schema.texts, texts)[0], saved.target
        return Documents.open(
            [os.fspath(path) for path in paths],
            labelled={"ham": self.ham, "spam": self.spam},
            format=self.format,
            encoding=self.encoding,
            skip_bad_rows=self.skip_bad_rows,
            columns=(texts, labels, WHERE)[: 2 + where],
        )

    def gaps(self, saved: Saved | None = None) -> list[str]:
        """What stands for a missing cell: what the user says, else what was said in training."""
        if self.na is None and saved is not None:
            return saved.gaps
        return list(self.na or ())


class _Reads:
    """The signature that `reads` puts in place of a parameter `reading`."""

    format: Format = None
    types: Types = None
    na: Gaps = None
    encoding: Encoding = None
    delimiter: Delimiter = None
    skip_bad_rows: SkipBadRows = False
    memory: Memory = None


def reads(verb: Callable[..., None]) -> Callable[..., None]:
    """A verb with a parameter `reading: Reading` gets the options that make one."""
    hints = get_type_hints(_Reads, include_extras=True)
    names = tuple(hints)

    @wraps(verb)
    def called(**given: Any) -> None:
        reading = Reading(**{name: given.pop(name) for name in names})
        verb(reading=reading, **given)

    own = [one for name, one in inspect.signature(verb).parameters.items() if name != "reading"]
    kind = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter(name, kind, default=getattr(_Reads, name)) for name in names]
    mine = get_type_hints(verb, include_extras=True)
    called.__annotations__ = {name: hint for name, hint in (mine | hints).items() if name != "reading"}
    called.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            one.replace(annotation=called.__annotations__.get(one.name, one.annotation))
            for one in (*(param.replace(kind=kind) for param in own), *more)
        ]
    )
    del called.__wrapped__  # typer would look at the function within
    return called


def pairs(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """COLUMN=VALUE, several of them in one text if commas part them; names may hold commas and equal signs.

    >>> pairs(["age=number,zip=string"], "--types")
    {'age': 'number', 'zip': 'string'}
    """
    found: dict[str, str] = {}
    for text in given or ():
        held = ""
        for piece in text.split(","):
            held += piece
            if "=" not in piece:
                held += ","
                continue
            column, _, value = held.rpartition("=")
            found[column.strip()] = value.strip()
            held = ""
        if held:
            raise BadValue(f"{option} takes COLUMN=VALUE, not {text!r}.")
    return found


def checked(value: str, known: Mapping[str, Any] | Sequence[str], what: str) -> str:
    """A word that must be one of several."""
    if value not in known:
        raise typer.BadParameter(f"{value!r} is no {what}; choose one of {', '.join(known)}.")
    return value
