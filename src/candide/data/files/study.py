"""Learning what columns files have, before their rows are read."""

from __future__ import annotations

import codecs
import glob
import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any

from candide.data.files.engine import MixedLines, connect
from candide.data.files.find import Part
from candide.data.files.kinds import TEXT, Column, told_kinds, united
from candide.data.files.objects import objects
from candide.data.files.parquet import parquet
from candide.data.files.relation import Relation
from candide.data.files.separated import separated
from candide.data.files.sniff import sniffed
from candide.data.files.spool import Spool, reading, unpacked
from candide.errors import BadFile

if TYPE_CHECKING:
    import pyarrow as pa

SAMPLE = 200_000
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


@dataclass(slots=True)
class Study:
    """How the user wants the files read."""

    types: Mapping[str, str]
    expected: Mapping[str, str]
    missing: tuple[str, ...]
    encoding: str | None
    delimiter: str | None
    skip_bad_rows: bool
    memory_limit: str | None
    spool: Spool
    columns: tuple[Column, ...] = field(default=())

    def learn(self, parts: Sequence[Part]) -> tuple[list[Relation], tuple[Column, ...], pa.Schema]:
        """The files as relations, their common columns, and these as Arrow has them."""
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise BadFile(f"delimiter {self.delimiter!r} cannot separate cells: it should be one character, no quote.")
        rows = max(SAMPLE // len(parts), 1000)
        with closing(connect(self.memory_limit)) as connection:
            studied = [self._studied(connection, part, rows) for part in parts]
            relations = [relation for relation, _ in studied]
            names = _common_names(relations)
            given = told_kinds(self._types(relations, names), names)
            columns = tuple(
                Column(name, given.get(name) or _united(studied, name), told=name in given) for name in names
            )
            schema = _schema(connection, columns)
        return relations, columns, schema

    def _types(self, relations: Sequence[Relation], names: Sequence[str]) -> Mapping[str, str]:
        """What the user said; of cells that are text, also what is expected of them."""
        if not all(relation.part.format in ("csv", "tsv") for relation in relations):
            return self.types
        known = set(names)
        return {name: kind for name, kind in self.expected.items() if name in known} | dict(self.types)

    def _studied(self, connection: Any, part: Part, rows: int) -> tuple[Relation, dict[str, str | None]]:
        """A file, and what its columns seem to hold."""
        part = self._readable(self.spool.staged(part))
        try:
            return self._seen(connection, part, rows)
        except MixedLines:
            return self._seen(connection, self.spool.recoded(part, "utf-8", newline=None), rows)

    def _seen(self, connection: Any, part: Part, rows: int) -> tuple[Relation, dict[str, str | None]]:
        relation = self._relation(connection, part, rows)
        if relation.kinds:
            return relation, dict(zip(relation.names, relation.kinds, strict=True))
        kinds = sniffed(connection, relation, range(len(relation.names)), rows, self.missing)
        return relation, {name: kinds[place] for place, name in enumerate(relation.names)}

    def _relation(self, connection: Any, part: Part, rows: int) -> Relation:
        source = self._source(part.path)
        if part.format == "parquet":
            return parquet(part, source, connection)
        if part.format in ("json", "jsonl"):
            return objects(part, source, connection, rows, self.skip_bad_rows)
        return separated(part, source, self.delimiter, self.skip_bad_rows)

    def _source(self, path: str) -> str:
        """The path as DuckDB takes it, for which *, ? and [ stand for other names."""
        if os.sep == "/" and "\\" in path:
            path = self.spool.linked(path)
        return glob.escape(os.path.abspath(path).replace(os.sep, "/"))

    def _readable(self, part: Part) -> Part:
        """The part itself if it is UTF-8, or else a copy that is."""
        if part.format == "parquet":
            return part
        with reading(part.name), unpacked(part) as raw:
            start = bytes(raw.read(4))
        encoding = self.encoding or next((name for mark, name in MARKS.items() if start.startswith(mark)), "utf-8")
        if start.startswith(codecs.BOM_UTF8) and part.format != "csv" and encoding == "utf-8":
            encoding = "utf-8-sig"  # DuckDB knows the mark in CSV, not in JSON
        return part if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else self.spool.recoded(part, encoding)


def _schema(connection: Any, columns: Sequence[Column]) -> pa.Schema:
    """The columns as Arrow has them."""
    import pyarrow as pa

    kinds = list(dict.fromkeys(column.kind for column in columns))
    nothing = ", ".join(f"CAST(NULL AS {kind})" for kind in kinds)
    types = dict(zip(kinds, connection.sql(f"SELECT {nothing}").to_arrow_reader(1).schema.types, strict=True))
    return pa.schema([pa.field(column.name, types[column.kind]) for column in columns])


def _common_names(relations: Sequence[Relation]) -> tuple[str, ...]:
    """The columns of the first file, which the others must have too; of JSON, every key that any file has."""
    first = relations[0]
    for other in relations[1:]:
        if first.broken != "false" and other.broken != "false":
            continue
        for name in set(first.names) ^ set(other.names):
            having, lacking = (first, other) if name in first.names else (other, first)
            raise BadFile(
                f"{lacking.part.name} has no column {name!r}, {having.part.name} has: "
                "files that are read together need the same columns."
            )
    return tuple(dict.fromkeys(name for relation in relations for name in relation.names))


def _united(studied: Sequence[tuple[Relation, dict[str, str | None]]], name: str) -> str:
    kinds = [kind for _, seen in studied if (kind := seen.get(name)) is not None]
    return reduce(united, kinds) if kinds else TEXT
