"""Parquet: columns that know their types."""

from __future__ import annotations

from collections import Counter
from typing import Any

from candide.data.files.engine import text, told
from candide.data.files.find import Part
from candide.data.files.kinds import INTEGERS, TEXT
from candide.data.files.relation import Relation
from candide.errors import BadFile

PLAIN = {"BOOLEAN", "DATE", "UBIGINT", "DOUBLE", "TIMESTAMP", TEXT}
NESTED = ("STRUCT", "MAP", "UNION", "VARIANT")


def parquet(part: Part, source: str, connection: Any) -> Relation:
    """A Parquet file as typed cells."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(part.path) as file:
            names, rows = tuple(file.schema_arrow.names), int(file.metadata.num_rows)
    except (pa.ArrowException, OSError) as error:
        packed = f" (it is packed with {part.compression}; Parquet packs inside)" if part.compression else ""
        raise BadFile(f"{part.name} is not Parquet, or cut short{packed}: {str(error).splitlines()[0]}") from None
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise BadFile(f"{part.name} has more than one column {twice[0]!r}: give each a name of its own.")
    origin = f"read_parquet({text(source)}, hive_partitioning = false)"
    with told(part.name):
        held = [str(row[1]) for row in connection.execute(f"DESCRIBE SELECT * FROM {origin}").fetchall()]
    made = [_made(f"c{j}", kind) for j, kind in enumerate(held)]
    shown = ", ".join(f"{sql} AS c{j}" for j, (sql, _) in enumerate(made))
    places = ", ".join(f"c{j}" for j in range(len(names)))
    kinds = tuple(kind for _, kind in made)
    return Relation(part, names, f"SELECT {shown} FROM {origin} AS file({places})", kinds, rows=rows)


def _made(cell: str, held: str) -> tuple[str, str]:
    """SQL for a cell, and its kind: numbers, dates and text as they are, anything nested as its JSON."""
    if held.endswith("]") or held.startswith(NESTED):
        return f"CAST(to_json({cell}) AS VARCHAR)", TEXT
    if held in PLAIN or held.startswith("DECIMAL"):
        return cell, held
    if held in INTEGERS:
        return f"CAST({cell} AS BIGINT)", "BIGINT"
    if held in ("FLOAT", "HUGEINT", "UHUGEINT"):
        return f"CAST({cell} AS DOUBLE)", "DOUBLE"
    if held == "TIMESTAMP WITH TIME ZONE":
        return f"{cell} AT TIME ZONE 'UTC'", "TIMESTAMP"
    if held.startswith("TIMESTAMP"):
        return f"CAST({cell} AS TIMESTAMP)", "TIMESTAMP"
    if held == "BLOB":  # old writers keep strings as bytes
        return f"coalesce(TRY(decode({cell})), CAST({cell} AS VARCHAR))", TEXT
    return f"CAST({cell} AS VARCHAR)", TEXT
