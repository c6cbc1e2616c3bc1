"""Rows that are not as they should be: where they stand, and what is said of them."""

from __future__ import annotations

import csv
import io
from typing import Any

from candide.data.files.engine import broken_row
from candide.data.files.find import Part
from candide.data.files.kinds import WORDS, Column
from candide.data.files.relation import Relation
from candide.data.files.spool import reading, unpacked
from candide.errors import LEAVE_OUT, BadFile, ColumnChanged, shortened


def fault(relation: Relation, row: int, column: Column | None, text: str) -> tuple[str, BadFile]:
    """What is wrong with a row, counted from 0, and the error about it; without a column it is no JSON object."""
    place = f"{relation.part.name}, {_place(relation, row)}"
    if column is None:
        about = f"{place}: not a JSON object"
        return about, BadFile(f"{about}. Mend it, or {LEAVE_OUT}.")
    kind = WORDS.get(column.kind, column.kind)
    about = f"{place}: column {column.name!r} should hold {kind}: {shortened(text)}"
    if column.told:
        return about, BadFile(f"{about}. Mend the row, or {LEAVE_OUT}.")
    return about, ColumnChanged.met(place, column.name, kind, text, _remedy(column.kind, text))


def rejected(connection: Any, relation: Relation) -> tuple[int, str | None]:
    """How many rows DuckDB could not take apart, and what is wrong with the first; its notes are cleared."""
    counted = "SELECT count(*) FROM (SELECT DISTINCT scan_id, file_id, line FROM rejected)"
    ((count,),) = connection.execute(counted).fetchall()
    if not count:
        return 0, None
    first = "SELECT line, csv_line, error_message FROM rejected ORDER BY line LIMIT 1"
    ((line, row, why),) = connection.execute(first).fetchall()
    connection.execute("DELETE FROM rejected")
    what = broken_row(str(why)) or str(why).strip().splitlines()[0].rstrip(".")
    return int(count), f"{relation.part.name}, line {line}: {what}: {shortened(str(row or '').rstrip())}"


def check_whole(part: Part) -> None:
    """Read a zstd file to its end: DuckDB takes one that was cut short for a shorter one."""
    with reading(part.name), unpacked(part) as raw:
        while raw.read(1 << 20):
            pass


def _remedy(kind: str, text: str) -> str:
    """The narrowest type, by the user's word for it, that holds the cell too."""
    if kind == "BIGINT":
        try:
            float(text)
        except ValueError:
            return "string"
        return "number"
    return "timestamp" if kind == "DATE" and text[:4].isdigit() else "string"


def _place(relation: Relation, row: int) -> str:
    if relation.part.format in ("csv", "tsv"):
        line = _line(relation, row)
        return f"row {row + 1}" if line is None else f"line {line}"
    return f"{'row' if relation.kinds else 'record'} {row + 1}"


def _line(relation: Relation, row: int) -> int | None:
    """The line in which a row begins: cells may hold line ends, so that the file is read again up to there."""
    with reading(relation.part.name), unpacked(relation.part) as raw:
        text = io.TextIOWrapper(raw, encoding="utf-8", errors="replace", newline="")
        records = csv.reader(text, delimiter=relation.mark)
        last, place = 0, -2  # the first record is the header
        try:
            for record in records:
                place += bool(record) or (len(relation.names) == 1 and place >= -1)
                if place == row:
                    return last + 1
                last = records.line_num
        except csv.Error:
            return None
    return None
