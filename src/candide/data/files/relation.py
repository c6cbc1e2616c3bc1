"""A file as a relation of cells, and the query that makes values of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from candide.data.files.find import Part
from candide.data.files.kinds import TEXT, Column, doubtful, known, present, unlikely, value, wrong


@dataclass(frozen=True, slots=True)
class Relation:
    """`sql` selects the columns c0, c1, … that `names` names.

    Cells are text, unless `kinds` says what they are; columns at the places `strings` are no numbers, whatever they
    look like. `broken` is a condition on rows that are none; `rejects` is set where DuckDB notes rows that it could not
    take apart. `rows` is known of Parquet, `mark` separates the cells of CSV.
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

    def cell(self, column: Column, missing: Sequence[str]) -> tuple[str, bool]:
        """SQL for the cell of a column; whether it is a value already."""
        if column.name not in self.names:
            return f"CAST(NULL AS {column.kind})", True
        place = self.names.index(column.name)
        if not self.kinds:
            return known(f"c{place}", missing), column.kind == TEXT
        if self.kinds[place] == column.kind:
            return (known(f"c{place}", missing) if column.kind == TEXT else f"c{place}"), True
        return known(f"CAST(c{place} AS VARCHAR)", missing), column.kind == TEXT

    def values(self, columns: Sequence[Column], missing: Sequence[str]) -> str:
        """The query of all rows: a value a column, the place of the first cell that is none, and its text."""
        cells = [self.cell(column, missing) for column in columns]
        tested = [(f"c{j}", f"v{j}", columns[j].kind, j) for j, (_, done) in enumerate(cells) if not done]
        inner = ", ".join(f"{cell} AS c{j}" for j, (cell, _) in enumerate(cells))
        made = "".join(f", {value(c, kind)} AS {v}" for c, v, kind, _ in tested)
        doubt = " OR ".join(["broken", *(doubtful(c, v, kind) for c, v, kind, _ in tested)])
        first = " ".join(["WHEN broken THEN -1", *(f"WHEN {wrong(c, v, kind)} THEN {j}" for c, v, kind, j in tested)])
        texts = " ".join(["WHEN -1 THEN ''", *(f"WHEN {j} THEN {c}" for c, _, _, j in tested)])
        shown = ", ".join(f"{'c' if done else 'v'}{j} AS c{j}" for j, (_, done) in enumerate(cells))
        return (
            f"SELECT {shown}, bad, CASE WHEN bad IS NOT NULL THEN CASE bad {texts} END END AS bad_text "
            f"FROM (SELECT *, CASE WHEN {doubt} THEN CASE {first} END END AS bad "
            f"FROM (SELECT *{made} FROM (SELECT {inner}, {self.broken} AS broken FROM ({self.sql}))))"
        )

    def trials(self, trials: Sequence[tuple[int, str]], rows: int, missing: Sequence[str]) -> str:
        """The query that counts, for each column and kind, the cells of the first rows, and those not of the kind.

        Cells are laid in one long column: a thousand aggregates side by side take DuckDB seconds to plan.
        """
        cells = ", ".join(known(f"c{place}", missing) for place, _ in trials)
        kinds = ", ".join(f"'{kind}'" for _, kind in trials)
        tests = {kind: f"{doubtful('c', value('c', kind), kind)} OR {unlikely('c', kind)}" for _, kind in trials}
        wrong = " ".join(f"WHEN '{kind}' THEN {test}" for kind, test in tests.items())
        says = f"CASE kind WHEN 'BIGINT' THEN {present('c', 'BIGINT')} ELSE {present('c', TEXT)} END"
        return (
            f"SELECT trial, count_if(CASE kind {wrong} END) FROM (SELECT unnest([{cells}]) AS c, "
            f"unnest([{kinds}]) AS kind, unnest(range({len(trials)})) AS trial FROM ({self.sql} LIMIT {rows})) "
            f"WHERE {says} GROUP BY trial"
        )
