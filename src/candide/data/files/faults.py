"""Rows that are not as they should be: where they stand, and what is said of them."""

from __future__ import annotations

import csv
import io
from typing import Any

from candide.data.files.find import Part
from candide.data.files.kinds import WORDS, Column
from candide.data.files.relation import Relation
from candide.data.files.spool import reading, unpacked
from candide.errors import LEAVE_OUT, BadFile, ColumnChanged, shortened


def fault(relation: Relation, row: int, column: Column | None, text: str) -> BadFile:
    """The error about a cell, or about a row that is none; rows are counted from 0."""
    name, where = relation.part.name, _place(relation, row)
    if column is None:
        return BadFile(f"{name}, {where}: not a JSON object. Mend it, or {LEAVE_OUT}.")
    kind = WORDS.get(column.kind, column.kind)
    if column.told:
        return BadFile.row(name, where, f"column {column.name!r} should hold {kind}", text)
    return ColumnChanged.met(name, where, column.name, kind, text)


def rejected(connection: Any, relation: Relation) -> tuple[int, str | None]:
    """How many rows DuckDB could not take apart, and what is said of the first; its notes are cleared."""
    ((count,),) = connection.execute(
        "SELECT count(*) FROM (SELECT DISTINCT scan_id, file_id, line FROM rejected)"
    ).fetchall()
    if not count:
        return 0, None
    first = "SELECT line, csv_line, error_message FROM rejected ORDER BY line LIMIT 1"
    ((line, row, why),) = connection.execute(first).fetchall()
    connection.execute("DELETE FROM rejected")
    why = str(why).strip().splitlines()[0].rstrip(".")
    return int(count), f"{relation.part.name}, line {line}: {why}: {shortened(str(row or '').rstrip())}"


def check_whole(part: Part) -> None:
    """Read a zstd file to its end: DuckDB takes one that was cut short for a shorter one."""
    with reading(part.name), unpacked(part) as raw:
        while raw.read(1 << 20):
            pass


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
