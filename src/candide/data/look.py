"""How each column of a table should be held, by its type and a look at its cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from candide.data.arrow import is_text
from candide.data.dictionaries import is_marked
from candide.data.schema import Field, Held, Schema

FEW_ROWS = 10  # of which nobody can say that a column numbers them
HEAD = 5_000  # rows whose repetitions say enough
WORDS = 4  # on average, from which on different strings are sentences
SOME_ROWS = 50  # from which on a level that comes less than twice tells nothing


def look(table: Any, held: Mapping[str, Held] | None = None, gaps: Collection[str] = ()) -> Schema:
    """The schema of an Arrow table; `held` decides for some columns, `gaps` names those whose gaps are evidence."""
    chosen = held or {}
    fields = []
    for name in table.column_names:
        how, why = (chosen[name], "") if name in chosen else _held(_as_meant(table, name))
        fields.append(Field(name, how, why, name in gaps))
    return Schema.of(fields)


def _as_meant(table: Any, name: str) -> Any:
    """A column without the dictionary that only its reader made of it."""
    column = table[name]
    return column.cast(column.type.value_type) if is_marked(table.schema.field(name)) else column


def _held(column: Any) -> tuple[Held, str]:
    kind = column.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
        if not is_text(kind):
            return ("labels", "") if not pa.types.is_null(kind) else ("unknown", "")
        return "labels", ""
    if pa.types.is_null(kind) or column.null_count == len(column):
        return "unknown", "every cell is missing"
    if pa.types.is_boolean(kind):
        return "truths", ""
    if is_text(kind):
        return _held_strings(column)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "numbers", ""
    if pa.types.is_duration(kind):
        return "numbers", ""
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return "dates", ""
    if pa.types.is_time(kind):
        return "times", ""
    return "nothing", f"{kind} is neither a label nor a number"


def _held_strings(column: Any) -> tuple[Held, str]:
    rows = len(column) - column.null_count
    if rows < FEW_ROWS:
        return "labels", ""
    head = column.slice(0, HEAD)
    if pc.count_distinct(head).as_py() < (len(head) - head.null_count) / 2:
        return "labels", ""
    different = pc.count_distinct(column).as_py()
    if different < rows / 2:
        return "labels", ""
    words = pc.mean(pc.count_substring_regex(column, r"\S+")).as_py() or 0.0
    if words >= WORDS:
        return "text", ""
    if different == rows:
        return "nothing", f"{different:,} different strings in {rows:,} rows: it names the rows"
    if rows >= SOME_ROWS:
        return "nothing", f"{different:,} different strings in {rows:,} rows: too few rows each"
    return "labels", ""
