"""CSV and its kin: cells between separators, their names in the first line."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter

from candide.data.files.engine import text
from candide.data.files.find import Part
from candide.data.files.relation import Relation
from candide.data.files.spool import reading, unpacked
from candide.errors import BadFile, shortened

HEAD = 1 << 20
SEPARATORS = ",;\t|"


def separated(part: Part, source: str, delimiter: str | None, skip_bad_rows: bool) -> Relation:
    """A CSV file as cells of text: NULL for an empty cell, '' for a quoted one."""
    head = _head(part, skip_bad_rows)
    mark = delimiter or ("\t" if part.format == "tsv" else _separator(head))
    names, blank, lines = _header(part, head, mark)
    columns = ", ".join(f"'c{j}': 'VARCHAR'" for j in range(len(names)))
    options = {
        "auto_detect": "false",
        "header": "true",
        "skip": str(blank),
        "delim": text(mark),
        "quote": text('"'),
        "escape": text('"'),
        "strict_mode": "true",
        "comment": "''",
        "nullstr": "''",
        "allow_quoted_nulls": "false",
        "hive_partitioning": "false",
        "compression": text(part.compression or "none"),
        "columns": "{" + columns + "}",
    }
    if skip_bad_rows:
        options |= {"store_rejects": "true", "rejects_table": "'rejected'", "rejects_scan": "'rejecting'"}
    said = ", ".join(f"{name} = {setting}" for name, setting in options.items())
    sql = f"SELECT * FROM read_csv({text(source)}, {said})"
    return Relation(part, names, sql, rejects=skip_bad_rows, mark=mark, head=lines)


def _head(part: Part, lenient: bool) -> str:
    """The beginning of the file, which must be UTF-8."""
    with reading(part.name), unpacked(part) as raw:
        start = bytes(raw.read(HEAD))
    even, odd = start[::2].count(b"\0"), start[1::2].count(b"\0")
    if max(even, odd) > len(start) / 4 and min(even, odd) < max(even, odd) / 4:  # every other byte, as no text has it
        name = "utf-16-le" if odd > even else "utf-16-be"
        raise BadFile(f"{part.name} is full of NUL bytes: if it is UTF-16, say encoding='{name}' (--encoding {name}).")
    try:
        return (
            codecs.getincrementaldecoder("utf-8")("replace" if lenient else "strict")
            .decode(start)
            .removeprefix("\ufeff")
        )
    except UnicodeDecodeError as error:
        line = start[: error.start].count(b"\n") + 1
        raise BadFile(
            f"{part.name} is not UTF-8: byte 0x{start[error.start]:02x} at place {error.start}, line {line}. Name its "
            "encoding, often latin-1 or cp1252: encoding='latin-1' (--encoding latin-1)."
        ) from None


def _separator(head: str) -> str:
    """The mark that the first line has most of, quoted cells apart."""
    bare = re.sub(r'"(?:[^"]|"")*"', "", head[: 1 << 16]).lstrip("\r\n")
    first = re.split(r"[\r\n]", bare, maxsplit=1)[0]
    return max(SEPARATORS, key=first.count)


def _header(part: Part, head: str, mark: str) -> tuple[tuple[str, ...], int, int]:
    """The names of the columns, the number of empty lines before them, and of all lines to their end."""
    records = csv.reader(io.StringIO(head, newline=""), delimiter=mark, skipinitialspace=True, strict=True)
    blank = 0
    try:
        for record in records:
            if record:
                return _named(part, record), blank, records.line_num
            blank += 1
    except csv.Error as error:
        raise BadFile(f"{part.name}: the first line, which names the columns, cannot be read: {error}.") from None
    raise BadFile(f"{part.name} is empty: its first line should name the columns.")


def _named(part: Part, record: list[str]) -> tuple[str, ...]:
    """A column without a name is called after its place, counted from 1."""
    names = tuple(cell.strip() or f"column{j}" for j, cell in enumerate(record, 1))
    if "\ufffd" in "".join(names):
        raise BadFile(f"{part.name}: the names of its columns are not UTF-8: name the encoding (--encoding latin-1).")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise BadFile(f"{part.name} has more than one column {shortened(twice[0])}: give each a name of its own.")
    return names
