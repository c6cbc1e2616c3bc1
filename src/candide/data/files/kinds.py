"""What a column can hold, told from the texts of its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from candide.data.files.engine import text
from candide.errors import BadFile, UnknownColumn

TEXT = "VARCHAR"
WORDS = {
    "BOOLEAN": "true or false",
    "BIGINT": "whole numbers",
    "DOUBLE": "numbers",
    "DATE": "dates (2024-12-31)",
    "TIMESTAMP": "times (2024-12-31 23:59:59)",
    TEXT: "text",
}
# Tried in this order on the first rows; a column that fits none of them is text.
ORDER = ("BOOLEAN", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP")
WIDER = {"BIGINT": "DOUBLE", "DATE": "TIMESTAMP"}
TYPES = {
    "string": TEXT,
    "text": TEXT,
    "integer": "BIGINT",
    "number": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
}
INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the batches will have it; `told`: the user said so, nothing was guessed."""

    name: str
    kind: str
    told: bool = False


def told_kinds(types: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """The kinds that the user gave columns."""
    there = set(names)
    for name, given in types.items():
        if name not in there:
            raise UnknownColumn.named(name, "the files", names)
        if given not in TYPES:
            raise BadFile(f"type {given!r} of column {name!r} is none of {', '.join(TYPES)}.")
    return {name: TYPES[given] for name, given in types.items()}


def value(cell: str, kind: str) -> str:
    """SQL for the value in a cell of text; NULL if it is none of this kind."""
    if kind == "BOOLEAN":
        return f"CASE lower(trim({cell})) WHEN 'true' THEN true WHEN 'false' THEN false END"
    if kind == "DATE":  # DuckDB would cut the time of day off
        return f"CASE WHEN length(trim({cell})) <= 10 THEN TRY_CAST({cell} AS DATE) END"
    if kind == "TIMESTAMP":  # and ignore an offset from UTC
        return f"CAST(TRY_CAST({cell} AS TIMESTAMPTZ) AT TIME ZONE 'UTC' AS TIMESTAMP)"
    return cell if kind == TEXT else f"TRY_CAST({cell} AS {kind})"


def doubtful(cell: str, value: str, kind: str) -> str:
    """SQL, quick to answer: whether the value is missing, or not what the cell says."""
    rounded = f" OR CAST({value} AS DOUBLE) IS DISTINCT FROM TRY_CAST({cell} AS DOUBLE)" if kind == "BIGINT" else ""
    return f"{value} IS NULL{rounded}"


def wrong(cell: str, value: str, kind: str) -> str:
    """SQL: whether the cell says something, and the value is not that."""
    return f"({doubtful(cell, value, kind)}) AND {present(cell, kind)}"


def unlikely(cell: str, kind: str) -> str:
    """SQL for a sample: whether the cell, a number to DuckDB, was hardly meant as one.

    007 is a name, and 1.0 is written by who measures, not by who counts.
    """
    if kind not in ("BIGINT", "DOUBLE"):
        return "false"
    return f"{cell} >= '00' AND {cell} < '0:'" + (f" OR contains({cell}, '.')" if kind == "BIGINT" else "")


def present(cell: str, kind: str) -> str:
    """SQL: whether a cell of text says anything; blanks and, among whole numbers, NaN do not."""
    says = f"{cell} IS NOT NULL AND trim({cell}) <> ''"
    return f"{says} AND lower(trim({cell})) <> 'nan'" if kind == "BIGINT" else says


def known(cell: str, missing: Sequence[str]) -> str:
    """SQL for a cell of text, NULL where it holds one of the marks of a gap."""
    if not missing:
        return cell
    return f"CASE WHEN trim({cell}) NOT IN ({', '.join(text(mark.strip()) for mark in missing)}) THEN {cell} END"


def united(one: str, other: str) -> str:
    """The narrowest kind that holds both."""
    pair = {one, other}
    if len(pair) == 1:
        return one
    if all(kind in ("BIGINT", "UBIGINT", "DOUBLE") or kind.startswith("DECIMAL") for kind in pair):
        return "DOUBLE"
    return "TIMESTAMP" if pair == {"DATE", "TIMESTAMP"} else TEXT
