"""A file as a relation of cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from candide.data.files.find import Part
from candide.data.files.kinds import TEXT, Column, known


@dataclass(frozen=True, slots=True)
class Relation:
    """`sql` selects the columns c0, c1, … that `names` names.

    Cells are text, unless `kinds` says what they are; columns at the places `strings` are no numbers, whatever they
    look like. `broken` is a condition on rows that are none; `rejects` is set where DuckDB notes rows that it could not
    take apart. `rows` is known of Parquet; `mark` separates the cells of CSV, whose header takes
    the first `head` lines.
    """

    part: Part
    names: tuple[str, ...]
    sql: str
    kinds: tuple[str, ...] = ()
    broken: str = "false"
    rejects: bool = False
    strings: frozenset[int] = frozenset()
    rows: int | None = None
    mark: str = ","
    head: int | None = None

    def cells(self, columns: Sequence[Column], missing: Sequence[str]) -> list[tuple[str, bool]]:
        """SQL for the cell of each column; whether it is a value already."""
        places = {name: place for place, name in enumerate(self.names)}
        return [self._cell(column, places.get(column.name), missing) for column in columns]

    def _cell(self, column: Column, place: int | None, missing: Sequence[str]) -> tuple[str, bool]:
        if place is None:
            return f"CAST(NULL AS {column.kind})", True
        if not self.kinds:
            return known(f"c{place}", missing), column.kind == TEXT
        if self.kinds[place] == column.kind:
            return (known(f"c{place}", missing) if column.kind == TEXT else f"c{place}"), True
        return known(f"CAST(c{place} AS VARCHAR)", missing), column.kind == TEXT
