"""Files whose cells need no query: Arrow reads them in a fraction of the time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from candide.data.dictionaries import marked
from candide.data.files.cells import HEAD, has_quotes, options, recurring
from candide.data.files.kinds import TEXT, Column
from candide.data.files.relation import Relation
from candide.data.files.wellformed import Rest

if TYPE_CHECKING:
    import pyarrow as pa

BUFFER = 1 << 20  # bytes of a column of Parquet that are fetched at a time
FEW = 1 << 16  # bytes of a dictionary whose words come again and again
PIECES = 4  # of a batch, when dictionaries change
MARKS = ",;\t|"
MOST = 512  # columns of CSV: a row of more makes batches of few rows


class Unsure(Exception):
    """What comes now may have to be read in another way than Arrow's."""


@dataclass(frozen=True, slots=True)
class Direct:
    """Batches without a query, each with the share of the file that is read; `Unsure` where a query must go on.

    `words`: columns of strings may come as dictionaries.
    """

    relation: Relation
    columns: Sequence[Column]
    schema: pa.Schema
    rows: int
    words: bool

    def batches(self) -> Iterator[tuple[pa.RecordBatch, float]]:
        """All rows in order, those of Parquet and of CSV that is not packed."""
        import pyarrow as pa

        read = {"parquet": self._parquet, "csv": self._csv, "tsv": self._csv}.get(self.relation.part.format)
        if read is None:
            raise Unsure
        try:
            yield from read()
        except (pa.ArrowException, OSError, UnicodeError):
            raise Unsure from None

    def _parquet(self) -> Iterator[tuple[pa.RecordBatch, float]]:
        import pyarrow.parquet as pq

        path, read = self.relation.part.path, 0
        with pq.ParquetFile(path) as file:
            held, metadata = file.schema_arrow, file.metadata
        order = self._order(self.relation.names)
        if not all(_alike(held.types[place], one.kind) for place, one in zip(order, self.columns, strict=True)):
            raise Unsure
        encoded = _encoded(held, metadata, self.rows) if self.words else []
        rows = min(self.rows, metadata.row_group(0).num_rows) if encoded else self.rows
        with pq.ParquetFile(path, metadata=metadata, read_dictionary=encoded, buffer_size=BUFFER) as file:
            for batch in file.iter_batches(max(rows, 1)):
                read += batch.num_rows
                yield shaped([batch.column(place) for place in order], self.schema), read / max(metadata.num_rows, 1)

    def _csv(self) -> Iterator[tuple[pa.RecordBatch, float]]:
        import pyarrow.csv as pc

        relation = self.relation
        order = self._order(relation.names)
        simple = relation.head is not None and relation.mark in MARKS and relation.part.compression is None
        if not simple or not 1 < len(order) <= MOST or any(one.kind == "TIMESTAMP" for one in self.columns):
            raise Unsure
        names = [f"c{j}" for j in range(len(order))]
        kinds = {names[place]: field.type for place, field in zip(order, self.schema, strict=True)}
        with Rest(relation.part.path, relation.head or 0, relation.mark) as rest:
            if self.words:
                kinds |= recurring(rest.glance(HEAD), names, kinds, relation.mark)
            with pc.open_csv(rest, **options(names, kinds, relation.mark)) as reader:
                for batch in reader:
                    batch = shaped([batch.column(place) for place in order], self.schema)
                    if has_quotes(batch):
                        raise Unsure
                    parts = -(-batch.num_rows // self.rows)
                    for j in range(parts):
                        start, stop = (batch.num_rows * edge // parts for edge in (j, j + 1))
                        yield batch.slice(start, stop - start), rest.share

    def _order(self, names: Sequence[str]) -> list[int]:
        """The place in the file of each column."""
        places = {name: place for place, name in enumerate(names)}
        if not all(column.name in places for column in self.columns):
            raise Unsure
        return [places[column.name] for column in self.columns]


def shaped(columns: Sequence[Any], schema: pa.Schema) -> pa.RecordBatch:
    """Columns of the schema's types, strings perhaps as dictionaries; all texts are UTF-8."""
    import pyarrow as pa

    made, fields = [], []
    for cells, field in zip(columns, schema, strict=True):
        if pa.types.is_dictionary(cells.type):
            field = marked(field.name)
        cells = cells if cells.type == field.type else cells.cast(field.type)
        if pa.types.is_dictionary(field.type):
            cells.dictionary.validate(full=True)
        elif pa.types.is_string(field.type):
            cells.validate(full=True)
        made.append(cells)
        fields.append(field)
    return pa.RecordBatch.from_arrays(made, schema=pa.schema(fields))


def _alike(held: Any, kind: str) -> bool:
    """Whether Arrow reads the very values that are wanted."""
    from pyarrow import types

    integer = types.is_integer(held) and not types.is_uint64(held)
    tests = {
        "BOOLEAN": types.is_boolean(held),
        "BIGINT": integer,
        "DOUBLE": types.is_float32(held) or types.is_float64(held),
        "DATE": types.is_date32(held),
        TEXT: types.is_string(held) or types.is_large_string(held),
    }
    return bool(tests.get(kind))


def _encoded(held: pa.Schema, metadata: Any, rows: int) -> list[str]:
    """The columns of strings that the file keeps as dictionaries of few words, in long pieces."""
    groups = metadata.num_row_groups
    if not groups or (groups - 1) * rows > metadata.num_rows * PIECES:
        return []
    first = metadata.row_group(0)
    parts = [first.column(j) for j in range(first.num_columns)]
    sizes = {part.path_in_schema: part.data_page_offset - part.dictionary_page_offset
             for part in parts if part.has_dictionary_page}  # fmt: skip
    return [field.name for field in held if _alike(field.type, TEXT) and 0 < sizes.get(field.name, 0) <= FEW]
