"""The query that makes values of the cells of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from candide.data.files.kinds import Column, doubtful, known, value, wrong
from candide.data.files.relation import Relation

if TYPE_CHECKING:
    import pyarrow as pa

WIDE = 128  # columns; DuckDB plans each expression, and a thousand columns are thousands


@dataclass(frozen=True, slots=True)
class Values:
    """The query of all rows: values, the place of the first cell in the row that is none, and its text.

    The columns at the places `plain` come first, one by one; then a list a row for each of `lists`, places of columns.
    """

    sql: str
    plain: tuple[int, ...]
    lists: tuple[tuple[int, ...], ...] = ()

    def columns(self, batch: pa.RecordBatch) -> list[pa.Array]:
        """The values, a column each."""
        import pyarrow as pa

        found: dict[int, Any] = dict(zip(self.plain, batch.columns, strict=False))
        for places, rows in zip(self.lists, batch.columns[len(self.plain) :], strict=False):
            turned = np.arange(batch.num_rows * len(places)).reshape(batch.num_rows, len(places)).T
            cells = rows.flatten().take(pa.array(turned.ravel()))
            found |= {place: cells.slice(j * batch.num_rows, batch.num_rows) for j, place in enumerate(places)}
        return [found[place] for place in range(len(found))]


def values(relation: Relation, columns: Sequence[Column], missing: Sequence[str]) -> Values:
    """The query of all rows; many columns are tried list by list."""
    cells = relation.cells(columns, missing)
    tested = [j for j, (_, done) in enumerate(cells) if not done]
    if len(tested) < WIDE:
        return _single(relation, columns, [cell for cell, _ in cells], tested)
    plain = {j: cell for j, (cell, done) in enumerate(cells) if done}
    raw = [cell for cell, _ in relation.cells(columns, ())]
    kinds: dict[str, dict[int, str]] = {}
    for j in tested:
        kinds.setdefault(columns[j].kind, {})[j] = raw[j]
    return _listed(relation, plain, kinds, missing)


def _single(relation: Relation, columns: Sequence[Column], cells: Sequence[str], places: Sequence[int]) -> Values:
    """Cell by cell."""
    tested = [(f"c{j}", f"v{j}", columns[j].kind, j) for j in places]
    made_here = set(places)
    inner = ", ".join(f"{cell} AS c{j}" for j, cell in enumerate(cells))
    made = "".join(f", {value(c, kind)} AS {v}" for c, v, kind, _ in tested)
    doubt = " OR ".join(["broken", *(doubtful(c, v, kind) for c, v, kind, _ in tested)])
    first = " ".join(["WHEN broken THEN -1", *(f"WHEN {wrong(c, v, kind)} THEN {j}" for c, v, kind, j in tested)])
    texts = " ".join(["WHEN -1 THEN ''", *(f"WHEN {j} THEN {c}" for c, _, _, j in tested)])
    shown = ", ".join(f"{'v' if j in made_here else 'c'}{j} AS c{j}" for j in range(len(columns)))
    sql = (
        f"SELECT {shown}, bad, CASE WHEN bad IS NOT NULL THEN CASE bad {texts} END END AS bad_text "
        f"FROM (SELECT *, CASE WHEN {doubt} THEN CASE {first} END END AS bad "
        f"FROM (SELECT *{made} FROM (SELECT {inner}, {relation.broken} AS broken FROM ({relation.sql}))))"
    )
    return Values(sql, tuple(range(len(columns))))


def _listed(
    relation: Relation, plain: Mapping[int, str], kinds: Mapping[str, Mapping[int, str]], missing: Sequence[str]
) -> Values:
    """The cells of a kind in one list; `plain` and `kinds` hold SQL by the places of columns."""
    inner = [f"{cell} AS c{j}" for j, cell in plain.items()]
    inner += [f"{_list(cells.values())} AS raw{k}" for k, cells in enumerate(kinds.values())]
    mark = (lambda raw: _each(raw, known("c", missing))) if missing else str
    marked = [f"{mark(f'raw{k}')} AS cells{k}" for k in range(len(kinds))]
    made = [f"{_made(f'cells{k}', kind)} AS values{k}" for k, kind in enumerate(kinds)]
    doubt = " OR ".join(_in_doubt(f"cells{k}", f"values{k}", kind) for k, kind in enumerate(kinds))
    first = [
        f"{_list(at)}[list_position({_each(f'cells{k}', wrong('c', value('c', kind), kind))}, true)]"
        for k, (kind, at) in enumerate(kinds.items())
    ]
    texts = [f"cells{k}[list_position({_list(at)}, bad)]" for k, at in enumerate(kinds.values())]
    shown = ", ".join([*(f"c{j}" for j in plain), *(f"values{k}" for k in range(len(kinds)))])
    sql = (
        f"SELECT {shown}, bad, CASE WHEN bad IS NOT NULL THEN coalesce({', '.join(texts)}, '') END AS bad_text "
        f"FROM (SELECT *, CASE WHEN broken THEN -1 WHEN {doubt} THEN least({', '.join(first)}, NULL) END AS bad "
        f"FROM (SELECT *, {', '.join(made)} FROM (SELECT *, {', '.join(marked)} "
        f"FROM (SELECT {', '.join(inner)}, {relation.broken} AS broken FROM ({relation.sql})))))"
    )
    return Values(sql, tuple(plain), tuple(map(tuple, kinds.values())))


def _list(members: Iterable[object]) -> str:
    return f"[{', '.join(map(str, members))}]"


def _each(cells: str, expression: str) -> str:
    """SQL for a list: the expression of each cell c."""
    return f"list_transform({cells}, lambda c: {expression})"


def _made(cells: str, kind: str) -> str:
    """SQL for the values of a list of cells; a list of numbers is quickest cast as a whole."""
    made = value("c", kind)
    return f"TRY_CAST({cells} AS {kind}[])" if made == f"TRY_CAST(c AS {kind})" else _each(cells, made)


def _in_doubt(cells: str, values: str, kind: str) -> str:
    """SQL, quick to answer: whether a cell of the list may not be what its value is."""
    fewer = f"list_count({values}) <> list_count({cells})"
    if kind != "BIGINT":
        return fewer
    return f"{fewer} OR CAST({values} AS DOUBLE[]) IS DISTINCT FROM TRY_CAST({cells} AS DOUBLE[])"  # was it rounded?
