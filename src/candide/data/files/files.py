"""Labelled tables in files, as a stream of record batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from candide.data.files.direct import Direct, Unsure
from candide.data.files.engine import connect, told
from candide.data.files.faults import check_whole, fault, rejected
from candide.data.files.find import find
from candide.data.files.kinds import Column
from candide.data.files.relation import Relation
from candide.data.files.spool import Spool
from candide.data.files.study import Study
from candide.data.files.values import values
from candide.errors import BadFile

if TYPE_CHECKING:
    import pyarrow as pa

CELLS = 1 << 26  # in a batch: half a gigabyte of numbers


class Files:
    """One table in one or more files: CSV, TSV, JSON, JSON lines or Parquet, also packed by gzip or zstd.

    >>> with Files.open("examples/*.csv") as files:  # doctest: +SKIP
    ...     sum(batch.num_rows for batch in files.batches())
    14

    The first line of a CSV file names the columns, the keys of the first 200,000 objects those of a JSON file. What
    columns hold is told by the first 200,000 rows: true/false, whole numbers, numbers, dates and times as ISO 8601
    writes them, or else text; 007 is text, and so are JSON's strings unless they are dates. Should a later cell not
    fit, reading ends with `ColumnChanged`: no row is bent or dropped in silence. An empty cell is missing; among text,
    and only there, a quoted empty cell is the empty string. NaN is a number, a missing one. Nested values, times of day
    and bytes arrive as text, times with a zone as UTC.
    """

    def __init__(self, relations: Sequence[Relation], study: Study, schema: pa.Schema) -> None:
        self.schema = schema
        self.bad_rows = 0
        self.first_bad: str | None = None
        self._relations = tuple(relations)
        self._study = study
        self._reading: tuple[int, Callable[[], float]] | None = None  # place of the file, what share of it was read
        self._open = True
        self._ended = False

    @classmethod
    def open(
        cls,
        paths: str | Path | Sequence[str | Path],
        *,
        format: str | None = None,
        types: Mapping[str, str] | None = None,
        expected: Mapping[str, str] | None = None,
        missing: Sequence[str] = (),
        encoding: str | None = None,
        delimiter: str | None = None,
        skip_bad_rows: bool = False,
        memory_limit: str | None = None,
    ) -> Self:
        """Find the files, learn their columns.

        `paths`: paths and patterns; "-" is standard input. `format`: csv, tsv, json, jsonl or parquet; by default what
        the names end in. `types`: string, integer, number, boolean, date or timestamp for columns by name; `expected`:
        the same for columns of CSV that may be there or not. `missing`: texts that stand for a gap, quoted or not,
        beside the empty cell. `encoding`: of texts that are not UTF-8. `delimiter`: of CSV; by default the one of
        , ; | and tab that the first line has most of. `skip_bad_rows`: count rows that cannot be read, and go on.
        `memory_limit`: of the reading, such as "500MB".
        """
        study = Study(
            types or {}, expected or {}, tuple(missing), encoding, delimiter, skip_bad_rows, memory_limit, Spool()
        )
        try:
            relations, study.columns, schema = study.learn(find(paths, format))
        except BaseException:
            study.spool.close()
            raise
        return cls(relations, study, schema)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns in order."""
        return tuple(column.name for column in self._study.columns)

    @property
    def bytes(self) -> int | None:
        """What the files take on disk; None if one of them is a stream."""
        sizes = [relation.part.bytes for relation in self._relations]
        return None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def done(self) -> float | None:
        """The share of the input that the last pass has read, 0 to 1; None where it cannot be told."""
        if self._reading is None:
            return 1.0 if self._ended else 0.0
        place, share = self._reading
        sizes = [max(one.part.bytes or 0, 1) for one in self._relations]
        read = share()
        return None if read < 0 else (sum(sizes[:place]) + min(read, 1.0) * sizes[place]) / sum(sizes)

    def batches(self, rows: int = 1 << 17, words: bool = False) -> Iterator[pa.RecordBatch]:
        """All rows in order, at most `rows` at a time; every call begins anew.

        `words`: who counts may take columns of strings as dictionaries of their words, where these are quicker to have.
        """
        if not self._open:
            raise BadFile("these files are closed: open them anew.")
        self.bad_rows, self.first_bad, self._ended = 0, None, False
        with self._pass() as connection:
            for place, relation in enumerate(self._relations):
                yield from self._read(connection, place, relation, rows, words)
            self._ended = True

    def close(self) -> None:
        """Remove what was copied; reading is over."""
        self._open = False
        self._study.spool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        shown = ", ".join(relation.part.name for relation in self._relations[:3])
        more = ", …" if len(self._relations) > 3 else ""
        return f"Files({shown}{more}: {len(self.names)} columns)"

    @contextmanager
    def _pass(self) -> Iterator[Any]:
        with closing(connect(self._study.memory_limit)) as connection:
            try:
                yield connection
            finally:
                self._reading = None

    def _read(
        self, connection: Any, place: int, relation: Relation, rows: int, words: bool
    ) -> Iterator[pa.RecordBatch]:
        """The rows of one file: by Arrow as far as it goes, the others by a query."""
        rows, read = min(rows, max(CELLS // len(self.schema), 1)), 0
        study = self._study
        done = 0.0
        self._reading = place, lambda: done
        if not study.missing and study.memory_limit is None:
            try:
                for batch, done in Direct(relation, study.columns, self.schema, rows, words).batches():  # noqa: B007
                    read += batch.num_rows
                    yield batch
                return
            except Unsure:
                pass
        yield from self._queried(connection, place, relation, rows, read)

    def _queried(
        self, connection: Any, place: int, relation: Relation, rows: int, after: int
    ) -> Iterator[pa.RecordBatch]:
        """The rows of one file after some that are known already."""
        query = values(relation, self._study.columns, self._study.missing)
        with told(relation.part.name):
            reader = connection.sql(query.sql).to_arrow_reader(rows)
        read = 0

        def share() -> float:
            known = relation.rows is not None
            return read / max(relation.rows or 0, 1) if known else float(connection.query_progress()) / 100

        self._reading = place, share
        try:
            while (batch := _next(reader, relation)) is not None:
                before, read = read, read + batch.num_rows
                if read <= after:
                    continue
                if before < after:
                    batch, before = batch.slice(after - before), after
                good = self._good(batch, query.columns(batch), relation, before)
                if good.num_rows:
                    yield good
        finally:
            reader.close()
        if relation.rejects:
            self._count(*rejected(connection, relation))
        if relation.part.compression == "zstd":
            check_whole(relation.part)

    def _good(
        self, batch: pa.RecordBatch, columns: Sequence[pa.Array], relation: Relation, before: int
    ) -> pa.RecordBatch:
        """The rows without those that hold what they should not, under the names of the columns."""
        import pyarrow as pa
        import pyarrow.compute as pc

        table = pa.RecordBatch.from_arrays(columns, schema=self.schema)
        places, texts = batch.columns[-2:]
        if places.null_count < len(places):
            wrong = pc.indices_nonzero(pc.is_valid(places))
            first = wrong[0].as_py()
            where, text = places[first].as_py(), texts[first].as_py()
            column: Column | None = self._study.columns[where] if where >= 0 else None
            about, error = fault(relation, before + first, column, text or "")
            if not self._study.skip_bad_rows:
                raise error
            self._count(len(wrong), about)
            table = table.filter(pc.is_null(places))
        return table

    def _count(self, rows: int, about: str | None) -> None:
        self.bad_rows += rows
        self.first_bad = self.first_bad or about


def _next(reader: Any, relation: Relation) -> Any:
    """The next batch, None after the last."""
    with told(relation.part.name):
        try:
            return reader.read_next_batch()
        except StopIteration:
            return None
