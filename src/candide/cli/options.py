"""Options that several verbs have: how data are read, how results are printed."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from candide.errors import BadValue

if TYPE_CHECKING:
    from candide.cli.models import Saved
    from candide.data.files import Files

Json = Annotated[bool, typer.Option("--json", help="Print one JSON value and nothing else.")]
Label = Annotated[str | None, typer.Option("--label", "-l", metavar="COLUMN", help="The column to be predicted.")]

FORMATS = "csv, tsv, json, jsonl or parquet"
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

    def open(self, paths: Sequence[str], saved: Saved | None = None, strings: Sequence[str] = ()) -> Files:
        """The files; a model says what its columns hold, `strings` are columns of names whatever they look like."""
        from candide.data.files import Files

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
