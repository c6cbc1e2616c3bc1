"""Record batches as bytes: CSV, TSV, JSON, JSON lines, Parquet."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


class Separated:
    """CSV: a missing cell is empty, the empty string is quoted, so that both can be told apart when read."""

    def __init__(self, sink: Any, schema: pa.Schema, mark: str = ",") -> None:
        import pyarrow as pa

        self._sink, self._mark = sink, mark
        names = pa.RecordBatch.from_arrays([pa.array([name]) for name in schema.names], names=schema.names)
        self.add(names)

    def add(self, batch: pa.RecordBatch) -> None:
        import pyarrow.compute as pc

        if not batch.num_rows or not batch.num_columns:
            return
        cells = [_cells(column, self._mark) for column in batch.columns]
        rows = pc.binary_join_element_wise(*cells, self._mark, null_handling="replace", null_replacement="")
        self._sink.write(("\n".join(rows.to_pylist()) + "\n").encode())

    def end(self) -> None:
        pass


class Objects:
    """JSON: an object a line, or in one array; what is missing, or no number, is null."""

    def __init__(self, sink: Any, array: bool) -> None:
        self._sink = sink
        self._before, self._between, self._after = ("[\n", ",\n", "\n]\n") if array else ("", "\n", "\n")
        self._rows = 0

    def add(self, batch: pa.RecordBatch) -> None:
        if not batch.num_rows:
            return
        lines = [json.dumps(_plain(row), ensure_ascii=False, default=str) for row in batch.to_pylist()]
        self._sink.write(((self._between if self._rows else self._before) + self._between.join(lines)).encode())
        self._rows += batch.num_rows

    def end(self) -> None:
        if self._rows or self._before:
            self._sink.write((("" if self._rows else self._before) + self._after).encode())


class Columns:
    """Parquet."""

    def __init__(self, sink: Any, schema: pa.Schema) -> None:
        import pyarrow.parquet as pq

        self._writer = pq.ParquetWriter(sink, schema)

    def add(self, batch: pa.RecordBatch) -> None:
        self._writer.write_batch(batch)

    def end(self) -> None:
        self._writer.close()


def encoder(format: str, sink: Any, schema: pa.Schema) -> Separated | Objects | Columns:
    """What turns batches of one schema into the bytes of a format."""
    if format in ("csv", "tsv"):
        return Separated(sink, schema, "\t" if format == "tsv" else ",")
    if format in ("json", "jsonl"):
        return Objects(sink, array=format == "json")
    return Columns(sink, schema)


def _cells(column: Any, mark: str) -> Any:
    """The cells of a column as CSV has them: quoted where they must be."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
        column = pa.array([None if cell is None else json.dumps(cell, default=str) for cell in column.to_pylist()])
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return pc.cast(column, pa.string())
    texts = pc.cast(column, pa.string())
    special = pc.match_substring_regex(texts, rf'["\r\n{mark}]|^$|^\s|\s$')
    quoted = pc.binary_join_element_wise('"', pc.replace_substring(texts, '"', '""'), '"', "")
    return pc.if_else(special, quoted, texts)


def _plain(value: Any) -> Any:
    """NaN and the infinities are no JSON."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
